use ltlcrit_minecraft::vocabulary;
use proptest::prelude::*;

use super::*;

fn read(reply: &str) -> Result<String, NoAction> {
    let vocabulary = vocabulary();
    read_action(reply, &vocabulary).0.map(|action| vocabulary.action_name(action).to_owned())
}

#[test]
fn many_ways_to_name_an_action_are_understood() {
    for reply in [
        r#"{"action": "action_mine_log"}"#,
        r#"{"thought": "trees", "action": "mine_log"}"#,
        "```json\n{\"action\": \"Action_Mine_Log\",}\n```",
        "I need wood.\n{\"action\": \"action_mine_log\"}\nThat is all.",
        "action_mine_log",
        "`action_mine_log`.",
        "action: action_mine_log",
        "Thought: I need wood.\n**Action**: `mine_log`",
        "{\"action\": \"mine log\"}",
    ] {
        assert_eq!(read(reply), Ok("action_mine_log".to_owned()), "{reply}");
    }
}

#[test]
fn of_several_actions_in_one_answer_the_first_that_exists_counts() {
    for reply in [
        r#"{"action": ["action_mine_log", "action_craft_planks"]}"#,
        r#"{"action": ["action_mine_log", "action_fly"]}"#,
        r#"{"action": ["action_fly", "action_mine_log", "action_craft_planks"]}"#,
        r#"{"action": "action_mine_log, action_craft_planks"}"#,
        r#"{"action": "1. mine_log -> 2. craft_planks"}"#,
        r#"{"action": "1. fly -> 2. mine_log -> 3. craft_planks"}"#,
        r#"[{"action": "action_mine_log"}, {"action": "action_craft_planks"}]"#,
        "A plan:\n```json\n[ {\"action\": \"action_fly\"}, {\"action\": \"action_mine_log\"} ]\n```",
        "Action: action_mine_log\nAction: action_craft_planks",
        "Action: action_fly\nAction: action_mine_log",
    ] {
        assert_eq!(read(reply), Ok("action_mine_log".to_owned()), "{reply}");
    }
    let unknown = read(r#"{"action": ["action_fly", "action_swim"]}"#);
    assert!(matches!(unknown, Err(NoAction::Unknown { name, .. }) if name == "action_fly"));
}

#[test]
fn several_answers_that_differ_are_refused() {
    for reply in [
        "{\"action\": \"action_mine_log\"}\n{\"action\": \"action_craft_planks\"}",
        "{\"action\": \"action_mine_log\"} No, better: {\"action\": \"action_craft_planks\"}",
        "{\"action\": \"action_mine_log\"}\n{\"action\": \"action_fly\"}",
        "{\"action\": \"action_fly\"} then {\"action\": \"action_mine_log\"}",
    ] {
        let Err(NoAction::Malformed { why, .. }) = read(reply) else { panic!("{reply}") };
        assert_eq!(why, "it gives several answers, and they differ; give one");
    }
    let same = "{\"action\": \"action_mine_log\"}\nAs said: {\"thought\": \"wood\", \"action\": \"mine_log\"}";
    assert_eq!(read(same), Ok("action_mine_log".to_owned()));
    let (_, thought) = read_action(r#"{"thought": "first"} {"thought": "then", "action": "x"}"#, &vocabulary());
    assert_eq!(thought.as_deref(), Some("first"));
}

#[test]
fn unreadable_answers_say_why() {
    let why = |reply: &str| match read(reply) {
        Err(NoAction::Malformed { reply, why }) => {
            assert!(reply.len() <= KEPT_REPLY + 3 && why.len() <= KEPT_REPLY + 3);
            why
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(why(""), "the answer is empty");
    assert_eq!(why("I would mine a log."), "there is no JSON object in the answer");
    assert_eq!(
        why("I could use action_mine_log or maybe action_craft_planks."),
        "there is no JSON object in the answer"
    );
    for no_name in ["{\"action\": 7}", "{\"action\": null}"] {
        assert_eq!(why(no_name), "`action` must be the name of an action, as a string");
    }
    assert!(why("{\"action\": \"action_mine_log\" /* best */}").starts_with("the JSON object in the answer is broken"));
    assert_eq!(why("{\"actoin\": \"action_mine_log\"}"), "the object has no `action`");
    // An incomplete object does not name an action, however it would continue.
    for half in
        ["{\"action\": \"acti", "{\"action\":\"action_mine_log", "{\n\"action\": \"action_mine_log", "{action_mine_log"]
    {
        assert_eq!(why(half), "the JSON object in the answer is broken: it ends early");
    }
    assert_eq!(why(&"x".repeat(1 << 20)), "the answer has 1048576 bytes, at most 262144 are read; answer briefly");
}

#[test]
fn unknown_names_come_with_the_nearest_one_and_are_cut() {
    assert_eq!(
        read(r#"{"action": "action_mine_wood"}"#),
        Err(NoAction::Unknown { name: "action_mine_wood".into(), suggestion: Some("action_mine_log".into()) })
    );
    let long = format!(r#"{{"action": "{}"}}"#, "é".repeat(2000));
    match read(&long) {
        Err(NoAction::Unknown { name, suggestion: None }) => assert!(name.len() <= KEPT_NAME + 3),
        other => panic!("{other:?}"),
    }
}

#[test]
fn thoughts_are_kept_and_bounded() {
    let thought = |reply: &str| read_action(reply, &vocabulary()).1;
    assert_eq!(thought(r#"{"thought": " wood ", "action": "x"}"#), Some("wood".into()));
    assert_eq!(thought(r#"{"thought": "", "action": "x"}"#), None);
    let long = format!(r#"{{"thought": "{}", "action": "x"}}"#, "a".repeat(5000));
    assert!(thought(&long).unwrap().len() <= KEPT_THOUGHT + 3);
}

#[test]
fn values_are_read_and_brought_into_range() {
    assert_eq!(
        read_values(r#"{"values": {"a": 0.5, "b": 17, "c": -1}}"#),
        Ok(vec![("a".into(), 0.5), ("b".into(), 10.0), ("c".into(), 0.0)])
    );
    assert_eq!(read_values(r#"{"a": 1}"#), Ok(vec![("a".into(), 1.0)]), "without the wrapper");
    assert_eq!(read_values(r#"{"values": {"a": 1}} {"values": {"a": 1}}"#), Ok(vec![("a".into(), 1.0)]));
    assert_eq!(read_values(r#"{"thought": "b"} {"values": {"a": 1}}"#), Ok(vec![("a".into(), 1.0)]));
    let Err(NoAction::Malformed { why, .. }) = read_values(r#"{"values": {"a": 1}} {"values": {"a": 0}}"#) else {
        panic!()
    };
    assert_eq!(why, SEVERAL);
    for bad in [r#"{"values": {"a": "high"}}"#, r#"{"values": []}"#, r#"{"values": {}}"#, "none", ""] {
        assert!(matches!(read_values(bad), Err(NoAction::Malformed { .. })), "{bad}");
    }
}

proptest! {
    #[test]
    fn reading_never_panics(reply in "\\PC{0,300}") {
        let _ = read(&reply);
        let _ = read_values(&reply);
    }

    #[test]
    fn reading_never_panics_on_what_looks_like_an_answer(
        reply in "(action|Action|:|\\{|\\}|\"|,|values|thought|mine_log|é|\n|`|\\\\| |1e999|-){0,40}",
    ) {
        let _ = read(&reply);
        let _ = read_values(&reply);
    }

    #[test]
    fn every_action_is_understood_in_prose(index in 0usize..21, before in "[^{}\"]{0,60}", after in "[^{}\"]{0,60}") {
        let vocabulary = vocabulary();
        let name = &vocabulary.actions()[index].name;
        let found = read(&format!("{before}{{\"action\": \"{name}\"}}{after}"));
        prop_assert_eq!(found.as_deref(), Ok(&**name));
    }
}
