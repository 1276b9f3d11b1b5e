//! Foreign text: its escapes never reach a terminal, in any output.

use std::fs;

use serde_json::Value;

use crate::sandbox::{Ran, Sandbox};

/// Clears the screen, sets the title, reverses the direction of text, and forges a line of output, in JSON and in TOML.
pub const HOSTILE: &str = r"x\u001b[2J\u001b]0;y\u0007\u009b1m\u202e\u2028\u200b\nerror: forged\ry";

/// A book of laws with hostile text in every free field.
fn book(revision: u32, explanation: &str) -> String {
    format!(
        r#"
name = "strange"
description = "{HOSTILE}"
revision = {revision}

[vocabulary]
name = "strange"
observations = {{ hot = "{HOSTILE}" }}
actions = {{ grab = "{HOSTILE}" }}

[[law]]
id = "no-burns"
formula = "G(hot -> X !grab)"
strength = "soft"
explanation = "{explanation}"
status = "proposed"
note = "{HOSTILE}"
provenance = {{ origin = "translation", sentence = "{HOSTILE}", model = "{HOSTILE}", reference = "{HOSTILE}" }}

[[law]]
id = "gone"
formula = "G(hot -> X grab)"
strength = "soft"
explanation = "{HOSTILE}"
status = "retired"
reason = "{HOSTILE}"
provenance = {{ origin = "hand", reference = "{HOSTILE}" }}
"#
    )
}

/// Checks the printed text and returns the result.
#[track_caller]
fn harmless(line: &str, ran: Ran) -> Ran {
    for text in [&ran.stdout, &ran.stderr] {
        let obeyed = |c: char| {
            c.is_control() && c != '\n' || "\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202e}\u{feff}".contains(c)
        };
        assert!(!text.contains(obeyed), "{line}: {text:?}");
        assert!(!text.lines().any(|line| line.starts_with("error: forged")), "{line}: {text}");
    }
    ran
}

#[test]
fn books_cannot_command_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write("strange.toml", &book(1, HOSTILE));
    sandbox.write("other.toml", &book(2, "Quite another reason."));
    let mine = book(1, HOSTILE).replace("G(hot -> X !grab)", "G(obs_has_log -> X !action_mine_log)");
    let (head, laws) = mine.split_once("[vocabulary]").unwrap();
    let (_, laws) = laws.split_once("\n\n").unwrap();
    let (law, _) = laws.split_once("\n\n").unwrap();
    let law = law.replace("\"proposed\"", "\"adopted\"");
    sandbox.write("mine.toml", &format!("{head}vocabulary = \"minecraft\"\n{law}\n"));
    let blocked = harmless("run", sandbox.run("run --laws mine.toml --steps 40"));
    assert!(blocked.stderr.contains("no-burns: x"), "{}", blocked.shown());
    for line in [
        "laws check strange.toml",
        "laws list strange.toml",
        "laws explain no-burns --laws strange.toml",
        "laws pending strange.toml",
        "laws blame strange.toml no-burns",
        "laws blame strange.toml gone",
        "laws diff strange.toml other.toml",
        "laws adopt strange.toml no-burns",
        "laws history strange",
        "run --laws strange.toml",
        "runs show last",
        "replay last --laws mine.toml --all",
    ] {
        let ran = harmless(line, sandbox.run(line));
        assert!(matches!(ran.code, 0 | 2 | 4 | 5), "{line}: {}", ran.shown());
        let ran = harmless(line, sandbox.run(&format!("{line} --json")));
        assert!(ran.stdout.is_empty() || ran.json().is_object() || ran.json().is_array(), "{line}: {}", ran.shown());
    }
}

/// Replaces the text of a JSON string in a document.
fn set(document: &mut Value, pointer: &str, text: &str) {
    *document.pointer_mut(pointer).unwrap() = Value::String(text.to_owned());
}

/// The cassette of a run has a hostile model name, thought and actions, and so has a store.
#[test]
fn models_cannot_command_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --steps 3 --model simulated:careful --record talk").code(10);
    let hostile: String = serde_json::from_str(&format!("\"{HOSTILE}\"")).unwrap();
    let recorded = fs::read_to_string(sandbox.path().join("talk")).unwrap();
    let mut lines: Vec<Value> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    set(&mut lines[0], "/model/name", &hostile);
    let thought = serde_json::json!({ "thought": hostile, "action": format!("action_{hostile}") }).to_string();
    set(&mut lines[1], "/reply/text", &thought);
    set(&mut lines[2], "/reply/text", &hostile);
    let tape: String = lines.iter().map(|line| format!("{line}\n")).collect();
    sandbox.write("hostile", &tape);
    for line in
        ["run --steps 3 --model cassette:hostile", "runs list", "runs show last", "replay last --all", "resume last"]
    {
        harmless(line, sandbox.run(line));
        harmless(line, sandbox.run(&format!("{line} --json")));
    }
    let exported = harmless("store export", sandbox.run("store export --format jsonl").code(0));
    assert!(exported.stdout.contains("forged"), "the text is kept: {}", exported.stdout);
}
