//! `laws` on the command line: exit codes, JSON, proofs.

use crate::books::book;
use crate::run::steps;
use crate::sandbox::{Ran, Sandbox};

#[test]
fn checks_end_with_the_documented_codes() {
    let sandbox = Sandbox::new();
    for clean in ["saycan-hard", "minecraft-hard", "safety-chip-demo", "saycan-hard saycan-hard"] {
        sandbox.run(&format!("laws check {clean}")).code(0);
    }
    for wrong in ["inner-monologue", "saycan-hard saycan-soft", "saycan-soft", "saycan-hard safety-chip-demo"] {
        sandbox.run(&format!("laws check {wrong}")).code(5);
    }
    sandbox.run("laws check none.toml").code(4);
    sandbox.run("laws check").code(2);
}

#[test]
fn a_question_is_answered_by_the_laws_in_the_state_of_a_run() {
    let sandbox = Sandbox::new();
    let run = "run -q --world embedded --model simulated:hasty --seed 3 --steps 12 --laws minecraft-hard";
    sandbox.run(run).code(10);
    let ask = |question: &str, more: &str| {
        let words = ["laws", "ask", question].into_iter().chain(more.split_whitespace());
        Ran::from(sandbox.command(words).output().unwrap())
    };
    // Each answer is what the shield of the run said.
    let mut blocked = 0;
    for step in &steps(&sandbox, 1)[1..] {
        for proposal in step["proposals"].as_array().unwrap() {
            let before = step["step"].as_u64().unwrap() - 1;
            let action = proposal["action"].as_str().unwrap();
            let answer = ask(action, &format!("--run 1 --step {before} --json")).code(0).json();
            let judged = &answer["explanation"]["judgement"]["kind"];
            assert_eq!(*judged, proposal["ruling"]["kind"], "{action} after step {before}");
            blocked += u32::from(judged == "blocked");
        }
    }
    assert!(blocked > 0);
    let no = ask("May I craft a furnace?", "--step 0").code(0).stdout;
    assert!(no.starts_with("no, after step 0 of run 1: action_craft_furnace is blocked by"), "{no}");
    assert!(no.contains("craft-furnace (hard): A furnace takes 8 cobblestone"), "{no}");
    let lifted = no.lines().last().unwrap();
    assert!(
        ["lifted by: ", "obs_has_8x_cobble", "obs_near_crafting_table"].iter().all(|it| lifted.contains(it)),
        "{no}"
    );
    assert!(ask("may I mine a log?", "--step 0").code(0).stdout.starts_with("yes, after step 0 of run 1"));
    // By other laws, the answer is another one.
    sandbox.write("trees.toml", &book(&[("keep-trees", "hard", "G !action_mine_log")]));
    let never = ask("may I mine a log?", "--step 0 --laws trees.toml").code(0).stdout;
    assert!(never.starts_with("no") && never.ends_with("lifted by: nothing\n"), "{never}");
    let unknown = ask("may I fly to the moon?", "").code(4).stderr;
    assert!(unknown.contains("the question names no action"), "{unknown}");
    let late = ask("action_mine_log", "--step 99").code(4).stderr;
    assert!(late.contains("run 1 has the steps 0 to 12"), "{late}");
}

#[test]
fn checks_are_data_for_scripts() {
    let sandbox = Sandbox::new();
    let clean = sandbox.run("laws check saycan-hard --json").code(0).json();
    assert_eq!(clean["consistency"]["hard"], "consistent");
    assert_eq!(clean["findings"].as_array().map(Vec::len), Some(0));
    let wrong = sandbox.run("laws check saycan-hard saycan-soft --conflicts 2 --json").code(5).json();
    let conflicts = wrong["consistency"]["conflicts"].as_array().unwrap();
    assert_eq!((conflicts.len(), &wrong["consistency"]["complete"]), (2, &serde_json::Value::Bool(false)));
    assert!(!conflicts[0]["witness"].as_array().unwrap().is_empty());
    assert!(conflicts[0]["laws"].as_array().unwrap().len() >= 2);
}

#[test]
fn a_book_written_by_hand_is_checked_listed_explained_and_compared() {
    let sandbox = Sandbox::new();
    let book = r#"name = "doors"
revision = 1

[vocabulary]
name = "doors"
observations = { dark = "it is dark", cold = "it is cold" }
actions = { open = "open the door", light = "light the lamp" }

[[law]]
id = "see-first"
formula = "G(dark -> X light)"
strength = "hard"
explanation = "Never open a door in the dark."
status = "adopted"
provenance = { origin = "hand" }
"#;
    sandbox.write("one.toml", book);
    sandbox.write("two.toml", &book.replace("X light", "X(light & !open)").replace("revision = 1", "revision = 2"));
    sandbox.write("bad.toml", &book.replace("-> X light", "-> X lihgt"));
    sandbox.run("laws check one.toml").code(0);
    let bad = sandbox.run("laws check bad.toml").code(5);
    assert!(bad.stdout.contains("bad.toml:11:") && bad.stdout.contains("did you mean `light`?"), "{}", bad.stdout);
    let listed = sandbox.run("laws list one.toml --json").code(0).json();
    assert_eq!(listed["entries"][0]["id"], "see-first");
    let explained = sandbox.run("laws explain see-first --laws one.toml --json").code(0).json();
    assert_eq!(explained[0]["form"][0]["leaves"], serde_json::json!(["light"]));
    let compared = sandbox.run("laws diff one.toml two.toml --json").code(0).json();
    assert_eq!(compared["changed"][0]["meaning"], "same");
    assert_eq!(sandbox.run("laws explain one.toml see-first --json").code(0).json(), explained);
    sandbox.run("laws explain no-such-law").code(4);
    sandbox.run("laws explain two.toml no-such-law").code(4);
    sandbox.run("laws explain one.toml see-first --laws two.toml").code(2);
    sandbox.run("laws diff one.toml bad.toml").code(4);
}

#[test]
fn the_shipped_books_are_listed() {
    let listed = Sandbox::new().run("laws list --json").code(0).json();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|book| book["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["minecraft-hard", "saycan-hard", "saycan-soft", "inner-monologue", "safety-chip-demo", "small-model"]
    );
}

#[test]
fn the_words_of_laws_are_listed_with_their_meanings() {
    let sandbox = Sandbox::new();
    let words = sandbox.run("laws words").code(0).stdout;
    let line = |name: &str| words.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap_or_default();
    assert!(line("obs_has_log").contains("observation") && line("action_mine_log").contains("action"), "{words}");
    let listed = sandbox.run("laws words --world household:mobile-1 --json").code(0).json();
    let is_told = |word: &serde_json::Value| word["meaning"].as_str().is_some_and(|meaning| !meaning.is_empty());
    assert!(listed.as_array().unwrap().iter().all(is_told), "{listed}");
    assert!(sandbox.run("laws words --world nowhere").code(2).stderr.contains("the worlds are"));
}
