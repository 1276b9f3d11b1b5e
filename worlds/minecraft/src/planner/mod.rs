//! An exact planner for the symbolic diamond task: the minimum number of actions from any state to a goal, and a best
//! next action.
//!
//! The task is LTLCrit's action model with one item per action. From an empty inventory with everything but diamonds in
//! sight, the optimum is 10 actions to the wooden pickaxe, 15 to the stone pickaxe, 35 to the iron pickaxe and 38 to
//! the diamond.
//!
//! The model of exploring: `action_explore_general` brings logs, stone, coal and iron into sight and leaves tables,
//! furnaces and diamonds behind; `action_explore_diamond_down` brings a diamond into sight and leaves everything else
//! but stone behind. A furnace's fire lasts through crafting, equipping and placing, but not through mining or
//! exploring.

mod bound;
mod policy;
mod search;
mod state;

pub use policy::Policy;
pub use search::Planner;
pub(crate) use state::ACTIONS;
pub use state::{HeldTool, State};

/// A goal of the planner: all states that have at least the items of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal(pub(crate) State);

impl Goal {
    /// The goal of the task.
    pub fn diamond() -> Self {
        Self(State { diamonds: 1, ..State::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn optimum(goal: &str, start: State) -> Option<usize> {
        Planner::new(Goal::named(goal).unwrap()).plan(&start).map(|plan| plan.len())
    }

    #[test]
    fn finds_the_known_optima_from_nothing() {
        let from_nothing = |goal| optimum(goal, State::beginning());
        assert_eq!(from_nothing("wooden pickaxe"), Some(10));
        assert_eq!(from_nothing("stone pickaxe"), Some(15));
        assert_eq!(from_nothing("iron pickaxe"), Some(35));
        assert_eq!(from_nothing("diamond"), Some(38));
    }

    /// The actions of a plan suffice for its goal. Without an action that every plan needs, the goal is unreachable.
    #[test]
    fn what_no_plan_can_do_without_is_known() {
        for goal in ["wooden pickaxe", "stone pickaxe", "iron pickaxe", "diamond"] {
            let mut planner = Planner::new(Goal::named(goal).unwrap());
            let plan = planner.plan(&State::beginning()).unwrap();
            assert!(planner.may_reach(&|action| plan.contains(&action)), "{goal:?}");
        }
        let planner = Planner::new(Goal::diamond());
        for needed in
            ["action_explore_diamond_down", "action_mine_log", "action_equip_iron_pickaxe", "action_mine_stone"]
        {
            assert!(!planner.may_reach(&|action| action != needed), "{needed}");
        }
        // Wood burns, too.
        assert!(planner.may_reach(&|action| action != "action_mine_coal"));
    }

    #[test]
    fn the_subgoals_come_on_the_way_of_one_best_plan() {
        let plan = Planner::new(Goal::diamond()).plan(&State::beginning()).unwrap();
        assert_eq!(plan.len(), 38);
        assert_eq!(plan.last().copied(), Some("action_mine_diamond"));
    }

    #[test]
    fn plans_from_the_middle() {
        let ready = State { iron_pickaxe: true, hand: HeldTool::Iron, diamond_seen: true, ..State::beginning() };
        assert_eq!(optimum("diamond", ready), Some(1));
        let unseen = State { diamond_seen: false, ..ready };
        assert_eq!(optimum("diamond", unseen), Some(2));
        let done = State { diamonds: 1, ..unseen };
        assert_eq!(optimum("diamond", done), Some(0));
        // Iron out of sight costs one exploration, which is best made before the table is placed.
        let hidden = State { iron_seen: false, ..State::beginning() };
        assert_eq!(optimum("diamond", hidden), Some(39));
    }
}
