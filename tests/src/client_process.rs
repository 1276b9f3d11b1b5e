//! The client in a separate process: plays a sequence of actions on a server and reports each one in the format of the
//! scripts in `tests/mineflayer`.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use ltlcrit_client::{Account, ClientOptions, ClientWorld};
use ltlcrit_minecraft::{Sight, vocabulary};
use ltlcrit_worlds::{Interrupt, Outcome, World as _};

use crate::mineflayer::Step;
use crate::usage;

/// The pause before a tool change, the same as in `play.mjs`.
const BETWEEN_SWAPS: Duration = Duration::from_millis(7);

/// Joins a server as a player of this name and executes the actions, named without `action_`, until one fails. Then it
/// equips the last two tools in turn, `swaps` times, as steps with their own names. Every step is a line of JSON on
/// standard output; the total comes last.
///
/// # Errors
/// Failures that are not part of the report: no standard output, no runtime.
pub fn run(address: &str, name: &str, actions: &[String], swaps: usize) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let began = Instant::now();
    let steps = actions.iter().map(|action| (action.clone(), action.clone())).chain(swapping(actions, swaps));
    let done = runtime.block_on(play(address, name, &steps.collect::<Vec<_>>()))?;
    tell(&Step {
        name: "total".to_owned(),
        ok: done,
        milliseconds: milliseconds(began),
        resident_bytes: usage::resident_bytes(),
        cpu_seconds: usage::cpu_seconds(),
        ..Step::default()
    })
}

/// Returns the actions that equip the last two tools in turn, `times` times, each with its name in the report.
fn swapping(actions: &[String], times: usize) -> impl Iterator<Item = (String, String)> {
    let tools: Vec<_> = actions.iter().rev().filter(|action| action.starts_with("equip_")).take(2).collect();
    let step = |tool: &String| (tool.replacen("equip", "swap", 1), tool.clone());
    let steps: Vec<_> = tools.into_iter().rev().map(step).collect();
    steps.into_iter().cycle().take(times)
}

/// Executes actions and reports each under its name.
async fn play(address: &str, player: &str, steps: &[(String, String)]) -> io::Result<bool> {
    let since = Instant::now();
    // Like mineflayer, the client sees every block that the server has sent.
    let (account, sight) = (Account::offline(player), Sight::Loaded);
    let options = ClientOptions { account, sight, seed: 1, ..ClientOptions::new(address) };
    let joined = async {
        let mut world = ClientWorld::join(options, Interrupt::new()).await.map_err(|error| error.to_string())?;
        world.observe().await.map_err(|error| error.to_string())?;
        Ok(world)
    };
    let mut world = match joined.await {
        Ok(world) => {
            report("join", since, Ok(String::new()))?;
            world
        }
        Err(why) => return report("join", since, Err(why)),
    };
    for (name, action) in steps {
        if name != action {
            // The swaps must not all happen in one tick of the client.
            tokio::time::sleep(BETWEEN_SWAPS).await;
        }
        let since = Instant::now();
        let result = match vocabulary().action(&format!("action_{action}")) {
            Some(known) => match world.execute(known).await {
                Ok(outcome) if outcome.succeeded() || done_already(&outcome) => Ok(outcome.message),
                Ok(outcome) => Err(outcome.message),
                Err(error) => Err(error.to_string()),
            },
            None => Err(format!("there is no action {action}")),
        };
        if !report(name, since, result)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether the goal of an exploration is already in sight, which mineflayer reports as done.
fn done_already(outcome: &Outcome) -> bool {
    outcome.failure.as_ref().is_some_and(|reason| reason.to_string() == "already_in_sight")
}

/// Reports a step; returns whether it was done.
fn report(name: &str, since: Instant, result: Result<String, String>) -> io::Result<bool> {
    let ok = result.is_ok();
    let (said, reason) = match result {
        Ok(said) => (Some(said), None),
        Err(reason) => (None, Some(reason)),
    };
    tell(&Step { name: name.to_owned(), ok, milliseconds: milliseconds(since), said, reason, ..Step::default() })?;
    Ok(ok)
}

fn tell(step: &Step) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, step)?;
    writeln!(out)?;
    out.flush()
}

fn milliseconds(since: Instant) -> f64 {
    (since.elapsed().as_secs_f64() * 1e6).round() / 1000.0
}
