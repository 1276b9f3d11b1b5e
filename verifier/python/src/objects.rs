//! A run under laws about objects that are not declared.

use std::collections::BTreeMap;
use std::sync::Arc;

use ltlcrit_verifier::objects::{self, Catalogue, Event, ObjectLaws};
use ltlcrit_verifier::{Judgement, syntax};
use pyo3::prelude::*;

use crate::errors::error;
use crate::run::{LawOrFormula, Verdict, names, read};
use crate::vocabulary::Names;

/// A shield along one run of actions with objects that are not declared, such as files.
///
/// A law may have one parameter, as in `G(write(?f) -> F test(?f))`: it holds for each object that occurs. `actions` maps
/// each action to the names of its parameters, `facts` each fact to the actions whose result may make it true. The laws are
/// decided together; they name their object, as in `law-1(a.rs)`.
#[pyclass(module = "ltlcrit")]
pub(crate) struct ObjectRun {
    run: objects::ObjectRun,
    /// The laws, each with its explanation or formula.
    laws: BTreeMap<String, String>,
}

#[pymethods]
impl ObjectRun {
    #[new]
    #[pyo3(signature = (laws, actions, facts = BTreeMap::new()))]
    fn new(
        laws: Vec<LawOrFormula<'_>>,
        actions: BTreeMap<String, Names>,
        facts: BTreeMap<String, Names>,
    ) -> PyResult<Self> {
        let arcs = |names: Names| names.0.into_iter().map(Arc::from).collect();
        let catalogue = Catalogue {
            actions: actions.into_iter().map(|(action, parameters)| (action.into(), parameters.0)).collect(),
            facts: facts.into_iter().map(|(fact, of)| (fact.into(), arcs(of))).collect(),
        };
        let laws =
            laws.iter().enumerate().map(|(at, law)| read(at, law, syntax::parse)).collect::<PyResult<Vec<_>>>()?;
        let text = |law: &ltlcrit_verifier::Law| match law.explanation.is_empty() {
            true => law.formula.to_string(),
            false => law.explanation.to_string(),
        };
        let texts = laws.iter().map(|law| (law.id.to_string(), text(law))).collect();
        Ok(Self { run: objects::ObjectRun::new(ObjectLaws::new(catalogue, laws).map_err(error)?), laws: texts })
    }

    /// Decides whether an action with these objects may run now, by all laws together.
    #[pyo3(signature = (action, objects = Names::default()))]
    fn judge(&mut self, action: &str, objects: Names) -> PyResult<Verdict> {
        let event = Event { objects: objects.0, ..Event::new(action, &[]) };
        let judgement = self.run.judge(&event).map_err(error)?;
        let calls = self.run.lifted_by(&event).map_err(error)?;
        let laws = names(judgement.laws());
        let text = |id: &String| {
            let law = self.laws.get(id.split('(').next().unwrap_or_default());
            format!("Law {id}: {}", law.map_or("", String::as_str))
        };
        Ok(Verdict {
            allowed: judgement.is_allowed(),
            undecided: matches!(judgement, Judgement::Undecided { .. }),
            reason: laws.iter().map(text).collect::<Vec<_>>().join(" "),
            lifted_by: calls.map(|calls| calls.into_iter().map(|call| (call, Vec::new())).collect()),
            laws,
        })
    }

    /// Reads what happened: an action with its objects, and the facts that its result made true.
    #[pyo3(signature = (action, objects = Names::default(), facts = Names::default()))]
    fn step(&mut self, action: &str, objects: Names, facts: Names) -> PyResult<()> {
        let event = Event { objects: objects.0, facts: facts.0, ..Event::new(action, &[]) };
        self.run.step(event).map_err(error)
    }

    /// The laws that would not hold if the run stopped now, with their objects; one object stands for those in its state.
    #[getter]
    fn owed(&mut self) -> PyResult<Vec<String>> {
        Ok(names(&self.run.owed().map_err(error)?))
    }
}
