//! How far the reading of runs is.

/// Shows how far the reading of runs is.
pub trait ReportProgress {
    /// So many readings of a run are left.
    fn begins(&self, readings: u64);
    /// One of them is done.
    fn step(&self);
}

/// Progress that nobody looks at.
impl ReportProgress for () {
    fn begins(&self, _: u64) {}

    fn step(&self) {}
}
