//! The actor that plans.

use ltlcrit_model::{ModelError, Usage};
use ltlcrit_verifier::{ActionId, Law};
use ltlcrit_worlds::async_trait;
use ltlcrit_worlds::planner::{Next, Planner, Strategy};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::{Actor, NotRun, PastStep, Proposed, Situation, reply};

/// An actor that proposes the actions of a planner in the world itself. It reads no observation and asks no model.
///
/// It plans under the laws in force that its strategy knows. A forgetful planner remembers each of n laws with a
/// probability of 1 - n/20, and at least 1/2. The Safety Chip paper (section V) reports that language models satisfy a
/// smaller share of the constraints the more there are. The exact probability is this program's choice. A corrected
/// planner begins without laws. Both remember every law that a refusal has named.
pub struct PlannedActor {
    planner: Box<dyn Planner>,
    strategy: Strategy,
    seed: u64,
    /// True if the planner gets the actions that were refused at earlier steps.
    remembers: bool,
}

impl PlannedActor {
    /// Creates the actor of a planner with this strategy; `seed` decides what it forgets.
    pub fn new(planner: Box<dyn Planner>, strategy: Strategy, seed: u64) -> Self {
        Self { planner, strategy, seed, remembers: false }
    }

    /// Passes the refusals of earlier steps to the planner, so that it does not try those actions again in the same
    /// state.
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { remembers: true, ..self }
    }

    /// Returns the laws in force that it remembers.
    fn known(&self, situation: &Situation<'_>) -> Vec<Law> {
        let past = situation.history.iter().flat_map(|step| &step.refused).chain(situation.refusals);
        let named: Vec<_> = past.flat_map(NotRun::laws).collect();
        let in_mind = match self.strategy {
            Strategy::Forgetful => kept(self.seed, situation.laws.len()),
            Strategy::Corrected => vec![false; situation.laws.len()],
            _ => vec![true; situation.laws.len()],
        };
        let laws = situation.laws.iter().zip(in_mind);
        laws.filter(|(law, is_kept)| *is_kept || named.contains(&&law.id)).map(|(law, _)| law.clone()).collect()
    }
}

/// Samples which of `count` laws a forgetful planner remembers.
fn kept(seed: u64, count: usize) -> Vec<bool> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let of_twenty = 20usize.saturating_sub(count).max(10);
    (0..count).map(|_| random.random_bool(of_twenty as f64 / 20.0)).collect()
}

#[async_trait(?Send)]
impl Actor for PlannedActor {
    fn name(&self) -> &str {
        "planner"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let taken: Vec<_> = situation.history.iter().map(|step| step.action).collect();
        let refused: Vec<ActionId> = situation.refusals.iter().filter_map(NotRun::blocked).collect();
        if self.remembers {
            let blocked = |(step, past): (usize, &'_ PastStep)| {
                past.refused.iter().filter_map(move |refusal| Some((step, refusal.blocked()?))).collect::<Vec<_>>()
            };
            let earlier: Vec<_> = situation.history.iter().enumerate().flat_map(blocked).collect();
            self.planner.recall(&earlier);
        }
        let (action, thought) = match self.planner.next(&taken, &refused, &self.known(situation)) {
            Next::Act(action, left) => (Some(action), left.map(|left| format!("{left} to the goal."))),
            Next::GaveUp(why) => return Err(ModelError::GaveUp(why)),
            Next::Stop(why) => (situation.vocabulary.stop(), Some(format!("I stop: {why}."))),
        };
        Ok(Proposed { action: action.ok_or_else(reply::no_stop), thought, usage: Usage::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::kept;

    /// The mean share of remembered laws over many seeds is the documented one.
    #[test]
    fn fewer_laws_are_kept_the_more_there_are() {
        let share = |count: usize| {
            let kept = (0..2_000).flat_map(|seed| kept(seed, count));
            kept.filter(|kept| *kept).count() as f64 / (2_000 * count) as f64
        };
        for (count, promised) in [(1, 0.95), (5, 0.75), (10, 0.5), (40, 0.5)] {
            assert!((share(count) - promised).abs() < 0.02, "{count}: {}", share(count));
        }
    }
}
