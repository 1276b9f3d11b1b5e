//! The validator: feasibility, safety and safety intention of a plan in any text.

use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::atoms::Bound;
use crate::called::Called;
use crate::compiled::{Candidate, Compiled};
use crate::constraint_laws;
use crate::danger::Danger;
use crate::intention::{Argument, Original, Relaxed, relaxed};
use crate::model::{Condition, ObjectId, Problem};
use crate::plan::{Group, groups, intention_words, items, original_lines, original_words};
use crate::run::{Run, run};
use crate::scope::Names;
use crate::semantics::{Clash, OutOfWork, Work};
use crate::steps::{Fault, Steps};
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
    safe: Compiled,
    /// The compiled basic problem; `None` if the task has no danger, and `safe` is used instead.
    basic: Option<Compiled>,
    /// The actions that plans called: in the basic problem by the paper, in the safe and the basic problem by the original.
    called: Mutex<[Called<'a>; 3]>,
}

/// The step of a plan that lost the safety intention, and its text.
type LostAt<'t> = (usize, &'t str);

/// The outcome of one mode, before texts are made.
struct Judged<'t> {
    answers: Answers,
    steps: Steps<'t>,
    run: Run,
    /// The step, counted from 0, that lost the safety intention.
    intention: Option<LostAt<'t>>,
}

impl<'a> Validator<'a> {
    /// Prepares the judgement of a task's plans.
    pub fn new(task: &'a Task) -> Self {
        let (mut actions, mut objects) = (Names::default(), Names::default());
        for (number, action) in task.safe.domain.actions.iter().enumerate() {
            actions.insert(&action.name, number);
        }
        for (number, object) in task.safe.objects.iter().enumerate() {
            objects.insert(&object.name, number);
        }
        let basic = task.danger.as_ref().map(|_| Compiled::of(&task.basic));
        let called = [&task.basic, &task.safe, &task.basic].map(|problem| Called::new(task, problem));
        Self { task, actions, objects, safe: Compiled::of(&task.safe), basic, called: Mutex::new(called) }
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
        let (mut paper, mut original) = (self.paper(text)?, self.original(text)?);
        let broken = match paper.answers.feasible && self.task.basic.constraints().next().is_some() {
            true => {
                let plan: Vec<String> = self.steps(text)?.into_iter().flatten().collect();
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
    /// The text is too long.
    pub fn steps(&self, text: &str) -> Result<Vec<Option<String>>, ValidateError> {
        if text.len() > MAX_PLAN {
            return Err(ValidateError::TooLong(text.len()));
        }
        let mut steps = Steps::new();
        for group in groups(text, &|name| self.actions.get(name).is_some()) {
            self.paper_step(group, &mut steps);
            steps.end(group.text);
        }
        let name = |number: usize| {
            let call = steps.calls_of(number).first()?;
            let action = &self.task.safe.domain.actions[call.candidate.action].name;
            let words: Vec<&str> = std::iter::once(&**action).chain(self.names(&steps, call)).collect();
            Some(format!("({})", words.join(" ").to_lowercase()))
        };
        Ok((0..steps.len()).map(name).collect())
    }

    fn paper<'t>(&self, text: &'t str) -> Result<Judged<'t>, OutOfWork> {
        let mut steps = Steps::new();
        for group in groups(text, &|name| self.actions.get(name).is_some()) {
            self.paper_step(group, &mut steps);
            steps.end(group.text);
        }
        let (danger, work) = (self.task.danger.as_ref(), Work::default());
        let mut kept = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let [called, ..] = &mut *kept;
        let numbers = called.prepare(&steps, None, danger)?;
        let run = run(called, danger, &steps, &numbers, &work)?;
        let feasible = run.fault.is_none();
        let (tolerable, intention) = match danger.zip(run.danger) {
            Some((danger, sum)) => (danger.tolerates(sum), relaxed(called, danger, &steps, &numbers, &work)?),
            None => (true, Relaxed { intended: true, first_danger: None }),
        };
        let answers = Answers { feasible, safe: feasible && tolerable, safety_intention: intention.intended };
        let intention = intention.first_danger.map(|step| (step, steps.get(step).0));
        Ok(Judged { answers, steps, run, intention })
    }

    fn paper_step(&self, group: Group<'_>, steps: &mut Steps<'_>) {
        let mut words = group.words();
        let Some(action) = words.next().and_then(|name| self.actions.get(name)).filter(|_| group.closed) else {
            return;
        };
        self.bind(Candidate { action, pattern: None }, words, steps, &|name| self.objects.get(name));
    }

    /// Adds a call if the arguments fit the parameters.
    fn bind<'w>(
        &self,
        candidate: Candidate,
        words: impl Iterator<Item = &'w str> + Clone,
        steps: &mut Steps<'_>,
        object: &dyn Fn(&str) -> Option<usize>,
    ) {
        let parameters = &self.task.safe.domain.actions[candidate.action].parameters;
        if words.clone().take(parameters.len() + 1).count() != parameters.len() {
            return;
        }
        let arguments = words.zip(parameters).map(|(word, parameter)| {
            let object = object(word).map(|number| ObjectId(number as u32));
            object.filter(|object| self.task.safe.is_instance(*object, &parameter.types)).map(Bound::from)
        });
        steps.call(candidate, arguments);
    }

    fn original<'t>(&self, text: &'t str) -> Result<Judged<'t>, OutOfWork> {
        let (safety_intention, intention) = self.original_intention(text)?;
        let answers = |feasible, safe| Answers { feasible, safe, safety_intention };
        let mut kept = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let [_, in_safe, in_basic] = &mut *kept;
        let run = |called: &mut Called<'_>, compiled, steps: &Steps<'t>| {
            let numbers = called.prepare(steps, Some(compiled), None)?;
            run(called, None, steps, &numbers, &Work::default())
        };
        let steps = self.original_steps(text, &self.safe)?;
        let safe = run(in_safe, &self.safe, &steps)?;
        if safe.fault.is_none() {
            return Ok(Judged { answers: answers(true, true), steps, run: safe, intention });
        }
        let Some(compiled) = &self.basic else {
            return Ok(Judged { answers: answers(false, false), steps, run: safe, intention });
        };
        let steps = self.original_steps(text, compiled)?;
        let run = run(in_basic, compiled, &steps)?;
        Ok(Judged { answers: answers(run.fault.is_none(), false), steps, run, intention })
    }

    fn original_steps<'t>(&self, text: &'t str, compiled: &Compiled) -> Result<Steps<'t>, OutOfWork> {
        let (mut steps, work) = (Steps::new(), Work::default());
        // Plans repeat their words, so the candidates are cached.
        let mut known: FxHashMap<(&str, bool, bool), Vec<Candidate>> = FxHashMap::default();
        for line in original_lines(text) {
            if let Some(mut words) = original_words(line)
                && let Some(name) = words.next()
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
                for candidate in candidates {
                    work.spend(CALL_COST)?;
                    self.bind(candidate.clone(), words.clone(), &mut steps, &|word| self.spelled_object(word));
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
        let danger = self.task.danger.as_ref().map(|danger| danger.fluent);
        let mut execution = Original::new(problem, &self.task.atoms, &self.task.initial, danger);
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
    fn fault_decision(&self, judged: &Judged<'_>, mode: Mode) -> Decision {
        let count = judged.steps.len();
        let Some((step, fault)) = judged.run.fault else { return end(count, Reason::DangerBound) };
        if step == count {
            let conjunct = if let Fault::Goal { conjunct } = fault { conjunct } else { 0 };
            let condition = conjunct_text(&self.task.basic, &self.task.basic.goal, conjunct, &[]);
            return end(count, Reason::Goal { condition });
        }
        let ((text, _), calls) = (judged.steps.get(step), judged.steps.calls_of(step));
        let fluent = |code| self.task.atoms.fluent_text(code, &self.task.safe);
        let reason = match fault {
            Fault::Unreadable | Fault::Goal { .. } => self.unreadable(text, mode),
            Fault::Precondition { action, conjunct } => {
                let arguments = calls.iter().find(|call| call.candidate.action == action);
                let names = arguments.map(|call| self.names(&judged.steps, call)).unwrap_or_default();
                let condition = &self.task.basic.domain.actions[action].precondition;
                Reason::Precondition { condition: conjunct_text(&self.task.basic, condition, conjunct, &names) }
            }
            Fault::Clash(Clash::Conflict, code) => Reason::Conflict { fluent: fluent(code) },
            Fault::Clash(Clash::Undefined, code) => Reason::Undefined { fluent: fluent(code) },
            Fault::Clash(Clash::Bounds, code) => Reason::Bounds { fluent: fluent(code) },
        };
        Decision { step: step + 1, action: text.to_owned(), reason }
    }

    /// Returns the names of a call's arguments.
    fn names(&self, steps: &Steps<'_>, call: &crate::steps::Call) -> Vec<&str> {
        let mut binding = Vec::new();
        steps.bind(call, &self.task.safe, &mut binding);
        let objects = &self.task.safe.objects;
        let name = |bound: &Bound| bound.object().and_then(|id| objects.get(id)).map_or("?", |object| &*object.name);
        binding.iter().map(name).collect()
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
    fn danger_decision(&self, judged: &Judged<'_>) -> Decision {
        let Some(((step, number), danger)) = judged.run.first_danger.zip(self.task.danger.as_ref()) else {
            return end(judged.steps.len(), Reason::DangerBound);
        };
        let ((text, _), calls) = (judged.steps.get(step), judged.steps.calls_of(step));
        let names = calls.first().map(|call| self.names(&judged.steps, call)).unwrap_or_default();
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
        let condition = Writer::of(&self.task.basic).text(&rule.condition, &names);
        Reason::Danger { condition, increment: rule.increment }
    }
}

fn end(count: usize, reason: Reason) -> Decision {
    Decision { step: count + 1, action: String::new(), reason }
}

fn conjunct_text(problem: &Problem, condition: &Condition, conjunct: usize, names: &[&str]) -> String {
    let conjuncts = condition.conjuncts();
    Writer::of(problem).text(conjuncts.get(conjunct).copied().unwrap_or(condition), names)
}
