//! Stores of many runs: shared documents, reserved numbers, several threads, and stores of the earlier format.

use std::path::Path;

use ltlcrit_store::{
    Configuration, Durability, ExportOptions, RunId, RunManifest, StepRecord, Store, VerifyReport, sha256,
};
use serde_json::json;

use crate::common::{manifest, outcome, step, stored_run};
use crate::trouble::{change_lines, replaced, tamper};

/// The records of two runs of 2 and 0 steps by [`stored_run`], written by a program without documents: tree, key,
/// header, JSON.
const VERSION_1: &str = include_str!("fixtures/version-1.txt");

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let pair = |at: usize| u8::from_str_radix(&hexadecimal[at..at + 2], 16).unwrap();
    (0..hexadecimal.len()).step_by(2).map(pair).collect()
}

fn export(store: &Store) -> String {
    let mut bytes = Vec::new();
    assert!(store.export(&mut bytes, ExportOptions { times: true }).unwrap().unreadable.is_empty());
    String::from_utf8(bytes).unwrap()
}

fn problems(report: &VerifyReport) -> Vec<String> {
    report.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_store_of_the_earlier_format_is_read_and_continued() {
    let directory = tempfile::tempdir().unwrap();
    let (old, new) = (directory.path().join("old"), directory.path().join("new"));
    let records = |path: &Path| {
        tamper(path, |database| {
            database.insert("format", "ltlcrit store 1").unwrap();
            for line in VERSION_1.lines() {
                let [tree, key, header, json] = line.splitn(4, ' ').collect::<Vec<_>>().try_into().unwrap();
                let value = [bytes(header), json.as_bytes().to_vec()].concat();
                database.open_tree(tree).unwrap().insert(bytes(key), value).unwrap();
            }
        });
        std::fs::write(path.join("journal"), "\nbegin 1;\n\nend 1 2;\n\nbegin 2;\n\nend 2 0;\n").unwrap();
    };
    records(&old);
    let saved = Store::salvage(&old, directory.path().join("salvaged")).unwrap();
    assert!(saved.is_complete() && saved.whole_runs == 2, "{saved:?}");
    let before = std::fs::read(old.join("db")).unwrap();
    let (store, same) = (Store::open(&old).unwrap(), Store::open(&new).unwrap());
    assert!(store.remarks()[0].starts_with("was converted from an earlier version"), "{:?}", store.remarks());
    assert_eq!(std::fs::read(old.join("replaced-1/db")).unwrap(), before, "the old files are kept");
    for (run, steps) in [(1, 2), (2, 0)] {
        assert_eq!(store.manifest(RunId(run)).unwrap(), RunManifest { run: RunId(run), ..manifest() });
        assert_eq!(stored_run(&same, steps), RunId(run));
    }
    assert_eq!(export(&store), export(&same));
    assert_eq!(export(&Store::open_existing(directory.path().join("salvaged")).unwrap()), export(&same));
    // The store holds runs of both versions.
    assert_eq!((stored_run(&store, 3), stored_run(&same, 3)), (RunId(3), RunId(3)));
    assert_eq!(export(&store), export(&same));
    assert_eq!(problems(&store.verify().unwrap()), [""; 0]);
    drop(store);
    let read = Store::open_to_read(&old).unwrap();
    assert!(read.remarks().is_empty() && export(&read) == export(&same));

    // A read-only command converts it, too.
    let again = directory.path().join("again");
    records(&again);
    assert_eq!(Store::open_to_read(&again).unwrap().run_ids().count(), 2);
    // The index alone is not a store, because the lines hold the records.
    std::fs::remove_file(again.join("runs.jsonl")).unwrap();
    let error = Store::open(&again).unwrap_err().to_string();
    assert!(error.contains("its runs.jsonl is missing"), "{error}");
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
