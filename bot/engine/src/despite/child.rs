//! Runs a program with an empty environment, bounded in time and output.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

/// How often a program that closed its output is asked whether it has ended.
const POLL: Duration = Duration::from_millis(5);

/// What a program may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time until it is killed.
    pub time: Duration,
    /// The bytes that it may write to each of its outputs.
    pub bytes: u64,
}

/// What a program wrote.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

/// Why a program gave nothing.
#[derive(Debug, Error)]
pub enum ChildError {
    /// It cannot be started.
    #[error("it cannot be started: {0}")]
    Start(#[source] io::Error),
    /// It took too long and was killed.
    #[error("it did not end within {} s", .0.as_secs())]
    TooLong(Duration),
    /// It wrote too much and was killed.
    #[error("it wrote more than {0} bytes")]
    TooMuch(u64),
    /// Its outputs cannot be read.
    #[error("its output cannot be read: {0}")]
    Read(#[source] io::Error),
}

/// Runs a program in a directory, with this text on its standard input. Of the environment it sees `PATH`, `HOME` and what is in
/// `environment`.
pub fn run(
    program: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
    directory: &Path,
    input: String,
    limits: Limits,
) -> Result<Output, ChildError> {
    let kept = ["PATH", "HOME"].map(|name| (name, std::env::var_os(name)));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).env_clear().envs(environment.iter().copied());
    command.envs(kept.into_iter().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(ChildError::Start)?;
    let until = Instant::now() + limits.time;
    let ended = communicate(&mut child, input, until, limits);
    if ended.is_err() {
        // It may have ended meanwhile.
        let _ = child.kill();
        let _ = child.wait();
    }
    ended
}

fn communicate(child: &mut Child, input: String, until: Instant, limits: Limits) -> Result<Output, ChildError> {
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ends early reads no further.
        thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
    let stdout = child.stdout.take().map(|pipe| all_of(pipe, limits.bytes));
    let stderr = child.stderr.take().map(|pipe| all_of(pipe, limits.bytes));
    let stdout = received(stdout, until, limits)?;
    let stderr = received(stderr, until, limits)?;
    loop {
        if let Some(status) = child.try_wait().map_err(ChildError::Read)? {
            return Ok(Output { status, stdout, stderr });
        }
        if Instant::now() >= until {
            return Err(ChildError::TooLong(limits.time));
        }
        thread::sleep(POLL);
    }
}

/// Reads a pipe to its end on a thread, or one byte more than it may hold.
fn all_of(pipe: impl Read + Send + 'static, most: u64) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(most + 1).read_to_end(&mut bytes);
        // Nobody waits for it any more if the program was killed.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

fn received(
    pipe: Option<Receiver<io::Result<Vec<u8>>>>,
    until: Instant,
    limits: Limits,
) -> Result<Vec<u8>, ChildError> {
    let Some(pipe) = pipe else { return Ok(Vec::new()) };
    match pipe.recv_timeout(until.saturating_duration_since(Instant::now())) {
        Ok(Ok(bytes)) if bytes.len() as u64 > limits.bytes => Err(ChildError::TooMuch(limits.bytes)),
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(ChildError::Read(error)),
        Err(RecvTimeoutError::Timeout) => Err(ChildError::TooLong(limits.time)),
        Err(RecvTimeoutError::Disconnected) => Ok(Vec::new()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, input: &str, limits: Limits) -> Result<Output, ChildError> {
        run(Path::new("sh"), &["-c", script], &[("ONE", "1")], Path::new("."), input.to_owned(), limits)
    }

    #[test]
    fn a_program_is_bounded_and_sees_no_environment() {
        let limits = Limits { time: Duration::from_secs(20), bytes: 1_000 };
        let output = shell("cat; echo \"$ONE-$CARGO_MANIFEST_DIR-\" >&2; exit 3", "text", limits).unwrap();
        assert_eq!((&*output.stdout, &*output.stderr, output.status.code()), (&b"text"[..], &b"1--\n"[..], Some(3)));
        // Input that is not read does no harm.
        assert!(shell("exit 0", &"x".repeat(1 << 20), limits).unwrap().status.success());
        let endless = shell("while :; do echo 0123456789; done", "", limits);
        assert!(matches!(endless, Err(ChildError::TooMuch(1_000))), "{endless:?}");
        let short = Limits { time: Duration::from_millis(50), ..limits };
        for silent in ["exec sleep 60", "exec >&- 2>&-; exec sleep 60"] {
            assert!(matches!(shell(silent, "", short), Err(ChildError::TooLong(_))), "{silent}");
        }
        let missing = run(Path::new("no-such-program"), &[], &[], Path::new("."), String::new(), limits);
        assert!(matches!(missing, Err(ChildError::Start(_))));
    }
}
