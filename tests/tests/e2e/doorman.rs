//! A doorman: a server that says what it is, and receives whoever knocks as it is told to; nobody gets past it.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The protocol that the client speaks.
pub const PROTOCOL: i32 = 775;
/// How long a visitor may take to say the next thing.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a visitor is received.
#[derive(Clone)]
pub enum Reception {
    /// It may come in.
    Welcome,
    /// It is to prove who it is.
    Authenticate,
    /// It is sent away with this text component, as the game sends it.
    SentAway(Value),
}

/// A doorman at work, for as long as the test's process lives.
pub struct Doorman {
    address: SocketAddr,
    knocks: Arc<AtomicUsize>,
}

impl Doorman {
    /// One of a server of this version.
    pub fn start(version: &str, protocol: i32, reception: Reception) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let knocks = Arc::new(AtomicUsize::new(0));
        let status = json!({
            "version": { "name": version, "protocol": protocol },
            "players": { "max": 20, "online": 3 },
            "description": "A Minecraft Server",
        });
        let counted = knocks.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A visitor that goes in the middle is no matter of the doorman's.
                let _ = receive(stream, &status.to_string(), &reception, &counted);
            }
        });
        Self { address, knocks }
    }

    /// Where it stands.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// How many have begun to log in.
    pub fn knocks(&self) -> usize {
        self.knocks.load(Ordering::SeqCst)
    }
}

fn receive(mut stream: TcpStream, status: &str, reception: &Reception, knocks: &AtomicUsize) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let handshake = packet(&mut stream)?;
    // What the handshake is for is said last: 1 is the status, 2 the login.
    if handshake.last() == Some(&1) {
        packet(&mut stream)?;
        stream.write_all(&frame(0, &text(status)))?;
    } else {
        packet(&mut stream)?;
        knocks.fetch_add(1, Ordering::SeqCst);
        stream.write_all(&match reception {
            // Who it is, and that there is nothing more to tell of it.
            Reception::Welcome => frame(2, &[vec![0; 16], text("somebody"), vec![0]].concat()),
            // A key and a challenge, which are not looked at, and that proof is asked for.
            Reception::Authenticate => frame(1, &[text(""), vec![1, 0], vec![1, 0], vec![1]].concat()),
            Reception::SentAway(reason) => frame(0, &text(&reason.to_string())),
        })?;
    }
    // Until the visitor has gone: what was said last must arrive.
    stream.read_to_end(&mut Vec::new())?;
    Ok(())
}

/// The next packet, its number first.
fn packet(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let (mut length, mut shift) = (0usize, 0);
    loop {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        length |= usize::from(byte[0] & 0x7F) << shift;
        shift += 7;
        if byte[0] & 0x80 == 0 {
            break;
        }
    }
    let mut packet = vec![0; length];
    stream.read_exact(&mut packet)?;
    Ok(packet)
}

fn frame(number: u8, contents: &[u8]) -> Vec<u8> {
    let mut frame = varint(contents.len() + 1);
    frame.push(number);
    frame.extend(contents);
    frame
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = varint(text.len());
    bytes.extend(text.as_bytes());
    bytes
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
