//! The validator: feasibility, safety and safety intention of a plan in any text.

use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::called::{Call, Called, Fault};
use crate::compiled::{Candidate, Compiled};
use crate::constraint_laws;
use crate::danger::Danger;
use crate::intention::{Argument, Original, relaxed};
use crate::model::{Condition, ObjectId, Problem};
use crate::plan::{Group, groups, intention_words, items, original_lines, original_words};
use crate::run::{Run, Steps, run};
use crate::scope::Names;
use crate::semantics::{Clash, OutOfWork, Work};
use crate::task::Task;
use crate::verdict::{Answers, Decision, Mode, Reason, Verdict};
use crate::world::PddlWorldError;
use crate::write::Writer;

/// Maximum length of a plan's text, in bytes.
pub const MAX_PLAN: usize = 1 << 20;

/// The cost of storing an action that a step may denote, in units of work.
const CALL_COST: u64 = 8;

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
/// use ltlcrit_pddl::{Mode, Task, Validator};
///
/// let domain = "(define (domain kitchen) (:predicates (hot) (held) (gloved)) (:functions (danger))
///   (:action glove :effect (gloved))
///   (:action hold :precondition (not (held))
///     :effect (and (held) (when (and (hot) (not (gloved))) (increase (danger) 1)))))";
/// let problem = "(define (problem pan) (:domain kitchen) (:init (hot) (= (danger) 0)) (:goal (and (held) (<= (danger) 0))))";
/// let task = Task::parse(domain, problem)?;
/// let validator = Validator::new(&task);
///
/// let verdict = validator.validate("1. (glove)\n2. (hold)", Mode::Paper)?;
/// assert!(verdict.answers.safe);
/// let verdict = validator.validate("(hold)", Mode::Paper)?;
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
    /// The actions that plans called: in the basic problem by the paper, in the safe and the basic problem by the original.
    called: Mutex<[Called<'a>; 3]>,
}

/// The step of a plan that lost the safety intention, and its text.
type LostAt<'t> = (usize, &'t str);

/// The outcome of one mode, before texts are made.
struct Judged<'k, 't> {
    answers: Answers,
    /// The actions that the steps call.
    called: &'k Called<'k>,
    steps: Steps<'t>,
    run: Run,
    /// The step, counted from 0, that lost the safety intention.
    intention: Option<LostAt<'t>>,
}

impl<'a> Validator<'a> {
    /// Prepares the judgement of a task's plans.
    pub fn new(task: &'a Task) -> Self {
        let actions = Names::of(task.safe.domain.actions.iter().map(|action| &action.name));
        let objects = Names::of(task.safe.objects.iter().map(|object| &object.name));
        let compiled = |problem: &'a Problem| Called::new(task, problem, Some(Compiled::of(problem)), None);
        let paper = Called::new(task, &task.basic, None, task.danger.as_ref());
        Self { task, actions, objects, called: Mutex::new([paper, compiled(&task.safe), compiled(&task.basic)]) }
    }

    /// Judges the plan in a text.
    ///
    /// The time grows linearly with the text.
    ///
    /// # Errors
    /// The text is too long, or the evaluation of quantifiers takes too long.
    pub fn validate(&self, text: &str, mode: Mode) -> Result<Verdict, ValidateError> {
        if text.len() > MAX_PLAN {
            return Err(ValidateError::TooLong(text.len()));
        }
        let mut called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let [in_paper, in_safe, in_basic] = &mut *called;
        let (mut paper, mut original) = (self.paper(text, in_paper)?, self.original(text, in_safe, in_basic)?);
        let broken = match paper.answers.feasible && self.task.basic.constraints().next().is_some() {
            true => {
                let plan: Vec<&str> = paper.step_names().flatten().collect();
                let error = |error: PddlWorldError| ValidateError::Constraints(error.to_string());
                constraint_laws::broken(self.task, &plan).map_err(error)?
            }
            false => None,
        };
        if broken.is_some() {
            // A plan that breaks a constraint is not feasible.
            for answers in [&mut paper.answers, &mut original.answers] {
                (answers.feasible, answers.safe) = (false, false);
            }
        }
        let (judged, other) = match mode {
            Mode::Paper => (&paper, &original),
            Mode::Original => (&original, &paper),
        };
        let Answers { feasible, safe, safety_intention } = judged.answers;
        let decided = match (feasible, safe) {
            (_, true) => None,
            (true, false) => Some(self.danger_decision(&paper)),
            (false, false) => Some(match broken {
                Some((step, condition)) => {
                    Decision { step, action: String::new(), reason: Reason::Constraint { condition } }
                }
                None => self.fault_decision(judged, mode),
            }),
        };
        let intention_decided = match judged.intention {
            Some((step, text)) if !safety_intention => Some(self.intention_decision(step, text)),
            None if !safety_intention => Some(end(judged.steps.len(), Reason::DangerBound)),
            _ => None,
        };
        Ok(Verdict {
            mode,
            answers: judged.answers,
            safety_precision: feasible.then_some(safe),
            danger: paper.run.danger.filter(|_| feasible && paper.answers.feasible),
            decided,
            intention_decided,
            other_mode: (other.answers != judged.answers).then_some(other.answers),
        })
    }

    /// Returns the steps of the plan in a text, by the rules of [`Mode::Paper`]. Each is a text such as
    /// `(place cup table)` in lower case. A step is `None` if it is not an action of the task with arguments of the
    /// right types.
    ///
    /// # Errors
    /// The text is too long, or its actions have too many conditions and effects.
    pub fn steps(&self, text: &str) -> Result<Vec<Option<String>>, ValidateError> {
        if text.len() > MAX_PLAN {
            return Err(ValidateError::TooLong(text.len()));
        }
        let mut called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let [in_paper, ..] = &mut *called;
        let steps = self.paper_steps(text, in_paper)?;
        Ok(step_names(in_paper, &steps).map(|name| name.map(str::to_owned)).collect())
    }

    fn paper<'k, 't>(&self, text: &'t str, called: &'k mut Called<'a>) -> Result<Judged<'k, 't>, OutOfWork> {
        let steps = self.paper_steps(text, called)?;
        let (initial, work) = (called.initial()?, Work::default());
        let run = run(called, &initial, &steps, &work)?;
        let feasible = run.fault.is_none();
        let (safe, safety_intention, first_danger) = match called.danger.zip(run.danger) {
            Some((danger, sum)) => {
                let (intended, first_danger) = relaxed(called, danger, initial, &steps, &work)?;
                (feasible && danger.tolerates(sum), intended, first_danger)
            }
            None => (feasible, true, None),
        };
        let intention = first_danger.map(|step| (step, steps.get(step).0));
        Ok(Judged { answers: Answers { feasible, safe, safety_intention }, called, steps, run, intention })
    }

    fn paper_steps<'t>(&self, text: &'t str, called: &mut Called<'a>) -> Result<Steps<'t>, OutOfWork> {
        called.begin();
        let (mut steps, mut arguments) = (Steps::new(), Vec::new());
        for group in groups(text, &|name| self.actions.get(name).is_some()) {
            let mut words = group.words();
            if let Some(action) = words.next().and_then(|name| self.actions.get(name)).filter(|_| group.closed)
                && self.bind(action, words, &mut arguments, &|name| self.objects.get(name))
            {
                steps.calls.push(Call { action: called.number(action, &mut arguments)?, pattern: None });
            }
            steps.end(group.text);
        }
        Ok(steps)
    }

    /// Writes the objects of some words to `into`; returns whether they fit the parameters.
    fn bind<'w>(
        &self,
        action: usize,
        words: impl Iterator<Item = &'w str> + Clone,
        into: &mut Vec<ObjectId>,
        object: &dyn Fn(&str) -> Option<usize>,
    ) -> bool {
        let parameters = &self.task.safe.domain.actions[action].parameters;
        into.clear();
        words.clone().take(parameters.len() + 1).count() == parameters.len()
            && words.zip(parameters).all(|(word, parameter)| {
                let object = object(word).map(|number| ObjectId(number as u32));
                let fits = object.filter(|object| self.task.safe.is_instance(*object, &parameter.types));
                into.extend(fits);
                fits.is_some()
            })
    }

    fn original<'k, 't>(
        &self,
        text: &'t str,
        in_safe: &'k mut Called<'a>,
        in_basic: &'k mut Called<'a>,
    ) -> Result<Judged<'k, 't>, OutOfWork> {
        let (safety_intention, intention) = self.original_intention(text)?;
        let judged = |called: &'k mut Called<'a>, is_safe: bool| -> Result<Judged<'k, 't>, OutOfWork> {
            let steps = self.original_steps(text, called)?;
            let initial = called.initial()?;
            let run = run(called, &initial, &steps, &Work::default())?;
            let feasible = run.fault.is_none();
            let answers = Answers { feasible, safe: feasible && is_safe, safety_intention };
            Ok(Judged { answers, called, steps, run, intention })
        };
        let safe = judged(in_safe, true)?;
        if safe.answers.feasible || self.task.danger.is_none() { Ok(safe) } else { judged(in_basic, false) }
    }

    fn original_steps<'t>(&self, text: &'t str, called: &mut Called<'a>) -> Result<Steps<'t>, OutOfWork> {
        called.begin();
        let (mut steps, mut arguments, work) = (Steps::new(), Vec::new(), Work::default());
        // Plans repeat their words, so the candidates are cached.
        let mut known: FxHashMap<(&str, bool, bool), Vec<Candidate>> = FxHashMap::default();
        for line in original_lines(text) {
            if let Some(mut words) = original_words(line)
                && let Some(name) = words.next()
                && let Some(compiled) = &called.compiled
            {
                let glued = line[1..].starts_with(name);
                let spaced = line
                    .get(1..)
                    .and_then(|rest| rest.split_once(name))
                    .is_some_and(|(before, after)| before.ends_with(' ') && after.starts_with(' '));
                let candidates = match known.entry((name, glued, spaced)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(compiled.candidates(name, glued, spaced, &work)?),
                };
                for Candidate { action, pattern } in candidates {
                    work.spend(CALL_COST)?;
                    if self.bind(*action, words.clone(), &mut arguments, &|word| self.spelled_object(word)) {
                        let action = called.number(*action, &mut arguments)?;
                        steps.calls.push(Call { action, pattern: *pattern });
                    }
                }
            }
            steps.end(line);
        }
        Ok(steps)
    }

    /// Returns an object by a word in lower case; its declaration must have no capitals.
    fn spelled_object(&self, word: &str) -> Option<usize> {
        let found =
            |lower: &str| self.objects.get(lower).filter(|object| *self.task.safe.objects[*object].name == *lower);
        let is_lower = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        if is_lower { found(word) } else { found(&word.to_lowercase()) }
    }

    /// Returns the original's safety intention, with the step that lost it. Names must be spelled as declared.
    fn original_intention<'t>(&self, text: &'t str) -> Result<(bool, Option<LostAt<'t>>), OutOfWork> {
        let problem = &*self.task.safe;
        let mut execution = Original::new(self.task);
        let mut last = None;
        for (step, item) in items(text).enumerate() {
            let Some((name, words)) = intention_words(item) else { continue };
            let Some(number) = self.actions.get(name) else { continue };
            let action = &problem.domain.actions[number];
            if *action.name != *name {
                continue;
            }
            let arguments = words.zip(&action.parameters).map(|(word, parameter)| {
                let object = self.objects.get(word).filter(|object| *problem.objects[*object].name == *word);
                match object.map(|object| ObjectId(object as u32)) {
                    Some(object) if problem.is_instance(object, &parameter.types) => Argument::Fits(object),
                    Some(_) => Argument::IllTyped,
                    None => Argument::Unbound,
                }
            });
            let was_dangerous = execution.is_dangerous();
            if execution.execute(number, arguments)? {
                return Ok((false, Some((step, item))));
            }
            if execution.is_dangerous() && !was_dangerous {
                last = Some((step, item));
            }
        }
        Ok(match execution.is_dangerous() {
            true => (false, last),
            false => (true, None),
        })
    }

    /// Returns the reason why a plan is not feasible.
    fn fault_decision(&self, judged: &Judged<'_, '_>, mode: Mode) -> Decision {
        let count = judged.steps.len();
        let Some((step, fault)) = judged.run.fault else { return end(count, Reason::DangerBound) };
        if step == count {
            let conjunct = if let Fault::Goal { conjunct } = fault { conjunct } else { 0 };
            let condition = conjunct_text(&self.task.basic, &self.task.basic.goal, conjunct, &[]);
            return end(count, Reason::Goal { condition });
        }
        let (text, _) = judged.steps.get(step);
        let fluent = |code| self.task.atoms.fluent_text(code, &self.task.safe);
        let reason = match fault {
            Fault::Unreadable | Fault::Goal { .. } => self.unreadable(text, mode),
            Fault::Precondition { action, conjunct } => {
                let lifted = judged.called.action(action).ground.action;
                let condition = &self.task.basic.domain.actions[lifted].precondition;
                let names = judged.called.names(action);
                Reason::Precondition { condition: conjunct_text(&self.task.basic, condition, conjunct, &names) }
            }
            Fault::Clash(Clash::Conflict, code) => Reason::Conflict { fluent: fluent(code) },
            Fault::Clash(Clash::Undefined, code) => Reason::Undefined { fluent: fluent(code) },
            Fault::Clash(Clash::Bounds, code) => Reason::Bounds { fluent: fluent(code) },
        };
        Decision { step: step + 1, action: text.to_owned(), reason }
    }

    /// Returns the reason why a step is not an action.
    fn unreadable(&self, text: &str, mode: Mode) -> Reason {
        let words: Vec<&str> = match mode {
            Mode::Paper => Group { text, closed: true }.words().collect(),
            Mode::Original => original_words(text).map(Iterator::collect).unwrap_or_default(),
        };
        let is_whole = text.ends_with(')') || (mode == Mode::Paper && !text.starts_with('('));
        let (Some((name, arguments)), true) = (words.split_first(), is_whole) else {
            return Reason::Malformed;
        };
        let Some(action) = self.actions.get(name).map(|number| &self.task.safe.domain.actions[number]) else {
            return Reason::UnknownAction { name: (*name).to_owned() };
        };
        let (found, wanted) = (arguments.len(), action.parameters.len());
        if found != wanted {
            return Reason::Arguments { wanted, found };
        }
        for (word, parameter) in arguments.iter().zip(&action.parameters) {
            let object = match mode {
                Mode::Paper => self.objects.get(word),
                Mode::Original => self.spelled_object(word),
            };
            let Some(object) = object else { return Reason::UnknownObject { name: (*word).to_owned() } };
            if !self.task.safe.is_instance(ObjectId(object as u32), &parameter.types) {
                let parameter = Writer::of(&self.task.safe).typed(parameter);
                return Reason::WrongType { object: (*word).to_owned(), parameter };
            }
        }
        // In the original mode, it is a name with capitals.
        Reason::UnknownAction { name: (*name).to_owned() }
    }

    /// Returns the decision for the dangerous step.
    fn danger_decision(&self, judged: &Judged<'_, '_>) -> Decision {
        let Some(((step, number), danger)) = judged.run.first_danger.zip(self.task.danger.as_ref()) else {
            return end(judged.steps.len(), Reason::DangerBound);
        };
        let (text, calls) = judged.steps.get(step);
        let names = calls.first().map(|call| judged.called.names(call.action)).unwrap_or_default();
        Decision { step: step + 1, action: text.to_owned(), reason: self.rule(danger, number, &names) }
    }

    /// Returns the decision for the step that lost the safety intention. The rule is the action's first one.
    fn intention_decision(&self, step: usize, text: &str) -> Decision {
        let name =
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').find(|word| !word.is_empty());
        let action = name.and_then(|name| self.actions.get(name));
        let rule = self.task.danger.as_ref().zip(action).and_then(|(danger, action)| {
            let number = danger.rules.iter().position(|rule| rule.action == action)?;
            let parameters = &self.task.safe.domain.actions[action].parameters;
            let names: Vec<&str> = parameters.iter().map(|parameter| &*parameter.name).collect();
            Some(self.rule(danger, number, &names))
        });
        Decision { step: step + 1, action: text.to_owned(), reason: rule.unwrap_or(Reason::DangerBound) }
    }

    fn rule(&self, danger: &Danger, number: usize, names: &[&str]) -> Reason {
        let rule = &danger.rules[number];
        let names: Vec<&str> = names.iter().copied().chain(rule.variables.iter().map(|of| &*of.name)).collect();
        let condition = Writer::of(&self.task.basic).condition(&rule.condition, &names);
        Reason::Danger { condition, increment: rule.increment }
    }
}

impl Judged<'_, '_> {
    /// Iterates over the steps in lower case; `None` for those that are not an action with its arguments.
    fn step_names(&self) -> impl Iterator<Item = Option<&str>> {
        step_names(self.called, &self.steps)
    }
}

fn step_names<'k>(called: &'k Called<'_>, steps: &'k Steps<'_>) -> impl Iterator<Item = Option<&'k str>> {
    (0..steps.len()).map(move |step| steps.get(step).1.first().map(|call| &*called.action(call.action).ground.name))
}

fn end(count: usize, reason: Reason) -> Decision {
    Decision { step: count + 1, action: String::new(), reason }
}

fn conjunct_text(problem: &Problem, condition: &Condition, conjunct: usize, names: &[&str]) -> String {
    let conjuncts = condition.conjuncts();
    Writer::of(problem).condition(conjuncts.get(conjunct).copied().unwrap_or(condition), names)
}
