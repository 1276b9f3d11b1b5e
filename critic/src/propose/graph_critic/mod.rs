//! The graph critic: laws from the graph alone, no model asked, and the same graph gives the same laws.
//!
//! It has the three sources of LTLCrit's section 3.4. *Environment feedback*: for each action, the states in which it
//! always failed against those in which it ever worked. *Efficiency*: the states in which something else was done and cost
//! more against those in which it is not the best choice; and where runs got nowhere, what they did over and over.
//! *Conflicts*: states in which the laws in force leave no action; one of them is weakened, or goes. The first two find
//! conditions by exact Boolean minimisation ([`crate::minimise`]): few laws with few literals that tell the two sides apart;
//! of states never seen nothing is known, and a condition may hold there or not. What the gate shows to be wrong, a state
//! that would be left without an action or a good step that would be blocked, is one more state on the other side, and the
//! condition is looked for again.

mod conditions;
mod occasions;
mod resolve;
mod stalls;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_verifier::{ActionId, PropSet};

use super::{Brief, ProposeError, Proposer};
use crate::change::{Change, LawSource};
use conditions::Subject;

/// In so many rounds, laws from failed actions are proposed before those from what led nowhere.
const FACTS_FIRST: usize = 2;

/// What its proposals are signed with.
pub const NAME: &str = "graph";

/// What the graph critic looks for; parts can be left out to see what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphCriticOptions {
    /// Laws from failed actions.
    pub feedback: bool,
    /// Laws from inefficient choices.
    pub efficiency: bool,
    /// Conditions found by minimisation; otherwise a law holds for one observed state only.
    pub generalise: bool,
    /// A law rests on at least so many steps.
    pub support: u32,
}

impl Default for GraphCriticOptions {
    fn default() -> Self {
        Self { feedback: true, efficiency: true, generalise: true, support: 2 }
    }
}

/// A proposer that knows nothing but the graph.
#[derive(Clone, Debug, Default)]
pub struct GraphCritic {
    options: GraphCriticOptions,
    /// States the gate gave as counterexamples in this critique, in which a condition must not hold: they depend on the laws
    /// in force then.
    counterexamples: BTreeMap<(LawSource, ActionId), BTreeSet<PropSet>>,
    /// Formulas, as text, that the gate refused in this critique without a counterexample.
    hopeless: BTreeSet<String>,
}

impl GraphCritic {
    /// A graph critic that has proposed nothing yet.
    pub fn new(options: GraphCriticOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Keeps the gate's counterexamples.
    fn learn(&mut self, brief: &Brief<'_>) {
        if brief.round == 1 {
            self.counterexamples.clear();
            self.hopeless.clear();
        }
        for refused in brief.refused {
            let Change::Add(proposal) = &refused.change else { continue };
            let Some(state) = refused.counterexample else {
                self.hopeless.insert(proposal.formula.text().clone());
                continue;
            };
            let action = proposal.formula.value().ok().and_then(|formula| words::action_of(formula, brief.vocabulary));
            if let Some(action) = action {
                self.counterexamples.entry((proposal.source, action)).or_default().insert(state);
            }
        }
    }
}

impl Proposer for GraphCritic {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        self.learn(brief);
        // While the laws leave some state nothing, nothing can be added.
        if let Some(conflict) = brief.conflicts.first() {
            return Ok(resolve::resolution(brief, conflict).into_iter().collect());
        }
        let worths = occasions::worths(brief);
        let mut changes: Vec<Change> = Vec::new();
        for (subject, mut sides) in conditions::subjects(brief, &worths, self.options.support) {
            let wanted = match subject {
                Subject::Fails(_) => self.options.feedback,
                Subject::Stalls(_) | Subject::Best(_) => self.options.efficiency,
            };
            // That something failed is a fact, that it led nowhere a guess: facts come first, unless they take too long to get
            // right. And what works better is demanded where no law blocks it.
            let later = match subject {
                Subject::Fails(_) => false,
                Subject::Stalls(_) => !changes.is_empty() && brief.round <= FACTS_FIRST,
                Subject::Best(_) => !changes.is_empty(),
            };
            if !wanted || later {
                continue;
            }
            if let Some(states) = self.counterexamples.get(&(subject.source(), subject.action())) {
                sides.off.extend(states);
            }
            let mut found = conditions::conditions(brief, subject, &sides, self.options);
            if let (Subject::Best(best), true) = (subject, self.options.generalise) {
                // It has to be there to be chosen.
                let needed = conditions::always_so(brief, best, &worths).and(&conditions::never_blocked(brief, best));
                for found in &mut found {
                    found.cube = conditions::without_implied(&found.cube.and(&needed), brief.vocabulary);
                }
            }
            let proposals = found.iter().map(|found| words::proposal(brief, subject, &sides, found));
            changes.extend(proposals.filter(|law| !self.hopeless.contains(law.formula.text())).map(Change::Add));
        }
        Ok(changes)
    }
}
