//! A record of runs outside the storage engine: one line when a run begins, ends or is resumed.
//!
//! The engine takes damage in its log for the log's end and silently drops the rest. The journal lets
//! [`super::Store::verify`] report what is lost, and keeps a lost run's number from being reused.
//!
//! A process may die between two writes, so the order matters: the journal never claims more than the engine has made
//! durable.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ltlcrit_files::FileError;

use super::RunId;

/// The file name in the store's directory.
pub(super) const FILE: &str = "journal";
/// The end of every line, so that a line cut short by a crash is recognised.
const LINE_END: &str = ";\n";
/// The longest journal that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

#[derive(Clone, Debug)]
pub(super) struct Journal(PathBuf);

impl Journal {
    /// The journal of the store in a directory.
    pub fn of(store: &Path) -> Self {
        Self(store.join(FILE))
    }

    pub fn begun(&self, run: RunId) -> io::Result<()> {
        self.append(&[format!("begin {run}")])
    }

    pub fn ended(&self, run: RunId, last_step: u64) -> io::Result<()> {
        self.append(&[format!("end {run} {last_step}")])
    }

    pub fn reopened(&self, run: RunId) -> io::Result<()> {
        self.append(&[format!("reopen {run}")])
    }

    /// Adds many runs at once, with the last steps of those that ended.
    pub fn add(&self, runs: &BTreeMap<RunId, Option<u64>>) -> io::Result<()> {
        let line = |(run, ended): (&RunId, &Option<u64>)| match ended {
            Some(last_step) => format!("end {run} {last_step}"),
            None => format!("begin {run}"),
        };
        self.append(&runs.iter().map(line).collect::<Vec<_>>())
    }

    fn append(&self, lines: &[String]) -> io::Result<()> {
        let mut file = ltlcrit_files::append(&self.0)?;
        // One write, with a line break first in case the last line was cut short.
        let text: String = lines.iter().map(|line| format!("\n{line}{LINE_END}")).collect();
        file.write_all(text.as_bytes())?;
        file.sync_data()
    }

    /// Whether some bytes of a journal contain the resumption of a run.
    pub fn reopens(bytes: &[u8]) -> bool {
        String::from_utf8_lossy(bytes).contains("reopen")
    }

    /// All runs in the journal, with the number of the last step if the run has ended.
    pub fn runs(&self) -> io::Result<BTreeMap<u64, Option<u64>>> {
        let bytes = read_file(&self.0)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut runs = BTreeMap::new();
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix(LINE_END)) {
            let mut words = line.split(' ');
            let (what, run, step) = (words.next(), words.next(), words.next());
            let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok());
            match (what, number(run), number(step)) {
                (Some("begin" | "reopen"), Some(run), None) => drop(runs.insert(run, None)),
                (Some("end"), Some(run), Some(step)) => drop(runs.insert(run, Some(step))),
                // The line is cut short or damaged.
                _ => {}
            }
        }
        Ok(runs)
    }
}

/// The bytes of a store's journal; empty if it has no journal yet.
pub(super) fn read(store: &Path) -> io::Result<Vec<u8>> {
    read_file(&store.join(FILE))
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    match ltlcrit_files::read(path, MOST_BYTES) {
        Err(FileError::Missing) => Ok(Vec::new()),
        result => Ok(result?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_runs_and_ignores_lines_cut_short() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::of(directory.path());
        assert!(journal.runs().unwrap().is_empty());
        journal.begun(RunId(1)).unwrap();
        journal.ended(RunId(1), 40).unwrap();
        journal.begun(RunId(2)).unwrap();
        journal.ended(RunId(2), 17).unwrap();
        journal.reopened(RunId(2)).unwrap();
        assert_eq!(journal.runs().unwrap().into_iter().collect::<Vec<_>>(), [(1, Some(40)), (2, None)]);
        let whole = std::fs::read(directory.path().join(FILE)).unwrap();
        for length in 0..whole.len() {
            std::fs::write(directory.path().join(FILE), &whole[..length]).unwrap();
            assert!(journal.runs().unwrap().values().all(|step| step.is_none_or(|step| step == 40 || step == 17)));
            journal.begun(RunId(3)).unwrap();
            assert_eq!(journal.runs().unwrap().get(&3), Some(&None));
        }
    }
}
