//! The laws of a search.

use std::sync::Arc;

use crate::law_set::Group;

/// The laws of a search.
pub(super) struct SearchSpace {
    /// The laws, by position in the table.
    pub laws: Vec<usize>,
    pub group: Arc<Group>,
}
