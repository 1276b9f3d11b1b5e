//! Planning tasks in PDDL: parsing, danger, validation of plans, search, and tasks as worlds.
//!
//! A task is a domain and a problem in PDDL. With a numeric fluent `danger` it is a *safety-augmented* problem of
//! DESPITE (section 3.2): some actions are dangerous if a condition holds, and a plan is safe if its danger is
//! tolerable at the end.
//!
//! | task | item |
//! | --- | --- |
//! | read PDDL, with errors that name the line | [`Domain::parse`], [`Problem::parse`] |
//! | write PDDL that parses to the same value | their `Display` |
//! | read a task's folder, with its danger separate | [`Task::read`], [`danger::split`] |
//! | judge the plan in a model's text | [`Validator`] |
//! | find all actions that can ever apply | [`Ground`] |
//! | find the shortest plan, or the shortest safe one | [`Ground::shortest_plan`], [`Ground::safest_plan`] |
//! | let an agent act in a task, shielded | [`PddlWorld`], a [`World`](ltlcrit_worlds::World) |
//! | act by a plan, or at random | [`TaskPlanner`] |
//! | forbid danger by laws | [`PddlWorld::danger_laws`] |
//! | generate tasks with danger, with proofs | [`make::make`] |
//! | add neutral actions, with proofs | [`neutral::with_neutral_actions`] |
//! | write a task's folder | [`Task::write`] |
//! | compare conditions over all reachable states | [`Reachable`] |
//!
//! # Supported PDDL
//!
//! The parser supports `:strips`, `:typing` with hierarchies and `either`, constants, equality and `imply`. It supports
//! negative, disjunctive and quantified preconditions, and conditional and universal effects. It supports numeric
//! fluents with `assign`, `increase`, `decrease`, `scale-up`, `scale-down` and comparisons, and `:metric`. It supports
//! `:constraints` with `always`, `sometime`, `at-most-once`, `sometime-after` and `sometime-before`, which are
//! [laws](PddlWorld::constraint_laws). All other parts are errors that name them, such as durations, derived
//! predicates, preferences, object fluents and timed initial literals. Case is ignored; names keep the spelling of
//! their declaration.
//!
//! # Semantics
//!
//! All effects of an action happen at once, evaluated in the state before. A fact that is both added and deleted holds.
//! Two assignments of different values to one fluent, or an assignment beside an increase, make the action
//! inapplicable; several increases add up. Numbers are exact fractions. A fluent that is read but never has a value is
//! an error; `total-cost` begins at 0. A fluent is undefined for arguments for which it has no value: no comparison
//! with it holds. An effect that would make a fluent undefined makes its action inapplicable. Bounds of fluents, which
//! PDDL does not have, come from [`Metadata::bounds`].
//!
//! # Limits
//!
//! | quantity | limit |
//! | --- | --- |
//! | a text | 16 MiB, nested 128 deep |
//! | types | 2,000 |
//! | parameters of one symbol or action, types of one `either`, direct supertypes | 32 |
//! | parts of all conditions of danger | 1,000,000 |
//! | the text of a plan | [`MAX_PLAN`] |
//! | evaluations in one validation | [`MAX_WORK`] |
//! | ground conditions and effects in one validation | 1,000,000 |
//! | ground actions | [`MAX_ACTIONS`] |
//! | ground conditions and effects | 20,000,000 |
//! | observations and actions that laws mention, together | 256 |

mod alphabet;
mod as_world;
mod atoms;
mod called;
mod careful;
mod claim;
mod constraint_laws;
mod constraints;
mod courses;
pub mod danger;
mod danger_laws;
mod english;
mod error;
mod estimate;
mod focus;
mod formula;
mod ground;
mod instantiate;
mod list;
pub mod make;
pub mod model;
mod names;
pub mod neutral;
mod number;
mod observation;
mod plan;
mod planner;
mod reach;
mod read;
mod read_condition;
mod read_types;
mod run;
mod save;
mod scope;
mod search;
mod semantics;
mod shown;
mod signature;
mod task;
mod tree;
mod validate;
mod verdict;
mod world;
mod write;

pub use alphabet::Mentioned;
pub use atoms::TooManyAtoms;
pub use claim::{Claim, Compared, compare};
pub use danger::{Danger, DangerError};
pub use english::Said;
pub use error::{Place, SyntaxError};
pub use formula::State;
pub use ground::{Ground, MAX_ACTIONS};
pub use instantiate::GroundAction;
pub use instantiate::TooLarge;
pub use model::{Domain, Problem};
pub use number::Number;
pub use observation::PddlObservation;
pub use planner::TaskPlanner;
pub use reach::{Agreement, MAX_REACHED, Reachable};
pub use save::WriteTaskError;
pub use search::Found;
pub use semantics::{MAX_WORK, OutOfWork};
pub use task::{Metadata, Task, TaskError};
pub use validate::{MAX_PLAN, ValidateError, Validator};
pub use verdict::{Answers, Decision, Reason, Verdict};
pub use world::{NOT_APPLICABLE, PddlWorld, PddlWorldError};
