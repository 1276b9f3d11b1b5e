//! The two notations.

/// How a formula is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Operators between their operands, as Spot writes them: `!a W b`.
    Infix,
    /// Operators before their operands, as LBT and the Safety Chip write them: `W ! a b`.
    Prefix,
}
