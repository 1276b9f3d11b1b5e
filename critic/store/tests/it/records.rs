//! Records are read as they were written, in order, and exports are reproducible.

use ltlcrit_laws::Evidence;
use ltlcrit_minecraft::observation::{BlockPos, MinecraftObservation, PlacedBlock, Remembered, Sighting};
use ltlcrit_model::Usage;
use ltlcrit_store::{
    BookRecord, Budget, Change, ConflictRecord, Durability, End, Executed, ExportOptions, GateRuling, InFlight,
    LawProposal, LawRecord, LawSource, NoAction, Proposal, ProposalRecord, Proposer, Refusal, Reply, Ruling, RunId,
    RunOutcome, RunSelector, StepRecord, Store, StoreError, Timing, Worded,
};
use ltlcrit_verifier::{ActionId, Enforcement, Letter, PropSet};
use ltlcrit_worlds::{Details, Facts, Observation, Outcome, Progress, Reason};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::json;

use crate::common::{manifest, outcome, step, stored_run};

fn fresh() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    (directory, store)
}

#[test]
fn what_goes_in_comes_out_after_reopening() {
    let (directory, store) = fresh();
    let run = stored_run(&store, 3);
    let conflict = ConflictRecord {
        run,
        step: 2,
        observation: step(1).observation,
        force: Enforcement::HardOnly { conflict: vec!["closed-door".into()], minimal: true },
    };
    store.add_conflict(&conflict).unwrap();
    let timing = Timing { propose_us: 5, shield_us: 1, world_us: 9 };
    store.add_timing(run, 2, &timing).unwrap();
    drop(store);

    let store = Store::open_existing(directory.path().join("store")).unwrap();
    let mut expected = manifest();
    expected.run = run;
    assert_eq!(store.manifest(run).unwrap(), expected);
    let steps: Vec<StepRecord> = store.steps(run).map(Result::unwrap).collect();
    assert_eq!(steps, (0..=3).map(step).collect::<Vec<_>>());
    assert_eq!(store.conflicts(run).map(Result::unwrap).collect::<Vec<_>>(), [conflict]);
    assert_eq!(store.timing(run, 2).unwrap(), Some(timing));
    assert_eq!(store.outcome(run).unwrap(), Some(outcome(3)));
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn runs_are_numbered_in_order_and_found_by_number_or_as_last() {
    let (_directory, store) = fresh();
    assert!(matches!(store.resolve(RunSelector::Last), Err(StoreError::NoRuns { .. })));
    assert!(matches!(store.resolve("1".parse().unwrap()), Err(StoreError::NoRuns { .. })));
    let runs: Vec<RunId> = (0..300).map(|_| store.begin(&mut manifest()).unwrap()).collect();
    assert_eq!(runs, (1..=300).map(RunId).collect::<Vec<_>>());
    assert_eq!(store.run_ids().map(Result::unwrap).collect::<Vec<_>>(), runs);
    assert_eq!(store.resolve(RunSelector::Last).unwrap(), RunId(300));
    assert_eq!(store.resolve("256".parse().unwrap()).unwrap(), RunId(256));
    let error = store.resolve("301".parse().unwrap()).unwrap_err().to_string();
    assert_eq!(error, "there is no run 301 in this store; `ltlcrit runs list` shows what there is");
    let error = "latest".parse::<RunSelector>().unwrap_err();
    assert_eq!(error, "`latest` names no run; give its number, such as `3`, or `last`");
}

#[test]
fn threads_of_one_process_get_different_runs() {
    let (_directory, store) = fresh();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let store = store.clone();
            std::thread::spawn(move || (0..25).map(|_| stored_run(&store, 1).0).collect::<Vec<u64>>())
        })
        .collect();
    let mut runs: Vec<u64> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    runs.sort_unstable();
    assert_eq!(runs, (1..=100).collect::<Vec<u64>>());
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn steps_are_appended_once_and_in_order() {
    let (_directory, store) = fresh();
    let run = store.begin(&mut manifest()).unwrap();
    let append = |number| store.append_step(run, &step(number), Durability::EachStep);
    assert!(append(1).unwrap_err().to_string().ends_with("step 1 cannot be stored before the step before it"));
    append(0).unwrap();
    append(1).unwrap();
    assert!(append(1).unwrap_err().to_string().ends_with("step 1 cannot be stored twice"));
    store.finish(run, &outcome(1)).unwrap();
    assert!(append(2).unwrap_err().to_string().ends_with("step 2 cannot be stored after the run has ended"));
    store.reopen(run).unwrap();
    append(2).unwrap();
}

#[test]
fn the_export_is_the_same_for_the_same_run() {
    let export = |options| {
        let (_directory, store) = fresh();
        let mut manifest = manifest();
        manifest.created = jiff::Timestamp::now();
        let run = store.begin(&mut manifest).unwrap();
        for number in 0..=2 {
            store.append_step(run, &step(number), Durability::EachStep).unwrap();
            store
                .add_timing(run, number, &Timing { propose_us: std::process::id().into(), ..Timing::default() })
                .unwrap();
        }
        store.finish(run, &outcome(2)).unwrap();
        let mut bytes = Vec::new();
        assert!(store.export(&mut bytes, options).unwrap().unreadable.is_empty());
        String::from_utf8(bytes).unwrap()
    };
    let bytes = export(ExportOptions::default());
    assert_eq!(bytes, export(ExportOptions::default()));
    assert_ne!(bytes, export(ExportOptions { times: true }));
    insta::assert_snapshot!(bytes);
}

#[test]
fn an_export_that_cannot_be_written_says_so() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (_directory, store) = fresh();
    stored_run(&store, 1);
    let error = store.export(&mut Full, ExportOptions::default()).unwrap_err();
    assert!(matches!(error, StoreError::Export(_)), "{error}");
}

#[test]
fn figures() {
    let (_directory, store) = fresh();
    stored_run(&store, 2);
    stored_run(&store, 3);
    store.begin(&mut manifest()).unwrap();
    let proposal = LawProposal {
        change: Change::Add(Proposal {
            formula: "G !action_enter".into(),
            explanation: "It hurts.".into(),
            source: LawSource::EnvironmentFeedback,
            proposer: "graph".into(),
            evidence: vec![Evidence { run: 1, step: 2 }],
        }),
        book: "learned@1".into(),
        ruling: GateRuling::Refused { refusal: Refusal::Implied { by: vec!["closed-door".into()] } },
        created: "2026-01-02T03:04:05Z".parse().unwrap(),
    };
    assert_eq!(store.add_proposal(&proposal).unwrap(), 1);
    assert_eq!(store.proposals().map(Result::unwrap).collect::<Vec<_>>(), [(1, proposal)]);
    let stats = store.stats().unwrap();
    assert_eq!((stats.runs, stats.unfinished, stats.steps, stats.proposals), (3, 1, 7, 1));
    assert_eq!(stats.ends.get("goal"), Some(&2));
    assert!(stats.bytes > 0);
}

fn text() -> impl Strategy<Value = String> {
    // Generates any text that a model may return, including unprintable characters.
    prop_oneof!["[a-z_ ]{0,20}", any::<String>().prop_map(|text| text.chars().take(40).collect())]
}

fn number() -> impl Strategy<Value = f64> {
    prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO
}

fn prop_set() -> impl Strategy<Value = PropSet> {
    any::<[u64; 4]>().prop_map(PropSet::from_words)
}

fn block() -> impl Strategy<Value = BlockPos> {
    any::<(i32, i32, i32)>().prop_map(|(x, y, z)| BlockPos { x, y, z })
}

fn placed() -> impl Strategy<Value = PlacedBlock> {
    (text(), block(), number()).prop_map(|(block, position, distance)| PlacedBlock { block, position, distance })
}

prop_compose! {
    fn minecraft()(
        position in block(),
        biome in text(),
        tick in any::<u64>(),
        health in number(),
        hunger in number(),
        inventory in btree_map(text(), any::<u32>(), 0..4),
        equipped in option::of(text()),
        nearby in btree_map(text(), (any::<u32>(), block(), number()), 0..4),
        hazards in btree_map(text(), number(), 0..3),
        (head_in_water, air, furnace_fire) in any::<(bool, u32, u32)>(),
        (placed, remembered) in (vec(placed(), 0..3), vec((placed(), any::<u32>()), 0..3)),
        tools in btree_map(text(), any::<u32>(), 0..2),
    ) -> MinecraftObservation {
        let sighting = |(count, nearest, distance)| Sighting { count, nearest, distance };
        let nearby = nearby.into_iter().map(|(kind, seen)| (kind, sighting(seen))).collect();
        MinecraftObservation {
            position, biome, tick, health, hunger, inventory, equipped, nearby, hazards, head_in_water, air, furnace_fire, tools,
            placed,
            remembered: remembered.into_iter().map(|(place, steps_ago)| Remembered { place, steps_ago }).collect(),
        }
    }
}

fn observation() -> impl Strategy<Value = Observation> {
    let details = prop_oneof![
        minecraft().prop_map(Details::new),
        vec(text(), 0..3).prop_map(|facts| Details::new(Facts { facts })),
    ];
    (prop_set(), details).prop_map(|(holds, details)| Observation { holds, details })
}

fn laws() -> impl Strategy<Value = Vec<std::sync::Arc<str>>> {
    vec(text().prop_map(Into::into), 0..3)
}

fn force() -> impl Strategy<Value = Enforcement> {
    prop_oneof![
        Just(Enforcement::All),
        Just(Enforcement::Ended),
        (laws(), any::<bool>()).prop_map(|(conflict, minimal)| Enforcement::HardOnly { conflict, minimal }),
        (laws(), laws(), any::<bool>()).prop_map(|(suspended, conflict, minimal)| Enforcement::Suspended {
            suspended,
            conflict,
            minimal,
            proved: !minimal,
        }),
        (laws(), any::<bool>()).prop_map(|(conflict, minimal)| Enforcement::Nothing { conflict, minimal }),
        (prop::collection::vec((0..9u16).prop_map(ActionId), 1..4), laws())
            .prop_map(|(actions, laws)| Enforcement::Undecided { actions, laws }),
    ]
}

fn proposal() -> impl Strategy<Value = ProposalRecord> {
    let reply = prop_oneof![
        any::<u16>().prop_map(|action| Reply::Action { action: ActionId(action) }),
        (text(), text()).prop_map(|(reply, why)| Reply::NoAction(NoAction::Malformed { reply, why })),
        (text(), option::of(text()))
            .prop_map(|(name, suggestion)| Reply::NoAction(NoAction::Unknown { name, suggestion })),
    ];
    let ruling = prop_oneof![
        Just(Ruling::Allowed),
        (laws(), any::<bool>(), text()).prop_map(|(laws, minimal, explanation)| Ruling::Blocked {
            laws,
            minimal,
            explanation
        }),
        text().prop_map(|why| Ruling::Undecided { why }),
        Just(Ruling::Unreadable),
        (laws(), any::<bool>()).prop_map(|(laws, minimal)| Ruling::Unshielded { laws, minimal, undecided: false }),
        Just(Ruling::Unshielded { laws: Vec::new(), minimal: true, undecided: true }),
    ];
    let by = prop_oneof![Just(Proposer::Actor), Just(Proposer::Loop)];
    let worded = (text(), option::of(text())).prop_map(|(answer, replaced)| {
        let usage = Usage { prompt: 1, completion: 2, ..Usage::default() };
        Worded { answer, replaced, usage }
    });
    let record = (by, reply, ruling, option::of(text()), any::<[u64; 4]>(), option::of(worded));
    record.prop_map(|(by, reply, ruling, thought, tokens, worded)| {
        let [prompt, completion, cached, reasoning] = tokens;
        ProposalRecord {
            by,
            reply,
            ruling,
            thought,
            usage: Usage { prompt, completion, cached, reasoning, estimated: 0 },
            worded,
        }
    })
}

prop_compose! {
    fn record(step: u64)(
        observation in observation(),
        letter in prop_set(),
        proposals in vec(proposal(), 0..3),
        executed in option::of((any::<u16>(), option::of(text()), option::of(text()), text(), any::<u64>())),
        force in force(),
        raised in any::<bool>(),
        relaxed in laws(),
        violations in laws(),
        owed in laws(),
        new_laws in option::of(vec((text(), text(), any::<bool>(), text()), 0..2)),
        new_books in vec((text(), any::<u64>(), text(), text()), 0..2),
    ) -> StepRecord {
        let executed = executed.map(|(action, thought, failure, message, ticks)| Executed {
            action: ActionId(action),
            thought,
            outcome: Outcome::new(failure.map(|code| Reason(code.into())), message, ticks),
            trace: vec!["0.0 s: A plan.".to_owned(); usize::from(step.is_multiple_of(2))],
        });
        let law = |(id, formula, hard, explanation): (String, _, _, String)| LawRecord {
            id: id.into(), formula, hard, explanation: explanation.into(), weight: 3,
        };
        let new_laws = new_laws.map(|laws| laws.into_iter().map(law).collect());
        let book = |(name, revision, source, text)| BookRecord { name, revision, source, text };
        let new_books = new_books.into_iter().map(book).collect();
        let first_seen = step.is_multiple_of(3).then(|| observation.clone());
        StepRecord {
            step, observation, letter: Letter(letter), proposals, executed, force, raised, relaxed, violations, owed, new_laws, new_books,
            first_seen,
        }
    }
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(End::Goal),
        Just(End::Stopped),
        text().prop_map(|message| End::GaveUp { message }),
        any::<u64>().prop_map(|limit| End::Budget { what: Budget::Tokens, limit }),
        text().prop_map(|message| End::Cap { message }),
        Just(End::Interrupted),
        laws().prop_map(|conflict| End::NothingAllowed { conflict }),
        laws().prop_map(|conflict| End::Impossible { conflict }),
        laws().prop_map(|laws| End::Undecided { laws }),
        any::<u64>().prop_map(|tries| End::NoProposal { tries }),
        text().prop_map(|message| End::ModelLost { message }),
        text().prop_map(|message| End::WorldLost { message }),
        text().prop_map(|message| End::Died { message }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_record_round_trips(
        records in (record(0), record(1), record(2)),
        end in end(),
        owed in laws(),
        in_flight in option::of((vec(proposal(), 0..3), option::of(any::<u16>()), force(), any::<bool>())),
    ) {
        let records = [records.0, records.1, records.2];
        let in_flight = in_flight
            .map(|(proposals, action, force, raised)| InFlight {
                step: 3, proposals, action: action.map(ActionId), force, raised, new_laws: None, new_books: Vec::new(),
                progress: None,
            });
        let outcome = RunOutcome { end, last_step: 2, owed, in_flight };
        let (_directory, store) = fresh();
        let run = store.begin(&mut manifest()).unwrap();
        for record in &records {
            store.append_step(run, record, Durability::EachEpisode).unwrap();
        }
        store.finish(run, &outcome).unwrap();
        let read: Vec<StepRecord> = store.steps(run).map(Result::unwrap).collect();
        prop_assert_eq!(&read[..], &records[..]);
        prop_assert_eq!(store.outcome(run).unwrap(), Some(outcome));
        // An export has one JSON value per line, for any content of the strings.
        let mut bytes = Vec::new();
        store.export_run(run, &mut bytes, ExportOptions::default()).unwrap();
        let lines: Vec<&[u8]> = bytes.strip_suffix(b"\n").unwrap().split(|byte| *byte == b'\n').collect();
        prop_assert_eq!(lines.len(), 5);
        for line in lines {
            serde_json::from_slice::<serde_json::Value>(line).unwrap();
        }
    }
}

#[test]
fn only_the_last_step_of_a_run_under_way_is_amended() {
    let (_directory, store) = fresh();
    let run = store.begin(&mut manifest()).unwrap();
    let steps: Vec<StepRecord> = (0..3).map(step).collect();
    for step in &steps {
        store.append_step(run, step, Durability::EachStep).unwrap();
    }
    let amended = |step: &StepRecord| StepRecord { first_seen: Some(step.observation.clone()), ..step.clone() };
    assert!(store.amend_last_step(run, &amended(&steps[1])).unwrap_err().to_string().contains("not its last"));
    store.amend_last_step(run, &amended(&steps[2])).unwrap();
    let stored: Vec<StepRecord> = store.steps(run).map(Result::unwrap).collect();
    assert_eq!(stored, [steps[0].clone(), steps[1].clone(), amended(&steps[2])]);
    store.finish(run, &outcome(2)).unwrap();
    assert!(store.amend_last_step(run, &steps[2]).unwrap_err().to_string().contains("after the run has ended"));
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn the_step_in_flight_is_kept_until_it_is_stored() {
    let (directory, store) = fresh();
    let run = store.begin(&mut manifest()).unwrap();
    store.append_step(run, &step(0), Durability::EachStep).unwrap();
    assert_eq!(store.in_flight(run).unwrap(), None);
    let in_flight = InFlight {
        step: 1,
        proposals: step(1).proposals,
        action: Some(ActionId(0)),
        force: Enforcement::All,
        raised: false,
        new_laws: None,
        new_books: Vec::new(),
        progress: Some(Progress {
            action: Some(json!({ "raw_iron": 1, "coal": 2 })),
            left_behind: Some(json!({ "furnace": [3, 64, -2], "ore": "raw_iron" })),
        }),
    };
    store.set_in_flight(run, &InFlight { progress: None, ..in_flight.clone() }).unwrap();
    store.set_in_flight(run, &in_flight).unwrap();
    drop(store);

    let store = Store::open_existing(directory.path().join("store")).unwrap();
    assert_eq!(store.in_flight(run).unwrap(), Some(in_flight));
    assert!(store.verify().unwrap().is_sound());
    store.clear_in_flight(run).unwrap();
    assert_eq!(store.in_flight(run).unwrap(), None);
}

/// A record without the progress field can be read.
#[test]
fn an_old_step_in_flight_is_read() {
    let old = r#"{"step":4,"proposals":[],"action":12,"force":{"kind":"all"}}"#;
    let read: InFlight = serde_json::from_str(old).unwrap();
    assert_eq!((read.step, read.action, read.progress), (4, Some(ActionId(12)), None));
}

/// Records hold prompts and answers, so other users must not read them.
#[cfg(unix)]
#[test]
fn a_new_store_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("deep/store");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    stored_run(&Store::open(&path).unwrap(), 4);
    assert!(mode(&path) == 0o700 && mode(&directory.path().join("deep")) == 0o700);
    assert_eq!(mode(&path.join("runs.jsonl")), 0o600);
    // A shared directory keeps its permissions.
    let shared = directory.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o750)).unwrap();
    drop(Store::open(&shared).unwrap());
    assert_eq!((mode(&shared), mode(&shared.join("runs.jsonl"))), (0o750, 0o600));
}
