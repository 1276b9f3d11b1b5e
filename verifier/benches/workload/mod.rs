//! The workloads of the benchmarks: the papers' laws from files, and laws generated from seeds.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::expect_used)]

pub mod planted;

use std::sync::Arc;

use ltlcrit_verifier::syntax::parse_infix;
use ltlcrit_verifier::{ActionId, Formula, Law, Letter, PropId, PropSet, Proposition, Vocabulary, Word};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub type Random = Pcg64Mcg;

pub fn random(seed: u64) -> Random {
    Pcg64Mcg::seed_from_u64(seed)
}

fn formulas(text: &str) -> Vec<Formula> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| parse_infix(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn numbered(prefix: &str, formulas: Vec<Formula>, hard: bool) -> Vec<Law> {
    let law = |(number, formula)| {
        let id = format!("{prefix}-{}", number + 1);
        if hard { Law::hard(id, formula, "") } else { Law::soft(id, formula, "") }
    };
    formulas.into_iter().enumerate().map(law).collect()
}

/// Returns a vocabulary of the propositions of some laws: names that begin with `action_` are actions.
fn vocabulary_of(name: &str, laws: &[Law], more_actions: &[&str]) -> Arc<Vocabulary> {
    let mut names: Vec<Arc<str>> = laws.iter().flat_map(|law| law.formula.atoms()).collect();
    names.extend(more_actions.iter().map(|name| Arc::from(*name)));
    names.sort();
    names.dedup();
    let (actions, observations): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name.starts_with("action_"));
    Arc::new(Vocabulary::builder(name).observations(observations).actions(actions).build().unwrap())
}

/// Returns a vocabulary of numbered observations and actions.
fn numbered_vocabulary(name: &'static str, observations: usize, actions: usize) -> Vocabulary {
    let names = |prefix: &'static str, count| (0..count).map(move |number| format!("{prefix}_{number}"));
    let builder = Vocabulary::builder(name).observations(names("obs", observations));
    builder.actions(names("action", actions)).build().unwrap()
}

/// Returns LTLCrit's 54 laws: SayCan's 19 hard and 15 soft ones, InnerMonologue's 20. One soft law uses names that are
/// not in the paper's vocabulary; they are corrected in the file.
pub fn paper() -> (Arc<Vocabulary>, Vec<Law>) {
    let mut laws = numbered("hard", formulas(include_str!("../data/saycan_safety.ltl")), true);
    laws.extend(numbered("soft", formulas(include_str!("../data/saycan_soft.ltl")), false));
    laws.extend(numbered("im", formulas(include_str!("../data/innermonologue.ltl")), false));
    assert_eq!(laws.len(), 54);
    let vocabulary = vocabulary_of("minecraft", &laws, &["action_mine_log", "action_explore_general"]);
    (vocabulary, laws)
}

/// A vocabulary, laws, and the words of runs that they shielded.
pub type Runs = (Arc<Vocabulary>, Vec<Law>, Vec<Vec<Letter>>);

fn runs(laws: Vec<Law>, words: &str) -> Runs {
    let words: Vec<Word> = words
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| Word::parse(line).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    let names = words.iter().flat_map(|word| word.letters().iter().flatten()).map(|name| &**name);
    let vocabulary = vocabulary_of("minecraft", &laws, &names.collect::<Vec<_>>());
    // No decision follows after the run has stopped.
    let goes_on = |letter: &Letter| letter.action(&vocabulary).is_none_or(|action| Some(action) != vocabulary.stop());
    let letters = words.iter().map(|word| word.as_run(&vocabulary).unwrap().into_iter().filter(goes_on).collect());
    let letters = letters.collect();
    (vocabulary, laws, letters)
}

/// Returns two runs under all of LTLCrit's laws. They are more than an actor needs: a tenth of the states are
/// over-constrained.
pub fn runs_of_54_laws() -> Runs {
    runs(paper().1, include_str!("../data/runs_54_laws.words"))
}

/// Returns six runs under the 39 laws that LTLCrit's InnerMonologue actor ends with.
pub fn runs_of_39_laws() -> Runs {
    let laws = paper().1.into_iter().filter(|law| !law.id.starts_with("soft")).collect();
    runs(laws, include_str!("../data/runs_39_laws.words"))
}

/// Returns the Safety Chip's ten constraints, with a few actions that no law mentions.
pub fn safety_chip() -> (Arc<Vocabulary>, Vec<Law>) {
    let laws = numbered("chip", formulas(include_str!("../data/safetychip10.ltl")), true);
    assert_eq!(laws.len(), 10);
    let vocabulary = vocabulary_of("household", &laws, &["action_go", "action_grab", "action_put", "action_switch"]);
    (vocabulary, laws)
}

/// Returns `count` random laws `G(phi_s -> X phi_a)` over 200 observations and 50 actions. A conjunction of `literals`
/// literals implies that one action is forbidden or, for a share of the laws, demanded.
pub fn random_masks(
    count: usize,
    literals: std::ops::RangeInclusive<usize>,
    demanded: f64,
    seed: u64,
) -> (Arc<Vocabulary>, Vec<Law>) {
    let vocabulary = numbered_vocabulary("random", 200, 49);
    let mut random = random(seed);
    let formulas = (0..count).map(|_| {
        let literals = random.random_range(literals.clone());
        let guard = (0..literals)
            .map(|_| {
                let atom = Formula::atom(format!("obs_{}", random.random_range(0..200)));
                if random.random_bool(0.5) { atom.not() } else { atom }
            })
            .reduce(Formula::and)
            .unwrap();
        let action = Formula::atom(format!("action_{}", random.random_range(0..49)));
        let demand = if random.random_bool(demanded) { action } else { action.not() };
        guard.implies(demand.next()).globally()
    });
    let formulas = formulas.collect();
    (Arc::new(vocabulary), numbered("random", formulas, true))
}

pub const PLACES: usize = 20;
pub const IDLE: usize = 5;

/// Returns the observations after an action in the rooms.
pub fn moved(before: &PropSet, action: ActionId) -> PropSet {
    if usize::from(action.0) < PLACES { PropSet::from_iter([PropId(action.0)]) } else { *before }
}

/// Returns the vocabulary of twenty places, exactly one of which holds. `goto_i` goes to place `i`; five actions change
/// nothing.
pub fn rooms() -> Arc<Vocabulary> {
    let observations = (0..PLACES).map(|place| Proposition::new(format!("at_{place}"), "")).collect();
    let goto = (0..PLACES).map(|place| Proposition::new(format!("goto_{place}"), ""));
    let idle = (0..IDLE).map(|number| Proposition::new(format!("idle_{number}"), ""));
    Arc::new(Vocabulary::new("rooms", observations, goto.chain(idle).collect(), Vec::new()).unwrap())
}

/// Requires at most `most` entries of a place from outside.
fn at_most(place: &Formula, most: usize) -> Formula {
    // One entry too many: at the place, later away, later at it again, and so on.
    let mut entered = place.clone().finally();
    for _ in 0..most {
        entered = place.clone().and(place.clone().not().and(entered).finally()).finally();
    }
    entered.not()
}

/// Returns the laws of `tied(n, goals)` and `free(n, goals)` for a seed.
pub fn room_laws(count: usize, goals: f64, seed: u64) -> Vec<Law> {
    let mut random = random(seed);
    let at = |place: usize| Formula::atom(format!("at_{place}"));
    let mut places: Vec<usize> = (0..PLACES).collect();
    let mut formulas = Vec::with_capacity(count);
    for _ in 0..count {
        places.shuffle(&mut random);
        let (a, b) = (at(places[0]), at(places[1]));
        let goal = random.random_bool(goals);
        let draw = random.random_range(0..100);
        formulas.push(match draw {
            _ if goal => a.finally(),
            0..30 => a.not().weak_until(b),
            30..55 => a.implies(b.finally()).globally(),
            55..70 => a.implies(b.not().globally()).globally(),
            70..80 => a.implies(b.next()).globally(),
            80..95 => at_most(&a, random.random_range(1..=3)),
            _ => a.not().globally(),
        });
    }
    numbered("room", formulas, true)
}

/// Returns laws that are hard to decide: a path through all places, each visited once, along the doors of a random
/// maze.
pub fn maze_laws(doors: usize, seed: u64) -> Vec<Law> {
    let mut random = random(seed);
    let at = |place: usize| Formula::atom(format!("at_{place}"));
    let mut formulas: Vec<Formula> = (0..PLACES).map(|place| at(place).finally()).collect();
    formulas.extend((0..PLACES).map(|place| at_most(&at(place), 1)));
    for from in 0..PLACES {
        let mut others: Vec<usize> = (0..PLACES).filter(|to| *to != from).collect();
        others.shuffle(&mut random);
        formulas.extend(others[doors..].iter().map(|to| at(from).implies(at(*to).not().next()).globally()));
    }
    numbered("maze", formulas, true)
}

/// Returns laws over many propositions, too many for dense tables. Sets of eleven observations must hold together, one
/// set after the other.
pub fn wide_laws(count: usize, seed: u64) -> (Arc<Vocabulary>, Vec<Law>) {
    let mut random = random(seed);
    let vocabulary = numbered_vocabulary("wide", 40, 8);
    let mut numbers: Vec<usize> = (0..40).collect();
    let mut all = || {
        numbers.shuffle(&mut random);
        let literal = |number: &usize| {
            let atom = Formula::atom(format!("obs_{number}"));
            if number.is_multiple_of(3) { atom.not() } else { atom }
        };
        numbers[..11].iter().map(literal).reduce(Formula::and).unwrap()
    };
    let formulas = (0..count).map(|number| match number % 3 {
        0 => all().finally(),
        1 => all().implies(all().finally()).globally(),
        _ => all().not().weak_until(all()),
    });
    (Arc::new(vocabulary), numbered("wide", formulas.collect(), true))
}
