//! Random walks: the guard decides as one that is written by hand.

use std::collections::BTreeSet;
use std::path::Path;

use ltlcrit_guard::Book;
use ltlcrit_guard::call::{Calls, Outcome};
use ltlcrit_guard::decide::{Memory, owed};
use ltlcrit_guard::letter::Word;
use rand::{RngExt as _, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

const FILES: [&str; 4] = ["a", "b", "c", "x.env"];
const PLAIN: [&str; 7] = ["test", "push", "mail", "remove", "freeze", "plan", "look"];
const STEPS_OF_A_SESSION: usize = 40;
const DEADLINE: usize = 5;
const PUSHES: usize = 2;

fn book(counts: bool) -> Book {
    let mut text = String::new();
    for tool in ["read", "write", "lint"] {
        text.push_str(&format!("[[call]]\ntool = '{tool}'\naction = '{tool}(?f)'\nf = 'input.file'\n"));
    }
    for tool in PLAIN {
        text.push_str(&format!("[[call]]\ntool = '{tool}'\naction = '{tool}'\n"));
    }
    text = text.replace("action = 'test'\n", "action = 'test'\nafter = { green = 'response.green' }\n");
    let mut rules = vec![
        "push needs test & green since write",
        "write(?f) needs read(?f)",
        "write(?f) then lint(?f) before stop",
        "after \"read(*.env)\" never mail",
        "never remove",
        "after freeze never lint",
    ];
    if counts {
        rules.extend(["at most 2 push", "plan within 5 calls"]);
    }
    for (at, rule) in rules.into_iter().enumerate() {
        text.push_str(&format!("[[law]]\nid = 'l{at}'\nrule = '{rule}'\n"));
    }
    Book::parse("walk", &text).unwrap()
}

/// The same laws, by hand.
#[derive(Default)]
struct ByHand {
    counts: bool,
    read: BTreeSet<&'static str>,
    unlinted: BTreeSet<&'static str>,
    green: bool,
    pushes: usize,
    secret: bool,
    frozen: bool,
    planned: bool,
    calls: usize,
}

impl ByHand {
    fn allows(&self, tool: &str, file: &str) -> bool {
        if self.counts && !self.planned && self.calls + 1 == DEADLINE && tool != "plan" {
            return false;
        }
        match tool {
            "push" => self.green && !(self.counts && self.pushes == PUSHES),
            // A frozen project cannot lint any more, so nothing that asks for it may be written.
            "write" => self.read.contains(file) && !self.frozen,
            "lint" => !self.frozen,
            "freeze" => self.unlinted.is_empty(),
            "mail" => !self.secret,
            "remove" => false,
            _ => true,
        }
    }

    fn step(&mut self, tool: &str, file: &'static str, surely: bool, green: bool) {
        self.calls += 1;
        match tool {
            "read" => {
                self.secret |= file.ends_with(".env");
                if surely {
                    self.read.insert(file);
                }
            }
            "write" => {
                self.green = false;
                self.unlinted.insert(file);
            }
            "lint" if surely => {
                self.unlinted.remove(file);
            }
            "test" if surely && green => self.green = true,
            "push" => self.pushes += 1,
            "freeze" => self.frozen = true,
            "plan" if surely => self.planned = true,
            _ => {}
        }
    }
}

fn walk(counts: bool, seed: u64, steps: usize) {
    let (book, mut random) = (book(counts), Pcg64Mcg::seed_from_u64(seed));
    let folder = Path::new("/");
    let (mut word, mut by_hand): (Word, _) = (Word::default(), ByHand { counts, ..ByHand::default() });
    let mut memory = Memory::default();
    let (mut passed, mut refused) = (0, 0);
    for step in 0..steps {
        if step % STEPS_OF_A_SESSION == 0 {
            (word, by_hand) = (Word::default(), ByHand { counts, ..ByHand::default() });
            memory = Memory::default();
        }
        let file = FILES[random.random_range(0..FILES.len())];
        let tool = match random.random_range(0..9) {
            0..5 => ["read", "write", "lint"][random.random_range(0..3)],
            // Freezing ends most of what can happen, so it comes up late.
            _ => match PLAIN[random.random_range(0..PLAIN.len())] {
                "freeze" if random.random_bool(0.8) => "test",
                tool => tool,
            },
        };
        let input = json!({ "file": file });
        let calls = Calls::read(&book, tool, &input, folder, folder).unwrap();
        let decision = memory.decide(&book, &word, &calls);
        let expected = by_hand.allows(tool, file);
        let log = || word.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        match &decision {
            Ok(None) => assert!(expected, "seed {seed}, {step}: {tool}({file}) passes after {}", log()),
            Ok(Some(why)) => {
                assert!(!expected, "seed {seed}, {step}: {tool}({file}) is refused after {}: {why}", log());
            }
            Err(why) => panic!("seed {seed}, {step}: {tool}({file}) after {}: {why}", log()),
        }
        if step % 7 == 0 {
            assert_eq!(owed(&book, &word).unwrap().is_empty(), by_hand.unlinted.is_empty(), "seed {seed}: {}", log());
        }
        if !expected {
            refused += 1;
            continue;
        }
        passed += 1;
        let (surely, green) = (random.random_bool(0.8), random.random_bool(0.5));
        let response: Value = json!({ "green": green });
        let outcome = Outcome { succeeded: true, ended: surely, response: &response };
        word.extend(calls.after(outcome));
        by_hand.step(tool, file, surely, green);
    }
    assert!(passed > steps / 5 && refused > steps / 10, "{passed} passed, {refused} refused");
}

#[test]
fn ten_thousand_steps_without_counts() {
    walk(false, 1, 10_000);
}

#[test]
fn ten_thousand_steps_with_counts() {
    walk(true, 2, 10_000);
}

/// Calls begin and end in any order, and also those run that the laws forbid.
#[test]
fn memory_changes_no_decision() {
    let (book, mut random, folder) = (book(true), Pcg64Mcg::seed_from_u64(3), Path::new("/"));
    let (mut word, mut memory, mut open) = (Word::default(), Memory::default(), Vec::new());
    for step in 0..400 {
        if step % STEPS_OF_A_SESSION == 0 {
            (word, memory, open) = (Word::default(), Memory::default(), Vec::new());
        }
        let tools = [&["read", "write", "lint"][..], &PLAIN[..]].concat();
        let tool = tools[random.random_range(0..tools.len())];
        let input = json!({ "file": FILES[random.random_range(0..FILES.len())] });
        let calls = Calls::read(&book, tool, &input, folder, folder).unwrap();
        let decision = memory.decide(&book, &word, &calls);
        assert_eq!(decision, Memory::default().decide(&book, &word, &calls), "{step}");
        let response = json!({ "green": random.random_bool(0.5) });
        open.push((word.len(), calls.after(Outcome { succeeded: true, ended: true, response: &response })));
        word.extend(calls.coming());
        if random.random_bool(0.8) {
            let (at, letters) = open.swap_remove(random.random_range(0..open.len()));
            let numbers: Vec<usize> = letters.into_iter().map(|letter| word.number(letter)).collect();
            word.replace(at, &numbers);
        }
    }
}

#[test]
fn times_are_decided_as_by_hand() {
    let text = "
        call = [{ tool = 'push', action = 'push' }, { tool = 'test', action = 'test' }]
        law = [
            { id = 'fresh', rule = 'push needs test within 10 min' },
            { id = 'rate', rule = 'at most 2 push within 20 min' },
        ]";
    let (book, mut random, folder) = (Book::parse("times", text).unwrap(), Pcg64Mcg::seed_from_u64(5), Path::new("/"));
    for _ in 0..100 {
        let (mut word, mut memory, mut now) = (Word::default(), Memory::default(), 1_000_000);
        let (mut tests, mut pushes): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        for _ in 0..30 {
            now += random.random_range(0..300);
            word.set_now(now);
            let tool = if random.random_bool(0.3) { "test" } else { "push" };
            let calls = Calls::read(&book, tool, &Value::Null, folder, folder).unwrap();
            let passes = memory.decide(&book, &word, &calls) == Ok(None);
            let recent = |times: &[u64], minutes: u64| times.iter().filter(|at| now - **at <= minutes * 60).count();
            let expected = tool == "test" || recent(&tests, 10) > 0 && recent(&pushes, 20) < 2;
            assert_eq!(passes, expected, "{tool} at {now} after {tests:?} {pushes:?}");
            assert_eq!(Memory::default().decide(&book, &word, &calls) == Ok(None), expected);
            let surely = random.random_bool(0.8);
            if passes {
                word.extend(calls.after(Outcome { succeeded: true, ended: surely, response: &Value::Null }));
                match tool {
                    "push" => pushes.push(now),
                    _ if surely => tests.push(now),
                    _ => {}
                }
            }
        }
    }
}
