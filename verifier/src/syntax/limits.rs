//! Limits of the parsers.

/// Maximum length of a formula's text, in bytes.
pub const MAX_LENGTH: usize = 64 * 1024;
/// Maximum depth of a formula, as counted by [`Formula::depth`](crate::Formula::depth), so that recursion over a parsed
/// formula is safe. The length of a chain does not count: see [`MAX_CHAIN`].
pub const MAX_DEPTH: usize = 512;
/// Maximum sum of the bounds and counts of a formula, such as 5 in `F[<=5] a`: a monitor may have a state for each number.
pub const MAX_BOUND: u32 = 10_000;
/// Maximum length of a proposition's name, in bytes.
pub const MAX_NAME: usize = 256;
/// Maximum number of levels at which `&`, `|` or `xor` is nested in itself, as in a chain of one operand more. Longer
/// chains are parsed as equivalent balanced trees.
pub const MAX_CHAIN: usize = 128;
