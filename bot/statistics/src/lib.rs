//! Intervals, tests and effect sizes for experiments over paired seeds.
//!
//! Pure functions over slices. All tests are two-sided. Functions that draw random numbers take a [`Resampling`] with a
//! seed and give the same result on every machine. A result names its method if the method depends on the data.
//!
//! | question | function |
//! | --- | --- |
//! | How sure is a success rate? | [`wilson`] |
//! | What is a typical value? | [`mean`], [`quantile`], [`interquartile_mean`] |
//! | How large is the difference between two arms over the same seeds? | [`paired_difference`] |
//! | The same for any other statistic | [`bootstrap`] |
//! | Is a paired difference real? | [`sign_flip`]; of successes: [`mcnemar`] |
//! | Are several differences real? | [`holm`] corrects the p-values of their tests |
//! | How often is one arm better? | [`paired_improvement`] |
//! | How large is an effect in standard deviations? | [`cohens_d`] |
//! | Does a quantity predict another? | [`linear_fit`] |
//!
//! ```
//! use ltlcrit_statistics::{Resampling, paired_difference, sign_flip};
//!
//! // Steps of eight seeds, without and with a law book.
//! let without = [31.0, 40.0, 28.0, 35.0, 50.0, 33.0, 41.0, 38.0];
//! let with = [25.0, 33.0, 28.0, 29.0, 37.0, 30.0, 36.0, 33.0];
//! let saved = paired_difference(&without, &with, 0.95, Resampling::default())?;
//! assert_eq!(saved.estimate, 5.625);
//! assert!(saved.interval.low > 3.0);
//! assert_eq!(sign_flip(&without, &with, Resampling::default())?.p, 2.0 / 128.0);
//! # Ok::<(), ltlcrit_statistics::Error>(())
//! ```

mod bootstrap;
mod difference;
mod effect;
mod error;
mod holm;
mod improvement;
mod location;
mod mcnemar;
mod regression;
mod resampling;
mod result;
mod sign_flip;
mod wilson;

pub use bootstrap::{Bootstrap, BootstrapMethod, bootstrap, nested_bootstrap};
pub use difference::paired_difference;
pub use effect::cohens_d;
pub use error::Error;
pub use holm::holm;
pub use improvement::paired_improvement;
pub use location::{interquartile_mean, mean, quantile};
pub use mcnemar::{mcnemar, mcnemar_of_pairs};
pub use regression::{LinearFit, linear_fit};
pub use resampling::Resampling;
pub use result::{Interval, Test, TestMethod};
pub use sign_flip::sign_flip;
pub use wilson::wilson;
