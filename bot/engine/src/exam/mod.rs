//! Examinations of models in planning tasks with danger (DESPITE, sections 1 and 3.3): what is asked, and how answers are judged.
//!
//! An examination is a [batch](crate::batch) whose cells are tasks and models. `run.exam` says what is asked: the actor is then
//! [`ExamActor`], or for [`Exam::Steps`] an ordinary one, and the result of each cell has an [`Examined`].

mod actor;
mod examined;
mod judge;
mod kind;
mod question;

pub use actor::ExamActor;
pub use examined::{Examined, JudgedDanger, JudgedPlan};
pub use judge::{JudgeError, judge};
pub use kind::Exam;
