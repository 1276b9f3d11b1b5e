//! Joint decisions without a model on planted laws: the rate of undecided actions, and the cost of a decision.
//!
//! A random word is planted, and laws are drawn that it satisfies. So every decision along the word has a lawful
//! continuation: a decision that allows nothing but stopping there is a *false nothing*. Names on the command line
//! select workloads; `--sets N` sets the number of law sets of each, `--budget N` the units of work of a decision. In
//! the rows `robust`, every action is predicted to lead to the next letter's observations. Some of these are open, so
//! the laws may leave no action there.

#![allow(clippy::unwrap_used, clippy::panic)]

mod workload;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ltlcrit_verifier::{Law, LawId, Letter, Prediction, PropSet, Shield, ShieldOptions, Vocabulary};
use workload::planted;

/// Gives the letter of a step to a shield; returns the laws that it breaks.
fn read(shield: &mut Shield, letter: Letter) -> Vec<LawId> {
    let step = letter.taken(shield.vocabulary());
    step.map_or_else(Vec::new, |(action, observations)| shield.step(action, observations).unwrap())
}

/// The results and costs of the decisions along some runs.
#[derive(Default)]
struct Tally {
    /// Actions judged, without `action_stop`.
    judged: u64,
    undecided: u64,
    allowed: u64,
    /// Decisions along a planted word that allow nothing but stopping.
    false_nothing: u64,
    times: Vec<Duration>,
    units: Vec<u64>,
    violations: u64,
}

impl Tally {
    /// Decides in the current state, with a prediction for every action or without predictions.
    fn decide(&mut self, shield: &mut Shield, letter: Letter, first: bool, predicted: Option<Prediction>) {
        let vocabulary = shield.vocabulary().clone();
        let (spent, undecided) = (shield.stats().spent, shield.stats().unknowns);
        let began = Instant::now();
        let violations = if first { shield.start(letter.0).unwrap() } else { read(shield, letter) };
        if let Some(prediction) = predicted {
            shield.predict(vec![Some(prediction); vocabulary.actions().len()]);
        }
        let decision = shield.decide();
        self.times.push(began.elapsed());
        let stats = shield.stats();
        self.violations += violations.len() as u64;
        self.units.push(stats.spent - spent);
        self.undecided += stats.unknowns - undecided;
        self.judged += vocabulary.actions().len() as u64 - 1;
        let allowed = decision.allowed.iter().filter(|action| Some(*action) != vocabulary.stop()).count() as u64;
        self.allowed += allowed;
        self.false_nothing += u64::from(allowed == 0);
    }

    fn line(&mut self, name: &str) {
        self.times.sort_unstable();
        self.units.sort_unstable();
        let decisions = self.times.len();
        let at = |share: f64| ((decisions - 1) as f64 * share) as usize;
        let time = |share: f64| self.times[at(share)].as_secs_f64() * 1e6;
        let of = |part: u64, whole: u64| 100.0 * part as f64 / whole as f64;
        println!(
            "{name:<22} {decisions:>9} {:>9} {:>9.2} {:>9.2} {:>9.2} {:>9.1} {:>9.0} {:>9.0} {:>8} {:>8} {:>8}",
            self.undecided,
            of(self.undecided, self.judged),
            of(self.allowed, self.judged),
            of(self.false_nothing, decisions as u64),
            time(0.5),
            time(0.99),
            time(1.0),
            self.units[at(0.5)],
            self.units[at(0.99)],
            self.units[at(1.0)],
        );
        assert_eq!(self.violations, 0, "a planted word breaks a law");
    }
}

/// Walks a planted word, or starts a run that only has goals, and decides at each letter.
fn walk(
    tally: &mut Tally,
    vocabulary: &Arc<Vocabulary>,
    laws: Vec<Law>,
    word: &[Letter],
    budget: u64,
    predictions: Option<&[Prediction]>,
) {
    let options = ShieldOptions { budget, ..ShieldOptions::default() };
    let mut shield = Shield::new(vocabulary.clone(), laws, options).unwrap();
    // At the last letter, the planted word does not show a continuation.
    for (position, letter) in word[..(word.len() - 1).max(1)].iter().enumerate() {
        let predicted = predictions.map(|predictions| predictions[position]);
        tally.decide(&mut shield, *letter, position == 0, predicted);
    }
}

/// The value of a flag on the command line.
fn flag(name: &str) -> Option<u64> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)?.parse().ok()
}

/// Returns whether a workload is selected; without names on the command line, all are.
fn wanted(name: &str) -> bool {
    let is_name = |argument: &String| !argument.starts_with("--") && argument.parse::<u64>().is_err();
    let mut names = std::env::args().skip(1).filter(is_name).peekable();
    names.peek().is_none() || names.any(|part| name.contains(&part))
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick" || argument == "--test");
    let sets = flag("--sets").unwrap_or(if quick { 2 } else { 200 });
    let budget = flag("--budget").unwrap_or(ShieldOptions::default().budget);
    println!(
        "{:<22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "",
        "decisions",
        "unknowns",
        "unknown %",
        "allowed %",
        "nothing %",
        "median us",
        "p99 us",
        "max us",
        "units",
        "p99",
        "max"
    );
    for (count, robust) in [(50, false), (100, false), (200, false), (50, true), (100, true)] {
        let name = if robust { format!("planted({count}) robust") } else { format!("planted({count})") };
        if !wanted(&name) {
            continue;
        }
        let mut tally = Tally::default();
        for seed in 1..=sets {
            let (vocabulary, word, laws) = planted::laws(count, seed);
            let predictions = planted::predictions(&vocabulary, &word, seed);
            walk(&mut tally, &vocabulary, laws, &word, budget, robust.then_some(predictions.as_slice()));
        }
        tally.line(&name);
    }
    for (count, robust) in [(5, false), (6, false), (10, false), (20, false), (20, true)] {
        let name = if robust { format!("goals({count}) robust") } else { format!("goals({count})") };
        if !wanted(&name) {
            continue;
        }
        let mut tally = Tally::default();
        let (vocabulary, laws) = planted::goals(count);
        let predictions = [Prediction::exactly(PropSet::EMPTY)];
        let word = [Letter::initial(PropSet::EMPTY)];
        walk(&mut tally, &vocabulary, laws, &word, budget, robust.then_some(&predictions));
        tally.line(&name);
    }
}
