//! `guard check`: the laws with their formulas, the examples, and the proof that the laws fit together.

use std::fmt::Write as _;
use std::path::Path;

use ltlcrit_laws::{BookErrors, Code, Diagnostic};
use ltlcrit_verifier::Formula;
use ltlcrit_verifier::consistency::{AnyLaws, Beginning, Satisfiability, every_state};
use ltlcrit_verifier::objects::Ground;
use serde_json::Value;

use crate::book::Book;
use crate::call::{Calls, Outcome};
use crate::decide::{Decision, Memory, forbidden_run, owed};
use crate::example::Example;
use crate::law::Otherwise;
use crate::letter::{Letter, OTHER, Word};

/// Budget of each question to the verifier, in units of search work.
const WORK: u64 = 2_000_000;
/// Maximum number of calls of a forbidden run that are shown.
const MAX_SHOWN: usize = 8;

/// The result of a check.
#[derive(Debug)]
pub struct Report {
    /// The text.
    pub text: String,
    /// True if everything holds.
    pub is_good: bool,
}

/// Checks a book; paths in its examples begin at `folder`.
pub fn check(book: &Book, folder: &Path) -> Report {
    let mut report = Report { text: String::new(), is_good: true };
    let name = &book.source.name;
    let _ = writeln!(
        report.text,
        "{name}: {}, {}, {}",
        count(book.catalogue.actions.len(), "action"),
        count(book.laws.len(), "law"),
        count(book.examples.len(), "example")
    );
    for law in &book.laws {
        let _ = writeln!(
            report.text,
            "\n{} ({}, {}): {}",
            law.id,
            law.otherwise.as_str(),
            law.object.law.strength,
            law.written
        );
        let _ = writeln!(report.text, "  formula    {}", law.object.law.formula);
        let run = forbidden_run(book, law).map(|mut run| {
            if run.len() > MAX_SHOWN {
                let left = run.len() - MAX_SHOWN;
                run.truncate(MAX_SHOWN);
                run.push(format!("{left} more"));
            }
            run.join(", ")
        });
        let _ = writeln!(report.text, "  forbidden  {}", run.as_deref().unwrap_or("no short run"));
    }
    let letters = examples(book, folder, &mut report);
    if let Err(why) = joint(book, letters, &mut report) {
        report.is_good = false;
        let _ = writeln!(report.text, "\nnot proved: {why}");
    }
    report
}

/// `1 law`, `2 laws`.
pub fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Checks the examples; gives their calls.
fn examples(book: &Book, folder: &Path, report: &mut Report) -> Vec<Letter> {
    let mut letters = Vec::new();
    let mut diagnostics = Vec::new();
    for (example, place) in &book.examples {
        match check_example(example, book, folder) {
            Ok(word) => letters.extend(word.distinct().iter().cloned()),
            Err(found) => {
                let diagnostic = Diagnostic::error(Code::Book, format!("the example does not hold: {found}"));
                let help = "change the example, or the law or the call that decides it";
                diagnostics.push(diagnostic.help(help).at(&book.source, place.clone()));
            }
        }
    }
    let good = book.examples.len() - diagnostics.len();
    let _ = writeln!(report.text, "\nexamples: {good} of {} hold", book.examples.len());
    if !diagnostics.is_empty() {
        report.is_good = false;
        let _ = writeln!(report.text, "{}", BookErrors { diagnostics, more: 0 });
    }
    letters
}

/// Proves that the laws leave a run, with the objects of the examples. The time of any law may be over at any call.
fn joint(book: &Book, mut letters: Vec<Letter>, report: &mut Report) -> Result<(), String> {
    let timed = book.laws.iter().filter(|law| law.clock.is_some());
    letters.extend(timed.map(|law| Letter { action: OTHER.into(), marks: vec![law.id.clone()], ..Letter::default() }));
    let ground = Ground::new(&book.object_laws(), &book.catalogue, &Word::default(), &letters);
    let ground = ground.map_err(|error| error.to_string())?;
    let laws: Vec<Formula> = ground.laws.iter().map(|(_, law)| law.formula.clone()).collect();
    let ids = |laws: &[usize]| laws.iter().map(|law| &*ground.laws[*law].1.id).collect::<Vec<_>>().join(", ");
    let vocabulary = &*ground.vocabulary;
    let all: Vec<usize> = (0..laws.len()).collect();
    let mut system = AnyLaws::new(vocabulary, &laws).map_err(|error| error.to_string())?;
    match system.satisfiable(&all, Beginning::MoreThanStopping, WORK) {
        Satisfiability::Satisfiable { .. } => {}
        Satisfiability::Contradictory { laws } => {
            return Err(format!("no session keeps these laws together: {}", ids(&laws)));
        }
        Satisfiability::Undecided => {
            return Err("whether a session keeps all laws exceeds the budget; split the laws".into());
        }
    }
    let found = every_state(vocabulary, &laws, 1, WORK).map_err(|error| error.to_string())?;
    let objects: std::collections::BTreeSet<&String> = letters.iter().flat_map(|letter| &letter.objects).collect();
    let with = if objects.is_empty() { String::new() } else { format!(", with {}", count(objects.len(), "object")) };
    match (found.stuck.first(), &found.open) {
        (Some(stuck), _) => {
            let last = stuck.letters.iter().filter_map(|letter| letter.action(vocabulary));
            let run: Vec<&str> = last.map(|action| vocabulary.action_name(action)).collect();
            return Err(format!(
                "after {} nothing but stopping is left by these laws: {}",
                run.join(", "),
                ids(&stuck.laws)
            ));
        }
        (None, Some((why, laws))) => {
            let _ = writeln!(
                report.text,
                "laws: they can be kept together{with}; open is whether always ({why:?}, {})",
                ids(laws)
            );
        }
        (None, None) => {
            let _ = writeln!(report.text, "laws: proved that every state of every session leaves a call{with}");
        }
    }
    for (call, _) in ground.possible() {
        let name = vocabulary.action_name(call);
        let mut with_call = laws.clone();
        with_call.push(Formula::atom(name).finally());
        let mut system = AnyLaws::new(vocabulary, &with_call).map_err(|error| error.to_string())?;
        let all: Vec<usize> = (0..with_call.len()).collect();
        if let Satisfiability::Contradictory { laws } = system.satisfiable(&all, Beginning::MoreThanStopping, WORK) {
            // The line of a law says what it alone forbids for ever.
            let of: Vec<usize> = laws.into_iter().filter(|law| *law < ground.laws.len()).collect();
            let line = format!("note: no session may call {name}, by these laws together: {}\n", ids(&of));
            if of.len() > 1 && !report.text.contains(&line) {
                report.text.push_str(&line);
            }
        }
    }
    Ok(())
}

/// The decision on the last call of an example, and the letters before it.
///
/// # Errors
/// A call that cannot be read.
fn decision(example: &Example, book: &Book, folder: &Path) -> Result<(Decision, Word), String> {
    let mut word = Word::default();
    let (last, before) = example.calls.split_last().ok_or("the example has no call")?;
    for (tool, input) in before.iter().flatten() {
        let calls = Calls::read(book, tool, input, folder, folder)?;
        word.extend(calls.after(Outcome { succeeded: true, ended: true, response: &Value::Null }));
    }
    let decision = match last {
        None => Ok(owed(book, &word)?.into_iter().next()),
        Some((tool, input)) => {
            let calls = Calls::read(book, tool, input, folder, folder)?;
            let decision = Memory::default().decide(book, &word, &calls);
            word.extend(calls.coming());
            decision
        }
    };
    Ok((decision, word))
}

/// Checks an example; gives its calls.
///
/// # Errors
/// What becomes of the call instead.
fn check_example(example: &Example, book: &Book, folder: &Path) -> Result<Word, String> {
    let (found, why, word) = match decision(example, book, folder) {
        Ok((Ok(None), word)) => ("allow", "no law forbids it".to_owned(), word),
        Ok((Ok(Some(refusal)), word)) => {
            let found = match refusal.otherwise {
                Otherwise::Warn => "allow",
                Otherwise::Ask => "ask",
                Otherwise::Block | Otherwise::Stop => "deny",
            };
            (found, refusal.to_string().replace('\n', " "), word)
        }
        Ok((Err(why), word)) => ("ask", why, word),
        Err(why) => ("ask", why, Word::default()),
    };
    if found == example.expected { Ok(word) } else { Err(format!("the answer is `{found}`: {why}")) }
}
