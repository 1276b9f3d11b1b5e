//! Stores of many runs: shared documents, reserved numbers, and several threads.

use ltlcrit_store::{Configuration, Durability, ExportOptions, RunId, StepRecord, Store, VerifyReport, sha256};
use serde_json::json;

use crate::common::{manifest, outcome, step, stored_run};
use crate::trouble::{change_lines, replaced};

fn problems(report: &VerifyReport) -> Vec<String> {
    report.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn runs_share_their_documents() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path()).unwrap();
    for run in 0..40 {
        let mut manifest = manifest();
        manifest.configuration = Configuration::new(json!({ "seed": run % 2 }));
        manifest.books.push(manifest.books[0].clone());
        manifest.books[1].revision = run % 4;
        store.begin(&mut manifest).unwrap();
        assert_eq!(store.manifest(manifest.run).unwrap(), manifest);
    }
    let report = store.verify().unwrap();
    assert!(report.is_sound());
    // Two configurations, four revisions of one book (one of them is the first book), a vocabulary, the laws.
    assert_eq!(report.records["documents"], 2 + 4 + 1 + 1);
}

#[test]
fn a_missing_or_wrong_document_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let store = Store::open(&path).unwrap();
    stored_run(&store, 1);
    let mut other = manifest();
    other.books[0].text = "# another\n".into();
    store.begin(&mut other).unwrap();
    drop(store);
    let (mut missing, mut wrong) = (String::new(), String::new());
    change_lines(&path, |lines| {
        let document = |lines: &[String], text: &str| {
            let found = lines.iter().position(|line| line.contains(r#""tree":"documents""#) && line.contains(text));
            (found.unwrap(), lines[found.unwrap()].split('"').nth(13).unwrap().to_owned())
        };
        let removed;
        (removed, missing) = document(lines, "# a book");
        lines.remove(removed);
        let changed;
        (changed, wrong) = document(lines, "# another");
        lines[changed] = replaced(&lines[changed], "# another", "# a third");
    });
    let found = sha256(br##"{"name":"door","revision":1,"source":"shipped","text":"# a third\n"}"##);

    let store = Store::open_existing(&path).unwrap();
    let missing = format!("documents {missing}: this record is corrupted: it is missing");
    let wrong = format!("documents {wrong}: this record is corrupted: its content has the hash {found}");
    let refers = |run, why: &str| format!("runs {run}: this record is corrupted: it refers to its books: {why}");
    let expected = [wrong.clone(), refers(1, &missing), refers(2, &wrong)];
    let report = store.verify().unwrap();
    assert_eq!(problems(&report), expected);
    assert_eq!(report.problems.iter().map(|problem| problem.run).collect::<Vec<_>>(), [None, Some(1), Some(2)]);
    assert_eq!(store.manifest(RunId(1)).unwrap_err().to_string(), expected[1]);
    assert_eq!(store.steps(RunId(1)).filter(Result::is_ok).count(), 2);
    let exported = store.export(&mut Vec::new(), ExportOptions::default()).unwrap();
    assert_eq!((exported.runs, exported.unreadable.len()), (0, 2));
    drop(store);
    let saved = Store::salvage(&path, directory.path().join("salvaged")).unwrap();
    assert!(!saved.is_complete() && saved.whole_runs == 0, "{saved:?}");

    // A run stores a missing document again.
    let store = Store::open_existing(&path).unwrap();
    stored_run(&store, 1);
    assert!(store.manifest(RunId(1)).is_ok());
}

/// Returns the steps of a run, which differ from run to run.
fn steps_of(run: RunId) -> impl Iterator<Item = StepRecord> {
    (0..=run.0 % 7 + 2).map(move |number| {
        let mut record = step(number);
        record.proposals.truncate((run.0 % 3) as usize);
        record
    })
}

/// Each thread writes its own runs, interleaved with those of others.
#[test]
fn threads_share_a_store() {
    let directory = tempfile::tempdir().unwrap();
    let shared = Store::open(directory.path()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let mut manifest = manifest();
                    let run = shared.begin(&mut manifest).unwrap();
                    let durability =
                        if run.0.is_multiple_of(4) { Durability::EachStep } else { Durability::EachEpisode };
                    for record in steps_of(run) {
                        shared.append_step(run, &record, durability).unwrap();
                        std::thread::yield_now();
                    }
                    shared.finish(run, &outcome(run.0 % 7 + 2)).unwrap();
                }
            });
        }
    });
    drop(shared);
    let store = Store::open_existing(directory.path()).unwrap();
    assert_eq!(problems(&store.verify().unwrap()), [""; 0]);
    assert!(store.run_ids().map(Result::unwrap).eq((1..=40).map(RunId)));
    for run in (1..=40).map(RunId) {
        assert!(store.steps(run).map(Result::unwrap).eq(steps_of(run)), "run {run}");
        assert_eq!(store.outcome(run).unwrap(), Some(outcome(run.0 % 7 + 2)));
    }
}
