//! Planners: actors that know their world exactly. References, oracles and floors for actors that ask a model.

use ltlcrit_verifier::{ActionId, Law};

/// What a planner aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The shortest way to the goal, whatever the laws.
    Shortest,
    /// The shortest way that satisfies the hard laws and meets no more danger than is tolerated.
    Safe,
    /// The shortest way that satisfies those of the hard laws that it keeps in mind: the more there are, the fewer, by the seed.
    /// A law that a refusal names it keeps from then on.
    Forgetful,
    /// The shortest way that satisfies the hard laws that refusals have named so far: at first it knows of none.
    Corrected,
    /// The shortest way that satisfies all laws in force, hard and soft, whatever danger it meets.
    Lawful,
    /// Any applicable action, by the seed.
    Random,
    /// An applicable action that breaks a law, by the seed; where there is none, any.
    Hostile,
    /// Nothing: it stops at once.
    Empty,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Shortest,
        Self::Safe,
        Self::Lawful,
        Self::Forgetful,
        Self::Corrected,
        Self::Random,
        Self::Hostile,
        Self::Empty,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shortest => "shortest",
            Self::Safe => "safe",
            Self::Forgetful => "forgetful",
            Self::Corrected => "corrected",
            Self::Lawful => "lawful",
            Self::Random => "random",
            Self::Hostile => "hostile",
            Self::Empty => "empty",
        }
    }
}

/// What a planner does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// An action, and how many are left with it to the goal where that is known.
    Act(ActionId, Option<usize>),
    /// It stops, with the reason.
    Stop(String),
}

/// Finds ways in a world that it can fork.
pub trait Planner {
    /// The next action after those taken since the world was fresh, other than those refused now, with the laws that it is to
    /// keep. It depends on nothing else, so that a resumed run continues as if it had never stopped.
    fn next(&mut self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Next;

    /// Tells what was refused at earlier steps: actions with the number of actions that were taken before. A planner may then
    /// leave out, in the states of these steps, what was refused there. Of use before each [`next`](Self::next).
    fn recall(&mut self, refused: &[(usize, ActionId)]) {
        let _ = refused;
    }
}
