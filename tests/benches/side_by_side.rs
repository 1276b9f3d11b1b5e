//! Compares our client and mineflayer, one after the other, on fresh servers of one seed, with the same sequence of
//! actions: `cargo bench -p ltlcrit-tests --bench side_by_side [-- ROUNDS [ours|mineflayer]]`. The results are in
//! `README.md` in this directory.
//!
//! Each client is a separate process, at the game's speed. The bench needs node and npm, and takes several minutes.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ltlcrit_server::{Server, ServerOptions};
use ltlcrit_tests::client_process;
use ltlcrit_tests::mineflayer::{Mineflayer, Step, listen};

/// A seed with which mineflayer reaches its diamond.
const SEED: u64 = 7;
/// The flag that makes this program the client; the server's address follows.
const CLIENT: &str = "--client";
/// The number of additional tool changes at the end. The sequence itself has only three, each shorter than a
/// millisecond.
const SWAPS: usize = 200;
/// The kind of a tool change.
const SWAP: &str = "swap";
/// The time limit of a client.
const LIMIT: Duration = Duration::from_secs(600);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, address] = arguments.as_slice()
        && flag == CLIENT
    {
        return Ok(client_process::run(address, "Racer", &Mineflayer::sequence()?, SWAPS)?);
    }
    let rounds = arguments.first().map_or(Ok(3), |rounds| rounds.parse::<usize>())?;
    let only = arguments.get(1).map(String::as_str);
    let mineflayer = Mineflayer::install(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let mut plays = [Vec::new(), Vec::new()];
    for round in 1..=rounds {
        for (who, plays) in ["ours", "mineflayer"].into_iter().zip(&mut plays) {
            if only.is_some_and(|only| only != who) {
                continue;
            }
            let server = Server::start(ServerOptions { seed: SEED, ..ServerOptions::compact() })?;
            eprintln!("round {round} of {rounds}: {who}");
            let report = match who {
                "ours" => {
                    let mut client = Command::new(std::env::current_exe()?);
                    listen(client.args([CLIENT, &server.address().to_string()]), show)?
                }
                _ => mineflayer.play_timed(server.address(), "Flayer", SWAPS, LIMIT, show)?,
            };
            server.stop()?;
            if let Some(failed) = report.iter().find(|step| !step.ok) {
                return Err(format!("{who}: {failed}").into());
            }
            plays.push(report);
        }
    }
    let [ours, theirs] = plays;
    print(&ours, &theirs);
    Ok(())
}

fn show(step: &Step) {
    if kind(&step.name) != SWAP || !step.ok {
        eprintln!("  {step}");
    }
}

/// Returns the kind of a step; joining and the total are kinds too.
fn kind(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// Returns, for each name in order of appearance, its number of steps in a play and the median of its milliseconds over
/// plays.
fn medians(plays: &[Vec<Step>], named: impl Fn(&str) -> String) -> Vec<(String, usize, f64)> {
    let mut names: Vec<String> = Vec::new();
    let mut sums: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
    for (number, play) in plays.iter().enumerate() {
        for step in play {
            let name = named(&step.name);
            if !names.contains(&name) {
                names.push(name.clone());
            }
            let of = sums.entry(name).or_default();
            of.resize(number + 1, (0, 0.0));
            of[number].0 += 1;
            of[number].1 += step.milliseconds;
        }
    }
    let row = |name: String| {
        let of = sums.remove(&name).unwrap_or_default();
        (name, of.first().map_or(0, |first| first.0), median(of.into_iter().map(|(_, sum)| sum)))
    };
    names.into_iter().map(row).collect()
}

/// Returns a quantile of some values.
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1) as f64;
    values.get((last * part).round() as usize).copied().unwrap_or(f64::NAN)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

fn print(ours: &[Vec<Step>], theirs: &[Vec<Step>]) {
    println!("median of {} plays each, milliseconds in all\n", ours.len());
    println!("{:<24} {:>5} {:>9} {:>11} {:>7}", "", "times", "ours", "mineflayer", "ours/its");
    let table = |named: &dyn Fn(&str) -> String| {
        for ((name, times, one), (_, _, other)) in medians(ours, named).into_iter().zip(medians(theirs, named)) {
            let slower = if one > other { "  slower" } else { "" };
            println!("{name:<24} {times:>5} {one:>9.1} {other:>11.1} {:>7.2}{slower}", one / other);
        }
    };
    table(&|name| name.to_owned());
    println!();
    table(&|name| kind(name).to_owned());
    println!();
    let swaps = |plays: &[Vec<Step>], of: &dyn Fn(Vec<f64>) -> f64| {
        let each = |play: &Vec<Step>| {
            let swaps = play.iter().filter(|step| kind(&step.name) == SWAP);
            of(swaps.map(|step| step.milliseconds).collect())
        };
        median(plays.iter().map(each))
    };
    for (what, part) in [("ms a swap, median", 0.5), ("ms a swap, 9 of 10 below", 0.9)] {
        let (one, other) = (swaps(ours, &|of| quantile(of, part)), swaps(theirs, &|of| quantile(of, part)));
        println!("{what:<30} {one:>9.3} {other:>11.3} {:>7.2}", one / other);
    }
    let total = |plays: &[Vec<Step>], of: &dyn Fn(&Step) -> Option<f64>| {
        median(plays.iter().filter_map(|play| play.last().and_then(of)))
    };
    let memory = |step: &Step| step.resident_bytes.map(|bytes| bytes as f64 / 1e6);
    for (what, of) in
        [("MB resident at most", &memory as &dyn Fn(&Step) -> Option<f64>), ("s of CPU time", &|step| step.cpu_seconds)]
    {
        let (one, other) = (total(ours, of), total(theirs, of));
        println!("{what:<30} {one:>9.1} {other:>11.1} {:>7.2}", one / other);
    }
}
