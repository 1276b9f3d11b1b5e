//! What a segment of a sentence was understood as.

use std::sync::Arc;

use ltlcrit_verifier::Formula;

use crate::domain::OverDomain;
use crate::index::NounId;
use crate::pattern::Pattern;
use crate::words::Token;

/// One reading of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Parse {
    /// The patterns, all of which hold.
    pub patterns: Vec<Pattern>,
    /// Their conjunction.
    pub formula: Formula,
    /// What was recognised, and the proposition it was taken for.
    pub grounded: Vec<(String, Arc<str>)>,
    /// What pronouns that follow may stand for.
    pub nouns: Vec<NounId>,
    /// The law with a parameter that it is the instances of, if it speaks of every object of a kind.
    pub over: Option<OverDomain>,
    /// The main clause, which what follows may leave out.
    pub main: Vec<Token>,
}

impl Parse {
    /// A reading; `None` if the patterns cannot be said of their conditions.
    pub fn new(patterns: Vec<Pattern>, is_action: &dyn Fn(&str) -> bool) -> Option<Self> {
        let formulas: Option<Vec<Formula>> = patterns.iter().map(|pattern| pattern.formula(is_action)).collect();
        let formula = formulas?.into_iter().reduce(Formula::and)?;
        Some(Self { patterns, formula, grounded: Vec::new(), nouns: Vec::new(), over: None, main: Vec::new() })
    }

    /// Both readings, of two segments or two objects.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.formula = self.formula.and(other.formula.clone());
        self.patterns.extend(other.patterns.iter().cloned());
        self.grounded.extend(other.grounded.iter().cloned());
        self.over = None;
        self
    }
}
