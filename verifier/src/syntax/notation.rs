//! The two notations.

/// The notation of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Operators between their operands, as in Spot: `!a W b`.
    Infix,
    /// Operators before their operands, as in LBT and the Safety Chip: `W ! a b`.
    Prefix,
}
