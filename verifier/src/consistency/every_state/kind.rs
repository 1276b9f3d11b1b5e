//! One law as the proof reads it, and what it demands in a state.

use super::memory::Memory;
use super::question::Questions;
use crate::automaton::State;
use crate::guarded::StepLaw;
use crate::letter::Letter;
use crate::residual::Residual;

/// One law as the proof reads it.
pub(super) enum Kind {
    Steps(Vec<StepLaw>),
    Memory(Box<Memory>),
}

/// What each law demands after a letter that led to these memories, one for each law that remembers something.
pub(super) fn residuals_after(
    questions: &Questions<'_>,
    kinds: &[Kind],
    letter: &Letter,
    memories: &[State],
) -> Vec<Residual> {
    // What one letter makes of a law of one step is small.
    let step = |initial: &Residual| initial.progress(questions.metered(), letter).unwrap_or_else(|_| Residual::truth());
    residuals(questions, kinds, memories, step)
}

/// What each law demands in these memories, as if the letter asked for nothing.
pub(super) fn residuals_before(questions: &Questions<'_>, kinds: &[Kind], memories: &[State]) -> Vec<Residual> {
    residuals(questions, kinds, memories, Residual::clone)
}

fn residuals(
    questions: &Questions<'_>,
    kinds: &[Kind],
    memories: &[State],
    of_step: impl Fn(&Residual) -> Residual,
) -> Vec<Residual> {
    let mut memories = memories.iter();
    let demands = kinds.iter().zip(&questions.initial).map(|(kind, initial)| match kind {
        Kind::Memory(memory) => memory.residual(memories.next().copied().unwrap_or_default()).clone(),
        Kind::Steps(_) => of_step(initial),
    });
    demands.collect()
}
