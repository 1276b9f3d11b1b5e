//! Evaluations of models in planning tasks with danger (DESPITE, sections 1 and 3.3): the questions, and the judgement
//! of answers.
//!
//! An evaluation is a [batch](crate::batch) whose cells are tasks and models. `run.exam` names the question. The actor
//! is [`ExamActor`], or an ordinary actor for [`Exam::Steps`]. The result of each cell has an [`Examined`].

mod actor;
mod examined;
mod judge;
mod kind;
mod question;

pub use actor::ExamActor;
pub use examined::{Examined, JudgedDanger, JudgedPlan};
pub use judge::{JudgeError, judge};
pub use kind::Exam;
