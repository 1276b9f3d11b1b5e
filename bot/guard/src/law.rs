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
//! | `at most N A` | `!F(A & X[!] F(A & …))`, with N + 1 `A` |
//! | `after A never B` | `G(A -> X G !B)` |
//!
//! `A`, `B` and `C` are Boolean: calls such as `write`, `write(?file)`, `write("*.env")` or `copy(_, ?to)`, and facts such
//! as `green`. A law with a parameter holds for each object that occurs.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use globset::{Glob, GlobMatcher};
use ltlcrit_laws::Place;
use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::syntax::{self, SyntaxError, nearest_name};
use ltlcrit_verifier::{Formula, Vocabulary};

use crate::expression::Fault;

/// The largest number in `at most N` and `within N calls`.
const MOST: usize = 50;
/// The longest law that is read, in bytes.
pub const MAX_LAW: usize = 4096;
const FORMS: &str = "write `never A`, `A needs B`, `A needs B since C`, `A then B before stop`, `A then B within N calls`, \
                     `A within N calls`, `at most N A` or `after A never B`";

/// What is done when a law forbids a call.
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

/// The calls and facts that laws speak of.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// The actions, each with its parameters.
    pub actions: BTreeMap<Arc<str>, Vec<String>>,
    /// The facts, each with the actions whose result may make it true.
    pub facts: BTreeMap<Arc<str>, Vec<Arc<str>>>,
}

/// An argument of a call in a law.
#[derive(Clone, Debug)]
pub enum Argument {
    /// `_`: any object.
    Any,
    /// `?file`: the object that the law is about.
    Parameter,
    /// `"*.env"`: the objects that a pattern matches.
    Pattern(GlobMatcher),
}

/// A proposition of a law.
#[derive(Clone, Debug)]
pub enum Atom {
    /// A call of an action.
    Call {
        /// The action.
        action: Arc<str>,
        /// Its arguments, as many as the action has parameters.
        arguments: Vec<Argument>,
    },
    /// A fact that the result of the same letter's call makes true.
    Fact(Arc<str>),
}

/// Whether a law counts, so that two calls in a row are not the same as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// It does not.
    Nothing,
    /// It counts the calls that it mentions.
    Mentioned,
    /// It counts all calls.
    All,
}

/// A law of a guard.
#[derive(Clone, Debug)]
pub struct GuardLaw {
    /// Its name, unique in the book.
    pub id: Arc<str>,
    /// The law as the book writes it.
    pub written: String,
    /// The formula.
    pub formula: Formula,
    /// The propositions of the formula.
    pub atoms: BTreeMap<Arc<str>, Atom>,
    /// The parameter, if it has one.
    pub parameter: Option<String>,
    /// Whether it counts.
    pub counts: Counts,
    /// What is done when it forbids a call.
    pub otherwise: Otherwise,
    /// Hard or soft.
    pub strength: Strength,
    /// Why, in English, or the law itself.
    pub explanation: Arc<str>,
    /// Where it stands in the book.
    pub place: Place,
}

/// A formula with what its propositions mean.
#[derive(Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// The propositions.
    pub atoms: BTreeMap<Arc<str>, Atom>,
    /// The parameter.
    pub parameter: Option<String>,
    /// Whether it counts.
    pub counts: Counts,
}

/// Reads a law in one of the readable forms.
///
/// # Errors
/// All faults that are found, each with its bytes.
pub fn parse_rule(text: &str, catalogue: &Catalogue) -> Result<Parsed, Vec<Fault>> {
    let reader = Reader::new(text, catalogue)?;
    let words = reader.words();
    let (formula, counts) = form(&reader, &words)?;
    Ok(reader.parsed(&formula, counts))
}

/// Reads a law as a formula.
///
/// # Errors
/// All faults that are found, each with its bytes.
pub fn parse_formula(text: &str, catalogue: &Catalogue) -> Result<Parsed, Vec<Fault>> {
    let reader = Reader::new(text, catalogue)?;
    let formula = reader.formula(0..text.len())?;
    let counts = if looks_ahead(&formula) { Counts::All } else { Counts::Nothing };
    Ok(reader.parsed(&formula, counts))
}

fn looks_ahead(formula: &Formula) -> bool {
    matches!(formula, Formula::Next(_) | Formula::StrongNext(_)) || formula.children().any(looks_ahead)
}

type Words<'a> = [(Range<usize>, &'a str)];

fn form(reader: &Reader<'_>, words: &Words<'_>) -> Result<(Formula, Counts), Vec<Fault>> {
    let find = |word: &str| words.iter().position(|(_, other)| *other == word);
    let first = words.first().map_or("", |(_, word)| *word);
    let starts = |at: usize, word: &str| words.get(at).is_some_and(|(_, other)| *other == word);
    let part = |from: usize, to: usize| reader.part(words, from, to);
    let end = words.len();
    let needs = |a: &Formula, b: &Formula| a.clone().not().weak_until(b.clone());
    if first == "never" {
        return Ok((part(1, end)?.not().globally(), Counts::Nothing));
    }
    if first == "at" && starts(1, "most") {
        let (most, a) = (reader.number(words, 2)?, part(3, end)?);
        let again = |rest: Formula| a.clone().and(rest.strong_next()).finally();
        let more = (0..most).fold(a.clone().finally(), |rest, _| again(rest));
        return Ok((more.not(), Counts::Mentioned));
    }
    if let ("after", Some(never)) = (first, find("never")) {
        let (a, b) = (part(1, never)?, part(never + 1, end)?);
        return Ok((a.implies(b.not().globally().next()).globally(), Counts::Nothing));
    }
    if let Some(at) = find("needs") {
        let since = find("since").unwrap_or(end);
        let (a, b) = (part(0, at)?, part(at + 1, since)?);
        let formula = match since < end {
            true => needs(&a, &b).and(part(since + 1, end)?.implies(needs(&a, &b).next()).globally()),
            false => needs(&a, &b),
        };
        return Ok((formula, Counts::Nothing));
    }
    let within = find("within");
    if let Some(at) = within
        && !starts(at + 2, "calls")
    {
        return Err(vec![(
            reader.span(words, at),
            "`within` has no number of calls".into(),
            "write `within 5 calls`".into(),
        )]);
    }
    if let Some(at) = find("then") {
        let a = part(0, at)?;
        if let Some(within) = within {
            let (b, calls) = (part(at + 1, within)?, reader.number(words, within + 1)?);
            return Ok((a.implies(soon(&b, calls)).globally(), Counts::All));
        }
        if !(end >= 2 && starts(end - 2, "before") && starts(end - 1, "stop")) {
            let help = "end it with `before stop` or `within 5 calls`".into();
            return Err(vec![(reader.span(words, at), "`then` does not say until when".into(), help)]);
        }
        return Ok((a.implies(part(at + 1, end - 2)?.finally()).globally(), Counts::Nothing));
    }
    if let Some(at) = within {
        let (a, calls) = (part(0, at)?, reader.number(words, at + 1)?);
        return Ok((soon(&a, calls), Counts::All));
    }
    Err(vec![(
        0..reader.text.len(),
        "this is not a form of a law".into(),
        format!("{FORMS}; a formula goes in `formula`"),
    )])
}

/// `a` at one of the next `calls` letters, or this one.
fn soon(a: &Formula, calls: usize) -> Formula {
    (0..calls).fold(a.clone(), |later, _| a.clone().or(later.next()))
}

struct Reader<'a> {
    /// The text with a word in place of each call that has arguments, of the same length.
    text: String,
    catalogue: &'a Catalogue,
    /// The propositions in the text, by the word that stands for them.
    known: BTreeMap<Arc<str>, (Arc<str>, Atom)>,
    vocabulary: Vocabulary,
    parameter: Option<String>,
}

impl<'a> Reader<'a> {
    fn new(text: &str, catalogue: &'a Catalogue) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut known: BTreeMap<Arc<str>, (Arc<str>, Atom)> = BTreeMap::new();
        for (action, parameters) in &catalogue.actions {
            let arguments = parameters.iter().map(|_| Argument::Any).collect();
            known.insert(action.clone(), (action.clone(), Atom::Call { action: action.clone(), arguments }));
        }
        for fact in catalogue.facts.keys() {
            known.insert(fact.clone(), (fact.clone(), Atom::Fact(fact.clone())));
        }
        let (mut plain, mut parameter, mut number) = (text.to_owned(), None, 0_usize);
        let mut at = 0;
        while let Some(call) = next_call(text, at) {
            at = call.span.end;
            match atom(text, &call, catalogue, &mut parameter) {
                Ok((name, atom)) => {
                    let width = call.span.len();
                    let stand_in = loop {
                        let word = format!("{:_<width$}", format!("z{number}"));
                        number += 1;
                        if !known.contains_key(word.as_str()) && word.len() == width {
                            break word;
                        }
                        if number > 999 {
                            return Err(vec![(call.span, "the law has too many calls".into(), "split it".into())]);
                        }
                    };
                    plain.replace_range(call.span, &stand_in);
                    known.insert(stand_in.into(), (name, atom));
                }
                Err(fault) => faults.push(fault),
            }
        }
        let vocabulary = Vocabulary::plain("book", known.keys().cloned())
            .map_err(|error| vec![(0..text.len(), error.to_string(), "use fewer calls and facts".into())])?;
        match faults.is_empty() {
            true => Ok(Self { text: plain, catalogue, known, vocabulary, parameter }),
            false => Err(faults),
        }
    }

    /// The words outside parentheses, each with its bytes.
    fn words(&self) -> Vec<(Range<usize>, &str)> {
        let (mut words, mut depth, mut start) = (Vec::new(), 0_usize, None);
        for (at, c) in self.text.char_indices().chain([(self.text.len(), ' ')]) {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            match (c.is_whitespace() && depth == 0, start) {
                (true, Some(from)) => {
                    words.push((from..at, &self.text[from..at]));
                    start = None;
                }
                (false, None) => start = Some(at),
                _ => {}
            }
        }
        words
    }

    fn span(&self, words: &Words<'_>, at: usize) -> Range<usize> {
        words.get(at).map_or(self.text.len()..self.text.len(), |(span, _)| span.clone())
    }

    fn number(&self, words: &Words<'_>, at: usize) -> Result<usize, Vec<Fault>> {
        let number = words.get(at).and_then(|(_, word)| word.parse().ok()).filter(|number| *number <= MOST);
        number.ok_or_else(|| {
            vec![(self.span(words, at), format!("a number from 0 to {MOST} is missing"), "write 3".into())]
        })
    }

    /// The Boolean formula of some words.
    fn part(&self, words: &Words<'_>, from: usize, to: usize) -> Result<Formula, Vec<Fault>> {
        if from >= to {
            let help = format!("name a call, such as `{}`", self.catalogue.actions.keys().next().map_or("push", |a| a));
            return Err(vec![(self.span(words, from), "a call is missing here".into(), help)]);
        }
        let span = words[from].0.start..words[to - 1].0.end;
        let formula = self.formula(span.clone())?;
        match formula.is_boolean() {
            true => Ok(formula),
            false => {
                let help = "write calls and facts joined by `&`, `|` and `!`; a temporal law goes in `formula`";
                Err(vec![(span, "this part of a form looks at other calls".into(), help.into())])
            }
        }
    }

    fn formula(&self, span: Range<usize>) -> Result<Formula, Vec<Fault>> {
        let fault = |error: &SyntaxError| {
            let message =
                error.message.replace("is not a proposition of the vocabulary `book`", "is not a call or a fact");
            let help = match &error.suggestion {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "actions and facts come from [[call]] tables".to_owned(),
            };
            (span.start + error.span.start..span.start + error.span.end, message, help)
        };
        syntax::parse_over(&self.text[span.clone()], &self.vocabulary).map_err(|error| error.all().map(fault).collect())
    }

    fn parsed(self, formula: &Formula, counts: Counts) -> Parsed {
        let mut atoms = BTreeMap::new();
        let formula = formula.with_atoms(&mut |word| match self.known.get(word) {
            Some((name, atom)) => {
                atoms.insert(name.clone(), atom.clone());
                Formula::atom(name.clone())
            }
            None => Formula::atom(word.clone()),
        });
        Parsed { formula, atoms, parameter: self.parameter, counts }
    }
}

/// A name with arguments in a text.
struct Call {
    span: Range<usize>,
    name: Range<usize>,
}

/// The next name that is directly followed by `(` and is not an operator.
fn next_call(text: &str, from: usize) -> Option<Call> {
    let continues = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = from;
    loop {
        let start = at + text[at..].find(continues)?;
        let end = text[start..].find(|c| !continues(c)).map_or(text.len(), |end| start + end);
        at = end;
        let name = &text[start..end];
        let is_operator = name.chars().all(|c| "GFXUWRM".contains(c)) || name == "xor";
        if is_operator || !text[end..].starts_with('(') {
            continue;
        }
        let mut quote = None;
        for (offset, c) in text[end..].char_indices() {
            match (quote, c) {
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), c) if open == c => quote = None,
                (None, ')') => return Some(Call { span: start..end + offset + 1, name: start..end }),
                _ => {}
            }
        }
        return Some(Call { span: start..text.len(), name: start..end });
    }
}

fn atom(
    text: &str,
    call: &Call,
    catalogue: &Catalogue,
    parameter: &mut Option<String>,
) -> Result<(Arc<str>, Atom), Fault> {
    let name = &text[call.name.clone()];
    let Some((action, parameters)) = catalogue.actions.get_key_value(name) else {
        let help = match nearest_name(name, catalogue.actions.keys().map(|action| &**action)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "actions come from [[call]] tables".to_owned(),
        };
        return Err((call.name.clone(), format!("`{name}` is not an action of this book"), help));
    };
    let Some(inner) = text[call.name.end + 1..call.span.end].strip_suffix(')') else {
        return Err((call.span.clone(), "`)` is missing".into(), "close the arguments".into()));
    };
    let parts: Vec<&str> = split_arguments(inner);
    if parts.len() != parameters.len() {
        let example = parameters.iter().map(|one| format!("?{one}")).collect::<Vec<_>>().join(", ");
        let help = if example.is_empty() { format!("write {name}") } else { format!("write {name}({example})") };
        let message = format!("`{name}` has {} parameters, and {} are given", parameters.len(), parts.len());
        return Err((call.span.clone(), message, help));
    }
    let (mut arguments, mut names) = (Vec::new(), Vec::new());
    for part in parts {
        let (argument, name) = if part == "_" {
            (Argument::Any, part.to_owned())
        } else if let Some(name) = part.strip_prefix('?') {
            if parameter.as_ref().is_some_and(|known| known != name) {
                let message = format!("the law has a second parameter, `?{name}`");
                return Err((call.span.clone(), message, "a law has one parameter; write `_` for any object".into()));
            }
            *parameter = Some(name.to_owned());
            (Argument::Parameter, part.to_owned())
        } else {
            let pattern = part.trim_matches(['"', '\'']);
            let glob = Glob::new(pattern).map_err(|error| {
                let message = format!("the pattern `{pattern}` cannot be read: {}", error.kind());
                (call.span.clone(), message, "write \"*.env\"".to_owned())
            })?;
            (Argument::Pattern(glob.compile_matcher()), format!("{pattern:?}"))
        };
        arguments.push(argument);
        names.push(name);
    }
    let name = if names.is_empty() { name.to_owned() } else { format!("{name}({})", names.join(", ")) };
    Ok((name.into(), Atom::Call { action: action.clone(), arguments }))
}

/// The arguments between commas that no quotes enclose.
fn split_arguments(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quote) = (Vec::new(), 0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, ',') => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

#[cfg(test)]
mod tests {
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
            ("at most 1 push", "!F(push & X[!] F push)", Counts::Mentioned),
            ("at most 0 (push | test)", "!F(push | test)", Counts::Mentioned),
            ("after read(?f) never write(\"*.env\")", r#"G("read(?f)" -> X G!"write(\"*.env\")")"#, Counts::Nothing),
        ] {
            let parsed = parse_rule(text, &catalogue()).unwrap();
            assert_eq!(parsed.formula, formula.parse().unwrap(), "{text}: {}", parsed.formula);
            assert_eq!(parsed.counts, counts, "{text}");
        }
        let parsed = parse_formula("G(write(?f) -> X F(test | read(?f)))", &catalogue()).unwrap();
        assert_eq!(parsed.parameter.as_deref(), Some("f"));
        assert_eq!(parsed.counts, Counts::All);
        assert_eq!(parsed.atoms.len(), 3);
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
            ("never wrote(?f)", 6..11, "did you mean `write`?"),
            ("never write(?a, ?b)", 6..19, "write write(?file)"),
            ("write(?a) needs read(?b)", 16..24, "a law has one parameter"),
            ("never write(\"[\")", 6..16, "write \"*.env\""),
            ("never F push", 6..12, "write calls and facts"),
        ] {
            let faults = parse_rule(text, &catalogue()).unwrap_err();
            assert!(faults[0].2.starts_with(help), "{text}: {faults:?}");
            assert_eq!(faults[0].0, at, "{text}");
        }
    }
}
