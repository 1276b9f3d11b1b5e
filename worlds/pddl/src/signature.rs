//! The signature of a task: its objects by type, and what its predicates and actions take.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ltlcrit_verifier::Signature;

use crate::ground::Ground;
use crate::model::{TypeId, Typed};
use crate::names::GroundNames;

/// The signature of a ground task of which the actions `offered` can be chosen; nothing is unseen.
pub(crate) fn signature(ground: &Ground, offered: &[usize]) -> Signature {
    let problem = &ground.task().basic;
    let domain = &problem.domain;
    let names = GroundNames(ground);
    let lower = |name: &str| Arc::<str>::from(name.to_lowercase());
    let objects = |of: TypeId| problem.instances(&[of]).map(|id| lower(&problem.objects[id.0 as usize].name)).collect();
    let types = domain.types.iter().zip(0..).map(|(of, number)| (lower(&of.name), objects(TypeId(number)))).collect();
    let parameters = |parameters: &[Typed]| -> Vec<Vec<Arc<str>>> {
        let types = |one: &Typed| one.types.iter().map(|of| lower(&domain.types[usize::from(of.0)].name)).collect();
        parameters.iter().map(types).collect()
    };
    let mut symbols = BTreeMap::new();
    for predicate in &domain.predicates {
        symbols.insert(names.symbol("obs_", &predicate.name).into(), parameters(&predicate.parameters));
    }
    // An action that the world only carries out on the way to others is in no letter.
    let can_be_chosen: BTreeSet<usize> = offered.iter().map(|number| ground.actions()[*number].action).collect();
    let applies: BTreeSet<usize> = ground.actions().iter().map(|action| action.action).collect();
    for (number, action) in domain.actions.iter().enumerate() {
        if can_be_chosen.contains(&number) || !applies.contains(&number) {
            symbols.insert(names.symbol("action_", &action.name).into(), parameters(&action.parameters));
        }
    }
    Signature { domain: domain.name.to_lowercase().into(), types, symbols, unseen: BTreeSet::new() }
}
