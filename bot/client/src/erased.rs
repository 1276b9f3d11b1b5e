//! Futures as trait objects.
//!
//! The code of an `async fn` is generated in every crate that awaits it, together with everything that it awaits.
//! Behind a trait object, it is generated once, in the crate that makes the object. So every large future that leaves
//! this crate is a trait object.

use std::pin::Pin;

/// Turns a future into a trait object.
pub(super) fn erased<'a, T>(future: impl Future<Output = T> + 'a) -> Pin<Box<dyn Future<Output = T> + 'a>> {
    Box::pin(future)
}
