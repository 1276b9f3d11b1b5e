//! The graph critic: proposes laws from the graph alone, without a model. The same graph gives the same laws.
//!
//! It has the three sources of LTLCrit's section 3.4. *Environment feedback* separates, for each action, the states in
//! which it always failed from those in which it ever worked. *Efficiency* separates the states in which something
//! other than the action was done and cost more from those in which the action is not the best choice; and it finds
//! what stalled runs repeated. *Conflicts* are states in which the laws in force leave no action; one of the laws is
//! weakened or retired. The first two find conditions by exact Boolean minimisation ([`crate::minimise`]): few laws
//! with few literals that tell the two sides apart. In states that no run has seen, a condition may hold or not. If the
//! gate refuses a law because a state would be left without an action, or a good step would be blocked, that state
//! joins the other side, and the condition is looked for again.

mod conditions;
mod occasions;
mod options;
mod resolve;
mod stalls;
#[cfg(test)]
mod tests;
mod words;

use conditions::Subject;
pub(super) use conditions::without_implied;
pub use options::{GraphCriticOptions, NAME};
pub(super) use resolve::resolution;

use super::refusals::Refusals;
use super::{Brief, ProposeError, Proposer};
use crate::change::Change;

/// The number of rounds in which laws from failed actions are proposed before laws from stalls.
const FACTS_FIRST: usize = 2;

/// The graph critic.
#[derive(Clone, Debug, Default)]
pub struct GraphCritic {
    options: GraphCriticOptions,
    refusals: Refusals,
}

impl GraphCritic {
    /// A graph critic that has proposed nothing yet.
    pub fn new(options: GraphCriticOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl Proposer for GraphCritic {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        self.refusals.learn(brief);
        // While the laws leave some state nothing, nothing can be added.
        if let Some(conflict) = brief.conflicts.first() {
            return Ok(resolution(brief, conflict, NAME).into_iter().collect());
        }
        let worths = occasions::worths(brief);
        let mut changes: Vec<Change> = Vec::new();
        for (subject, mut sides) in conditions::subjects(brief, &worths, self.options.support) {
            let wanted = match subject {
                Subject::Fails(_) => self.options.feedback,
                Subject::Stalls(_) | Subject::Best(_) => self.options.efficiency,
            };
            // A failure is a fact and a stall is a guess, so laws from failures come first, unless they take too many rounds.
            // Demands come last, so that they take the other laws into account.
            let later = match subject {
                Subject::Fails(_) => false,
                Subject::Stalls(_) => !changes.is_empty() && brief.round <= FACTS_FIRST,
                Subject::Best(_) => !changes.is_empty(),
            };
            if !wanted || later {
                continue;
            }
            sides.off.extend(self.refusals.counterexamples(subject.source(), subject.action()));
            let mut found = conditions::conditions(brief, subject, &sides, self.options);
            if let (Subject::Best(best), true) = (subject, self.options.generalise) {
                // It has to be there to be chosen.
                let needed = conditions::always_so(brief, best, &worths).and(&conditions::never_blocked(brief, best));
                for found in &mut found {
                    found.cube = conditions::without_implied(&found.cube.and(&needed), brief.vocabulary);
                }
            }
            let proposals = found.iter().map(|found| words::proposal(brief, subject, &sides, found));
            changes.extend(proposals.filter(|law| self.refusals.may_pass(law)).map(Change::Add));
        }
        Ok(changes)
    }
}
