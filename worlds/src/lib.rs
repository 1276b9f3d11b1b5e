//! Worlds in which an agent can act: the [`World`] trait and its types.
//!
//! A world has a [vocabulary](ltlcrit_verifier::Vocabulary) of observations and actions. The agent observes it,
//! executes one action at a time, and stops at a goal. This crate depends on no game, model or critic.
//!
//! | type | meaning |
//! | --- | --- |
//! | [`Observation`] | the propositions that hold, and the [`Details`] |
//! | [`Details`] | the full observation, of the type that the world uses |
//! | [`WorldObservation`] | a world's own observation type |
//! | [`Shape`] | the fields of a full observation |
//! | [`Term`] | a word of the state description with its meaning |
//! | [`Extended`] | a world with additional derived observations, or a named goal |
//! | [`Outlook`] | predictions for the actions in a state |
//! | [`Outcome`] | success or failure of an action, and its duration |
//! | [`Progress`] | the data to continue an action after a crash |
//! | [`Activity`] | the activity of the agent while an action runs, for displays |
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//!
//! use ltlcrit_verifier::{ActionId, Proposition, Vocabulary};
//! use ltlcrit_worlds::{Details, Facts, Observation, Outcome, Reason, World, WorldError, WorldInfo, async_trait};
//!
//! /// A door that can be opened once.
//! struct Door {
//!     vocabulary: Arc<Vocabulary>,
//!     open: bool,
//! }
//!
//! #[async_trait(?Send)]
//! impl World for Door {
//!     fn info(&self) -> WorldInfo {
//!         WorldInfo { kind: "door".into(), seed: None, options: serde_json::json!({}), deterministic: true }
//!     }
//!
//!     fn vocabulary(&self) -> Arc<Vocabulary> {
//!         self.vocabulary.clone()
//!     }
//!
//!     fn task(&self) -> &str {
//!         "Open the door."
//!     }
//!
//!     async fn observe(&mut self) -> Result<Observation, WorldError> {
//!         let open = self.vocabulary.id("obs_open").filter(|_| self.open);
//!         let facts = open.iter().map(|_| "the door is open".to_owned()).collect();
//!         Ok(Observation { holds: open.into_iter().collect(), details: Details::new(Facts { facts }) })
//!     }
//!
//!     async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
//!         let stays_shut = self.vocabulary.action("action_open") != Some(action) || self.open;
//!         self.open |= !stays_shut;
//!         let failure = stays_shut.then(|| Reason("not_possible".into()));
//!         Ok(Outcome::new(failure, format!("The door is {}.", if self.open { "open" } else { "shut" }), 1))
//!     }
//!
//!     fn goal_reached(&self, observation: &Observation) -> bool {
//!         !observation.holds.is_empty()
//!     }
//! }
//!
//! let observations = vec![Proposition::new("obs_open", "The door is open")];
//! let actions = vec![Proposition::new("action_open", "Open the door")];
//! let vocabulary = Arc::new(Vocabulary::new("door", observations, actions, vec![])?);
//! let open = vocabulary.action("action_open").ok_or("no such action")?;
//! let mut door = Door { vocabulary, open: false };
//!
//! tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//!     assert!(door.execute(open).await?.succeeded());
//!     let observation = door.observe().await?;
//!     assert!(door.goal_reached(&observation));
//!     assert_eq!(observation.details.to_string(), "the door is open");
//!     Ok::<(), WorldError>(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod activity;
mod bounds;
#[cfg(feature = "test-support")]
pub mod corridor;
pub mod derived;
mod details;
mod extended;
mod forkable;
mod interrupt;
mod lawful;
mod outcome;
mod outlook;
pub mod planner;
mod progress;
pub mod quantities;
pub mod search;
mod shape;
mod unshown;
pub mod world;

pub use activity::{Activity, Watcher};
/// The attribute of implementations of [`World`].
pub use async_trait::async_trait;
pub use bounds::{Bounds, Change};
pub use derived::DerivedObservations;
pub use details::{Details, Facts, WorldObservation};
pub use extended::Extended;
pub use forkable::{ForkableWorld, Left};
pub use interrupt::Interrupt;
pub use lawful::{Lawful, Lettered, Way, some_way, way};
pub use outcome::{Outcome, Reason};
pub use outlook::{Forecast, Outlook, Unknown};
pub use progress::{Progress, Recorder};
pub use quantities::Measurements;
pub use shape::{Mismatch, MismatchKind, Shape};
pub use unshown::{REPLACEMENT, is_unshown, visible};
pub use world::{LiveWorld, Observation, Term, World, WorldError, WorldInfo};
