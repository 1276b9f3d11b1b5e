//! The trial critic: the laws with the highest posterior odds by all runs, found without a model. The same runs and the same laws
//! in force give the same laws.
//!
//! **The objective.** For each action, it finds the set of conditions with the highest
//!
//! > sum of the [weights](crate::evidence::Trials::weight) of the states that they cover, each once
//!
//! minus
//!
//! > sum over conditions of (ln(1 + literals) + sum of the costs of its literals).
//!
//! A weight is the logarithm of a Bayes factor by which runs speak for blocking the action in a state. The rest is the
//! logarithm of a prior. A literal costs −ln of its probability. Most of the prior mass ([`Objective::causal`]) lies on the
//! observations that explain the action. It changed them, or they held before each of its successes. Or their words occur in
//! its name or in the world's messages about its failures. The rest lies on all that vary. A positive literal costs more the more often the action failed: what fails with less may work with more. No condition is empty, so no
//! action is forbidden everywhere.
//!
//! Every state from which a way to the goal is known keeps one. Where all known choices would be blocked, the choice with
//! the lowest score counts as the last one, and its action is solved again. Every state that runs were in keeps an action: where all
//! would be blocked, the one for whose block the runs speak least stays open.
//!
//! The prior is the book in force: its conditions cost nothing. So a law stays as long as the runs speak for it at all, and a book
//! that works is not exchanged for another one that fits about as well. A law for which they no longer speak is taken back. While
//! the laws in force leave some state no action, the law that costs most there is weakened or retired first (LTLCrit section 3.4,
//! conflicts).

mod cover;
mod search;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;

use ltlcrit_worlds::async_trait;
use words::NAME;

use super::resolution::resolution;
use super::{Brief, ProposeError, Proposer};
use crate::change::{Change, RetireCause};
#[cfg(doc)]
use crate::evidence::Objective;

/// The trial critic.
#[derive(Clone, Debug, Default)]
pub struct TrialCritic {
    /// True if it has proposed its laws in this critique.
    has_proposed: bool,
}

#[async_trait(?Send)]
impl Proposer for TrialCritic {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        self.has_proposed &= brief.round > 1;
        // While the laws leave some state nothing, nothing can be added.
        if let Some(conflict) = brief.conflicts.first() {
            return Ok(resolution(brief, conflict, NAME).into_iter().collect());
        }
        if std::mem::replace(&mut self.has_proposed, true) {
            return Ok(Vec::new());
        }
        let found = cover::laws(brief);
        let proposals: Vec<_> = found.iter().filter_map(|found| words::proposal(brief, found)).collect();
        let wanted: BTreeSet<&str> = proposals.iter().map(|law| law.formula.text().as_str()).collect();
        let own = brief.laws.iter().filter(|law| cover::is_own(law));
        let (kept, gone): (Vec<_>, Vec<_>) = own.partition(|law| wanted.contains(law.formula.to_string().as_str()));
        let kept: BTreeSet<String> = kept.into_iter().map(|law| law.formula.to_string()).collect();
        let retire = gone.into_iter().map(|law| Change::Retire {
            law: law.id.clone(),
            cause: RetireCause::Withdrawn,
            state: None,
            proposer: NAME.to_owned(),
        });
        let added = proposals.into_iter().filter(|law| !kept.contains(law.formula.text())).map(Change::Add);
        Ok(retire.chain(added).collect())
    }
}
