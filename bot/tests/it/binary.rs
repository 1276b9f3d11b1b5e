//! The binary starts and prints its version; everything else about it is tested in `tests/`.

use std::process::Command;

#[test]
fn the_binary_says_its_version() {
    let output = Command::new(env!("CARGO_BIN_EXE_ltlcrit")).arg("--version").output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("ltlcrit {}\n", env!("CARGO_PKG_VERSION")));
}

/// On a full disk, for which a limit stands in, a recording that cannot begin leaves nothing.
#[cfg(unix)]
#[test]
fn a_recording_that_cannot_be_written_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" run --world embedded --model simulated:hoarder --record FILE";
    let mut command = Command::new("sh");
    command.current_dir(directory.path()).args(["-c", script, env!("CARGO_BIN_EXE_ltlcrit")]);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("cassette FILE: cannot write it"), "{told}");
    assert!(!directory.path().join("FILE").exists());
}
