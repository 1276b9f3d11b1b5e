//! Reasons why a saved world cannot be served.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A reason why a saved world cannot be served.
#[derive(Debug, Error)]
pub enum SavedWorldError {
    /// The folder is not a world.
    #[error("{0} is not a world: it has no level.dat; name the folder that contains level.dat")]
    NotAWorld(PathBuf),
    /// The world has no region files.
    #[error("the world {0} has no chunks: neither region nor dimensions/minecraft/overworld/region has files in it")]
    NoRegions(PathBuf),
    /// A file cannot be read.
    #[error("{path} cannot be read: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is damaged.
    #[error("{path} is damaged: {what}; restore it from a backup")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        what: String,
    },
    /// The world was saved by a version before 1.18.
    #[error(
        "the world {path} was saved by a Minecraft before 1.18 (data version {version}): open it once in 1.18 or later, \
         with Optimize World"
    )]
    TooOld {
        /// The world.
        path: PathBuf,
        /// Its data version.
        version: i32,
    },
    /// Players would have no place to begin.
    #[error(
        "the world {path} has no place to stand within {radius} blocks of x {x}, z {z}: set its spawn, with \
         /setworldspawn, where there is land"
    )]
    NoSpawn {
        /// The world.
        path: PathBuf,
        /// The radius of the search.
        radius: i32,
        /// The middle of the search.
        x: i32,
        /// The middle of the search.
        z: i32,
    },
}
