//! The actor that plans.

use ltlcrit_model::{ModelError, Usage};
use ltlcrit_store::NoAction;
use ltlcrit_worlds::planner::{Next, Planner};

use super::{Actor, NotRun, Proposed, Situation};

/// An actor that proposes what a planner finds in the world itself. It reads no observation and asks no model.
pub struct PlannedActor {
    planner: Box<dyn Planner>,
    /// Whether the planner is told what was refused at earlier steps.
    remembers: bool,
}

impl PlannedActor {
    /// The actor of a planner.
    pub fn new(planner: Box<dyn Planner>) -> Self {
        Self { planner, remembers: false }
    }

    /// The same actor, whose planner is told what was refused at earlier steps, so that it need not try it in the same state
    /// again.
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { remembers: true, ..self }
    }
}

impl Actor for PlannedActor {
    fn name(&self) -> &str {
        "planner"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let taken: Vec<_> = situation.history.iter().map(|step| step.action).collect();
        let refused: Vec<_> = situation
            .refusals
            .iter()
            .filter_map(|refusal| match refusal {
                NotRun::Blocked { action, .. } => Some(*action),
                NotRun::NoAction(_) => None,
            })
            .collect();
        let earlier: Vec<_> = situation
            .history
            .iter()
            .enumerate()
            .flat_map(|(step, past)| past.refused.iter().map(move |refusal| (step, refusal)))
            .filter_map(|(step, refusal)| match refusal {
                NotRun::Blocked { action, .. } => Some((step, *action)),
                NotRun::NoAction(_) => None,
            })
            .collect();
        if self.remembers {
            self.planner.recall(&earlier);
        }
        let (action, thought) = match self.planner.next(&taken, &refused, situation.laws) {
            Next::Act(action, left) => (Some(action), left.map(|left| format!("{left} to the goal."))),
            Next::Stop(why) => (situation.vocabulary.stop(), Some(format!("I stop: {why}."))),
        };
        let no_action =
            || NoAction::Malformed { reply: String::new(), why: "the world has no action to stop".to_owned() };
        Ok(Proposed { action: action.ok_or_else(no_action), thought, usage: Usage::default() })
    }
}
