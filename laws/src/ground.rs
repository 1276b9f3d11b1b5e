//! Instantiates laws with parameters for the objects of a problem.
//!
//! A law over a domain is written once: `G(fragile(?x) & !padded(?x) -> X !drop(?x))`. Its instances are the laws for
//! all objects that its parameters may stand for. A proposition of an instance that can never hold is replaced by
//! `false`. Instances that become vacuous are left out, so that in the example only fragile objects have a law.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ltlcrit_verifier::{Formula, Signature, Vocabulary};

use crate::bind::{Argument, Fault, LiftedAtoms, Parameters, bind};
use crate::book::{Book, Entry, Template};
use crate::diagnostic::Code;
use crate::provenance::Status;

/// Maximum number of object combinations for the laws of one book.
pub const MAX_INSTANCES: usize = 10_000;

/// Returns the instances of a law over a vocabulary with a [signature](Vocabulary::signature). `left` is the rest of
/// [`MAX_INSTANCES`].
pub(crate) fn instances(
    template: &Template,
    vocabulary: &Vocabulary,
    left: &mut usize,
) -> Result<Vec<Entry>, Vec<Fault>> {
    let span = template.law.formula_place.span.clone();
    let Some(signature) = vocabulary.signature() else {
        let name = vocabulary.name();
        let message = format!("the vocabulary `{name}` knows no objects, so laws over it have no parameters");
        let help = "laws with parameters are for planning tasks, such as --world pddl:DIR".to_owned();
        return Err(vec![Fault { span, code: Code::Vocabulary, message, help: Some(help) }]);
    };
    let (atoms, parameters) = bind(template, vocabulary, signature)?;
    let most = *left;
    let count = parameters.iter().fold(1_usize, |count, (_, objects)| count.saturating_mul(objects.len()));
    if count > most {
        let before = match MAX_INSTANCES - most {
            0 => String::new(),
            others => format!(", beside {others} of the laws before it"),
        };
        let message = format!("the law `{}` has {count} instances{before}", template.law.id);
        let help = format!("a book has at most {MAX_INSTANCES}; give its parameters narrower types");
        return Err(vec![Fault { span, code: Code::Book, message, help: Some(help) }]);
    }
    *left -= count;
    let instance = |number| instance(template, &atoms, &combination(&parameters, number), vocabulary);
    Ok((0..count).filter_map(instance).collect())
}

/// Returns the propositions of a book's laws and of their instances for these objects; retired laws are left out. The
/// unseen atoms of the signature are those that can hold. A law whose instances fail contributes nothing.
pub fn mentioned(book: &Book, signature: &Signature) -> BTreeSet<Arc<str>> {
    let is_retired = |law: &Entry| matches!(law.status, Status::Retired { .. });
    let mut names = BTreeSet::new();
    for law in book.entries().iter().filter(|law| !is_retired(law)) {
        names.extend(law.formula.atoms());
    }
    let Ok(empty) = Vocabulary::plain(signature.domain.clone(), [] as [Arc<str>; 0]) else { return names };
    let (vocabulary, mut left) = (empty.with_signature(Arc::new(signature.clone())), MAX_INSTANCES);
    for template in book.templates().iter().filter(|template| !is_retired(&template.law)) {
        let instances = instances(template, &vocabulary, &mut left).unwrap_or_default();
        names.extend(instances.iter().flat_map(|instance| instance.formula.atoms()));
    }
    names
}

/// Returns the combination of objects with this number; the last parameter changes first.
fn combination(parameters: &Parameters, mut number: usize) -> BTreeMap<&str, &Arc<str>> {
    let mut bound = BTreeMap::new();
    for (name, objects) in parameters.iter().rev() {
        bound.insert(&**name, &objects[number % objects.len()]);
        number /= objects.len();
    }
    bound
}

/// Returns the instance for some objects; `None` if it is vacuous.
fn instance(
    template: &Template,
    atoms: &LiftedAtoms,
    bound: &BTreeMap<&str, &Arc<str>>,
    vocabulary: &Vocabulary,
) -> Option<Entry> {
    let law = &template.law;
    let mut atom = |name: &Arc<str>| {
        let Some(lifted) = atoms.get(name) else { return Formula::Atom(name.clone()) };
        let object = |argument: &Argument| match argument {
            Argument::Object(object) => object.to_string(),
            Argument::Parameter(name) => bound.get(&**name).map_or_else(|| name.to_string(), ToString::to_string),
        };
        let objects: Vec<String> = lifted.arguments.iter().map(object).collect();
        let name = match objects.as_slice() {
            [] => lifted.symbol.to_string(),
            objects => format!("{}({})", lifted.symbol, objects.join(", ")),
        };
        if vocabulary.can_hold(&name) { Formula::atom(name) } else { Formula::False }
    };
    let formula = law.formula.with_atoms(&mut atom).without_constants();
    if formula == Formula::True {
        return None;
    }
    let mut order: Vec<&str> = Vec::new();
    match &template.parameters {
        Some(declared) => order.extend(declared.iter().map(|one| &*one.name.0)),
        None => {
            let arguments = template.atoms.iter().filter_map(|(name, _)| atoms.get(name)).flat_map(|of| &of.arguments);
            for argument in arguments {
                if let Argument::Parameter(name) = argument
                    && !order.contains(&&**name)
                {
                    order.push(name);
                }
            }
        }
    }
    let objects: Vec<&str> = order.iter().filter_map(|name| bound.get(name)).map(|object| &***object).collect();
    Some(Entry {
        id: format!("{}({})", law.id, objects.join(", ")).into(),
        formula_text: formula.to_string().into(),
        formula,
        explanation: explained(&law.explanation, bound).into(),
        template: Some(law.id.clone()),
        ..law.clone()
    })
}

/// Returns a text with objects instead of the parameters.
fn explained(text: &str, bound: &BTreeMap<&str, &Arc<str>>) -> String {
    // In this order, a name comes before its beginning: `?xy` before `?x`.
    bound.iter().rev().fold(text.to_owned(), |text, (name, object)| text.replace(name, object))
}
