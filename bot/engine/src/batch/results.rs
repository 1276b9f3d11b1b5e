//! The lines of `results.jsonl` by cell. They stay on disk; memory holds only their positions.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ltlcrit_files::FileError;

use super::experiment::Experiment;
use super::files::{self, DirectoryError};
use super::result::CellResult;

/// The maximum size of a file, in bytes.
const MAX_BYTES: u64 = 1 << 40;
/// The maximum length of a line, in bytes.
const MAX_LINE: u64 = 1024 * 1024;

/// The position of a line, including its line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    offset: u64,
    length: u32,
}

/// The results in a file, by cell. Lines may have any order, but each cell has one at most.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    /// The open file; `None` if it does not exist yet.
    file: Option<File>,
    places: BTreeMap<usize, Place>,
    /// The size of the complete lines, in bytes.
    whole: u64,
    /// True if the lines are sorted by cell.
    sorted: bool,
}

impl Results {
    /// Finds and checks the lines of a file. An incomplete last line is left out.
    ///
    /// # Errors
    /// The file cannot be read, or a line is not a result of a cell of this experiment.
    pub(super) fn read(path: &Path, experiment: &Experiment) -> Result<Self, DirectoryError> {
        let failed = DirectoryError::io(path);
        let mut this = Self { path: path.to_owned(), file: None, places: BTreeMap::new(), whole: 0, sorted: true };
        let file = match ltlcrit_files::open(path, MAX_BYTES) {
            Ok(file) => file.into_inner(),
            Err(FileError::Missing) => return Ok(this),
            Err(error) => return Err(failed(error.into())),
        };
        let cells = experiment.grid();
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        for number in 1.. {
            let wrong = |why: String| DirectoryError::Result { path: path.to_owned(), line: number, why };
            line.clear();
            let length = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line).map_err(failed)?;
            if line.last() != Some(&b'\n') {
                if length as u64 == MAX_LINE {
                    return Err(wrong("the line is too long".to_owned()));
                }
                break;
            }
            let result: CellResult = serde_json::from_slice(&line)
                .map_err(|error| wrong(format!("this is no result of a cell: {error}")))?;
            let cell = cells.get(result.cell).filter(|cell| cell.seed == result.seed && experiment.has(cell.index));
            if cell.is_none_or(|cell| experiment.conditions[cell.condition].name != result.condition) {
                return Err(wrong(format!("the plan has no cell {} of this condition and seed", result.cell)));
            }
            if !this.add(result.cell, length as u32) {
                return Err(wrong(format!("the cell {} has a line before", result.cell)));
            }
        }
        this.file = Some(file);
        Ok(this)
    }

    /// Adds a line at the end. Returns `false` if its cell has one already.
    fn add(&mut self, cell: usize, length: u32) -> bool {
        self.sorted &= self.places.last_key_value().is_none_or(|(last, _)| *last < cell);
        let place = Place { offset: self.whole, length };
        self.whole += u64::from(length);
        self.places.insert(cell, place).is_none()
    }

    /// Returns the size of the complete lines, in bytes.
    pub(super) fn whole(&self) -> u64 {
        self.whole
    }

    /// Returns the number of results.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether there are no results.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns whether a cell has a result.
    pub fn contains(&self, cell: usize) -> bool {
        self.places.contains_key(&cell)
    }

    /// Returns the cells that have results, in order.
    pub fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.keys().copied()
    }

    /// Reads the result of a cell, if it has one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn get(&self, cell: usize) -> Result<Option<CellResult>, DirectoryError> {
        let (Some(file), Some(place)) = (&self.file, self.places.get(&cell)) else { return Ok(None) };
        let line = line(&mut &*file, *place).and_then(|line| Ok(serde_json::from_slice(&line)?));
        line.map(Some).map_err(DirectoryError::io(&self.path))
    }

    /// Reads all results one by one, in the order of their cells.
    pub fn iter(&self) -> impl Iterator<Item = Result<CellResult, DirectoryError>> + '_ {
        let mut reader = self.file.as_ref().map(BufReader::new);
        let mut at = None;
        self.places.values().filter_map(move |place| {
            let reader = reader.as_mut()?;
            let read = next_line(reader, &mut at, *place).and_then(|line| Ok(serde_json::from_slice(&line)?));
            Some(read.map_err(DirectoryError::io(&self.path)))
        })
    }

    /// Appends a result durably. `output` is the file, positioned at its end.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn append(&mut self, output: &mut File, result: &CellResult) -> Result<(), DirectoryError> {
        let failed = DirectoryError::io(&self.path);
        let line = result.line().map_err(failed)?;
        output.write_all(&line).and_then(|()| output.sync_data()).map_err(failed)?;
        if self.file.is_none() {
            self.file = Some(files::append_to(&self.path)?);
        }
        self.add(result.cell, line.len() as u32);
        Ok(())
    }

    /// Sorts the lines of the file by cell. Returns whether the file was rewritten.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(super) fn sort(&mut self) -> Result<bool, DirectoryError> {
        let Some(file) = self.file.as_ref().filter(|_| !self.sorted) else { return Ok(false) };
        let failed = DirectoryError::io(&self.path);
        let (mut reader, mut at) = (BufReader::new(file), None);
        let places = &self.places;
        ltlcrit_files::replace_by(&self.path, |output| {
            for place in places.values() {
                output.write_all(&next_line(&mut reader, &mut at, *place)?)?;
            }
            Ok(())
        })
        .map_err(failed)?;
        let mut offset = 0;
        for place in self.places.values_mut() {
            place.offset = offset;
            offset += u64::from(place.length);
        }
        (self.file, self.sorted) = (Some(files::append_to(&self.path)?), true);
        Ok(true)
    }
}

fn line(file: &mut (impl Read + Seek), place: Place) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(place.offset))?;
    let mut line = vec![0; place.length as usize];
    file.read_exact(&mut line)?;
    Ok(line)
}

/// Reads a line of a file whose position is `at`, if known. Does not seek if the line is the next one.
fn next_line(file: &mut (impl Read + Seek), at: &mut Option<u64>, place: Place) -> io::Result<Vec<u8>> {
    let end = Some(place.offset + u64::from(place.length));
    if std::mem::replace(at, end) != Some(place.offset) {
        return line(file, place);
    }
    let mut line = vec![0; place.length as usize];
    file.read_exact(&mut line)?;
    Ok(line)
}
