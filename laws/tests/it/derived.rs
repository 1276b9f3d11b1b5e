//! Derived observations in books: reading, problems with their places, checks of several books, edits.

use std::sync::Arc;

use ltlcrit_laws::check::check_books;
use ltlcrit_laws::{
    Book, CheckOptions, Code, Edit, Evidence, Origin, Provenance, Reading, Severity, diff, joint_vocabulary,
};
use ltlcrit_verifier::{Proposition, Vocabulary};

fn forest() -> Arc<Vocabulary> {
    let builder = Vocabulary::builder("forest").observation("obs_has_log");
    Arc::new(builder.actions(["action_mine_log", "action_wait"]).build().unwrap())
}

fn text(name: &str, propositions: &str, formula: &str) -> String {
    format!(
        "name = \"{name}\"\nrevision = 1\nvocabulary = \"forest\"\n\n{propositions}\n[[law]]\nid = \"hoard\"\nformula = \
         \"{formula}\"\nstrength = \"soft\"\nexplanation = \"Enough logs.\"\nstatus = \"adopted\"\nprovenance = {{ origin = \
         \"hand\" }}\n"
    )
}

const FIVE: &str = "[[proposition]]\nname = \"obs_has_5x_log\"\ndefinition = \"inventory[*_log] >= 5\"\n";
const HOARD: &str = "G(obs_has_5x_log -> X !action_mine_log)";

fn reading(text: &str) -> Reading {
    Reading::parse(text, "book.toml", &[forest()])
}

#[test]
fn laws_speak_of_what_their_book_derives() {
    let more = "meaning = \"carries at least five logs\"\nprovenance = { origin = \"critic\", evidence = [{ run = 3, step = 12 }] }\n";
    let reading = reading(&text("b", &format!("{FIVE}{more}"), HOARD));
    let vocabulary = reading.vocabulary.clone().unwrap();
    let book = reading.into_book().unwrap();
    let [five] = book.derived() else { panic!("{:?}", book.derived()) };
    assert_eq!((&*five.name, five.definition.to_string().as_str()), ("obs_has_5x_log", "inventory[*_log] >= 5"));
    assert_eq!(five.meaning.as_deref(), Some("carries at least five logs"));
    assert_eq!(five.provenance.as_ref().unwrap().evidence, [Evidence { run: 3, step: 12 }]);
    assert_eq!((five.place.line, five.definition_place.line, five.definition_place.column), (5, 7, 15));
    assert_eq!(vocabulary.names(&vocabulary.derived()), ["obs_has_5x_log"]);
    assert_eq!(vocabulary.action("action_wait"), forest().action("action_wait"));
    // Over a vocabulary that has it, and over one that does not have it.
    for vocabulary in [forest(), vocabulary] {
        assert_eq!(book.over(&vocabulary).unwrap().laws_in_force(), book.laws_in_force());
    }
    let plain = Reading::parse(&text("b", FIVE, HOARD), "b", &[]).into_book().unwrap();
    assert_eq!(plain.derived()[0].proposition().meaning.as_ref(), "inventory[*_log] is at least 5");
}

#[test]
fn a_books_own_vocabulary_is_extended_too() {
    let own = "name = \"b\"\nrevision = 1\nvocabulary = { name = \"v\", observations = { p = \"\" }, actions = { a = \"\" } }\n";
    let reading = Reading::parse(&format!("{own}{FIVE}"), "b", &[]);
    let vocabulary = reading.vocabulary.clone().unwrap();
    assert!(reading.diagnostics.is_empty() && vocabulary.id("obs_has_5x_log").is_some());
    let taken = Reading::parse(&format!("{own}{}", FIVE.replace("obs_has_5x_log", "a")), "b", &[]);
    assert!(taken.into_book().unwrap_err().to_string().contains("has a proposition of this name"));
}

#[test]
fn every_problem_of_a_proposition_has_its_place() {
    let propositions = r#"[[proposition]]
name = "obs_has_log"
definition = "inventory[*_log] >= 1"

[[proposition]]
name = "obs bad"
definition = "inventory[*_log] => 5"
colour = "red"

[[proposition]]
definition = 5
meaning = 6
provenance = { origin = "oracle" }

[[proposition]]
name = "action_eat"
definition = "health <= 5"

[[proposition]]
name = "obs_twice"
definition = "health <= 5"

[[proposition]]
name = "obs_twice"
definition = "health <= 6"
"#;
    insta::assert_snapshot!(reading(&text("b", propositions, HOARD)).into_book().unwrap_err());
    let list = reading(&text("b", "", "G obs_has_log").replace("revision = 1", "revision = 1\nproposition = [7]"));
    insta::assert_snapshot!(list.into_book().unwrap_err());
}

#[test]
fn too_many_propositions_are_refused_once() {
    let many: String = (0..600)
        .map(|number| format!("[[proposition]]\nname = \"p{number}\"\ndefinition = \"inventory[x] >= {number}\"\n"))
        .collect();
    let errors = reading(&text("b", &many, "G obs_has_log")).into_book().unwrap_err();
    assert_eq!((errors.diagnostics.len(), errors.more), (1, 0));
    assert!(errors.to_string().contains("has 257 propositions"), "{errors}");
}

#[test]
fn books_derive_the_same_in_the_same_way_or_not_together() {
    let book = |name: &str, propositions: &str| reading(&text(name, propositions, "G(obs_has_log -> X !action_wait)"));
    let four = FIVE.replace("5x", "4x").replace(">= 5", ">= 4");
    let (one, same, other) =
        (book("one", FIVE), book("same", &format!("{FIVE}{four}")), book("other", &FIVE.replace(">= 5", ">= 6")));
    let joint = joint_vocabulary(&forest(), [&one.book, &same.book]).unwrap();
    assert_eq!(joint.names(&joint.derived()), ["obs_has_5x_log", "obs_has_4x_log"]);
    assert_eq!(joint.axioms()[0].to_string(), "obs_has_5x_log -> obs_has_4x_log");
    let error = joint_vocabulary(&forest(), [&one.book, &other.book]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the books `one` and `other` derive `obs_has_5x_log` differently: as `inventory[*_log] >= 5` and as \
         `inventory[*_log] >= 6`"
    );
    let together = check_books(&[one.clone(), same], &CheckOptions::default());
    assert!(together.consistency.is_some() && together.count(Severity::Error) == 0, "{:?}", together.findings);
    let apart = check_books(&[one, other], &CheckOptions::default());
    let found = apart.findings.iter().find(|finding| finding.severity == Severity::Error).unwrap();
    assert_eq!((found.code, found.message.as_str()), (Code::Vocabulary, error.as_str()));
    assert_eq!(found.place.as_ref().map(|place| (place.line, place.column)), Some((7, 15)));
    assert!(apart.consistency.is_none());
}

/// The checks know that laws about nested thresholds imply each other.
#[test]
fn checks_know_what_definitions_imply() {
    let four = FIVE.replace("5x", "4x").replace(">= 5", ">= 4");
    let both = text("b", &format!("{FIVE}{four}"), "G(obs_has_4x_log -> X !action_mine_log)");
    let law = both.split("[[law]]").nth(1).unwrap().replace("hoard", "implied").replace("4x", "5x");
    let report = check_books(&[reading(&format!("{both}[[law]]{law}"))], &CheckOptions::default());
    let implied: Vec<_> = report.findings.iter().filter(|finding| finding.code == Code::Implied).collect();
    assert_eq!(implied.iter().map(|finding| finding.law.as_deref()).collect::<Vec<_>>(), [Some("implied")]);
}

#[test]
fn a_derived_observation_is_added_once_and_before_the_laws() {
    let book = Book::parse(&text("b", "", "G obs_has_log"), "book.toml").unwrap();
    let five = Proposition::derived("obs_has_5x_log", "inventory[*_log] >= 5".parse().unwrap(), Some("five logs"));
    let six = Proposition::derived("obs_has_6x_log", "inventory[*_log] >= 6".parse().unwrap(), None);
    let from =
        Provenance { origin: Origin::Critic, evidence: vec![Evidence { run: 1, step: 2 }], ..Provenance::hand() };
    let mut edit = Edit::new(&book).unwrap();
    edit.add_derived(&five, Some(&from)).unwrap();
    edit.add_derived(&six, None).unwrap();
    edit.add_derived(&five, None).unwrap();
    let other = Proposition::derived("obs_has_5x_log", "inventory[*_log] >= 4".parse().unwrap(), None);
    assert_eq!(
        edit.add_derived(&other, None).unwrap_err().to_string(),
        "the book `b` derives `obs_has_5x_log` already, in another way; choose another name"
    );
    assert!(edit.add_derived(&Proposition::new("p", ""), None).is_err());
    insta::assert_snapshot!(edit.text());
    let after = edit.finish().unwrap().over(&forest()).unwrap();
    assert_eq!(after.derived().iter().map(|entry| entry.proposition()).collect::<Vec<_>>(), [five, six]);
    assert_eq!(after.derived()[0].provenance.as_ref(), Some(&from));
    // The book writes its tables inline.
    let inline =
        "name = \"b\"\nrevision = 1\nproposition = []\n[vocabulary]\nname = \"v\"\nobservations = { p = \"\" }\n";
    let mut edit = Edit::new(&Book::parse(inline, "b").unwrap()).unwrap();
    edit.add_derived(&after.derived()[0].proposition(), None).unwrap();
    let finished = edit.finish().unwrap();
    assert_eq!(finished.derived().len(), 1, "{}", finished.text());
    // The table of an inline vocabulary keeps its form.
    let mut edit = Edit::new(&Book::parse(&inline.replace("proposition = []\n", ""), "b").unwrap()).unwrap();
    edit.add_derived(&after.derived()[0].proposition(), None).unwrap();
    assert_eq!(edit.finish().unwrap().derived().len(), 1);
}

#[test]
fn what_is_derived_otherwise_is_a_difference() {
    let of = |propositions: &str| {
        let reading = reading(&text("b", propositions, "G obs_has_log"));
        let vocabulary = reading.vocabulary.clone().unwrap();
        (reading.into_book().unwrap(), vocabulary)
    };
    let four = FIVE.replace("5x", "4x").replace(">= 5", ">= 4");
    let (old, new) = (of(&format!("{FIVE}{four}")), of(&FIVE.replace(">= 5", ">= 6")));
    let found = diff((&old.0, &old.1), (&new.0, &new.1));
    let changes: Vec<_> = found.derived.iter().map(|it| (&*it.name, &it.definition.from, &it.definition.to)).collect();
    let written = |number| Some(format!("inventory[*_log] >= {number}"));
    assert_eq!(changes, [("obs_has_5x_log", &written(5), &written(6)), ("obs_has_4x_log", &written(4), &None)]);
    assert!(!found.is_empty() && diff((&old.0, &old.1), (&old.0, &old.1)).is_empty());
}
