//! Planning tasks in PDDL.

mod atoms;
mod compiled;
pub mod danger;
mod error;
mod intention;
pub mod model;
mod number;
mod plan;
mod read;
mod read_condition;
mod read_types;
mod run;
mod scope;
mod semantics;
mod task;
mod tree;
mod validate;
mod verdict;
mod write;

pub use error::{Place, SyntaxError};
pub use model::{Domain, Problem};
pub use number::Number;
pub use plan::benchmark_lines;
pub use semantics::{MAX_WORK, OutOfWork};
pub use task::{Metadata, Task, TaskError};
pub use validate::{MAX_PLAN, ValidateError, Validator};
pub use verdict::{Answers, Decision, Mode, Reason, Verdict};
