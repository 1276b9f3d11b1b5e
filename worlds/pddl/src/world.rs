//! A planning task as a world of the shielded loop, which predicts exactly.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ltlcrit_verifier::Formula as Ltl;
use ltlcrit_verifier::vocabulary::{STOP, VocabularyError};
use ltlcrit_verifier::{ActionId, Law, Prediction, PropId, PropSet, Proposition, Vocabulary};
use ltlcrit_worlds::{Details, Observation, Outcome, Reason, Shape, World, WorldError, WorldInfo, WorldObservation};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::formula::{Formula, Id, State, Value};
use crate::ground::Ground;
use crate::instantiate::{GroundSymbol, TooLarge};
use crate::model::{Comparison, ObjectId, Term};
use crate::names::GroundNames;
use crate::number::Number;
use crate::task::{Task, TaskError};
use crate::write::Writer;

/// The reason code of an action whose precondition does not hold.
pub const NOT_APPLICABLE: Reason = Reason(Cow::Borrowed("not_applicable"));

/// The full observation of a planning task: the state. Danger is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PddlObservation {
    /// The facts that hold, as PDDL, those that never change included.
    pub facts: Vec<String>,
    /// The values of the numeric fluents that matter, by their PDDL.
    pub numbers: BTreeMap<String, Number>,
}

/// One fact in a line, and one number.
impl fmt::Display for PddlObservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.facts.iter().cloned();
        let numbers = self.numbers.iter().map(|(name, value)| format!("(= {name} {value})"));
        f.write_str(&facts.chain(numbers).collect::<Vec<_>>().join("\n"))
    }
}

impl WorldObservation for PddlObservation {
    const KIND: &'static str = "pddl";

    fn shape() -> Shape {
        let numbers = Shape::Map { names: Vec::new(), entry: Box::new(Shape::Number) };
        Shape::Fields(vec![("facts", Shape::Other("a list")), ("numbers", numbers)])
    }

    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
        let numbers = self.numbers.iter().map(|(name, value)| (replace(name), *value)).collect();
        Self { facts: self.facts.iter().map(|fact| replace(fact)).collect(), numbers }
    }
}

/// Why a task is no world.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PddlWorldError {
    /// It cannot be read.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// It cannot be grounded.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// An action has the name of the one that ends a run.
    #[error("the domain's action `stop` has the name of the action that ends a run; rename it")]
    Stop,
    /// Its facts and actions are too many, or two have one name.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
}

/// What every copy of a world shares.
#[derive(Debug)]
struct Shared {
    ground: Ground,
    vocabulary: Arc<Vocabulary>,
    task: String,
    /// The observations that hold always.
    constant: PropSet,
    constant_facts: Vec<String>,
    /// By fact that may change: its text. Its proposition has the same number.
    fact_texts: Vec<String>,
    fact_ids: FxHashMap<String, Id>,
    number_texts: Vec<String>,
    /// The comparisons that conditions make, as observations.
    comparisons: Vec<(PropId, Formula)>,
}

/// A planning task as a world.
///
/// The observations are the facts that may change, the facts that hold always, and the comparisons of numbers that some
/// condition makes: `obs_at(cup, table)`, `obs_(<= 2 (level))`, the latter in double quotes in laws. The actions are the
/// ground actions that may apply in some state: `action_place(cup, table)`. Hyphens in names of predicates and actions
/// become underscores. Danger is neither observed nor mentioned; [`PddlWorld::danger`] tells it to who runs the world.
#[derive(Clone, Debug)]
pub struct PddlWorld {
    shared: Arc<Shared>,
    state: State,
    danger: Number,
}

impl PddlWorld {
    /// The world of a task, at its beginning.
    ///
    /// # Errors
    /// The task is too large to ground, or has more observations and actions together than a letter holds.
    pub fn new(task: &Task) -> Result<Self, PddlWorldError> {
        let ground = Ground::new(task)?;
        let name = match task.metadata.task_id.as_str() {
            "" => task.basic.name.to_string(),
            id => id.to_owned(),
        };
        let names = GroundNames(&ground);
        let mut observations: Vec<Proposition> = Vec::new();
        let observed = |symbol: &GroundSymbol| Proposition::new(names.observation(symbol), names.fact(symbol));
        observations.extend(ground.facts().iter().map(observed));
        let constants = constant_facts(&ground);
        let first_constant = observations.len();
        observations.extend(constants.iter().map(observed));
        let first_comparison = observations.len();
        let compared = comparisons(&ground);
        observations.extend(compared.iter().map(|(_, text)| Proposition::new(format!("obs_{text}"), text.as_str())));
        let actions: Vec<Proposition> = (0..ground.actions().len()).map(|number| action(&ground, number)).collect();
        if actions.iter().any(|action| &*action.name == STOP) {
            return Err(PddlWorldError::Stop);
        }
        let vocabulary = Arc::new(Vocabulary::new(name.as_str(), observations, actions, vec![])?);
        let id = |index: usize| PropId(index as u16);
        let fact_texts: Vec<String> = ground.facts().iter().map(|fact| names.fact(fact)).collect();
        let shared = Shared {
            vocabulary,
            task: goal_text(task),
            constant: (first_constant..first_comparison).map(id).collect(),
            constant_facts: constants.iter().map(|fact| names.fact(fact)).collect(),
            fact_ids: fact_texts.iter().enumerate().map(|(id, text)| (text.clone(), id as Id)).collect(),
            fact_texts,
            number_texts: ground.numbers().iter().map(|number| names.number(number)).collect(),
            comparisons: (first_comparison..).map(id).zip(compared.into_iter().map(|(formula, _)| formula)).collect(),
            ground,
        };
        let danger = task.danger.as_ref().map_or(Number::ZERO, |danger| danger.initial);
        Ok(Self { state: shared.ground.initial().clone(), shared: Arc::new(shared), danger })
    }

    /// The ground task. Its actions have the numbers of the vocabulary's.
    pub fn ground(&self) -> &Ground {
        &self.shared.ground
    }

    /// Its vocabulary.
    pub(crate) fn words(&self) -> &Arc<Vocabulary> {
        &self.shared.vocabulary
    }

    /// The world at its beginning, from the options of its [description](World::info).
    ///
    /// # Errors
    /// They describe no task.
    pub fn described(options: &serde_json::Value) -> Result<Self, PddlWorldError> {
        Self::new(&Task::described(options)?)
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The danger that the actions so far have met.
    pub fn danger(&self) -> Number {
        self.danger
    }

    /// Executes an action of the vocabulary.
    ///
    /// # Errors
    /// There is no such action.
    pub fn act(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        let ground = &self.shared.ground;
        if usize::from(action.0) >= self.shared.vocabulary.actions().len() {
            return Err(WorldError::UnknownAction(action.0));
        }
        let Some(number) = self.number(action) else {
            return Ok(Outcome::new(None, "The run ends here.".to_owned(), 0));
        };
        let step = &ground.actions()[number].name;
        Ok(match ground.apply(&self.state, number) {
            Some(after) => {
                self.danger = self.danger + ground.danger(&self.state, number);
                self.state = after;
                Outcome::new(None, format!("Done: {step}."), 1)
            }
            None => {
                let message = format!("{step} is not applicable: {}.", self.obstacle(number));
                Outcome::new(Some(NOT_APPLICABLE), message, 1)
            }
        })
    }

    /// The observation of a state.
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

    /// The laws that forbid what is dangerous: `G(c_a -> X !a)` for each action and condition that raises danger. They are
    /// all a plan needs to be safe if danger is tolerated nowhere.
    pub fn danger_laws(&self) -> Vec<Law> {
        let ground = &self.shared.ground;
        let mut laws = Vec::new();
        for (number, action) in ground.actions().iter().enumerate() {
            let rises = |by: &Number| by.compare(Number::ZERO).is_some_and(std::cmp::Ordering::is_gt);
            let dangerous = ground.danger_rules(number).iter().filter(|(_, by)| rises(by));
            let name = GroundNames(ground).action(number);
            for (index, (condition, by)) in dangerous.enumerate() {
                let forbidden = Ltl::atom(name.as_str()).not().next();
                let formula = match condition.is_constant(true) {
                    // Nothing precedes the first action but letter 0, which has no action.
                    true => Ltl::atom(name.as_str()).not().globally(),
                    false => self.ltl(condition).implies(forbidden).globally(),
                };
                let id = format!("danger-{number}-{index}");
                let explanation = match condition.is_constant(true) {
                    true => format!("{} changes danger by {by}.", action.name),
                    false => {
                        let shown = GroundNames(ground).condition(condition);
                        format!("{} changes danger by {by} where {shown}.", action.name)
                    }
                };
                laws.push(Law::hard(id, formula, explanation));
            }
        }
        laws
    }

    fn ltl(&self, formula: &Formula) -> Ltl {
        let signed = |name: &str, holds: bool| if holds { Ltl::atom(name) } else { Ltl::atom(name).not() };
        let vocabulary = &self.shared.vocabulary;
        match formula {
            Formula::Fact(id, holds) => signed(vocabulary.name_of(PropId(*id as u16)), *holds),
            Formula::Compare { comparison, holds, a, b } => {
                let text = GroundNames(&self.shared.ground).comparison(*comparison, a, b);
                signed(&format!("obs_{text}"), *holds)
            }
            Formula::All(parts) | Formula::Any(parts) => {
                let all = matches!(formula, Formula::All(_));
                let join = |a: Ltl, b: Ltl| if all { a.and(b) } else { a.or(b) };
                let joined = parts.iter().map(|part| self.ltl(part)).reduce(join);
                joined.unwrap_or(if all { Ltl::True } else { Ltl::False })
            }
        }
    }

    /// The ground action of an action of the vocabulary; `None` for `action_stop`.
    fn number(&self, action: ActionId) -> Option<usize> {
        let number = usize::from(action.0);
        (number < self.shared.ground.actions().len()).then_some(number)
    }

    /// The propositions that hold in a state.
    pub(crate) fn holds(&self, state: &State) -> PropSet {
        let shared = &*self.shared;
        let facts = (0..shared.fact_texts.len() as Id).filter(|id| state.fact(*id)).map(|id| PropId(id as u16));
        let compared = shared.comparisons.iter().filter(|(_, formula)| formula.holds(state)).map(|(id, _)| *id);
        facts.chain(compared).collect::<PropSet>().union(&shared.constant)
    }

    /// The state of an observation; `None` if the observation is not of this task.
    fn state_of(&self, observation: &Observation) -> Option<State> {
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
        (constants == shared.constant_facts.len()).then_some(state)
    }

    /// What keeps an action from being applied.
    fn obstacle(&self, number: usize) -> String {
        let names = GroundNames(&self.shared.ground);
        let precondition = self.shared.ground.precondition(number);
        let parts = if let Formula::All(parts) = precondition { parts } else { std::slice::from_ref(precondition) };
        match parts.iter().find(|part| !part.holds(&self.state)) {
            Some(part) => format!("{} does not hold", names.condition(part)),
            None => "its effects contradict each other, or make a number undefined or leave its bounds".to_owned(),
        }
    }
}

fn goal_text(task: &Task) -> String {
    format!("Reach a state in which {} holds.", Writer::of(&task.basic).text(&task.basic.goal, &[]))
}

/// The facts that hold in every state.
fn constant_facts(ground: &Ground) -> Vec<GroundSymbol> {
    let changing: Vec<&GroundSymbol> = ground.facts().iter().collect();
    let objects = |terms: &[Term]| -> Vec<ObjectId> {
        let object = |term: &Term| match term {
            Term::Object(id) => Some(*id),
            Term::Variable(_) => None,
        };
        terms.iter().filter_map(object).collect()
    };
    let facts = ground.task().basic.facts.iter();
    let symbols = facts.map(|fact| GroundSymbol { symbol: fact.predicate.0, arguments: objects(&fact.arguments) });
    symbols.filter(|symbol| !changing.contains(&symbol)).collect()
}

/// The comparisons that preconditions, the goal and danger make, each once and without a negation, with their texts.
fn comparisons(ground: &Ground) -> Vec<(Formula, String)> {
    fn collect(formula: &Formula, names: GroundNames<'_>, into: &mut Vec<(Formula, String)>) {
        match formula {
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| collect(part, names, into)),
            Formula::Fact(..) => {}
            Formula::Compare { comparison, a, b, .. } => {
                let text = names.comparison(*comparison, a, b);
                if !into.iter().any(|(_, known)| *known == text) {
                    let (a, b): (Value, Value) = (a.clone(), b.clone());
                    let comparison: Comparison = *comparison;
                    into.push((Formula::Compare { comparison, holds: true, a, b }, text));
                }
            }
        }
    }
    let mut into = Vec::new();
    let names = GroundNames(ground);
    collect(ground.goal(), names, &mut into);
    for number in 0..ground.actions().len() {
        collect(ground.precondition(number), names, &mut into);
        ground.danger_rules(number).iter().for_each(|(condition, _)| collect(condition, names, &mut into));
    }
    into
}

/// An action as a proposition: its meaning is the step, its recipe what it needs and does.
fn action(ground: &Ground, number: usize) -> Proposition {
    let of = &ground.actions()[number];
    let problem = &ground.task().basic;
    let lifted = &problem.domain.actions[of.action];
    let objects: Vec<&str> = of.arguments.iter().map(|id| &*problem.objects[id.0 as usize].name).collect();
    let writer = Writer::of(problem);
    let precondition = writer.text(&lifted.precondition, &objects);
    let recipe = format!("needs {precondition}, gives {}", writer.effect_text(&lifted.effect, &objects));
    Proposition::new(GroundNames(ground).action(number), of.name.as_str()).with_recipe(recipe)
}

impl World for PddlWorld {
    fn info(&self) -> WorldInfo {
        let options = self.shared.ground.task().description();
        WorldInfo { kind: "pddl".to_owned(), seed: None, options, deterministic: true }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.shared.vocabulary.clone()
    }

    fn task(&self) -> &str {
        &self.shared.task
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        Ok(self.observation(&self.state))
    }

    fn predict(&self, observation: &Observation, action: ActionId) -> Option<Prediction> {
        let Some(number) = self.number(action) else { return Some(Prediction::exactly(observation.holds)) };
        let state = self.state_of(observation)?;
        // An action that is not applicable changes nothing.
        let after = self.shared.ground.apply(&state, number);
        Some(Prediction::exactly(after.map_or(observation.holds, |after| self.holds(&after))))
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.act(action)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.state_of(observation).is_some_and(|state| self.shared.ground.is_goal(&state))
    }
}
