//! Vanilla worlds: reads the folders that Minecraft saves, and never writes to them.
//!
//! Chunks are read when they are first needed. No crate for region files bounds how much a chunk may unpack to, and some
//! panic on damaged headers, so [`region`] finds and unpacks chunks itself; NBT, deflate and LZ4 are read by crates.

mod chunk;
mod compression;
mod error;
mod level;
mod names;
mod nbt;
mod packed;
mod region;
#[cfg(test)]
mod tests;
mod world;

#[cfg(test)]
use chunk::ReadChunk;
pub(super) use chunk::SavedChunk;
#[cfg(any(test, feature = "test-support"))]
pub(super) use chunk::read as read_chunk;
pub use error::SavedWorldError;
#[cfg(any(test, feature = "test-support"))]
pub(super) use region::find as find_chunk;
pub(super) use world::{SavedWorld, WorldIdentity, missing};
