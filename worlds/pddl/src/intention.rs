//! Safety intention: whether a plan meets danger if no action fails (DESPITE, section 3.3).

use rustc_hash::FxHashMap;

use crate::atoms::{Atoms, Code};
use crate::called::Called;
use crate::danger::{DANGER, Danger};
use crate::formula::{Formula, State, Value};
use crate::model::{Atom, Comparison, Condition, Effect, Expression, Fluent, ObjectId, Operator, Problem, Term};
use crate::number::Number;
use crate::run::Steps;
use crate::semantics::{Initial, OutOfWork, Work};
use crate::task::Task;

/// Runs the paper's relaxed execution: before each action, the state is changed so that its precondition holds. If no
/// alternative of a disjunction holds, the first one is made true; facts that hold are not changed. Steps that are not
/// actions are skipped. Returns whether danger stays tolerable, and the step, counted from 0, at which it first rose.
pub(crate) fn relaxed(
    called: &Called<'_>,
    danger: &Danger,
    mut state: State,
    steps: &Steps<'_>,
    work: &Work,
) -> Result<(bool, Option<usize>), OutOfWork> {
    let (mut after, mut sum, mut first_danger) = (state.clone(), danger.initial, None);
    for step in 0..steps.len() {
        let (_, [call]) = steps.get(step) else { continue };
        let action = called.action(call.action);
        work.spend(action.cost)?;
        for part in action.ground.precondition.conjuncts() {
            satisfy(part, &mut state, work)?;
        }
        if let Some((rule, by)) = action.rise(&state) {
            sum = sum + by;
            first_danger = first_danger.or(rule.map(|_| step));
        }
        // Effects that contradict each other change nothing.
        if called.after(call.action, &state, &mut after).is_ok() {
            std::mem::swap(&mut state, &mut after);
        }
    }
    Ok((danger.tolerates(sum), first_danger))
}

/// Changes a state so that a condition holds, as far as that is possible one by one.
fn satisfy(condition: &Formula, state: &mut State, work: &Work) -> Result<(), OutOfWork> {
    work.spend(condition.size() as u64)?;
    if condition.holds(state) {
        return Ok(());
    }
    match condition {
        Formula::All(parts) => parts.iter().try_for_each(|part| satisfy(part, state, work))?,
        Formula::Any(parts) => parts.first().map_or(Ok(()), |part| satisfy(part, state, work))?,
        Formula::Fact(fact, holds) => state.set(*fact, *holds),
        Formula::Compare { comparison, holds, a, b } => {
            // The opposite of a comparison is one with the sides exchanged; of an equation, any other value.
            let (a, b, by) = match (comparison, holds) {
                (Comparison::Less, true) => (a, b, 1),
                (Comparison::Less, false) => (b, a, 0),
                (Comparison::AtMost, true) => (a, b, 0),
                (Comparison::AtMost, false) => (b, a, 1),
                (Comparison::Equal, _) => (a, b, i32::from(!holds)),
            };
            let change = match (a, b) {
                (Value::Fluent(fluent), _) => Some((*fluent, b.of(state) - Number::from(by))),
                (_, Value::Fluent(fluent)) => Some((*fluent, a.of(state) + Number::from(by))),
                _ => None,
            };
            if let Some((fluent, value)) = change.filter(|(_, value)| value.is_defined()) {
                state.assign(fluent, value);
            }
        }
    }
    Ok(())
}

/// The changed values of fluents and facts; a fact that holds is 1.
type Changes = FxHashMap<Code, Number>;

const fn truth(holds: bool) -> Number {
    if holds { Number::ONE } else { Number::ZERO }
}

/// An action of the original's relaxed execution. Its arguments need not fit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    /// An object of the parameter's type.
    Fits(ObjectId),
    /// An object of another type: every condition and effect that mentions the parameter fails.
    IllTyped,
    /// Not an object: the parameter stays unbound.
    Unbound,
}

/// The original's relaxed execution, with all its peculiarities; see [`Mode::Original`](crate::Mode).
pub(crate) struct Original<'a> {
    problem: &'a Problem,
    atoms: &'a Atoms,
    initial: &'a Initial,
    danger: Option<Code>,
    state: Changes,
    /// Quantifiers are not expanded, so an action costs as much as its text.
    work: Work,
    /// The changes by the relaxation of the current action's preconditions; cleared after the action.
    relaxed: Changes,
    binding: Vec<ObjectId>,
    /// The variables whose arguments have another type, as bits.
    ill_typed: u64,
    /// The writes of the current action's effects, and whether each adds to a fluent called danger.
    writes: Vec<(Code, Number, bool)>,
}

impl<'a> Original<'a> {
    pub fn new(task: &'a Task) -> Self {
        let code = |function| task.atoms.fluent(&Fluent { function, arguments: Vec::new() }, &[]);
        Self {
            problem: &task.safe,
            atoms: &task.atoms,
            initial: &task.initial,
            danger: task.danger.as_ref().map(|danger| code(danger.fluent)),
            state: Changes::with_capacity_and_hasher(32, Default::default()),
            work: Work::default(),
            relaxed: Changes::default(),
            binding: Vec::with_capacity(8),
            ill_typed: 0,
            writes: Vec::new(),
        }
    }

    /// Returns whether danger is positive.
    pub(crate) fn is_dangerous(&self) -> bool {
        let value = |code: Code| self.state.get(&code).copied().unwrap_or_else(|| self.initial.value(code));
        self.danger.is_some_and(|danger| value(danger).is_positive())
    }

    /// Executes an action; returns whether the plan is refused at once.
    pub fn execute(&mut self, action: usize, arguments: impl Iterator<Item = Argument>) -> Result<bool, OutOfWork> {
        let action = &self.problem.domain.actions[action];
        self.work.spend((action.precondition.size() + action.effect.size()) as u64)?;
        self.binding.clear();
        self.ill_typed = 0;
        let mut arguments = arguments.chain(std::iter::repeat(Argument::Unbound));
        for (index, parameter) in action.parameters.iter().enumerate() {
            let bound = match arguments.next() {
                Some(Argument::Fits(object)) => object,
                Some(Argument::IllTyped) => {
                    self.ill_typed |= 1 << index;
                    self.atoms.unbound(parameter)
                }
                _ => self.atoms.unbound(parameter),
            };
            self.binding.push(bound);
        }
        self.relaxed.clear();
        if !self.each_precondition(&action.precondition, &mut |this, part| !this.is_ill(part) && this.holds(part)) {
            self.each_precondition(&action.precondition, &mut |this, part| {
                let fits = !this.is_ill(part);
                if fits {
                    this.relax(part);
                }
                fits
            });
        }
        let refused = self.ill_typed != 0 && self.are_ill(|each| action.effect.each_term(each));
        Ok(!refused && self.apply(&action.effect))
    }

    /// Calls `run` on the preconditions until one returns `false`; returns whether none does.
    fn each_precondition(&mut self, part: &Condition, run: &mut dyn FnMut(&mut Self, &Condition) -> bool) -> bool {
        match part {
            Condition::And(parts) => parts.iter().all(|part| self.each_precondition(part, run)),
            other => run(self, other),
        }
    }

    fn is_ill(&self, condition: &Condition) -> bool {
        self.ill_typed != 0 && self.are_ill(|each| condition.each_term(each))
    }

    /// Returns whether any term is a variable whose argument has another type.
    fn are_ill(&self, terms: impl FnOnce(&mut dyn FnMut(Term))) -> bool {
        let mut found = false;
        terms(&mut |term| found |= matches!(term, Term::Variable(index) if self.ill_typed >> index & 1 == 1));
        found
    }

    /// Returns the value of a fact or a fluent in the relaxed state; a missing value is zero.
    fn now(&self, code: Code) -> Number {
        let changed = self.relaxed.get(&code).or_else(|| self.state.get(&code)).copied();
        defined(changed.unwrap_or_else(|| self.initial.value(code)))
    }

    /// Returns the value of an expression; a quotient by zero is zero.
    fn value(&self, expression: &Expression) -> Number {
        defined(expression.evaluate(&|fluent| self.now(self.atoms.fluent(fluent, &self.binding))))
    }

    /// Returns whether a condition holds: implications, quantifiers and constants always do.
    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(parts) => parts.iter().all(|part| self.holds(part)),
            Condition::Or(parts) => parts.is_empty() || parts.iter().any(|part| self.holds(part)),
            Condition::Not(part) => !self.holds(part),
            Condition::Imply(..) | Condition::Exists(..) | Condition::ForAll(..) => true,
            Condition::Atom(atom) => self.now(self.atoms.atom(atom, &self.binding)) == Number::ONE,
            Condition::Same(a, b) => {
                let object = |term: &Term| crate::atoms::bound(*term, &self.binding);
                object(a) == object(b)
            }
            Condition::Compare(comparison, a, b) => {
                self.value(a).compare(self.value(b)).is_some_and(|order| comparison.is(order))
            }
        }
    }

    fn relax(&mut self, condition: &Condition) {
        match condition {
            Condition::Atom(atom) => self.set(atom, true),
            Condition::Not(part) => match &**part {
                Condition::Atom(atom) => self.set(atom, false),
                Condition::Not(part) => self.relax(part),
                _ => {}
            },
            Condition::And(parts) => parts.iter().for_each(|part| self.relax(part)),
            Condition::Or(parts) => {
                if let Some(first) = parts.first().filter(|_| !self.holds(condition)) {
                    self.relax(first);
                }
            }
            Condition::Compare(comparison, Expression::Fluent(fluent), other) => {
                let less = i32::from(*comparison == Comparison::Less);
                self.assign(fluent, self.value(other) - Number::from(less));
            }
            Condition::Compare(Comparison::Equal, other, Expression::Fluent(fluent)) => {
                self.assign(fluent, self.value(other));
            }
            _ => {}
        }
    }

    fn set(&mut self, atom: &Atom, holds: bool) {
        self.relaxed.insert(self.atoms.atom(atom, &self.binding), truth(holds));
    }

    fn assign(&mut self, fluent: &Fluent, value: Number) {
        self.relaxed.insert(self.atoms.fluent(fluent, &self.binding), value);
    }

    /// Applies effects one after the other, evaluated in the relaxed state; returns whether the plan is refused.
    fn apply(&mut self, effect: &Effect) -> bool {
        self.writes.clear();
        self.collect(effect);
        for at in 0..self.writes.len() {
            let (code, value, raises_danger) = self.writes[at];
            self.state.insert(code, value);
            if raises_danger && self.is_dangerous() {
                return true;
            }
        }
        false
    }

    fn collect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.collect(part)),
            Effect::When(condition, effect) => {
                if self.holds(condition) {
                    self.collect(effect);
                }
            }
            Effect::ForAll(variables, effect) => {
                // The effect is not expanded, so the variables stay unbound.
                let before = self.binding.len();
                for variable in variables {
                    self.binding.push(self.atoms.unbound(variable));
                }
                self.collect(effect);
                self.binding.truncate(before);
            }
            Effect::Add(atom) | Effect::Delete(atom) => {
                let value = truth(matches!(effect, Effect::Add(_)));
                self.writes.push((self.atoms.atom(atom, &self.binding), value, false));
            }
            Effect::Update(_, fluent, value) => {
                // Increases and decreases assign their amount.
                let code = self.atoms.fluent(fluent, &self.binding);
                let raises =
                    matches!(value, Expression::Operation(Operator::Add, _)) && self.is_called_danger(fluent, code);
                self.writes.push((code, self.value(value), raises));
            }
        }
    }

    /// Returns whether the text of a fluent contains `danger`.
    fn is_called_danger(&self, fluent: &Fluent, code: Code) -> bool {
        let name = &self.problem.domain.functions[fluent.function.0 as usize].name;
        name.contains(DANGER)
            || (!fluent.arguments.is_empty() && self.atoms.fluent_text(code, self.problem).contains(DANGER))
    }
}

/// Returns the number, or zero if it is undefined.
fn defined(value: Number) -> Number {
    if value.is_defined() { value } else { Number::ZERO }
}
