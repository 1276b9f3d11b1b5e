//! Example runs: the shortest that satisfies a formula, and the shortest that violates it.
//!
//! A breadth-first search over the states of a [`Monitor`] and letters over the formula's propositions, with the fewest
//! true propositions first. The run found is therefore the shortest, and has few true propositions.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;

use ltlcrit_verifier::monitor::Monitor;
use ltlcrit_verifier::{Formula, Letter, PropId, PropSet, Vocabulary};
use serde::Serialize;

use crate::english::English;
use crate::lexicon::Lexicon;

/// Maximum number of letters tried in a state.
const MAX_LETTERS: usize = 600;
/// Maximum number of letters read in one search.
const MAX_STEPS: usize = 60_000;

/// A run, letter by letter, as the true propositions of the formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExampleRun {
    /// The letters; the first one is the initial state.
    pub letters: Vec<Vec<Arc<str>>>,
}

/// Runs that illustrate a formula. Each is `None` if it does not exist, or was not found within the bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Examples {
    /// The shortest run that satisfies it.
    pub allowed: Option<ExampleRun>,
    /// The shortest satisfying run in which each of the formula's propositions holds at some time, if it differs from
    /// `allowed`.
    pub allowed_with_all: Option<ExampleRun>,
    /// The shortest run that violates it.
    pub forbidden: Option<ExampleRun>,
}

impl Examples {
    /// Searches for runs.
    pub fn of(formula: &Formula, lexicon: &Lexicon) -> Self {
        let search = |wanted: Wanted| Search::new(formula, lexicon)?.run(wanted);
        let allowed = search(Wanted::Allowed);
        let with_all = search(Wanted::AllowedWithAll).filter(|run| Some(run) != allowed.as_ref());
        Self { allowed, allowed_with_all: with_all, forbidden: search(Wanted::Forbidden) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Allowed,
    AllowedWithAll,
    Forbidden,
}

struct Search {
    vocabulary: Arc<Vocabulary>,
    monitor: Monitor,
    mentioned: BTreeSet<Arc<str>>,
    states: Vec<PropSet>,
}

impl Search {
    fn new(formula: &Formula, lexicon: &Lexicon) -> Option<Self> {
        let mentioned = formula.atoms();
        let vocabulary = Arc::new(lexicon.vocabulary_of(&mentioned).ok()?);
        let monitor = Monitor::new(formula, vocabulary.clone()).ok()?;
        let observations = vocabulary.observations().len();
        let states = subsets(observations, MAX_LETTERS / vocabulary.actions().len().max(1));
        let states = states.into_iter().filter(|state| vocabulary.broken_axiom(state).is_none()).collect();
        Some(Self { vocabulary, monitor, mentioned, states })
    }

    fn run(mut self, wanted: Wanted) -> Option<ExampleRun> {
        let stop = self.vocabulary.stop();
        // Letter 0 has no action. Each later letter has any action except stopping, unless the formula mentions
        // stopping.
        let may = |action: &ltlcrit_verifier::ActionId| {
            Some(*action) != stop || self.mentioned.contains(self.vocabulary.action_name(*action))
        };
        let actions: Vec<PropId> =
            self.vocabulary.action_ids().filter(may).map(|action| self.vocabulary.action_prop(action)).collect();
        let first = self.states.clone();
        let mut later: Vec<PropSet> = actions
            .iter()
            .flat_map(|action| first.iter().map(|state| state.union(&[*action].into_iter().collect())))
            .collect();
        let weight = |letter: &PropSet| {
            self.vocabulary.names(letter).into_iter().filter(|name| self.mentioned.contains(*name)).count()
        };
        later.sort_by_key(weight);
        let all: PropSet = self.mentioned.iter().filter_map(|name| self.vocabulary.id(name)).collect();
        // Monitor state and seen propositions, with the letter and the previous node.
        let mut nodes: Vec<(usize, PropSet, PropSet, Option<usize>)> = Vec::new();
        let mut known: HashSet<(usize, PropSet)> = HashSet::new();
        let mut open = VecDeque::from([None]);
        let (initial, mut steps) = ((self.monitor.state(), PropSet::EMPTY), 0);
        while let Some(from) = open.pop_front() {
            let letters = if from.is_none() { &first } else { &later };
            for letter in letters {
                steps += 1;
                if steps > MAX_STEPS {
                    return None;
                }
                let (state, seen) = from.map_or(initial, |node: usize| (nodes[node].0, nodes[node].1));
                self.monitor.go_to(state);
                self.monitor.advance(&Letter(*letter));
                if self.monitor.is_lost() {
                    return None;
                }
                let seen = match wanted {
                    Wanted::AllowedWithAll => seen.union(&letter.intersection(&all)),
                    _ => PropSet::EMPTY,
                };
                let state = (self.monitor.state(), seen);
                if !known.insert(state) {
                    continue;
                }
                nodes.push((state.0, seen, *letter, from));
                let node = nodes.len() - 1;
                let accepts = self.monitor.accepts();
                let is_found = match wanted {
                    Wanted::Allowed => accepts,
                    Wanted::AllowedWithAll => accepts && seen == all,
                    // A run with a pending obligation is violated if it ends there.
                    Wanted::Forbidden => !accepts,
                };
                if is_found {
                    return Some(self.example(&nodes, node));
                }
                open.push_back(Some(node));
            }
        }
        None
    }

    fn example(&self, nodes: &[(usize, PropSet, PropSet, Option<usize>)], last: usize) -> ExampleRun {
        let mut letters = Vec::new();
        let mut at = Some(last);
        while let Some(node) = at {
            let names = self.vocabulary.names(&nodes[node].2);
            letters.push(names.into_iter().map(Arc::from).filter(|name| self.mentioned.contains(name)).collect());
            at = nodes[node].3;
        }
        letters.reverse();
        ExampleRun { letters }
    }
}

/// Returns subsets of the first `count` propositions, smallest first, with at most `most` elements.
fn subsets(count: usize, most: usize) -> Vec<PropSet> {
    let mut all = vec![PropSet::EMPTY];
    let mut last: Vec<(usize, PropSet)> = vec![(0, PropSet::EMPTY)];
    while !last.is_empty() && all.len() < most {
        let mut next = Vec::new();
        for (from, set) in &last {
            for id in *from..count {
                let one: PropSet = [PropId(id as u16)].into_iter().collect();
                next.push((id + 1, set.union(&one)));
            }
        }
        all.extend(next.iter().map(|(_, set)| *set));
        last = next;
    }
    all.truncate(most);
    all
}

impl ExampleRun {
    /// Renders the run in the world's own words, one line for each letter.
    pub fn in_words(&self, english: &English<'_>) -> Vec<String> {
        let line = |(at, letter): (usize, &Vec<Arc<str>>)| {
            let holds: Vec<String> = letter.iter().map(|name| english.clause(name)).collect();
            let what = if holds.is_empty() { "nothing of it".to_owned() } else { holds.join(", ") };
            if at == 0 { format!("start: {what}") } else { format!("step {at}: {what}") }
        };
        self.letters.iter().enumerate().map(line).collect()
    }
}
