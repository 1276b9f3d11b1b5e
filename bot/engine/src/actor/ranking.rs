//! SayCan's ranking of the feasible actions by value (LTLCrit section 4.2).

use ltlcrit_store::NoAction;
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};

use super::{Situation, reply};

/// The feasible actions of one step, ranked by value. Used for that step only.
#[derive(Debug)]
pub(super) struct Ranking {
    step: u64,
    holds: PropSet,
    /// The actions, best first.
    actions: Vec<ActionId>,
}

impl Ranking {
    /// Parses the values of an answer into a ranking.
    ///
    /// # Errors
    /// The answer has no values, or an unknown action has the highest value.
    pub fn read(answer: &str, situation: &Situation<'_>) -> Result<Self, NoAction> {
        let values = reply::read_values(answer)?;
        let actions = rank(&values, situation.feasible, situation.vocabulary)?;
        Ok(Self { step: situation.step, holds: situation.observation.holds, actions })
    }

    /// Returns whether the ranking belongs to this step. A situation without refusals begins a new step.
    pub fn still_holds(&self, situation: &Situation<'_>) -> bool {
        (self.step, self.holds) == (situation.step, situation.observation.holds) && !situation.refusals.is_empty()
    }

    /// Returns the best ranked action that was not blocked in this step and, if the allowed actions are listed, is
    /// allowed.
    pub fn best(&self, situation: &Situation<'_>) -> Result<ActionId, NoAction> {
        let blocked = |action: ActionId| situation.refusals.iter().any(|refusal| refusal.blocked() == Some(action));
        let allowed = |action: ActionId| situation.allowed.is_none_or(|allowed| allowed.contains(&action));
        let mut ranked = self.actions.iter().copied();
        ranked
            .find(|action| !blocked(*action) && allowed(*action))
            // A listed action may run even if it is not feasible by the hard laws alone or was rated worthless.
            .or_else(|| situation.allowed.and_then(|allowed| allowed.iter().copied().find(|action| !blocked(*action))))
            .or_else(|| self.actions.first().copied())
            .ok_or_else(|| reply::malformed("", "no action is feasible here"))
    }
}

/// Sorts feasible actions by value, best first; actions of equal value keep the vocabulary's order.
fn rank(values: &[(String, f64)], feasible: &[ActionId], vocabulary: &Vocabulary) -> Result<Vec<ActionId>, NoAction> {
    let mut by_action: Vec<(ActionId, f64)> = Vec::with_capacity(feasible.len());
    let mut unknown: Option<(NoAction, f64)> = None;
    for (name, value) in values {
        match reply::find(name, vocabulary) {
            // Infeasible actions have no affordance, so their value does not count.
            Ok(action) if !feasible.contains(&action) => {}
            Ok(action) => by_action.push((action, *value)),
            Err(why) if unknown.as_ref().is_none_or(|(_, highest)| value > highest) => {
                unknown = Some((why, *value));
            }
            Err(_) => {}
        }
    }
    let highest = by_action.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    if let Some((why, value)) = unknown
        && value > highest
    {
        return Err(why);
    }
    // Actions that the answer leaves out have the value 0.
    for action in feasible {
        if !by_action.iter().any(|(rated, _)| rated == action) {
            by_action.push((*action, 0.0));
        }
    }
    by_action.sort_by(|(a, value_a), (b, value_b)| value_b.total_cmp(value_a).then(a.cmp(b)));
    Ok(by_action.into_iter().map(|(action, _)| action).collect())
}
