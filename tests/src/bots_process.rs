//! Runs several bots in one engine, each with a diamond as its goal, and reports their progress in lines.

use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ltlcrit_client::{Account, ClientOptions, ClientWorld, Engine};
use ltlcrit_minecraft::MinecraftObservation;
use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::vocabulary;
use ltlcrit_worlds::{Interrupt, World as _};
use serde::{Deserialize, Serialize};
use tokio::task::LocalSet;

use crate::usage;

/// A line of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Line {
    /// All bots have joined; they wait for a line on standard input.
    Joined,
    /// A bot has finished an action.
    Action {
        /// The bot.
        bot: usize,
        /// The action.
        action: String,
        /// The reason code if it failed.
        failure: Option<String>,
        /// The result in words.
        message: String,
    },
    /// A bot has its diamond.
    Diamond {
        /// The bot.
        bot: usize,
    },
    /// A bot cannot continue.
    Lost {
        /// The bot.
        bot: usize,
        /// The reason.
        why: String,
    },
    /// The time is up, and all bots have left.
    Left {
        /// The number of deaths.
        deaths: u64,
        /// The number of reconnections.
        reconnects: u64,
        /// The peak of resident memory, in bytes.
        resident_bytes: Option<u64>,
        /// CPU time, in seconds.
        cpu_seconds: Option<f64>,
    },
}

/// Returns the name of a bot on the server.
pub fn name(bot: usize) -> String {
    format!("Bot{bot}")
}

/// Joins a server with `bots` bots, waits for a line on standard input, and runs the planner's policy in all of them
/// for `time`. Reports on standard output.
///
/// # Errors
/// Failures that cannot be reported: no standard output, no thread, no runtime.
pub fn run(address: &str, bots: usize, time: Duration) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let engine = Arc::new(Engine::start(1.0)?);
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let mut worlds = Vec::new();
        for bot in 0..bots {
            let account = Account::offline(name(bot));
            let options = ClientOptions { account, seed: bot as u64, ..ClientOptions::new(address) };
            let joined = ClientWorld::join_with(Arc::clone(&engine), options, Interrupt::new()).await;
            worlds.push(joined.map_err(|error| io::Error::other(format!("{}: {error}", name(bot))))?);
        }
        tell(&Line::Joined)?;
        io::stdin().lock().read_line(&mut String::new())?;
        let end = Instant::now() + time;
        let tasks: Vec<_> = worlds
            .into_iter()
            .enumerate()
            .map(|(bot, world)| tokio::task::spawn_local(work(bot, world, end)))
            .collect();
        let (mut deaths, mut reconnects) = (0, 0);
        for task in tasks {
            let (died, lost) = task.await.map_err(io::Error::other)??;
            deaths += died;
            reconnects += lost;
        }
        tell(&Line::Left {
            deaths,
            reconnects,
            resident_bytes: usage::resident_bytes(),
            cpu_seconds: usage::cpu_seconds(),
        })
    })
}

/// Runs one bot until its time is up; returns its numbers of deaths and of reconnections.
async fn work(bot: usize, mut world: ClientWorld, end: Instant) -> io::Result<(u64, u64)> {
    let mut policy = Policy::default();
    let mut last = None;
    let mut done = false;
    let over = tokio::time::sleep_until(end.into());
    tokio::pin!(over);
    loop {
        let step = async {
            let seen = world.observe().await.map_err(|error| error.to_string())?;
            let diamond = world.goal_reached(&seen);
            let Some(full) = seen.details.get::<MinecraftObservation>() else { return Err("another game".to_owned()) };
            let Some(action) =
                policy.next(&full, last.as_ref()).or_else(|| vocabulary().action("action_explore_general"))
            else {
                return Err("nothing to do".to_owned());
            };
            let outcome = world.execute(action).await.map_err(|error| error.to_string())?;
            Ok((diamond, action, outcome))
        };
        let step = tokio::select! {
            step = step => step,
            () = &mut over => return Ok((world.deaths(), world.reconnects())),
        };
        match step {
            Ok((diamond, action, outcome)) => {
                if diamond && !done {
                    tell(&Line::Diamond { bot })?;
                    done = true;
                }
                tell(&Line::Action {
                    bot,
                    action: vocabulary().action_name(action).to_owned(),
                    failure: outcome.failure.as_ref().map(ToString::to_string),
                    message: outcome.message.clone(),
                })?;
                last = Some(outcome);
            }
            Err(why) => {
                tell(&Line::Lost { bot, why })?;
                return Ok((world.deaths(), world.reconnects()));
            }
        }
    }
}

fn tell(line: &Line) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, line)?;
    writeln!(out)?;
    out.flush()
}
