//! The name and the options of the graph critic.

/// The proposer's name in its proposals.
pub const NAME: &str = "graph";

/// Options of the graph critic; parts can be switched off for ablations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphCriticOptions {
    /// Laws from failed actions.
    pub feedback: bool,
    /// Laws from inefficient choices.
    pub efficiency: bool,
    /// Whether conditions are generalised by minimisation; otherwise a law holds for one observed state only.
    pub generalise: bool,
    /// The fewest steps that a law rests on.
    pub support: u32,
}

impl Default for GraphCriticOptions {
    fn default() -> Self {
        Self { feedback: true, efficiency: true, generalise: true, support: 2 }
    }
}
