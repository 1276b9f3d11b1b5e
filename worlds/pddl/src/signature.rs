//! The signature of a task: its objects by type, and the argument types of its predicates and actions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ltlcrit_verifier::Signature;

use crate::ground::Ground;
use crate::instantiate::TooLarge;
use crate::model::Typed;
use crate::names::GroundNames;

/// Maximum number of objects of all types together, with those of subtypes counted again.
const MAX_OBJECTS: usize = 2_000_000;

/// Returns the signature of a ground task whose actions `offered` can be chosen; nothing is unseen.
///
/// # Errors
/// There are too many objects of too many types.
pub(crate) fn signature(ground: &Ground, offered: &[usize]) -> Result<Signature, TooLarge> {
    let problem = &ground.task().basic;
    let domain = &problem.domain;
    let names = GroundNames(ground);
    let lower = |name: &str| Arc::<str>::from(name.to_lowercase());
    let mut objects: Vec<Vec<Arc<str>>> = vec![Vec::new(); domain.types.len()];
    let mut found = 0;
    for object in &problem.objects {
        let name = lower(&object.name);
        for of in object.types.iter().flat_map(|of| &domain.types[usize::from(of.0)].ancestors) {
            let of_type = &mut objects[usize::from(of.0)];
            if of_type.last() != Some(&name) {
                of_type.push(name.clone());
                found += 1;
            }
            if found > MAX_OBJECTS {
                return Err(TooLarge { found, what: "objects of all types together", most: MAX_OBJECTS });
            }
        }
    }
    let types = domain.types.iter().map(|of| lower(&of.name)).zip(objects).collect();
    let parameters = |parameters: &[Typed]| -> Vec<Vec<Arc<str>>> {
        let types = |one: &Typed| one.types.iter().map(|of| lower(&domain.types[usize::from(of.0)].name)).collect();
        parameters.iter().map(types).collect()
    };
    let mut symbols = BTreeMap::new();
    for predicate in &domain.predicates {
        symbols.insert(names.symbol("obs_", &predicate.name).into(), parameters(&predicate.parameters));
    }
    // A helper action, which only the world carries out, is not in letters.
    let can_be_chosen: BTreeSet<usize> = offered.iter().map(|number| ground.actions()[*number].action).collect();
    let applies: BTreeSet<usize> = ground.actions().iter().map(|action| action.action).collect();
    for (number, action) in domain.actions.iter().enumerate() {
        if can_be_chosen.contains(&number) || !applies.contains(&number) {
            symbols.insert(names.symbol("action_", &action.name).into(), parameters(&action.parameters));
        }
    }
    Ok(Signature { domain: domain.name.to_lowercase().into(), types, symbols, unseen: BTreeSet::new() })
}
