//! Records to store in tests and benches.
#![allow(dead_code, clippy::unwrap_used)]

use ltlcrit_model::{ModelInfo, Usage};
use ltlcrit_store::{
    BookRecord, Configuration, Durability, End, Executed, LawRecord, Limits, NoAction, Program, ProposalRecord,
    Proposer, Reply, Ruling, RunId, RunManifest, RunOutcome, StepRecord, Store, VocabularyRecord,
};
use ltlcrit_verifier::{ActionId, Enforcement, Fallback, Letter, PropId, Proposition, Vocabulary};
use ltlcrit_worlds::world::Subgoal;
use ltlcrit_worlds::{Details, Facts, Observation, Outcome, Reason, WorldInfo};
use serde_json::json;

/// Returns a pseudorandom number that depends only on the inputs.
pub fn mix(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0x9e37_79b9_7f4a_7c15, |state, number| {
        let mut z = (state ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

pub fn vocabulary() -> Vocabulary {
    let observations = vec![Proposition::new("obs_door_open", "The door is open"), Proposition::new("obs_inside", "")];
    let actions = vec![Proposition::new("action_open", "Open the door"), Proposition::new("action_enter", "Go in")];
    Vocabulary::new("door", observations, actions, Vec::new()).unwrap()
}

pub fn manifest() -> RunManifest {
    RunManifest {
        run: RunId(0),
        created: "2026-01-02T03:04:05Z".parse().unwrap(),
        program: Program { version: "0.1.0".into(), revision: Some("abc123".into()) },
        configuration: Configuration::new(json!({"max_steps": 10})),
        world: WorldInfo {
            kind: "scripted".into(),
            seed: Some(7),
            options: json!({"door": "stuck"}),
            deterministic: true,
        },
        task: "Go in.".into(),
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
        books: vec![BookRecord {
            name: "door".into(),
            revision: 1,
            source: "shipped".into(),
            text: "# a book\n".into(),
        }],
        laws: vec![LawRecord {
            id: "closed-door".into(),
            formula: "G(!obs_door_open -> X !action_enter)".into(),
            hard: true,
            explanation: "Do not walk into a closed door.".into(),
            weight: 0,
        }],
    }
}

pub fn step(number: u64) -> StepRecord {
    let open: ltlcrit_verifier::PropSet = [PropId(0)].into_iter().collect();
    let observation = Observation { holds: open, details: Details::new(Facts { facts: vec!["door open".into()] }) };
    if number == 0 {
        return StepRecord {
            step: 0,
            letter: Letter::initial(observation.holds),
            observation,
            proposals: Vec::new(),
            executed: None,
            force: Enforcement::All,
            raised: false,
            relaxed: Vec::new(),
            violations: Vec::new(),
            owed: Vec::new(),
            new_laws: None,
            new_books: Vec::new(),
            first_seen: None,
        };
    }
    let blocked = ProposalRecord {
        by: Proposer::Actor,
        reply: Reply::Action { action: ActionId(1) },
        ruling: Ruling::Blocked {
            laws: vec!["closed-door".into()],
            minimal: true,
            explanation: "The door is closed.".into(),
        },
        thought: Some("In I go.".into()),
        usage: Usage { prompt: 100, completion: 10, cached: 50, reasoning: 0, estimated: 0 },
        worded: None,
    };
    let unknown = ProposalRecord {
        reply: Reply::NoAction(NoAction::Unknown {
            name: "action_entre".into(),
            suggestion: Some("action_enter".into()),
        }),
        ruling: Ruling::Unreadable,
        ..blocked.clone()
    };
    let allowed =
        ProposalRecord { reply: Reply::Action { action: ActionId(0) }, ruling: Ruling::Allowed, ..blocked.clone() };
    StepRecord {
        step: number,
        letter: Letter::after(&vocabulary(), ActionId(0), observation.holds),
        observation,
        proposals: vec![blocked, unknown, allowed],
        executed: Some(Executed {
            action: ActionId(0),
            thought: Some("Open it first.".into()),
            outcome: Outcome::new(Some(Reason("stuck".into())), "The door is stuck.", 20),
            trace: Vec::new(),
        }),
        force: Enforcement::HardOnly { conflict: vec!["closed-door".into()], minimal: true },
        raised: false,
        relaxed: Vec::new(),
        violations: vec!["closed-door".into()],
        owed: Vec::new(),
        new_laws: None,
        new_books: Vec::new(),
        first_seen: None,
    }
}

pub fn outcome(last_step: u64) -> RunOutcome {
    RunOutcome { end: End::Goal, last_step, owed: Vec::new(), in_flight: None }
}

pub fn stored_run(store: &Store, steps: u64) -> RunId {
    let run = store.begin(&mut manifest()).unwrap();
    for number in 0..=steps {
        store.append_step(run, &step(number), Durability::EachEpisode).unwrap();
    }
    store.finish(run, &outcome(steps)).unwrap();
    run
}
