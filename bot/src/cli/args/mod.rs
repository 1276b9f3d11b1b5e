//! Groups of flags that commands share, and parsers of their values.

pub(crate) mod actor_flags;
pub(crate) mod caps;
pub(crate) mod choice;
pub(crate) mod critic_flags;
pub(crate) mod global;
pub(crate) mod numbers;
pub(crate) mod record;

pub(crate) use actor_flags::{
    ActorFlags, BookFlags, EndpointFlags, EndpointsFlags, MINECRAFT, ModelFlag, TaskFlags, TimeFlag, WorldFlags,
};
pub(crate) use caps::{CapFlags, LanguageModelFlags};
pub(crate) use choice::choice;
pub(crate) use critic_flags::{CriticFlags, tell_asked};
pub(crate) use global::GlobalArgs;
pub(crate) use record::RecordFlags;
