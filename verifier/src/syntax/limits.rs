//! Limits of what is read.

/// The longest formula text that is read, in bytes.
pub const MAX_LENGTH: usize = 64 * 1024;
/// The deepest formula that is read, as [`Formula::depth`](crate::Formula::depth) counts; so recursion over a read formula is
/// safe. The length of a chain does not count: see [`MAX_CHAIN`].
pub const MAX_DEPTH: usize = 512;
/// The longest name of a proposition, in bytes.
pub const MAX_NAME: usize = 256;
/// How deep `&`, `|` or `xor` may be nested in itself, as in a chain of one operand more. Longer chains are read as balanced
/// trees, which means the same.
pub const MAX_CHAIN: usize = 128;
