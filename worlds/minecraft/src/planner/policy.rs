//! A policy for runs: plans from each observation and proposes one action at a time.

use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::world::Outcome;

use super::{Planner, State};
use crate::failure::Code;
use crate::observation::MinecraftObservation;
use crate::vocabulary::vocabulary;

const EXPLORE: &str = "action_explore_general";

/// Proposes a best next action in every state. It uses only observations and outcomes.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    planner: Planner,
    /// The actions that failed since the last exploration or placement. Their targets count as out of reach. An
    /// exploration that found no way on is one of them.
    given_up: Vec<&'static str>,
    last: Option<&'static str>,
}

impl Policy {
    /// A policy for a new run that reuses the plans of another one.
    #[must_use]
    pub fn with_planner_of(self, other: Self) -> Self {
        Self { planner: other.planner, ..self }
    }

    /// The next action; `None` if the goal is reached or unreachable.
    pub fn next(&mut self, observation: &MinecraftObservation, last: Option<&Outcome>) -> Option<ActionId> {
        if let (Some(action), Some(outcome)) = (self.last, last) {
            let placed = outcome.succeeded() && action.starts_with("action_place");
            let is_stuck = action == EXPLORE && outcome.failure == Some(Code::NoWay.into());
            if placed || action.starts_with("action_explore") && !is_stuck {
                self.given_up.clear();
            } else if !outcome.succeeded() {
                self.given_up.push(action);
            }
        }
        let seen = State::of(observation);
        let mut state = seen;
        if self.given_up.contains(&EXPLORE) {
            // A player that cannot get away does first what it can do here.
            state = State { log_seen: true, stone_seen: true, coal_seen: true, iron_seen: true, ..state };
        }
        for action in &self.given_up {
            match *action {
                "action_mine_log" => state.log_seen = false,
                "action_mine_stone" => state.stone_seen = false,
                "action_mine_coal" => state.coal_seen = false,
                "action_mine_iron_ore" => state.iron_seen = false,
                "action_mine_diamond" => state.diamond_seen = false,
                "action_smelt_iron" => state.near_furnace = false,
                _ if action.starts_with("action_craft") => state.near_table = false,
                _ => {}
            }
        }
        let action = self.planner.next_action(&state)?;
        let has_no_place = action.starts_with("action_place") && self.given_up.contains(&action);
        let action = if has_no_place || seen.after(action).is_none() { EXPLORE } else { action };
        self.last = Some(action);
        vocabulary().action(action)
    }
}
