//! Parses the text of a request as a persona reads it, by the headings of the prompts.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_minecraft::planner::Goal;
use ltlcrit_model::{ChatRequest, Speaker};

use super::super::prompts::headings::{
    ACTIONS, ALLOWED, BLOCKED, BULLET, FAILED, GOAL, HOLDS, LAWS, REFUSED, STEP, STEPS,
};

/// Precedes the items that a task asks to carry at once.
const AT_ONCE: &str = "Have all of this at once: ";

/// A step in the prompt's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenStep {
    pub(super) action: String,
    pub(super) failed: bool,
}

impl SeenStep {
    /// Parses `Step 7: action_mine_log succeeded: …`.
    fn read(line: &str) -> Option<Self> {
        let (_, rest) = line.strip_prefix(STEP)?.split_once(": ")?;
        let mut words = rest.split_whitespace();
        let (action, result) = (words.next()?, words.next()?);
        Some(Self { action: action.to_owned(), failed: result.starts_with(FAILED) })
    }
}

/// The parts of a prompt that a persona understands.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    /// The number of the step.
    pub(super) step: Option<u64>,
    /// The offered actions, in order.
    pub(super) actions: Vec<String>,
    /// The observations that hold.
    pub(super) facts: BTreeSet<String>,
    /// Item counts.
    pub(super) inventory: BTreeMap<String, u32>,
    /// The steps shown one by one, oldest first.
    pub(super) history: Vec<SeenStep>,
    /// The number of answers of this step that were not an action.
    pub(super) garbled: usize,
    /// The actions of this step that were blocked.
    pub(super) blocked: Vec<String>,
    /// The only actions allowed, if the prompt lists them.
    pub(super) allowed: Vec<String>,
    /// Laws in English.
    pub(super) laws: Vec<String>,
    /// The items that the task asks to carry at once, where these are no milestone on the way to a diamond.
    pub(super) goal: Option<Goal>,
    /// True if the prompt says that the goal is reached.
    pub(super) goal_reached: bool,
}

impl View {
    /// Parses the system message and the user message.
    pub(super) fn read(request: &ChatRequest) -> Self {
        let messages = request.messages.iter().filter(|message| message.speaker != Speaker::Assistant);
        let lines: Vec<&str> = messages.flat_map(|message| message.text.lines().map(str::trim).chain([""])).collect();
        let section = |heading: &str| {
            let start = lines.iter().position(|line| *line == heading).map_or(lines.len(), |heading| heading + 1);
            lines[start..].iter().copied().take_while(|line| !line.is_empty())
        };
        let list = |start: &str| lines.iter().rev().find_map(|line| line.strip_prefix(start)).unwrap_or_default();
        let inventory = list("Inventory: ").split(", ").filter_map(|entry| {
            let (count, item) = entry.split_once(' ')?;
            Some((item.to_owned(), count.parse().ok()?))
        });
        let refused: Vec<Option<&str>> = section(REFUSED).filter_map(bullet).map(blocked).collect();
        Self {
            step: lines.iter().find_map(|line| line.strip_prefix(STEP)?.strip_suffix('.')?.parse().ok()),
            actions: section(ACTIONS).filter_map(|line| bullet(line)?.split(':').next()).map(str::to_owned).collect(),
            facts: names(list(HOLDS)).collect(),
            inventory: inventory.collect(),
            history: section(STEPS).filter_map(SeenStep::read).collect(),
            garbled: refused.iter().filter(|action| action.is_none()).count(),
            blocked: refused.into_iter().flatten().map(str::to_owned).collect(),
            allowed: names(list(ALLOWED)).collect(),
            laws: section(LAWS).map(str::to_lowercase).collect(),
            goal: lines.iter().find_map(|line| Goal::named(line.split_once(AT_ONCE)?.1.split('.').next()?)),
            goal_reached: lines.iter().any(|line| line.starts_with(GOAL)),
        }
    }

    /// Returns the facts that a persona has read, in a canonical form: other words in the prompt make no difference.
    /// Laws count by their number.
    pub(super) fn facts_read(&self) -> String {
        let Self { step, actions, facts, inventory, history, garbled, blocked, allowed, laws, goal, goal_reached } =
            self;
        let told = (step, actions, facts, inventory, history);
        let goal = goal.map(|goal| format!("{goal:?}")).unwrap_or_default();
        format!("{told:?} {:?}{goal}", (garbled, blocked, allowed, laws.len(), goal_reached))
    }

    /// Returns whether an observation holds.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.facts.contains(name)
    }

    /// Returns the number of items whose name satisfies a condition.
    pub(super) fn count(&self, is: impl Fn(&str) -> bool) -> u32 {
        self.inventory.iter().filter(|(item, _)| is(item)).map(|(_, count)| *count).sum()
    }

    /// Returns whether an action is offered, was not blocked in this step, and is not known to be forbidden.
    pub(super) fn open(&self, action: &str) -> bool {
        let listed = |list: &[String]| list.iter().any(|name| name == action);
        listed(&self.actions) && !listed(&self.blocked) && (self.allowed.is_empty() || listed(&self.allowed))
    }
}

/// Parses `action_stop was blocked: …`; any other refusal is `None`.
fn blocked(refusal: &str) -> Option<&str> {
    refusal.split_once(BLOCKED).map(|(action, _)| action).filter(|action| !action.contains(' '))
}

fn bullet(line: &str) -> Option<&str> {
    line.strip_prefix(BULLET)
}

/// Returns the words of a list that look like proposition names.
fn names(list: &str) -> impl Iterator<Item = String> {
    list.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| word.contains('_')).map(str::to_owned)
}
