//! Groups of flags that commands share, and parsers of their values.

pub(crate) mod actor_flags;
pub(crate) mod caps;
pub(crate) mod choice;
pub(crate) mod critic_flags;
pub(crate) mod global;
pub(crate) mod numbers;
pub(crate) mod record;
pub(crate) mod row_format;
