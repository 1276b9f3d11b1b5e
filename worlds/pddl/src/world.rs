//! A planning task as a world of the shielded loop, which predicts exactly.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};
use ltlcrit_worlds::{Details, Observation, Outcome, Reason, WorldError};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::alphabet::{Alphabet, Mentioned, constant_facts};
use crate::courses::{Course, Courses, Ways};
use crate::formula::{Id, State};
use crate::ground::Ground;
use crate::instantiate::TooLarge;
use crate::names::GroundNames;
use crate::number::Number;
use crate::observation::PddlObservation;
use crate::signature::signature;
use crate::task::{Task, TaskError};
use crate::write::Writer;

/// The reason code of an action whose precondition does not hold.
pub const NOT_APPLICABLE: Reason = Reason(Cow::Borrowed("not_applicable"));

/// The reason code of an action that met more danger than is tolerated, if that ends the run: the code of every action
/// that a run does not survive.
const DANGEROUS: Reason = Reason::DIED;

/// The reason why a task cannot be a world.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PddlWorldError {
    /// It cannot be read.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// It cannot be grounded.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// An action has the name of the action that ends a run.
    #[error("the domain's action `stop` has the name of the action that ends a run; rename it")]
    Stop,
    /// It has too many facts and actions, or two have the same name.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
}

/// The data that all copies of a world share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    ground: Ground,
    ways: Ways,
    pub alphabet: Alphabet,
    /// The task in a sentence.
    pub task: String,
    constant_facts: Vec<String>,
    /// The texts of the changeable facts.
    fact_texts: Vec<String>,
    fact_ids: FxHashMap<String, Id>,
    number_texts: Vec<String>,
}

/// A planning task as a world.
///
/// The observations are the changeable facts, the facts that always hold, and the comparisons of numbers in conditions:
/// `obs_at(cup, table)`, `obs_(<= 2 (level))`, the latter in double quotes in laws. The actions are the ground actions
/// that may apply in some state: `action_place(cup, table)`. Hyphens in names of predicates and actions become
/// underscores. Danger is neither observed nor mentioned; [`PddlWorld::danger`] returns it to the caller that runs the
/// world.
#[derive(Clone, Debug)]
pub struct PddlWorld {
    pub(crate) shared: Arc<Shared>,
    state: State,
    danger: Number,
    /// True if a run ends when it meets more danger than is tolerated.
    pub(crate) fatal: bool,
    courses: Courses,
}

impl PddlWorld {
    /// Creates the world of a task, in its initial state.
    ///
    /// # Errors
    /// The task is too large to ground, or a letter cannot hold its observations and actions.
    pub fn new(task: &Task) -> Result<Self, PddlWorldError> {
        Self::under(task, None)
    }

    /// Creates the world of a task under laws. If a letter cannot hold all observations and actions, letters consist of
    /// those that the laws mention. The other actions are then [further ones](Vocabulary::with_further).
    ///
    /// # Errors
    /// The task is too large to ground, or a letter cannot hold the propositions that the laws mention.
    pub fn under(task: &Task, mentioned: Option<Mentioned<'_>>) -> Result<Self, PddlWorldError> {
        let ground = Ground::new(task)?;
        let ways = Ways::new(&ground)?;
        let name = match task.metadata.task_id.as_str() {
            "" => task.basic.name.to_string(),
            id => id.to_owned(),
        };
        let offered = ways.offered(&ground);
        if Alphabet::names_stop(&ground, &offered) {
            return Err(PddlWorldError::Stop);
        }
        let signature = signature(&ground, &offered)?;
        let alphabet = Alphabet::new(&name, &ground, &offered, signature, mentioned)?;
        let names = GroundNames(&ground);
        let fact_texts: Vec<String> = ground.facts.iter().map(|fact| names.fact(fact)).collect();
        let shared = Shared {
            task: goal_text(task),
            constant_facts: constant_facts(&ground).iter().map(|fact| names.fact(fact)).collect(),
            fact_ids: fact_texts.iter().enumerate().map(|(id, text)| (text.clone(), id as Id)).collect(),
            fact_texts,
            number_texts: ground.numbers.iter().map(|number| names.number(number)).collect(),
            ways,
            alphabet,
            ground,
        };
        let (state, courses) = (shared.ground.initial().clone(), Courses::default());
        Ok(Self { state, shared: Arc::new(shared), danger: task.initial_danger(), fatal: false, courses })
    }

    /// Returns the world with fatal danger: an action that meets more danger than the task tolerates fails, changes
    /// nothing, and ends the run. Runs of such a world show danger to learners; danger is still not observed.
    #[must_use]
    pub fn with_fatal_danger(self) -> Self {
        Self { fatal: true, ..self }
    }

    /// Returns the steps that an action of the vocabulary carries out in the current state: those on the way to it, and
    /// the action itself. Empty if it does not apply.
    pub fn carried_out(&self, action: ActionId) -> Vec<String> {
        let name = |number: usize| self.shared.ground.actions()[number].name.clone();
        match (self.course(&self.state, action), self.number(action)) {
            (Some(course), Some(number)) => {
                course.passed.iter().map(|(passed, _)| name(*passed)).chain([name(number)]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the ground task.
    pub fn ground(&self) -> &Ground {
        &self.shared.ground
    }

    /// Returns whether the world carries out an action on the way to others, or others on the way to it.
    pub(crate) fn is_part_of_a_way(&self, number: usize) -> bool {
        self.shared.ways.is_part(&self.shared.ground, number)
    }

    /// Returns the world in the same state, with other conditions and effects of the same actions.
    pub(crate) fn with_ground(&self, ground: Ground) -> Self {
        let shared = Arc::new(Shared { ground, ..(*self.shared).clone() });
        Self { shared, courses: Courses::default(), ..self.clone() }
    }

    /// Returns the ground action of an action of the vocabulary; `None` for those that end the run or stand for others.
    pub fn number(&self, action: ActionId) -> Option<usize> {
        self.shared.alphabet.numbers.get(usize::from(action.0)).copied().flatten()
    }

    /// Returns the action of the vocabulary for a ground action; `None` if only the world carries it out.
    pub fn id(&self, number: usize) -> Option<ActionId> {
        self.shared.alphabet.ids.get(number).copied().flatten()
    }

    /// Returns its vocabulary.
    pub(crate) fn words(&self) -> &Arc<Vocabulary> {
        &self.shared.alphabet.vocabulary
    }

    /// Creates the world in its initial state, from the options of its
    /// [description](ltlcrit_worlds::WorldInfo::options).
    ///
    /// # Errors
    /// The options do not describe a task.
    pub fn described(options: &serde_json::Value) -> Result<Self, PddlWorldError> {
        let task = Task::described(options)?;
        let world = match serde_json::from_value::<BTreeSet<String>>(options["seen"].clone()) {
            Ok(seen) => Self::under(&task, Some(&|_| seen.clone())),
            Err(_) => Self::under(&task, None),
        }?;
        Ok(if options["fatal_danger"] == true { world.with_fatal_danger() } else { world })
    }

    /// Returns the world in its initial state.
    pub(crate) fn at_the_beginning(&self) -> Self {
        let (state, danger) = (self.ground().initial().clone(), self.ground().task().initial_danger());
        Self { state, danger, courses: Courses::default(), ..self.clone() }
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the danger that the actions so far have met.
    pub fn danger(&self) -> Number {
        self.danger
    }

    /// Returns the course of an action of the vocabulary in a state; `None` if it does not apply.
    pub(crate) fn course(&self, state: &State, action: ActionId) -> Option<Course> {
        self.courses.of(&self.shared.ground, &self.shared.ways, state, self.number(action)?)
    }

    /// Appends the numbers of the actions other than stopping that apply in a state, from `some` or from all actions.
    pub(crate) fn applicable_in(&self, state: &State, some: Option<&[ActionId]>, into: &mut Vec<usize>) {
        let Shared { ground, ways, .. } = &*self.shared;
        let applies = |action: &ActionId| {
            let Some(number) = self.number(*action) else { return false };
            match ways.leads_to(ground, number) {
                true => self.course(state, *action).is_some(),
                false => ground.is_applicable(state, number),
            }
        };
        let number = |action: ActionId| usize::from(action.0);
        match some {
            Some(some) => into.extend(some.iter().copied().filter(applies).map(number)),
            None => into.extend(self.words().catalogue().map(|(action, _)| action).filter(applies).map(number)),
        }
    }

    /// Returns the intermediate states of an action in a state, in order, as propositions.
    pub(crate) fn passed(&self, state: &State, action: ActionId) -> Vec<PropSet> {
        if self.shared.ways.is_empty() {
            return Vec::new();
        }
        let course = self.course(state, action);
        course.map_or_else(Vec::new, |course| course.passed.iter().map(|(_, state)| self.holds(state)).collect())
    }

    /// Executes an action of the vocabulary.
    ///
    /// # Errors
    /// The action does not exist.
    pub fn act(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        if !self.words().offers(action) {
            return Err(WorldError::UnknownAction(action.0));
        }
        let Some(number) = self.number(action) else {
            return Ok(Outcome::new(None, "The run ends here.", 0));
        };
        let step = self.shared.ground.actions()[number].name.clone();
        Ok(match self.course(&self.state, action) {
            Some(Course { passed, after, danger }) => {
                let name = |(number, _): &(usize, State)| self.shared.ground.actions()[*number].name.clone();
                let by: Vec<String> = passed.iter().map(name).collect();
                let by = if by.is_empty() { String::new() } else { format!(" after {}", by.join(", ")) };
                let passed: Vec<PropSet> = passed.iter().map(|(_, state)| self.holds(state)).collect();
                self.danger = self.danger + danger;
                let ticks = 1 + passed.len() as u64;
                if self.fatal && !self.shared.ground.task().tolerates(self.danger) {
                    // A failed action changes nothing, not even on the way.
                    let message = format!("Dangerous: {step}{by}. The run ends here.");
                    return Ok(Outcome::new(Some(DANGEROUS), message, ticks));
                }
                self.state = after;
                Outcome { passed, ..Outcome::new(None, format!("Done: {step}{by}."), ticks) }
            }
            None => {
                let message = format!("{step} is not applicable: {}.", self.obstacle(number));
                Outcome::new(Some(NOT_APPLICABLE), message, 1)
            }
        })
    }

    /// Returns the observation of a state.
    pub fn observation(&self, state: &State) -> Observation {
        let shared = &*self.shared;
        let holding = |id: &usize| state.fact(*id as Id);
        let mut facts: Vec<String> =
            (0..shared.fact_texts.len()).filter(holding).map(|id| shared.fact_texts[id].clone()).collect();
        facts.extend_from_slice(&shared.constant_facts);
        let value = |(id, text): (usize, &String)| (text.clone(), state.number(id as Id));
        let numbers = shared.number_texts.iter().enumerate().map(value).collect();
        Observation { holds: self.holds(state), details: Details::new(PddlObservation { facts, numbers }) }
    }

    /// Returns the propositions that hold in a state.
    pub(crate) fn holds(&self, state: &State) -> PropSet {
        self.shared.alphabet.holds(state)
    }

    /// Returns the state of an observation; `None` if the observation is not of this task.
    pub(crate) fn state_of(&self, observation: &Observation) -> Option<State> {
        let seen: PddlObservation = observation.details.get()?;
        let shared = &*self.shared;
        let values = shared.number_texts.iter().map(|text| seen.numbers.get(text).copied()).collect::<Option<_>>()?;
        let mut state = State::new(shared.fact_texts.len(), values);
        let mut constants = 0;
        for fact in &seen.facts {
            match shared.fact_ids.get(fact) {
                Some(id) => state.set(*id, true),
                None => constants += 1,
            }
        }
        if constants != shared.constant_facts.len() {
            return None;
        }
        Some(state)
    }

    /// Returns the obstacle that makes an action inapplicable.
    fn obstacle(&self, number: usize) -> String {
        let names = GroundNames(&self.shared.ground);
        let precondition = &self.shared.ground.actions()[number].precondition;
        match precondition.unmet(&self.state) {
            Some(at) => format!("{} does not hold", names.condition(&precondition.conjuncts()[at])),
            None => "its effects contradict each other, or make a number undefined or leave its bounds".to_owned(),
        }
    }
}

fn goal_text(task: &Task) -> String {
    if !task.metadata.instruction.is_empty() {
        return task.metadata.instruction.clone();
    }
    format!("Reach a state in which {} holds.", Writer::of(&task.basic).condition(&task.basic.goal, &[]))
}
