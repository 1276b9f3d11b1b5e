//! Laws with a parameter over objects that occur in numbers.

use std::path::Path;

use ltlcrit_guard::Book;
use ltlcrit_guard::call::{Calls, Outcome};
use ltlcrit_guard::decide::{Decision, Memory, owed};
use ltlcrit_guard::letter::Word;
use serde_json::{Value, json};

fn book(rules: &[&str]) -> Book {
    let mut text = String::new();
    for (tool, action) in [("read", "read(?f)"), ("write", "write(?f)"), ("lint", "lint(?f)"), ("plan", "plan")] {
        let object = if action == tool { "" } else { "f = 'input.file'\n" };
        text.push_str(&format!("[[call]]\ntool = '{tool}'\naction = '{action}'\n{object}"));
    }
    for (at, rule) in rules.iter().enumerate() {
        text.push_str(&format!("[[law]]\nid = 'l{at}'\nrule = '{rule}'\n"));
    }
    Book::parse("objects", &text).unwrap()
}

struct Session {
    book: Book,
    word: Word,
    memory: Memory,
}

impl Session {
    fn new(rules: &[&str]) -> Self {
        Self { book: book(rules), word: Word::default(), memory: Memory::default() }
    }

    /// The decision on a call, if it is `asked` for; a call that passes is made.
    fn call(&mut self, tool: &str, file: usize, asked: bool) -> Decision {
        let input = json!({ "file": format!("f{file}") });
        let calls = Calls::read(&self.book, tool, &input, Path::new("/"), Path::new("/")).unwrap();
        let decision = if asked { self.memory.decide(&self.book, &self.word, &calls) } else { Ok(None) };
        if decision == Ok(None) {
            self.word.extend(calls.after(Outcome { succeeded: true, ended: true, response: &Value::Null }));
        }
        decision
    }
}

const LAWS: [&str; 2] = ["write(?f) needs read(?f)", "write(?f) then lint(?f) before stop"];

/// The state of an object is a number, and one of the objects in a state stands for all of them.
#[test]
fn a_thousand_objects_are_decided() {
    let mut session = Session::new(&LAWS);
    for file in 0..1_000 {
        assert_eq!(session.call("read", file, false), Ok(None));
        assert_eq!(session.call("write", file, file % 100 == 99), Ok(None), "{file}");
        if file % 2 == 0 {
            assert_eq!(session.call("lint", file, file % 100 == 98), Ok(None), "{file}");
        }
    }
    assert!(matches!(session.call("write", 1_000, true), Ok(Some(_))));
    assert_eq!(session.call("write", 500, true), Ok(None));
    let duties = owed(&session.book, &session.word).unwrap();
    assert_eq!(duties.len(), 1, "one object stands for those in its state: {duties:?}");
    for file in (0..1_000).filter(|file| file % 2 == 1 || *file == 500) {
        assert_eq!(session.call("lint", file, file % 100 == 99), Ok(None), "{file}");
    }
    assert_eq!(owed(&session.book, &session.word).unwrap(), []);
}

/// A law may count all calls: then each object that is owed something is one of its own, and there is a limit.
#[test]
fn objects_that_a_law_counts_are_few_and_the_guard_says_so() {
    let mut session = Session::new(&[LAWS[0], LAWS[1], "plan within 3 calls"]);
    assert_eq!(session.call("plan", 0, true), Ok(None));
    for file in 0..60 {
        for tool in ["read", "write"] {
            assert_eq!(session.call(tool, file, true), Ok(None), "{tool} {file}");
        }
    }
    let Err(why) = session.call("read", 60, true) else { panic!("61 objects") };
    assert!(why.contains("at most 60 are decided together"), "{why}");
    // One object stands for those whose duties are done.
    assert_eq!(session.call("lint", 0, true), Ok(None));
    assert_eq!(session.call("lint", 1, true), Ok(None));
    assert_eq!(session.call("read", 60, true), Ok(None));
}
