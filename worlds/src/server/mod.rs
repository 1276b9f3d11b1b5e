//! The embedded world over the real Minecraft protocol.

pub mod windows;
