use std::path::PathBuf;

use ltlcrit_verifier::{Formula, Proposition};
use ltlcrit_worlds::World as _;
use ltlcrit_worlds::corridor::corridor;
use tempfile::TempDir;

use super::*;

type Line<'a> = (&'a str, &'a str, &'a str);

/// Writes a book over the corridor.
fn text(name: &str, revision: u64, laws: &[Line<'_>]) -> String {
    let mut text = format!("name = \"{name}\"\nvocabulary = \"corridor\"\nrevision = {revision}\n");
    for (id, strength, formula) in laws {
        text.push_str(&format!(
            "[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"{strength}\"\nexplanation = \"e\"\n\
             status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n"
        ));
    }
    text
}

/// A watch over files in a directory of its own.
struct Files {
    directory: TempDir,
    watch: BookWatch,
}

impl Files {
    fn new(books: &[(&str, &[Line<'_>])]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let vocabulary = corridor(4).vocabulary();
        let records: Vec<BookRecord> = books
            .iter()
            .map(|(name, laws)| {
                let path = directory.path().join(format!("{name}.toml"));
                let text = text(name, 1, laws);
                std::fs::write(&path, &text).unwrap();
                let source = path.display().to_string();
                BookRecord::of(
                    &Reading::parse(&text, &source, std::slice::from_ref(&vocabulary)).into_book().unwrap(),
                    &source,
                )
            })
            .collect();
        Self { watch: BookWatch::new(&records, &vocabulary).unwrap(), directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(format!("{name}.toml"))
    }

    fn write(&mut self, name: &str, text: &str) -> LawUpdate {
        std::fs::write(self.path(name), text).unwrap();
        self.watch.before(1)
    }

    fn quiet(&mut self) {
        let update = self.watch.before(1);
        assert!(update.laws.is_none() && update.books.is_empty() && update.not_taken.is_empty(), "{update:?}");
    }

    /// Writes a file that must be rejected, and returns the reason. Nothing else may change.
    #[track_caller]
    fn refused(&mut self, name: &str, text: &str) -> NotTaken {
        let before = self.watch.laws();
        let mut update = self.write(name, text);
        assert!(update.laws.is_none() && update.books.is_empty() && update.not_taken.len() == 1, "{update:?}");
        assert_eq!(self.watch.laws(), before);
        self.quiet();
        let mut refused = update.not_taken.remove(0);
        assert_eq!(refused.source, self.path(name).display().to_string());
        refused.source = "FILE".to_owned();
        refused
    }
}

fn ids(laws: &[Law]) -> Vec<&str> {
    laws.iter().map(|law| &*law.id).collect()
}

const STAY: Line<'_> = ("stay", "hard", "G(at_0 -> X !action_left)");
const GO: Line<'_> = ("go", "soft", "G(at_1 -> X action_right)");

#[test]
fn a_revision_that_rose_is_taken_once() {
    let mut files = Files::new(&[("one", &[STAY]), ("two", &[GO])]);
    files.quiet();
    let update = files.write("two", &text("two", 2, &[GO, ("wait", "soft", "G !action_wait")]));
    assert_eq!(ids(&update.laws.unwrap()), ["stay", "go", "wait"]);
    assert_eq!((update.books.len(), update.books[0].revision, update.not_taken.len()), (1, 2, 0));
    assert_eq!(update.books[0].source, files.path("two").display().to_string());
    assert_eq!(update.books[0].text, std::fs::read_to_string(files.path("two")).unwrap());
    files.quiet();
    // Both files change at once; one has no laws, and one skips some revisions.
    std::fs::write(files.path("one"), text("one", 7, &[])).unwrap();
    let update = files.write("two", &text("two", 3, &[("stay", "soft", "G !action_wait")]));
    assert_eq!(ids(&update.laws.unwrap()), ["stay"]);
    assert_eq!(update.books.iter().map(|book| book.revision).collect::<Vec<_>>(), [7, 3]);
    // Laws of two books may have the same id.
    let update = files.write("one", &text("one", 8, &[STAY]));
    assert_eq!(ids(&update.laws.unwrap()), ["stay", "two/stay"]);
    files.quiet();
}

#[test]
fn what_does_not_load_leaves_the_old_laws_in_force_and_is_said_once() {
    let mut files = Files::new(&[("one", &[STAY]), ("two", &[GO])]);
    let good = text("two", 2, &[GO]);
    let cases = [
        good.replace("G(at_1", "G((at_1"),
        good.replace("action_right", "action_rihgt"),
        good.replace("corridor", "house"),
        good.replace("\"soft\"", "\"sfot\"").replace("\"hand\"", "\"foot\""),
        good.replace("name = \"two\"", "name = \"three\""),
        good.replace(
            "vocabulary = \"corridor\"",
            "vocabulary = { name = \"corridor\", observations = { at_1 = \"\" }, actions = { action_fly = \"\", action_right = \"\" } }",
        )
        .replace("X action_right", "X action_fly"),
        good.replace(
            "vocabulary = \"corridor\"",
            "vocabulary = { name = \"house\", observations = { at_1 = \"\" }, actions = { action_right = \"\" } }",
        ),
        // A file that is being written.
        good[..good.len() - 40].to_owned(),
        String::new(),
        // A change that does not raise the revision.
        text("two", 1, &[GO, ("wait", "soft", "G !action_wait")]),
        text("two", 0, &[GO]),
    ];
    let refused: Vec<NotTaken> = cases.iter().map(|case| files.refused("two", case)).collect();
    insta::assert_json_snapshot!(refused);
    std::fs::write(files.path("two"), [0xff, 0xfe]).unwrap();
    assert_eq!(files.watch.before(1).not_taken[0].reason, "it is not UTF-8 text: byte 0, on line 1");
    std::fs::remove_file(files.path("two")).unwrap();
    assert_eq!(files.watch.before(1).not_taken[0].reason, "the file is gone");
    files.quiet();
    // The content in force returns: there is nothing to report. Then comes the correct content.
    assert!(files.write("two", &text("two", 1, &[GO])).not_taken.is_empty());
    assert_eq!(ids(&files.write("two", &good).laws.unwrap()), ["stay", "go"]);
}

#[test]
fn one_bad_file_does_not_keep_another_out() {
    let mut files = Files::new(&[("one", &[STAY]), ("two", &[GO])]);
    std::fs::write(files.path("one"), "nonsense").unwrap();
    let update = files.write("two", &text("two", 2, &[]));
    assert_eq!(ids(&update.laws.unwrap()), ["stay"]);
    assert_eq!((update.books[0].name.as_str(), update.not_taken[0].book.as_str()), ("two", "one@1"));
}

#[test]
fn hard_laws_that_would_leave_nothing_are_not_taken() {
    let mut files = Files::new(&[("one", &[STAY]), ("two", &[])]);
    let only = ("only-left", "hard", "G(at_0 -> X action_left)");
    let conflict = files.refused("two", &text("two", 2, &[GO, only]));
    assert_eq!(conflict.kind, NotTakenKind::HardConflict);
    assert_eq!(
        conflict.reason,
        "together the hard laws `stay`, `only-left` leave no action but stopping where at_0 holds"
    );
    assert_eq!(conflict.place, Some((13, 12)));
    // As soft laws they are taken: the shield falls back to the hard laws.
    let soft = (only.0, "soft", only.2);
    assert_eq!(files.write("two", &text("two", 3, &[soft])).laws.unwrap().len(), 2);
    let nothing = files.refused("two", &text("two", 4, &[("nothing", "hard", "G false")]));
    assert!(nothing.reason.starts_with("the hard law `nothing` leaves no action"), "{}", nothing.reason);
    // A revision of a book that had the conflict before is not worse, and may be a step to a better one.
    let mut files = Files::new(&[("one", &[STAY]), ("two", &[only])]);
    let update = files.write("two", &text("two", 2, &[only, GO]));
    assert_eq!(update.laws.unwrap().len(), 3);
}

#[test]
fn what_is_not_decided_within_the_budget_is_not_taken() {
    let mut files = Files::new(&[("one", &[STAY])]);
    files.watch = files.watch.within(0);
    let undecided = files.refused("one", &text("one", 2, &[STAY, ("back", "hard", "F at_0")]));
    assert_eq!(undecided.kind, NotTakenKind::Undecided);
    assert!(undecided.reason.contains("not decided within the budget"), "{}", undecided.reason);
    files.watch = files.watch.within(DEFAULT_WORK);
    assert!(files.write("one", &text("one", 3, &[STAY, ("back", "hard", "F at_0")])).laws.is_some());
}

#[test]
fn books_that_come_with_the_program_have_no_file() {
    let vocabulary = Arc::new(
        Vocabulary::new(
            "v",
            vec![Proposition::new("p", "")],
            vec![Proposition::new("a", "")],
            vec![Formula::True.into()],
        )
        .unwrap(),
    );
    let text = "name = \"b\"\nvocabulary = \"v\"\nrevision = 1\n".to_owned();
    let record = BookRecord { name: "b".into(), revision: 1, source: SHIPPED.into(), text };
    let mut watch = BookWatch::new(std::slice::from_ref(&record), &vocabulary).unwrap();
    assert!(watch.before(1).not_taken.is_empty());
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().display().to_string();
    let mut watch = BookWatch::new(&[BookRecord { source, ..record.clone() }], &vocabulary).unwrap();
    assert!(watch.before(1).not_taken.is_empty(), "what was no file is not watched");
    let damaged = BookRecord { text: "revision".into(), ..record };
    assert!(BookWatch::new(&[damaged], &vocabulary).is_err());
}
