//! The validator: feasibility, safety and safety intention of a plan in any text.

use std::sync::{Mutex, PoisonError};

use crate::called::{Called, Fault};
use crate::constraint_laws;
use crate::model::{Condition, ObjectId, Problem};
use crate::plan::{Group, groups};
use crate::run::{Run, Step, run, run_relaxed};
use crate::scope::Names;
use crate::semantics::{Clash, OutOfWork, Work};
use crate::task::Task;
use crate::verdict::{Answers, Decision, Reason, Verdict};
use crate::world::PddlWorldError;
use crate::write::Writer;

/// Maximum length of a plan's text, in bytes.
pub const MAX_PLAN: usize = 1 << 20;

/// The reason why a plan is not judged.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValidateError {
    /// The text is too long.
    #[error("the plan has {0} bytes; at most {MAX_PLAN} are judged")]
    TooLong(usize),
    /// The constraints cannot be judged.
    #[error("the constraints cannot be judged: {0}")]
    Constraints(String),
    /// The evaluation takes too long.
    #[error(transparent)]
    OutOfWork(#[from] OutOfWork),
}

/// Judges plans of one task.
///
/// ```
/// use ltlcrit_pddl::{Task, Validator};
///
/// let domain = "(define (domain kitchen) (:predicates (hot) (held) (gloved)) (:functions (danger))
///   (:action glove :effect (gloved))
///   (:action hold :precondition (not (held))
///     :effect (and (held) (when (and (hot) (not (gloved))) (increase (danger) 1)))))";
/// let problem = "(define (problem pan) (:domain kitchen) (:init (hot) (= (danger) 0)) (:goal (and (held) (<= (danger) 0))))";
/// let task = Task::parse(domain, problem)?;
/// let validator = Validator::new(&task);
///
/// let verdict = validator.validate("1. (glove)\n2. (hold)")?;
/// assert!(verdict.answers.safe);
/// let verdict = validator.validate("(hold)")?;
/// assert!(verdict.answers.feasible && !verdict.answers.safe);
/// let decided = verdict.decided.ok_or("nothing decided")?;
/// assert_eq!(decided.to_string(), "step 1, (hold): danger changes by 1, since `(and (hot) (not (gloved)))`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Validator<'a> {
    task: &'a Task,
    actions: Names,
    objects: Names,
    /// The actions that plans called.
    called: Mutex<Called<'a>>,
}

impl<'a> Validator<'a> {
    /// Prepares the judgement of a task's plans.
    pub fn new(task: &'a Task) -> Self {
        let actions = Names::of(task.basic.domain.actions.iter().map(|action| &action.name));
        let objects = Names::of(task.basic.objects.iter().map(|object| &object.name));
        Self { task, actions, objects, called: Mutex::new(Called::new(task)) }
    }

    /// Judges the plan in a text.
    ///
    /// The time grows linearly with the text.
    ///
    /// # Errors
    /// The text is too long, or the evaluation of quantifiers takes too long.
    pub fn validate(&self, text: &str) -> Result<Verdict, ValidateError> {
        let mut called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = self.read(text, &mut called)?;
        let (initial, work) = (called.initial()?, Work::default());
        let mut answers = Answers { feasible: true, safe: true, safety_intention: true };
        let mut intended = None;
        if self.task.danger.is_some() {
            let relaxed = run_relaxed(&called, initial.clone(), &steps, &work)?;
            answers.safety_intention = relaxed.danger.is_none_or(|danger| self.task.tolerates(danger));
            intended = (!answers.safety_intention).then(|| self.danger_decision(&relaxed, &steps, &called));
        }
        let run = run(&called, initial, &steps, &work)?;
        let mut decided = run.fault.map(|(step, fault)| self.fault_decision(step, fault, &steps, &called));
        if decided.is_none() && self.task.basic.constraints().next().is_some() {
            let plan: Vec<&str> = step_names(&called, &steps).flatten().collect();
            let error = |error: PddlWorldError| ValidateError::Constraints(error.to_string());
            let broken = constraint_laws::broken(self.task, &plan).map_err(error)?;
            let decision =
                |(step, condition)| Decision { step, action: String::new(), reason: Reason::Constraint { condition } };
            decided = broken.map(decision);
        }
        answers.feasible = decided.is_none();
        answers.safe = answers.feasible && run.danger.is_none_or(|danger| self.task.tolerates(danger));
        if answers.feasible && !answers.safe {
            decided = Some(self.danger_decision(&run, &steps, &called));
        }
        Ok(Verdict {
            answers,
            safety_precision: answers.feasible.then_some(answers.safe),
            danger: run.danger.filter(|_| answers.feasible),
            decided,
            intention_decided: intended,
        })
    }

    /// Returns the steps of the plan in a text. Each is a text such as `(place cup table)` in lower case. A step is
    /// `None` if it is not an action of the task with arguments of the right types.
    ///
    /// # Errors
    /// The text is too long, or its actions have too many conditions and effects.
    pub fn steps(&self, text: &str) -> Result<Vec<Option<String>>, ValidateError> {
        let mut called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = self.read(text, &mut called)?;
        Ok(step_names(&called, &steps).map(|name| name.map(str::to_owned)).collect())
    }

    fn read<'t>(&self, text: &'t str, called: &mut Called<'a>) -> Result<Vec<Step<'t>>, ValidateError> {
        if text.len() > MAX_PLAN {
            return Err(ValidateError::TooLong(text.len()));
        }
        called.begin();
        let mut arguments = Vec::new();
        let step = |group: Group<'t>| {
            let mut words = group.words();
            let action = words.next().and_then(|name| self.actions.get(name)).filter(|_| group.closed);
            let action = action.filter(|action| self.bind(*action, words, &mut arguments));
            let number = action.map(|action| called.number(action, &mut arguments)).transpose()?;
            Ok((group, number))
        };
        groups(text, &|name| self.actions.get(name).is_some()).into_iter().map(step).collect()
    }

    /// Writes the objects of some words to `into`; returns whether they fit the parameters.
    fn bind<'w>(&self, action: usize, words: impl Iterator<Item = &'w str> + Clone, into: &mut Vec<ObjectId>) -> bool {
        let parameters = &self.task.basic.domain.actions[action].parameters;
        into.clear();
        words.clone().take(parameters.len() + 1).count() == parameters.len()
            && words.zip(parameters).all(|(word, parameter)| {
                let object = self.objects.get(word).map(|number| ObjectId(number as u32));
                let fits = object.filter(|object| self.task.basic.is_instance(*object, &parameter.types));
                into.extend(fits);
                fits.is_some()
            })
    }

    /// Returns the reason why a plan is not feasible.
    fn fault_decision(&self, step: usize, fault: Fault, steps: &[Step<'_>], called: &Called<'_>) -> Decision {
        let basic = &self.task.basic;
        let fluent = |code| self.task.atoms.fluent_text(code, &self.task.safe);
        let reason = match fault {
            Fault::Goal { conjunct } => {
                let condition = conjunct_text(basic, &basic.goal, conjunct, &[]);
                return end(steps.len(), Reason::Goal { condition });
            }
            Fault::Unreadable => self.unreadable(steps[step].0),
            Fault::Precondition { action, conjunct } => {
                let condition = &basic.domain.actions[called.action(action).ground.action].precondition;
                Reason::Precondition { condition: conjunct_text(basic, condition, conjunct, &called.names(action)) }
            }
            Fault::Clash(Clash::Conflict, code) => Reason::Conflict { fluent: fluent(code) },
            Fault::Clash(Clash::Undefined, code) => Reason::Undefined { fluent: fluent(code) },
            Fault::Clash(Clash::Bounds, code) => Reason::Bounds { fluent: fluent(code) },
        };
        Decision { step: step + 1, action: steps[step].0.text.to_owned(), reason }
    }

    /// Returns the reason why a step is not an action.
    fn unreadable(&self, group: Group<'_>) -> Reason {
        let mut words = group.words();
        let Some(name) = words.next().filter(|_| group.closed) else { return Reason::Malformed };
        let Some(action) = self.actions.get(name).map(|number| &self.task.basic.domain.actions[number]) else {
            return Reason::UnknownAction { name: name.to_owned() };
        };
        let (found, wanted) = (words.clone().count(), action.parameters.len());
        if found != wanted {
            return Reason::Arguments { wanted, found };
        }
        for (word, parameter) in words.zip(&action.parameters) {
            let Some(object) = self.objects.get(word) else { return Reason::UnknownObject { name: word.to_owned() } };
            if !self.task.basic.is_instance(ObjectId(object as u32), &parameter.types) {
                let parameter = Writer::of(&self.task.basic).typed(parameter);
                return Reason::WrongType { object: word.to_owned(), parameter };
            }
        }
        Reason::Malformed
    }

    /// Returns the decision for the first dangerous step of a run.
    fn danger_decision(&self, run: &Run, steps: &[Step<'_>], called: &Called<'_>) -> Decision {
        let Some(((step, number), danger)) = run.first_danger.zip(self.task.danger.as_ref()) else {
            return end(steps.len(), Reason::DangerBound);
        };
        let ((group, action), rule) = (steps[step], &danger.rules[number]);
        let mut names = action.map(|action| called.names(action)).unwrap_or_default();
        names.extend(rule.variables.iter().map(|of| &*of.name));
        let condition = Writer::of(&self.task.basic).condition(&rule.condition, &names);
        let reason = Reason::Danger { condition, increment: rule.increment };
        Decision { step: step + 1, action: group.text.to_owned(), reason }
    }
}

/// Iterates over the steps in lower case; `None` for those that are not an action with its arguments.
fn step_names<'k>(called: &'k Called<'_>, steps: &'k [Step<'_>]) -> impl Iterator<Item = Option<&'k str>> {
    steps.iter().map(|(_, action)| action.map(|action| &*called.action(action).ground.name))
}

fn end(count: usize, reason: Reason) -> Decision {
    Decision { step: count + 1, action: String::new(), reason }
}

fn conjunct_text(problem: &Problem, condition: &Condition, conjunct: usize, names: &[&str]) -> String {
    let conjuncts = condition.conjuncts();
    Writer::of(problem).condition(conjuncts.get(conjunct).copied().unwrap_or(condition), names)
}
