//! The alphabet of a decision: the objects that the laws are written out for, and the symbols of events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::tracker::{Tracker, Trackers};
use super::{Argument, Atom, Counts, Event, Events, Like, MAX_OBJECTS, OTHER, ObjectError, ObjectLaw, classes};

/// An object as the alphabet tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Object {
    /// No law asks which one.
    Any,
    /// One that occurred, by number.
    Own(usize),
    /// One that occurred and that another one now stands for, by the classes that it belongs to.
    Past(u64),
    /// One that did not occur, by the classes that it belongs to.
    New(u64),
}

/// An action with its objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Symbol {
    pub action: Arc<str>,
    pub objects: Vec<Object>,
    pub surely: bool,
    /// The laws whose mark it has.
    pub marks: Vec<Arc<str>>,
}

impl Symbol {
    /// Returns whether it names an object that another one stands for.
    pub fn is_past(&self) -> bool {
        self.objects.iter().any(|object| matches!(object, Object::Past(_)))
    }
}

/// The objects and classes of a run, numbered.
#[derive(Clone, Default)]
pub(super) struct Known {
    objects: Vec<String>,
    numbers: FxHashMap<String, usize>,
    classes: Vec<Arc<dyn Like>>,
    /// By object: the classes that it belongs to.
    matched: Vec<u64>,
    /// By action: the parameters that some law asks for.
    asked: BTreeMap<Arc<str>, Vec<bool>>,
    /// By distinct event: the objects that some law asks for, and the number of its symbol where none of them is written out.
    events: Vec<(Vec<usize>, usize)>,
    symbols: Vec<Symbol>,
}

impl Known {
    fn new(laws: &[&ObjectLaw]) -> Self {
        let classes = classes(laws.iter().copied()).into_iter().cloned().collect();
        let mut known = Self { classes, ..Self::default() };
        for atom in laws.iter().flat_map(|law| law.atoms.values()) {
            let Atom::Call { action, arguments } = atom else { continue };
            let asked = known.asked.entry(action.clone()).or_insert_with(|| vec![false; arguments.len()]);
            for (asked, argument) in asked.iter_mut().zip(arguments) {
                *asked |= !matches!(argument, Argument::Any);
            }
        }
        known
    }

    fn add(&mut self, object: &str) {
        if !self.numbers.contains_key(object) {
            let matches = self.classes.iter().enumerate().filter(|(_, class)| class.is_match(object));
            self.matched.push(matches.fold(0, |bits, (at, _)| bits | 1 << at));
            self.numbers.insert(object.to_owned(), self.objects.len());
            self.objects.push(object.to_owned());
        }
    }
}

/// The objects and classes of a run, and those of the objects that have symbols of their own.
#[derive(Clone, Default)]
pub(super) struct Alphabet {
    known: Arc<Known>,
    pub own: BTreeSet<usize>,
}

impl Alphabet {
    /// The alphabet of a run, without objects of their own.
    pub fn new(laws: &[&ObjectLaw], events: &Events) -> Self {
        let mut alphabet = Self { known: Arc::new(Known::new(laws)), own: BTreeSet::new() };
        alphabet.read(events);
        alphabet
    }

    /// Reads the distinct events of a run that are new.
    fn read(&mut self, events: &Events) {
        let new = &events.distinct()[self.known.events.len()..];
        if new.is_empty() {
            return;
        }
        new.iter().flat_map(|event| &event.objects).for_each(|object| Arc::make_mut(&mut self.known).add(object));
        for event in new {
            let symbol = self.symbol(event, event.surely);
            let objects = self.asked_objects(event);
            let known = Arc::make_mut(&mut self.known);
            let at = known.symbols.iter().position(|one| *one == symbol).unwrap_or(known.symbols.len());
            if at == known.symbols.len() {
                known.symbols.push(symbol);
            }
            known.events.push((objects, at));
        }
    }

    /// The alphabet after the events of a run, for events to come, with its shape.
    pub fn after(
        laws: &[&ObjectLaw],
        events: &Events,
        coming: &[Event],
        trackers: &mut Trackers,
    ) -> Result<(Self, Shape), ObjectError> {
        let mut alphabet = match trackers.alphabet.take() {
            Some(alphabet) if alphabet.known.events.len() <= events.distinct().len() => alphabet,
            _ => Self::new(laws, &Events::default()),
        };
        alphabet.read(events);
        trackers.alphabet = Some(alphabet.clone());
        let new = coming.iter().flat_map(|event| &event.objects).filter(|object| alphabet.number(object).is_none());
        for object in new.collect::<Vec<_>>() {
            Arc::make_mut(&mut alphabet.known).add(object);
        }
        if alphabet.known.asked.values().flatten().any(|asked| *asked) {
            trackers.go_to(laws, &alphabet, events)?;
            alphabet.own = own_objects(laws, &alphabet, coming, &mut trackers.trackers)?;
        }
        let own = alphabet.own.iter().map(|own| (*own, alphabet.known.objects[*own].clone())).collect();
        let symbols = symbols(&alphabet, events, coming)?;
        Ok((alphabet, (own, symbols)))
    }

    /// The number of an object.
    pub fn number(&self, object: &str) -> Option<usize> {
        self.known.numbers.get(object).copied()
    }

    /// Returns whether some law asks for an action.
    pub fn asks_for(&self, action: &str) -> bool {
        self.known.asked.contains_key(action)
    }

    /// The objects of an event that some law asks for.
    fn asked_objects(&self, event: &Event) -> Vec<usize> {
        let asked = self.known.asked.get(event.action.as_str()).map_or(&[][..], Vec::as_slice);
        let objects = event.objects.iter().zip(asked).filter(|(_, asked)| **asked);
        objects.filter_map(|(object, _)| self.number(object)).collect()
    }

    fn classes_of(&self, object: Object) -> u64 {
        match object {
            Object::Any => 0,
            Object::Own(number) => self.known.matched[number],
            Object::Past(matched) | Object::New(matched) => matched,
        }
    }

    pub fn fits(&self, argument: &Argument, object: Object, instance: Option<Object>) -> bool {
        match argument {
            Argument::Any => true,
            Argument::Parameter => instance == Some(object),
            Argument::Like(class) => {
                let number = self.known.classes.iter().position(|known| known.text() == class.text());
                number.is_some_and(|number| self.classes_of(object) & 1 << number != 0)
            }
        }
    }

    /// The symbol of an event: objects without symbols of their own are past ones.
    pub fn symbol(&self, event: &Event, surely: bool) -> Symbol {
        let Some((action, asked)) = self.known.asked.get_key_value(event.action.as_str()) else {
            return Symbol { action: OTHER.into(), objects: Vec::new(), surely: true, marks: event.marks.clone() };
        };
        let object = |(at, asked): (usize, &bool)| match event.objects.get(at).and_then(|one| self.number(one)) {
            Some(number) if *asked && self.own.contains(&number) => Object::Own(number),
            Some(number) if *asked => Object::Past(self.known.matched[number]),
            _ => Object::Any,
        };
        let objects = asked.iter().enumerate().map(object).collect();
        Symbol { action: action.clone(), objects, surely, marks: event.marks.clone() }
    }

    pub fn name(&self, symbol: &Symbol) -> String {
        let mut name = symbol.action.to_string();
        let objects: Vec<String> = symbol.objects.iter().map(|object| self.object_name(*object)).collect();
        if symbol.objects.iter().any(|object| *object != Object::Any) {
            let _ = write!(name, "({})", objects.join(", "));
        }
        if !symbol.marks.is_empty() {
            let _ = write!(name, " late for {}", symbol.marks.join(", "));
        }
        if !symbol.surely {
            name.push('?');
        }
        name
    }

    pub fn object_name(&self, object: Object) -> String {
        let matching = |matched: u64| {
            let classes = self.known.classes.iter().enumerate().filter(|(at, _)| matched & 1 << at != 0);
            classes.map(|(_, class)| format!(" like {}", class.text())).collect::<String>()
        };
        match object {
            Object::Any => "_".to_owned(),
            Object::Own(number) => self.known.objects[number].clone(),
            Object::Past(matched) => format!("an earlier object{}", matching(matched)),
            Object::New(matched) => format!("a new object{}", matching(matched)),
        }
    }
}

/// The part of an alphabet that the laws are written out for: the objects with symbols of their own, and the symbols. Equal
/// shapes of one run give equal laws.
pub(super) type Shape = (Vec<(usize, String)>, Vec<Symbol>);

/// Objects that did not occur: one of no class, and one of each class.
pub(super) fn new_objects(alphabet: &Alphabet) -> Vec<Object> {
    let each = (0..alphabet.known.classes.len()).map(|at| Object::New(1 << at));
    [Object::New(0)].into_iter().chain(each).collect()
}

fn own_objects(
    laws: &[&ObjectLaw],
    alphabet: &Alphabet,
    coming: &[Event],
    trackers: &mut [Tracker],
) -> Result<BTreeSet<usize>, ObjectError> {
    let mut own: BTreeSet<usize> = coming.iter().flat_map(|event| alphabet.asked_objects(event)).collect();
    let mut about = laws.iter().filter(|law| law.parameter.is_some());
    let (mixed, counts) = (about.any(|law| law.is_mixed()), counts_objects(laws));
    let mut classes: BTreeSet<(u64, Vec<usize>)> = BTreeSet::new();
    if !mixed {
        let fresh: Vec<usize> = trackers.iter().map(|tracker| tracker.fresh).collect();
        let new = new_objects(alphabet).into_iter().map(|object| alphabet.classes_of(object));
        classes.extend(new.map(|matched| (matched, fresh.clone())));
    }
    for object in 0..alphabet.known.objects.len() {
        let states: Vec<usize> = trackers.iter().map(|tracker| tracker.state(object)).collect();
        let alone = counts && (mixed || trackers.iter_mut().any(|tracker| tracker.is_owed(object)));
        if !own.contains(&object) && (classes.insert((alphabet.known.matched[object], states)) || alone) {
            own.insert(object);
        }
    }
    match own.len() {
        found if found > MAX_OBJECTS => Err(ObjectError::TooManyObjects(found)),
        _ => Ok(own),
    }
}

/// The symbols of the events, and of what may come.
fn symbols(alphabet: &Alphabet, events: &Events, coming: &[Event]) -> Result<Vec<Symbol>, ObjectError> {
    let known = &*alphabet.known;
    let mut symbols = BTreeSet::new();
    let mut is_there = vec![false; known.symbols.len()];
    for (event, (objects, symbol)) in events.distinct().iter().zip(&known.events) {
        if objects.iter().any(|object| alphabet.own.contains(object)) {
            symbols.insert(alphabet.symbol(event, event.surely));
        } else if !std::mem::replace(&mut is_there[*symbol], true) {
            symbols.insert(known.symbols[*symbol].clone());
        }
    }
    symbols.extend(coming.iter().flat_map(|event| [true, false].map(|surely| alphabet.symbol(event, surely))));
    let marks = coming.iter().map(|event| event.marks.clone());
    let other = |marks| Symbol { action: OTHER.into(), objects: Vec::new(), surely: true, marks };
    symbols.extend(marks.chain([Vec::new()]).map(other));
    let mut objects: Vec<Object> = alphabet.own.iter().map(|own| Object::Own(*own)).collect();
    objects.extend(new_objects(alphabet));
    // The objects of the events to come have all symbols, so that their laws are written out once.
    let named = coming.iter().flat_map(|event| &event.objects).filter_map(|object| alphabet.number(object));
    let named: BTreeSet<usize> = named.collect();
    for (action, asked) in &known.asked {
        let mut tuples = vec![Vec::new()];
        for asked in asked {
            let choices: &[Object] = if *asked { &objects } else { &[Object::Any] };
            let longer = |tuple: &Vec<Object>, choice: &Object| tuple.iter().copied().chain([*choice]).collect();
            tuples = tuples.iter().flat_map(|tuple| choices.iter().map(move |choice| longer(tuple, choice))).collect();
            if tuples.len() > 4 * MAX_OBJECTS {
                return Err(ObjectError::TooManyCombinations(action.clone()));
            }
        }
        for objects in tuples {
            let is_named = objects.iter().any(|object| matches!(object, Object::Own(own) if named.contains(own)));
            let symbol = Symbol { action: action.clone(), objects, surely: true, marks: Vec::new() };
            symbols.extend(is_named.then(|| Symbol { surely: false, ..symbol.clone() }));
            symbols.insert(symbol);
        }
    }
    Ok(symbols.into_iter().collect())
}

/// Returns whether two objects in the same state may count as two, by some law.
fn counts_objects(laws: &[&ObjectLaw]) -> bool {
    let calls = |law: &&ObjectLaw| -> Vec<Arc<str>> {
        let action = |atom: &Atom| match atom {
            Atom::Call { action, .. } => Some(action.clone()),
            Atom::Fact(_) | Atom::Mark => None,
        };
        law.atoms.values().filter_map(action).collect()
    };
    let about_objects: BTreeSet<Arc<str>> = laws.iter().filter(|law| law.parameter.is_some()).flat_map(calls).collect();
    laws.iter().any(|law| match law.counts {
        Counts::Nothing => false,
        Counts::All => true,
        Counts::Mentioned if law.parameter.is_some() => law.is_mixed(),
        Counts::Mentioned => calls(law).iter().any(|action| about_objects.contains(action)),
    })
}
