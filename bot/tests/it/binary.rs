//! The binary starts and prints its version; everything else about it is tested in `tests/`.

use std::process::Command;

#[test]
fn the_binary_says_its_version() {
    let output = Command::new(env!("CARGO_BIN_EXE_ltlcrit")).arg("--version").output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("ltlcrit {}\n", env!("CARGO_PKG_VERSION")));
}
