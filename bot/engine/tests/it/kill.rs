//! A run that is killed several times ends as if it had not been interrupted.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use ltlcrit_engine::actor::{ActorKind, PromptedActor};
use ltlcrit_engine::agent::{Event, Interrupt, Observer, RunFacts, RunSummary, Silent, Start, same_laws};
use ltlcrit_engine::config::Config;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};
use ltlcrit_store::{Durability, End, Limits, RunId, Store};

use crate::common::{agent, block_on, export, facts, mix, simulated};

const SEED: u64 = 12;

fn stock_facts() -> RunFacts {
    let mut laws = Vec::new();
    for name in ["minecraft-hard", "inner-monologue"] {
        laws.extend(ltlcrit_laws::shipped(name).unwrap().laws_in_force());
    }
    RunFacts { limits: Limits { max_steps: 120, ..Limits::default() }, ..facts(laws) }
}

/// Runs the stock episode in a store, or resumes it if it has not ended.
fn go_on(path: &Path, observer: &mut dyn Observer) -> RunSummary {
    let store = Store::open(path).unwrap();
    if store.outcome(RunId(1)).unwrap().is_some() {
        return RunSummary::of(&store, RunId(1)).unwrap();
    }
    let mut world = EmbeddedWorld::new(SEED, EmbeddedOptions::compact());
    let mut actor =
        PromptedActor::new(ActorKind::InnerMonologue, simulated("inner-monologue", SEED), Config::default().prompts());
    let mut new_laws = same_laws;
    let (store, durability) = (&store, Durability::EachStep);
    let start = match store.run_ids().count() {
        0 => Start::Stored { store, durability, facts: stock_facts() },
        _ => Start::Resumed { store, durability, run: RunId(1), limits: None },
    };
    block_on(agent(&mut actor, observer, Interrupt::new(), &mut new_laws).run_in(&mut world, start)).unwrap()
}

/// Runs in the processes that the test below kills; does nothing as a test.
#[test]
fn victim() {
    let Ok(path) = std::env::var("VICTIM_STORE") else { return };
    let mut observer = |event: &Event<'_>| {
        if let Event::Stored { record, .. } = event {
            println!("\nstored {}", record.step);
        }
    };
    go_on(Path::new(&path), &mut observer);
}

/// Kills one run ten times between its first steps and its last.
#[test]
fn kills_lose_nothing_but_the_step_in_flight() {
    kills_lose_only_the_step_in_flight(10);
}

#[test]
#[ignore = "each kill starts a process"]
fn fifty_kills_lose_nothing_but_the_step_in_flight() {
    kills_lose_only_the_step_in_flight(50);
}

fn kills_lose_only_the_step_in_flight(count: u64) {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let whole = directory.path().join("whole");
    let summary = go_on(&whole, &mut Silent);
    assert_eq!(summary.end, Some(End::Goal));
    let last = summary.last_step.unwrap();
    let expected = export(&Store::open(&whole).unwrap(), RunId(1));

    let mut kills = 0;
    for story in 0.. {
        let path = directory.path().join(format!("story{story}"));
        let mut stored = 0;
        // The run is killed several times on its way, and then finishes.
        while kills < count {
            let draw = mix(&[story, kills]);
            let target = stored + draw % 16;
            if target >= last {
                break;
            }
            let reported = kill_after(&path, target, draw >> 32 & 0xf_ffff);
            let store = Store::open(&path).unwrap();
            let steps: Vec<_> = store.steps(RunId(1)).map(Result::unwrap).collect();
            // The begun run may have been killed before its first step; everything it reported is there.
            stored = steps.len().saturating_sub(1) as u64;
            assert!(reported.is_none_or(|step| step <= stored), "{reported:?} reported, {stored} stored");
            assert!(store.verify().unwrap().is_sound());
            kills += 1;
        }
        assert_eq!(go_on(&path, &mut Silent), summary);
        assert!(export(&Store::open(&path).unwrap(), RunId(1)) == expected, "story {story} differs");
        if kills >= count {
            break;
        }
    }
}

/// Starts or resumes the run, waits until it reports a step, spins a while, and kills it. Returns the last step reported.
fn kill_after(path: &Path, target: u64, spin: u64) -> Option<u64> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "kill::victim", "--nocapture", "--test-threads=1"]).env("VICTIM_STORE", path);
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let mut text = String::new();
    let number = |line: &str| line.trim().strip_prefix("stored ").and_then(|number| number.parse::<u64>().ok());
    loop {
        let mut line = String::new();
        // The output ends when the process has finished. The kill then comes too late, which is a valid case.
        if output.read_line(&mut line).unwrap() == 0 {
            break;
        }
        text.push_str(&line);
        if number(&line).is_some_and(|step| step >= target) {
            break;
        }
    }
    (0..spin).fold(0, |state, turn| std::hint::black_box(mix(&[state, turn])));
    process.kill().unwrap();
    process.wait().unwrap();
    output.read_to_string(&mut text).unwrap();
    text.lines().filter_map(number).max()
}
