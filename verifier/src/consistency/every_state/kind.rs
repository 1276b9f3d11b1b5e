//! The proof's form of one law.

use super::memory::Memory;
use crate::guarded::StepLaw;
use crate::residual::Residual;

/// The proof's form of one law.
pub(super) enum Kind {
    /// One-step laws, and their demand if none of their guards holds.
    Steps(Vec<StepLaw>, Residual),
    Memory(Box<Memory>),
}
