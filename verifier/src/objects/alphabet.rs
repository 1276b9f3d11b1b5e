//! The alphabet of a decision: the objects that the laws are written out for, and the symbols of events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Argument, Atom, Event, Events, Like, OTHER, ObjectLaw, classes};

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
    pub objects: Vec<String>,
    numbers: FxHashMap<String, usize>,
    pub classes: Vec<Arc<dyn Like>>,
    /// By object: the classes that it belongs to.
    pub matched: Vec<u64>,
    /// By action: the parameters that some law asks for.
    pub asked: BTreeMap<Arc<str>, Vec<bool>>,
    /// By distinct event: the objects that some law asks for, and the number of its symbol where none of them is written out.
    pub events: Vec<(Vec<usize>, usize)>,
    pub symbols: Vec<Symbol>,
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

    pub fn add(&mut self, object: &str) {
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
    pub known: Arc<Known>,
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
    pub fn read(&mut self, events: &Events) {
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

    /// The number of an object.
    pub fn number(&self, object: &str) -> Option<usize> {
        self.known.numbers.get(object).copied()
    }

    /// Returns whether some law asks for an action.
    pub fn asks_for(&self, action: &str) -> bool {
        self.known.asked.contains_key(action)
    }

    /// The objects of an event that some law asks for.
    pub fn asked_objects(&self, event: &Event) -> Vec<usize> {
        let asked = self.known.asked.get(event.action.as_str()).map_or(&[][..], Vec::as_slice);
        let objects = event.objects.iter().zip(asked).filter(|(_, asked)| **asked);
        objects.filter_map(|(object, _)| self.number(object)).collect()
    }

    pub fn classes_of(&self, object: Object) -> u64 {
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

/// Objects that did not occur: one of no class, and one of each class.
pub(super) fn new_objects(alphabet: &Alphabet) -> Vec<Object> {
    let each = (0..alphabet.known.classes.len()).map(|at| Object::New(1 << at));
    [Object::New(0)].into_iter().chain(each).collect()
}
