//! Unusable stores: full, read-only, in use, damaged, missing, or not a store.

use std::fs;

use crate::endpoint::Endpoint;
use crate::run::steps;
use crate::sandbox::{BINARY, EMBEDDED, Ran, Sandbox};

const RUN: &str = "run -q --model simulated:careful";

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_that_was_stored() {
    let whole = Sandbox::new();
    whole.run(RUN).code(0);
    let sandbox = Sandbox::new();
    // A limit on the size of files acts like a full disk in the middle of the run.
    let script = format!("ulimit -f 128; trap '' XFSZ; exec {BINARY} {RUN}");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(sandbox.path())
        .env_clear()
        .envs([EMBEDDED])
        .output()
        .unwrap();
    let ran = Ran::from(output).code(6);
    assert!(ran.stderr.contains("writing to the store `.ltlcrit/store` failed"), "{}", ran.stderr);
    sandbox.run("store verify").code(0);
    let (kept, all) = (steps(&sandbox, 1), steps(&whole, 1));
    assert!(!kept.is_empty() && kept.len() < all.len(), "{} of {} steps were stored", kept.len(), all.len());
    assert_eq!(kept, all[..kept.len()]);
    // With enough space, the run can be resumed.
    sandbox.run("resume").code(0);
    assert_eq!(steps(&sandbox, 1), all);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_store_is_refused_before_anything_runs() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let locked = sandbox.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Permissions do not apply to the superuser, but the kernel's own tree refuses writes.
    let store = if fs::write(locked.join("probe"), "").is_ok() { "/sys/store".into() } else { locked.join("store") };
    let ran = sandbox.run(&format!("{RUN} --store {}", store.display())).code(6);
    assert!(ran.stderr.contains("cannot be written"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--store"), "{}", ran.stderr);
    sandbox.run(&format!("doctor --store {}", store.display())).code(5);
}

#[test]
fn something_else_is_not_a_store() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "mine");
    fs::create_dir(sandbox.path().join("folder")).unwrap();
    sandbox.write("folder/notes.txt", "mine");
    for path in ["file", "folder"] {
        let ran = sandbox.run(&format!("{RUN} --store {path}")).code(6);
        assert!(ran.stderr.contains("is not a store"), "{}", ran.stderr);
        let error = sandbox.run(&format!("{RUN} --store {path} --json")).code(6).json_error();
        assert_eq!(error["code"], "store");
    }
    assert_eq!(fs::read_to_string(sandbox.path().join("folder/notes.txt")).unwrap(), "mine");
}

/// The commands that only read the store.
const READERS: [&str; 10] = [
    "runs list",
    "runs show 1",
    "replay 1",
    "graph all",
    "store stats",
    "store verify",
    "store export",
    "laws pending minecraft-hard",
    "laws blame minecraft-hard mine-stone",
    "laws history minecraft-hard",
];

#[test]
fn a_store_in_use_can_be_read() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::hanging_after(2);
    let url = endpoint.url();
    let mut busy = sandbox.std_command(["run", "-q", "--model", "openai:persona", "--base-url", &url]).spawn().unwrap();
    endpoint.wait_until_asked(3);
    for line in READERS {
        let ran = sandbox.run(line);
        assert!(ran.code == 0, "{line}: {}", ran.shown());
        let note = "the store `.ltlcrit/store` is in use by another process: shown as it is now\n";
        assert_eq!(ran.stderr.matches(note).count(), 1, "{line}: {}", ran.stderr);
        let ran = sandbox.run(&format!("{line} --json")).code(0);
        assert_eq!(ran.stderr, "", "{line}");
    }
    // Every durable step is there: the initial state and two steps of the model.
    assert_eq!(steps(&sandbox, 1).len(), 3);
    assert_eq!(sandbox.run("runs list --json").json()["runs"][0]["steps"], 2);
    assert!(sandbox.run("runs show 7").code(4).stderr.contains("there is no run 7"));
    sandbox.run("store salvage --output new").code(0);
    assert_eq!(sandbox.run("runs list --json --store new").json()["runs"][0]["steps"], 2);
    busy.kill().unwrap();
    busy.wait().unwrap();
    assert!(!sandbox.run("runs list").code(0).stderr.contains("in use"));
}

/// The index in sled holds nothing beyond the lines.
#[test]
fn a_damaged_index_costs_no_record_and_no_panic_is_shown() {
    let sandbox = Sandbox::new();
    for seed in 1..=3 {
        sandbox.run(&format!("{RUN} --steps 40 --seed {seed}"));
    }
    let (file, export) = (sandbox.path().join(".ltlcrit/store/db"), sandbox.run("store export").code(0).stdout);
    let sound = fs::read(&file).unwrap();
    let used = sound.iter().rposition(|byte| *byte != 0).unwrap();
    for (run, part) in (4..).zip(1..8) {
        let mut damaged = sound.clone();
        match part {
            7 => damaged.truncate(used / 2),
            _ => damaged[used * part / 7] ^= 1,
        }
        fs::write(&file, &damaged).unwrap();
        let before = sandbox.run("store export").code(0);
        assert!(before.stdout.starts_with(&export) && before.stderr.is_empty(), "{}", before.stderr);
        let ran = sandbox.run(&format!("run --model simulated:careful --steps 2 --seed {run}")).code(10);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert!(sandbox.run("store export").code(0).stdout.starts_with(&before.stdout), "records are lost");
        sandbox.run("store verify").code(0);
    }
}

#[test]
fn a_damaged_store_is_salvaged() {
    let sandbox = Sandbox::new();
    sandbox.run(&format!("{RUN} --steps 6")).code(10);
    sandbox.run(&format!("{RUN} --steps 4")).code(10);
    let file = sandbox.path().join(".ltlcrit/store/runs.jsonl");
    let sound = fs::read(&file).unwrap();
    let mut bytes = sound.clone();
    // This is one step of each run.
    let step = br#"{"step":3,"#;
    for at in 0..bytes.len() - step.len() {
        if bytes[at..].starts_with(step) {
            bytes[at] ^= 1;
        }
    }
    fs::write(&file, &bytes).unwrap();
    let ran = sandbox.run("store salvage --output saved");
    let sums = |text: String| text.split(" at byte ").next().unwrap().to_owned();
    insta::assert_snapshot!(ran.shown().lines().map(|line| sums(line.to_owned()) + "\n").collect::<String>());
    assert!(fs::read(&file).unwrap() == bytes, "the damaged store was changed");
    assert_eq!(sandbox.run("runs list --json --store saved").code(0).json()["runs"].as_array().unwrap().len(), 2);
    assert!(sandbox.run("runs list").code(0).stderr.contains("has 2 damaged lines"));
    assert!(sandbox.run("store verify").code(5).stdout.contains("`store salvage`"));
    let ran = sandbox.run("store salvage --output saved").code(6);
    assert!(ran.stderr.contains("there is something at `saved` already"), "{}", ran.stderr);
    // The last records are missing, so nothing is written after them.
    fs::write(&file, &sound[..sound.len() / 2]).unwrap();
    assert!(sandbox.run(RUN).code(6).stderr.contains("`ltlcrit store salvage`"));
    assert!(fs::read(&file).unwrap() == sound[..sound.len() / 2], "the damaged store was changed");
    sandbox.run("store verify").code(6);
    let saved = sandbox.run("store salvage --output half --json").code(5).json();
    assert!(saved["lost"].to_string().contains("are missing"), "{saved}");
}

#[test]
fn a_store_in_use_is_left_alone() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::hanging_after(2);
    let url = endpoint.url();
    let mut busy = sandbox.std_command(["run", "-q", "--model", "openai:persona", "--base-url", &url]).spawn().unwrap();
    endpoint.wait_until_asked(3);
    for line in [RUN, "learn -q --no-laws --episodes 1 --iterations 1"] {
        let ran = sandbox.run(&format!("{line} --record cassette")).code(6);
        assert!(ran.stderr.contains("is in use by another process"), "{}", ran.stderr);
        assert!(!sandbox.path().join("cassette").exists(), "{line}: a run that is refused leaves a cassette");
    }
    busy.kill().unwrap();
    busy.wait().unwrap();
    // The process was killed within a step: only that step is lost, and the run can be resumed.
    assert_eq!(steps(&sandbox, 1).len(), 3);
    sandbox.run("store verify").code(0);
    let open = Endpoint::start();
    sandbox.run(&format!("resume -q --steps 5 --base-url {}", open.url())).code(10);
    assert_eq!(steps(&sandbox, 1).len(), 6);
}

#[test]
fn a_damaged_store_is_an_error_and_no_crash() {
    let sandbox = Sandbox::new();
    sandbox.run(RUN).code(0);
    let file = sandbox.path().join(".ltlcrit/store/runs.jsonl");
    let sound = fs::read(&file).unwrap();
    for offset in (sound.len() / 10..sound.len()).step_by(sound.len() / 5) {
        let mut damaged = sound.clone();
        damaged[offset..(offset + 64).min(sound.len())].fill(0xa5);
        fs::write(&file, &damaged).unwrap();
        for line in ["store verify", "store export", "store stats", "runs list", "runs show 1", "replay 1"] {
            let ran = sandbox.run(line);
            assert!([0, 4, 5, 6].contains(&ran.code), "{line}: {}", ran.shown());
            assert!(!ran.stderr.contains("panicked"), "{line}: {}", ran.stderr);
        }
    }
}

#[test]
fn an_export_goes_where_it_is_sent() {
    let sandbox = Sandbox::new();
    sandbox.run(&format!("{RUN} --steps 4")).code(10);
    sandbox.run("store export --format jsonl -o runs.jsonl").code(0);
    let printed = sandbox.run("store export").code(0).stdout;
    assert_eq!(fs::read_to_string(sandbox.path().join("runs.jsonl")).unwrap(), printed);
    let kinds: Vec<String> = printed
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["run", "step", "step", "step", "step", "step", "end"]);
    assert!(!printed.contains("created"));
    assert!(sandbox.run("store export --times").code(0).stdout.contains("created"));
    let stats = sandbox.run("store stats --json").code(0).json();
    assert_eq!((stats["runs"].as_u64(), stats["steps"].as_u64()), (Some(1), Some(5)));
    assert!(sandbox.run("store export -o missing/runs.jsonl").code(1).stderr.contains("missing/runs.jsonl"));
}
