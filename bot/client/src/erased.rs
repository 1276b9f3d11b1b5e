//! Futures as trait objects.
//!
//! The code of an `async fn` is generated in every crate that awaits it, with all that it awaits in turn. Behind a trait
//! object it is generated once, where the object is made. So every large future that leaves this crate is one.

use std::pin::Pin;

/// Makes a future a trait object.
pub(super) fn erased<'a, T>(future: impl Future<Output = T> + 'a) -> Pin<Box<dyn Future<Output = T> + 'a>> {
    Box::pin(future)
}
