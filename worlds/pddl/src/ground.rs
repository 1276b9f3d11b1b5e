//! Grounding: the actions that can ever apply, over the facts that can ever change.

use rustc_hash::FxHashSet;

use crate::constraints::{self, GroundConstraint};
use crate::formula::{Formula, Id, State, Value};
use crate::instantiate::{
    Change, GroundAction, GroundEffect, GroundRule, GroundSymbol, Instantiation, TooLarge, apply, order,
};
use crate::model::{Action, Condition, FunctionId, ObjectId, Term, Update};
use crate::number::Number;
use crate::task::Task;

/// Maximum number of ground actions.
pub const MAX_ACTIONS: usize = 200_000;

/// Maximum number of conditions that the reachability analysis evaluates.
const MAX_LOOKED_AT: usize = 400_000_000;

/// A task over states of the changeable facts and numbers.
///
/// ```
/// use ltlcrit_pddl::{Ground, Task};
///
/// let domain = "(define (domain doors) (:predicates (open ?d) (locked ?d))
///   (:action open :parameters (?d) :precondition (and (not (open ?d)) (not (locked ?d))) :effect (open ?d)))";
/// let problem = "(define (problem two) (:domain doors) (:objects front back) (:init (locked back)) (:goal (open front)))";
/// let ground = Ground::new(&Task::parse(domain, problem)?)?;
///
/// // The back door is locked for good.
/// assert_eq!(ground.actions().iter().map(|action| &*action.name).collect::<Vec<_>>(), ["(open front)"]);
/// let after = ground.apply(ground.initial(), 0).ok_or("not applicable")?;
/// assert!(ground.is_goal(&after) && !ground.is_goal(ground.initial()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ground {
    task: Task,
    /// The changeable facts, by id.
    pub(crate) facts: Vec<GroundSymbol>,
    /// The changeable fluents, by id.
    pub(crate) numbers: Vec<GroundSymbol>,
    /// The bounds of numbers, by id.
    bounds: Vec<Option<(Number, Number)>>,
    actions: Vec<GroundAction>,
    initial: State,
    pub(crate) goal: Formula,
    pub(crate) constraints: Vec<GroundConstraint>,
}

impl Ground {
    /// Returns the task relaxed to these facts: conditions on other facts hold, and other facts never change. Each
    /// course of the task is a course of the relaxed one, if all conditions of effects and danger are on these facts.
    /// Actions keep their numbers.
    pub(crate) fn relaxed(&self, kept: &FxHashSet<Id>) -> Self {
        let relax = |formula: &Formula| {
            let fact = &mut |id, holds| if kept.contains(&id) { Formula::Fact(id, holds) } else { Formula::TRUE };
            formula.map(fact, &mut |id| Value::Fluent(*id))
        };
        let stays = |effect: &&GroundEffect| match &effect.change {
            Change::Fact(id, _) => kept.contains(id),
            Change::Update(..) => true,
        };
        let action = |of: &GroundAction| GroundAction {
            precondition: relax(&of.precondition),
            effects: of.effects.iter().filter(stays).cloned().collect(),
            ..of.clone()
        };
        Self { actions: self.actions.iter().map(action).collect(), goal: relax(&self.goal), ..self.clone() }
    }

    /// Returns the task with a goal that every state reaches.
    pub(crate) fn without_goal(&self) -> Self {
        Self { goal: Formula::TRUE, ..self.clone() }
    }
}

impl Ground {
    /// Grounds a task.
    ///
    /// # Errors
    /// There are too many ground actions, conditions or effects.
    pub fn new(task: &Task) -> Result<Self, TooLarge> {
        let problem = task.basic.clone();
        let mut made = Instantiation::new(&problem, &task.atoms, &task.initial);
        let mut actions = Vec::new();
        for (number, action) in problem.domain.actions.iter().enumerate() {
            let checks = static_checks(&made, action);
            instances(&mut made, task, number, &checks, &mut Vec::new(), &mut actions)?;
        }
        let goal = made.condition(&problem.goal, true, &mut Vec::new())?;
        let constraints = constraints::ground(&mut made, task)?;
        let reach = reach(&made, &mut actions)?;
        Ok(compact(task.clone(), &made, actions, goal, constraints, &reach))
    }

    /// Returns the task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Returns the actions that may apply in some state.
    pub fn actions(&self) -> &[GroundAction] {
        &self.actions
    }

    /// Returns the initial state.
    pub fn initial(&self) -> &State {
        &self.initial
    }

    /// Returns whether an action's precondition holds. Its effects may still contradict each other; see
    /// [`Ground::apply`].
    pub(crate) fn is_applicable(&self, state: &State, action: usize) -> bool {
        self.actions[action].precondition.holds(state)
    }

    /// Returns the state after an action; `None` if it is not applicable.
    pub fn apply(&self, state: &State, action: usize) -> Option<State> {
        let action = &self.actions[action];
        if !action.precondition.holds(state) {
            return None;
        }
        let mut after = state.clone();
        let bounds = |id: Id| self.bounds[id as usize];
        apply(&action.effects, state, &mut after, &bounds).ok().map(|()| after)
    }

    /// Returns whether the goal holds; danger is not part of it.
    pub fn is_goal(&self, state: &State) -> bool {
        self.goal.holds(state)
    }

    /// Returns the change of danger by an action in a state.
    pub fn danger(&self, state: &State, action: usize) -> Number {
        let rules = self.actions[action].danger.iter().filter(|rule| rule.condition.holds(state));
        rules.fold(Number::ZERO, |sum, rule| sum + rule.increment)
    }

    /// Returns the ground action of this name, such as `(place cup table)`, in any case.
    pub fn action(&self, name: &str) -> Option<usize> {
        let words = name.trim().trim_start_matches('(').trim_end_matches(')').split_whitespace();
        let wanted = format!("({})", words.collect::<Vec<_>>().join(" ").to_lowercase());
        self.actions.iter().position(|action| action.name == wanted)
    }
}

/// Returns the conjuncts that are decided when the first parameters are bound, by their number.
fn static_checks<'p>(made: &Instantiation<'_>, action: &'p Action) -> Vec<Vec<&'p Condition>> {
    let mut checks = vec![Vec::new(); action.parameters.len() + 1];
    let needed = |terms: &[Term]| {
        let variables = terms.iter().map(|term| match term {
            Term::Variable(index) => usize::from(*index) + 1,
            Term::Object(_) => 0,
        });
        variables.max().unwrap_or(0)
    };
    for conjunct in action.precondition.conjuncts() {
        let inner = if let Condition::Not(part) = conjunct { part } else { conjunct };
        let at = match inner {
            Condition::Atom(atom) if made.is_static(atom) => needed(&atom.arguments),
            Condition::Same(a, b) => needed(&[*a, *b]),
            _ => continue,
        };
        checks[at].push(conjunct);
    }
    checks
}

/// Adds the instances of an action whose precondition may hold, judged by the facts that never change. Its first
/// parameters are bound.
fn instances(
    made: &mut Instantiation<'_>,
    task: &Task,
    number: usize,
    checks: &[Vec<&Condition>],
    binding: &mut Vec<ObjectId>,
    into: &mut Vec<GroundAction>,
) -> Result<(), TooLarge> {
    for check in &checks[binding.len()] {
        if made.condition(check, true, binding)?.is_constant(false) {
            return Ok(());
        }
    }
    let action = &task.basic.domain.actions[number];
    if let Some(parameter) = action.parameters.get(binding.len()) {
        return made.each(std::slice::from_ref(parameter), binding, &mut |made, binding| {
            instances(made, task, number, checks, binding, into)
        });
    }
    let precondition = made.conjunction(&action.precondition, binding)?;
    if precondition.is_constant(false) {
        return Ok(());
    }
    if into.len() == MAX_ACTIONS {
        return Err(TooLarge { found: into.len() + 1, what: "ground actions", most: MAX_ACTIONS });
    }
    into.push(made.action(number, precondition, task.danger.as_ref(), binding)?);
    Ok(())
}

/// Truth values that facts may have, without deletions that undo anything: for each fact, whether it may be false and
/// whether it may be true.
type Reach = Vec<[bool; 2]>;

/// Keeps only the reachable actions, and returns the truth values that facts may have.
fn reach(made: &Instantiation<'_>, actions: &mut Vec<GroundAction>) -> Result<Reach, TooLarge> {
    let initial = made.facts.all.iter().map(|(code, _)| made.initial.fact(*code));
    let mut may: Reach = initial.map(|holds| [!holds, holds]).collect();
    let may_hold = |formula: &Formula, may: &Reach| formula.may_hold(&|id, holds| may[id as usize][usize::from(holds)]);
    let mut reached = vec![false; actions.len()];
    let when = |effect: &GroundEffect| effect.when.size();
    let size = |of: &GroundAction| of.precondition.size() + of.effects.iter().map(when).sum::<usize>();
    let sizes: Vec<usize> = actions.iter().map(size).collect();
    let (mut looked_at, mut changed) = (0, true);
    while std::mem::take(&mut changed) {
        for ((action, reached), size) in actions.iter().zip(&mut reached).zip(&sizes) {
            looked_at += size;
            if looked_at > MAX_LOOKED_AT {
                let what = "conditions until nothing more is reached";
                return Err(TooLarge { found: looked_at, what, most: MAX_LOOKED_AT });
            }
            if !*reached && !may_hold(&action.precondition, &may) {
                continue;
            }
            changed |= !std::mem::replace(reached, true);
            for effect in &action.effects {
                let Change::Fact(id, holds) = effect.change else { continue };
                let (id, holds) = (id as usize, usize::from(holds));
                if !may[id][holds] && may_hold(&effect.when, &may) {
                    may[id][holds] = true;
                    changed = true;
                }
            }
        }
    }
    let mut reached = reached.into_iter();
    actions.retain(|_| reached.next().unwrap_or(false));
    Ok(may)
}

/// Numbers the facts and fluents that matter, and computes the constant parts.
fn compact(
    task: Task,
    made: &Instantiation<'_>,
    actions: Vec<GroundAction>,
    goal: Formula,
    constraints: Vec<GroundConstraint>,
    reach: &[[bool; 2]],
) -> Ground {
    let mut fact_ids: Vec<Option<Id>> = vec![None; made.facts.all.len()];
    let (mut facts, mut holding) = (Vec::new(), Vec::new());
    for (old, (code, symbol)) in made.facts.all.iter().enumerate() {
        if reach[old] == [true; 2] {
            fact_ids[old] = Some(facts.len() as Id);
            if made.initial.fact(*code) {
                holding.push(facts.len() as Id);
            }
            facts.push(symbol.clone());
        }
    }
    let read = constraints.iter().flat_map(|of| [&of.condition, &of.other]).chain([&goal]);
    let kept = kept_numbers(&task, made, &actions, read);
    let mut number_ids: Vec<Option<Id>> = vec![None; kept.len()];
    let (mut numbers, mut values, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
    for (old, (code, symbol)) in made.numbers.all.iter().enumerate().filter(|(old, _)| kept[*old]) {
        number_ids[old] = Some(numbers.len() as Id);
        numbers.push(symbol.clone());
        values.push(made.initial.value(*code));
        bounds.push(task.bounds.get(&FunctionId(symbol.symbol)).copied());
    }
    let mut fact = |id: Id, holds: bool| match fact_ids[id as usize] {
        Some(id) => Formula::Fact(id, holds),
        None => Formula::constant(reach[id as usize][usize::from(holds)]),
    };
    // Every fluent that is read is kept, so every fluent in a formula or a value has a number.
    let mut fluent = |id: &Id| number_ids[*id as usize].map_or(Value::Number(Number::UNDEFINED), Value::Fluent);
    let goal = goal.map(&mut fact, &mut fluent);
    let constraints = constraints.into_iter().map(|of| of.map(|formula| formula.map(&mut fact, &mut fluent))).collect();
    let mut compacted = Vec::with_capacity(actions.len());
    for action in actions {
        let precondition = action.precondition.map(&mut fact, &mut fluent);
        if precondition.is_constant(false) {
            continue;
        }
        let mut effects = Vec::with_capacity(action.effects.len());
        for effect in &action.effects {
            let change = match &effect.change {
                Change::Fact(id, holds) => fact_ids[*id as usize].map(|id| Change::Fact(id, *holds)),
                Change::Update(id, update, value) => {
                    number_ids[*id as usize].map(|id| Change::Update(id, *update, value.map(&mut fluent)))
                }
            };
            let when = effect.when.map(&mut fact, &mut fluent);
            effects.extend(change.filter(|_| !when.is_constant(false)).map(|change| GroundEffect { when, change }));
        }
        effects.sort_by_key(order);
        let rule = |of: &GroundRule| GroundRule { condition: of.condition.map(&mut fact, &mut fluent), ..*of };
        let danger = action.danger.iter().map(rule).filter(|rule| !rule.condition.is_constant(false)).collect();
        compacted.push(GroundAction { precondition, effects, danger, ..action });
    }
    let mut initial = State::new(facts.len(), values);
    holding.into_iter().for_each(|id| initial.set(id, true));
    Ground { task, facts, numbers, bounds, actions: compacted, initial, goal, constraints }
}

/// Returns which fluents a state must contain: all but those that nothing reads and that only change by known amounts,
/// such as `total-cost`.
fn kept_numbers<'f>(
    task: &Task,
    made: &Instantiation<'_>,
    actions: &[GroundAction],
    read: impl Iterator<Item = &'f Formula>,
) -> Vec<bool> {
    let mut kept = vec![false; made.numbers.all.len()];
    for (id, (code, symbol)) in made.numbers.all.iter().enumerate() {
        let is_bounded = task.bounds.contains_key(&FunctionId(symbol.symbol));
        kept[id] = is_bounded || !made.initial.value(*code).is_defined();
    }
    let mut keep = |id: &Id| kept[*id as usize] = true;
    for formula in read {
        formula.each_fluent(&mut keep);
    }
    for action in actions {
        action.precondition.each_fluent(&mut keep);
        action.danger.iter().for_each(|rule| rule.condition.each_fluent(&mut keep));
        for effect in &action.effects {
            effect.when.each_fluent(&mut keep);
            if let Change::Update(id, update, value) = &effect.change {
                value.each_fluent(&mut keep);
                if *update != Update::Increase || !matches!(value, Value::Number(number) if number.is_defined()) {
                    keep(id);
                }
            }
        }
    }
    kept
}
