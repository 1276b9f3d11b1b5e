//! The format of a store, as it is written in the store itself.

/// The key of the format in the database.
pub(crate) const FORMAT_KEY: &str = "format";
/// The format this program writes.
pub(crate) const FORMAT: &str = "ltlcrit store 1";
