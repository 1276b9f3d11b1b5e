//! Frames: packets in the byte stream. A frame is its length, as a varint of at most three bytes, then the packet's id,
//! as a varint, and the packet's contents.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use azalea_buf::AzBufVar;
use azalea_protocol::packets::ProtocolPacket;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The maximum length of a frame accepted from a client, in bytes. Real clients send far shorter ones.
pub(super) const MAX_LENGTH: usize = 1 << 16;

/// The reason that no frame could be read.
#[derive(Debug, Error)]
pub(super) enum FrameError {
    #[error("a frame of {0} bytes is not taken: they have 1 to {MAX_LENGTH}")]
    Length(usize),
    #[error("a frame's length takes more than three bytes")]
    EndlessLength,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads one frame into `frame`. Returns `false` if the stream ended before the frame began.
pub(super) async fn read(from: &mut (impl AsyncRead + Unpin), frame: &mut Vec<u8>) -> Result<bool, FrameError> {
    let mut length = 0;
    for place in 0.. {
        if place == 3 {
            return Err(FrameError::EndlessLength);
        }
        let byte = match from.read_u8().await {
            Ok(byte) => byte,
            Err(error) if place == 0 && error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        length |= usize::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            break;
        }
    }
    if !(1..=MAX_LENGTH).contains(&length) {
        return Err(FrameError::Length(length));
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

    async fn frames(mut bytes: &[u8]) -> Result<Vec<Vec<u8>>, FrameError> {
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
        assert!(matches!(frames(&[0]).await, Err(FrameError::Length(0))));
        assert!(matches!(frames(&[0x81, 0x80, 0x04]).await, Err(FrameError::Length(65537))));
        assert!(matches!(frames(&[0xFF; 5]).await, Err(FrameError::EndlessLength)));
        assert!(matches!(frames(&[3, 1, 2]).await, Err(FrameError::Io(_))), "ends in the middle");
    }
}
