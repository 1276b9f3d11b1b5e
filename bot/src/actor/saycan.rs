//! The SayCan actor: an affordance filter, a value for every feasible action, the best wins (LTLCrit section 4.2).

use ltlcrit_model::{ChatModel, ModelError, Usage, Waits};
use ltlcrit_store::NoAction;
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};

use super::{Actor, Proposal, Refusal, Situation, prompts, reply};

/// Rates all feasible actions once a step; a refusal is followed by the next best without asking again.
#[derive(Debug)]
pub struct SayCan<M> {
    model: M,
    rated: Option<Rated>,
}

/// The ranking of one step. Kept within that step only: asking again would give the same.
#[derive(Debug)]
struct Rated {
    step: u64,
    holds: PropSet,
    /// Best first.
    ranking: Vec<ActionId>,
}

impl<M: ChatModel> SayCan<M> {
    /// An actor that asks this model.
    pub fn new(model: M) -> Self {
        Self { model, rated: None }
    }
}

impl<M: ChatModel> Actor for SayCan<M> {
    fn name(&self) -> &str {
        "saycan"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposal, ModelError> {
        let mut usage = Usage::default();
        // Within a step refusals pile up; none means that the step begins.
        let holds = situation.observation.holds;
        let rated = self
            .rated
            .take()
            .filter(|rated| (rated.step, rated.holds) == (situation.step, holds) && !situation.refusals.is_empty());
        let rated = match rated {
            Some(rated) => rated,
            None => {
                let answer = self.model.ask(&prompts::saycan::question(situation, situation.feasible)).await?;
                usage = answer.usage;
                let values = reply::read_values(&answer.text)
                    .and_then(|values| rank(&values, situation.feasible, situation.vocabulary));
                match values {
                    Ok(ranking) => Rated { step: situation.step, holds, ranking },
                    Err(why) => return Ok(Proposal { action: Err(why), thought: None, usage }),
                }
            }
        };
        let action = best(&rated.ranking, situation);
        self.rated = Some(rated);
        Ok(Proposal { action, thought: None, usage })
    }

    fn waits(&self) -> Waits {
        self.model.waits()
    }
}

/// The best ranked action that was not blocked in this step and is allowed, as far as that is known.
fn best(ranking: &[ActionId], situation: &Situation<'_>) -> Result<ActionId, NoAction> {
    let blocked = |action: ActionId| {
        situation.refusals.iter().any(|refusal| matches!(refusal, Refusal::Blocked { action: a, .. } if *a == action))
    };
    let allowed = |action: ActionId| situation.allowed.is_none_or(|allowed| allowed.contains(&action));
    ranking
        .iter()
        .copied()
        .find(|action| !blocked(*action) && allowed(*action))
        // What is allowed though not feasible by the hard laws alone, or though rated worthless, is still allowed.
        .or_else(|| situation.allowed.and_then(|allowed| allowed.iter().copied().find(|action| !blocked(*action))))
        .or_else(|| ranking.first().copied())
        .ok_or_else(|| reply::malformed("", "no action is feasible here"))
}

/// Feasible actions by value, best first; equal values in the vocabulary's order.
fn rank(values: &[(String, f64)], feasible: &[ActionId], vocabulary: &Vocabulary) -> Result<Vec<ActionId>, NoAction> {
    let mut by_action: Vec<(ActionId, f64)> = Vec::with_capacity(feasible.len());
    let mut unknown: Option<(NoAction, f64)> = None;
    for (name, value) in values {
        match reply::find(name, vocabulary) {
            // Infeasible actions have no affordance, whatever their value.
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
    // Actions the answer leaves out are worth nothing.
    for action in feasible {
        if !by_action.iter().any(|(rated, _)| rated == action) {
            by_action.push((*action, 0.0));
        }
    }
    by_action.sort_by(|(a, value_a), (b, value_b)| value_b.total_cmp(value_a).then(a.cmp(b)));
    Ok(by_action.into_iter().map(|(action, _)| action).collect())
}
