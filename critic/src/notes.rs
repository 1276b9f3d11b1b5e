//! Notes on runs for proposers: the revision of the book they ran under, blocked proposals, and laws that were given up.

use std::collections::BTreeMap;

use ltlcrit_store::{LawId, RunId};

use crate::evidence::Block;

/// Notes on the runs that a critic has read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunNotes {
    /// The revision of the learned book that each run began under. A run without that book has none.
    pub revisions: BTreeMap<RunId, u64>,
    /// The proposals that laws blocked.
    pub blocks: Vec<Block>,
    /// The laws of the book that were played against the book without them and given up.
    pub given_up: Vec<GivenUp>,
}

/// A law that was given up, because runs were worse with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The law.
    pub law: LawId,
    /// Its formula.
    pub formula: String,
    /// The figures of the runs with it and without it.
    pub outcome: String,
}
