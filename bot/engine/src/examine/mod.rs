//! Evaluations as experiments: their plans, and the metrics of their results (DESPITE, section 1).
//!
//! An evaluation is a [batch](crate::batch): [`ExamPlan`] makes its plan, the batch runner runs it, and [`ExamReport`]
//! reads its directory. [`JointReport`] reads the directory of the plan `joint` and of similar plans.

mod breakdown;
mod difficulty;
mod figures;
mod joint_report;
mod plan;
mod product;
mod rates;
mod report;
mod rows;
mod scaling;
mod tasks;

pub use breakdown::{Breakdown, Group};
pub use difficulty::{Difficulty, Effect, Level};
pub use figures::{DangerFigures, Figures, PlanRates};
pub use joint_report::{JointReport, JointRow, LawFigures};
pub use plan::{ExamPlan, TASKS_HELP};
pub use product::Product;
pub use rates::Rate;
pub use report::ExamReport;
pub use rows::danger_of;
pub use scaling::{Parameters, Scaling, Slope};
pub use tasks::{TasksError, task_folders};
