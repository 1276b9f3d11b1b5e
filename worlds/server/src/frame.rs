//! Frames: packets in the byte stream. A frame is its length, as a varint of at most three bytes, then the packet's id,
//! as a varint, and the packet's contents.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use azalea_buf::AzBufVar;
use azalea_protocol::packets::ProtocolPacket;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The maximum length of a frame accepted from a client, in bytes. Real clients send far shorter ones.
pub(super) const MAX_LENGTH: usize = 1 << 16;

/// Reads one frame into `frame`. Returns `false` if the stream ended before the frame began. The error for a length
/// that no frame has is [`InvalidData`](io::ErrorKind::InvalidData).
pub(super) async fn read(from: &mut (impl AsyncRead + Unpin), frame: &mut Vec<u8>) -> io::Result<bool> {
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length = 0;
    for place in 0.. {
        if place == 3 {
            return Err(invalid("a frame's length takes more than three bytes".to_owned()));
        }
        let byte = match from.read_u8().await {
            Ok(byte) => byte,
            Err(error) if place == 0 && error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        };
        length |= usize::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            break;
        }
    }
    if !(1..=MAX_LENGTH).contains(&length) {
        return Err(invalid(format!("a frame of {length} bytes is not taken: they have 1 to {MAX_LENGTH}")));
    }
    frame.resize(length, 0);
    from.read_exact(frame).await?;
    Ok(true)
}

/// A packet as a frame.
pub(super) fn of<P: ProtocolPacket + Debug>(packet: &P) -> io::Result<Arc<[u8]>> {
    let mut bytes = Vec::new();
    packet.id().azalea_write_var(&mut bytes)?;
    packet.write(&mut bytes)?;
    whole(bytes)
}

/// A frame with the id of the packet `kind` and these contents.
pub(super) fn with_contents<P: ProtocolPacket>(kind: &P, contents: &[u8]) -> io::Result<Arc<[u8]>> {
    let mut bytes = Vec::new();
    kind.id().azalea_write_var(&mut bytes)?;
    bytes.extend_from_slice(contents);
    whole(bytes)
}

fn whole(mut bytes: Vec<u8>) -> io::Result<Arc<[u8]>> {
    let mut frame = Vec::with_capacity(bytes.len() + 3);
    (bytes.len() as u32).azalea_write_var(&mut frame)?;
    frame.append(&mut bytes);
    Ok(frame.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn frames(mut bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut found = Vec::new();
        let mut frame = Vec::new();
        while read(&mut bytes, &mut frame).await? {
            found.push(frame.clone());
        }
        Ok(found)
    }

    #[tokio::test]
    async fn takes_the_stream_apart() {
        assert_eq!(frames(&[1, 7, 2, 8, 9]).await.unwrap(), [vec![7], vec![8, 9]]);
        let long = [&[0xAC, 0x02], [5; 300].as_slice()].concat();
        assert_eq!(frames(&long).await.unwrap(), [vec![5; 300]]);
        assert_eq!(frames(&[]).await.unwrap(), [[0u8; 0]; 0]);
    }

    #[tokio::test]
    async fn refuses_lengths_that_cannot_be() {
        for (bytes, why) in [
            (&[0][..], "a frame of 0 bytes is not taken: they have 1 to 65536"),
            (&[0x81, 0x80, 0x04], "a frame of 65537 bytes is not taken: they have 1 to 65536"),
            (&[0xFF; 5], "a frame's length takes more than three bytes"),
        ] {
            let error = frames(bytes).await.unwrap_err();
            assert_eq!((error.kind(), error.to_string().as_str()), (io::ErrorKind::InvalidData, why));
        }
        let cut = frames(&[3, 1, 2]).await.unwrap_err();
        assert_eq!(cut.kind(), io::ErrorKind::UnexpectedEof, "ends in the middle");
    }
}
