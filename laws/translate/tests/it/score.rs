//! Coverage and precision by equivalence, clustered by formula.

use std::collections::HashMap;

use ltlcrit_translate::sound::equivalent;
use ltlcrit_translate::{Lexical, Lexicon, Refusal};
use ltlcrit_verifier::syntax;

use crate::sentences::{Half, development, held_out, lexicon};

/// What became of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Right,
    Wrong,
    Asked,
    Refused,
}

struct Score {
    /// By formula.
    outcomes: Vec<(String, Vec<Outcome>)>,
    adversarial: (usize, usize, usize),
    report: String,
}

fn score(half: &Half) -> Score {
    let worlds: HashMap<String, Lexicon> =
        half.formula.iter().map(|entry| (entry.world.clone(), lexicon(&entry.world))).collect();
    let engines: HashMap<&str, Lexical<'_>> =
        worlds.iter().map(|(name, lexicon)| (name.as_str(), Lexical::new(lexicon))).collect();
    let mut outcomes = Vec::new();
    let mut report = String::new();
    for entry in &half.formula {
        let wanted = syntax::parse(&entry.formula).unwrap();
        let lexicon = &worlds[&entry.world];
        let of = |sentence: &String| match engines[entry.world.as_str()].translate(sentence) {
            Ok(translation) if equivalent(&translation.formula(), &wanted, lexicon) == Some(true) => Outcome::Right,
            Ok(translation) => {
                report += &format!("WRONG {} {sentence}\n   {}\n   {wanted}\n", entry.id, translation.formula());
                Outcome::Wrong
            }
            Err(Refusal::Ambiguous { choices, .. }) => {
                let choices: Vec<String> = choices.iter().map(|choice| choice.segment.formula.to_string()).collect();
                report += &format!("asked {} {sentence}\n   {}\n", entry.id, choices.join("\n   "));
                Outcome::Asked
            }
            Err(error) => {
                report += &format!("refused {} {sentence}\n   {error}\n", entry.id);
                Outcome::Refused
            }
        };
        outcomes.push((entry.id.clone(), entry.sentences.iter().map(of).collect()));
    }
    let (mut right, mut cautious, mut wrong) = (0, 0, 0);
    for one in &half.adversarial {
        let found = engines[one.world.as_str()].translate(&one.sentence);
        let lexicon = &worlds[&one.world];
        let is_right = match (&found, one.expect.as_str()) {
            (Err(Refusal::Ambiguous { .. }), "ask") => true,
            (Err(Refusal::Ambiguous { .. }), _) => false,
            (Err(_), "refuse") => true,
            (Ok(translation), expect) if !["ask", "refuse"].contains(&expect) => {
                equivalent(&translation.formula(), &syntax::parse(expect).unwrap(), lexicon) == Some(true)
            }
            _ => false,
        };
        match (is_right, &found) {
            (true, _) => right += 1,
            (false, Err(error)) => {
                cautious += 1;
                report += &format!("cautious {} {} wanted {}: {error}\n", one.id, one.sentence, one.expect);
            }
            (false, Ok(translation)) => {
                wrong += 1;
                report += &format!("WRONG {} {}\n   {}\n   {}\n", one.id, one.sentence, translation.formula(), one.expect);
            }
        }
    }
    Score { outcomes, adversarial: (right, cautious, wrong), report }
}

impl Score {
    fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.iter().flat_map(|(_, all)| all).filter(|one| **one == outcome).count()
    }
}

#[test]
fn the_half_that_was_worked_on() {
    let score = score(&development());
    let all: usize = score.outcomes.iter().map(|(_, all)| all.len()).sum();
    let (right, wrong) = (score.count(Outcome::Right), score.count(Outcome::Wrong));
    println!("{}", score.report);
    println!("right {right} wrong {wrong} asked {} refused {} of {all}; adversarial {:?}", score.count(Outcome::Asked), score.count(Outcome::Refused), score.adversarial);
}

#[test]
#[ignore = "measured once"]
fn the_half_that_was_held_out() {
    let _ = held_out();
}
