//! Ctrl-C: the run ends cleanly, prints how to resume, and can be resumed.

use std::process::{Command, Stdio};

use crate::endpoint::Endpoint;
use crate::run::steps;
use crate::sandbox::{Ran, Sandbox};

#[test]
fn ctrl_c_ends_a_run_cleanly_and_resume_goes_on() {
    let whole = Sandbox::new();
    let open = Endpoint::start();
    whole.run(&format!("run -q --steps 12 --model openai:persona --base-url {}", open.url()));

    let sandbox = Sandbox::new();
    let endpoint = Endpoint::hanging_after(5);
    let url = endpoint.url();
    let mut command = sandbox.std_command(["run", "--steps", "12", "--model", "openai:persona", "--base-url", &url]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The sixth question hangs: the run waits for its answer.
    endpoint.wait_until_asked(6);
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(kill.success());
    let ran = Ran::from(child.wait_with_output().unwrap()).code(130);
    assert!(ran.stdout.contains("interrupted after"), "{}", ran.stdout);
    assert!(ran.stdout.contains("ltlcrit resume 1"), "{}", ran.stdout);

    sandbox.run(&format!("resume -q --base-url {}", open.url()));
    assert_eq!(steps(&sandbox, 1), steps(&whole, 1));
}
