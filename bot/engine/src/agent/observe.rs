//! Observations on which the shield may rely.

use ltlcrit_worlds::{Observation, World, WorldError};

/// Observes the world after a step. The shield relies on states that satisfy the vocabulary's axioms, so a state that
/// violates one is an error.
pub(super) async fn observe<W: World>(world: &mut W, step: u64) -> Result<Observation, WorldError> {
    let observation = world.observe().await?;
    let vocabulary = world.vocabulary();
    match vocabulary.broken_axiom(&observation.holds) {
        None => Ok(observation),
        Some(axiom) => {
            Err(WorldError::BrokenAxiom { step, axiom: axiom.quoted(), vocabulary: vocabulary.name().to_owned() })
        }
    }
}
