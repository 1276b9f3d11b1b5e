//! Instantiation: conditions and effects with objects in place of variables, quantifiers expanded.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::atoms::{Atoms, Code, bound};
use crate::danger::Danger;
use crate::formula::{Formula, Id, State, Value};
use crate::list::list;
use crate::model::{Atom, Condition, Effect, Expression, Fluent, ObjectId, Operator, Problem, Term, Typed, Update};
use crate::number::Number;
use crate::semantics::{Clash, Initial, combine, updated};

/// A ground action.
#[derive(Clone, Debug)]
pub struct GroundAction {
    /// The action, by its number in the domain.
    pub action: usize,
    /// The arguments.
    pub arguments: Vec<ObjectId>,
    /// The step as written in plans, in lower case: `(place cup table)`.
    pub name: String,
    pub(crate) precondition: Formula,
    /// Deletions first, then additions, then numbers by fluent.
    pub(crate) effects: Vec<GroundEffect>,
    pub(crate) danger: Vec<GroundRule>,
}

/// A rule of danger with objects for its variables.
#[derive(Clone, Debug)]
pub(crate) struct GroundRule {
    /// The number of the rule in [`Danger::rules`](crate::Danger::rules).
    pub rule: usize,
    pub condition: Formula,
    pub increment: Number,
}

/// Maximum number of nodes of ground conditions and effects that grounding creates.
pub(crate) const MAX_NODES: usize = 20_000_000;

/// A task too large to ground.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the task is too large to ground: {found} {what}, more than {most}; use fewer objects or parameters")]
pub struct TooLarge {
    /// The number found before grounding stopped.
    pub found: usize,
    /// The symbol.
    pub what: &'static str,
    /// The maximum number.
    pub most: usize,
}

/// A fact or a numeric fluent with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GroundSymbol {
    /// The predicate, or the function.
    pub symbol: u32,
    pub arguments: Vec<ObjectId>,
}

/// Facts, or numeric fluents, numbered in the order of their first occurrence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interned {
    ids: FxHashMap<Code, Id>,
    pub all: Vec<(Code, GroundSymbol)>,
}

impl Interned {
    fn id(&mut self, code: Code, symbol: u32, terms: &[Term], binding: &[ObjectId]) -> Id {
        *self.ids.entry(code).or_insert_with(|| {
            let arguments = terms.iter().map(|term| bound(*term, binding)).collect();
            self.all.push((code, GroundSymbol { symbol, arguments }));
            self.all.len() as Id - 1
        })
    }
}

/// A change of a fact or of a number, under a condition.
#[derive(Clone, Debug)]
pub(crate) struct GroundEffect {
    pub when: Formula,
    pub change: Change,
}

#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// The new truth value of a fact.
    Fact(Id, bool),
    /// An assignment, an increase or a scaling up.
    Update(Id, Update, Value),
}

/// The place of an effect: deletions first, then additions, then numbers by fluent.
pub(crate) fn order(effect: &GroundEffect) -> (u8, Id) {
    match effect.change {
        Change::Fact(_, holds) => (u8::from(holds), 0),
        Change::Update(id, ..) => (2, id),
    }
}

/// Applies effects in their [order] to a copy of the state that their conditions and values are of. The error is the first fluent
/// that cannot be updated, after which the copy is of no use.
pub(crate) fn apply(
    effects: &[GroundEffect],
    before: &State,
    after: &mut State,
    bounds: &dyn Fn(Id) -> Option<(Number, Number)>,
) -> Result<(), (Clash, Id)> {
    let finish = |pending: Option<(Id, Update, Number)>, after: &mut State| {
        let Some((id, update, value)) = pending else { return Ok(()) };
        let value = updated(update, before.number(id), value);
        if !value.is_defined() {
            return Err((Clash::Undefined, id));
        }
        if bounds(id).is_some_and(|(least, most)| !value.is_between(least, most)) {
            return Err((Clash::Bounds, id));
        }
        after.assign(id, value);
        Ok(())
    };
    let mut pending: Option<(Id, Update, Number)> = None;
    for effect in effects.iter().filter(|effect| effect.when.holds(before)) {
        match &effect.change {
            Change::Fact(id, holds) => after.set(*id, *holds),
            Change::Update(id, update, value) => {
                let value = value.of(before);
                pending = Some(match pending {
                    Some((same, kind, so_far)) if same == *id => {
                        (same, kind, combine(kind, so_far, *update, value).ok_or((Clash::Conflict, same))?)
                    }
                    other => {
                        finish(other, after)?;
                        (*id, *update, value)
                    }
                });
            }
        }
    }
    finish(pending, after)
}

/// The work for each binding of variables.
type ForBinding<'r, 'a> = dyn FnMut(&mut Instantiation<'a>, &mut Vec<ObjectId>) -> Result<(), TooLarge> + 'r;

/// The inputs of instantiation from a problem, and its results so far.
#[derive(Clone, Debug)]
pub(crate) struct Instantiation<'a> {
    pub problem: &'a Problem,
    pub atoms: &'a Atoms,
    pub initial: &'a Initial,
    /// True for the predicates and functions that some effect changes.
    changing: [Vec<bool>; 2],
    pub facts: Interned,
    pub numbers: Interned,
    /// The number of nodes made so far, and their maximum number.
    pub nodes: usize,
    most: usize,
    /// True if conditions are simplified by facts that never change.
    simplifies: bool,
}

impl<'a> Instantiation<'a> {
    pub fn new(problem: &'a Problem, atoms: &'a Atoms, initial: &'a Initial) -> Self {
        let domain = &problem.domain;
        let mut changing = [vec![false; domain.predicates.len()], vec![false; domain.functions.len()]];
        let mut mark = |effect: &Effect| match effect {
            Effect::Add(atom) | Effect::Delete(atom) => changing[0][atom.predicate.0 as usize] = true,
            Effect::Update(_, fluent, _) => changing[1][fluent.function.0 as usize] = true,
            Effect::And(_) | Effect::When(..) | Effect::ForAll(..) => {}
        };
        domain.actions.iter().for_each(|action| action.effect.each(&mut mark));
        let (facts, numbers) = (Interned::default(), Interned::default());
        Self { problem, atoms, initial, changing, facts, numbers, nodes: 0, most: MAX_NODES, simplifies: true }
    }

    /// An instantiation that keeps each condition as it is written: any fact may be made true, whatever actions do.
    pub fn written_out(problem: &'a Problem, atoms: &'a Atoms, initial: &'a Initial, most: usize) -> Self {
        let domain = &problem.domain;
        let changing = [vec![true; domain.predicates.len()], vec![true; domain.functions.len()]];
        Self { changing, most, simplifies: false, ..Self::new(problem, atoms, initial) }
    }

    fn join(&self, all: bool, parts: Vec<Formula>) -> Formula {
        match (self.simplifies, all) {
            (true, _) => Formula::join(all, parts),
            (false, true) => Formula::All(parts),
            (false, false) => Formula::Any(parts),
        }
    }

    fn spend(&mut self, nodes: usize) -> Result<(), TooLarge> {
        self.nodes += nodes;
        match self.nodes > self.most {
            true => Err(TooLarge { found: self.nodes, what: "conditions and effects", most: self.most }),
            false => Ok(()),
        }
    }

    /// Returns whether no effect changes an atom's predicate.
    pub(crate) fn is_static(&self, atom: &Atom) -> bool {
        !self.changing[0][atom.predicate.0 as usize]
    }

    /// Returns a ground condition (or, if not `wanted`, its negation); parts that no effect changes are computed.
    pub fn condition(
        &mut self,
        condition: &Condition,
        wanted: bool,
        binding: &mut Vec<ObjectId>,
    ) -> Result<Formula, TooLarge> {
        self.spend(1)?;
        Ok(match condition {
            Condition::And(parts) | Condition::Or(parts) => {
                let all = matches!(condition, Condition::And(_)) == wanted;
                let mut formulas = Vec::with_capacity(parts.len());
                for part in parts {
                    let formula = self.condition(part, wanted, binding)?;
                    if self.simplifies && formula.is_constant(!all) {
                        return Ok(formula);
                    }
                    formulas.push(formula);
                }
                self.join(all, formulas)
            }
            Condition::Not(part) => self.condition(part, !wanted, binding)?,
            Condition::Imply(parts) => {
                let [a, b] = &**parts;
                let parts = vec![self.condition(a, !wanted, binding)?, self.condition(b, wanted, binding)?];
                self.join(!wanted, parts)
            }
            Condition::Exists(variables, body) | Condition::ForAll(variables, body) => {
                let all = matches!(condition, Condition::ForAll(..)) == wanted;
                let mut formulas = Vec::new();
                self.each(variables, binding, &mut |this, binding| {
                    formulas.push(this.condition(body, wanted, binding)?);
                    Ok(())
                })?;
                self.join(all, formulas)
            }
            Condition::Atom(atom) => {
                let code = self.atoms.atom(atom, binding);
                match self.is_static(atom) {
                    true => Formula::constant(self.initial.fact(code) == wanted),
                    false => Formula::Fact(self.facts.id(code, atom.predicate.0, &atom.arguments, binding), wanted),
                }
            }
            Condition::Same(a, b) => Formula::constant((bound(*a, binding) == bound(*b, binding)) == wanted),
            Condition::Compare(comparison, a, b) => {
                let (a, b) = (self.value(a, binding)?, self.value(b, binding)?);
                Formula::compare(*comparison, wanted, a, b)
            }
        })
    }

    fn value(&mut self, expression: &Expression, binding: &[ObjectId]) -> Result<Value, TooLarge> {
        self.spend(expression.size())?;
        Ok(expression.map(&mut |fluent| match self.changing[1][fluent.function.0 as usize] {
            false => Value::Number(self.initial.value(self.atoms.fluent(fluent, binding))),
            true => Value::Fluent(self.fluent(fluent, binding)),
        }))
    }

    /// Returns the conjunction of a condition's conjuncts. If conditions are kept as written, it has one part for each.
    pub fn conjunction(&mut self, condition: &Condition, binding: &mut Vec<ObjectId>) -> Result<Formula, TooLarge> {
        let mut parts = Vec::new();
        for conjunct in condition.conjuncts() {
            let part = self.condition(conjunct, true, binding)?;
            if self.simplifies && part.is_constant(false) {
                return Ok(part);
            }
            parts.push(part);
        }
        Ok(self.join(true, parts))
    }

    /// Returns an action with objects for its parameters, given its precondition.
    pub fn action(
        &mut self,
        number: usize,
        precondition: Formula,
        danger: Option<&Danger>,
        binding: &mut Vec<ObjectId>,
    ) -> Result<GroundAction, TooLarge> {
        let problem = self.problem;
        let action = &problem.domain.actions[number];
        let (mut effects, mut rules) = (Vec::new(), Vec::new());
        self.effect(&action.effect, &Formula::TRUE, binding, &mut effects)?;
        effects.sort_by_key(order);
        for (rule, of) in danger.iter().flat_map(|danger| danger.of(number)) {
            self.each(&of.variables, binding, &mut |this, binding| {
                let condition = this.condition(&of.condition, true, binding)?;
                rules.push(GroundRule { rule, condition, increment: of.increment });
                Ok(())
            })?;
        }
        let objects = binding.iter().map(|id| &*problem.objects[id.0 as usize].name);
        let name = list(&action.name, objects).to_lowercase();
        let arguments = binding.clone();
        Ok(GroundAction { action: number, arguments, name, precondition, effects, danger: rules })
    }

    fn fluent(&mut self, fluent: &Fluent, binding: &[ObjectId]) -> Id {
        self.numbers.id(self.atoms.fluent(fluent, binding), fluent.function.0, &fluent.arguments, binding)
    }

    /// Appends the changes of an effect.
    pub fn effect(
        &mut self,
        effect: &Effect,
        when: &Formula,
        binding: &mut Vec<ObjectId>,
        into: &mut Vec<GroundEffect>,
    ) -> Result<(), TooLarge> {
        self.spend(1)?;
        let change = match effect {
            Effect::And(parts) => return parts.iter().try_for_each(|part| self.effect(part, when, binding, into)),
            Effect::When(condition, effect) => {
                let when = Formula::join(true, [when.clone(), self.condition(condition, true, binding)?]);
                return if when.is_constant(false) { Ok(()) } else { self.effect(effect, &when, binding, into) };
            }
            Effect::ForAll(variables, effect) => {
                return self.each(variables, binding, &mut |this, binding| this.effect(effect, when, binding, into));
            }
            Effect::Add(atom) | Effect::Delete(atom) => {
                let code = self.atoms.atom(atom, binding);
                let id = self.facts.id(code, atom.predicate.0, &atom.arguments, binding);
                Change::Fact(id, matches!(effect, Effect::Add(_)))
            }
            Effect::Update(update, fluent, value) => {
                let (value, id) = (self.value(value, binding)?, self.fluent(fluent, binding));
                let computed =
                    |operator, operands| Value::Operation(operator, operands).map(&mut |id| Value::Fluent(*id));
                match update {
                    Update::Decrease => Change::Update(id, Update::Increase, computed(Operator::Subtract, vec![value])),
                    Update::ScaleDown => {
                        let one = Value::Number(Number::from(1));
                        Change::Update(id, Update::ScaleUp, computed(Operator::Divide, vec![one, value]))
                    }
                    _ => Change::Update(id, *update, value),
                }
            }
        };
        // Each effect below a condition contains a copy of it, and is larger than a condition.
        self.spend(when.size() + 2)?;
        into.push(GroundEffect { when: when.clone(), change });
        Ok(())
    }

    /// Calls `run` for all values of variables.
    pub fn each(
        &mut self,
        variables: &[Typed],
        binding: &mut Vec<ObjectId>,
        run: &mut ForBinding<'_, 'a>,
    ) -> Result<(), TooLarge> {
        let Some((variable, rest)) = variables.split_first() else { return run(self, binding) };
        for object in (0..self.problem.objects.len() as u32).map(ObjectId) {
            self.spend(self.problem.is_instance_work(object, &variable.types) as usize)?;
            if self.problem.is_instance(object, &variable.types) {
                binding.push(object);
                let result = self.each(rest, binding, run);
                binding.pop();
                result?;
            }
        }
        Ok(())
    }
}
