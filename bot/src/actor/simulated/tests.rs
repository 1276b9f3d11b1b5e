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
    }
}

/// A wooden pickaxe is carried but not in the hand: a place where mistakes are made.
const TEMPTING: &str = "Step 11.\n<state>\nInventory: 2 oak_planks, 2 stick, 1 wooden_pickaxe\nEquipped: nothing\n\
    What holds: obs_has_plank, obs_has_2x_plank, obs_has_2x_stick, obs_has_wood_pickaxe, obs_near_crafting_table\n</state>\n";

async fn ask(persona: Persona, seed: u64, request: &ChatRequest) -> String {
    Simulated::new(persona, seed).ask(request).await.unwrap().text
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
        let answer = ask(Persona::InnerMonologue, seed, &question).await;
        assert_eq!(answer, ask(Persona::InnerMonologue, seed, &question).await);
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
async fn the_careful_persona_makes_no_mistakes() {
    for seed in 0..100 {
        let answer = ask(Persona::Careful, seed, &request(ACTIONS, TEMPTING, false)).await;
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
            let answer = ask(Persona::InnerMonologue, seed, &request(ACTIONS, user, true)).await;
            // What is garbled or invented is no choice.
            if let Some(action) = action(&answer).filter(|action| ACTIONS.contains(action.as_str())) {
                assert!(allowed.contains(&action.as_str()), "{action} after {user}");
            }
        }
    }
}

#[tokio::test]
async fn at_the_goal_it_stops() {
    let user = format!("{TEMPTING}\nThe goal is reached. The run ends with action_stop.\n");
    assert_eq!(ask(Persona::Careful, 1, &request(ACTIONS, &user, false)).await, r#"{"action":"action_stop"}"#);
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
            let answer = ask(Persona::NlConstraints, seed, &question).await;
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
        let Ok(answer) = serde_json::from_str::<Value>(&ask(Persona::SayCan, seed, &question).await) else { continue };
        let values = answer["values"].as_object().unwrap();
        assert_eq!(values.len(), names.len());
        assert!(values.values().all(|value| (0.0..=1.0).contains(&value.as_f64().unwrap())));
        explored += usize::from(names[1..].iter().all(|name| values[*name].as_f64() < values[names[0]].as_f64()));
    }
    assert!(explored > 80, "{explored}");
}

#[tokio::test]
async fn a_persona_says_that_it_is_one_and_plays_no_other_part() {
    let model = Simulated::new(Persona::Naive, 1);
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
    for persona in [Persona::Naive, Persona::Careful] {
        for seed in 0..50 {
            let text = ask(persona, seed, &request(system, "Step 1.\n<state>\nat_0\n</state>\n", false)).await;
            if let Some(action) = action(&text).filter(|_| persona == Persona::Careful) {
                assert!(["left", "right"].contains(&action.as_str()), "{action}");
            }
        }
    }
}
