//! Damaged stores: every read terminates, and salvage saves the readable records.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ltlcrit_store::{ExportOptions, InFlight, RunId, RunManifest, Salvage, Store, StoreError, Translation};

use crate::common::{manifest, mix, outcome, step, stored_run};

const RUNS: u64 = 4;
const STEPS: u64 = 30;

/// A store that was opened twice, so that the engine has a snapshot of the first half of its log.
fn sound_store(path: &Path) {
    for _ in 0..2 {
        let store = Store::open(path).unwrap();
        for _ in 0..RUNS / 2 {
            stored_run(&store, STEPS);
        }
    }
}

/// Every file of a directory, by its path.
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

/// A copy of a store in which one bit of one file differs.
fn damaged(whole: &Path, copy: &Path, name: &str, bit: u64) {
    std::fs::create_dir_all(copy.join("blobs")).unwrap();
    for (path, bytes) in files(whole) {
        std::fs::write(copy.join(path.strip_prefix(whole).unwrap()), bytes).unwrap();
    }
    let mut bytes = std::fs::read(copy.join(name)).unwrap();
    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    std::fs::write(copy.join(name), bytes).unwrap();
}

/// The names of a store's files, with the number of bytes in use.
fn lengths(whole: &Path) -> Vec<(String, u64)> {
    let in_use = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last as u64 + 1);
    let name = |path: &Path| path.strip_prefix(whole).unwrap().to_str().unwrap().to_owned();
    files(whole).iter().map(|(path, bytes)| (name(path), in_use(bytes))).collect()
}

/// Reads everything by all methods, with a bound on the number of items of each.
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
        bounded(store.outlines(run, &Translation::default()).take(most + 1).count(), "outlines");
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
            // All runs share their documents.
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

#[test]
fn every_flipped_bit_leaves_a_store_that_is_read_to_an_end_and_salvaged() {
    let directory = tempfile::tempdir().unwrap();
    let whole = directory.path().join("whole");
    sound_store(&whole);
    let all_steps = RUNS * (STEPS + 1);
    let (mut refused, mut fewest) = (0, all_steps);
    for (name, length) in lengths(&whole) {
        let cases = if name == "db" { 64 } else { 6 };
        for case in 0..cases {
            let bit = mix(&[case, length]) % (length * 8);
            let case = format!("{name} bit {bit}");
            let copy = directory.path().join("copy");
            damaged(&whole, &copy, &name, bit);

            let before = files(&copy);
            let target = directory.path().join("salvaged");
            let saved = Store::salvage(&copy, &target).unwrap();
            assert!(files(&copy) == before, "{case}: salvage changed the source");
            check_salvage(&saved, &target, &case);
            fewest = fewest.min(saved.saved["steps"]);
            std::fs::remove_dir_all(&target).unwrap();

            match Store::open_to_read(&copy) {
                Ok(store) => read_everything(&store, &case),
                Err(StoreError::Damaged { .. } | StoreError::NotAStore { .. } | StoreError::Write { .. }) => {
                    refused += 1
                }
                Err(other) => panic!("{case}: {other}"),
            }
            std::fs::remove_dir_all(&copy).unwrap();
        }
    }
    println!("{refused} refused; the worst salvage has {fewest} of {all_steps} steps");
    assert!(fewest + 16 >= all_steps, "a salvage lost {} steps to one bit", all_steps - fewest);
}

/// The engine clears everything after damage when it opens a log. Opening to read must not.
#[test]
fn reading_a_damaged_store_leaves_everything_to_a_later_salvage() {
    let directory = tempfile::tempdir().unwrap();
    let (whole, target) = (directory.path().join("whole"), directory.path().join("salvaged"));
    sound_store(&whole);
    let length = lengths(&whole).into_iter().find(|(name, _)| name == "db").unwrap().1;
    let mut copies = 0;
    for eighth in 1..8 {
        let copy = directory.path().join(format!("copy{eighth}"));
        damaged(&whole, &copy, "db", length * eighth + 3);
        let before = files(&copy);
        if let Ok(store) = Store::open_to_read(&copy) {
            copies += u32::from(matches!(store.copied(), Some(StoreError::Damaged { .. })));
            read_everything(&store, "a damaged store");
            drop(store);
            assert!(files(&copy) == before, "reading changed a damaged store");
        }
        let saved = Store::salvage(&copy, &target).unwrap();
        assert!(!saved.is_complete() && saved.saved["steps"] + 16 >= RUNS * (STEPS + 1), "{saved:?}");
        std::fs::remove_dir_all(&target).unwrap();
    }
    assert!(copies > 0, "no damaged store could be read");
}

#[test]
fn a_salvage_says_what_is_saved_and_what_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let whole = directory.path().join("whole");
    sound_store(&whole);
    let mut bytes = std::fs::read(whole.join("db")).unwrap();
    let length = lengths(&whole).into_iter().find(|(name, _)| name == "db").unwrap().1 as usize;
    // A stretch in the middle of the log.
    bytes[length / 2..length * 5 / 8].fill(0xa5);
    std::fs::write(whole.join("db"), bytes).unwrap();
    let saved = Store::salvage(&whole, directory.path().join("salvaged")).unwrap();
    insta::assert_json_snapshot!(saved);

    let store = Store::open(directory.path().join("salvaged")).unwrap();
    assert_eq!(store.begin(&mut manifest()).unwrap(), RunId(RUNS + 1), "a number is given twice");
    let error = Store::salvage(&whole, directory.path().join("salvaged")).unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
    let error = Store::salvage(directory.path().join("nothing"), directory.path().join("new")).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    let error = Store::salvage(directory.path().join("salvaged"), directory.path().join("new")).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    assert!(!directory.path().join("new").exists());
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
    assert!(saved.is_complete() && saved.damaged_segments == 0, "{saved:?}");
    assert_eq!((saved.whole_runs, saved.saved["steps"], saved.saved["outcomes"]), (40, 40 * 26, 39));
    let store = Store::open_existing(&target).unwrap();
    let kept: Vec<_> = (1..=40).filter(|run| store.in_flight(RunId(*run)).unwrap().is_some()).collect();
    assert_eq!(kept, [3], "actions that are over are no longer in flight");
    let mut exported = Vec::new();
    store.export(&mut exported, ExportOptions::default()).unwrap();
    assert!(exported == expected, "the exports differ");
}

#[test]
fn a_journal_that_leaves_no_number_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    stored_run(&Store::open(&path).unwrap(), 2);
    std::fs::write(path.join("journal"), "\nbegin 18446744073709551615;\n").unwrap();
    let store = Store::open(&path).unwrap();
    let error = store.begin(&mut manifest()).unwrap_err().to_string();
    assert!(error.contains("there is a run 18446744073709551615, which leaves no number for another"), "{error}");
    assert!(!store.verify().unwrap().is_sound());
}
