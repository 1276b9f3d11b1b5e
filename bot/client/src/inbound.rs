//! Reads packets from a server's byte stream, within the protocol's limits.
//!
//! azalea's own reader keeps a frame of any length and inflates without a limit, so a server could fill the memory.
//! This reader refuses a frame by its length before it is read. It refuses a packet as soon as it inflates to more than
//! it declares.

use std::fmt::Debug;
use std::io::{self, Cursor, Read};

use azalea::buf::AzBufVar;
use azalea::protocol::packets::ProtocolPacket;
use azalea::protocol::read::deserialize_packet;
use azalea_crypto::Aes128CfbDec;
use flate2::read::ZlibDecoder;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, BufReader};

/// The smallest length that a frame cannot have, in bytes: the protocol allows three bytes for the length.
pub(super) const MAX_FRAME: usize = 1 << 21;
/// The maximum length of a packet, in bytes, after inflation.
pub(super) const MAX_PACKET: usize = 1 << 23;
/// The maximum number of characters shown of azalea's own errors, which can quote the packet.
const MAX_ERROR: usize = 200;

/// The reason that no packet could be read: the server's fault.
#[derive(Debug, Error)]
pub(super) enum InboundError {
    #[error("it sent a packet of {0} bytes; the protocol allows 1 to {max}", max = MAX_FRAME - 1)]
    Length(usize),
    #[error("it sent a packet of {MAX_FRAME} bytes or more, which the protocol does not allow")]
    EndlessLength,
    #[error("it sent a packet that declares {0} bytes when it is inflated; the protocol allows {MAX_PACKET}")]
    Inflated(usize),
    #[error("it sent a packet that inflates to more than the {0} bytes it declares")]
    Undeclared(usize),
    #[error("it sent a packet that cannot be inflated: {0}")]
    Damaged(io::Error),
    #[error("it sent a packet that cannot be read: {0}")]
    Malformed(String),
    #[error("it closed the connection")]
    Closed,
    #[error("the connection failed: {0}")]
    Io(io::Error),
}

/// A reader of packets.
pub(super) struct Inbound<R> {
    from: BufReader<R>,
    cipher: Option<Aes128CfbDec>,
    /// True if frames are compressed.
    compressed: bool,
}

impl<R: AsyncRead + Unpin> Inbound<R> {
    /// A reader of a new connection, neither encrypted nor compressed.
    pub fn new(from: R) -> Self {
        Self { from: BufReader::new(from), cipher: None, compressed: false }
    }

    /// Decrypts all following bytes.
    pub fn decrypt(&mut self, cipher: Aes128CfbDec) {
        self.cipher = Some(cipher);
    }

    /// Sets whether the following frames are compressed.
    pub(crate) fn set_compressed(&mut self, compressed: bool) {
        self.compressed = compressed;
    }

    /// Reads the next packet, its number first.
    ///
    /// # Errors
    /// The stream ended, or breaks the protocol. After an error, it must not be read any more.
    pub async fn packet(&mut self) -> Result<Vec<u8>, InboundError> {
        let length = self.length().await?;
        let mut frame = vec![0; length];
        self.from.read_exact(&mut frame).await.map_err(broken)?;
        if let Some(cipher) = &mut self.cipher {
            azalea_crypto::decrypt_packet(cipher, &mut frame);
        }
        if self.compressed { inflated(frame) } else { Ok(frame) }
    }

    async fn length(&mut self) -> Result<usize, InboundError> {
        let mut length = 0;
        for place in 0..3 {
            let mut byte = [self.from.read_u8().await.map_err(broken)?];
            if let Some(cipher) = &mut self.cipher {
                azalea_crypto::decrypt_packet(cipher, &mut byte);
            }
            length |= usize::from(byte[0] & 0x7F) << (7 * place);
            if byte[0] & 0x80 == 0 {
                return if length == 0 { Err(InboundError::Length(0)) } else { Ok(length) };
            }
        }
        Err(InboundError::EndlessLength)
    }
}

fn broken(error: io::Error) -> InboundError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => InboundError::Closed,
        _ => InboundError::Io(error),
    }
}

/// The packet in a compressed frame: the length of its contents, 0 if they are not compressed, and the contents.
fn inflated(mut frame: Vec<u8>) -> Result<Vec<u8>, InboundError> {
    let mut bytes = Cursor::new(&frame[..]);
    let declared = u32::azalea_read_var(&mut bytes).map_err(|error| malformed(&error))? as usize;
    let start = bytes.position() as usize;
    match declared {
        0 => Ok(frame.split_off(start)),
        _ if declared > MAX_PACKET => Err(InboundError::Inflated(declared)),
        _ => {
            let mut packet = Vec::new();
            let mut contents = ZlibDecoder::new(&frame[start..]).take(declared as u64 + 1);
            contents.read_to_end(&mut packet).map_err(InboundError::Damaged)?;
            if packet.len() > declared { Err(InboundError::Undeclared(declared)) } else { Ok(packet) }
        }
    }
}

/// Parses a packet of one protocol state.
///
/// # Errors
/// [`InboundError::Malformed`].
pub(super) fn parse<P: ProtocolPacket + Debug>(packet: &[u8]) -> Result<P, InboundError> {
    deserialize_packet(&mut Cursor::new(packet)).map_err(|error| malformed(&*error))
}

fn malformed(error: &dyn std::error::Error) -> InboundError {
    let text = super::text::plain(&error.to_string());
    InboundError::Malformed(text.chars().take(MAX_ERROR).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use azalea::protocol::write::encode_to_network_packet;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use tokio::io::ReadBuf;

    use super::*;

    /// A start, then endless zeros. Counts the bytes read.
    struct Endless {
        start: Vec<u8>,
        taken: usize,
    }

    impl AsyncRead for Endless {
        fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
            while to.remaining() > 0 {
                let byte = self.start.get(self.taken).copied().unwrap_or(0);
                to.put_slice(&[byte]);
                self.taken += 1;
            }
            Poll::Ready(Ok(()))
        }
    }

    /// Reads one packet of an endless stream; also returns the number of bytes read.
    async fn endless(start: &[u8]) -> (Result<Vec<u8>, InboundError>, usize) {
        let mut inbound = Inbound::new(Endless { start: start.to_vec(), taken: 0 });
        let read = inbound.packet().await;
        (read, inbound.from.get_ref().taken)
    }

    #[tokio::test]
    async fn refuses_a_long_frame_before_it_is_read() {
        for start in [&[0xFF, 0xFF, 0xFF, 0xFF, 0x07][..], &[0xFF; 16], &[0x80, 0x80, 0x80, 0x01]] {
            let (read, taken) = endless(start).await;
            assert!(matches!(read, Err(InboundError::EndlessLength)), "{read:?}");
            assert!(taken <= 1 << 13, "{taken} bytes");
        }
        let (read, _) = endless(&[0xFF, 0xFF, 0x7F]).await;
        assert_eq!(read.unwrap().len(), MAX_FRAME - 1);
        assert!(matches!(endless(&[0]).await.0, Err(InboundError::Length(0))));
    }

    /// A compressed frame that declares one length and inflates to another.
    fn bomb(declared: usize, real: usize) -> Vec<u8> {
        let mut frame = Vec::new();
        (declared as u32).azalea_write_var(&mut frame).unwrap();
        let mut deflated = ZlibEncoder::new(frame, Compression::best());
        for _ in 0..real / 1024 {
            deflated.write_all(&[0; 1024]).unwrap();
        }
        deflated.finish().unwrap()
    }

    #[test]
    fn inflates_no_more_than_is_declared() {
        assert_eq!(inflated(bomb(4096, 4096)).unwrap(), vec![0; 4096]);
        assert!(matches!(inflated(bomb(4096, 64 << 20)), Err(InboundError::Undeclared(4096))));
        assert!(matches!(inflated(bomb(MAX_PACKET, 64 << 20)), Err(InboundError::Undeclared(MAX_PACKET))));
        assert!(matches!(inflated(bomb(MAX_PACKET + 1, 1024)), Err(InboundError::Inflated(_))));
        assert!(matches!(inflated(bomb(u32::MAX as usize, 1024)), Err(InboundError::Inflated(_))));
        assert_eq!(inflated(vec![0, 7, 8]).unwrap(), [7, 8]);
        assert!(matches!(inflated(vec![9, 7, 8]), Err(InboundError::Damaged(_))));
    }

    /// Packets that azalea writes, encrypted and compressed, are read back.
    #[tokio::test]
    async fn reads_what_azalea_writes() {
        let packets = [vec![1, 2, 3], vec![4; 5000]];
        for (threshold, key) in [(None, None), (Some(100), None), (Some(100), Some([7; 16]))] {
            let ciphers = key.map(|key: [u8; 16]| azalea_crypto::create_cipher(&key));
            let (mut encrypt, decrypt) = ciphers.unzip();
            let mut stream = Vec::new();
            for packet in &packets {
                stream.extend(encode_to_network_packet(packet, threshold, &mut encrypt));
            }
            let mut inbound = Inbound::new(&stream[..]);
            inbound.compressed = threshold.is_some();
            inbound.cipher = decrypt;
            for packet in &packets {
                assert_eq!(inbound.packet().await.unwrap(), *packet);
            }
            assert!(matches!(inbound.packet().await, Err(InboundError::Closed)));
        }
    }
}
