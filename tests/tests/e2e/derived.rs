//! Commands report the observations that books derive.

use crate::sandbox::Sandbox;

const ENOUGH: &str = r#"name = "enough"
vocabulary = "minecraft"
revision = 1

[[proposition]]
name = "obs_has_5x_log"
definition = "inventory[*_log] >= 5"
meaning = "carries at least five logs"

[[law]]
id = "five-logs"
formula = "G(obs_has_5x_log -> X !action_mine_log)"
strength = "soft"
explanation = "Five logs are enough for everything up to the diamond."
status = "adopted"
provenance = { origin = "hand" }
"#;

#[test]
fn commands_speak_of_what_books_derive() {
    let sandbox = Sandbox::new();
    sandbox.write("enough.toml", ENOUGH);
    sandbox.run("laws check minecraft-hard enough.toml --world minecraft").code(0);
    let json = |arguments: &str| sandbox.run(&format!("--json {arguments}")).json();
    let list = sandbox.run("laws list enough.toml").code(0).stdout;
    assert!(list.contains("obs_has_5x_log := inventory[*_log] >= 5  carries at least five logs"), "{list}");
    assert_eq!(json("laws list enough.toml")["derived"][0]["definition"], "inventory[*_log] >= 5");
    let explained = sandbox.run("laws explain enough.toml five-logs").code(0).stdout;
    assert!(explained.contains("carries at least five logs := inventory[*_log] >= 5"), "{explained}");
    // A run without the book, and the same run with it.
    let embedded = "run --world embedded --model simulated:hoarder --seed 1 --steps 60";
    let old = json(embedded);
    let replayed = json("replay 1 --laws enough.toml");
    assert!(replayed["counts"]["executed_now_blocked"].as_u64().unwrap() > 0, "{old}\n{replayed}");
    let new = json(&format!("{embedded} --laws minecraft-hard --laws enough.toml"));
    let replayed = json("replay 2 --laws enough.toml");
    assert_eq!(replayed["counts"]["executed_now_blocked"], 0, "{new}\n{replayed}");
    assert!(replayed["counts"]["blocks_by_law"]["five-logs"].as_u64().unwrap() > 0);
    // Both runs are read together, although they derive different observations.
    for command in [
        "replay 2 --laws minecraft-hard",
        "graph all",
        "graph 2 1",
        "critique all --dry-run",
        "laws pending enough.toml",
        "store verify",
        "runs list",
    ] {
        sandbox.run(command).code(0);
    }
    let audit =
        sandbox.run("laws audit enough.toml --with minecraft-hard --seeds 1-2 --model simulated:hoarder --steps 40");
    assert!(audit.stdout.contains("five-logs"), "{audit:?}");
    let learn = "learn --model simulated:hoarder --laws minecraft-hard --laws enough.toml --iterations 1 --episodes 2";
    sandbox.run(&format!("{learn} --steps 40")).code(0);
}

/// Every command that uses or checks a book rejects a nonexistent field, with its place.
#[test]
fn a_misspelt_field_is_refused_by_every_command() {
    let sandbox = Sandbox::new();
    let run = "run --world embedded --model simulated:hoarder --seed 1 --steps 2";
    sandbox.run(run).code(10);
    let commands = [
        ("laws check misspelt.toml", 5),
        ("laws check misspelt.toml --world minecraft", 5),
        (&format!("{run} --laws misspelt.toml"), 4),
        ("replay 1 --laws misspelt.toml", 4),
        ("learn --model simulated:hoarder --laws misspelt.toml --iterations 1 --episodes 1 --steps 2", 4),
        ("critique all --dry-run --laws misspelt.toml", 4),
        ("laws audit misspelt.toml --seeds 1 --model simulated:hoarder --steps 2", 4),
    ];
    for (definition, meant) in [
        ("nearby[*_ore].distanse <= 3", "did you mean `distance`?"),
        ("position.yy >= 0", "`position` has `x`, `y`, `z`"),
        ("health.foo <= 100000", "`health` is a number and has no fields"),
        ("heatlh <= 5", "did you mean `health`?"),
        ("equipped >= 1", "`equipped` is a text, not a number"),
    ] {
        sandbox.write("misspelt.toml", &ENOUGH.replace("inventory[*_log] >= 5", definition).replace("soft", "hard"));
        let commands = if definition.starts_with("nearby") { &commands[..] } else { &commands[..3] };
        for (command, code) in commands {
            let told = sandbox.run(command).code(*code).shown();
            for part in ["misspelt.toml:7:15", "`obs_has_5x_log`: ", meant, &definition[..6]] {
                assert!(told.contains(part), "{command} does not say {part}: {told}");
            }
        }
    }
}

/// A name without a match may be valid on a server of another kind, so it is only a warning.
#[test]
fn a_pattern_that_matches_nothing_is_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write("misspelt.toml", &ENOUGH.replace("*_log", "*_lgo"));
    let message = "`*_lgo` matches nothing that `inventory` of this world can have";
    let run = "run --world embedded --model simulated:hoarder --seed 1 --steps 2 --laws misspelt.toml";
    let learn = "learn --model simulated:hoarder --laws misspelt.toml --iterations 1 --episodes 1 --steps 2";
    let (check, again) = ("laws check misspelt.toml --world minecraft", "replay 1 --laws misspelt.toml");
    for (command, code) in [(check, Some(5)), (run, None), (again, Some(0)), ("replay 1", Some(0)), (learn, None)] {
        let ran = sandbox.run(command);
        let told = ran.shown();
        assert!(code.is_none_or(|code| code == ran.code), "{command}: {told}");
        assert!(told.contains("warning") && told.contains(message), "{command}: {told}");
        assert!(told.contains("did you mean `*_log`?"), "{command}: {told}");
    }
}
