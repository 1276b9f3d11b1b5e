//! A shield along a run of events with any objects.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::alphabet::Alphabet;
use super::coming::Shape;
use super::tracker::Trackers;
use super::{Catalogue, Encoded, Event, Events, Ground, ObjectError, ObjectLaw, ObjectLaws};
use crate::compiled::CompiledLaws;
use crate::judgement::Judgement;
use crate::law::{Law, LawId};
use crate::letter::PropSet;
use crate::options::ShieldOptions;
use crate::shield::{Lift, Shield};

/// Bytes for the caches of a shield over instances: it has little to remember, and memory takes time.
const CACHE: usize = 256 << 10;
/// Maximum number of events that the shields of a [`Memory`] have read, all together.
const MAX_READ: usize = 1_000_000;

/// Some of the laws, written out, with a shield over them that reads a run.
pub struct Instances {
    /// The instances, each with the number of its law.
    pub laws: Vec<(usize, Law)>,
    /// The shield, after the events that were read last.
    pub shield: Shield,
    /// The numbers of the events of the run that the shield has read.
    read: Vec<usize>,
    /// The events that it has read after them.
    earlier: Vec<Encoded>,
}

impl Instances {
    /// The instances of laws by their numbers.
    ///
    /// # Errors
    /// Laws that cannot be compiled together.
    pub fn new(ground: &Ground, of: &[usize]) -> Result<Self, ObjectError> {
        Self::over(ground, ground.laws.iter().filter(|(number, _)| of.contains(number)).cloned().collect())
    }

    /// These instances alone.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn over(ground: &Ground, laws: Vec<(usize, Law)>) -> Result<Self, ObjectError> {
        let mut in_force: Vec<Law> = laws.iter().map(|(_, law)| law.clone()).collect();
        in_force.extend(ground.past.clone().map(|past| Law::hard("past objects", past, "")));
        let options = ShieldOptions { cache_bytes: CACHE, ..ShieldOptions::default() };
        let mut shield = Shield::over(CompiledLaws::new(ground.vocabulary.clone(), in_force, options)?);
        shield.start(PropSet::EMPTY)?;
        Ok(Self { laws, shield, read: Vec::new(), earlier: Vec::new() })
    }

    /// Reads a run, and events after it. What was read before is not read again, as long as it stays the same.
    ///
    /// # Errors
    /// An event that the alphabet was not made for.
    pub fn go_to(&mut self, ground: &Ground, events: &Events, earlier: &[Event]) -> Result<(), ObjectError> {
        let earlier: Vec<Encoded> = earlier.iter().map(|event| ground.encode(event)).collect::<Result<_, _>>()?;
        let goes_on = match self.earlier.is_empty() {
            true => events.numbers().starts_with(&self.read),
            false => events.numbers() == self.read && earlier.starts_with(&self.earlier),
        };
        if !goes_on {
            self.restart()?;
        }
        let run = events.numbers()[self.read.len()..].iter().map(|number| &ground.events[*number]);
        for (action, observations) in run.chain(&earlier[self.earlier.len()..]) {
            self.shield.step(*action, *observations)?;
        }
        self.read.extend_from_slice(&events.numbers()[self.read.len()..]);
        self.earlier = earlier;
        Ok(())
    }

    /// Goes back to the beginning of the run.
    ///
    /// # Errors
    /// As [`Shield::start`].
    pub fn restart(&mut self) -> Result<(), ObjectError> {
        self.read.clear();
        self.earlier.clear();
        self.shield.start(PropSet::EMPTY)?;
        Ok(())
    }

    /// The events that were read, the latest first.
    pub fn latest<'a>(&'a self, ground: &'a Ground) -> impl Iterator<Item = &'a Encoded> {
        self.earlier.iter().rev().chain(self.read.iter().rev().map(|number| &ground.events[*number]))
    }

    /// The judgement on an event after those that were read, if it happens for sure.
    ///
    /// # Errors
    /// An event that the alphabet was not made for.
    pub fn judge(&mut self, ground: &Ground, event: &Event) -> Result<Judgement, ObjectError> {
        let (action, _) = ground.encode(&Event { surely: true, ..event.clone() })?;
        Ok(self.shield.judge(action))
    }
}

/// The laws as earlier decisions in one run wrote them out, with their states. It saves time alone: a decision does not
/// depend on it.
#[derive(Default)]
pub struct Memory {
    trackers: Trackers,
    known: FxHashMap<Shape, (Ground, FxHashMap<usize, Instances>)>,
}

impl Memory {
    /// The laws written out after the events of a run, for events to come, with room for [`Instances`] of some of them.
    ///
    /// # Errors
    /// As [`Ground::new`].
    pub fn ground(
        &mut self,
        laws: &[&ObjectLaw],
        catalogue: &Catalogue,
        events: &Events,
        coming: &[Event],
    ) -> Result<&mut (Ground, FxHashMap<usize, Instances>), ObjectError> {
        let (alphabet, shape) = Alphabet::after(laws, events, coming, &mut self.trackers)?;
        if self.known.len() * events.len() > MAX_READ {
            self.known.clear();
        }
        let known = match self.known.entry(shape) {
            Entry::Occupied(known) => {
                let known = known.into_mut();
                known.0.go_on(alphabet);
                known
            }
            Entry::Vacant(new) => {
                let ground = Ground::over(laws, catalogue, alphabet, new.key().1.clone())?;
                new.insert((ground, FxHashMap::default()))
            }
        };
        known.0.encode_all(events)?;
        Ok(known)
    }
}

/// A shield along one run of events.
pub struct ObjectRun {
    laws: ObjectLaws,
    events: Events,
    memory: Memory,
}

impl ObjectRun {
    /// A run before its first event.
    pub fn new(laws: ObjectLaws) -> Self {
        Self { laws, events: Events::default(), memory: Memory::default() }
    }

    /// Reads what happened, also if the laws forbid it.
    ///
    /// # Errors
    /// [`ObjectError::Event`]; then nothing was read.
    pub fn step(&mut self, event: Event) -> Result<(), ObjectError> {
        self.check(&event)?;
        self.events.extend([event]);
        Ok(())
    }

    fn check(&self, event: &Event) -> Result<(), ObjectError> {
        let parameters = self.laws.catalogue.actions.get(event.action.as_str());
        match parameters.is_some_and(|parameters| parameters.len() == event.objects.len()) {
            true => Ok(()),
            false => Err(ObjectError::Event(event.to_string())),
        }
    }

    /// All laws, written out for an event that comes, and the event.
    fn asked(&mut self, event: Option<&Event>) -> Result<(&Ground, &mut Instances), ObjectError> {
        let laws: Vec<&ObjectLaw> = self.laws.laws.iter().collect();
        let coming: Vec<Event> = event.into_iter().cloned().collect();
        let known = self.memory.ground(&laws, &self.laws.catalogue, &self.events, &coming)?;
        let (ground, instances) = known;
        let instances = match instances.entry(0) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Instances::new(ground, &(0..laws.len()).collect::<Vec<_>>())?),
        };
        instances.go_to(ground, &self.events, &[])?;
        Ok((ground, instances))
    }

    /// Decides whether an event may happen now, by all laws together. The laws that block it are named with their objects.
    ///
    /// # Errors
    /// [`ObjectError::Event`], and laws that cannot be decided: then the event must not happen.
    pub fn judge(&mut self, event: &Event) -> Result<Judgement, ObjectError> {
        self.check(event)?;
        let (ground, instances) = self.asked(Some(event))?;
        instances.judge(ground, event)
    }

    /// The fewest events after which an event is allowed, as people read them: `test(a.rs)`. `None` if there are none, or none
    /// were found within the budget.
    ///
    /// # Errors
    /// As [`Self::judge`].
    pub fn lifted_by(&mut self, event: &Event) -> Result<Option<Vec<String>>, ObjectError> {
        self.check(event)?;
        let (ground, instances) = self.asked(Some(event))?;
        let (action, _) = ground.encode(&Event { surely: true, ..event.clone() })?;
        let vocabulary = &ground.vocabulary;
        Ok(match instances.shield.lifted_by(action) {
            Lift::By(letters) => letters
                .iter()
                .map(|letter| Some(ground.shown((letter.action(vocabulary)?, letter.observations(vocabulary)))))
                .collect(),
            Lift::Never | Lift::NotFound => None,
        })
    }

    /// The laws that would not hold if the run stopped now, with their objects; one object stands for those in its state.
    ///
    /// # Errors
    /// Laws that cannot be decided.
    pub fn owed(&mut self) -> Result<Vec<LawId>, ObjectError> {
        Ok(self.asked(None)?.1.shield.obligations())
    }

    /// The events so far.
    pub fn events(&self) -> &Events {
        &self.events
    }
}
