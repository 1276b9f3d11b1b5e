//! The metrics of an audit.

use ltlcrit_store::LawId;
use serde::Serialize;

/// Counts of blocked proposals, by the results of executing them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Blocks {
    /// The share of right blocks among all; `None` without blocks.
    pub precision: Option<f64>,
    /// The share of right blocks among those that are right or wrong; `None` without such blocks.
    pub precision_without_harmless: Option<f64>,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of blocks of actions that fail, or that cost more than the best action of all.
    pub right: u64,
    /// The number of blocks of actions that cost as little as the best one, if an allowed action costs no more.
    pub harmless: u64,
    /// The number of blocks of actions that cost less than every allowed one.
    pub wrong: u64,
    /// The steps that right blocks saved, compared with the best allowed action, if both lead to the goal.
    pub steps_saved: u64,
    /// The steps that wrong blocks cost, if the best allowed action leads to the goal.
    pub steps_lost: u64,
}

impl Blocks {
    pub(super) fn add(&mut self, block: &Block) {
        let worse = |more: Option<u64>, less: Option<u64>| more.zip(less).map_or(0, |(a, b)| a.saturating_sub(b));
        self.blocks += 1;
        match block.verdict {
            BlockVerdict::Right => {
                self.right += 1;
                self.steps_saved += worse(block.steps, block.best_allowed);
            }
            BlockVerdict::Harmless => self.harmless += 1,
            BlockVerdict::Wrong => {
                self.wrong += 1;
                self.steps_lost += worse(block.best_allowed, block.steps);
            }
        }
        self.precision = share(self.right, self.blocks);
        self.precision_without_harmless = share(self.right, self.right + self.wrong);
    }
}

/// Returns a share; `None` if `whole` is 0.
pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The judgement of a block, from executing the blocked action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockVerdict {
    Right,
    Harmless,
    Wrong,
}

/// A blocked proposal, with the cost that the action would have had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// The seed of the world.
    pub seed: u64,
    /// The step for which the action was proposed.
    pub step: u64,
    /// The action.
    pub action: String,
    /// The observations that held.
    pub held: Vec<String>,
    /// The same observations without implied ones, for people.
    #[serde(skip)]
    pub telling: Vec<String>,
    /// The number of steps to the goal with this action; `None` if the goal cannot be reached.
    pub steps: Option<u64>,
    /// The number of steps to the goal with the best allowed action; `None` if the goal cannot be reached.
    pub best_allowed: Option<u64>,
    #[serde(skip)]
    pub(super) verdict: BlockVerdict,
}

/// The blocks of one law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LawAudit {
    /// Its formula.
    pub formula: String,
    /// The law.
    pub law: LawId,
    /// The blocks that name it; a block that names several laws counts for each.
    #[serde(flatten)]
    pub blocks: Blocks,
    /// The first wrong blocks.
    pub wrong_blocks: Vec<Block>,
}

/// The blocks of some laws in some runs, with the lossy choices that they did not block.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Audit {
    /// The blocked proposals, each counted once.
    #[serde(flatten)]
    pub blocks: Blocks,
    /// The number of lossy choices: proposals, blocked or executed, of actions that fail or cost more than the best
    /// one.
    pub lossy: u64,
    /// The number of lossy choices that the laws blocked.
    pub lossy_blocked: u64,
    /// The share of lossy choices that were blocked; `None` without lossy choices.
    pub recall: Option<f64>,
    /// The number of proposals that are not judged. The shield could not decide them, or the planner neither
    /// reached the goal nor proved it unreachable.
    pub undecided: u64,
    /// The audits of the laws, in the book's order.
    pub laws: Vec<LawAudit>,
}
