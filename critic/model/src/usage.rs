//! Tokens used by one exchange, estimated if the endpoint does not report them.

use serde::{Deserialize, Serialize};

/// The tokens of one exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Prompt tokens, including cached ones.
    pub prompt: u64,
    /// Completion tokens, including reasoning.
    pub completion: u64,
    /// Prompt tokens served from the provider's cache.
    pub cached: u64,
    /// Tokens spent on hidden reasoning.
    pub reasoning: u64,
    /// The estimated part of prompt and completion (four bytes per token), if the endpoint reported none.
    #[serde(default)]
    pub estimated: u64,
}

impl Usage {
    /// Returns the number of prompt and completion tokens.
    pub fn total(&self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }

    /// Estimates usage from lengths in bytes, at four bytes per token.
    pub fn estimate(prompt_bytes: usize, completion_bytes: usize) -> Self {
        let (prompt, completion) = ((prompt_bytes as u64).div_ceil(4), (completion_bytes as u64).div_ceil(4));
        Self { prompt, completion, estimated: prompt + completion, ..Self::default() }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.completion = self.completion.saturating_add(other.completion);
        self.cached = self.cached.saturating_add(other.cached);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
        self.estimated = self.estimated.saturating_add(other.estimated);
    }
}
