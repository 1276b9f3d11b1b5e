//! The name and the options of the trial critic.

/// The proposer's name in its proposals.
pub const NAME: &str = "trials";

/// Options of the trial critic; parts can be switched off for ablations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialCriticOptions {
    /// Laws from failed actions.
    pub feedback: bool,
    /// Laws from needless actions.
    pub efficiency: bool,
    /// Whether conditions are generalised; otherwise a law holds for one observed state only.
    pub generalise: bool,
    /// The share of actions that a law may block although they are neither known to fail nor to be needless, from 0 to 1. None
    /// of them is known to be needed, whatever the share.
    pub tolerance: f64,
    /// The probability, from 0 to 1, of taking an action for bad that is bad less often than the tolerance allows; the share of
    /// such laws among those proposed together is at most this.
    pub significance: f64,
    /// The share of actions that a law may block although they brought something to runs that missed their goal, from 0 to 1.
    pub exceptions: f64,
    /// The share of trials, from 0 to 1, that may be otherwise where an observation is taken for the reason why an action is bad:
    /// it holds before all other bad trials, and in no other state in which the action was needed.
    pub contrast: f64,
    /// The most literals that are looked for; a condition may get more where others tell bad trials from needed ones as well.
    pub literals: usize,
}

impl Default for TrialCriticOptions {
    fn default() -> Self {
        Self {
            feedback: true,
            efficiency: true,
            generalise: true,
            tolerance: 0.5,
            significance: 0.05,
            exceptions: 0.01,
            contrast: 0.15,
            literals: 4,
        }
    }
}
