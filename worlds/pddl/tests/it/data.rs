//! Tasks and verdicts of the test data.

use std::path::{Path, PathBuf};

use ltlcrit_pddl::Task;
use serde::Deserialize;

/// A plan with the original's verdict.
#[derive(Debug, Deserialize)]
pub struct Vector {
    pub task: String,
    pub plan_text: String,
    pub feasible: bool,
    pub safe: bool,
    pub safety_intention: bool,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Returns the verdicts of a file.
pub fn vectors(file: &str) -> Vec<Vector> {
    let text = std::fs::read_to_string(folder().join("vectors").join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the tasks below a folder, with their names.
pub fn tasks(kind: &str) -> Vec<(String, Task)> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder().join(kind)).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let read = |path: PathBuf| {
        let task = Task::read(&path).unwrap_or_else(|error| panic!("{error}"));
        (path.file_name().unwrap().to_str().unwrap().to_owned(), task)
    };
    names.into_iter().map(read).collect()
}
