//! Records to store.

use ltlcrit_model::{ModelInfo, Usage};
use ltlcrit_store::{
    Configuration, Durability, End, Executed, LawRecord, Limits, Program, ProposalRecord, Proposer, Reply, Ruling,
    RunId, RunManifest, RunOutcome, StepRecord, Store, VocabularyRecord,
};
use ltlcrit_verifier::{ActionId, Enforcement, Fallback, Letter, PropId, PropSet, Proposition, Vocabulary};
use ltlcrit_worlds::world::Subgoal;
use ltlcrit_worlds::{Details, Facts, Observation, Outcome, WorldInfo};
use serde_json::json;

pub const HOSTILE: &str = "<script>alert('x')</script>\u{202e}\r\n\ndata: no";

pub fn vocabulary() -> Vocabulary {
    let observations = vec![Proposition::new("obs_open", "The door is open"), Proposition::new(HOSTILE, HOSTILE)];
    Vocabulary::new("door", observations, vec![Proposition::new("action_open", "Open it")], Vec::new()).unwrap()
}

pub fn manifest() -> RunManifest {
    RunManifest {
        run: RunId(0),
        created: "2026-01-02T03:04:05Z".parse().unwrap(),
        program: Program { version: "0.1.0".into(), revision: None },
        configuration: Configuration::new(json!({"a": 1})),
        world: WorldInfo {
            kind: "embedded".into(),
            seed: Some(u64::MAX),
            options: json!({"terrain": "compact"}),
            deterministic: true,
        },
        task: HOSTILE.into(),
        vocabulary: VocabularyRecord::of(&vocabulary()),
        subgoals: vec![Subgoal { name: "open".into(), holds: [PropId(0)].into_iter().collect() }],
        actor: "naive".into(),
        model: ModelInfo::simulated("simulated:test"),
        seed: 7,
        price: None,
        shielded: true,
        robust: false,
        fallback: Fallback::All,
        limits: Limits::default(),
        books: Vec::new(),
        laws: vec![LawRecord {
            id: "closed".into(),
            formula: "G(!obs_open -> X !action_open)".into(),
            hard: true,
            explanation: "Do not.".into(),
            weight: 0,
        }],
    }
}

pub fn step(number: u64) -> StepRecord {
    let holds: PropSet = [PropId(0)].into_iter().collect();
    let blocked = ProposalRecord {
        by: Proposer::Actor,
        reply: Reply::Action { action: ActionId(0) },
        ruling: Ruling::Blocked { laws: vec!["closed".into()], minimal: true, explanation: HOSTILE.into() },
        thought: Some(HOSTILE.into()),
        usage: Usage { prompt: 100, completion: 10, cached: 0, reasoning: 0, estimated: 0 },
        worded: None,
    };
    let executed = Executed {
        action: ActionId(0),
        thought: Some("x".repeat(5000)),
        outcome: Outcome::new(None, HOSTILE, 20),
        trace: Vec::new(),
    };
    let has_action = number > 0;
    StepRecord {
        step: number,
        letter: if has_action { Letter::after(&vocabulary(), ActionId(0), holds) } else { Letter::initial(holds) },
        observation: Observation { holds, details: Details::new(Facts { facts: vec![HOSTILE.into()] }) },
        proposals: if has_action { vec![blocked] } else { Vec::new() },
        executed: has_action.then_some(executed),
        force: Enforcement::All,
        raised: false,
        relaxed: Vec::new(),
        violations: Vec::new(),
        owed: vec!["closed".into()],
        new_laws: None,
        new_books: Vec::new(),
        first_seen: None,
    }
}

pub fn append(store: &Store, run: RunId, numbers: std::ops::Range<u64>) {
    for number in numbers {
        store.append_step(run, &step(number), Durability::EachEpisode).unwrap();
    }
}

pub fn finish(store: &Store, run: RunId, last_step: u64) {
    store.finish(run, &RunOutcome { end: End::Goal, last_step, owed: Vec::new(), in_flight: None }).unwrap();
}

pub fn opened() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    (directory, store)
}
