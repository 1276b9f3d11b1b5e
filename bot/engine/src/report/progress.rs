//! The progress of reading runs.

/// Shows the progress of reading runs.
pub trait ReportProgress {
    /// Announces the number of readings that are left.
    fn begins(&self, readings: u64);
    /// Reports that one reading has ended.
    fn step(&self);
}

/// Progress that is not shown.
impl ReportProgress for () {
    fn begins(&self, _: u64) {}

    fn step(&self) {}
}
