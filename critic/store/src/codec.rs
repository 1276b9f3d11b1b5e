//! Encoding of records: a version, a checksum, then JSON.
//!
//! The version comes first, so a record of a newer program is refused before it is parsed. The checksum tells a damaged
//! record from one of another shape.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::StoreError;

/// The version of every record this program writes. In version 1, manifests contain their documents.
pub(super) const VERSION: u8 = 2;

const HEADER: usize = 5;

/// Encodes a record. `place` names its tree and key in errors.
pub(super) fn encode<T: Serialize>(place: &str, record: &T) -> Result<Vec<u8>, StoreError> {
    let mut bytes = vec![VERSION, 0, 0, 0, 0];
    serde_json::to_writer(&mut bytes, record)
        .map_err(|error| StoreError::Unstorable { place: place.to_owned(), why: error.to_string() })?;
    let sum = crc32fast::hash(&bytes[HEADER..]);
    bytes[1..HEADER].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

/// The JSON of an encoded record.
pub(super) fn payload(bytes: &[u8]) -> &[u8] {
    bytes.get(HEADER..).unwrap_or_default()
}

/// Decodes a record. `place` names its tree and key in errors.
pub(super) fn decode<T: DeserializeOwned>(place: &dyn Fn() -> String, bytes: &[u8]) -> Result<T, StoreError> {
    let corrupt = |why: String| StoreError::Corrupt { place: place(), why };
    let Some((&[version, s0, s1, s2, s3], payload)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(corrupt(format!("it is cut short at {} bytes", bytes.len())));
    };
    if version == 0 || version > VERSION {
        return Err(StoreError::Version { place: place(), found: version, known: VERSION });
    }
    let (stored, actual) = (u32::from_le_bytes([s0, s1, s2, s3]), crc32fast::hash(payload));
    if stored != actual {
        return Err(corrupt(format!("its checksum is {actual:08x} and should be {stored:08x}")));
    }
    serde_json::from_slice(payload).map_err(|error| corrupt(error.to_string()))
}

/// SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> String {
        "steps 1/2".to_owned()
    }

    #[test]
    fn round_trip() {
        let bytes = encode("x", &vec![1.1, 0.1 + 0.2, f64::MIN_POSITIVE]).unwrap();
        assert_eq!(decode::<Vec<f64>>(&place, &bytes).unwrap(), [1.1, 0.1 + 0.2, f64::MIN_POSITIVE]);
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let bytes = encode("x", &"letters").unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(decode::<String>(&place, &damaged).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(decode::<String>(&place, &bytes[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn a_newer_version_is_refused_by_name() {
        let mut bytes = encode("x", &1).unwrap();
        bytes[0] = VERSION + 1;
        let message = decode::<u32>(&place, &bytes).unwrap_err().to_string();
        assert_eq!(
            message,
            "steps 1/2: this record has version 3, this program knows versions up to 2; use a newer ltlcrit"
        );
    }
}
