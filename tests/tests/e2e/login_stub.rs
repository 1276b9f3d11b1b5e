//! A stub of a Minecraft server that only answers status requests and logins.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The protocol that the client speaks.
pub const PROTOCOL: i32 = 775;
/// Maximum wait for a packet of the client.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The answer to a login.
#[derive(Clone)]
pub enum Reception {
    /// The login succeeds.
    Welcome,
    /// The client must authenticate.
    Authenticate,
    /// The login is rejected with this text component, in the game's format.
    SentAway(Value),
}

/// A running stub; it ends with the test's process.
pub struct LoginStub {
    address: SocketAddr,
    login_attempts: Arc<AtomicUsize>,
}

impl LoginStub {
    /// Starts a stub of a server of this version.
    pub fn start(version: &str, protocol: i32, reception: Reception) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let login_attempts = Arc::new(AtomicUsize::new(0));
        let status = json!({
            "version": { "name": version, "protocol": protocol },
            "players": { "max": 20, "online": 3 },
            "description": "A Minecraft Server",
        });
        let counted = login_attempts.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client may disconnect at any time.
                let _ = receive(stream, &status.to_string(), &reception, &counted);
            }
        });
        Self { address, login_attempts }
    }

    /// Returns its address.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Returns the number of attempted logins.
    pub fn login_attempts(&self) -> usize {
        self.login_attempts.load(Ordering::SeqCst)
    }
}

fn receive(mut stream: TcpStream, status: &str, reception: &Reception, login_attempts: &AtomicUsize) -> io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    let handshake = packet(&mut stream)?;
    // The last byte of a handshake is its intent: 1 for status, 2 for login.
    if handshake.last() == Some(&1) {
        packet(&mut stream)?;
        stream.write_all(&frame(0, &text(status)))?;
    } else {
        packet(&mut stream)?;
        login_attempts.fetch_add(1, Ordering::SeqCst);
        stream.write_all(&match reception {
            // The profile: id, name, no properties.
            Reception::Welcome => frame(2, &[vec![0; 16], text("somebody"), vec![0]].concat()),
            // A key and a challenge, which are not checked, and the request to authenticate.
            Reception::Authenticate => frame(1, &[text(""), vec![1, 0], vec![1, 0], vec![1]].concat()),
            Reception::SentAway(reason) => frame(0, &text(&reason.to_string())),
        })?;
    }
    // Waits until the client has disconnected, so that the last packet arrives.
    stream.read_to_end(&mut Vec::new())?;
    Ok(())
}

/// Reads the next packet; its number comes first.
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
