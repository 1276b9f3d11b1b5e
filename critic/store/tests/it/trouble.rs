//! Failures of a store: damage, locks, permissions, full disks, killed processes.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ltlcrit_store::{Durability, ExportOptions, RunId, Store, StoreError};

use crate::common::{manifest, step, stored_run};

/// Changes a database through the storage engine, without the store.
pub fn tamper(path: &Path, change: impl FnOnce(&sled::Db)) {
    let database = sled::open(path).unwrap();
    change(&database);
    database.flush().unwrap();
}

/// Changes the lines of a closed store, and removes its index and the stored end of the lines.
pub fn change_lines(path: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let file = path.join("runs.jsonl");
    let mut lines: Vec<String> = std::fs::read_to_string(&file).unwrap().lines().map(str::to_owned).collect();
    change(&mut lines);
    std::fs::write(file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    for name in ["db", "conf", "runs.end"] {
        // Data that was never forced to disk has no stored end.
        let _ = std::fs::remove_file(path.join(name));
    }
}

/// Replaces a text in a line and corrects the checksum.
pub fn replaced(line: &str, from: &str, to: &str) -> String {
    let rest = line.split_once(r#"",""#).unwrap().1.replace(from, to);
    let rest = format!(r#","{rest}"#);
    format!(r#"{{"crc":"{:08x}"{rest}"#, crc32fast::hash(rest.as_bytes()))
}

#[test]
fn damaged_records_are_named_and_the_others_stay_readable() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let store = Store::open(path).unwrap();
    for _ in 0..3 {
        stored_run(&store, 4);
    }
    drop(store);
    change_lines(path, |lines| {
        let at = |lines: &[String], tree: &str, key: &str| {
            let head = format!(r#""tree":"{tree}","key":[{key}],"#);
            lines.iter().position(|line| line.contains(&head)).unwrap()
        };
        let flipped = at(lines, "steps", "1,2");
        lines[flipped] = lines[flipped].replacen("In I go.", "in I go.", 1);
        let cut = at(lines, "steps", "2,3");
        lines[cut].truncate(300);
        let newer = at(lines, "steps", "3,1");
        lines[newer] = replaced(&lines[newer], r#"v":2"#, r#"v":9"#);
        let removed = at(lines, "steps", "3,3");
        lines.remove(removed);
        let manifest = at(lines, "runs", "2");
        let value = lines[manifest].split_once(r#""value":"#).unwrap().1.strip_suffix('}').unwrap().to_owned();
        lines[manifest] = replaced(&lines[manifest], &value, r#""not a manifest""#);
        lines.push(replaced(&lines[cut + 1], r#""tree":"steps""#, r#""tree":"stops""#));
        lines.push("stray".to_owned());
    });

    for store in [Store::open_to_read(path).unwrap(), Store::open_existing(path).unwrap()] {
        let report = store.verify().unwrap();
        let problems: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
        let crc = |text: &str| text.split("checksum is ").next().unwrap().to_owned();
        insta::assert_snapshot!(
            "damaged_records",
            problems.iter().map(|text| crc(text)).collect::<Vec<_>>().join("\n")
        );
        assert_eq!(report.records["steps"], 14);

        assert_eq!(store.runs().filter(Result::is_ok).count(), 2);
        assert_eq!(store.steps(RunId(1)).filter(Result::is_ok).count(), 4);
        assert_eq!(store.steps(RunId(2)).filter(Result::is_ok).count(), 4);
        let error = store.steps(RunId(3)).nth(1).unwrap().unwrap_err().to_string();
        assert_eq!(
            error,
            "steps 3/1: this record has version 9, this program knows versions up to 2; use a newer ltlcrit"
        );
        let mut bytes = Vec::new();
        let exported = store.export(&mut bytes, ExportOptions::default()).unwrap();
        assert_eq!((exported.runs, exported.steps, exported.unreadable.len()), (2, 7, 3), "{exported:?}");
        assert_eq!(
            bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"type\":\"step\"")).count(),
            7
        );
    }
}

#[test]
fn another_process_is_told_to_wait() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    let error = Store::open(directory.path().join("store")).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error:?}");
    assert!(error.to_string().ends_with("is in use by another process; wait until it ends, or use another store"));
    let run = stored_run(&store, 2);
    assert_eq!(store.steps(run).count(), 3);
}

#[test]
fn what_is_not_a_store_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let error = Store::open_existing(directory.path().join("nothing")).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    assert!(!directory.path().join("nothing").exists());

    let file = directory.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    assert!(matches!(Store::open(&file), Err(StoreError::NotAStore { .. })));
    assert!(matches!(Store::open(file.join("below")), Err(StoreError::NotAStore { .. })));
    assert_eq!(std::fs::read(&file).unwrap(), b"precious");

    let error = Store::open(directory.path()).unwrap_err();
    assert!(error.to_string().ends_with("is not a store: it is a directory with other files in it"), "{error}");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);

    let stranger = directory.path().join("stranger");
    tamper(&stranger, |database| drop(database.insert("theirs", "data").unwrap()));
    let error = Store::open(&stranger).unwrap_err();
    assert!(error.to_string().ends_with("it is a directory with other files in it"), "{error}");
    // The index alone is not a store, because the lines hold the records.
    let index = directory.path().join("index");
    stored_run(&Store::open(&index).unwrap(), 1);
    std::fs::remove_file(index.join("runs.jsonl")).unwrap();
    for refused in [Store::open(&index), Store::open_to_read(&index)] {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("its runs.jsonl is missing"), "{error}");
    }

    let newer = directory.path().join("newer");
    drop(Store::open(&newer).unwrap());
    change_lines(&newer, |lines| lines[0] = replaced(&lines[0], "ltlcrit store 2", "ltlcrit store 3"));
    let error = Store::open(&newer).unwrap_err().to_string();
    assert!(error.contains("its format is `ltlcrit store 3`, this program writes `ltlcrit store 2`"), "{error}");

    // An export uses the same file name as the lines of a store.
    let export = directory.path().join("export");
    std::fs::create_dir(&export).unwrap();
    std::fs::write(export.join("runs.jsonl"), "{\"type\":\"run\"}\n").unwrap();
    for refused in [Store::open(&export), Store::open_to_read(&export)] {
        let error = refused.unwrap_err().to_string();
        assert!(error.ends_with("is not a store: its runs.jsonl was not written by a store"), "{error}");
    }
    assert_eq!(std::fs::read(export.join("runs.jsonl")).unwrap(), b"{\"type\":\"run\"}\n");
}

/// Opening such a file could block, or change the target of a link.
#[cfg(unix)]
#[test]
fn lines_that_are_no_regular_file_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    stored_run(&Store::open(&path).unwrap(), 1);
    let (lines, kept) = (path.join("runs.jsonl"), directory.path().join("kept"));
    std::fs::rename(&lines, &kept).unwrap();
    let whole = std::fs::read(&kept).unwrap();
    std::os::unix::fs::symlink(&kept, &lines).unwrap();
    let refused = || {
        for refused in [Store::open(&path), Store::open_to_read(&path)] {
            let error = refused.unwrap_err();
            assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
        }
        assert!(Store::salvage(&path, directory.path().join("saved")).is_err());
        assert_eq!(std::fs::read(&kept).unwrap(), whole);
    };
    refused();
    std::fs::remove_file(&lines).unwrap();
    assert!(Command::new("mkfifo").arg(&lines).status().unwrap().success());
    refused();
    std::fs::remove_file(&lines).unwrap();
    std::fs::copy(&kept, &lines).unwrap();
    for name in ["runs.end", "lock", "db", "runs.2.jsonl"] {
        let file = path.join(name);
        let own = std::fs::read(&file).ok();
        let _ = std::fs::remove_file(&file);
        std::os::unix::fs::symlink(&kept, &file).unwrap();
        refused();
        std::fs::remove_file(&file).unwrap();
        if let Some(own) = own {
            std::fs::write(&file, own).unwrap();
        }
    }
    assert!(Store::open(&path).unwrap().verify().unwrap().is_sound());
}

/// Runs a scenario of this file in its own process.
fn child(scenario: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "trouble::scenario", "--nocapture", "--quiet", "--test-threads=1"]);
    command.env("STORE_SCENARIO", scenario).env("STORE_PATH", path);
    command
}

/// The body of the child processes of the tests below; as a test, it does nothing.
#[test]
fn scenario() {
    let Ok(scenario) = std::env::var("STORE_SCENARIO") else { return };
    let path = std::env::var("STORE_PATH").unwrap();
    if scenario == "read" {
        let store = Store::open_to_read(path).unwrap();
        println!("\n{} steps", store.steps(RunId(1)).map(Result::unwrap).count());
        return;
    }
    match (scenario.as_str(), Store::open(path)) {
        (_, Err(error)) => println!("\nopen: {error}"),
        ("open", Ok(_)) => println!("\nopened"),
        ("batch", Ok(store)) => std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        println!("\nstored {}", stored_run(&store, 5));
                    }
                });
            }
        }),
        ("fill", Ok(store)) => {
            let run = store.begin(&mut manifest()).unwrap();
            for number in 0.. {
                match store.append_step(run, &step(number), Durability::EachStep) {
                    Ok(()) => println!("\nstored {number}"),
                    Err(error) => {
                        println!("\nappend: {error}");
                        // Every later write fails too, without blocking.
                        assert!(store.append_step(run, &step(number + 1), Durability::EachStep).is_err());
                        std::process::exit(0);
                    }
                }
            }
        }
        _ => unreachable!(),
    }
}

fn stored(output: &str) -> impl Iterator<Item = u64> {
    output.lines().filter_map(|line| line.strip_prefix("stored ")?.parse().ok())
}

fn last_stored(output: &str) -> u64 {
    stored(output).max().unwrap()
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    use std::os::unix::process::CommandExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    // A limit on file sizes acts like a full disk: writes beyond it fail, and the signal of the limit is ignored.
    let inner = child("fill", &path);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1100; exec \"$0\" \"$@\""]).arg(inner.get_program());
    command.args(inner.get_args()).envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?))));
    command.process_group(0);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let error = text.lines().find(|line| line.starts_with("append: "));
    let error = error.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    assert!(error.contains("every step reported as stored before this is safe"), "{error}");

    let store = Store::open_existing(&path).unwrap();
    let steps = store.steps(RunId(1)).map(Result::unwrap).count() as u64;
    assert!(steps > last_stored(&text), "{steps} steps in the store, {} reported", last_stored(&text));
    assert!(store.verify().unwrap().is_sound());
}

#[cfg(unix)]
#[test]
fn a_directory_that_may_not_be_written_can_only_be_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    stored_run(&Store::open(&path).unwrap(), 2);
    let mode = |bits| std::fs::Permissions::from_mode(bits);
    std::fs::set_permissions(directory.path(), mode(0o755)).unwrap();
    let files = || std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    files().for_each(|file| std::fs::set_permissions(&file, mode(if file.is_dir() { 0o555 } else { 0o444 })).unwrap());
    std::fs::set_permissions(&path, mode(0o555)).unwrap();
    // Permissions do not apply to the superuser, so the test runs as `nobody`.
    let is_superuser = std::fs::File::create(path.join("probe")).is_ok();
    if is_superuser {
        std::fs::remove_file(path.join("probe")).unwrap();
    }
    let said = |scenario: &str| {
        let mut command = child(scenario, &path);
        if is_superuser {
            command.uid(65534).gid(65534);
        }
        let output = command.output()?;
        Ok::<_, std::io::Error>(
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let (opened, read) = match (said("open"), said("read")) {
        (Ok(opened), Ok(read)) => (opened, read),
        (Err(error), _) | (_, Err(error)) => {
            println!("SKIPPED: cannot run as another user: {error}");
            return;
        }
    };
    std::fs::set_permissions(&path, mode(0o755)).unwrap();
    files().for_each(|file| std::fs::set_permissions(&file, mode(if file.is_dir() { 0o755 } else { 0o644 })).unwrap());
    assert!(opened.contains("cannot be written (") && opened.contains("check its permissions"), "{opened}");
    assert!(read.contains("\n3 steps"), "{read}");
    assert_eq!(Store::open_existing(&path).unwrap().steps(RunId(1)).map(Result::unwrap).count(), 3);
}

#[test]
fn a_killed_process_loses_no_step_it_reported() {
    for case in 0..12_u64 {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store");
        let mut process: Child = child("fill", &path).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut text = String::new();
        let wanted = format!("stored {}\n", case * case * 3);
        while !text.ends_with(&wanted) {
            assert_ne!(output.read_line(&mut text).unwrap(), 0, "{text}");
        }
        process.kill().unwrap();
        process.wait().unwrap();
        output.read_to_string(&mut text).unwrap();

        let store = Store::open_existing(&path).unwrap();
        let steps = store.steps(RunId(1)).map(Result::unwrap).enumerate().inspect(|(position, record)| {
            assert_eq!(*record, step(*position as u64));
        });
        let steps = steps.count() as u64;
        let reported = last_stored(&text) + 1;
        assert!(steps == reported || steps == reported + 1, "{steps} steps stored, {reported} reported");
        assert!(store.verify().unwrap().is_sound());
        store.append_step(RunId(1), &step(steps), Durability::EachStep).unwrap();
    }
}

#[test]
fn a_killed_batch_loses_no_run_it_ended() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let mut process = child("batch", &path).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let mut text = String::new();
    while stored(&text).count() < 20 {
        assert_ne!(output.read_line(&mut text).unwrap(), 0, "{text}");
    }
    process.kill().unwrap();
    process.wait().unwrap();
    output.read_to_string(&mut text).unwrap();

    let store = Store::open_existing(&path).unwrap();
    for run in stored(&text).map(RunId) {
        assert_eq!(store.steps(run).map(Result::unwrap).count(), 6, "run {run}");
        assert!(store.outcome(run).unwrap().is_some(), "run {run}");
    }
    assert!(store.verify().unwrap().is_sound());
}
