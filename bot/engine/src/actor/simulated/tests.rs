use std::collections::BTreeSet;

use ltlcrit_model::{AnswerSchema, Message, Speaker};
use serde_json::{Value, json};

use super::*;

const ACTIONS: &str = "Actions:\n- action_mine_log: Mine a log\n- action_craft_planks: Craft planks\n\
    - action_craft_wooden_pickaxe: Craft one\n- action_mine_stone: Mine stone\n- action_equip_wood_pickaxe: Equip\n\
    - action_explore_general: Explore\n- action_stop: End the run";

fn request(system: &str, user: &str, thought: bool) -> ChatRequest {
    let mut properties = json!({ "action": { "type": "string" } });
    if thought {
        properties["thought"] = json!({ "type": "string" });
    }
    ChatRequest {
        role: Role::Actor,
        messages: vec![
            Message { speaker: Speaker::System, text: system.to_owned() },
            Message { speaker: Speaker::User, text: user.to_owned() },
        ],
        answer: Some(AnswerSchema { name: "x".into(), schema: json!({ "properties": properties }) }),
        temperature: 0.1,
        max_tokens: 100,
        body: Default::default(),
    }
}

/// A wooden pickaxe is carried but not in the hand: a state that invites mistakes.
const TEMPTING: &str = "Step 11.\n<state>\nInventory: 2 oak_planks, 2 stick, 1 wooden_pickaxe\nEquipped: nothing\n\
    What holds: obs_has_plank, obs_has_2x_plank, obs_has_2x_stick, obs_has_wood_pickaxe, obs_near_crafting_table\n</state>\n";

async fn ask(persona: &'static str, seed: u64, request: &ChatRequest) -> String {
    Simulated::open(&PersonaSource::Shipped(persona), seed).unwrap().ask(request).await.unwrap().text().to_owned()
}

fn action(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    Some(value["action"].as_str()?.to_owned())
}

#[tokio::test]
async fn the_same_seed_and_question_get_the_same_answer_and_others_differ() {
    let question = request(ACTIONS, TEMPTING, true);
    let mut answers = BTreeSet::new();
    for seed in 0..200 {
        let answer = ask("inner-monologue", seed, &question).await;
        assert_eq!(answer, ask("inner-monologue", seed, &question).await);
        answers.insert(answer);
    }
    assert!(answers.len() >= 4, "{answers:?}");
    let actions: BTreeSet<String> = answers.iter().filter_map(|answer| action(answer)).collect();
    for expected in ["action_equip_wood_pickaxe", "action_mine_stone", "action_use_wood_pickaxe"] {
        assert!(actions.contains(expected), "the right action, the mistake, the invented name: {actions:?}");
    }
    assert!(answers.iter().any(|answer| action(answer).is_none()), "some answers are no action at all");
}

#[tokio::test]
async fn the_same_facts_in_other_words_get_the_same_answer() {
    let words =
        format!("Observations:\n- obs_has_plank: You carry planks\n\n{ACTIONS}\n\nWords used here:\n- Nearby: near\n");
    let words = words.replace("Mine a log", "Fell a tree");
    let seen =
        TEMPTING.replace("Equipped: nothing\n", "Equipped: nothing\nPlaced: furnace at (1, 2, 3), 5.1 blocks away\n");
    let later = TEMPTING.replace("Step 11", "Step 12");
    let mut others = 0;
    for seed in 0..200 {
        let answer = ask("inner-monologue", seed, &request(ACTIONS, TEMPTING, true)).await;
        assert_eq!(ask("inner-monologue", seed, &request(&words, &seen, true)).await, answer);
        others += usize::from(ask("inner-monologue", seed, &request(&words, &later, true)).await != answer);
    }
    assert!(others > 20, "another step is another question: {others}");
}

#[tokio::test]
async fn the_careful_persona_makes_no_mistakes() {
    for seed in 0..100 {
        let answer = ask("careful", seed, &request(ACTIONS, TEMPTING, false)).await;
        assert_eq!(answer, r#"{"action":"action_equip_wood_pickaxe"}"#);
    }
}

#[tokio::test]
async fn feedback_is_heeded() {
    let blocked = format!("{TEMPTING}\nRefused in this step:\n- action_equip_wood_pickaxe was blocked: a law\n");
    let listed = format!("{TEMPTING}\nOnly these actions are allowed now: action_mine_log\n");
    for seed in 0..100 {
        for (user, allowed) in [
            (
                &blocked,
                &[
                    "action_mine_log",
                    "action_craft_planks",
                    "action_craft_wooden_pickaxe",
                    "action_mine_stone",
                    "action_explore_general",
                ][..],
            ),
            (&listed, &["action_mine_log"]),
        ] {
            let answer = ask("inner-monologue", seed, &request(ACTIONS, user, true)).await;
            // A garbled or invented answer is not a choice.
            if let Some(action) = action(&answer).filter(|action| ACTIONS.contains(action.as_str())) {
                assert!(allowed.contains(&action.as_str()), "{action} after {user}");
            }
        }
    }
}

#[tokio::test]
async fn at_the_goal_it_stops() {
    let user = format!("{TEMPTING}\nThe goal is reached. The run ends with action_stop.\n");
    assert_eq!(ask("careful", 1, &request(ACTIONS, &user, false)).await, r#"{"action":"action_stop"}"#);
}

#[tokio::test]
async fn the_more_laws_it_is_told_the_less_it_heeds_one() {
    let mut mistakes = Vec::new();
    for others in [0, 15, 60] {
        let mut system = "Laws:\n1. Stone yields nothing without a pickaxe in the hand.".to_owned();
        for law in 0..others {
            system += &format!("\n{}. Keep rule number {law}.", law + 2);
        }
        let question = request(&format!("{system}\n\n{ACTIONS}"), TEMPTING, false);
        let mut count = 0;
        for seed in 0..1000 {
            let answer = ask("nl-constraints", seed, &question).await;
            count += usize::from(action(&answer).as_deref() == Some("action_mine_stone"));
        }
        mistakes.push(count);
    }
    assert!(mistakes[0] < mistakes[1] && mistakes[1] < mistakes[2], "{mistakes:?}");
    assert!(mistakes[0] * 4 < mistakes[2], "{mistakes:?}");
}

#[tokio::test]
async fn saycan_values_every_action_it_is_asked_to_and_likes_to_explore() {
    let mut question = request(ACTIONS, TEMPTING, false);
    let names = ["action_explore_general", "action_equip_wood_pickaxe", "action_mine_log"];
    let properties: serde_json::Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
    question.answer = Some(AnswerSchema {
        name: "action_values".into(),
        schema: json!({ "properties": { "values": { "properties": properties } } }),
    });
    let mut explored = 0;
    for seed in 0..100 {
        let Ok(answer) = serde_json::from_str::<Value>(&ask("saycan", seed, &question).await) else { continue };
        let values = answer["values"].as_object().unwrap();
        assert_eq!(values.len(), names.len());
        assert!(values.values().all(|value| (0.0..=10.0).contains(&value.as_f64().unwrap())));
        explored += usize::from(names[1..].iter().all(|name| values[*name].as_f64() < values[names[0]].as_f64()));
    }
    assert!(explored > 80, "{explored}");
}

#[tokio::test]
async fn a_persona_says_that_it_is_one_and_plays_no_other_part() {
    let model = Simulated::open(&PersonaSource::Shipped("naive"), 1).unwrap();
    assert_eq!(model.info(), ModelInfo::simulated("simulated:naive"));
    let question = ChatRequest { role: Role::Critic, ..request(ACTIONS, TEMPTING, false) };
    let error = model.ask(&question).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "the model `simulated:naive` did not answer: personas only choose actions; ask a language model \
         (`openai:MODEL`) for anything else"
    );
    let usage = model.ask(&request(ACTIONS, TEMPTING, false)).await.unwrap().usage;
    assert!(usage.total() > 0 && usage.estimated == usage.total());
}

#[tokio::test]
async fn worlds_it_does_not_know_get_some_offered_action() {
    let system = "Actions:\n- left: Go left\n- right: Go right\n- action_stop: End the run";
    for persona in ["naive", "careful"] {
        for seed in 0..50 {
            let text = ask(persona, seed, &request(system, "Step 1.\n<state>\nat_0\n</state>\n", false)).await;
            if let Some(action) = action(&text).filter(|_| persona == "careful") {
                assert!(["left", "right"].contains(&action.as_str()), "{action}");
            }
        }
    }
}

fn shipped(name: &'static str) -> Persona {
    PersonaSource::Shipped(name).open().unwrap()
}

#[test]
fn every_shipped_persona_is_listed_once_and_is_its_file() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("personas");
    let mut files: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap().trim_end_matches(".toml").to_owned())
        .collect();
    files.sort();
    let mut names: Vec<&str> = PersonaSource::names().collect();
    names.sort_unstable();
    assert_eq!(names, files);
    for name in names {
        assert_eq!(*shipped(name).name, *name);
        assert_eq!(name.parse(), Ok(PersonaSource::Shipped(name)));
    }
}

#[test]
fn the_documented_examples_are_personas() {
    for (text, prefix) in [(include_str!("../../../../../docs/personas.md"), ""), (include_str!("persona.rs"), "///")] {
        let lines = text.lines().map(|line| line.trim_start_matches(prefix)).map(str::trim);
        let example: Vec<&str> =
            lines.skip_while(|line| *line != "```toml").skip(1).take_while(|line| *line != "```").collect();
        Persona::parse(&example.join("\n"), "example").unwrap();
    }
}

#[test]
fn the_sets_are_fixed() {
    let of = |set| PersonaSource::names().filter(|name| shipped(name).set == set).collect::<Vec<_>>().join(" ");
    assert_eq!(
        of(PersonaSet::Development),
        "naive saycan hoarder wasteful stubborn wanderer sloppy burrower feller quarrier whittler"
    );
    assert_eq!(of(PersonaSet::HeldOut), "inner-monologue hasty forgetful restless digger");
    assert_eq!(of(PersonaSet::Control), "careful nl-constraints");
}

#[test]
fn wrong_files_are_refused_with_their_place() {
    let head = "name = \"mine\"\ndescription = \"Mine\"\nset = \"development\"\nactor = \"naive\"\n";
    let habit = |rest: &str| format!("{head}[[habit]]\naction = \"again\"\nrate = 1\n{rest}\n");
    let cases = [
        "name = \"mine\"\n".to_owned(),
        "name = \"two\\nlines\"\n".to_owned(),
        format!("name = \"{}\"\n", "m".repeat(201)),
        format!("{head}colour = \"red\"\n"),
        format!("{head}[rates]\nwrong_tol = 0.5\n"),
        format!("{head}[rates]\nwrong_tool = 1.5\n"),
        format!("{head}[rates]\nwrong_tool = nan\n"),
        format!("{head}[rates\n"),
        head.replace("development", "held out"),
        head.replace("naive", "naiv"),
        format!("{head}knows = \"inventry\"\n"),
        format!("{head}spare_cobble = -1\n"),
        format!("{head}[[habit]]\naction = \"action_mine_wood\"\nrate = 1\n"),
        format!("{head}[[habit]]\naction = \"again\"\nrate = -0.1\n"),
        habit("instead_of = \"action_mine_log\""),
        habit("instead_of = [\"mine_log\"]"),
        habit("when = [\"obs_has_logs\"]"),
        habit("after = \"failing\""),
        habit("below = { logs = 3 }"),
        habit("below = { log = 2.5 }"),
    ];
    let shown: Vec<String> = cases
        .iter()
        .map(|text| {
            let error = Persona::parse(text, "mine.toml").unwrap_err();
            let lines = [Some(error.message), error.place, Some(error.details.join("\n")), error.help];
            format!("{text}---\n{}", lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_file_is_used_as_long_as_it_does_not_change() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mine.toml");
    let text = "name = \"mine\"\ndescription = \"Mine\"\nset = \"control\"\nactor = \"naive\"\n";
    let source: PersonaSource = path.to_str().unwrap().parse().unwrap();
    assert!(source.open().unwrap_err().message.contains("cannot be read"));
    std::fs::write(&path, text).unwrap();
    let pinned = source.pinned().unwrap();
    assert_eq!(*pinned.open().unwrap().name, *"mine");
    assert_eq!(pinned.to_string().parse(), Ok(pinned.clone()));
    assert_eq!(Simulated::open(&source, 1).unwrap().info().name, format!("simulated:{pinned}"));
    std::fs::write(&path, format!("{text}spare_cobble = 1\n")).unwrap();
    assert!(source.open().is_ok());
    assert!(pinned.open().unwrap_err().message.contains("has changed"));
    std::fs::write(&path, " ".repeat(64 * 1024 + 1)).unwrap();
    let error = source.open().unwrap_err().to_string();
    assert!(error.ends_with("it is longer than 65536 bytes"), "{error}");
}

/// Counts the actions that a persona takes in a state over a hundred seeds.
async fn choices(persona: &'static str, user: &str) -> std::collections::BTreeMap<String, u32> {
    let mut system = "Actions:\n".to_owned();
    for action in ltlcrit_minecraft::vocabulary().actions() {
        system += &format!("- {}: {}\n", action.name, action.meaning);
    }
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..100 {
        if let Some(action) = action(&ask(persona, seed, &request(&system, user, false)).await) {
            *counts.entry(action).or_insert(0) += 1;
        }
    }
    counts
}

fn state(inventory: &str, holds: &str) -> String {
    format!("Step 9.\n<state>\nInventory: {inventory}\nEquipped: nothing\nWhat holds: {holds}\n</state>\n")
}

/// Describes a state with a wooden pickaxe in the hand and enough material for a stone pickaxe.
fn stone_pickaxe(cobblestones: u32) -> String {
    state(
        &format!("{cobblestones} cobblestone, 2 oak_planks, 2 stick, 1 wooden_pickaxe"),
        "obs_has_plank, obs_has_2x_plank, obs_has_2x_stick, obs_has_3x_cobble, obs_has_wood_pickaxe, \
         obs_wood_pickaxe_equipped, obs_near_crafting_table",
    )
}

#[tokio::test]
async fn a_hoarder_counts_beyond_the_observations() {
    assert!(choices("hoarder", &stone_pickaxe(11)).await["action_mine_stone"] > 80);
    assert_eq!(choices("hoarder", &stone_pickaxe(16)).await["action_craft_stone_pickaxe"], 100);
}

#[tokio::test]
async fn habits_replace_the_sensible_action_at_their_rate() {
    for (persona, action, range) in [
        ("careful", "action_craft_stone_pickaxe", 100..=100),
        ("digger", "action_explore_diamond_down", 15..=45),
        ("restless", "action_explore_general", 30..=60),
        ("wasteful", "action_craft_stick", 5..=30),
        ("wanderer", "action_explore_general", 15..=45),
        ("burrower", "action_explore_diamond_down", 10..=30),
    ] {
        let counts = choices(persona, &stone_pickaxe(3)).await;
        assert!(range.contains(&counts[action]), "{persona}: {counts:?}");
    }
}

#[tokio::test]
async fn some_habits_follow_a_failure_and_others_a_success() {
    let after = |how: &str| format!("Steps so far:\nStep 8: action_mine_log {how}: so\n\n{}", stone_pickaxe(3));
    let (failed, done) = (after("failed (not_visible)"), after("succeeded"));
    for (persona, more, less) in [("stubborn", &failed, &done), ("forgetful", &done, &failed)] {
        let (more, less) = (choices(persona, more).await, choices(persona, less).await);
        let again = |counts: &std::collections::BTreeMap<String, u32>| counts.get("action_mine_log").copied();
        assert!(again(&more) > Some(10), "{persona}: {more:?}");
        assert_eq!(again(&less), None, "{persona}: {less:?}");
    }
}

#[tokio::test]
async fn a_habit_that_is_blocked_gives_way_to_the_sensible_action() {
    let user = format!("{}\nRefused in this step:\n- action_mine_stone was blocked: a law\n", stone_pickaxe(11));
    assert_eq!(choices("hoarder", &user).await["action_craft_stone_pickaxe"], 100);
}

#[tokio::test]
async fn a_persona_that_reads_observations_does_not_count() {
    // Three logs make enough planks for table and pickaxe, one does not; the observations are the same.
    let logs = state("3 oak_log", "obs_has_log, obs_has_fuel, obs_log_in_chunk");
    let few = state("1 oak_log", "obs_has_log, obs_has_fuel, obs_log_in_chunk");
    assert_eq!(choices("careful", &logs).await["action_craft_planks"], 100);
    assert_eq!(choices("careful", &few).await["action_mine_log"], 100);
    for user in [&logs, &few] {
        assert!(choices("forgetful", user).await["action_craft_planks"] > 80);
    }
}
