//! Translation of the checked-in sentences, and of the books whose English is known.

// Everything here is a test, helpers included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod any_text;
mod examples;
mod known;
mod misread;
mod reading_back;
mod score;
mod sentences;
mod tricky;
