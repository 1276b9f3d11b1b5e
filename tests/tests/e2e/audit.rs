//! `laws audit`: judges a book's blocks by executing the blocked actions.

use serde_json::Value;

use crate::books::book;
use crate::sandbox::Sandbox;

/// The second law is wrong: it blocks the only useful action.
const LAWS: [(&str, &str, &str); 3] = [
    ("no-furnace-yet", "soft", "G(!obs_has_8x_cobble -> X !action_craft_furnace)"),
    ("no-diamond", "soft", "G(obs_iron_pickaxe_equipped & obs_diamond_in_chunk -> X !action_mine_diamond)"),
    ("nothing-after", "soft", "G(obs_has_diamond -> X !action_mine_log)"),
];

fn law<'a>(document: &'a Value, id: &str) -> &'a Value {
    document["laws"].as_array().unwrap().iter().find(|law| law["law"] == id).unwrap()
}

#[test]
fn a_wrong_law_is_told_from_a_right_one() {
    let sandbox = Sandbox::out_of_the_box();
    sandbox.write("mine.toml", &book(&LAWS));
    let document = sandbox.run("laws audit mine.toml --steps 60 --seeds 1-4 --json").code(0).json();
    assert_eq!(
        (&document["simulated"], &document["book"], &document["episodes"]),
        (&true.into(), &"mine@1".into(), &4.into())
    );
    let right = law(&document, "no-furnace-yet");
    assert_eq!((&right["precision"], &right["wrong"]), (&1.0.into(), &0.into()));
    let wrong = law(&document, "no-diamond");
    assert!(wrong["wrong"].as_u64() > Some(0) && wrong["steps_lost"].as_u64() > Some(0), "{wrong}");
    let block = &wrong["wrong_blocks"][0];
    assert_eq!(block["action"], "action_mine_diamond");
    assert!(block["held"].as_array().unwrap().contains(&"obs_diamond_in_chunk".into()), "{block}");
    assert!(block["steps"].as_u64() < block["best_allowed"].as_u64(), "{block}");
    let never = law(&document, "nothing-after");
    assert_eq!((&never["blocks"], &never["precision"]), (&0.into(), &Value::Null));
    for kind in ["blocks", "right", "harmless", "wrong"] {
        assert!(document[kind].as_u64() <= document["blocks"].as_u64(), "{kind}");
    }
    // Nothing is stored, and equal seeds give equal results.
    assert!(!sandbox.path().join(".ltlcrit").exists());
    assert_eq!(sandbox.run("laws audit mine.toml --steps 60 --seeds 1-3,4 --json").code(0).json(), document);

    let text = sandbox.run("laws audit mine.toml --steps 60 --seeds 1-4").code(0);
    let never = text.stdout.lines().find(|line| line.starts_with("nothing-after")).unwrap();
    assert_eq!(never.split_whitespace().skip(1).collect::<Vec<_>>(), ["0", "0", "0", "0", "-", "0", "0"]);
    assert!(text.stdout.contains("where ") && text.stdout.contains("wrong block"), "{}", text.stdout);
    assert!(text.stdout.contains("simulated") && text.stderr.contains("seeds 1-4"), "{}", text.stderr);
    for line in text.stdout.lines().chain(text.stderr.lines()) {
        assert!(line.chars().count() <= 80, "wider than a terminal of 80 columns: {line}");
    }
}

#[test]
fn what_cannot_be_audited_is_refused() {
    let sandbox = Sandbox::new();
    let unshielded = sandbox.run("laws audit minecraft-hard --actor nl-constraints").code(2);
    assert!(unshielded.stderr.contains("nl-constraints"), "{}", unshielded.stderr);
    assert!(sandbox.run("laws audit minecraft-hard --seeds 9-3").code(2).stderr.contains("\"1-30\""));
    assert!(sandbox.run("laws audit minecraft-hrad").code(4).stderr.contains("minecraft-hard"));
    sandbox.run("laws audit minecraft-hard --with minecraft-hard").code(4);
    sandbox.run("laws audit safety-chip-demo").code(4);
    sandbox.run("laws audit minecraft-hard --model cassette:none").code(4);
    sandbox.run("laws audit minecraft-hard --seeds 1 --max-requests 3").code(11);
}
