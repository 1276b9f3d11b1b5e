//! Reading a store while another process writes to it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ltlcrit_store::{Durability, ExportOptions, RunId, Store, StoreError};

use crate::common::{manifest, outcome, step, stored_run};

#[test]
fn a_store_in_use_is_read_up_to_its_last_durable_step() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let store = Store::open(&path).unwrap();
    stored_run(&store, 30);
    let run = store.begin(&mut manifest()).unwrap();
    for number in 0..40 {
        store.append_step(run, &step(number), Durability::EachStep).unwrap();
        if number % 13 == 0 {
            let read = Store::open_to_read(&path).unwrap();
            assert_eq!(read.remarks(), ["is in use by another process: shown as it is now"]);
            assert_eq!(read.steps(run).map(Result::unwrap).count() as u64, number + 1);
            assert_eq!(read.outcome(run).unwrap(), None);
            assert!(read.verify().unwrap().is_sound());
        }
    }
    let export = |store: &Store| {
        let mut bytes = Vec::new();
        store.export(&mut bytes, ExportOptions { times: true }).unwrap();
        bytes
    };
    let read = Store::open_to_read(&path).unwrap();
    assert!(export(&read) == export(&store), "what is read differs");
    assert_eq!(read.path(), path);
    let error = read.append_step(run, &step(40), Durability::EachStep).unwrap_err();
    assert!(matches!(error, StoreError::OpenToRead { .. }), "{error}");
    assert!(matches!(Store::open_existing(&path), Err(StoreError::Locked { .. })), "a writer waits its turn");
    drop(store);
    assert!(Store::open_to_read(&path).unwrap().remarks().is_empty());
}

/// Lines are appended during the read.
#[test]
fn a_store_read_while_it_is_written_is_whole() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let store = Store::open(&path).unwrap();
    let (ended, enough) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !enough.load(Ordering::SeqCst) {
                let run = store.begin(&mut manifest()).unwrap();
                for number in 0..=12 {
                    store.append_step(run, &step(number), Durability::EachEpisode).unwrap();
                }
                store.finish(run, &outcome(12)).unwrap();
                if run.0.is_multiple_of(5) {
                    store.reopen(run).unwrap();
                    store.append_step(run, &step(13), Durability::EachStep).unwrap();
                    store.finish(run, &outcome(13)).unwrap();
                }
                ended.store(run.0, Ordering::SeqCst);
            }
        });
        for round in 0..24 {
            let before = ended.load(Ordering::SeqCst);
            let read = Store::open_to_read(&path);
            let checked = read.map(|read| {
                let report = read.verify().unwrap();
                let there = (1..=before)
                    .map(RunId)
                    .filter(|run| read.steps(*run).map(Result::unwrap).count() == if run.0 % 5 == 0 { 14 } else { 13 });
                (report, there.count() as u64)
            });
            if round == 23 || checked.as_ref().is_ok_and(|(report, there)| !report.is_sound() || *there != before) {
                enough.store(true, Ordering::SeqCst);
            }
            let (report, there) = checked.unwrap();
            assert!(report.is_sound(), "round {round}: {:?}", report.problems);
            assert_eq!(there, before, "round {round}: runs that had ended are not whole");
        }
        enough.store(true, Ordering::SeqCst);
    });
    println!("{} runs were written meanwhile", ended.load(Ordering::SeqCst));
}
