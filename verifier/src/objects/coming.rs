//! The alphabet of a decision about events to come.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::alphabet::{Alphabet, Object, Symbol, new_objects};
use super::law::MAX_OBJECTS;
use super::tracker::{Tracker, Trackers};
use super::{Atom, Counts, Event, Events, OTHER, ObjectError, ObjectLaw};

/// The part of an alphabet that the laws are written out for: the objects with symbols of their own, and the symbols. Equal
/// shapes of one run give equal laws.
pub(super) type Shape = (Vec<(usize, String)>, Vec<Symbol>);

impl Alphabet {
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
