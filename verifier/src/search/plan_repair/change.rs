//! The broken constraints of a word, and its possible changes.

use crate::letter::Letter;
use crate::vocabulary::PropId;

/// A constraint that the word breaks.
#[derive(Clone, Copy)]
pub(super) enum Broken {
    /// The law at this position of the search's laws does not accept.
    Law(usize),
    /// The action of this letter is masked by the letter before it.
    Mask(usize),
    /// This letter breaks an axiom.
    Axiom(usize, usize),
}

/// A change of the word.
#[derive(Clone, Copy)]
pub(super) enum Move {
    /// Another letter at a position; these propositions differ.
    Change(usize, Letter, [PropId; 2]),
    Insert(usize, Letter),
    Delete(usize),
}
