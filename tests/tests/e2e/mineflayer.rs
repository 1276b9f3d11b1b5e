//! mineflayer, an independent client, plays on the served world at the game's speed and sorts its inventory.
#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use ltlcrit_tests::mineflayer::{Error, Mineflayer, REQUIRED, SORTING};
use serde_json::Value;

use crate::sandbox::Sandbox;
use crate::serve::Serving;

/// The first action of each kind: digging, picking up, crafting, placing.
#[test]
fn mineflayer_makes_a_table() {
    // Two logs, so that a stack is left to be sorted.
    let (logs, planks) = (["mine_log"; 2], ["craft_planks"; 2]);
    let sequence = [&logs[..], &planks, &["craft_crafting_table", "place_crafting_table"]].concat();
    mineflayer_plays(&sequence.into_iter().map(str::to_owned).collect::<Vec<_>>());
}

#[test]
#[ignore = "real time, three minutes"]
fn mineflayer_gets_the_diamond() {
    mineflayer_plays(&Mineflayer::sequence().unwrap());
}

/// A failure is a fault of the server until proven otherwise.
fn mineflayer_plays(sequence: &[String]) {
    let mineflayer = match Mineflayer::install(Path::new(env!("CARGO_TARGET_TMPDIR"))) {
        Err(Error::NoNode(why)) if std::env::var_os(REQUIRED).is_none() => {
            eprintln!("SKIPPED: mineflayer did not judge the server. {why}. With {REQUIRED} set this is a failure.");
            return;
        }
        installed => installed.unwrap_or_else(|error| panic!("{error}")),
    };
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox, &["--seed", "7", "--port", "0", "--json"]);
    let served: Value = serde_json::from_str(&serving.first).unwrap_or_default();
    let report = match served["address"].as_str().and_then(|address| address.parse().ok()) {
        Some(address) => {
            mineflayer.play(address, "Flayer", sequence, Duration::from_secs(420), |step| println!("{step}"))
        }
        None => Ok(Vec::new()),
    };
    // The server ends before the checks, so that it never outlives this test.
    let first = serving.first.clone();
    let ran = serving.interrupt().code(0);
    let report = report.unwrap_or_else(|error| panic!("{error}\n--- the server said\n{}", ran.stderr));
    assert!(!report.is_empty(), "no address: {first}");

    if let Some(failed) = report.iter().find(|step| !step.ok) {
        panic!("{failed}\n--- the server said\n{}", ran.stderr);
    }
    let names: Vec<&str> = report.iter().map(|step| step.name.as_str()).collect();
    let played = sequence.iter().map(String::as_str);
    assert_eq!(names, ["join"].into_iter().chain(played).chain([SORTING, "total"]).collect::<Vec<_>>());
    let total = report.last().unwrap();
    assert!(total.corrections.is_empty(), "one who walked as one may was moved: {:?}", total.corrections);
}
