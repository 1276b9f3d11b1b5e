//! The pages in a browser: what `tests/mineflayer/browse.mjs` checks with Playwright, on runs of the real program.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use ltlcrit_store::{Durability, RunId, RunOutcome, StepRecord, Store};
use ltlcrit_tests::mineflayer::{Error, Mineflayer, REQUIRED};

use crate::report::{MARKUP, hostile_batch};
use crate::sandbox::{BINARY, Sandbox};

/// If this environment variable is set, Chromium is required.
const REQUIRED_TOO: &str = "REQUIRE_CHROMIUM";
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// The number of steps of a long run.
const LONG: u64 = 10_000;

/// Adds a run that repeats the steps of another one.
fn long_run(store: &Store, of: RunId) {
    let steps: Vec<StepRecord> = store.steps(of).map(Result::unwrap).collect();
    let run = store.begin(&mut store.manifest(of).unwrap()).unwrap();
    for number in 0..=LONG {
        let step = if number == 0 { 0 } else { 1 + number as usize % (steps.len() - 1) };
        let record = StepRecord { step: number, new_laws: None, ..steps[step].clone() };
        store.append_step(run, &record, Durability::EachEpisode).unwrap();
    }
    let outcome = store.outcome(of).unwrap().unwrap();
    store.finish(run, &RunOutcome { last_step: LONG, ..outcome }).unwrap();
}

#[test]
fn people_look_at_the_pages() {
    let found = |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success());
    let Some(chromium) = NAMES.iter().find(found) else {
        assert!(std::env::var_os(REQUIRED_TOO).is_none(), "none of {NAMES:?} is installed, and {REQUIRED_TOO} is set");
        eprintln!("SKIPPED: no browser looked at the pages. With {REQUIRED_TOO} set this is a failure.");
        return;
    };
    let installed = match Mineflayer::install(Path::new(env!("CARGO_TARGET_TMPDIR"))) {
        Err(Error::NoNode(why)) if std::env::var_os(REQUIRED).is_none() => {
            eprintln!("SKIPPED: no browser looked at the pages. {why}. With {REQUIRED} set this is a failure.");
            return;
        }
        installed => installed.unwrap_or_else(|error| panic!("{error}")),
    };
    let sandbox = Sandbox::new();
    let law = format!(
        "name = \"hostile\"\nvocabulary = \"minecraft\"\nrevision = 1\n[[law]]\nid = \"log\"\nstrength = \"hard\"\n\
         status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\nformula = \"G(!obs_has_log -> X !action_craft_planks)\"\n\
         explanation = '{MARKUP}'\n"
    );
    sandbox.write("hostile-book.toml", &law);
    sandbox.run("run -q --laws hostile-book.toml").code(0);
    sandbox.run("run -q --world household:mobile-2 --model planner:safe").code(0);
    long_run(&Store::open(sandbox.path().join(".ltlcrit/store")).unwrap(), RunId(1));
    sandbox.run("learn -q --no-laws --episodes 3 --iterations 2 --store learned").code(0);
    hostile_batch(&sandbox);
    for (of, page) in [("hostile-results", "batch"), ("1", "run"), ("2", "house"), ("all --store learned", "learning")]
    {
        sandbox.run(&format!("report {of} -o {page}.html")).code(0);
    }
    let scripts = installed.scripts("browse").unwrap();
    let browsed = sandbox
        .std_command_of("node")
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", sandbox.path())
        .arg(scripts.join("browse.mjs"))
        .args([BINARY, chromium, &MARKUP.replace('\u{202e}', "\u{fffd}")])
        .output()
        .unwrap();
    fs::remove_dir_all(&scripts).unwrap();
    let told = [browsed.stdout, browsed.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    println!("{told}");
    assert!(browsed.status.success(), "{told}");
}
