//! Directories for tests that write stores.

use std::io;
use std::path::Path;

use tempfile::TempDir;

/// Linux keeps what is written here in memory.
#[cfg(target_os = "linux")]
const MEMORY: &str = "/dev/shm";
/// The space there below which the disk is used, in bytes.
#[cfg(target_os = "linux")]
const ENOUGH: u64 = 1 << 30;

/// An empty directory: in memory if the system offers enough of it, otherwise among the temporary files. A store waits for
/// the disk at every step, which takes tests more time than all else; what a killed process leaves is the same in memory.
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
