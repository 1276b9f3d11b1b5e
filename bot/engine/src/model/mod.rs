//! The models a user can name: an OpenAI-compatible endpoint, recorded answers, or a persona.
//!
//! ```
//! use ltlcrit_engine::model::{AnyModel, ModelOptions, ModelSpec};
//! use ltlcrit_model::{Caps, ChatModel, Meter, Metered};
//!
//! let spec: ModelSpec = "simulated:inner-monologue".parse()?;
//! let options = ModelOptions::default();
//! let model = AnyModel::open(&spec, &options)?;
//! let price = model.price(&options.prices);
//! let meter = Meter::new(Caps { requests: Some(500), ..Caps::default() });
//! let model = Metered::new(model, &meter, price)?;
//! assert!(model.info().simulated);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod spec;

pub use any::{AnyModel, ModelOptions, OpenError};
pub use spec::ModelSpec;
