//! The body of evidence: a label for every executed or blocked action, and what labels weigh, in nats.
//!
//! Everything that judges a law by runs reads this: the critics, the gate, the statistics of laws and the reports.
//!
//! **Labels.** The steps that count are the last step of a run that reached its goal, and the gains of another run. A *gain* is
//! a step after which something is had that was never had before in its run. A step is *needless* if its run takes the steps
//! that count without it. Steps are left out one after the other, from the last to the first, with the later steps that then
//! no longer work ([`eliminate`]; action elimination of Nakhost and Müller, ICAPS 2010, from the end). One assumption decides
//! whether a later step still works: *what worked with less works with more*. The other steps are
//! [*needed*](Verdict::Needed), or [*gained*](Verdict::Gained) something in a run that missed its goal. After its last gain
//! such a run may be [*trapped*](traps). A blocked proposal is [*spared*](Verdict::Spared) if its run gained something soon
//! afterwards.
//!
//! **Weights.** Each run has one [vote](Vote) on each choice, that is, on an action in a state. [`Trials::weight`] adds the votes up:
//! the logarithm of a Bayes factor, by which runs speak for a law that blocks the choice. See [`Objective`] for its constants.

mod eliminate;
mod good_steps;
mod objective;
#[cfg(test)]
mod tests;
mod trace;
mod traps;
mod variables;
mod verdict;
mod votes;

use eliminate::Experience;
pub use good_steps::GoodStep;
use ltlcrit_verifier::Vocabulary;
pub use objective::Objective;
use trace::Trace;
use traps::History;
use variables::Variables;
pub use verdict::{Block, Trial, Verdict};
pub use votes::{RunCounts, Support, Trials, Vote};

use crate::graph::RunPath;

impl Trials {
    /// Judges the steps of runs. `blocks` are the proposals that were blocked in them.
    pub fn of<'a>(
        runs: impl Iterator<Item = &'a RunPath> + Clone,
        vocabulary: &Vocabulary,
        blocks: &[Block],
        objective: Objective,
    ) -> Self {
        let variables = Variables::of(runs.clone(), vocabulary.observations().len());
        let had = variables.had();
        let mut histories: Vec<History<'_>> = runs.map(|run| History::of(run, &had)).collect();
        let traces: Vec<Vec<Trace>> = histories.iter().map(|history| Trace::of(history, &variables)).collect();
        let experience = Experience::of(traces.iter().flatten());
        for (history, traces) in histories.iter_mut().zip(&traces) {
            let judged = |trace: &Trace| eliminate::eliminate(trace, &experience, &variables);
            history.verdicts = traces.iter().flat_map(judged).collect();
        }
        let patience = traps::mark(&mut histories, &had, &objective);
        Self::count(&histories, blocks, vocabulary.stop(), patience, &had, objective)
    }
}
