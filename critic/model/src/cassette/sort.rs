//! Sorts a cassette by episode.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;

#[derive(Deserialize)]
struct Exchange {
    request: Request,
}

#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    episode: Option<String>,
}

/// Sorts the exchanges by the name of their episode, those without one first. The order within an episode stays. The
/// old file is replaced completely or not at all.
pub(super) fn by_episode(mut file: &File, path: &Path, max_line: u64) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    let mut header = 0;
    let mut lines = Vec::new();
    let mut position = 0;
    loop {
        bytes.clear();
        let length = reader.by_ref().take(max_line).read_until(b'\n', &mut bytes)? as u64;
        if length == 0 {
            break;
        }
        if position == 0 {
            header = length;
        } else {
            let exchange: Exchange = serde_json::from_slice(&bytes)?;
            lines.push((exchange.request.episode, position, length));
        }
        position += length;
    }
    if lines.is_sorted() {
        return Ok(());
    }
    // Ties are sorted by position, so the order within an episode stays.
    lines.sort();

    ltlcrit_files::replace_by(path, |sorted| {
        for (position, length) in std::iter::once((0, header)).chain(lines.iter().map(|line| (line.1, line.2))) {
            file.seek(SeekFrom::Start(position))?;
            std::io::copy(&mut file.take(length), sorted)?;
        }
        Ok(())
    })
}
