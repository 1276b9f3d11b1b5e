//! Minecraft as LTLCrit sees it: its vocabulary, the full observation and its abstraction, and the embedded world.

pub mod observation;
pub mod vocabulary;

pub use observation::MinecraftObservation;
pub use vocabulary::vocabulary;
