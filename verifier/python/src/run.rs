//! A run under a shield.

use std::ffi::CString;

use ltlcrit_verifier::law::{self, LawId};
use ltlcrit_verifier::shield::Lift;
use ltlcrit_verifier::{
    ActionId, Explanation, Formula, Judgement, Letter, PropSet, Shield, ShieldOptions, SyntaxError, syntax,
};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;

use crate::book::{Book, Law};
use crate::errors::{error, formula_error, unknown_name};
use crate::vocabulary::{Names, Vocabulary};

/// The answer about one action. As a condition it is true only if the action is allowed.
///
/// `laws` are those that together block the action. `undecided` is true if the question exceeded its budget; such an
/// action is not allowed. `reason` says why in one or two sentences.
///
/// `lifted_by` lists the fewest steps after which the action is allowed, each an action and the observations that hold after
/// it. It is empty for an allowed action, and None if there are no such steps, or none were found within the budget.
#[pyclass(frozen, get_all, module = "ltlcrit")]
pub(crate) struct Verdict {
    pub allowed: bool,
    pub undecided: bool,
    pub laws: Vec<String>,
    pub reason: String,
    pub lifted_by: Option<Vec<(String, Vec<String>)>>,
}

#[pymethods]
impl Verdict {
    fn __bool__(&self) -> bool {
        self.allowed
    }

    fn __repr__(&self) -> String {
        let [allowed, undecided] = [self.allowed, self.undecided].map(|value| if value { "True" } else { "False" });
        format!("Verdict(allowed={allowed}, undecided={undecided}, laws={:?}, reason={:?})", self.laws, self.reason)
    }
}

#[derive(FromPyObject)]
enum Laws<'py> {
    Book(PyRef<'py, Book>),
    List(Vec<LawOrFormula<'py>>),
}

#[derive(FromPyObject)]
pub(crate) enum LawOrFormula<'py> {
    Law(PyRef<'py, Law>),
    Formula(String),
}

/// A shield along one run: over a book, or over formulas and a vocabulary.
///
/// Formulas are hard laws called `law-1`, `law-2` and so on; a `Law` has a name of its own. The run begins in a state
/// with the observations given. `budget` bounds the work of one decision. A law that judges an action only by what is
/// observed after it cannot forbid the action; a warning says so.
#[pyclass(module = "ltlcrit")]
pub(crate) struct Run {
    shield: Shield,
    violated: Vec<LawId>,
}

#[pymethods]
impl Run {
    #[new]
    #[pyo3(signature = (laws, vocabulary = None, *, observations = Names::default(), budget = None))]
    fn new(
        py: Python<'_>,
        laws: Laws<'_>,
        vocabulary: Option<PyRef<'_, Vocabulary>>,
        observations: Names,
        budget: Option<u64>,
    ) -> PyResult<Self> {
        let (vocabulary, laws) = match (laws, vocabulary) {
            (Laws::Book(book), None) => (book.vocabulary.clone(), book.book.laws_in_force()),
            (Laws::List(laws), Some(vocabulary)) => {
                let laws = laws
                    .iter()
                    .enumerate()
                    .map(|(at, law)| read(at, law, |text| syntax::parse_over(text, &vocabulary.0)));
                (vocabulary.0.clone(), laws.collect::<PyResult<_>>()?)
            }
            _ => return Err(PyTypeError::new_err("write Run(book), or Run(formulas, vocabulary)")),
        };
        let options = ShieldOptions::default();
        let options = ShieldOptions { budget: budget.unwrap_or(options.budget), ..options };
        let shield = Shield::new(vocabulary, laws, options).map_err(error)?;
        for (law, found) in shield.compiled().same_letter() {
            let actions = found.actions(shield.vocabulary()).join(", ");
            let meant = found.meant.as_ref().map_or_else(String::new, |meant| format!("; write `{meant}`"));
            let text = format!(
                "law {law} judges {actions} by what is observed after it, so it cannot forbid the action beforehand{meant}"
            );
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 1)?;
        }
        let mut run = Self { shield, violated: Vec::new() };
        run.start(observations)?;
        Ok(run)
    }

    /// Begins the run afresh, in a state with these observations. Returns the laws that this state breaks.
    #[pyo3(signature = (observations = Names::default()))]
    fn start(&mut self, observations: Names) -> PyResult<Vec<String>> {
        let observations = self.observed(observations)?;
        let violated = self.shield.start(observations).map_err(error)?;
        self.violated.clear();
        Ok(self.record(violated))
    }

    /// Decides whether an action may run now, by all laws together. What is undecided is not allowed.
    fn judge(&mut self, action: &str) -> PyResult<Verdict> {
        let explanation = self.explanation(action)?;
        let lift = self.shield.lifted_by(self.action(action)?);
        let vocabulary = self.shield.vocabulary();
        let step = |letter: &Letter| {
            let action = vocabulary.action_name(letter.action(vocabulary)?).to_owned();
            let observations = vocabulary.names(&letter.observations(vocabulary));
            Some((action, observations.into_iter().map(str::to_owned).collect()))
        };
        let lifted_by = match lift {
            Lift::By(letters) => letters.iter().map(step).collect(),
            Lift::Never | Lift::NotFound => None,
        };
        Ok(Verdict {
            lifted_by,
            allowed: explanation.judgement.is_allowed(),
            undecided: matches!(explanation.judgement, Judgement::Undecided { .. }),
            laws: names(explanation.judgement.laws()),
            reason: explanation.reasons(),
        })
    }

    /// Explains the answer about an action over several lines: laws, causes, allowed actions and obligations.
    fn explain(&mut self, action: &str) -> PyResult<String> {
        Ok(self.explanation(action)?.to_string())
    }

    /// Reads what happened: the action that ran, and all observations that hold afterwards. Returns the laws it broke.
    ///
    /// A blocked action can be read too, if it ran all the same. `action_stop` ends the run. After an error, nothing was
    /// read.
    fn step(&mut self, action: &str, observations: Names) -> PyResult<Vec<String>> {
        let (action, observations) = (self.action(action)?, self.observed(observations)?);
        let violated = self.shield.step(action, observations).map_err(error)?;
        Ok(self.record(violated))
    }

    /// Lists the actions that may run now.
    fn allowed(&mut self) -> Vec<String> {
        let allowed = self.shield.decide().allowed;
        allowed.names(self.shield.vocabulary()).into_iter().map(str::to_owned).collect()
    }

    /// The laws that would not hold if the run stopped now.
    #[getter]
    fn owed(&mut self) -> Vec<String> {
        names(&self.shield.obligations())
    }

    /// The laws that the run has broken so far.
    #[getter]
    fn violated(&self) -> Vec<String> {
        names(&self.violated)
    }

    /// The vocabulary of the laws.
    #[getter]
    fn vocabulary(&self) -> Vocabulary {
        Vocabulary(self.shield.vocabulary().clone())
    }
}

impl Run {
    fn explanation(&mut self, action: &str) -> PyResult<Explanation> {
        let action = self.action(action)?;
        Ok(self.shield.explain(action))
    }

    fn action(&self, name: &str) -> PyResult<ActionId> {
        let vocabulary = self.shield.vocabulary();
        let id = vocabulary.require(name).map_err(|unknown| unknown_name(&unknown))?;
        vocabulary.as_action(id).ok_or_else(|| error(format!("`{name}` is an observation, not an action")))
    }

    /// Reads the observations of a letter; observations that break an axiom would make later proofs wrong.
    fn observed(&self, names: Names) -> PyResult<PropSet> {
        let vocabulary = self.shield.vocabulary();
        let set = vocabulary.set(names.0.iter().map(String::as_str)).map_err(|unknown| unknown_name(&unknown))?;
        match vocabulary.broken_axiom(&set) {
            None => Ok(set),
            Some(axiom) => Err(error(format!("the observations break the axiom {}; correct it", axiom.quoted()))),
        }
    }

    fn record(&mut self, violated: Vec<LawId>) -> Vec<String> {
        let listed = names(&violated);
        for law in violated {
            if !self.violated.contains(&law) {
                self.violated.push(law);
            }
        }
        listed
    }
}

/// Reads the law at a position of a list.
pub(crate) fn read(
    at: usize,
    law: &LawOrFormula<'_>,
    parse: impl Fn(&str) -> Result<Formula, SyntaxError>,
) -> PyResult<law::Law> {
    let parsed = |id: &str, text: &str| parse(text).map_err(|fault| formula_error(id, &fault));
    match law {
        LawOrFormula::Formula(text) => {
            let id = format!("law-{}", at + 1);
            Ok(law::Law::hard(id.as_str(), parsed(&id, text)?, ""))
        }
        LawOrFormula::Law(law) => {
            let strength = if law.soft { law::Strength::Soft } else { law::Strength::Hard };
            Ok(law::Law::new(strength, law.id.as_str(), parsed(&law.id, &law.formula)?, law.explanation.as_str()))
        }
    }
}

pub(crate) fn names(laws: &[LawId]) -> Vec<String> {
    laws.iter().map(ToString::to_string).collect()
}
