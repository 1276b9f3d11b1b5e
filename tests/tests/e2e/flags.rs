//! Help texts and wrong command lines.

use crate::sandbox::Sandbox;

#[test]
fn help_of_every_command() {
    let sandbox = Sandbox::new();
    let mut shown = String::new();
    let commands = [
        "",
        "run",
        "learn",
        "critique",
        "resume",
        "replay",
        "runs",
        "graph",
        "laws",
        "ltl",
        "store",
        "world",
        "world serve",
        "doctor",
        "config",
        "completions",
    ];
    for command in commands {
        let help = sandbox.run(&format!("{command} --help")).code(0);
        assert_eq!(help.stderr, "");
        shown.push_str(&format!("$ ltlcrit {command} --help\n{}\n", help.stdout));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn wrong_command_lines_say_what_would_be_right() {
    let sandbox = Sandbox::new();
    let mut shown = String::new();
    for line in ["rnu", "config show --jsno", "run --seed minus", "--color sometimes doctor", ""] {
        let wrong = sandbox.run(line).code(2);
        assert_eq!(wrong.stdout, "");
        shown.push_str(&format!("$ ltlcrit {line}\n{}\n", wrong.stderr));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_wrong_command_line_is_json_when_asked_for() {
    let error = Sandbox::new().run("--json config shwo").code(2).json_error();
    assert_eq!(error["code"], "usage");
    assert_eq!(error["exit"], 2);
    assert_eq!(error["message"], "unrecognized subcommand 'shwo'");
}

#[test]
fn completions_for_every_shell() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.run(&format!("completions {shell}")).code(0).stdout;
        assert!(script.contains("ltlcrit") && script.contains("replay"), "{shell}");
    }
}
