//! The connection to a server, on a thread of its own, with bounded queues to the engine.
//!
//! azalea reads all packets of a server in one update and queues all outgoing ones, without a limit. Here packets wait
//! in a bounded queue. While it is full, nothing is read: TCP slows down a server that floods the client. This thread
//! also handles the stream itself: compression and encryption. It parses only the packets of the login.

use std::cell::RefCell;
use std::io;
use std::net::TcpStream as StdTcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use azalea::account::Account as AzaleaAccount;
use azalea::login::auth_with_account;
use azalea::protocol::packets::login::{ClientboundHello, ClientboundLoginPacket, ServerboundLoginPacket};
use azalea::protocol::packets::{Packet, ProtocolPacket};
use azalea::protocol::write::{encode_to_network_packet, serialize_packet};
use azalea_crypto::Aes128CfbEnc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::inbound::{self, Inbound, InboundError, MAX_PACKET};
use super::state::DisconnectReason;

/// The maximum number of bytes that wait for the engine.
const INBOX: usize = 2 * MAX_PACKET;
/// The maximum number of bytes that wait for the server to read them.
const OUTBOX: usize = 1 << 21;
/// The bytes that a packet in a queue counts in addition to its length.
const OVERHEAD: usize = 64;
/// The maximum length of a packet that azalea parses, in bytes; usual chunks have a tenth of it. A parsed packet can
/// take a hundred times as much memory.
const MAX_SHOWN_PACKET: usize = 1 << 20;

/// A message from the thread to the engine.
pub(super) enum FromServer {
    /// A packet, its number first, and its place in the queue.
    Packet(Vec<u8>, OwnedSemaphorePermit),
    /// The server wants an encrypted connection. `lacks_proof` is true if the account lacks the requested proof of
    /// identity.
    Encrypts { lacks_proof: bool },
    /// The connection is encrypted.
    Encrypted,
    /// The connection has ended.
    Ended(DisconnectReason),
}

/// The engine's end of a connection. The connection ends when it is dropped.
pub(super) struct Wire {
    inbox: UnboundedReceiver<FromServer>,
    outbox: UnboundedSender<Box<[u8]>>,
    /// The number of bytes in the outbox.
    waiting: Arc<AtomicUsize>,
}

impl Wire {
    /// Starts the thread of a connection that has just been made.
    ///
    /// # Errors
    /// The operating system has no thread left, or no socket.
    pub fn start(stream: TcpStream, account: AzaleaAccount, silence: Duration) -> io::Result<Self> {
        let stream = stream.into_std()?;
        let (to_engine, inbox) = mpsc::unbounded_channel();
        let (outbox, from_engine) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let end = End { to_engine, from_engine, waiting: waiting.clone(), account, silence };
        thread::Builder::new().name("minecraft connection".to_owned()).spawn(move || run(stream, end))?;
        Ok(Self { inbox, outbox, waiting })
    }

    /// The next packet or event from the server, if it has arrived.
    pub fn receive(&mut self) -> Option<FromServer> {
        match self.inbox.try_recv() {
            Ok(received) => Some(received),
            Err(mpsc::error::TryRecvError::Empty) => None,
            Err(mpsc::error::TryRecvError::Disconnected) => Some(FromServer::Ended(DisconnectReason::Closed)),
        }
    }

    /// Sends a packet.
    ///
    /// # Errors
    /// The queue to the server is full.
    pub fn send<P: ProtocolPacket + std::fmt::Debug>(&self, packet: &P) -> Result<(), DisconnectReason> {
        let bytes = match serialize_packet(packet) {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::warn!(%error, "a packet cannot be written");
                return Ok(());
            }
        };
        let cost = bytes.len() + OVERHEAD;
        if self.waiting.fetch_add(cost, Ordering::Relaxed) + cost > OUTBOX {
            return Err(DisconnectReason::Misbehaved(format!("it leaves {OUTBOX} bytes of answers unread")));
        }
        // Without a receiver, the connection has ended; its reason is in the inbox.
        let _ = self.outbox.send(bytes);
        Ok(())
    }
}

/// The thread's end of a connection.
struct End {
    to_engine: UnboundedSender<FromServer>,
    from_engine: UnboundedReceiver<Box<[u8]>>,
    waiting: Arc<AtomicUsize>,
    account: AzaleaAccount,
    /// The maximum time without a packet.
    silence: Duration,
}

/// The encoding of packets: the threshold of compression and the cipher.
#[derive(Default)]
struct Encoding {
    threshold: Option<u32>,
    cipher: Option<Aes128CfbEnc>,
}

/// Runs a connection until it ends, and reports the reason.
fn run(stream: StdTcpStream, end: End) {
    let to_engine = end.to_engine.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let passed = runtime.and_then(|runtime| {
        runtime.block_on(async {
            let stream = TcpStream::from_std(stream)?;
            Ok(pass(stream, end).await)
        })
    });
    let reason = passed.unwrap_or_else(|error| reason_of(InboundError::Io(error)));
    let _ = to_engine.send(FromServer::Ended(reason));
}

fn reason_of(error: InboundError) -> DisconnectReason {
    match error {
        InboundError::Closed | InboundError::Io(_) => DisconnectReason::Closed,
        error => DisconnectReason::Misbehaved(error.to_string()),
    }
}

async fn pass(stream: TcpStream, end: End) -> DisconnectReason {
    let End { to_engine, from_engine, waiting, account, silence } = end;
    let (from_server, to_server) = stream.into_split();
    let encoding = RefCell::new(Encoding::default());
    let to_server = tokio::sync::Mutex::new(to_server);
    let reader = Reader {
        inbound: Inbound::new(from_server),
        to_server: &to_server,
        encoding: &encoding,
        to_engine,
        space: Arc::new(Semaphore::new(INBOX)),
        account,
        silence,
        logs_in: true,
    };
    tokio::select! {
        reason = reader.read() => reason,
        reason = write(from_engine, &to_server, &encoding, &waiting, silence) => reason,
    }
}

/// Writes packets until the engine drops its end.
async fn write(
    mut from_engine: UnboundedReceiver<Box<[u8]>>,
    to_server: &tokio::sync::Mutex<OwnedWriteHalf>,
    encoding: &RefCell<Encoding>,
    waiting: &AtomicUsize,
    silence: Duration,
) -> DisconnectReason {
    while let Some(packet) = from_engine.recv().await {
        let mut to_server = to_server.lock().await;
        let bytes = encode(&packet, encoding);
        match timeout(silence, to_server.write_all(&bytes)).await {
            Ok(Ok(())) => {}
            // The server's last packets before it closed the connection may still be unread.
            Ok(Err(_)) => return std::future::pending().await,
            Err(_) => {
                let seconds = silence.as_secs();
                return DisconnectReason::Misbehaved(format!("it has read nothing for {seconds} s"));
            }
        }
        waiting.fetch_sub(packet.len() + OVERHEAD, Ordering::Relaxed);
    }
    DisconnectReason::Closed
}

fn encode(packet: &[u8], encoding: &RefCell<Encoding>) -> Vec<u8> {
    let Encoding { threshold, cipher } = &mut *encoding.borrow_mut();
    encode_to_network_packet(packet, *threshold, cipher)
}

/// A reader of packets that runs until the connection ends.
struct Reader<'a> {
    inbound: Inbound<OwnedReadHalf>,
    to_server: &'a tokio::sync::Mutex<OwnedWriteHalf>,
    encoding: &'a RefCell<Encoding>,
    to_engine: UnboundedSender<FromServer>,
    /// The space left in the inbox, in bytes.
    space: Arc<Semaphore>,
    account: AzaleaAccount,
    silence: Duration,
    /// True until the login is over.
    logs_in: bool,
}

impl Reader<'_> {
    async fn read(mut self) -> DisconnectReason {
        loop {
            let packet = match timeout(self.silence, self.inbound.packet()).await {
                Ok(Ok(packet)) => packet,
                Ok(Err(error)) => return reason_of(error),
                Err(_) => {
                    let seconds = self.silence.as_secs();
                    return DisconnectReason::Misbehaved(format!("it has sent no packet for {seconds} s"));
                }
            };
            match self.accept(&packet).await {
                Ok(true) => {}
                Ok(false) => continue,
                Err(reason) => return reason,
            }
            let cost = (packet.len() + OVERHEAD) as u32;
            let Ok(place) = self.space.clone().acquire_many_owned(cost).await else { return DisconnectReason::Closed };
            if self.to_engine.send(FromServer::Packet(packet, place)).is_err() {
                return DisconnectReason::Closed;
            }
        }
    }

    /// Handles a packet. Returns whether the engine gets it.
    async fn accept(&mut self, packet: &[u8]) -> Result<bool, DisconnectReason> {
        if packet.len() > MAX_SHOWN_PACKET {
            tracing::warn!("the server sent a packet of {} bytes; {MAX_SHOWN_PACKET} are read", packet.len());
            return Ok(false);
        }
        if !self.logs_in {
            return Ok(true);
        }
        match inbound::parse(packet).map_err(reason_of)? {
            ClientboundLoginPacket::Hello(hello) => return self.encrypt(hello).await.map(|()| false),
            ClientboundLoginPacket::LoginCompression(compression) => {
                let threshold = u32::try_from(compression.compression_threshold).ok();
                self.encoding.borrow_mut().threshold = threshold;
                self.inbound.set_compressed(threshold.is_some());
            }
            ClientboundLoginPacket::LoginFinished(_) => self.logs_in = false,
            _ => {}
        }
        Ok(true)
    }

    /// Agrees on a key with the server, after proving the account's identity on request.
    async fn encrypt(&mut self, hello: ClientboundHello) -> Result<(), DisconnectReason> {
        let lacks_proof = hello.should_authenticate && self.account.access_token().is_none();
        let _ = self.to_engine.send(FromServer::Encrypts { lacks_proof });
        let agreed = auth_with_account(self.account.clone(), hello, None).await;
        let (answer, key) =
            agreed.map_err(|error| DisconnectReason::NotAuthenticated(super::text::plain(&error.to_string())))?;
        let answer: ServerboundLoginPacket = answer.into_variant();
        let answer = serialize_packet(&answer).map_err(|_| DisconnectReason::Closed)?;
        // Nothing may be written between the answer and the switch to the cipher.
        let mut to_server = self.to_server.lock().await;
        let bytes = encode(&answer, self.encoding);
        to_server.write_all(&bytes).await.map_err(|_| DisconnectReason::Closed)?;
        let (encrypt, decrypt) = azalea_crypto::create_cipher(&key);
        self.encoding.borrow_mut().cipher = Some(encrypt);
        self.inbound.decrypt(decrypt);
        let _ = self.to_engine.send(FromServer::Encrypted);
        Ok(())
    }
}
