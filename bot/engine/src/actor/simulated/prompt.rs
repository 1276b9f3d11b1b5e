//! Parses the text of a request as a persona reads it, by the headings of the prompts.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_model::{ChatRequest, Speaker};

use super::super::prompts::headings::{
    ACTIONS, ALLOWED, BLOCKED, BULLET, FAILED, GOAL, HOLDS, LAWS, REFUSED, STATE, STATE_END, STEP, STEPS,
};

/// A step in the prompt's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenStep {
    pub(super) action: String,
    pub(super) failed: bool,
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
    /// True if the prompt says that the goal is reached.
    pub(super) goal_reached: bool,
}

/// The part of the prompt to which a line belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Other,
    Actions,
    State,
    History,
    Refusals,
    Laws,
}

impl View {
    /// Parses the system message and the user message.
    pub(super) fn read(request: &ChatRequest) -> Self {
        let mut view = Self::default();
        for message in &request.messages {
            if message.speaker != Speaker::Assistant {
                let mut part = Part::Other;
                for line in message.text.lines() {
                    view.read_line(line.trim(), &mut part);
                }
            }
        }
        view
    }

    fn read_line(&mut self, line: &str, part: &mut Part) {
        match line {
            "" => *part = Part::Other,
            ACTIONS => *part = Part::Actions,
            STATE => *part = Part::State,
            STATE_END => *part = Part::Other,
            STEPS => *part = Part::History,
            REFUSED => *part = Part::Refusals,
            LAWS => *part = Part::Laws,
            _ if line.starts_with(GOAL) => self.goal_reached = true,
            _ => {
                if let Some(list) = line.strip_prefix(ALLOWED) {
                    self.allowed = names(list).collect();
                    return;
                }
                let step = || line.strip_prefix(STEP)?.strip_suffix('.')?.parse().ok();
                match part {
                    Part::Actions => {
                        self.actions.extend(bullet(line).and_then(|line| line.split(':').next()).map(str::to_owned))
                    }
                    Part::State => self.read_state(line),
                    Part::History => self.read_past(line),
                    Part::Refusals => self.read_refusal(line),
                    Part::Laws => self.laws.push(line.to_lowercase()),
                    Part::Other => self.step = self.step.or_else(step),
                }
            }
        }
    }

    fn read_state(&mut self, line: &str) {
        if let Some(list) = line.strip_prefix("Inventory: ") {
            for entry in list.split(", ") {
                if let Some((count, item)) = entry.split_once(' ')
                    && let Ok(count) = count.parse()
                {
                    self.inventory.insert(item.to_owned(), count);
                }
            }
        } else if let Some(list) = line.strip_prefix(HOLDS) {
            self.facts = names(list).collect();
        }
    }

    /// Parses `Step 7: action_mine_log succeeded: …`.
    fn read_past(&mut self, line: &str) {
        let Some((_, rest)) = line.strip_prefix(STEP).and_then(|rest| rest.split_once(": ")) else { return };
        let mut words = rest.split_whitespace();
        if let (Some(action), Some(result)) = (words.next(), words.next()) {
            self.history.push(SeenStep { action: action.to_owned(), failed: result.starts_with(FAILED) });
        }
    }

    /// Parses `- action_stop was blocked: …`, `- … is not an action …`, and `- … could not be read …`.
    fn read_refusal(&mut self, line: &str) {
        let Some(line) = bullet(line) else { return };
        match line.split_once(BLOCKED) {
            Some((action, _)) if !action.contains(' ') => self.blocked.push(action.to_owned()),
            _ => self.garbled += 1,
        }
    }

    /// Returns the facts that a persona has read, in a canonical form: other words in the prompt make no difference.
    /// Laws count by their number.
    pub(super) fn facts_read(&self) -> String {
        let Self { step, actions, facts, inventory, history, garbled, blocked, allowed, laws, goal_reached } = self;
        let told = (step, actions, facts, inventory, history);
        format!("{told:?} {:?}", (garbled, blocked, allowed, laws.len(), goal_reached))
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

fn bullet(line: &str) -> Option<&str> {
    line.strip_prefix(BULLET)
}

/// Returns the words of a list that look like proposition names.
fn names(list: &str) -> impl Iterator<Item = String> {
    list.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| word.contains('_')).map(str::to_owned)
}
