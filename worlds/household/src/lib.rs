//! A household in PDDL, with the tasks and constraints of the Safety Chip's experiments (its sections IV and V).
//!
//! Four Room has ten tasks in a flat, with constraints on rooms. Mobile Manipulation has ten tasks in a house of 105
//! objects, with constraints on all facts. Robot has two tasks with ten constraints each. Abort has three tasks that
//! must be given up.
//! The domain, the tasks and the wording are our own, after the paper; `robot-1` is the task of its appendix A.
//!
//! Walking passes through rooms, and each is an intermediate state: [`Metadata::ways`](ltlcrit_pddl::Metadata::ways).
//!
//! ```
//! let task = ltlcrit_household::task("four-room-1")?;
//! assert_eq!((&*task.instruction, task.constraints.len()), ("Put the salmon into the fridge.", 5));
//! let error = ltlcrit_household::task("four-rooms-1").unwrap_err().to_string();
//! assert_eq!(error, "the household has no task `four-rooms-1`; did you mean `four-room-1`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod english;
mod scene;
mod task;

pub use english::{English, FactInEnglish, ObjectInEnglish};
pub use scene::{Boxed, scene};
pub use task::{Constraint, Family, HouseholdError, HouseholdTask, names, task};
