use super::*;
use crate::provenance::{Evidence, Origin};

const BOOK: &str = r#"# A book with comments everywhere.
name = "commented" # its name

revision   =  7    # counted up by hand
vocabulary = "minecraft"

# The first law.
[[law]]
id = "one" # first
# Why this formula: it is short.
formula     = "G(obs_has_log -> X !action_mine_log)"
strength    = 'soft'
explanation = """One log
is enough."""
status      = "proposed"  # wait and see
provenance  = { origin = "hand" } # by hand

# The second law, with its table spelt out.
[[law]]
status = "retired" # for now
reason = "too strict" # says the critic
id = "two"
formula = "G !action_mine_coal"
strength = "hard"
explanation = "No coal."

[law.provenance]
origin = "critic"
evidence = [
    { run = 3, step = 12 }, # seen here
]

# The end.
"#;

fn book() -> Book {
    Book::parse(BOOK, "commented.toml").unwrap()
}

fn new_law(id: &str) -> NewLaw {
    NewLaw {
        id: id.to_owned(),
        formula: "G(obs_has_diamond -> X action_stop)".to_owned(),
        strength: Strength::Soft,
        explanation: "Enough is \"enough\".".to_owned(),
        provenance: Provenance {
            origin: Origin::Critic,
            model: Some("simulated:critic".to_owned()),
            evidence: vec![Evidence { run: 4, step: 31 }, Evidence { run: 5, step: 2 }],
            ..Provenance::hand()
        },
        status: Status::Proposed,
        note: Some("Seen twice.".to_owned()),
    }
}

/// Returns every comment of the original text, in order.
fn comments(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.find('#').map(|at| line[at..].to_owned())).collect()
}

#[test]
fn a_book_nobody_changed_is_the_same_to_the_byte() {
    assert_eq!(Edit::new(&book()).unwrap().text(), BOOK);
    for name in crate::shipped_names() {
        let book = crate::shipped(name).unwrap();
        assert_eq!(Edit::new(&book).unwrap().text(), book.text(), "{name}");
    }
}

#[test]
fn adding_a_law_keeps_every_comment_and_the_order() {
    let mut edit = Edit::new(&book()).unwrap();
    edit.add_law(&new_law("three")).unwrap();
    insta::assert_snapshot!(edit.text());
    assert_eq!(comments(&edit.text()), comments(BOOK));
    let changed = edit.finish().unwrap();
    assert_eq!(changed.entries().iter().map(|law| &*law.id).collect::<Vec<_>>(), ["one", "two", "three"]);
    let added = changed.entry("three").unwrap();
    let wanted = new_law("three");
    assert_eq!(added.formula.to_string(), "G(obs_has_diamond -> X action_stop)");
    assert_eq!((&*added.explanation, added.strength), (&*wanted.explanation, wanted.strength));
    assert_eq!((&added.provenance, &added.status, &added.note), (&wanted.provenance, &wanted.status, &wanted.note));
}

#[test]
fn the_first_law_of_an_empty_book_is_added_after_its_vocabulary() {
    let text = "name = \"empty\"\nrevision = 1\n[vocabulary] # own\nname = \"v\"\nobservations = { p = \"\" }\nactions = { a = \"\" }\n";
    let mut edit = Edit::new(&Book::parse(text, "empty").unwrap()).unwrap();
    edit.add_law(&NewLaw { formula: "G(p -> X a)".to_owned(), ..new_law("first") }).unwrap();
    let text = edit.text();
    assert!(text.find("[vocabulary] # own").unwrap() < text.find("[[law]]").unwrap(), "{text}");
    assert_eq!(edit.finish().unwrap().entries().len(), 1);
}

#[test]
fn a_law_added_before_other_tables_stays_a_law() {
    let text = "name = \"b\"\nrevision = 1\n[[law]]\nid = \"x\"\nformula = \"G p\"\nstrength = \"hard\"\nexplanation = \"e\"\nstatus = \"adopted\"\nprovenance = { origin = \"hand\" }\n\n# last\n[vocabulary]\nname = \"v\"\nobservations = { p = \"\" }\nactions = { a = \"\" }\n";
    let mut edit = Edit::new(&Book::parse(text, "b").unwrap()).unwrap();
    edit.add_law(&NewLaw { formula: "G(p -> X a)".to_owned(), ..new_law("y") }).unwrap();
    assert_eq!(comments(&edit.text()), ["# last"]);
    assert_eq!(edit.finish().unwrap().entries().len(), 2);
}

#[test]
fn setting_the_status_changes_that_law_alone() {
    let mut edit = Edit::new(&book()).unwrap();
    edit.set_status("one", &Status::Adopted).unwrap();
    assert_eq!(edit.text(), BOOK.replace("\"proposed\"", "\"adopted\""));
    edit.set_status("one", &Status::Retired { reason: "never fires".to_owned() }).unwrap();
    assert_eq!(comments(&edit.text()), comments(BOOK));
    let retired = edit.clone().finish().unwrap();
    assert_eq!(retired.entry("one").unwrap().status, Status::Retired { reason: "never fires".to_owned() });
    edit.set_status("two", &Status::Adopted).unwrap();
    let text = edit.text();
    assert!(!text.contains("too strict") && text.contains("status = \"adopted\" # for now"), "{text}");
    assert!(edit.finish().unwrap().entry("two").unwrap().in_force());
}

#[test]
fn bumping_the_revision_changes_the_number_alone() {
    let mut edit = Edit::new(&book()).unwrap();
    assert_eq!(edit.bump_revision(), Ok(8));
    assert_eq!(edit.text(), BOOK.replace("=  7    #", "=  8    #"));
    assert_eq!(edit.finish().unwrap().revision(), 8);
}

#[test]
fn laws_written_inline_can_be_changed_too() {
    let text = r#"name = "inline"
revision = 1
vocabulary = "minecraft"
law = [
    # the only one
    { id = "x", formula = "G a", strength = "hard", explanation = "e", status = "adopted", provenance = { origin = "hand" } },
]
"#;
    let mut edit = Edit::new(&Book::parse(text, "inline").unwrap()).unwrap();
    edit.set_status("x", &Status::Proposed).unwrap();
    edit.add_law(&new_law("y")).unwrap();
    assert_eq!(comments(&edit.text()), ["# the only one"]);
    let changed = edit.finish().unwrap();
    assert_eq!(changed.entries().len(), 2);
    assert_eq!(changed.entry("x").unwrap().status, Status::Proposed);
}

#[test]
fn wrong_changes_are_refused_and_leave_the_text_alone() {
    let mut edit = Edit::new(&book()).unwrap();
    let taken = edit.add_law(&new_law("one")).unwrap_err();
    assert!(taken.to_string().contains("has a law `one` already"), "{taken}");
    let missing = edit.set_status("nine", &Status::Adopted).unwrap_err();
    assert_eq!(missing.to_string(), "the book `commented` has no law `nine`");
    assert_eq!(edit.text(), BOOK);
    edit.add_law(&NewLaw { formula: "G(".to_owned(), ..new_law("bad") }).unwrap();
    let errors = edit.finish().unwrap_err();
    assert_eq!(errors.diagnostics.len(), 1);
    assert_eq!(errors.diagnostics[0].law.as_deref(), Some("bad"));
}

#[test]
fn saving_replaces_the_whole_file_or_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book.toml");
    book().save(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), BOOK);
    let mut edit = Edit::new(&Book::load(&path).unwrap()).unwrap();
    edit.bump_revision().unwrap();
    edit.finish().unwrap().save(&path).unwrap();
    assert_eq!(Book::load(&path).unwrap().revision(), 8);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left behind");
    let nowhere = directory.path().join("no/such/place.toml");
    assert!(book().save(&nowhere).unwrap_err().to_string().contains("place.toml"));
}

#[cfg(unix)]
#[test]
fn saving_keeps_permissions_and_refuses_links() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let (real, link) = (directory.path().join("real.toml"), directory.path().join("link.toml"));
    std::fs::write(&real, "old").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    assert!(book().save(&link).is_err());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "old");
    book().save(&real).unwrap();
    assert_eq!(std::fs::read_to_string(&real).unwrap(), BOOK);
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_law_goes_on_trial_and_its_outcome_stays() {
    let mut edit = Edit::new(&book()).unwrap();
    let on_trial = Status::OnTrial { reason: "Nothing shows it.".to_owned() };
    edit.set_status("one", &on_trial).unwrap();
    let before = Book::parse(&edit.text(), "commented.toml").unwrap();
    let one = before.entry("one").unwrap();
    assert_eq!((&one.status, one.in_force()), (&on_trial, false));
    for law in ["one", "two"] {
        edit.set_trial(law, "kept: with it 5, without it 4").unwrap();
    }
    edit.set_status("one", &Status::Adopted).unwrap();
    let text = edit.text();
    assert!(
        text.contains("provenance  = { origin = \"hand\", trial = \"kept: with it 5, without it 4\" } # by hand"),
        "{text}"
    );
    let after = edit.finish().unwrap();
    let trials = ["one", "two"].map(|law| after.entry(law).unwrap().provenance.trial.clone());
    assert_eq!(trials.map(Option::unwrap), ["kept: with it 5, without it 4"; 2]);
    assert!(after.entry("one").unwrap().in_force());
    // A law on trial states a reason, as a retired law does.
    let silent = BOOK.replace("\"proposed\"  # wait and see", "\"on-trial\"");
    let errors = Book::parse(&silent, "b").unwrap_err().to_string();
    assert!(errors.contains("a law on trial") && errors.contains("reason"), "{errors}");
    assert!(Edit::new(&book()).unwrap().set_trial("three", "kept").is_err());
}
