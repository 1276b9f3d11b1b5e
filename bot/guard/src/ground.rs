//! Laws with parameters over the objects that occur, as the verifier takes them.
//!
//! An object gets symbols of its own if the coming call names it, or if the laws are in a state with it that no other object
//! stands for. Objects in the same state behave alike: a continuation does for each of them what it does for one. That holds
//! as long as no law counts calls; where one does, objects that are owed something keep symbols of their own.
//!
//! A call that may have run counts as run where that is worse: in a formula, an occurrence of a proposition that helps
//! (a positive one) holds for calls that ran for sure, one that hinders holds for all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use ltlcrit_verifier::monitor::Monitor;
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{self as verifier, ActionId, AfterBreak, Axiom, Formula, Law, PropId, PropSet, Vocabulary};
use rustc_hash::FxHashMap;

use crate::expression::Pattern;
use crate::law::{Argument, Atom, Catalogue, Counts, GuardLaw};
use crate::letter::{Letter, OTHER, Word};

/// Maximum number of objects with symbols of their own.
const MAX_OBJECTS: usize = 60;
/// Maximum number of letters that are read to find those that laws need.
const MAX_WORK: usize = 5_000_000;
const LOST: &str = "a law became too intricate to be followed";
/// Maximum number of patterns in the laws of a book.
pub const MAX_PATTERNS: usize = 32;
/// Maximum number of propositions of one law.
pub const MAX_ATOMS: usize = 30;

/// An object as the alphabet tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Object {
    /// No law asks which one.
    Any,
    /// One that occurred, by number.
    Own(usize),
    /// One that occurred and that another one now stands for, by the patterns that match it.
    Past(u64),
    /// One that did not occur, by the patterns that match it.
    New(u64),
}

/// An action with its objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol {
    action: Arc<str>,
    objects: Vec<Object>,
    surely: bool,
    /// The laws whose time is over.
    late: Vec<Arc<str>>,
}

impl Symbol {
    /// Returns whether it names an object that another one stands for.
    fn is_past(&self) -> bool {
        self.objects.iter().any(|object| matches!(object, Object::Past(_)))
    }
}

/// The alphabet and the laws for the objects of a session.
pub struct Ground {
    /// The alphabet.
    pub vocabulary: Arc<Vocabulary>,
    /// The laws, each with the number of the book's law.
    pub laws: Vec<(usize, Law)>,
    /// The calls of the session, by the numbers of their letters.
    pub letters: Vec<(ActionId, PropSet)>,
    /// The law that what happens to an object without symbols of its own is `past`.
    pub past: Option<Formula>,
    alphabet: Alphabet,
    symbols: Vec<Symbol>,
    facts: Vec<(Arc<str>, Vec<Arc<str>>)>,
}

/// The objects and patterns of a session, numbered.
#[derive(Default)]
pub struct Alphabet {
    objects: Vec<String>,
    numbers: FxHashMap<String, usize>,
    patterns: Vec<Pattern>,
    /// By object: the patterns that match it.
    matched: Vec<u64>,
    /// By action: the parameters that some law asks for.
    asked: BTreeMap<Arc<str>, Vec<bool>>,
    own: BTreeSet<usize>,
}

impl Alphabet {
    fn new<'a>(laws: &[GuardLaw], letters: impl Iterator<Item = &'a Letter>) -> Self {
        let mut alphabet = Self::default();
        for atom in laws.iter().flat_map(|law| law.parsed.atoms.values()) {
            let Atom::Call { action, arguments } = atom else { continue };
            let asked = alphabet.asked.entry(action.clone()).or_insert_with(|| vec![false; arguments.len()]);
            for (asked, argument) in asked.iter_mut().zip(arguments) {
                *asked |= !matches!(argument, Argument::Any);
                if let Argument::Pattern(pattern) = argument
                    && alphabet.patterns.iter().all(|known| known.text != pattern.text)
                {
                    alphabet.patterns.push(pattern.clone());
                }
            }
        }
        for object in letters.flat_map(|letter| &letter.objects) {
            if !alphabet.numbers.contains_key(object) {
                let matches = alphabet.patterns.iter().enumerate().filter(|(_, pattern)| pattern.is_match(object));
                alphabet.matched.push(matches.fold(0, |bits, (at, _)| bits | 1 << at));
                alphabet.numbers.insert(object.clone(), alphabet.objects.len());
                alphabet.objects.push(object.clone());
            }
        }
        alphabet
    }

    /// The alphabet after the calls of a session, for calls to come, with its shape.
    ///
    /// # Errors
    /// Why the laws cannot be decided, in a sentence.
    pub fn after(
        laws: &[GuardLaw],
        word: &Word,
        coming: &[Letter],
        trackers: &mut Trackers,
    ) -> Result<(Self, Shape), String> {
        let mut alphabet = Self::new(laws, word.distinct().iter().chain(coming));
        if alphabet.asked.values().flatten().any(|asked| *asked) {
            trackers.go_to(laws, &alphabet, word)?;
            alphabet.own = own_objects(laws, &alphabet, coming, &mut trackers.trackers)?;
        }
        let own = alphabet.own.iter().map(|own| (*own, alphabet.objects[*own].clone())).collect();
        let symbols = symbols(&alphabet, word, coming)?;
        Ok((alphabet, (own, symbols)))
    }

    fn patterns_of(&self, object: Object) -> u64 {
        match object {
            Object::Any => 0,
            Object::Own(number) => self.matched[number],
            Object::Past(matched) | Object::New(matched) => matched,
        }
    }

    fn fits(&self, argument: &Argument, object: Object, instance: Option<Object>) -> bool {
        match argument {
            Argument::Any => true,
            Argument::Parameter => instance == Some(object),
            Argument::Pattern(pattern) => {
                let number = self.patterns.iter().position(|known| known.text == pattern.text);
                number.is_some_and(|number| self.patterns_of(object) & 1 << number != 0)
            }
        }
    }

    /// The symbol of a call: objects without symbols of their own are past ones.
    fn symbol(&self, letter: &Letter, surely: bool) -> Symbol {
        let Some((action, asked)) = self.asked.get_key_value(letter.action.as_str()) else {
            return Symbol { action: OTHER.into(), objects: Vec::new(), surely: true, late: letter.late.clone() };
        };
        let object = |(at, asked): (usize, &bool)| match letter.objects.get(at).and_then(|one| self.numbers.get(one)) {
            Some(number) if *asked && self.own.contains(number) => Object::Own(*number),
            Some(number) if *asked => Object::Past(self.matched[*number]),
            _ => Object::Any,
        };
        let objects = asked.iter().enumerate().map(object).collect();
        Symbol { action: action.clone(), objects, surely, late: letter.late.clone() }
    }

    fn name(&self, symbol: &Symbol) -> String {
        let mut name = symbol.action.to_string();
        let objects: Vec<String> = symbol.objects.iter().map(|object| self.object_name(*object)).collect();
        if symbol.objects.iter().any(|object| *object != Object::Any) {
            let _ = write!(name, "({})", objects.join(", "));
        }
        if !symbol.late.is_empty() {
            let _ = write!(name, " late for {}", symbol.late.join(", "));
        }
        if !symbol.surely {
            name.push('?');
        }
        name
    }

    fn object_name(&self, object: Object) -> String {
        let matching = |matched: u64| {
            let globs = self.patterns.iter().enumerate().filter(|(at, _)| matched & 1 << at != 0);
            globs.map(|(_, glob)| format!(" like {}", glob.text)).collect::<String>()
        };
        match object {
            Object::Any => "_".to_owned(),
            Object::Own(number) => self.objects[number].clone(),
            Object::Past(matched) => format!("an earlier object{}", matching(matched)),
            Object::New(matched) => format!("a new object{}", matching(matched)),
        }
    }
}

/// A law with each proposition replaced, by whether it occurs where holding helps.
pub fn pessimistic(formula: &Formula, helps: bool, of: &mut dyn FnMut(&Arc<str>, bool) -> Formula) -> Formula {
    use Formula::{AtMost, Atom, Iff, Implies, Not, Xor};
    let mut go = |formula: &Formula, helps: bool| pessimistic(formula, helps, of);
    match formula {
        Atom(name) => of(name, helps),
        Not(a) => go(a, !helps).not(),
        AtMost(count, a) => go(a, !helps).at_most(*count),
        Implies(a, b) => go(a, !helps).implies(go(b, helps)),
        Iff(a, b) => go(a, !helps).implies(go(b, helps)).and(go(b, !helps).implies(go(a, helps))),
        Xor(a, b) => go(a, helps).or(go(b, helps)).and(go(a, !helps).and(go(b, !helps)).not()),
        other => other.with_operands(&mut |operand| go(operand, helps)),
    }
}

/// Returns whether a call makes a proposition true for an object: for sure, and perhaps.
fn occurs(atom: &Atom, letter: &Letter, instance: Option<&str>) -> (bool, bool) {
    let holds = match atom {
        Atom::Late => false,
        Atom::Fact(fact) => {
            let is = |known: &String| **known == **fact;
            let known = letter.facts.iter().any(is);
            return (known && letter.surely, known || letter.perhaps.iter().any(is));
        }
        Atom::Call { action, arguments } => {
            let fits = |(at, argument): (usize, &Argument)| {
                let object = letter.objects.get(at).map(String::as_str);
                match argument {
                    Argument::Any => true,
                    Argument::Parameter => object.is_some() && object == instance,
                    Argument::Pattern(pattern) => object.is_some_and(|object| pattern.is_match(object)),
                }
            };
            **action == *letter.action && arguments.iter().enumerate().all(fits)
        }
    };
    (holds && letter.surely, holds)
}

/// The laws whose time is over for a call after the letters of a session and others.
pub fn late(laws: &[GuardLaw], word: &Word, earlier: &[Letter]) -> Vec<Arc<str>> {
    let is_late = |law: &&GuardLaw| -> Option<bool> {
        let clock = law.parsed.clock.as_ref()?;
        let (surely, perhaps) = word.within(clock.minutes)?;
        let holds = |letter: &&Letter| {
            let of = &mut |name: &Arc<str>, helps: bool| {
                let atom = law.parsed.atoms.get(name);
                let (surely, perhaps) = atom.map_or((false, false), |atom| occurs(atom, letter, None));
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

/// The propositions that a letter makes true: the bits for objects that it does not name, and those for each that it names.
type Bits = (u64, Vec<(usize, u64)>);

/// The state of one law with a parameter, for each object.
struct Tracker {
    monitor: Monitor,
    after_break: AfterBreak,
    atoms: Vec<(Atom, PropId, PropId)>,
    known: FxHashMap<(usize, u64), usize>,
    states: FxHashMap<usize, usize>,
    /// The states that objects are in, with their numbers.
    held: Vec<(usize, usize)>,
    /// The state of an object that did not occur.
    fresh: usize,
    /// By distinct letter: its bits for other objects, and for those that it names.
    letters: Vec<Option<Bits>>,
}

impl Tracker {
    fn new(law: &GuardLaw) -> Result<Self, String> {
        let may = |name: &str| format!("{name}~");
        let names = law.parsed.atoms.keys().flat_map(|name| [name.to_string(), may(name)]);
        let vocabulary = Arc::new(Vocabulary::plain("law", names).map_err(|error| error.to_string())?);
        let formula = pessimistic(&law.parsed.formula, true, &mut |name, helps| match helps {
            true => Formula::atom(name.clone()),
            false => Formula::atom(may(name)),
        });
        let atoms = law
            .parsed
            .atoms
            .iter()
            .filter_map(|(name, atom)| Some((atom.clone(), vocabulary.id(name)?, vocabulary.id(&may(name))?)));
        let atoms = atoms.collect();
        let monitor = Monitor::new(&formula, vocabulary).map_err(|error| error.to_string())?;
        let after_break = Law::new(law.strength, "", Formula::True, "").after_break;
        let mut tracker = Self {
            monitor,
            after_break,
            atoms,
            known: FxHashMap::default(),
            states: FxHashMap::default(),
            held: Vec::new(),
            fresh: 0,
            letters: Vec::new(),
        };
        tracker.fresh = tracker.step(0, 0);
        Ok(tracker)
    }

    fn step(&mut self, state: usize, bits: u64) -> usize {
        if let Some(next) = self.known.get(&(state, bits)) {
            return *next;
        }
        self.monitor.go_to(state);
        let mut letter = PropSet::EMPTY;
        for (at, (_, surely, perhaps)) in self.atoms.iter().enumerate() {
            if bits & 1 << (2 * at) != 0 {
                letter.insert(*surely);
            }
            if bits & 1 << (2 * at + 1) != 0 {
                letter.insert(*perhaps);
            }
        }
        self.monitor.read(&verifier::Letter(letter), self.after_break);
        let next = self.monitor.state();
        self.known.insert((state, bits), next);
        next
    }

    /// The propositions that a call makes true for one object, two bits each: for sure, and perhaps.
    fn bits(&self, letter: &Letter, instance: Option<&str>) -> u64 {
        self.atoms.iter().enumerate().fold(0, |bits, (at, (atom, ..))| {
            let (surely, perhaps) = occurs(atom, letter, instance);
            bits | u64::from(surely) << (2 * at) | u64::from(perhaps) << (2 * at + 1)
        })
    }

    /// The bits of a letter.
    fn bits_of(&self, letter: &Letter, alphabet: &Alphabet) -> Bits {
        let known = |object: &String| Some((*alphabet.numbers.get(object)?, self.bits(letter, Some(object))));
        (self.bits(letter, None), letter.objects.iter().filter_map(known).collect())
    }

    /// Reads the distinct letter with a number.
    fn read(&mut self, number: usize, letter: &Letter, alphabet: &Alphabet) {
        if self.letters.len() <= number {
            self.letters.resize(number + 1, None);
        }
        let (others, named) = self.letters[number].take().unwrap_or_else(|| self.bits_of(letter, alphabet));
        let mut moved = Vec::new();
        for (object, bits) in &named {
            if *bits != others || self.states.contains_key(object) {
                moved.push((*object, self.step(self.state(*object), *bits)));
            }
        }
        if (0..self.held.len()).any(|at| self.step(self.held[at].0, others) != self.held[at].0) {
            let objects: Vec<(usize, usize)> = self.states.iter().map(|(object, state)| (*object, *state)).collect();
            for (object, state) in objects {
                let next = self.step(state, others);
                self.put(object, next);
            }
        }
        self.fresh = self.step(self.fresh, others);
        moved.into_iter().for_each(|(object, state)| self.put(object, state));
        self.letters[number] = Some((others, named));
    }

    /// Marks letters that lead an object to its state after all of them, which is the result.
    fn mark_way(&mut self, letters: &[usize], bits: &[u64], marks: &mut [bool]) -> usize {
        // The states on the way, without loops, each with the place of the letter after it.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut state = self.fresh;
        for (place, number) in letters.iter().enumerate() {
            let next = self.step(state, bits[*number]);
            if next != state {
                match way.iter().position(|(before, _)| *before == next) {
                    Some(loop_from) => way.truncate(loop_from),
                    None => way.push((state, place)),
                }
            } else if let Some((before, last)) = way.last_mut()
                && self.step(*before, bits[*number]) == next
            {
                *last = place;
            }
            state = next;
        }
        way.into_iter().for_each(|(_, place)| marks[place] = true);
        state
    }

    fn put(&mut self, object: usize, state: usize) {
        let before = self.states.insert(object, state);
        if before == Some(state) {
            return;
        }
        match self.held.iter_mut().find(|(held, _)| *held == state) {
            Some((_, count)) => *count += 1,
            None => self.held.push((state, 1)),
        }
        if let Some((_, count)) = self.held.iter_mut().find(|(held, _)| Some(*held) == before) {
            *count -= 1;
            self.held.retain(|(_, count)| *count > 0);
        }
    }

    fn state(&self, object: usize) -> usize {
        self.states.get(&object).copied().unwrap_or(self.fresh)
    }

    fn is_owed(&mut self, object: usize) -> bool {
        self.monitor.go_to(self.state(object));
        !self.monitor.accepts()
    }
}

/// The laws with a parameter along one session. What they have read is not read again, as long as it stays the same.
#[derive(Default)]
pub struct Trackers {
    trackers: Vec<Tracker>,
    /// The numbers of the letters that they have read.
    read: Vec<usize>,
    /// By distinct letter: whether they read it.
    is_asked: Vec<bool>,
}

impl Trackers {
    /// Reads the letters of a session.
    fn go_to(&mut self, laws: &[GuardLaw], alphabet: &Alphabet, word: &Word) -> Result<(), String> {
        if self.read.is_empty() || !word.numbers().starts_with(&self.read) {
            self.read.clear();
            self.is_asked.clear();
            let about = laws.iter().filter(|law| law.parsed.parameter.is_some());
            self.trackers = about.map(Tracker::new).collect::<Result<_, _>>()?;
        }
        let counting = laws.iter().any(|law| law.parsed.counts == Counts::All);
        let new = word.distinct().get(self.is_asked.len()..).unwrap_or_default();
        self.is_asked.extend(new.iter().map(|letter| counting || alphabet.asked.contains_key(letter.action.as_str())));
        for number in word.numbers()[self.read.len()..].iter().filter(|number| self.is_asked[**number]) {
            let letter = &word.distinct()[*number];
            self.trackers.iter_mut().for_each(|tracker| tracker.read(*number, letter, alphabet));
        }
        self.read.extend_from_slice(&word.numbers()[self.read.len()..]);
        match self.trackers.iter().any(|tracker| tracker.monitor.is_lost()) {
            true => Err(LOST.into()),
            false => Ok(()),
        }
    }
}

/// Marks those of the first letters of a session that the laws need: after them alone, the laws ask of what comes what they ask
/// after all of them. Of letters that do the same, the latest is marked.
///
/// # Errors
/// A law that cannot be followed, or a session that is too long.
pub fn needed(laws: &[GuardLaw], word: &Word, first: usize) -> Result<Vec<bool>, String> {
    let letters = &word.numbers()[..first];
    let alphabet = Alphabet::new(laws, word.distinct().iter());
    let mut trackers: Vec<Tracker> = laws.iter().map(Tracker::new).collect::<Result<_, _>>()?;
    let mut needed = vec![false; first];
    // Each law for each object: its bits by distinct letter, and its state after all letters.
    let mut runs: Vec<(usize, Vec<u64>, usize)> = Vec::new();
    for (at, law) in laws.iter().enumerate() {
        let bits: Vec<Bits> = word.distinct().iter().map(|letter| trackers[at].bits_of(letter, &alphabet)).collect();
        let named = bits.iter().flat_map(|(_, named)| named).filter(|_| law.parsed.parameter.is_some());
        let objects: BTreeSet<Option<usize>> = named.map(|(object, _)| Some(*object)).chain([None]).collect();
        if (runs.len() + objects.len()) * first > MAX_WORK {
            return Err("the session is too long".into());
        }
        for object in objects {
            let of = |(others, named): &Bits| {
                named.iter().find(|(one, _)| Some(*one) == object).map_or(*others, |one| one.1)
            };
            let bits: Vec<u64> = bits.iter().map(of).collect();
            let state = trackers[at].mark_way(letters, &bits, &mut needed);
            runs.push((at, bits, state));
        }
    }
    // Letters that one law needs may lead another one astray. It then reads all that change its state.
    for _ in 0..=runs.len() {
        let mut is_astray = false;
        for (at, bits, state) in &runs {
            let tracker = &mut trackers[*at];
            let marked = letters.iter().zip(&needed).filter(|(_, needed)| **needed);
            let reached = marked.fold(tracker.fresh, |state, (number, _)| tracker.step(state, bits[*number]));
            if reached != *state {
                is_astray = true;
                let mut state = tracker.fresh;
                for (number, needed) in letters.iter().zip(&mut needed) {
                    let next = tracker.step(state, bits[*number]);
                    let before = std::mem::replace(&mut state, next);
                    *needed |= before != state;
                }
            }
        }
        if !is_astray {
            return if trackers.iter().any(|tracker| tracker.monitor.is_lost()) {
                Err(LOST.into())
            } else {
                Ok(needed)
            };
        }
    }
    Err("the laws cannot be followed".into())
}

/// Returns whether a law with a parameter holds while nothing happens to its object.
///
/// # Errors
/// A law that cannot be followed.
pub fn holds_at_rest(law: &GuardLaw) -> Result<bool, String> {
    let mut tracker = Tracker::new(law)?;
    let mut state = tracker.fresh;
    for _ in 0..2 {
        tracker.monitor.go_to(state);
        if !tracker.monitor.accepts() {
            return Ok(false);
        }
        state = tracker.step(state, 0);
    }
    Ok(state == tracker.fresh)
}

/// Returns whether a law with a parameter also speaks of calls that do not name it.
fn is_mixed(law: &GuardLaw) -> bool {
    law.parsed.atoms.values().any(|atom| match atom {
        Atom::Fact(_) | Atom::Late => true,
        Atom::Call { arguments, .. } => !arguments.iter().any(|argument| matches!(argument, Argument::Parameter)),
    })
}

/// Returns whether two objects in the same state may count as two, by some law.
fn counts_objects(laws: &[GuardLaw]) -> bool {
    let calls = |law: &GuardLaw| -> Vec<Arc<str>> {
        let action = |atom: &Atom| match atom {
            Atom::Call { action, .. } => Some(action.clone()),
            Atom::Fact(_) | Atom::Late => None,
        };
        law.parsed.atoms.values().filter_map(action).collect()
    };
    let about_objects: BTreeSet<Arc<str>> =
        laws.iter().filter(|law| law.parsed.parameter.is_some()).flat_map(calls).collect();
    laws.iter().any(|law| match law.parsed.counts {
        Counts::Nothing => false,
        Counts::All => true,
        Counts::Mentioned if law.parsed.parameter.is_some() => is_mixed(law),
        Counts::Mentioned => calls(law).iter().any(|action| about_objects.contains(action)),
    })
}

/// The part of an alphabet that the laws are written out for: the objects with symbols of their own, and the symbols. Equal
/// shapes of one session give equal laws.
pub type Shape = (Vec<(usize, String)>, Vec<Symbol>);

impl Ground {
    /// The alphabet and the laws after the calls of a session, for calls to come.
    ///
    /// # Errors
    /// Why the laws cannot be decided, in a sentence.
    pub fn new(laws: &[GuardLaw], catalogue: &Catalogue, word: &Word, coming: &[Letter]) -> Result<Self, String> {
        let (alphabet, (_, symbols)) = Alphabet::after(laws, word, coming, &mut Trackers::default())?;
        let mut ground = Self::over(laws, catalogue, alphabet, symbols)?;
        ground.encode_all(word)?;
        Ok(ground)
    }

    /// The laws written out over an alphabet.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn over(
        laws: &[GuardLaw],
        catalogue: &Catalogue,
        alphabet: Alphabet,
        symbols: Vec<Symbol>,
    ) -> Result<Self, String> {
        let mentioned = |fact: &Arc<str>| laws.iter().any(|law| law.parsed.atoms.contains_key(fact));
        let facts: Vec<(Arc<str>, Vec<Arc<str>>)> =
            catalogue.facts.iter().filter(|(fact, _)| mentioned(fact)).map(|(f, of)| (f.clone(), of.clone())).collect();
        let vocabulary = Arc::new(vocabulary(&alphabet, &symbols, &facts).map_err(|error| error.to_string())?);
        let mut ground =
            Self { vocabulary, laws: Vec::new(), letters: Vec::new(), past: None, alphabet, symbols, facts };
        for (number, law) in laws.iter().enumerate() {
            ground.instantiate(number, law);
        }
        // No continuation does something to an object of which it is not known what the laws ask: it cannot be `past`.
        let past = ground.some(Symbol::is_past);
        ground.past = (past != Formula::False).then(|| past.implies(Formula::atom(PAST)).globally());
        Ok(ground)
    }

    /// Goes on with a later alphabet of the same [shape](Shape).
    pub fn go_on(&mut self, alphabet: Alphabet) {
        self.alphabet = alphabet;
    }

    /// Encodes the letters of a session that are new.
    ///
    /// # Errors
    /// As [`Self::encode`].
    pub fn encode_all(&mut self, word: &Word) -> Result<(), String> {
        for letter in &word.distinct()[self.letters.len()..] {
            self.letters.push(self.encode(letter)?);
        }
        Ok(())
    }

    fn instantiate(&mut self, number: usize, law: &GuardLaw) {
        let add = |ground: &mut Self, instance: Option<Object>, name: String| {
            let formula = pessimistic(&law.parsed.formula, true, &mut |name, helps| match law.parsed.atoms.get(name) {
                Some(Atom::Call { action, arguments }) => ground.call(action, Some((arguments, instance)), helps),
                Some(Atom::Fact(fact)) => ground.fact(fact, helps),
                Some(Atom::Late) => ground.some(|symbol| symbol.late.contains(&law.id)),
                None => Formula::False,
            });
            let formula = formula.without_constants();
            if formula != Formula::True {
                ground.laws.push((number, Law::new(law.strength, name, formula, law.explanation.clone())));
            }
        };
        if law.parsed.parameter.is_none() {
            return add(self, None, law.id.to_string());
        }
        let mut instances: Vec<Object> = self.alphabet.own.iter().map(|own| Object::Own(*own)).collect();
        if !is_mixed(law) {
            instances.extend(new_objects(&self.alphabet));
        }
        for instance in instances {
            let name = format!("{}({})", law.id, self.alphabet.object_name(instance));
            add(self, Some(instance), name);
        }
    }

    /// Some call of an action; without arguments, any.
    fn call(&self, action: &str, arguments: Option<(&[Argument], Option<Object>)>, helps: bool) -> Formula {
        self.some(|symbol| {
            let objects = || symbol.objects.iter().copied();
            let fit = arguments.is_none_or(|(arguments, instance)| {
                objects().zip(arguments).all(|(object, argument)| self.alphabet.fits(argument, object, instance))
            });
            *symbol.action == *action && (symbol.surely || !helps) && fit
        })
    }

    /// One of some symbols.
    fn some(&self, is_one: impl Fn(&Symbol) -> bool) -> Formula {
        let symbols = self.symbols.iter().filter(|symbol| is_one(symbol));
        let names = symbols.map(|symbol| Formula::atom(self.alphabet.name(symbol)));
        names.reduce(Formula::or).unwrap_or(Formula::False)
    }

    /// A fact together with a call that may make it true.
    fn fact(&self, fact: &str, helps: bool) -> Formula {
        let Some((name, actions)) = self.facts.iter().find(|(name, _)| **name == *fact) else { return Formula::False };
        let calls = actions.iter().map(|action| match self.alphabet.asked.contains_key(action) {
            true => self.call(action, None, helps),
            false => self.some(|symbol| *symbol.action == *OTHER),
        });
        let calls = calls.reduce(Formula::or).unwrap_or(Formula::False);
        if helps { Formula::atom(name.clone()).and(calls) } else { Formula::atom(perhaps(name)).and(calls) }
    }

    /// A call as the verifier reads it.
    ///
    /// # Errors
    /// A call that the alphabet was not made for.
    pub fn encode(&self, letter: &Letter) -> Result<(ActionId, PropSet), String> {
        let symbol = self.alphabet.symbol(letter, letter.surely);
        let past = self.vocabulary.id(PAST).filter(|_| symbol.is_past());
        let name = self.alphabet.name(&symbol);
        let action = self.vocabulary.action(&name).ok_or_else(|| format!("`{name}` is not in the alphabet"))?;
        let observations = self.facts.iter().flat_map(|(fact, _)| {
            let is = |known: &String| **known == **fact;
            let known = letter.surely && letter.facts.iter().any(is);
            let maybe = known || letter.facts.iter().chain(&letter.perhaps).any(is);
            let surely = self.vocabulary.id(fact).filter(|_| known);
            [surely, self.vocabulary.id(&perhaps(fact)).filter(|_| maybe)].into_iter().flatten()
        });
        Ok((action, observations.chain(past).collect()))
    }

    /// The calls that a continuation may make, with the facts that their results may have: all of them, or none.
    pub fn possible(&self) -> Vec<(ActionId, PropSet)> {
        let mut found = Vec::new();
        for symbol in self.symbols.iter().filter(|symbol| symbol.surely && !symbol.is_past()) {
            let Some(action) = self.vocabulary.action(&self.alphabet.name(symbol)) else { continue };
            let facts = self.facts.iter().filter(|(_, actions)| actions.contains(&symbol.action));
            let names = facts.flat_map(|(fact, _)| [fact.to_string(), perhaps(fact)]);
            let all: PropSet = names.filter_map(|name| self.vocabulary.id(&name)).collect();
            found.push((action, PropSet::EMPTY));
            if !all.is_empty() {
                found.push((action, all));
            }
        }
        found
    }

    /// Returns whether one of the `wanted` facts may be among those of a call, and is not known to be.
    pub fn hides(&self, facts: PropSet, wanted: PropSet) -> bool {
        let is_in = |name: &str, set: PropSet| self.vocabulary.id(name).is_some_and(|id| set.contains(id));
        let is_hidden = |fact: &str| is_in(fact, wanted) && is_in(&perhaps(fact), facts) && !is_in(fact, facts);
        self.facts.iter().any(|(fact, _)| is_hidden(fact))
    }

    /// A call with the facts that it must make true, for people: `test (green)`.
    pub fn shown(&self, (action, observations): (ActionId, PropSet)) -> String {
        let name = self.vocabulary.action_name(action).trim_end_matches('?');
        let holds = |fact: &&str| self.vocabulary.id(fact).is_some_and(|id| observations.contains(id));
        let facts: Vec<&str> = self.facts.iter().map(|(fact, _)| &**fact).filter(holds).collect();
        if facts.is_empty() { name.to_owned() } else { format!("{name} ({})", facts.join(", ")) }
    }
}

/// The observation of the session's calls that name an object without symbols of its own. By an axiom, it never holds.
const PAST: &str = "~past";

fn perhaps(fact: &str) -> String {
    format!("{fact}~")
}

/// Objects that did not occur: one that no pattern matches, and one for each pattern.
fn new_objects(alphabet: &Alphabet) -> Vec<Object> {
    let each = (0..alphabet.patterns.len()).map(|at| Object::New(1 << at));
    [Object::New(0)].into_iter().chain(each).collect()
}

fn own_objects(
    laws: &[GuardLaw],
    alphabet: &Alphabet,
    coming: &[Letter],
    trackers: &mut [Tracker],
) -> Result<BTreeSet<usize>, String> {
    let asked_objects = |letter: &Letter| -> Vec<usize> {
        let asked = alphabet.asked.get(letter.action.as_str()).map_or(&[][..], Vec::as_slice);
        let objects = letter.objects.iter().zip(asked).filter(|(_, asked)| **asked);
        objects.filter_map(|(object, _)| alphabet.numbers.get(object).copied()).collect()
    };
    let mut own: BTreeSet<usize> = coming.iter().flat_map(asked_objects).collect();
    let mut about = laws.iter().filter(|law| law.parsed.parameter.is_some());
    let (mixed, counts) = (about.any(is_mixed), counts_objects(laws));
    let mut classes: BTreeSet<(u64, Vec<usize>)> = BTreeSet::new();
    if !mixed {
        let fresh: Vec<usize> = trackers.iter().map(|tracker| tracker.fresh).collect();
        let new = new_objects(alphabet).into_iter().map(|object| alphabet.patterns_of(object));
        classes.extend(new.map(|matched| (matched, fresh.clone())));
    }
    for object in 0..alphabet.objects.len() {
        let states: Vec<usize> = trackers.iter().map(|tracker| tracker.state(object)).collect();
        let alone = counts && (mixed || trackers.iter_mut().any(|tracker| tracker.is_owed(object)));
        if !own.contains(&object) && (classes.insert((alphabet.matched[object], states)) || alone) {
            own.insert(object);
        }
    }
    match own.len() {
        found if found > MAX_OBJECTS => {
            Err(format!("laws are open for {found} objects, and at most {MAX_OBJECTS} are decided together"))
        }
        _ => Ok(own),
    }
}

/// The symbols of the letters, and of what may come.
fn symbols(alphabet: &Alphabet, word: &Word, coming: &[Letter]) -> Result<Vec<Symbol>, String> {
    let mut symbols: BTreeSet<Symbol> =
        word.distinct().iter().map(|letter| alphabet.symbol(letter, letter.surely)).collect();
    symbols.extend(coming.iter().flat_map(|letter| [true, false].map(|surely| alphabet.symbol(letter, surely))));
    let late = coming.iter().map(|letter| letter.late.clone());
    let other = |late| Symbol { action: OTHER.into(), objects: Vec::new(), surely: true, late };
    symbols.extend(late.chain([Vec::new()]).map(other));
    let mut objects: Vec<Object> = alphabet.own.iter().map(|own| Object::Own(*own)).collect();
    objects.extend(new_objects(alphabet));
    // The objects of the calls to come have all symbols, so that their laws are written out once.
    let named = coming.iter().flat_map(|letter| &letter.objects).filter_map(|object| alphabet.numbers.get(object));
    let named: BTreeSet<usize> = named.copied().collect();
    for (action, asked) in &alphabet.asked {
        let mut tuples = vec![Vec::new()];
        for asked in asked {
            let choices: &[Object] = if *asked { &objects } else { &[Object::Any] };
            let longer = |tuple: &Vec<Object>, choice: &Object| tuple.iter().copied().chain([*choice]).collect();
            tuples = tuples.iter().flat_map(|tuple| choices.iter().map(move |choice| longer(tuple, choice))).collect();
            if tuples.len() > 4 * MAX_OBJECTS {
                return Err(format!("`{action}` has too many combinations of objects to be decided together"));
            }
        }
        for objects in tuples {
            let is_named = objects.iter().any(|object| matches!(object, Object::Own(own) if named.contains(own)));
            let symbol = Symbol { action: action.clone(), objects, surely: true, late: Vec::new() };
            symbols.extend(is_named.then(|| Symbol { surely: false, ..symbol.clone() }));
            symbols.insert(symbol);
        }
    }
    Ok(symbols.into_iter().collect())
}

fn vocabulary(
    alphabet: &Alphabet,
    symbols: &[Symbol],
    facts: &[(Arc<str>, Vec<Arc<str>>)],
) -> Result<Vocabulary, VocabularyError> {
    let observations = facts.iter().flat_map(|(fact, _)| [fact.to_string(), perhaps(fact)]);
    let observations = observations.chain([PAST.to_owned()]);
    let axioms = facts.iter().map(|(fact, _)| Formula::atom(fact.clone()).implies(Formula::atom(perhaps(fact))));
    let axioms = axioms.chain([Formula::atom(PAST).not()]).map(Axiom::new);
    Vocabulary::builder("session")
        .observations(observations)
        .actions(symbols.iter().map(|symbol| alphabet.name(symbol)))
        .axioms(axioms)
        .build()
}
