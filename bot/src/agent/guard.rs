//! The shield as the loop uses it: rulings by law id, with the words an actor is told.

use std::sync::Arc;

use ltlcrit_store::{ForceRecord, LawId, Ruling};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{
    ActionId, ActionSet, Enforcement, Explanation, Judgement, Law, Letter, PropSet, Shield, ShieldOptions, Transitions,
    Vocabulary,
};

use super::AgentError;

/// A shield and the vocabulary it speaks.
pub(crate) struct Guard {
    shield: Shield,
    vocabulary: Arc<Vocabulary>,
    enforcing: bool,
}

impl Guard {
    /// A guard that enforces, or one that only says what it would have done.
    pub fn new(
        vocabulary: Arc<Vocabulary>,
        laws: Vec<Law>,
        transitions: Option<Arc<dyn Transitions>>,
        enforcing: bool,
    ) -> Result<Self, ShieldError> {
        let shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default())?;
        let shield = match transitions {
            Some(model) => shield.with_transitions(model),
            None => shield,
        };
        Ok(Self { shield, vocabulary, enforcing })
    }

    /// Reads letter 0; returns the laws it violates.
    pub fn start(&mut self, observations: PropSet) -> Vec<LawId> {
        self.shield.start(observations)
    }

    /// Reads the letter after a step; returns the laws it violates.
    pub fn advance(&mut self, letter: Letter) -> Vec<LawId> {
        self.shield.advance(letter)
    }

    /// Puts other laws in force; returns those the current letter violates at once.
    pub fn replace(&mut self, laws: Vec<Law>) -> Result<Vec<LawId>, AgentError> {
        Ok(self.shield.replace_laws(laws)?)
    }

    /// Which laws are enforced now.
    pub fn force(&mut self) -> ForceRecord {
        match self.shield.decide().enforcement {
            Enforcement::All => ForceRecord::All,
            Enforcement::HardOnly { conflict } => ForceRecord::HardOnly { conflict },
            Enforcement::Nothing { conflict } => ForceRecord::Nothing { conflict },
        }
    }

    /// The actions that may run now.
    pub fn allowed(&mut self) -> ActionSet {
        self.shield.decide().allowed
    }

    /// The actions the hard laws allow now.
    pub fn feasible(&mut self) -> ActionSet {
        self.shield.hard_allowed()
    }

    /// The laws that owe something.
    pub fn owed(&mut self) -> Vec<LawId> {
        self.shield.obligations()
    }

    /// The laws in force, in English.
    pub fn texts(&self) -> Vec<String> {
        self.shield.laws().iter().map(|law| law.explanation.to_string()).collect()
    }

    /// What is to be said to a proposed action.
    pub fn rule(&mut self, action: ActionId) -> Ruling {
        match (self.shield.judge(action), self.enforcing) {
            (Judgement::Allowed, true) => Ruling::Allowed,
            (Judgement::Allowed | Judgement::Undecided { .. }, false) => Ruling::Unshielded { laws: Vec::new() },
            (Judgement::Blocked { laws }, true) => Ruling::Blocked { laws, explanation: self.explain(action) },
            (Judgement::Blocked { laws }, false) => Ruling::Unshielded { laws },
            (Judgement::Undecided { why }, true) => Ruling::Undecided { why: why.to_string() },
        }
    }

    /// What an actor is told of a blocked action: why, and for stopping what is owed. What is allowed is listed only when
    /// re-prompts are used up.
    fn explain(&mut self, action: ActionId) -> String {
        let mut explanation = Explanation::new(&mut self.shield, action);
        explanation.allowed.clear();
        if self.vocabulary.stop() == Some(action) { explanation.brief() } else { explanation.reasons() }
    }
}
