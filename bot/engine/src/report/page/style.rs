//! The style of pages and of their figures.

pub(super) const STYLE: &str = include_str!("style.css");
