//! The decision on a tool call: a pure function of the book, the letters of the session, and the call.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::monitor::Monitor;
use ltlcrit_verifier::objects::{self, Encoded, Events, Ground, Instances};
use ltlcrit_verifier::shield::Lift;
use ltlcrit_verifier::{ActionId, Judgement, Law, PropSet, Verdict};
use ltlcrit_worlds::is_unshown;

use crate::book::{Book, by_strictness};
use crate::call::Calls;
use crate::expression::Pattern;
use crate::law::{GuardLaw, Otherwise, late};
use crate::letter::{Letter, OTHER, Word};

/// Maximum length of advice, in calls.
const MAX_ADVICE: usize = 4;
/// Maximum length of a forbidden run, in calls.
const MAX_RUN: usize = 60;
/// Maximum number of letters that are read to find a forbidden run.
const MAX_WORK: usize = 4_000;

/// The decision on a call: the reason that laws forbid it, if they do; an error if that could not be decided.
pub type Decision = Result<Option<Refusal>, String>;

/// The reason that laws forbid a call, and the calls that lift it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The consequence, by the strictest of the laws.
    pub otherwise: Otherwise,
    /// The ids of the laws.
    pub laws: Vec<Arc<str>>,
    /// The call, or `the end of the session`.
    pub call: String,
    /// The reason for the law.
    pub explanation: String,
    /// The call of the session since which it is forbidden, with its number.
    pub since: Option<(usize, String)>,
    /// Calls that lift it.
    pub lifted_by: Advice,
}

/// Calls after which a refused call would be allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// These calls, in this order.
    Calls(Vec<String>),
    /// There are none.
    Nothing,
    /// None were found.
    Unknown,
}

/// Three lines: the law, since which call, and what lifts it.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let laws = self.laws.join(", ");
        let word = if self.laws.len() == 1 { "law" } else { "laws" };
        writeln!(f, "{} is forbidden by the {word} {laws}: {}", self.call, one_line(&self.explanation))?;
        match &self.since {
            Some((number, call)) => writeln!(f, "Since call {number}: {call}.")?,
            None => writeln!(f, "Since the session began.")?,
        }
        match &self.lifted_by {
            Advice::Calls(calls) => write!(f, "To lift it: {}.", calls.join(", then ")),
            Advice::Nothing => f.write_str("Nothing lifts it."),
            Advice::Unknown => f.write_str("No short way to lift it was found."),
        }
    }
}

/// A text for people: characters that a terminal would obey are replaced, except line breaks and tabs.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| ltlcrit_worlds::visible(c, &['\n', '\t'])).collect()
}

/// A text without line breaks, cut to 300 characters.
pub fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if is_unshown(c) { ' ' } else { c }).collect();
    match clean.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}

/// Laws, each with the number of the book's law.
type Laws = Vec<(usize, Law)>;

/// The laws as earlier decisions in one session, by one book, wrote them out, with their states. It saves time alone: a
/// decision does not depend on it.
#[derive(Default)]
pub struct Memory(objects::Memory);

impl Memory {
    /// Decides a tool call after the letters of a session. A shell command is decided part by part.
    ///
    /// # Errors
    /// Why it could not be decided.
    pub fn decide(&mut self, book: &Book, word: &Word, calls: &Calls<'_>) -> Decision {
        let mut coming = calls.coming();
        for (at, letter) in coming.iter_mut().enumerate().filter(|_| book.has_clock()) {
            letter.marks = late(&book.laws, word, &calls.before(at));
        }
        let known = self.0.ground(&book.object_laws(), &book.catalogue, word, &coming);
        let (ground, known) = known.map_err(|error| error.to_string())?;
        let ground = &*ground;
        let tiers = by_strictness(&book.laws);
        let mut forbidden = |tier: usize| -> Result<Option<(usize, Laws)>, String> {
            let instances = match known.entry(tier) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    new.insert(Instances::new(ground, &tiers[tier].1).map_err(|error| error.to_string())?)
                }
            };
            for (at, letter) in coming.iter().enumerate() {
                let judged = instances.go_to(ground, word, &calls.before(at));
                match judged.and_then(|()| instances.judge(ground, letter)).map_err(|error| error.to_string())? {
                    Judgement::Allowed => {}
                    Judgement::Blocked { laws, .. } => {
                        let laws = instances.laws.iter().filter(|(_, law)| laws.contains(&law.id)).cloned();
                        return Ok(Some((at, laws.collect())));
                    }
                    Judgement::Undecided { why } => return Err(format!("the laws could not be decided: {why}")),
                    Judgement::Ended => return Err("the session has ended".into()),
                }
            }
            Ok(None)
        };
        // The last tier has all laws. What all of them allow together, some of them do, unless soft ones give way. Laws of
        // the first tier that forbid a call there forbid it in their own tier, too.
        let is_hard = book.laws.iter().all(|law| law.object.law.strength == Strength::Hard);
        let last = tiers.len().saturating_sub(1);
        let by_all = if is_hard && last > 0 { forbidden(last).ok() } else { None };
        let mut found = match by_all {
            Some(None) => return Ok(None),
            Some(Some((at, laws))) if laws.iter().all(|(law, _)| tiers[0].1.contains(law)) => Some((last, 0, at, laws)),
            _ => None,
        };
        for tier in 0..tiers.len() {
            if found.is_none() {
                found = forbidden(tier)?.map(|(at, laws)| (tier, tier, at, laws));
            }
        }
        let Some((place, tier, at, laws)) = found else { return Ok(None) };
        let (instances, earlier) = (known.get_mut(&place).ok_or("no laws")?, calls.before(at));
        let known = |at: usize| Some((word.call(at), word.get(at).or_else(|| earlier.get(at - word.len()))?));
        Adviser { book, ground, instances }.refusal(&known, &coming[at], &laws, tiers[tier].0).map(Some)
    }
}

/// The laws that would not hold if the session ended now, each with what it lacks.
pub fn owed(book: &Book, word: &Word) -> Result<Vec<Refusal>, String> {
    let text = |error: objects::ObjectError| error.to_string();
    let ground = Ground::new(&book.object_laws(), &book.catalogue, word, &[]).map_err(text)?;
    let read = |laws: Laws| -> Result<Instances, objects::ObjectError> {
        let mut instances = Instances::over(&ground, laws)?;
        instances.go_to(&ground, word, &[]).map(|()| instances)
    };
    let owed = read(ground.laws.clone()).map_err(text)?.shield.obligations();
    let mut found: Vec<Refusal> = Vec::new();
    for (number, law) in ground.laws.iter().filter(|(_, law)| owed.contains(&law.id)) {
        let mut instances = read(vec![(*number, law.clone())]).map_err(text)?;
        let mut adviser = Adviser { book, ground: &ground, instances: &mut instances };
        let lifted_by = ground.vocabulary.stop().map_or(Advice::Unknown, |stop| adviser.advice(stop));
        let explanation = law.explanation.to_string();
        let (call, laws) = ("The end of the session".to_owned(), vec![law.id.clone()]);
        let otherwise = book.laws[*number].otherwise;
        found.push(Refusal { otherwise, laws, call, explanation, since: None, lifted_by });
    }
    Ok(found)
}

/// The laws that the letters broke, each with the number of the first that did.
///
/// # Errors
/// Why the laws cannot be followed.
pub fn broken(book: &Book, word: &Word) -> Result<Vec<(Arc<str>, usize)>, String> {
    let text = |error: objects::ObjectError| error.to_string();
    let ground =
        Ground::new(&book.object_laws(), &book.catalogue, &Events::default(), word.distinct()).map_err(text)?;
    let Instances { mut shield, .. } = Instances::over(&ground, ground.laws.clone()).map_err(text)?;
    let mut found: Vec<(Arc<str>, usize)> = Vec::new();
    for (at, letter) in word.iter().enumerate() {
        let (action, observations) = ground.encode(letter).map_err(text)?;
        for law in shield.step(action, observations).map_err(|fault| fault.to_string())? {
            if found.iter().all(|(known, _)| *known != law) {
                found.push((law, at + 1));
            }
        }
    }
    Ok(found)
}

/// The shortest run that a law forbids, if there is a short one: the calls, and `stop` if it may not end there.
pub fn forbidden_run(book: &Book, law: &GuardLaw) -> Option<Vec<String>> {
    let object = |parameter: &String| format!("?{parameter}");
    let coming: Vec<Letter> = book
        .catalogue
        .actions
        .iter()
        .map(|(action, parameters)| {
            let object = law.object.parameter.as_ref().map_or_else(|| "x".to_owned(), object);
            let objects = vec![object; parameters.len()];
            let marks = law.clock.iter().map(|_| law.id.clone()).collect();
            Letter { action: action.to_string(), objects, surely: true, marks, ..Letter::default() }
        })
        .collect();
    let ground = Ground::new(&[&law.object], &book.catalogue, &Events::default(), &coming).ok()?;
    let vocabulary = ground.vocabulary.clone();
    let (_, instance) = ground.laws.first()?;
    let mut monitor = Monitor::new(&instance.formula, vocabulary.clone()).ok()?;
    monitor.advance(&ltlcrit_verifier::Letter::initial(PropSet::EMPTY));
    let mentioned: PropSet = monitor.propositions().iter().copied().collect();
    // One of the calls that the law reads alike is tried.
    let mut letters: Vec<(ltlcrit_verifier::Letter, Encoded)> = Vec::new();
    for call in ground.possible() {
        let letter = ltlcrit_verifier::Letter::after(&vocabulary, call.0, call.1);
        if letters.iter().all(|(known, _)| known.0.intersection(&mentioned) != letter.0.intersection(&mentioned)) {
            letters.push((letter, call));
        }
    }
    let mut seen = BTreeSet::from([monitor.state()]);
    let mut queue = VecDeque::from([(monitor.state(), Vec::new())]);
    let mut work = 0;
    while let Some((state, run)) = queue.pop_front().filter(|(_, run)| run.len() < MAX_RUN) {
        for (letter, call) in &letters {
            work += 1;
            monitor.go_to(state);
            let verdict = monitor.advance(letter);
            let longer: Vec<Encoded> = run.iter().chain([call]).copied().collect();
            if verdict == Verdict::Violated || !monitor.accepts() {
                let stop = (verdict != Verdict::Violated).then(|| "stop".to_owned());
                return Some(longer.into_iter().map(|call| ground.shown(call)).chain(stop).collect());
            }
            if seen.insert(monitor.state()) {
                queue.push_back((monitor.state(), longer));
            }
        }
        if work > MAX_WORK {
            return None;
        }
    }
    None
}

/// Reasons and advice, from laws that have read a session.
struct Adviser<'a> {
    book: &'a Book,
    ground: &'a Ground,
    instances: &'a mut Instances,
}

impl Adviser<'_> {
    /// The refusal of a call that laws forbid, after letters that are `known` by their place.
    fn refusal<'a>(
        &mut self,
        known: &dyn Fn(usize) -> Option<(usize, &'a Letter)>,
        letter: &Letter,
        laws: &[(usize, Law)],
        otherwise: Otherwise,
    ) -> Result<Refusal, String> {
        let ground = self.ground;
        let encode = |marks: Vec<Arc<str>>, letter: &Letter| {
            let encoded = ground.encode(&Letter { surely: true, marks, ..letter.clone() });
            encoded.map_err(|error| error.to_string())
        };
        let (action, _) = encode(letter.marks.clone(), letter)?;
        let since = self.since(action, known);
        let lifted_by = if letter.marks.is_empty() {
            self.advice(action)
        } else {
            // Time does not come back: a call that is late stands after a letter at which the time is over.
            let (over, none) = encode(letter.marks.clone(), &Letter { action: OTHER.into(), ..Letter::default() })?;
            let (in_time, _) = encode(Vec::new(), letter)?;
            self.instances.shield.step(over, none).map_err(|fault| fault.to_string())?;
            let advice = self.advice(in_time);
            self.instances.restart().map_err(|error| error.to_string())?;
            if advice == Advice::Calls(Vec::new()) { Advice::Calls(vec!["wait".into()]) } else { advice }
        };
        let written = |(number, _): &(usize, Law)| &self.book.laws[*number];
        let explanations: BTreeSet<&str> = laws.iter().map(|(_, law)| &*law.explanation).collect();
        // Laws of one tier forbid it together; the strictest among them says what is done.
        let strictest = laws.iter().map(|law| written(law).otherwise).max();
        let otherwise = strictest.filter(|_| otherwise == Otherwise::Block).unwrap_or(otherwise);
        Ok(Refusal {
            otherwise,
            laws: laws.iter().map(|(_, law)| law.id.clone()).collect(),
            call: letter.to_string(),
            explanation: explanations.into_iter().collect::<Vec<_>>().join(" "),
            since,
            lifted_by,
        })
    }

    /// The last call of the session that makes the laws forbid an action.
    fn since<'a>(
        &mut self,
        action: ActionId,
        known: &dyn Fn(usize) -> Option<(usize, &'a Letter)>,
    ) -> Option<(usize, String)> {
        let explanation = self.instances.shield.explain(action);
        let causes = explanation.laws.iter().flat_map(|law| &law.because);
        let done = causes.filter(|cause| cause.literals.iter().any(|literal| literal.holds)).map(|cause| cause.step);
        let step = done.filter(|step| *step > 0).max()?;
        known(step - 1).map(|(number, letter)| (number, letter.to_string()))
    }

    /// Calls after which an action is allowed.
    fn advice(&mut self, action: ActionId) -> Advice {
        let vocabulary = &self.ground.vocabulary;
        match self.instances.shield.lifted_by(action) {
            Lift::By(letters) if letters.len() <= MAX_ADVICE => {
                let call = |letter: &ltlcrit_verifier::Letter| {
                    Some(self.with_commands((letter.action(vocabulary)?, letter.observations(vocabulary))))
                };
                letters.iter().map(call).collect::<Option<_>>().map_or(Advice::Unknown, Advice::Calls)
            }
            Lift::Never => Advice::Nothing,
            Lift::By(_) | Lift::NotFound => Advice::Unknown,
        }
    }

    /// A call with shell commands that are it: ``test (green), such as `cargo test` or `pytest` ``.
    fn with_commands(&self, call: Encoded) -> String {
        let (shown, name) = (self.ground.shown(call), self.ground.vocabulary.action_name(call.0));
        let rules = self.book.calls.iter().filter(|rule| *rule.action == *name);
        let commands: Vec<String> = rules.flat_map(|rule| &rule.commands).take(2).map(|words| quoted(words)).collect();
        if commands.is_empty() {
            return shown;
        }
        // The last run of the action may have made these facts true, but its exit code did not tell.
        let last = self.instances.latest(self.ground).find(|(action, _)| *action == call.0);
        let is_hidden = last.is_some_and(|(_, facts)| self.ground.hides(*facts, call.1));
        let hint = if is_hidden { ", on its own, with no pipe after it" } else { "" };
        format!("{shown}, such as {}{hint}", commands.join(" or "))
    }
}

/// A shell command of a book, as text in backquotes.
fn quoted(words: &[Pattern]) -> String {
    format!("`{}`", words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
}
