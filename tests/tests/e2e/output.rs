//! The streams: colours, closed pipes, full devices.

use std::process::Stdio;

use crate::sandbox::Sandbox;

const ESCAPE: char = '\u{1b}';

#[test]
fn no_colours_in_pipes_unless_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("ltlcrit.toml", "[run]\nstpes = 9\n");
    assert!(!sandbox.run("config show").code(3).stderr.contains(ESCAPE));
    assert!(sandbox.run("config show --color always").code(3).stderr.contains(ESCAPE));
    assert!(!sandbox.run("config show --color never").code(3).stderr.contains(ESCAPE));
    assert!(!sandbox.run_with("config show", &[("NO_COLOR", "1")]).code(3).stderr.contains(ESCAPE));
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let sandbox = Sandbox::new();
    for line in ["completions bash", "config show", "config show --json"] {
        let mut child =
            sandbox.std_command(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{line}");
        // It may have written everything before the pipe was closed.
        assert!(matches!(output.status.code(), Some(0 | 141)), "{line}: {:?}", output.status);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sandbox.std_command(["config", "show"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("the output cannot be written: No space left on device"), "{stderr}");
}
