//! Observations that the shield may rely on.

use ltlcrit_worlds::{Observation, World, WorldError};

/// Observes the world after a step. The shield judges what follows by states that satisfy the vocabulary's axioms, so a
/// state that breaks one is an error: no action is judged in it.
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
