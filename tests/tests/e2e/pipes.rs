//! Named pipes in place of files are refused: reading one without a writer would never end.

use std::process::Command;

use crate::sandbox::Sandbox;

#[test]
fn a_pipe_is_refused_at_once_wherever_a_file_is_named() {
    let sandbox = Sandbox::new();
    let made = Command::new("mkfifo").arg(sandbox.path().join("pipe.toml")).status().unwrap();
    assert!(made.success());
    for line in [
        "laws check pipe.toml",
        "run --laws pipe.toml",
        "run --config pipe.toml",
        "run --model cassette:pipe.toml",
        "run --record pipe.toml",
        "run --record pipe.toml --overwrite",
        "learn --book pipe.toml",
    ] {
        let ran = sandbox.run(line);
        assert!(matches!(ran.code, 2..=6), "{line}: {}", ran.shown());
        assert!(ran.stderr.contains("pipe"), "{line}: {}", ran.shown());
    }
}
