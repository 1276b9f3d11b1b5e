//! Damaged stores: every read terminates, and a salvage saves the readable records.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ltlcrit_store::{Durability, ExportOptions, InFlight, RunId, RunManifest, Salvage, Store, StoreError, Translation};

use crate::common::{manifest, mix, outcome, step, stored_run};

const RUNS: u64 = 4;
const STEPS: u64 = 30;

/// Writes a store that was opened twice, so that the engine has a snapshot of the first half of its log.
fn sound_store(path: &Path) {
    for _ in 0..2 {
        let store = Store::open(path).unwrap();
        for _ in 0..RUNS / 2 {
            stored_run(&store, STEPS);
        }
    }
}

/// Returns every file of a directory, by its path.
fn files(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(path).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.insert(entry.path(), std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Copies a store and flips one bit of one file.
fn damaged(whole: &Path, copy: &Path, name: &str, bit: u64) {
    std::fs::create_dir_all(copy.join("blobs")).unwrap();
    for (path, bytes) in files(whole) {
        std::fs::write(copy.join(path.strip_prefix(whole).unwrap()), bytes).unwrap();
    }
    let mut bytes = std::fs::read(copy.join(name)).unwrap();
    if let Some(byte) = bytes.get_mut((bit / 8) as usize) {
        *byte ^= 1 << (bit % 8);
    }
    std::fs::write(copy.join(name), bytes).unwrap();
}

/// Returns the names of a store's files, with their used sizes in bytes.
fn lengths(whole: &Path) -> Vec<(String, u64)> {
    let in_use = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last as u64 + 1);
    let name = |path: &Path| path.strip_prefix(whole).unwrap().to_str().unwrap().to_owned();
    files(whole).iter().map(|(path, bytes)| (name(path), in_use(bytes))).collect()
}

/// Reads everything by all methods, with a bound on the number of items.
fn read_everything(store: &Store, case: &str) {
    let most = ((STEPS + 1) * RUNS + 1) as usize;
    let bounded = |count: usize, what: &str| assert!(count <= most, "{case}: {what} go on for ever");
    bounded(store.run_ids().take(most + 1).count(), "run numbers");
    bounded(store.run_ids().rev().take(most + 1).count(), "run numbers from the last");
    bounded(store.runs().take(most + 1).count(), "runs");
    bounded(store.proposals().take(most + 1).count(), "proposals");
    bounded(store.book_revisions().take(most + 1).count(), "revisions");
    for run in (1..=RUNS).map(RunId) {
        bounded(store.steps(run).take(most + 1).count(), "steps");
        bounded(store.steps(run).rev().take(most + 1).count(), "steps from the last");
        bounded(store.transitions(run, &Translation::default()).take(most + 1).count(), "transitions");
        bounded(store.conflicts(run).take(most + 1).count(), "conflicts");
        for record in store.steps(run).take(most).flatten() {
            assert_eq!(record, step(record.step), "{case}");
        }
    }
    let _ = store.stats();
    let report = store.verify().unwrap();
    let exported = store.export(&mut Vec::new(), ExportOptions::default()).unwrap();
    let whole = exported.runs == RUNS && exported.steps == RUNS * (STEPS + 1) && exported.unreadable.is_empty();
    assert!(whole || !report.is_sound(), "{case}: {exported:?} and still sound");
}

fn expected(run: u64) -> RunManifest {
    RunManifest { run: RunId(run), ..manifest() }
}

/// Checks a salvaged store record by record.
fn check_salvage(saved: &Salvage, path: &Path, case: &str) {
    let store = Store::open_existing(path).unwrap();
    let mut steps = 0;
    for run in store.run_ids().map(Result::unwrap) {
        match store.manifest(run) {
            Ok(manifest) => assert_eq!(manifest, expected(run.0), "{case}"),
            // All runs share their documents, so one damaged document affects all of them.
            Err(error) => assert!(!saved.is_complete(), "{case}: {error}"),
        }
        assert!(store.outcome(run).unwrap().is_none_or(|found| found == outcome(STEPS)), "{case}");
        for record in store.steps(run).map(Result::unwrap) {
            assert_eq!(record, step(record.step), "{case}");
            steps += 1;
        }
    }
    let whole = store.run_ids().count() as u64 == RUNS && steps == RUNS * (STEPS + 1);
    assert!(whole || !saved.is_complete(), "{case}: {saved:?}");
}

/// Returns whether the name is that of a file of the index, which is rebuilt from the lines.
fn is_index(name: &str) -> bool {
    !name.starts_with("runs.")
}

#[test]
fn every_flipped_bit_leaves_a_store_that_is_read_to_an_end_and_salvaged() {
    let directory = tempfile::tempdir().unwrap();
    let whole = directory.path().join("whole");
    sound_store(&whole);
    let all_steps = RUNS * (STEPS + 1);
    let mut fewest = all_steps;
    let (copy, target) = (directory.path().join("copy"), directory.path().join("salvaged"));
    for (name, length) in lengths(&whole).into_iter().filter(|(_, length)| *length > 0) {
        let cases = if matches!(name.as_str(), "db" | "runs.jsonl") { 64 } else { 6 };
        for case in 0..cases {
            let bit = mix(&[case, length]) % (length * 8);
            let case = format!("{name} bit {bit}");
            damaged(&whole, &copy, &name, bit);

            let before = files(&copy);
            let salvaged = Store::salvage(&copy, &target);
            match Store::open_to_read(&copy) {
                Ok(store) => read_everything(&store, &case),
                // The first line identifies the file.
                Err(StoreError::NotAStore { .. }) => assert!(salvaged.is_err(), "{case}"),
                Err(other) => panic!("{case}: {other}"),
            }
            assert!(files(&copy) == before, "{case}: reading changed the source");
            let Ok(saved) = salvaged else { continue };
            check_salvage(&saved, &target, &case);
            fewest = fewest.min(saved.saved["steps"]);
            std::fs::remove_dir_all(&target).unwrap();

            // Opening it for writing preserves all of that.
            let opened = Store::open(&copy);
            let is_sound = opened.as_ref().is_ok_and(|store| store.verify().unwrap().is_sound());
            assert!(is_sound || !is_index(&name), "{case}: {opened:?}");
            if let Ok(store) = opened {
                read_everything(&store, &case);
                assert_eq!(store.begin(&mut manifest()).unwrap(), RunId(RUNS + 1), "{case}: a number is given twice");
            }
            let lines = std::fs::read(copy.join("runs.jsonl")).unwrap();
            assert!(lines.starts_with(&before[&copy.join("runs.jsonl")]), "{case}: lines are lost");
            let later = Store::salvage(&copy, &target).unwrap();
            assert!(later.saved["steps"] >= saved.saved["steps"], "{case}: {later:?}");
            std::fs::remove_dir_all(&target).unwrap();
            std::fs::remove_dir_all(&copy).unwrap();
        }
    }
    println!("the worst salvage has {fewest} of {all_steps} steps");
    assert!(fewest + 2 >= all_steps, "a salvage lost {} steps to one bit", all_steps - fewest);
}

/// The files of the index may be cut, cleared, or missing.
#[test]
fn an_index_that_is_damaged_or_missing_is_made_again() {
    let directory = tempfile::tempdir().unwrap();
    let (whole, copy) = (directory.path().join("whole"), directory.path().join("copy"));
    sound_store(&whole);
    let length = lengths(&whole).into_iter().find(|(name, _)| name == "db").unwrap().1 as usize;
    for case in 0..24_usize {
        damaged(&whole, &copy, "db", 0);
        let mut bytes = std::fs::read(whole.join("db")).unwrap();
        let place = mix(&[case as u64]) as usize % length;
        match case % 3 {
            0 => bytes.truncate(place),
            1 => bytes[place..length].fill(0xa5),
            _ => bytes[place..].fill(0),
        }
        if case >= 12 {
            // A killed process leaves no snapshot.
            let snapshots = std::fs::read_dir(&copy).unwrap().map(|entry| entry.unwrap().path());
            let mut snapshots = snapshots.filter(|path| path.to_str().unwrap().contains("snap."));
            snapshots.by_ref().for_each(|path| std::fs::remove_file(path).unwrap());
        }
        std::fs::write(copy.join("db"), bytes).unwrap();
        if case % 12 == 0 {
            std::fs::remove_file(copy.join("db")).unwrap();
        }
        let store = Store::open(&copy).unwrap();
        let report = store.verify().unwrap();
        assert!(report.is_sound() && report.records["steps"] == RUNS * (STEPS + 1), "case {case}: {report:?}");
        drop(store);
        let again = Store::open(&copy).unwrap();
        assert!(again.remarks().is_empty(), "case {case}: {:?}", again.remarks());
        drop(again);
        std::fs::remove_dir_all(&copy).unwrap();
    }
}

/// Only the stored end of the lines reveals that lines are missing.
#[test]
fn lines_that_were_cut_short_are_told_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let whole = directory.path().join("whole");
    sound_store(&whole);
    let lines = std::fs::read(whole.join("runs.jsonl")).unwrap();
    let ends: Vec<usize> = (0..lines.len()).filter(|at| lines[*at] == b'\n').map(|at| at + 1).collect();
    for cut in [ends[ends.len() - 2], lines.len() - 1, lines.len() / 2, ends[ends.len() / 3]] {
        let copy = directory.path().join(format!("cut{cut}"));
        damaged(&whole, &copy, "lock", 0);
        std::fs::write(copy.join("runs.jsonl"), &lines[..cut]).unwrap();
        let error = Store::open(&copy).unwrap_err();
        assert!(matches!(&error, StoreError::Damaged { why, .. } if why.ends_with("are missing")), "{error}");
        let store = Store::open_to_read(&copy).unwrap();
        assert!(store.remarks()[0].contains("are missing"), "{:?}", store.remarks());
        read_everything(&store, "cut short");
        assert!(!store.verify().unwrap().is_sound());
        let saved = Store::salvage(&copy, copy.with_extension("saved")).unwrap();
        assert!(!saved.is_complete() && saved.saved["steps"] > 0, "{saved:?}");
        Store::open(copy.with_extension("saved")).unwrap();
        assert!(std::fs::read(copy.join("runs.jsonl")).unwrap() == lines[..cut], "what is left was changed");
    }
}

/// A killed process leaves the beginning of a line, and an index that lacks the last lines.
#[test]
fn a_torn_line_is_dropped_and_the_index_catches_up() {
    let directory = tempfile::tempdir().unwrap();
    let (path, before) = (directory.path().join("store"), directory.path().join("before"));
    sound_store(&path);
    damaged(&path, &before, "lock", 0);
    let store = Store::open(&path).unwrap();
    let run = stored_run(&store, STEPS);
    store.reopen(run).unwrap();
    drop(store);
    let lines = std::fs::read(path.join("runs.jsonl")).unwrap();
    let torn = &lines[lines.len() / 2..][..100];
    std::fs::write(before.join("runs.jsonl"), [&lines, torn].concat()).unwrap();
    let read = Store::open_to_read(&before).unwrap();
    assert!(read.verify().unwrap().is_sound() && read.remarks().is_empty());
    let store = Store::open(&before).unwrap();
    assert_eq!(store.steps(run).map(Result::unwrap).count() as u64, STEPS + 1);
    store.append_step(run, &step(STEPS + 1), Durability::EachStep).unwrap();
    store.finish(run, &outcome(STEPS + 1)).unwrap();
    assert!(store.verify().unwrap().is_sound());
    drop(store);
    assert!(Store::open_to_read(&before).unwrap().verify().unwrap().is_sound());
}

#[test]
fn a_salvage_says_what_is_saved_and_what_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let whole = directory.path().join("whole");
    sound_store(&whole);
    let mut bytes = std::fs::read(whole.join("runs.jsonl")).unwrap();
    let length = bytes.len();
    // The damage is in the middle of the lines.
    bytes[length / 2..length / 2 + 9000].fill(0xa5);
    std::fs::write(whole.join("runs.jsonl"), bytes).unwrap();
    let saved = Store::salvage(&whole, directory.path().join("salvaged")).unwrap();
    insta::assert_json_snapshot!(saved);

    let store = Store::open(directory.path().join("salvaged")).unwrap();
    assert_eq!(store.begin(&mut manifest()).unwrap(), RunId(RUNS + 1), "a number is given twice");
    let error = Store::salvage(&whole, directory.path().join("salvaged")).unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
    let error = Store::salvage(directory.path().join("nothing"), directory.path().join("new")).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    assert!(!directory.path().join("new").exists());
    // A store in use can be salvaged, since only its lines are read.
    Store::salvage(directory.path().join("salvaged"), directory.path().join("new")).unwrap();
}

/// A salvage omits records that were replaced or removed later in the log.
#[test]
fn a_salvage_of_a_sound_store_is_the_store() {
    let directory = tempfile::tempdir().unwrap();
    let (path, target) = (directory.path().join("store"), directory.path().join("salvaged"));
    let store = Store::open(&path).unwrap();
    for _ in 0..40 {
        stored_run(&store, 25);
    }
    store.reopen(RunId(3)).unwrap();
    let mut amended = step(25);
    amended.first_seen = Some(amended.observation.clone());
    store.amend_last_step(RunId(3), &amended).unwrap();
    let in_flight = |step| InFlight {
        step,
        ..serde_json::from_str(r#"{"step":0,"proposals":[],"action":1,"force":{"kind":"all"}}"#).unwrap()
    };
    for run in 1..=20 {
        store.set_in_flight(RunId(run), &in_flight(25)).unwrap();
        if run != 3 {
            store.clear_in_flight(RunId(run)).unwrap();
        }
    }
    let mut expected = Vec::new();
    store.export(&mut expected, ExportOptions::default()).unwrap();
    drop(store);

    let saved = Store::salvage(&path, &target).unwrap();
    assert!(saved.is_complete(), "{saved:?}");
    assert_eq!((saved.whole_runs, saved.saved["steps"], saved.saved["outcomes"]), (40, 40 * 26, 39));
    let store = Store::open_existing(&target).unwrap();
    let kept: Vec<_> = (1..=40).filter(|run| store.in_flight(RunId(*run)).unwrap().is_some()).collect();
    assert_eq!(kept, [3], "actions that are over are no longer in flight");
    let mut exported = Vec::new();
    store.export(&mut exported, ExportOptions::default()).unwrap();
    assert!(exported == expected, "the exports differ");
}
