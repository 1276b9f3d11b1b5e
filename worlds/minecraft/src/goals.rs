//! Goals by name: items to carry, all at once.

use std::sync::LazyLock;

use ltlcrit_worlds::world::Subgoal;

use crate::planner::{Goal, State};
use crate::vocabulary::vocabulary;

/// An item: its name, its observation, and its requirement in the symbolic task.
type Named = (&'static str, &'static str, fn(&mut State));

/// The items that a goal may name.
const NAMED: [Named; 21] = [
    ("log", "obs_has_log", |s| s.logs = 1),
    ("plank", "obs_has_plank", |s| s.planks = 1),
    ("2 planks", "obs_has_2x_plank", |s| s.planks = 2),
    ("3 planks", "obs_has_3x_plank", |s| s.planks = 3),
    ("4 planks", "obs_has_4x_plank", |s| s.planks = 4),
    ("11 planks", "obs_has_11x_plank", |s| s.planks = 11),
    ("2 sticks", "obs_has_2x_stick", |s| s.sticks = 2),
    ("3 cobblestone", "obs_has_3x_cobble", |s| s.cobble = 3),
    ("8 cobblestone", "obs_has_8x_cobble", |s| s.cobble = 8),
    ("11 cobblestone", "obs_has_11x_cobble", |s| s.cobble = 11),
    ("wooden pickaxe", "obs_has_wood_pickaxe", |s| s.wooden_pickaxe = true),
    ("stone pickaxe", "obs_has_stone_pickaxe", |s| s.stone_pickaxe = true),
    ("iron pickaxe", "obs_has_iron_pickaxe", |s| s.iron_pickaxe = true),
    ("diamond", "obs_has_diamond", |s| s.diamonds = 1),
    ("iron ore", "obs_has_1x_iron_ore", |s| s.iron_ore = 1),
    ("2 iron ore", "obs_has_2x_iron_ore", |s| s.iron_ore = 2),
    ("3 iron ore", "obs_has_3x_iron_ore", |s| s.iron_ore = 3),
    ("iron ingot", "obs_has_iron_ingot", |s| s.ingots = 1),
    ("3 iron ingots", "obs_has_3x_iron_ingot", |s| s.ingots = 3),
    ("crafting table", "obs_has_crafting_table", |s| s.tables = 1),
    ("furnace", "obs_has_furnace", |s| s.furnaces = 1),
];

/// The milestones of LTLCrit table 1, in their order.
const MILESTONES: [&str; 4] = ["wooden pickaxe", "stone pickaxe", "iron pickaxe", "diamond"];

/// The milestones of the task, in their order.
pub fn milestones() -> &'static [Subgoal] {
    static ALL: LazyLock<Vec<Subgoal>> = LazyLock::new(|| MILESTONES.iter().filter_map(|name| subgoal(name)).collect());
    &ALL
}

impl Goal {
    /// Parses a goal: an item, or several at once, such as `furnace, 11 planks`. Returns `None` if a name is unknown.
    pub fn named(name: &str) -> Option<Self> {
        let mut state = State::default();
        for part in name.split(',') {
            let (.., set) = NAMED.iter().find(|(name, ..)| *name == part.trim())?;
            let mut of_part = State::default();
            set(&mut of_part);
            state = state.with(&of_part);
        }
        Some(Self(state))
    }
}

fn subgoal(goal: &str) -> Option<Subgoal> {
    let shown_by = |part: &str| NAMED.iter().find(|(name, ..)| *name == part.trim()).map(|(_, shown_by, _)| *shown_by);
    let names: Option<Vec<&str>> = goal.split(',').map(shown_by).collect();
    Some(Subgoal { name: goal.to_owned(), holds: vocabulary().set(names?).ok()? })
}

/// Returns the subgoals up to a goal: the milestones before it, or the items that it names, and the goal.
///
/// # Errors
/// The known names.
pub fn subgoals_to(goal: &str) -> Result<Vec<Subgoal>, Vec<String>> {
    if let Some(place) = MILESTONES.iter().position(|milestone| *milestone == goal) {
        return Ok(milestones()[..=place].to_vec());
    }
    let parts: Vec<&str> = goal.split(',').map(str::trim).collect();
    let whole = (parts.len() > 1).then(|| parts.join(", "));
    let all = parts.into_iter().chain(whole.as_deref()).map(subgoal).collect::<Option<Vec<_>>>();
    all.ok_or_else(|| NAMED.iter().map(|(name, ..)| (*name).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::{Goal, Planner};

    /// The observation and the symbolic requirement agree, so the optimum is that of the goal that ends a run.
    #[test]
    fn a_goal_is_named_by_what_shows_it() {
        for (name, shown_by, _) in NAMED {
            let number = shown_by.split(['_', 'x']).find_map(|part| part.parse::<u8>().ok()).unwrap_or(1);
            let state = Goal::named(name).unwrap().0;
            let counts = [
                state.logs,
                state.planks,
                state.sticks,
                state.cobble,
                state.iron_ore,
                state.ingots,
                state.diamonds,
                state.tables,
                state.furnaces,
            ];
            let pickaxes = [state.wooden_pickaxe, state.stone_pickaxe, state.iron_pickaxe];
            let sum = counts.iter().sum::<u8>() + pickaxes.into_iter().map(u8::from).sum::<u8>();
            assert_eq!(sum, number, "{name}");
            assert_eq!(subgoals_to(name).unwrap().last().unwrap().holds, vocabulary().set([shown_by]).unwrap());
        }
        assert!(subgoals_to("furnace, moon").unwrap_err().contains(&"11 planks".to_owned()));
    }

    /// No state on a shortest way to the diamond is one of these goals: what helps there need not help here.
    #[test]
    fn there_are_goals_that_the_way_to_the_diamond_does_not_pass() {
        let mut to_diamond = vec![State::beginning()];
        for action in Planner::new(Goal::diamond()).plan(&State::beginning()).unwrap() {
            to_diamond.push(to_diamond.last().unwrap().after(action).unwrap());
        }
        let goals = [
            ("furnace, crafting table", 23),
            ("11 planks, 11 cobblestone", 26),
            ("3 iron ore, 3 iron ingots", 35),
            ("wooden pickaxe, 4 planks, 8 cobblestone", 21),
        ];
        let optima = goals.map(|(name, _)| {
            let goal = Goal::named(name).unwrap();
            assert!(!to_diamond.iter().any(|state| state.reached(goal)), "{name}");
            assert_eq!(subgoals_to(name).unwrap().last().unwrap().name, name);
            (name, Planner::new(goal).distance(&State::beginning()).unwrap())
        });
        assert_eq!(optima, goals);
    }
}
