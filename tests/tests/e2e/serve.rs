//! `world serve`: runs only the server, until Ctrl-C.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::sandbox::{Ran, Sandbox};

/// A running server with the first line of its output.
pub struct Serving {
    child: Child,
    pub first: String,
}

impl Serving {
    pub fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::of(sandbox, &[&["--terrain", "compact"], arguments].concat())
    }

    /// Starts a server with only these options.
    fn of(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::command(sandbox, &[&["world", "serve"], arguments].concat())
    }

    /// Starts any command that serves until Ctrl-C and prints an address first.
    pub fn command(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.std_command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        let stdout = child.stdout.take().unwrap();
        let mut stdout = BufReader::new(stdout);
        stdout.read_line(&mut first).unwrap();
        child.stdout = Some(stdout.into_inner());
        Self { child, first: first.trim().to_owned() }
    }

    /// Sends Ctrl-C and returns the result.
    pub fn interrupt(self) -> Ran {
        let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", self.child.id())]).status().unwrap();
        assert!(kill.success());
        Ran::from(self.child.wait_with_output().unwrap())
    }
}

/// Returns the answer to a status request, as sent by clients for their server list.
fn status(address: &str) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    let handshake = [16, 0, 0x87, 0x06, 9, b'l', b'o', b'c', b'a', b'l', b'h', b'o', b's', b't', 0x63, 0xDD, 1];
    stream.write_all(&handshake).unwrap();
    stream.write_all(&[1, 0]).unwrap();
    let number = |stream: &mut TcpStream| {
        let (mut value, mut shift) = (0usize, 0);
        loop {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            value |= usize::from(byte[0] & 0x7F) << shift;
            shift += 7;
            if byte[0] & 0x80 == 0 {
                return value;
            }
        }
    };
    number(&mut stream);
    assert_eq!(number(&mut stream), 0, "the number of the answer's packet");
    let mut text = vec![0; number(&mut stream)];
    stream.read_exact(&mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

#[test]
fn a_world_is_served_until_ctrl_c_and_kept() {
    let sandbox = Sandbox::new();
    let serving =
        Serving::start(&sandbox, &["--seed", "7", "--port", "0", "--save", "world.save", "--max-players", "3"]);
    let answer = status(&serving.first);
    assert_eq!(answer["version"]["protocol"], 775);
    assert_eq!(answer["players"]["max"], 3);
    let ran = serving.interrupt().code(0);
    assert!(ran.stderr.contains("seed 7") && ran.stderr.contains("stopping"), "{}", ran.stderr);
    assert!(sandbox.path().join("world.save").exists());

    let again = Serving::start(&sandbox, &["--seed", "7", "--port", "0", "--save", "world.save", "--json"]);
    let told: Value = serde_json::from_str(&again.first).unwrap();
    assert_eq!((&told["seed"], &told["version"], &told["terrain"]), (&7.into(), &"26.1".into(), &"compact".into()));
    status(told["address"].as_str().unwrap());
    let ran = again.interrupt().code(0);
    assert_eq!(ran.stderr, "", "under --json standard error is for errors");

    // Another world's file is rejected and not changed.
    let before = std::fs::read(sandbox.path().join("world.save")).unwrap();
    let refused = sandbox.run("world serve --seed 8 --port 0 --save world.save").code(8);
    assert!(refused.stderr.contains("seed 7"), "{}", refused.stderr);
    assert_eq!(std::fs::read(sandbox.path().join("world.save")).unwrap(), before);
}

#[test]
fn a_port_in_use_is_named() {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox, &["--port", "0", "--quiet"]);
    let port = serving.first.rsplit(':').next().unwrap().to_owned();
    let refused = sandbox.run(&format!("world serve --port {port}")).code(1);
    let told = refused.stderr.matches("in use").count();
    assert!(refused.stderr.contains(&format!("127.0.0.1:{port}")) && told == 1, "{}", refused.stderr);
    let ran = serving.interrupt().code(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""), "nothing but the address under --quiet");
}
