//! Unpacks what Minecraft has compressed, within a bound.

use std::io::Read;

use flate2::read::{GzDecoder, ZlibDecoder};

/// The largest size of an unpacked chunk or file, in bytes. A usual chunk takes a hundredth of it.
pub(super) const LARGEST: usize = 32 << 20;

/// Unpacks a chunk whose compression has this number in a region file.
pub(super) fn unpack(kind: u8, packed: &[u8]) -> Result<Vec<u8>, String> {
    match kind {
        1 => gzip(packed),
        2 => bounded(ZlibDecoder::new(packed)),
        3 => bounded(packed),
        4 => lz4(packed),
        127 => Err("it is compressed by a custom algorithm of a server; save the world without it".to_owned()),
        _ => Err(format!("its compression {kind} is none of gzip (1), zlib (2), none (3) and LZ4 (4)")),
    }
}

/// Unpacks a gzip file.
pub(super) fn gzip(packed: &[u8]) -> Result<Vec<u8>, String> {
    bounded(GzDecoder::new(packed))
}

fn too_large() -> String {
    format!("it unpacks to more than {} MiB", LARGEST >> 20)
}

fn bounded(from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(LARGEST as u64 + 1).read_to_end(&mut bytes).map_err(|error| format!("it cannot be unpacked: {error}"))?;
    if bytes.len() > LARGEST { Err(too_large()) } else { Ok(bytes) }
}

/// Unpacks the block stream of the Java library for LZ4. NBT that does not parse reveals what its checksums would.
fn lz4(mut packed: &[u8]) -> Result<Vec<u8>, String> {
    const MAGIC: &[u8] = b"LZ4Block";
    const STORED: u8 = 0x10;
    const COMPRESSED: u8 = 0x20;
    let damaged = || "it cannot be unpacked: its LZ4 blocks are damaged".to_owned();
    let mut bytes = Vec::new();
    while let Some((header, rest)) = packed.split_first_chunk::<21>() {
        let length =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize;
        let (inside, outside) = (length(9), length(13));
        if !header.starts_with(MAGIC) || inside > rest.len() {
            return Err(damaged());
        }
        if outside == 0 {
            return Ok(bytes);
        }
        if outside > LARGEST - bytes.len() {
            return Err(too_large());
        }
        let (block, next) = rest.split_at(inside);
        let start = bytes.len();
        match header[8] & 0xF0 {
            STORED if inside == outside => bytes.extend_from_slice(block),
            COMPRESSED => {
                bytes.resize(start + outside, 0);
                let done = lz4_flex::block::decompress_into(block, &mut bytes[start..]);
                if done.ok() != Some(outside) {
                    return Err(damaged());
                }
            }
            _ => return Err(damaged()),
        }
        packed = next;
    }
    // Some writers leave out the empty block at the end.
    if packed.is_empty() { Ok(bytes) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    use super::*;

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// One block of the stream.
    fn block(method: u8, packed: &[u8], unpacked: u32) -> Vec<u8> {
        let mut block = b"LZ4Block".to_vec();
        block.push(method);
        block.extend((packed.len() as u32).to_le_bytes());
        block.extend(unpacked.to_le_bytes());
        block.extend([0; 4]);
        block.extend(packed);
        block
    }

    #[test]
    fn every_compression_of_the_game_is_read() {
        let text = b"all work and no play".repeat(20);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(&text).unwrap();
        assert_eq!(unpack(1, &gzip.finish().unwrap()).unwrap(), text);
        assert_eq!(unpack(2, &zlib(&text)).unwrap(), text);
        assert_eq!(unpack(3, &text).unwrap(), text);
        // Three literals, "abc", and then ten bytes from three bytes back.
        let packed = [0x36, b'a', b'b', b'c', 3, 0, 0x50, b'a', b'b', b'c', b'a', b'b'];
        let stream = [block(0x25, &packed, 18), block(0x15, b"tail", 4), block(0x15, b"", 0)].concat();
        assert_eq!(unpack(4, &stream).unwrap(), b"abcabcabcabcaabcabtail");
    }

    #[test]
    fn damage_and_bombs_are_refused() {
        assert!(unpack(2, &zlib(&vec![0; LARGEST + 1])).unwrap_err().contains("32 MiB"));
        assert!(unpack(2, b"no zlib").unwrap_err().contains("unpacked"));
        assert!(unpack(9, b"").unwrap_err().contains("compression 9"));
        assert!(unpack(127, b"").unwrap_err().contains("custom"));
        assert!(unpack(4, &block(0x25, b"\x10a", u32::MAX)).unwrap_err().contains("32 MiB"));
        for damaged in [&b"LZ4Block"[..], &[0; 40], &block(0x25, b"\x10a", 40), &block(0x15, b"four", 5)] {
            assert!(unpack(4, damaged).unwrap_err().contains("LZ4"));
        }
        let mut long = block(0x15, b"four", 4);
        long[9] = 200;
        assert!(unpack(4, &long).is_err());
    }
}
