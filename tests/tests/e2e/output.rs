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
        // The program may write everything before the pipe is closed.
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

#[test]
fn a_run_whose_reader_is_gone_is_stored_all_the_same() {
    let sandbox = Sandbox::new();
    let arguments = ["run", "-q", "--model", "simulated:careful", "--steps", "3"];
    let mut child = sandbox.std_command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(141), Vec::new()));
    assert_eq!(sandbox.run("runs list --json").code(0).json()["runs"][0]["steps"], 3);
}

#[test]
fn every_result_is_one_json_document_when_asked_for() {
    let sandbox = Sandbox::new();
    for line in [
        "run --model simulated:careful --steps 3",
        "resume --steps 4",
        "learn --iterations 1 --episodes 1 --model simulated:careful",
        "critique --dry-run",
        "replay",
        "replay 1 --laws saycan-hard",
        "runs list",
        "runs show 1",
        "report 1",
        "store stats",
        "store verify",
        "doctor",
        "config show",
        "config show --defaults",
        "personas",
        "laws list",
        "laws list minecraft-hard",
        "laws check inner-monologue",
        "laws explain mine-stone",
        "laws diff saycan-hard minecraft-hard",
        "ltl judge F(a) b;a",
        "ltl allowed --laws minecraft-hard obs_has_log,obs_has_fuel",
    ] {
        let ran = sandbox.run(&format!("--json {line}"));
        assert_eq!(ran.stderr, "", "{line}");
        assert!(ran.json().is_object() || ran.json().is_array(), "{line}: {}", ran.stdout);
        assert!(matches!(ran.code, 0 | 5 | 10), "{line}: {}", ran.shown());
    }
    for line in [
        "run --laws missing",
        "learn --laws missing",
        "critique 9",
        "resume 9",
        "replay 9",
        "runs show 9",
        "laws check missing",
        "ltl judge F( a",
    ] {
        let ran = sandbox.run(&format!("--json {line}"));
        assert_eq!(ran.stdout, "", "{line}");
        let error = ran.json_error();
        assert_eq!(error["exit"], ran.code, "{line}");
        assert!(!error["message"].as_str().unwrap().is_empty(), "{line}");
    }
}
