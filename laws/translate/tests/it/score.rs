//! Coverage and precision by equivalence, with intervals clustered by formula.
//!
//! `cargo test -p ltlcrit-translate --test it score -- --nocapture` prints them for both halves.

use std::collections::{BTreeMap, HashMap};

use ltlcrit_statistics::{Resampling, bootstrap};
use ltlcrit_translate::sound::equivalent;
use ltlcrit_translate::{Lexical, Lexicon, Refusal};
use ltlcrit_verifier::syntax;

use crate::sentences::{Half, development, held_out, lexicon};

/// The outcome of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Right,
    Wrong,
    Asked,
    Refused,
}

struct Score {
    /// The outcomes of each formula's sentences.
    outcomes: Vec<Vec<Outcome>>,
    /// Adversarial sentences by kind: as expected, refused or asked although more was possible, wrong.
    adversarial: BTreeMap<String, [usize; 3]>,
    /// The wrong results.
    report: String,
}

fn score(half: &Half) -> Score {
    let worlds: HashMap<String, Lexicon> =
        half.formula.iter().map(|entry| (entry.world.clone(), lexicon(&entry.world))).collect();
    let engines: HashMap<&str, Lexical<'_>> =
        worlds.iter().map(|(name, lexicon)| (name.as_str(), Lexical::new(lexicon))).collect();
    let mut score = Score { outcomes: Vec::new(), adversarial: BTreeMap::new(), report: String::new() };
    for entry in &half.formula {
        let wanted = syntax::parse(&entry.formula).unwrap();
        let lexicon = &worlds[&entry.world];
        let mut outcomes = Vec::new();
        for sentence in &entry.sentences {
            let (outcome, why) = match engines[entry.world.as_str()].translate(sentence) {
                Ok(translation) if equivalent(&translation.formula(), &wanted, lexicon) == Some(true) => {
                    (Outcome::Right, String::new())
                }
                Ok(translation) => (Outcome::Wrong, translation.formula().to_string()),
                Err(Refusal::Ambiguous { choices, .. }) => (Outcome::Asked, format!("{} readings", choices.len())),
                Err(error) => (Outcome::Refused, error.to_string()),
            };
            if outcome != Outcome::Right {
                score.report += &format!("{} {outcome:?}: {sentence}\n    {why}\n", entry.id);
            }
            outcomes.push(outcome);
        }
        score.outcomes.push(outcomes);
    }
    for one in &half.adversarial {
        let found = engines[one.world.as_str()].translate(&one.sentence);
        let lexicon = &worlds[&one.world];
        let is_expected = match (&found, one.expect.as_str()) {
            (Err(Refusal::Ambiguous { .. }), expect) => expect == "ask",
            (Err(_), expect) => expect == "refuse",
            (Ok(_), "ask" | "refuse") => false,
            (Ok(translation), expect) => {
                equivalent(&translation.formula(), &syntax::parse(expect).unwrap(), lexicon) == Some(true)
            }
        };
        let kind = match (is_expected, &found) {
            (true, _) => 0,
            (false, Err(_)) => 1,
            (false, Ok(_)) => 2,
        };
        score.adversarial.entry(one.kind.clone()).or_default()[kind] += 1;
        if kind > 0 {
            let found = found.map(|translation| translation.formula().to_string());
            let found = found.unwrap_or_else(|error| error.to_string());
            score.report += &format!("{} wanted {}: {}\n    {found}\n", one.id, one.expect, one.sentence);
        }
    }
    score
}

impl Score {
    fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.iter().flatten().filter(|one| **one == outcome).count()
    }

    /// Returns the share of right translations among the outcomes that count, with its interval clustered by formula.
    fn share(&self, counts: fn(Outcome) -> bool) -> (f64, f64, f64) {
        let share = |formulas: &[&Vec<Outcome>]| {
            let all: Vec<Outcome> =
                formulas.iter().flat_map(|one| one.iter().copied()).filter(|one| counts(*one)).collect();
            all.iter().filter(|one| **one == Outcome::Right).count() as f64 / all.len().max(1) as f64
        };
        let found = bootstrap(&self.outcomes, share, 0.95, Resampling { resamples: 2_000, seed: 1 }).unwrap();
        (found.estimate, found.interval.low, found.interval.high)
    }

    /// Returns the precision: the share of right translations among all translations.
    fn precision(&self) -> (f64, f64, f64) {
        self.share(|outcome| matches!(outcome, Outcome::Right | Outcome::Wrong))
    }

    /// Returns the coverage: the share of right translations among all sentences.
    fn coverage(&self) -> (f64, f64, f64) {
        self.share(|_| true)
    }

    fn shown(&self, name: &str) -> String {
        let percent = |(share, low, high): (f64, f64, f64)| {
            format!("{:.1}% ({:.1} to {:.1})", share * 100.0, low * 100.0, high * 100.0)
        };
        let all: usize = self.outcomes.iter().map(Vec::len).sum();
        let mut out = format!(
            "{name}: {all} sentences of {} formulas: {} right, {} wrong, {} asked, {} refused\n",
            self.outcomes.len(),
            self.count(Outcome::Right),
            self.count(Outcome::Wrong),
            self.count(Outcome::Asked),
            self.count(Outcome::Refused),
        );
        out += &format!("precision {}\ncoverage  {}\n", percent(self.precision()), percent(self.coverage()));
        out += "adversarial: as expected / more cautious / wrong\n";
        for (kind, [expected, cautious, wrong]) in &self.adversarial {
            out += &format!("  {kind}: {expected} / {cautious} / {wrong}\n");
        }
        out + "\n" + &self.report
    }
}

#[test]
fn the_half_that_was_worked_on() {
    let score = score(&development());
    let shown = score.shown("development");
    println!("{shown}");
    assert!(score.precision().0 >= 0.99 && score.coverage().0 >= 0.7);
    insta::assert_snapshot!(shown);
}

/// The snapshot records the score; no minimum is asserted.
#[test]
fn the_half_that_was_held_out() {
    let shown = score(&held_out()).shown("held out");
    println!("{shown}");
    insta::assert_snapshot!(shown);
}
