//! The parsed reading of a segment.

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
    /// Recognised expressions, each with its proposition.
    pub grounded: Vec<(String, Arc<str>)>,
    /// Nouns that later pronouns may refer to.
    pub nouns: Vec<NounId>,
    /// The law with a parameter whose instances it joins, if it speaks of every object of a kind.
    pub over: Option<OverDomain>,
    /// The main clause, for a later ellipsis.
    pub main: Vec<Token>,
}

impl Parse {
    /// Creates a reading; `None` if the patterns do not fit their conditions.
    pub fn new(patterns: Vec<Pattern>, is_action: &dyn Fn(&str) -> bool) -> Option<Self> {
        let formulas: Option<Vec<Formula>> = patterns.iter().map(|pattern| pattern.formula(is_action)).collect();
        let formula = formulas?.into_iter().reduce(Formula::and)?;
        Some(Self { patterns, formula, grounded: Vec::new(), nouns: Vec::new(), over: None, main: Vec::new() })
    }

    /// Joins the readings of two segments or two objects.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.formula = self.formula.and(other.formula.clone());
        self.patterns.extend(other.patterns.iter().cloned());
        self.grounded.extend(other.grounded.iter().cloned());
        self.over = None;
        self
    }
}
