//! The decision on a tool call: a pure function of the book, the letters of the session, and the call.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::monitor::Monitor;
use ltlcrit_verifier::{ActionId, CompiledLaws, Formula, Judgement, Law, PropSet, Shield, ShieldOptions, Verdict};
use ltlcrit_worlds::is_unshown;
use rustc_hash::FxHashMap;

use crate::book::{Book, by_strictness};
use crate::call::Calls;
use crate::expression::Pattern;
use crate::ground::{Alphabet, Ground, Shape, Trackers, late};
use crate::law::{GuardLaw, Otherwise};
use crate::letter::{Letter, OTHER, Word};

/// Bytes for a shield's caches. A process decides one call: it has little to remember, and memory takes time.
const CACHE: usize = 256 << 10;
/// Maximum number of letters that the shields of a [`Memory`] have read, all together.
const MAX_READ: usize = 1_000_000;
/// Maximum length of advice, in calls.
const MAX_ADVICE: usize = 4;
/// Maximum number of letters that are read to find advice.
const MAX_WORK: usize = 4_000;

/// The decision on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// No law forbids it.
    Pass,
    /// Laws forbid it.
    Refused(Refusal),
    /// It could not be decided, for this reason.
    Undecided(String),
}

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

/// Decides a tool call after the letters of a session. A shell command is decided part by part.
pub fn decide(book: &Book, word: &Word, calls: &Calls<'_>) -> Decision {
    Memory::default().decide(book, word, calls)
}

/// The laws as earlier decisions in one session, by one book, wrote them out, with their states. It saves time alone: a
/// decision does not depend on it.
#[derive(Default)]
pub struct Memory {
    trackers: Trackers,
    known: FxHashMap<Shape, (Ground, FxHashMap<usize, Bench>)>,
}

impl Memory {
    /// Decides a tool call, like [`decide`].
    pub fn decide(&mut self, book: &Book, word: &Word, calls: &Calls<'_>) -> Decision {
        self.refusal(book, word, calls)
            .map_or_else(Decision::Undecided, |refusal| refusal.map_or(Decision::Pass, Decision::Refused))
    }

    /// The reason that laws forbid a call, if they do; an error if that is not decided.
    fn refusal(&mut self, book: &Book, word: &Word, calls: &Calls<'_>) -> Result<Option<Refusal>, String> {
        let mut coming = calls.coming();
        for (at, letter) in coming.iter_mut().enumerate().filter(|_| book.has_clock()) {
            letter.late = late(&book.laws, word, &calls.before(at));
        }
        let (alphabet, shape) = Alphabet::after(&book.laws, word, &coming, &mut self.trackers)?;
        if self.known.len() * word.len() > MAX_READ {
            self.known.clear();
        }
        let tiers = by_strictness(&book.laws);
        let (ground, benches) = match self.known.entry(shape) {
            Entry::Occupied(known) => {
                let known = known.into_mut();
                known.0.go_on(alphabet);
                known
            }
            Entry::Vacant(new) => {
                let ground = Ground::over(&book.laws, &book.catalogue, alphabet, new.key().1.clone())?;
                new.insert((ground, FxHashMap::default()))
            }
        };
        ground.encode_all(word)?;
        let mut forbidden = |tier: usize| -> Result<Option<(usize, Laws)>, String> {
            let bench = match benches.entry(tier) {
                Entry::Occupied(bench) => bench.into_mut(),
                Entry::Vacant(new) => new.insert(Bench::new(ground, &tiers[tier].1)?),
            };
            for (at, letter) in coming.iter().enumerate() {
                bench.go_to(ground, word, &calls.before(at))?;
                if let Some(laws) = bench.forbidding(ground, letter)? {
                    return Ok(Some((at, laws)));
                }
            }
            Ok(None)
        };
        // The last tier has all laws. What all of them allow together, some of them do, unless soft ones give way. Laws of
        // the first tier that forbid a call there forbid it in their own tier, too.
        let is_hard = book.laws.iter().all(|law| law.strength == Strength::Hard);
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
        let Some((bench, tier, at, laws)) = found else { return Ok(None) };
        let (bench, earlier) = (benches.get_mut(&bench).ok_or("no laws")?, calls.before(at));
        let known = |at: usize| Some((word.call(at), word.get(at).or_else(|| earlier.get(at - word.len()))?));
        bench.refusal(ground, book, &known, &coming[at], &laws, tiers[tier].0).map(Some)
    }
}

/// The laws that would not hold if the session ended now, each with what it lacks.
pub fn owed(book: &Book, word: &Word) -> Result<Vec<Refusal>, String> {
    let ground = Ground::new(&book.laws, &book.catalogue, word, &[])?;
    let mut bench = Bench::new(&ground, &(0..book.laws.len()).collect::<Vec<_>>())?;
    bench.go_to(&ground, word, &[])?;
    let owed = bench.shield.obligations();
    let mut found: Vec<Refusal> = Vec::new();
    for id in owed {
        let Some((number, law)) = bench.laws.iter().find(|(_, law)| law.id == id).cloned() else { continue };
        let law_of = &book.laws[number];
        let lifted_by = bench.advice(&ground, book, &law.formula, None);
        let (since, explanation) = (None, law_of.explanation.to_string());
        let (call, laws) = ("The end of the session".to_owned(), vec![law.id.clone()]);
        found.push(Refusal { otherwise: law_of.otherwise, laws, call, explanation, since, lifted_by });
    }
    Ok(found)
}

/// The laws that the letters broke, each with the number of the first that did.
///
/// # Errors
/// Why the laws cannot be followed.
pub fn broken(book: &Book, word: &Word) -> Result<Vec<(Arc<str>, usize)>, String> {
    let ground = Ground::new(&book.laws, &book.catalogue, &Word::default(), word.distinct())?;
    let Bench { mut shield, .. } = Bench::new(&ground, &(0..book.laws.len()).collect::<Vec<_>>())?;
    let mut found: Vec<(Arc<str>, usize)> = Vec::new();
    for (at, letter) in word.iter().enumerate() {
        let (action, observations) = ground.encode(letter)?;
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
            let object = law.parsed.parameter.as_ref().map_or_else(|| "x".to_owned(), object);
            let objects = vec![object; parameters.len()];
            let late = law.parsed.clock.iter().map(|_| law.id.clone()).collect();
            Letter { action: action.to_string(), objects, surely: true, late, ..Letter::default() }
        })
        .collect();
    let ground = Ground::new(std::slice::from_ref(law), &book.catalogue, &Word::default(), &coming).ok()?;
    let (_, instance) = ground.laws.first()?;
    let mut monitor = Monitor::new(&instance.formula, ground.vocabulary.clone()).ok()?;
    monitor.advance(&ltlcrit_verifier::Letter::initial(PropSet::EMPTY));
    let mut walk = Search { ground: &ground, monitor, work: 0 };
    let ends = |monitor: &mut Monitor| monitor.verdict() == Verdict::Violated || !monitor.accepts();
    let (calls, state) = match walk.find(60, ends) {
        Found::Calls(calls, state) => (calls, state),
        Found::Nothing | Found::GaveUp => return None,
    };
    walk.monitor.go_to(state);
    let mut shown: Vec<String> = calls.into_iter().map(|call| ground.shown(call)).collect();
    if walk.monitor.verdict() != Verdict::Violated {
        shown.push("stop".into());
    }
    Some(shown)
}

type Encoded = (ActionId, PropSet);
/// Laws, each with the number of the book's law.
type Laws = Vec<(usize, Law)>;

/// Some of the laws, with a shield over them that reads a session.
struct Bench {
    laws: Laws,
    shield: Shield,
    /// The numbers of the letters of the session that the shield has read.
    read: Vec<usize>,
    /// The letters that it has read after them.
    earlier: Vec<Encoded>,
}

impl Bench {
    fn new(ground: &Ground, of: &[usize]) -> Result<Self, String> {
        let laws: Laws = ground.laws.iter().filter(|(number, _)| of.contains(number)).cloned().collect();
        let mut in_force: Vec<Law> = laws.iter().map(|(_, law)| law.clone()).collect();
        in_force.extend(ground.past.clone().map(|past| Law::hard("past objects", past, "")));
        let options = ShieldOptions { cache_bytes: CACHE, ..ShieldOptions::default() };
        let compiled = CompiledLaws::new(ground.vocabulary.clone(), in_force, options);
        let mut shield = Shield::over(compiled.map_err(|error| error.to_string())?);
        shield.start(PropSet::EMPTY).map_err(|fault| fault.to_string())?;
        Ok(Self { laws, shield, read: Vec::new(), earlier: Vec::new() })
    }

    /// Reads a session, and letters after it. What was read before is not read again, as long as it stays the same.
    fn go_to(&mut self, ground: &Ground, word: &Word, earlier: &[Letter]) -> Result<(), String> {
        let earlier: Vec<Encoded> = earlier.iter().map(|letter| ground.encode(letter)).collect::<Result<_, _>>()?;
        let goes_on = match self.earlier.is_empty() {
            true => word.numbers().starts_with(&self.read),
            false => word.numbers() == self.read && earlier.starts_with(&self.earlier),
        };
        if !goes_on {
            self.read.clear();
            self.earlier.clear();
            self.shield.start(PropSet::EMPTY).map_err(|fault| fault.to_string())?;
        }
        let session = word.numbers()[self.read.len()..].iter().map(|number| &ground.letters[*number]);
        for (action, observations) in session.chain(&earlier[self.earlier.len()..]) {
            self.shield.step(*action, *observations).map_err(|fault| fault.to_string())?;
        }
        self.read.extend_from_slice(&word.numbers()[self.read.len()..]);
        self.earlier = earlier;
        Ok(())
    }

    /// The laws that together forbid one call after the letters that were read; `None` if it is allowed.
    fn forbidding(&mut self, ground: &Ground, letter: &Letter) -> Result<Option<Laws>, String> {
        match self.shield.judge(ground.encode(&Letter { surely: true, ..letter.clone() })?.0) {
            Judgement::Allowed => Ok(None),
            Judgement::Blocked { laws, .. } => {
                Ok(Some(self.laws.iter().filter(|(_, law)| laws.contains(&law.id)).cloned().collect()))
            }
            Judgement::Undecided { why } => Err(format!("the laws could not be decided: {why}")),
            Judgement::Ended => Err("the session has ended".into()),
        }
    }

    /// The refusal of a call that laws forbid, after letters that are `known` by their place.
    fn refusal<'a>(
        &mut self,
        ground: &Ground,
        book: &Book,
        known: &dyn Fn(usize) -> Option<(usize, &'a Letter)>,
        letter: &Letter,
        laws: &[(usize, Law)],
        otherwise: Otherwise,
    ) -> Result<Refusal, String> {
        let since = self.since(ground.encode(&Letter { surely: true, ..letter.clone() })?.0, known);
        let formula = laws.iter().map(|(_, law)| law.formula.clone()).reduce(Formula::and);
        let lifted_by = formula.map_or(Advice::Unknown, |formula| self.advice(ground, book, &formula, Some(letter)));
        let written = |(number, _): &(usize, Law)| &book.laws[*number];
        let explanations: BTreeSet<&str> = laws.iter().map(|law| &*written(law).explanation).collect();
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
        let explanation = self.shield.explain(action);
        let causes = explanation.laws.iter().flat_map(|law| &law.because);
        let done = causes.filter(|cause| cause.literals.iter().any(|literal| literal.holds)).map(|cause| cause.step);
        let step = done.filter(|step| *step > 0).max()?;
        known(step - 1).map(|(number, letter)| (number, letter.to_string()))
    }

    /// Calls after which `call` is allowed by a formula or, without a call, the session may end.
    fn advice(&self, ground: &Ground, book: &Book, formula: &Formula, call: Option<&Letter>) -> Advice {
        let Ok(mut monitor) = Monitor::new(formula, ground.vocabulary.clone()) else { return Advice::Unknown };
        let vocabulary = ground.vocabulary.clone();
        monitor.advance(&ltlcrit_verifier::Letter::initial(PropSet::EMPTY));
        let session = self.read.iter().map(|number| &ground.letters[*number]).chain(&self.earlier);
        // Time does not come back: a call that is late stands after a letter at which the time is over.
        let over = call.filter(|call| !call.late.is_empty());
        let over = over.and_then(|call| {
            ground.encode(&Letter { action: OTHER.into(), late: call.late.clone(), ..Letter::default() }).ok()
        });
        for (action, observations) in session.chain(&over) {
            monitor.advance(&ltlcrit_verifier::Letter::after(&vocabulary, *action, *observations));
        }
        if monitor.is_lost() {
            return Advice::Unknown;
        }
        let with_facts = call.map(|call| {
            let action =
                ground.encode(&Letter { surely: true, late: Vec::new(), ..call.clone() }).map(|(action, _)| action);
            ground.possible().into_iter().filter(|(other, _)| Ok(*other) == action).collect::<Vec<_>>()
        });
        let is_wanted = |monitor: &mut Monitor| match &with_facts {
            None => monitor.accepts(),
            Some(calls) => calls.iter().any(|(action, observations)| {
                let state = monitor.state();
                let letter = ltlcrit_verifier::Letter::after(&vocabulary, *action, *observations);
                let allowed = monitor.advance(&letter) != Verdict::Violated;
                monitor.go_to(state);
                allowed
            }),
        };
        if over.is_some() && is_wanted(&mut monitor) {
            return Advice::Calls(vec!["wait".into()]);
        }
        let found = Search { ground, monitor, work: 0 }.find(MAX_ADVICE, is_wanted);
        match found {
            Found::Calls(calls, _) => {
                Advice::Calls(calls.into_iter().map(|call| self.with_commands(ground, book, call)).collect())
            }
            Found::Nothing => Advice::Nothing,
            Found::GaveUp => Advice::Unknown,
        }
    }

    /// A call with shell commands that are it: ``test (green), such as `cargo test` or `pytest` ``.
    fn with_commands(&self, ground: &Ground, book: &Book, call: Encoded) -> String {
        let (shown, name) = (ground.shown(call), ground.vocabulary.action_name(call.0));
        let rules = book.calls.iter().filter(|rule| *rule.action == *name);
        let commands: Vec<String> = rules.flat_map(|rule| &rule.commands).take(2).map(|words| quoted(words)).collect();
        if commands.is_empty() {
            return shown;
        }
        // The last run of the action may have made these facts true, but its exit code did not tell.
        let session = self.read.iter().map(|number| &ground.letters[*number]).chain(&self.earlier);
        let is_hidden =
            session.rev().find(|(action, _)| *action == call.0).is_some_and(|(_, facts)| ground.hides(*facts, call.1));
        let hint = if is_hidden { ", on its own, with no pipe after it" } else { "" };
        format!("{shown}, such as {}{hint}", commands.join(" or "))
    }
}

/// A shell command of a book, as text in backquotes.
fn quoted(words: &[Pattern]) -> String {
    format!("`{}`", words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
}

/// A search through the states of one formula.
struct Search<'a> {
    ground: &'a Ground,
    monitor: Monitor,
    work: usize,
}

enum Found {
    Calls(Vec<Encoded>, usize),
    Nothing,
    GaveUp,
}

impl Search<'_> {
    /// The fewest calls, from the monitor's state, to a state as wanted that is not violated on the way.
    fn find(&mut self, most: usize, mut is_wanted: impl FnMut(&mut Monitor) -> bool) -> Found {
        let mentioned: BTreeSet<_> = self.monitor.propositions().iter().copied().collect();
        let vocabulary = self.ground.vocabulary.clone();
        let read = |(action, observations): &Encoded| {
            let letter = ltlcrit_verifier::Letter::after(&vocabulary, *action, *observations);
            letter.0.iter().filter(|id| mentioned.contains(id)).collect::<PropSet>()
        };
        // One of the calls that the formula reads alike is tried.
        let mut letters: Vec<(PropSet, Encoded)> = Vec::new();
        for call in self.ground.possible() {
            let letter = read(&call);
            if letters.iter().all(|(known, _)| *known != letter) {
                letters.push((letter, call));
            }
        }
        let start = self.monitor.state();
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([(start, Vec::new())]);
        let mut cut = false;
        while let Some((state, calls)) = queue.pop_front() {
            if calls.len() >= most {
                cut = true;
                continue;
            }
            for (_, call) in &letters {
                self.work += 1;
                if self.work > MAX_WORK {
                    return Found::GaveUp;
                }
                self.monitor.go_to(state);
                let letter = ltlcrit_verifier::Letter::after(&vocabulary, call.0, call.1);
                let verdict = self.monitor.advance(&letter);
                let next = self.monitor.state();
                let longer = || calls.iter().copied().chain([*call]).collect::<Vec<_>>();
                if is_wanted(&mut self.monitor) {
                    return Found::Calls(longer(), next);
                }
                if verdict != Verdict::Violated && seen.insert(next) {
                    queue.push_back((next, longer()));
                }
            }
        }
        if cut { Found::GaveUp } else { Found::Nothing }
    }
}
