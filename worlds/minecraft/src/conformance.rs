//! Conformance scripts: sequences of actions that test whether two worlds follow the same rules.
//!
//! A script gets a diamond and makes every mistake that is refused at once. Two worlds of the same seed with the same
//! rules give the same letters and reason codes.

use std::collections::BTreeSet;

use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::world::{Observation, Outcome, Reason, World, WorldError};

use super::embedded::EmbeddedWorld;
use super::options::EmbeddedOptions;
use super::planner::Policy;
use super::vocabulary::vocabulary;

/// The maximum number of actions in a script.
const MAX_ACTIONS: usize = 200;

/// Actions inserted once before another action. Time passes differently in other worlds, so fires may burn down sooner:
/// the script mines coal for all smelting and spare wood for the observed fuel.
const PROVISIONS: [(&str, &[&str]); 2] =
    [("action_craft_planks", &["action_mine_log", "action_mine_log"]), ("action_mine_iron_ore", &["action_mine_coal"])];

/// The script for a seed: a shortest plan to the diamond in the embedded world with spare fuel. Before each action it
/// inserts a new mistake (an action and the reason for its refusal), as long as there are any.
///
/// # Errors
/// An error of the embedded world.
pub fn script(seed: u64, options: EmbeddedOptions) -> Result<Vec<ActionId>, WorldError> {
    let mut world = EmbeddedWorld::new(seed, options);
    let mut policy = Policy::default();
    let mut made: BTreeSet<(ActionId, Reason)> = BTreeSet::new();
    let mut actions = Vec::new();
    let mut last = None;
    let mut provisions = PROVISIONS.to_vec();
    while actions.len() < MAX_ACTIONS
        && let Some(action) = policy.next(&world.look(), last.as_ref())
    {
        // Chooses the mistake whose reason has occurred least often.
        let new = mistakes(&world)?.into_iter().filter(|mistake| !made.contains(mistake));
        let often = |reason: &Reason| made.iter().filter(|(_, known)| known == reason).count();
        if let Some(mistake) = new.min_by_key(|(_, reason)| often(reason)) {
            actions.push(mistake.0);
            made.insert(mistake);
        }
        let name = vocabulary().action_name(action).to_owned();
        let due = provisions.extract_if(.., |(before, _)| *before == name).flat_map(|(_, besides)| besides);
        for besides in due.filter_map(|besides| vocabulary().action(besides)) {
            actions.push(besides);
            world.act(besides)?;
        }
        actions.push(action);
        last = Some(world.act(action)?);
    }
    Ok(actions)
}

/// The actions that are refused at once, without taking time, and their reasons.
fn mistakes(world: &EmbeddedWorld) -> Result<Vec<(ActionId, Reason)>, WorldError> {
    let mut found = Vec::new();
    for number in 0..vocabulary().actions().len() {
        let action = ActionId(number as u16);
        let outcome = world.clone().act(action)?;
        if let (Some(reason), 0) = (outcome.failure, outcome.ticks) {
            found.push((action, reason));
        }
    }
    Ok(found)
}

/// A played action.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The action.
    pub action: ActionId,
    /// Its outcome.
    pub outcome: Outcome,
    /// The observation after it.
    pub after: Observation,
}

/// Plays actions in a world; returns the observation before the first action, and each action's result.
///
/// # Errors
/// The world's error.
pub async fn play(world: &mut impl World, actions: &[ActionId]) -> Result<(Observation, Vec<Played>), WorldError> {
    let before = world.observe().await?;
    let mut played = Vec::new();
    for action in actions {
        let outcome = world.execute(*action).await?;
        played.push(Played { action: *action, outcome, after: world.observe().await? });
    }
    Ok((before, played))
}

/// The differences between two plays in letters and reason codes, one line each.
pub fn differences(one: &[Played], other: &[Played]) -> Vec<String> {
    let vocabulary = vocabulary();
    let told = |played: &Played| {
        let reason = played.outcome.failure.as_ref().map_or("done".to_owned(), ToString::to_string);
        let letters = vocabulary.names(&played.after.holds).join(" ");
        format!("{}: {reason}, {letters}", vocabulary.action_name(played.action))
    };
    let mut lines = Vec::new();
    for (step, (one, other)) in (1..).zip(one.iter().zip(other)) {
        let (here, there) = (told(one), told(other));
        if here != there {
            let (why, other) = (&one.outcome.message, &other.outcome.message);
            lines.push(format!("{step} {here} ({why}) against {there} ({other})"));
        }
    }
    if one.len() != other.len() {
        lines.push(format!("{} actions against {}", one.len(), other.len()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_once<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    fn played(seed: u64, actions: &[ActionId]) -> Vec<Played> {
        let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::compact());
        at_once(play(&mut world, actions)).unwrap().1
    }

    #[test]
    fn gets_the_diamond_and_makes_every_kind_of_mistake() {
        for seed in [1, 2, 7] {
            let actions = script(seed, EmbeddedOptions::compact()).unwrap();
            assert!((55..MAX_ACTIONS).contains(&actions.len()), "seed {seed}: {}", actions.len());
            let played = played(seed, &actions);
            let diamond = vocabulary().id("obs_has_diamond").unwrap();
            assert!(played.last().unwrap().after.holds.contains(diamond));
            let reasons: BTreeSet<_> =
                played.iter().filter_map(|played| Some(played.outcome.failure.as_ref()?.to_string())).collect();
            for reason in [
                "missing_ingredients",
                "wrong_tool",
                "no_crafting_table",
                "already_equipped",
                "not_visible",
                "no_furnace",
            ] {
                assert!(reasons.contains(reason), "seed {seed}: no {reason} in {reasons:?}");
            }
        }
    }

    #[test]
    fn tells_differences() {
        let actions = script(3, EmbeddedOptions::compact()).unwrap();
        let one = played(3, &actions);
        assert_eq!(differences(&one, &played(3, &actions)), Vec::<String>::new());
        let mut other = one.clone();
        other[1].outcome.failure = Some(Reason("unreachable".into()));
        other[2].after.holds = Default::default();
        other.pop();
        let told = differences(&one, &other);
        assert_eq!(told.len(), 3, "{told:?}");
    }
}
