//! Numbers for all ground atoms and fluents of a problem, without listing them.

use thiserror::Error;

use crate::list::list;
use crate::model::{Atom, Fluent, ObjectId, Problem, Symbol, Term, Typed};

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

/// The numbering: the arguments are the digits of a number whose base is the number of objects.
#[derive(Clone, Debug)]
pub(crate) struct Atoms {
    base: u64,
    predicates: Vec<u64>,
    functions: Vec<u64>,
}

impl Atoms {
    /// Numbers the atoms of a problem.
    pub fn of(problem: &Problem) -> Result<Self, TooManyAtoms> {
        let objects = problem.objects.len();
        let base = objects.max(1) as u64;
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
        Ok(Self { base, predicates, functions })
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

    /// Returns the text of a ground fluent.
    pub(crate) fn fluent_text(&self, fluent: Code, problem: &Problem) -> String {
        let function = self.functions.partition_point(|offset| *offset <= fluent.0).saturating_sub(1);
        let symbol = &problem.domain.functions[function];
        let mut rest = fluent.0 - self.functions[function];
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
