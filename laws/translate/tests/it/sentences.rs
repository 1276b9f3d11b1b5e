//! The checked-in sentences, and the lexicons of their worlds.

use std::sync::Arc;

use ltlcrit_minecraft::vocabulary::PHRASES;
use ltlcrit_translate::{Lexicon, Object, Term};
use serde::Deserialize;

/// A half of the sentences.
#[derive(Deserialize)]
pub struct Half {
    pub formula: Vec<Entry>,
    pub adversarial: Vec<Adversarial>,
}

/// A formula with sentences of that meaning.
#[derive(Deserialize)]
pub struct Entry {
    pub id: String,
    pub world: String,
    pub pattern: String,
    pub formula: String,
    pub sentences: Vec<String>,
}

/// A sentence that is easily misread.
#[derive(Deserialize)]
pub struct Adversarial {
    pub id: String,
    pub kind: String,
    pub world: String,
    pub sentence: String,
    /// `refuse`, `ask`, or a formula.
    pub expect: String,
}

pub fn development() -> Half {
    toml::from_str(include_str!("../../data/development.toml")).unwrap()
}

pub fn held_out() -> Half {
    toml::from_str(include_str!("../../data/held-out.toml")).unwrap()
}

/// Returns the lexicon of a world.
pub fn lexicon(world: &str) -> Lexicon {
    let Some(task) = world.strip_prefix("household:") else {
        return Lexicon::of_vocabulary(&ltlcrit_minecraft::vocabulary(), &PHRASES, Vec::new());
    };
    let english = ltlcrit_household::task(task).unwrap().english();
    let term = |fact: ltlcrit_household::FactInEnglish| Term {
        name: fact.name,
        meaning: fact.meaning,
        is_action: false,
        phrases: Vec::new(),
    };
    let object = |object: ltlcrit_household::ObjectInEnglish| Object {
        name: object.name,
        nouns: object.nouns,
        kinds: object.kinds,
        predicates: object.predicates,
    };
    let name: Arc<str> = "household".into();
    Lexicon::new(
        name,
        english.facts.into_iter().map(term).collect(),
        english.objects.into_iter().map(object).collect(),
        Vec::new(),
    )
    .with_exclusive(english.exclusive.into_iter().map(|group| group.into_iter().collect()))
}

#[test]
fn there_are_enough_sentences_of_every_kind() {
    let halves = [development(), held_out()];
    let formulas: usize = halves.iter().map(|half| half.formula.len()).sum();
    let adversarial: usize = halves.iter().map(|half| half.adversarial.len()).sum();
    let sentences: usize = halves.iter().flat_map(|half| &half.formula).map(|entry| entry.sentences.len()).sum();
    assert!(formulas >= 40 && adversarial >= 40 && sentences + adversarial >= 200);
    for entry in halves.iter().flat_map(|half| &half.formula) {
        assert!(entry.sentences.len() >= 5, "{}", entry.id);
        let formula = ltlcrit_verifier::syntax::parse(&entry.formula).unwrap();
        assert_eq!(ltlcrit_translate::sound::check(&formula, &lexicon(&entry.world)), Ok(()), "{}", entry.id);
        assert!(!entry.pattern.is_empty());
    }
    let is_even = |id: &str| id[1..].parse::<u32>().unwrap() % 2 == 0;
    assert!(halves[0].formula.iter().all(|entry| is_even(&entry.id)));
    assert!(halves[1].formula.iter().all(|entry| !is_even(&entry.id)));
    assert!(halves[0].adversarial.iter().all(|entry| is_even(&entry.id)));
}
