//! Numbers for all ground atoms and fluents of a problem, without listing them.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::list::list;
use crate::model::{Atom, Effect, Fluent, FunctionId, ObjectId, Problem, Symbol, Term, Typed};

/// The number of a ground atom or of a ground fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Code(pub u64);

/// A problem with more ground atoms than can be numbered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "the problem has {objects} objects and `{symbol}` {parameters} parameters: too many atoms to number; use fewer"
)]
pub struct TooManyAtoms {
    objects: usize,
    symbol: String,
    parameters: usize,
}

/// The numbering: the arguments are the digits of a number whose base is the number of objects and unbound variables.
///
/// A plan may leave a variable unbound. Such variables are numbered after the objects; those with the same name and type
/// have the same number.
#[derive(Clone, Debug)]
pub(crate) struct Atoms {
    objects: u32,
    base: u64,
    predicates: Vec<u64>,
    functions: Vec<u64>,
    unbound: FxHashMap<Typed, ObjectId>,
}

impl Atoms {
    /// Numbers the atoms of a problem, in which any variable of an action or of an effect may be unbound.
    pub fn of(problem: &Problem) -> Result<Self, TooManyAtoms> {
        let objects = problem.objects.len();
        let mut unbound: FxHashMap<Typed, ObjectId> = FxHashMap::default();
        let mut collect = |variables: &[Typed]| {
            for variable in variables {
                let next = ObjectId((objects + unbound.len()) as u32);
                unbound.entry(variable.clone()).or_insert(next);
            }
        };
        for action in &problem.domain.actions {
            collect(&action.parameters);
            action.effect.each(&mut |effect| {
                if let Effect::ForAll(variables, _) = effect {
                    collect(variables);
                }
            });
        }
        let base = (objects + unbound.len()).max(1) as u64;
        let mut next = 0u64;
        let mut offsets = |symbols: &[Symbol]| -> Result<Vec<u64>, TooManyAtoms> {
            let offset = |symbol: &Symbol| {
                let parameters = symbol.parameters.len();
                let offset = next;
                let size = base.checked_pow(parameters as u32);
                let end = size.and_then(|size| next.checked_add(size)).filter(|end| *end < u64::MAX / 2);
                next = end.ok_or_else(|| TooManyAtoms { objects, symbol: symbol.name.to_string(), parameters })?;
                Ok(offset)
            };
            symbols.iter().map(offset).collect()
        };
        let predicates = offsets(&problem.domain.predicates)?;
        let functions = offsets(&problem.domain.functions)?;
        Ok(Self { objects: objects as u32, base, predicates, functions, unbound })
    }

    /// Returns the value of an unbound variable of an action or of an effect.
    pub(crate) fn unbound(&self, variable: &Typed) -> ObjectId {
        self.unbound.get(variable).copied().unwrap_or(ObjectId(self.objects))
    }

    pub fn atom(&self, atom: &Atom, binding: &[ObjectId]) -> Code {
        self.code(self.predicates[atom.predicate.0 as usize], &atom.arguments, binding)
    }

    pub fn fluent(&self, fluent: &Fluent, binding: &[ObjectId]) -> Code {
        self.code(self.functions[fluent.function.0 as usize], &fluent.arguments, binding)
    }

    fn code(&self, offset: u64, arguments: &[Term], binding: &[ObjectId]) -> Code {
        let digits = arguments.iter().map(|term| u64::from(bound(*term, binding).0));
        Code(offset + digits.fold(0, |code, digit| code * self.base + digit))
    }

    /// Returns the numeric fluent of a code.
    pub fn function(&self, fluent: Code) -> FunctionId {
        FunctionId(self.functions.partition_point(|offset| *offset <= fluent.0).saturating_sub(1) as u32)
    }

    /// Returns the text of a ground fluent.
    pub(crate) fn fluent_text(&self, fluent: Code, problem: &Problem) -> String {
        let function = self.function(fluent);
        let symbol = &problem.domain.functions[function.0 as usize];
        let mut rest = fluent.0 - self.functions[function.0 as usize];
        let argument = |_: &Typed| {
            let argument = rest % self.base;
            rest /= self.base;
            problem.objects.get(argument as usize).map_or("?", |object| &object.name).to_owned()
        };
        let mut arguments: Vec<String> = symbol.parameters.iter().map(argument).collect();
        arguments.reverse();
        list(&symbol.name, arguments)
    }
}

/// Returns the value of a term.
pub(crate) fn bound(term: Term, binding: &[ObjectId]) -> ObjectId {
    match term {
        Term::Variable(index) => binding[usize::from(index)],
        Term::Object(object) => object,
    }
}
