//! Laws over calls: readable forms, each of them a formula, or any formula.
//!
//! | form | formula |
//! | --- | --- |
//! | `never A` | `G !A` |
//! | `A needs B` | `!A W B` |
//! | `A needs B since C` | `(!A W B) & G(C -> X(!A W B))` |
//! | `A then B before stop` | `G(A -> F B)` |
//! | `A then B within N calls` | `G(A -> B \| X(B \| X …))`, with N `X` |
//! | `A within N calls` | `A \| X(A \| X …)`, with N `X` from the start of the session |
//! | `at most N A` | `at_most(N, A)` |
//! | `after A never B` | `G(A -> X G !B)` |
//! | `A needs B within N min` | `(!A W B) & G(late -> (!A W B))`, where `late` is a [clock](Clock) |
//! | `at most N A within N min` | `G(late -> !A)` |
//!
//! `A`, `B` and `C` are Boolean: calls such as `write`, `write(?file)`, `copy(_, ?to)` or, in quotes, `"write(*.env)"`, and
//! facts such as `green`. A law with a parameter holds for each object that occurs.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use ltlcrit_laws::Place;
use ltlcrit_verifier::objects::{Atom, Catalogue, Counts, Like, ObjectLaw, pessimistic};
use ltlcrit_verifier::syntax::{self, SyntaxError};
use ltlcrit_verifier::{Formula, Law};

use crate::expression::{Fault, Pattern};
use crate::letter::{Letter, Word};

/// Maximum number in `at most N` and `within N calls`.
const MAX_COUNT: u32 = 50;
/// Maximum number in `within N min`.
const MAX_MINUTES: u32 = 7 * 24 * 60;
/// Maximum length of a law, in bytes.
pub const MAX_LAW: usize = 4096;
const FORMS: &str = "write `never A`, `A needs B`, `A needs B since C`, `A then B before stop`, `A then B within N calls`, \
                     `A within N calls`, `at most N A`, `after A never B`, `A needs B within N min` or `at most N A within N min`";

/// The consequence when a law forbids a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Otherwise {
    /// The call runs, and the law is told.
    Warn,
    /// A person is asked.
    Ask,
    /// The call does not run.
    Block,
    /// The call does not run, and the agent stops.
    Stop,
}

impl Otherwise {
    /// As books write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Ask => "ask",
            Self::Block => "block",
            Self::Stop => "stop",
        }
    }
}

/// The time of a law. A call is late if calls are missing in the time before it or, with `most`, if that many may have
/// happened.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The time, in minutes.
    pub minutes: u32,
    /// The calls, a Boolean formula.
    pub of: Formula,
    /// The number of calls at which further ones are late.
    pub most: Option<usize>,
}

/// A law of a guard.
#[derive(Clone, Debug)]
pub struct GuardLaw {
    /// Its name, unique in the book.
    pub id: Arc<str>,
    /// The law as the book writes it.
    pub written: String,
    /// The law that it stands for. Without an explanation, it explains itself.
    pub object: ObjectLaw,
    /// Its time.
    pub clock: Option<Clock>,
    /// The consequence when it forbids a call.
    pub otherwise: Otherwise,
    /// The place in the book.
    pub place: Place,
}

/// A law without a name, as its text says it, with its time.
pub type Parsed = (ObjectLaw, Option<Clock>);

/// Reads a law in one of the readable forms.
///
/// # Errors
/// All faults that are found, each with its bytes.
pub fn parse_rule(text: &str, catalogue: &Catalogue) -> Result<Parsed, Vec<Fault>> {
    let mut reader = Reader::new(text, catalogue);
    let (formula, counts) = reader.form()?;
    Ok(reader.parsed(formula, counts))
}

/// Reads a law as a formula.
///
/// # Errors
/// All faults that are found, each with its bytes.
pub fn parse_formula(text: &str, catalogue: &Catalogue) -> Result<Parsed, Vec<Fault>> {
    let mut reader = Reader::new(text, catalogue);
    let formula = reader.formula(0..text.len())?;
    let counts = Counts::of(&formula);
    Ok(reader.parsed(formula, counts))
}

/// The words outside parentheses and quotes, each with its bytes.
fn words(text: &str) -> Vec<Range<usize>> {
    let (mut words, mut depth, mut quoted, mut start) = (Vec::new(), 0_usize, false, None);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match c {
            '"' => quoted = !quoted,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (c.is_whitespace() && depth == 0 && !quoted, start) {
            (true, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    words
}

/// `a` at one of the next `calls` letters, or this one.
fn soon(a: &Formula, calls: u32) -> Formula {
    (0..calls).fold(a.clone(), |later, _| a.clone().or(later.next()))
}

/// Reads a pattern of objects.
fn like(text: &str) -> Result<Arc<dyn Like>, (String, String)> {
    let fault = |error: globset::Error| {
        let message = format!("the pattern `{text}` cannot be read: {}", error.kind());
        (message, "write a pattern, such as \"write(*.env)\"".to_owned())
    };
    Ok(Arc::new(Pattern::new(text).map_err(fault)?))
}

struct Reader<'a> {
    text: &'a str,
    catalogue: &'a Catalogue,
    words: Vec<Range<usize>>,
    atoms: BTreeMap<Arc<str>, Atom>,
    parameter: Option<String>,
    clock: Option<Clock>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, catalogue: &'a Catalogue) -> Self {
        Self { text, catalogue, words: words(text), atoms: BTreeMap::new(), parameter: None, clock: None }
    }

    fn parsed(self, formula: Formula, counts: Counts) -> Parsed {
        let law = Law::hard("", formula, "");
        (ObjectLaw { law, atoms: self.atoms, parameter: self.parameter, counts }, self.clock)
    }

    fn form(&mut self) -> Result<(Formula, Counts), Vec<Fault>> {
        let end = self.words.len();
        let needs = |a: &Formula, b: &Formula| a.clone().not().weak_until(b.clone());
        let within = self.find("within");
        let timed = within.filter(|at| self.is(at + 2, "min") && at + 3 == end);
        let last = timed.unwrap_or(end);
        if self.is(0, "never") {
            return Ok((self.part(1, end)?.not().globally(), Counts::Nothing));
        }
        if self.is(0, "at") && self.is(1, "most") {
            let (most, a) = (self.number(2, MAX_COUNT)?, self.part(3, last)?);
            return Ok(match self.late(timed, &a, Some(most as usize))? {
                Some(late) => (late.implies(a.not()).globally(), Counts::Nothing),
                None => (a.at_most(most), Counts::Mentioned),
            });
        }
        if let (true, Some(never)) = (self.is(0, "after"), self.find("never")) {
            let (a, b) = (self.part(1, never)?, self.part(never + 1, end)?);
            return Ok((a.implies(b.not().globally().next()).globally(), Counts::Nothing));
        }
        if let Some(at) = self.find("needs") {
            let since = self.find("since").unwrap_or(last);
            let (a, b) = (self.part(0, at)?, self.part(at + 1, since)?);
            let mut formula = needs(&a, &b);
            if since < last {
                formula = formula.and(self.part(since + 1, last)?.implies(needs(&a, &b).next()).globally());
            }
            if let Some(late) = self.late(timed, &b, None)? {
                formula = formula.and(late.implies(needs(&a, &b)).globally());
            }
            return Ok((formula, Counts::Nothing));
        }
        if let Some(at) = within
            && !self.is(at + 2, "calls")
        {
            let help = "write `within 5 calls`; `within 10 min` goes with `A needs B` and `at most N A` alone";
            return self.fault(at, "`within` has no number of calls", help);
        }
        if let Some(at) = self.find("then") {
            let a = self.part(0, at)?;
            if let Some(within) = within {
                let (b, calls) = (self.part(at + 1, within)?, self.number(within + 1, MAX_COUNT)?);
                return Ok((a.implies(soon(&b, calls)).globally(), Counts::All));
            }
            if end < 2 || !self.is(end - 2, "before") || !self.is(end - 1, "stop") {
                let help = "end it with `before stop` or `within 5 calls`";
                return self.fault(at, "`then` does not say until when", help);
            }
            return Ok((a.implies(self.part(at + 1, end - 2)?.finally()).globally(), Counts::Nothing));
        }
        if let Some(at) = within {
            let (a, calls) = (self.part(0, at)?, self.number(at + 1, MAX_COUNT)?);
            return Ok((soon(&a, calls), Counts::All));
        }
        let help = format!("{FORMS}; a formula goes in `formula`");
        Err(vec![(0..self.text.len(), "this is not a form of a law".into(), help)])
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.words.get(at).is_some_and(|span| self.text[span.clone()] == *word)
    }

    fn find(&self, word: &str) -> Option<usize> {
        (0..self.words.len()).find(|at| self.is(*at, word))
    }

    fn fault<T>(&self, at: usize, message: &str, help: &str) -> Result<T, Vec<Fault>> {
        let end = self.text.len();
        let span = self.words.get(at).cloned().unwrap_or(end..end);
        Err(vec![(span, message.to_owned(), help.to_owned())])
    }

    /// The proposition that a call is late, for a law with a time.
    fn late(&mut self, timed: Option<usize>, of: &Formula, most: Option<usize>) -> Result<Option<Formula>, Vec<Fault>> {
        let Some(at) = timed else { return Ok(None) };
        let minutes = self.number(at + 1, MAX_MINUTES)?;
        if self.parameter.is_some() {
            return self.fault(at, "a law with a parameter cannot have a time", "write `_` for any object");
        }
        let name: Arc<str> = format!("late({minutes} min)").into();
        self.atoms.insert(name.clone(), Atom::Mark);
        self.clock = Some(Clock { minutes, of: of.clone(), most });
        Ok(Some(Formula::atom(name)))
    }

    fn number(&self, at: usize, most: u32) -> Result<u32, Vec<Fault>> {
        let number = self.words.get(at).and_then(|span| self.text[span.clone()].parse().ok());
        match number.filter(|number| *number <= most) {
            Some(number) => Ok(number),
            None => self.fault(at, &format!("a number from 0 to {most} is missing"), "write 3"),
        }
    }

    /// The Boolean formula of some words.
    fn part(&mut self, from: usize, to: usize) -> Result<Formula, Vec<Fault>> {
        if from >= to {
            let example = self.catalogue.actions.keys().next().map_or("push", |action| action);
            return self.fault(from, "a call is missing here", &format!("name a call, such as `{example}`"));
        }
        let span = self.words[from].start..self.words[to - 1].end;
        let formula = self.formula(span.clone())?;
        match formula.is_boolean() {
            true => Ok(formula),
            false => {
                let help = "write calls and facts joined by `&`, `|` and `!`; a temporal law goes in `formula`";
                Err(vec![(span, "this part of a form looks at other calls".into(), help.into())])
            }
        }
    }

    fn formula(&mut self, span: Range<usize>) -> Result<Formula, Vec<Fault>> {
        let text = &self.text[span.clone()];
        let place = |part: Range<usize>| span.start + part.start..span.start + part.end;
        let fault = |error: &SyntaxError| {
            let help = error.suggestion.as_ref().map(|meant| format!("did you mean `{meant}`?"));
            let help = help.unwrap_or_else(|| "actions and facts come from [[call]] tables".to_owned());
            (place(error.span.clone()), error.message.clone(), help)
        };
        let faults = |error: SyntaxError| error.all().map(fault).collect::<Vec<_>>();
        let formula = syntax::parse(text).map_err(faults)?;
        let mut wrong = Vec::new();
        for (name, at) in syntax::propositions(text).map_err(faults)? {
            match Atom::read(&name, self.catalogue, &mut self.parameter, &like) {
                Ok(atom) => drop(self.atoms.insert(name, atom)),
                Err((message, help)) => wrong.push((place(at), message, help)),
            }
        }
        if wrong.is_empty() { Ok(formula) } else { Err(wrong) }
    }
}

/// The laws whose time is over for a call after the letters of a session and others.
pub fn late(laws: &[GuardLaw], word: &Word, earlier: &[Letter]) -> Vec<Arc<str>> {
    let is_late = |law: &&GuardLaw| -> Option<bool> {
        let clock = law.clock.as_ref()?;
        let (surely, perhaps) = word.within(clock.minutes)?;
        let holds = |letter: &&Letter| {
            let of = &mut |name: &Arc<str>, helps: bool| {
                let atom = law.object.atoms.get(name);
                let (surely, perhaps) = atom.map_or((false, false), |atom| atom.occurs(letter, None));
                let holds = if helps { surely } else { perhaps };
                if holds { Formula::True } else { Formula::False }
            };
            pessimistic(&clock.of, clock.most.is_none(), of).without_constants() == Formula::True
        };
        let start = if clock.most.is_none() { surely } else { perhaps };
        let calls = word.iter().skip(start).chain(earlier).filter(holds);
        Some(calls.take(clock.most.unwrap_or(1)).count() == clock.most.unwrap_or_default())
    };
    laws.iter().filter(|law| is_late(law) == Some(true)).map(|law| law.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::semantics::satisfies;

    use super::*;

    fn catalogue() -> Catalogue {
        let actions =
            [("push", vec![]), ("test", vec![]), ("write", vec!["file".to_owned()]), ("read", vec!["file".to_owned()])];
        Catalogue {
            actions: actions.into_iter().map(|(name, parameters)| (name.into(), parameters)).collect(),
            facts: [("green".into(), vec!["test".into()])].into(),
        }
    }

    #[test]
    fn each_form_is_its_formula() {
        for (text, formula, counts) in [
            ("never push & green", "G!(push & green)", Counts::Nothing),
            ("push needs test & green", "!push W (test & green)", Counts::Nothing),
            ("push needs test since write", "(!push W test) & G(write -> X(!push W test))", Counts::Nothing),
            ("write then test before stop", "G(write -> F test)", Counts::Nothing),
            ("write then test within 1 calls", "G(write -> test | X test)", Counts::All),
            ("test within 2 calls", "test | X(test | X test)", Counts::All),
            ("at most 1 push", "at_most(1, push)", Counts::Mentioned),
            ("at most 0 (push | test)", "at_most(0, push | test)", Counts::Mentioned),
            (
                "push needs test since write within 10 min",
                r#"(!push W test) & G(write -> X(!push W test)) & G("late(10 min)" -> (!push W test))"#,
                Counts::Nothing,
            ),
            ("at most 3 push within 60 min", r#"G("late(60 min)" -> !push)"#, Counts::Nothing),
            ("after read(?f) never \"write(*.env)\"", r#"G(read(?f) -> X G!"write(*.env)")"#, Counts::Nothing),
        ] {
            let (parsed, _) = parse_rule(text, &catalogue()).unwrap();
            let found = &parsed.law.formula;
            assert_eq!(*found, formula.parse().unwrap(), "{text}: {found}");
            assert_eq!(parsed.counts, counts, "{text}");
        }
        let (parsed, _) = parse_formula("G(write(?f) -> X F(test | read(?f)))", &catalogue()).unwrap();
        assert_eq!(parsed.parameter.as_deref(), Some("f"));
        assert_eq!(parsed.counts, Counts::All);
        assert_eq!(parsed.atoms.len(), 3);
    }

    /// `within` is weak: a session that ends sooner keeps the law. The verifier's `F[<=2]` is strong.
    #[test]
    fn a_session_may_end_within_the_number_of_calls() {
        let strong: Formula = "F[<=2] test".parse().unwrap();
        let within = parse_rule("test within 2 calls", &catalogue()).unwrap().0.law.formula;
        for (session, weak_holds, strong_holds) in [
            // The first letter is the start of the session.
            (&["", "push"][..], true, false),
            (&["", "push", "test"], true, true),
            (&["", "push", "push"], false, false),
        ] {
            let word: Vec<Vec<&str>> = session.iter().map(|name| vec![*name]).collect();
            assert_eq!(satisfies(&within, &word), weak_holds, "{session:?}");
            assert_eq!(satisfies(&strong, &word), strong_holds, "{session:?}");
        }
    }

    #[test]
    fn errors_tell_what_would_be_right() {
        for (text, at, help) in [
            ("never psh", 6..9, "did you mean `push`?"),
            ("push need test", 0..14, "write `never A`"),
            ("never", 5..5, "name a call"),
            ("push needs", 10..10, "name a call"),
            ("write then test", 6..10, "end it with `before stop`"),
            ("test within push", 5..11, "write `within 5 calls`"),
            ("at most many push", 8..12, "write 3"),
            ("never wrote(?f)", 6..15, "did you mean `write`?"),
            ("never write(?a, ?b)", 6..19, "write write(?file)"),
            ("write(?a) needs read(?b)", 16..24, "a law has one parameter"),
            ("never \"write([)\"", 6..16, "write a pattern"),
            ("never F push", 6..12, "write calls and facts"),
            ("write then test within 10 min", 16..22, "write `within 5 calls`; `within 10 min` goes with"),
            ("push needs read(?f) within 10 min", 20..26, "write `_` for any object"),
            ("push needs test within 20000 min", 23..28, "write 3"),
        ] {
            let faults = parse_rule(text, &catalogue()).unwrap_err();
            assert!(faults[0].2.starts_with(help), "{text}: {faults:?}");
            assert_eq!(faults[0].0, at, "{text}");
        }
    }
}
