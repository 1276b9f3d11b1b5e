//! The file of a session: a state that it keeps is that of all its lines, as far as the laws need them.

use std::path::Path;

use ltlcrit_guard::Book;
use ltlcrit_guard::call::Calls;
use ltlcrit_guard::decide::{Memory, owed};
use ltlcrit_guard::letter::{Letter, Word};
use ltlcrit_guard::session::{Entry, Session};
use ltlcrit_verifier::objects::needed;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::json;

const TOOLS: [&str; 5] = ["read", "write", "test", "push", "plan"];

fn book(laws: &[&str]) -> Book {
    let mut text = String::new();
    for tool in TOOLS {
        let (objects, file) = if ["read", "write"].contains(&tool) { ("(?f)", "f = 'input.file'\n") } else { ("", "") };
        let after = if tool == "test" { "after = { green = 'response.green' }\n" } else { "" };
        text.push_str(&format!("[[call]]\ntool = '{tool}'\naction = '{tool}{objects}'\n{file}{after}"));
    }
    for (at, law) in laws.iter().enumerate() {
        let key = if law.contains("G(") || law.contains("G ") { "formula" } else { "rule" };
        text.push_str(&format!("[[law]]\nid = 'l{at}'\n{key} = '{law}'\n"));
    }
    Book::parse("session", &text).unwrap()
}

/// The decisions on all calls and on the end, without the objects that stand for others.
fn decisions(book: &Book, word: &Word) -> Vec<(String, Vec<String>)> {
    let laws = |laws: &mut dyn Iterator<Item = &std::sync::Arc<str>>| {
        let mut ids: Vec<String> = laws.map(|law| law.split('(').next().unwrap().to_owned()).collect();
        ids.sort();
        ids.dedup();
        ids
    };
    let mut found = Vec::new();
    for (tool, file) in TOOLS.iter().flat_map(|tool| ["a", "b", "c", "new"].map(|file| (tool, file))) {
        let input = json!({ "file": file });
        let calls = Calls::read(book, tool, &input, Path::new("/"), Path::new("/")).unwrap();
        found.push(match Memory::default().decide(book, word, &calls) {
            Ok(Some(refusal)) => (format!("{tool}({file}) {:?}", refusal.lifted_by), laws(&mut refusal.laws.iter())),
            other => (format!("{tool}({file}) {other:?}"), Vec::new()),
        });
    }
    found.push(("end".into(), laws(&mut owed(book, word).unwrap().iter().flat_map(|duty| &duty.laws))));
    found
}

#[test]
fn letters_that_no_law_needs_change_no_decision() {
    let laws = [
        "push needs test & green since write",
        "write(?f) needs read(?f)",
        "write then test before stop",
        "write(?f) then test before stop",
        "write(?f) then read(?f) before stop",
        "after push never write",
        "at most 3 push",
        "plan within 6 calls",
        "write then test within 3 calls",
        "G(push -> Y test)",
        "G(push -> !(write S test))",
        "G(write(?f) -> H !push) & G(read -> F plan)",
    ];
    let mut random = Pcg64Mcg::seed_from_u64(6);
    let (mut all, mut left) = (0, 0);
    for round in 0..150 {
        let chosen: Vec<&str> = laws.sample(&mut random, 1 + round % 4).copied().collect();
        let book = book(&chosen);
        let mut word = Word::default();
        for _ in 0..random.random_range(1..60) {
            let tool = *TOOLS.choose(&mut random).unwrap();
            let has_file = ["read", "write"].contains(&tool);
            let file = (*["a", "b", "c", "d"].choose(&mut random).unwrap()).to_owned();
            let facts = if tool == "test" && random.random_bool(0.6) { vec!["green".into()] } else { Vec::new() };
            let objects = if has_file { vec![file] } else { Vec::new() };
            let letter = Letter { action: tool.into(), objects, surely: random.random_bool(0.8), ..Letter::default() };
            word.extend([if letter.surely { Letter { facts, ..letter } } else { Letter { perhaps: facts, ..letter } }]);
        }
        let mut short = word.clone();
        for first in [word.len() / 2, word.len()] {
            let first = first - (word.len() - short.len());
            short.leave_out(&needed(&book.object_laws(), &short, first).unwrap());
            assert_eq!(decisions(&book, &short), decisions(&book, &word), "{chosen:?} {word:?}\n{short:?}");
        }
        assert_eq!(short.calls(), word.len());
        let numbered = |at: usize| short.get(at) == word.get(short.call(at) - 1);
        assert!((0..short.len()).all(numbered), "{word:?}\n{short:?}");
        (all, left) = (all + word.len(), left + short.len());
    }
    assert!(left * 3 < all, "{left} of {all} letters are left");
}

/// All that is known of a session.
fn known(book: &Book, path: &Path) -> (String, bool) {
    let session = Session::open(path, Some(book)).unwrap();
    let word = session.word();
    let flying: Vec<_> = (1_900..2_000).filter_map(|id| session.in_flight(&id.to_string())).collect();
    let recent = word.within(5).map(|(surely, _)| word.len() - surely);
    let (refused, told) = (&session.state.refused, session.state.was_told(&["law".into()]));
    let last: Vec<_> = word.iter().skip(word.len() - 5).collect();
    let text =
        format!("{:?} {} {last:?} {flying:?} {recent:?} {refused:?} {told}", decisions(book, word), word.calls());
    (text, session.is_damaged())
}

/// A session of many lines that was opened anew often.
fn written(book: &Book, path: &Path) -> String {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let mut session = Session::open(path, Some(book)).unwrap();
    session.append(vec![Entry::Root("/p".into())]).unwrap();
    for at in 0..2_000 {
        let action = if at % 3 == 0 { "read" } else { "write" };
        let letter = |surely| Letter {
            action: action.into(),
            objects: vec![format!("{}", at % 40)],
            surely,
            ..Letter::default()
        };
        let mut entries = vec![Entry::Now(1_000 + at as u64), Entry::Begins(at.to_string(), vec![letter(false)])];
        // Some calls never end, and some end late.
        let ends = at - random.random_range(0..=at.min(3));
        entries.push(Entry::Ends(ends.to_string(), vec![letter(true)]));
        if random.random_bool(0.1) {
            entries.push(Entry::Refused {
                decision: "ask".into(),
                laws: Vec::new(),
                why: format!("no {at}\n{{\"kept\":["),
            });
            entries.push(Entry::Told(at, vec!["law".into()]));
        }
        session.append(entries).unwrap();
        session.keep(book);
        if at % 100 == 0 {
            drop(session);
            session = Session::open(path, Some(book)).unwrap();
        }
    }
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_kept_state_is_that_of_all_lines_and_counts_only_where_it_fits() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.jsonl"), folder.path().join("b.jsonl"));
    let book = &book(&["write(?f) needs read(?f)", "push needs write within 5 min", "write then test before stop"]);
    let text = written(book, &path);
    let is_kept = |line: &&str| line.starts_with("{\"kept\":[");
    assert!(text.lines().filter(is_kept).count() > 3);
    let plain: String = text.lines().filter(|line| !is_kept(line)).map(|line| format!("{line}\n")).collect();
    std::fs::write(&other, &plain).unwrap();
    let all = known(book, &other);
    assert_eq!(known(book, &path), all);
    let letters = |path: &Path| Session::open(path, Some(book)).unwrap().word().len();
    assert!(letters(&path) * 2 < letters(&other), "{} of {} are left", letters(&path), letters(&other));
    let last = text.rfind("{\"kept\":[").unwrap();
    let (line, end) = text[last..].split_once('\n').unwrap();
    for kept in [
        // At another place, torn, with letters that are not there, and with calls that are not there.
        format!(" {line}"),
        line[..line.len() / 2].to_owned(),
        line.replacen("\"word\"", "\"none\"", 1),
        line.replace("\"numbers\":[0,", "\"numbers\":[9999,"),
        line.replacen("\"end\":", "\"end\":9", 1),
        line.replacen("{\"kept\":[", "{\"kept\":[1", 1),
        // For another book.
        line.replacen(&format!(",{},", book.number()), ",1,", 1),
    ] {
        std::fs::write(&other, format!("{}{kept}\n{end}", &text[..last])).unwrap();
        assert_eq!(known(book, &other).0, all.0, "{}", &kept[..60]);
    }
    // A line of a call that cannot be read is told, before a kept state and after it.
    std::fs::write(&other, format!("{plain}{{\"begins\":\n{line}\n")).unwrap();
    assert!(Session::open(&other, Some(book)).unwrap().is_damaged());
    let mut session = Session::open(&path, Some(book)).unwrap();
    session.append(vec![Entry::Mended(0)]).unwrap();
    assert!(!session.is_damaged());
}
