//! Laws about objects, written out for those of an alphabet.

use std::sync::Arc;

use super::alphabet::{Alphabet, Object, Symbol, new_objects};
use super::tracker::Trackers;
use super::{Argument, Atom, Catalogue, Event, Events, OTHER, ObjectError, ObjectLaw, pessimistic};
use crate::formula::Formula;
use crate::law::Law;
use crate::letter::PropSet;
use crate::vocabulary::{ActionId, Axiom, Vocabulary, VocabularyError};

/// An event as a shield reads it.
pub type Encoded = (ActionId, PropSet);

/// The alphabet and the laws for the objects of a run.
pub struct Ground {
    /// The alphabet.
    pub vocabulary: Arc<Vocabulary>,
    /// The laws, each with the number of the one that it is an instance of.
    pub laws: Vec<(usize, Law)>,
    /// The events of the run, by their numbers.
    pub events: Vec<Encoded>,
    /// The law that what happens to an object without symbols of its own is `past`.
    pub past: Option<Formula>,
    alphabet: Alphabet,
    symbols: Vec<Symbol>,
    facts: Vec<(Arc<str>, Vec<Arc<str>>)>,
}

impl Ground {
    /// The alphabet and the laws after the events of a run, for events to come.
    ///
    /// # Errors
    /// Too many objects, or laws that cannot be followed.
    pub fn new(
        laws: &[&ObjectLaw],
        catalogue: &Catalogue,
        events: &Events,
        coming: &[Event],
    ) -> Result<Self, ObjectError> {
        let (alphabet, (_, symbols)) = Alphabet::after(laws, events, coming, &mut Trackers::default())?;
        let mut ground = Self::over(laws, catalogue, alphabet, symbols)?;
        ground.encode_all(events)?;
        Ok(ground)
    }

    /// The laws written out over an alphabet.
    pub(super) fn over(
        laws: &[&ObjectLaw],
        catalogue: &Catalogue,
        alphabet: Alphabet,
        symbols: Vec<Symbol>,
    ) -> Result<Self, ObjectError> {
        let mentioned = |fact: &Arc<str>| laws.iter().any(|law| law.atoms.contains_key(fact));
        let facts: Vec<(Arc<str>, Vec<Arc<str>>)> =
            catalogue.facts.iter().filter(|(fact, _)| mentioned(fact)).map(|(f, of)| (f.clone(), of.clone())).collect();
        let vocabulary = Arc::new(vocabulary(&alphabet, &symbols, &facts)?);
        let mut ground =
            Self { vocabulary, laws: Vec::new(), events: Vec::new(), past: None, alphabet, symbols, facts };
        for (number, law) in laws.iter().enumerate() {
            ground.instantiate(number, law);
        }
        // No continuation does something to an object of which it is not known what the laws ask: it cannot be `past`.
        let past = ground.some(Symbol::is_past);
        ground.past = (past != Formula::False).then(|| past.implies(Formula::atom(PAST)).globally());
        Ok(ground)
    }

    /// Goes on with a later alphabet of the same shape.
    pub(super) fn go_on(&mut self, alphabet: Alphabet) {
        self.alphabet = alphabet;
    }

    /// Encodes the events of a run that are new.
    ///
    /// # Errors
    /// As [`Self::encode`].
    pub fn encode_all(&mut self, events: &Events) -> Result<(), ObjectError> {
        for event in &events.distinct()[self.events.len()..] {
            self.events.push(self.encode(event)?);
        }
        Ok(())
    }

    fn instantiate(&mut self, number: usize, law: &ObjectLaw) {
        let add = |ground: &mut Self, instance: Option<Object>, name: String| {
            let formula = pessimistic(&law.law.formula, true, &mut |name, helps| match law.atoms.get(name) {
                Some(Atom::Call { action, arguments }) => ground.call(action, Some((arguments, instance)), helps),
                Some(Atom::Fact(fact)) => ground.fact(fact, helps),
                Some(Atom::Mark) => ground.some(|symbol| symbol.marks.contains(&law.law.id)),
                None => Formula::False,
            });
            let formula = formula.without_constants();
            if formula != Formula::True {
                ground.laws.push((number, Law { id: name.into(), formula, ..law.law.clone() }));
            }
        };
        if law.parameter.is_none() {
            return add(self, None, law.law.id.to_string());
        }
        let mut instances: Vec<Object> = self.alphabet.own.iter().map(|own| Object::Own(*own)).collect();
        if !law.is_mixed() {
            instances.extend(new_objects(&self.alphabet));
        }
        for instance in instances {
            let name = format!("{}({})", law.law.id, self.alphabet.object_name(instance));
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
        let calls = actions.iter().map(|action| match self.alphabet.asks_for(action) {
            true => self.call(action, None, helps),
            false => self.some(|symbol| *symbol.action == *OTHER),
        });
        let calls = calls.reduce(Formula::or).unwrap_or(Formula::False);
        if helps { Formula::atom(name.clone()).and(calls) } else { Formula::atom(perhaps(name)).and(calls) }
    }

    /// An event as a shield reads it.
    ///
    /// # Errors
    /// An event that the alphabet was not made for.
    pub fn encode(&self, event: &Event) -> Result<Encoded, ObjectError> {
        let symbol = self.alphabet.symbol(event, event.surely);
        let past = self.vocabulary.id(PAST).filter(|_| symbol.is_past());
        let name = self.alphabet.name(&symbol);
        let action = self.vocabulary.action(&name).ok_or(ObjectError::NotInAlphabet(name))?;
        let observations = self.facts.iter().flat_map(|(fact, _)| {
            let is = |known: &String| **known == **fact;
            let known = event.surely && event.facts.iter().any(is);
            let maybe = known || event.facts.iter().chain(&event.perhaps).any(is);
            let surely = self.vocabulary.id(fact).filter(|_| known);
            [surely, self.vocabulary.id(&perhaps(fact)).filter(|_| maybe)].into_iter().flatten()
        });
        Ok((action, observations.chain(past).collect()))
    }

    /// The events that a continuation may have, with the facts that their results may have: all of them, or none.
    pub fn possible(&self) -> Vec<Encoded> {
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

    /// An event with the facts that it must make true, for people: `test (green)`.
    pub fn shown(&self, (action, observations): Encoded) -> String {
        let name = self.vocabulary.action_name(action);
        let symbol = self.symbols.iter().find(|symbol| self.alphabet.name(symbol) == name);
        let makes =
            |(_, actions): &&(Arc<str>, Vec<Arc<str>>)| symbol.is_some_and(|symbol| actions.contains(&symbol.action));
        let holds = |fact: &&str| self.vocabulary.id(fact).is_some_and(|id| observations.contains(id));
        let facts: Vec<&str> = self.facts.iter().filter(makes).map(|(fact, _)| &**fact).filter(holds).collect();
        let name = name.trim_end_matches('?');
        if facts.is_empty() { name.to_owned() } else { format!("{name} ({})", facts.join(", ")) }
    }
}

/// The observation of events that name an object without symbols of its own. By an axiom, it never holds.
const PAST: &str = "~past";

fn perhaps(fact: &str) -> String {
    format!("{fact}~")
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
