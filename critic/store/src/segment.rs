//! The segments of the engine's log file, `db`.
//!
//! The file consists of segments of equal size. The header of a segment gives the position of its records in the log.
//! The records of a segment stay until the whole segment is reused with another header.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// The engine's own default, which this program does not change.
pub(super) const SEGMENT: usize = 512 << 10;
/// Bytes of a segment's header.
pub(super) const HEADER: usize = 20;
/// The engine writes positions of its log masked by this.
const MASK: i64 = i64::MAX;

/// The header of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The position in the log of the segment's first byte.
    pub position: i64,
    /// Everything in the log before this position was on disk when the segment was begun.
    pub stable: i64,
}

impl Header {
    /// Parses the header at the beginning of some bytes; `None` if it is not intact.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; HEADER] = bytes.first_chunk()?;
        let sum = u32::from_le_bytes(*bytes.first_chunk()?);
        if crc32fast::hash(&bytes[4..]) ^ u32::MAX != sum {
            return None;
        }
        let number = |at: usize| Some(i64::from_le_bytes(*bytes.get(at..)?.first_chunk()?) ^ MASK);
        let (position, stable) = (number(4)?, number(12)?);
        (position >= 0 && position % SEGMENT as i64 == 0).then_some(Self { position, stable })
    }
}

/// The number of segments in a file of this length.
pub(super) fn segments(length: u64) -> u64 {
    length.div_ceil(SEGMENT as u64)
}

/// The bytes of a segment, or its first ones; fewer where the file ends.
pub(super) fn read(file: &mut File, segment: u64, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(most);
    file.seek(SeekFrom::Start(segment * SEGMENT as u64))?;
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
