//! The proof's form of one law, and its demands in a state.

use super::super::questions::Questions;
use super::memory::Memory;
use crate::automaton::State;
use crate::guarded::StepLaw;
use crate::letter::Letter;
use crate::residual::Residual;

/// The proof's form of one law.
pub(super) enum Kind {
    /// One-step laws, and their demand if none of their guards holds.
    Steps(Vec<StepLaw>, Residual),
    Memory(Box<Memory>),
}

/// Returns the residual of each law after a letter that led to these memories, one for each law with a memory.
pub(super) fn residuals_after(
    questions: &Questions<'_>,
    kinds: &[Kind],
    letter: &Letter,
    memories: &[State],
) -> Vec<Residual> {
    // The residual of a one-step law after one letter is small.
    let step = |initial: &Residual| initial.progress(questions.metered(), letter).unwrap_or_else(|_| Residual::truth());
    residuals(kinds, memories, step)
}

/// Returns the residual of each law in these memories, as if the letter triggered no one-step law.
pub(super) fn residuals_before(kinds: &[Kind], memories: &[State]) -> Vec<Residual> {
    residuals(kinds, memories, Residual::clone)
}

fn residuals(kinds: &[Kind], memories: &[State], of_step: impl Fn(&Residual) -> Residual) -> Vec<Residual> {
    let mut memories = memories.iter();
    let demands = kinds.iter().map(|kind| match kind {
        Kind::Memory(memory) => memory.residual(memories.next().copied().unwrap_or_default()).clone(),
        Kind::Steps(_, initial) => of_step(initial),
    });
    demands.collect()
}
