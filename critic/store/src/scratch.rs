//! Directories for tests that write stores.

use std::io;
use std::path::Path;

use tempfile::TempDir;

/// A directory that Linux keeps in memory.
#[cfg(target_os = "linux")]
const MEMORY: &str = "/dev/shm";
/// The minimum free space there, in bytes; with less, the disk is used.
#[cfg(target_os = "linux")]
const ENOUGH: u64 = 1 << 30;

/// Creates an empty directory: in memory if enough space is free, otherwise among the temporary files. A store waits
/// for the disk at every step, which dominates the time of tests. A killed process leaves the same content in memory.
///
/// # Errors
/// The directory cannot be created.
pub fn directory() -> io::Result<TempDir> {
    memory().map_or_else(tempfile::tempdir, tempfile::tempdir_in)
}

#[cfg(target_os = "linux")]
fn memory() -> Option<&'static Path> {
    let space = rustix::fs::statvfs(MEMORY).ok()?;
    (space.f_bavail.saturating_mul(space.f_frsize) >= ENOUGH).then(|| Path::new(MEMORY))
}

#[cfg(not(target_os = "linux"))]
fn memory() -> Option<&'static Path> {
    None
}
