//! Simulated models: seeded personas with the failure modes that the papers report.
//!
//! A persona is data: a file of `personas/`, or one of the user's ([`Persona`] describes the form). It sees only the
//! text that a language model would see ([`prompt`]). It knows the game roughly as a language model does
//! ([`knowledge`]), and errs by the rates and habits of its file. Its randomness comes from its seed and from the facts
//! in the request alone, so it has no state. The same question gets the same answer, also in a resumed run and in other
//! words. Its runs show that the program works; they are not evidence about language models.

mod answer;
mod fnv;
mod habit;
mod inventory;
mod knowledge;
mod persona;
mod prompt;
mod source;

use fnv::Fnv;
use ltlcrit_model::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo, Role, Usage};
pub use persona::{Line, Persona, PersonaSet};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
pub use source::PersonaSource;

use crate::user_error::UserError;

/// A persona with a seed.
#[derive(Clone, Debug)]
pub struct Simulated {
    name: String,
    persona: Persona,
    seed: u64,
}

impl Simulated {
    /// Opens a persona whose randomness depends on this seed and the facts in the request alone.
    ///
    /// # Errors
    /// The file cannot be read, has changed, or does not describe a persona.
    pub fn open(source: &PersonaSource, seed: u64) -> Result<Self, UserError> {
        let (source, persona) = source.open_pinned()?;
        Ok(Self { name: format!("simulated:{source}"), persona, seed })
    }

    /// Returns a generator seeded by the persona's seed and the facts it has read.
    fn rng(&self, view: &prompt::View) -> Pcg64Mcg {
        let mut hash = Fnv::new(self.seed);
        hash.write(view.facts_read().as_bytes());
        Pcg64Mcg::seed_from_u64(hash.finish())
    }
}

impl ChatModel for Simulated {
    fn info(&self) -> ModelInfo {
        ModelInfo::simulated(self.name.as_str())
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        if request.role != Role::Actor {
            return Err(ModelError::Unavailable {
                model: self.info().name,
                why: "personas only choose actions; ask a language model (`openai:MODEL`) for anything else".to_owned(),
            });
        }
        let view = prompt::View::read(request);
        let text = answer::answer(&self.persona, &view, request, &mut self.rng(&view));
        let prompt_bytes = request.messages.iter().map(|message| message.text.len()).sum();
        let usage = Usage::estimate(prompt_bytes, text.len());
        Ok(ChatReply::new(text, usage))
    }
}

#[cfg(test)]
mod tests;
