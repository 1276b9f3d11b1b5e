//! Help texts and wrong command lines.

use crate::sandbox::Sandbox;

/// The page of the book with the help of every command.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/help.md");

/// `UPDATE_HELP=1` writes the page anew.
#[test]
fn the_page_has_the_help_of_every_command() {
    let sandbox = Sandbox::new();
    let mut page = "# Help of every command\n\nThis page is what `--help` prints. A test compares it.\n".to_owned();
    for command in commands(&ltlcrit::cli::command(), "") {
        let help = sandbox.run(&format!("{command} --help")).code(0);
        assert_eq!(help.stderr, "");
        // Global options are shown once.
        let own = if command.is_empty() { &help.stdout } else { help.stdout.split("Global options:").next().unwrap() };
        let name = format!("ltlcrit {command}");
        page.push_str(&format!("\n## {}\n\n```\n{}\n```\n", name.trim_end(), own.trim_end()));
        assert!(help.stdout.contains("Global options:"), "{command}");
    }
    if std::env::var_os("UPDATE_HELP").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let written = std::fs::read_to_string(PAGE).unwrap();
    assert!(written == page, "docs/help.md is old: set UPDATE_HELP=1, run this test again and look at the difference");
}

/// The examples of all commands are command lines of the program.
#[test]
fn examples_in_help_can_be_typed() {
    let mut examples = 0;
    for command in commands(&ltlcrit::cli::command(), "") {
        let names = command.split_whitespace();
        let command = names.fold(ltlcrit::cli::command(), |above, name| above.find_subcommand(name).unwrap().clone());
        let text = command.get_before_help().map(ToString::to_string).unwrap_or_default();
        for line in text.lines().filter(|line| line.starts_with("  ltlcrit ")) {
            let typed = line.trim().split("  ").next().unwrap();
            assert!(!line.trim()[typed.len()..].trim().is_empty(), "{line} says nothing");
            ltlcrit::cli::command().try_get_matches_from(typed.split(' ')).unwrap();
            examples += 1;
        }
    }
    assert!(examples >= 15, "{examples}");
}

/// A command and all below it, as they are typed.
fn commands(command: &clap::Command, typed: &str) -> Vec<String> {
    let mut all = vec![typed.trim_end().to_owned()];
    // The guard has a command line of its own, which its tests show.
    for below in command.get_subcommands().filter(|below| !["help", "guard"].contains(&below.get_name())) {
        all.extend(commands(below, &format!("{typed}{} ", below.get_name())));
    }
    all
}

#[test]
fn wrong_command_lines_say_what_would_be_right() {
    let sandbox = Sandbox::new();
    let mut shown = String::new();
    let lines = [
        "rnu",
        "config show --jsno",
        "run --seed minus",
        "run --seed -1",
        "run --max-cost -1",
        "learn --episodes 0",
        "learn --test 5000000000",
        "learn --seed 18446744073709551615 --episodes 2",
        "critique --margin -1",
        "critique 9-3",
        "graph --states many",
        "replay nine",
        "laws reject house.toml one-furnace",
        "--color sometimes doctor",
        "",
    ];
    for line in lines {
        let wrong = sandbox.run(line).code(2);
        assert_eq!(wrong.stdout, "");
        shown.push_str(&format!("$ ltlcrit {line}\n{}\n", wrong.stderr));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn what_is_not_there_is_said_with_what_there_is() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --steps 2").code(10);
    let mut shown = String::new();
    let lines = [
        ("run --laws none.toml", 4),
        ("laws pending none.toml", 4),
        ("laws blame minecraft-hard craft-furnac", 4),
        ("laws adopt minecraft-hard nothing", 4),
        ("laws history none", 4),
        ("laws diff minecraft-hard@1 minecraft-hard@one", 4),
        ("laws diff minecraft-hard@1 minecraft-hard@7", 4),
        ("learn --model cassette:none", 4),
        ("critique --critic cassette:none", 4),
        ("critique --book none/learned.toml", 1),
        ("critique 7", 4),
        ("graph 7", 4),
        ("replay 7", 4),
        ("replay last --laws none.toml", 4),
        ("resume 7", 4),
        ("runs show 7", 4),
        ("runs list --store none", 6),
        ("store export --format jsonl --output none/runs.jsonl", 1),
        ("doctor --offline --laws none.toml", 5),
    ];
    for (line, code) in lines {
        let ran = sandbox.run(line).code(code);
        shown.push_str(&format!("$ ltlcrit {line}\n{}{}\n", ran.stdout, ran.stderr));
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
