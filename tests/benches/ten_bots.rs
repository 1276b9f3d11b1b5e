//! Runs ten bots in one engine on one server, each with a diamond as its goal, for two minutes: `cargo bench -p
//! ltlcrit-tests --bench ten_bots [-- SECONDS [BOTS]]`. The results are in `README.md` in this directory.
//!
//! The bots begin some distance apart on natural terrain. The bench fails if a bot panics, loses its world or makes no
//! progress for 30 seconds. Progress is a finished action, a movement, or a change of the inventory. The bots run in a
//! separate process, so that memory and CPU time are measured for them alone.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_server::{Server, ServerError, ServerOptions};
use ltlcrit_tests::bots_process::{self, Line};

/// The flag that makes this program the bots; the server's address, their number and the seconds follow.
const BOTS: &str = "--bots";
/// The distance between their starts, in blocks.
const APART: i32 = 40;
/// Maximum time without progress of a bot.
const PATIENCE: Duration = Duration::from_secs(30);
/// The interval between position queries to the server.
const LOOK: Duration = Duration::from_millis(500);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, address, bots, seconds] = arguments.as_slice()
        && flag == BOTS
    {
        return Ok(bots_process::run(address, bots.parse()?, Duration::from_secs(seconds.parse()?))?);
    }
    let number = |at: usize, usual: u64| arguments.get(at).map_or(Ok(usual), |number| number.parse());
    let (seconds, bots) = (number(0, 120)?, number(1, 10)? as usize);
    let server = Server::start(ServerOptions { max_players: bots, ..ServerOptions::default() })?;
    let address = server.address().to_string();
    let mut child = Running(
        Command::new(std::env::current_exe()?)
            .args([BOTS, &address, &bots.to_string(), &seconds.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?,
    );
    let (Some(mut orders), Some(output)) = (child.0.stdin.take(), child.0.stdout.take()) else {
        return Err("the bots have no standard input or output".into());
    };
    let (tell, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });

    let mut watched: Vec<Bot> = (0..bots).map(Bot::new).collect();
    let mut left = None;
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(line) => match serde_json::from_str(&line)? {
                Line::Joined => {
                    spread(&server, bots)?;
                    writeln!(orders, "go")?;
                    watched.iter_mut().for_each(|bot| bot.farther = Instant::now());
                }
                Line::Action { bot, action, failure, message } => {
                    let why = failure.as_ref().map(|failure| format!(" ({failure})")).unwrap_or_default();
                    eprintln!("{:<6} {:<28} {message}{why}", bots_process::name(bot), action);
                    if let Some(bot) = watched.get_mut(bot) {
                        bot.done += u64::from(failure.is_none());
                        bot.failed += u64::from(failure.is_some());
                        bot.farther = Instant::now();
                    }
                }
                Line::Diamond { bot } => eprintln!("{:<6} has its diamond", bots_process::name(bot)),
                Line::Lost { bot, why } => return Err(format!("{}: {why}", bots_process::name(bot)).into()),
                Line::Left { deaths, reconnects, resident_bytes, cpu_seconds } => {
                    left = Some((deaths, reconnects, resident_bytes, cpu_seconds));
                    break;
                }
            },
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        for bot in &mut watched {
            bot.look(&server)?;
        }
    }
    let now = Instant::now();
    let status = child.0.wait()?;
    let Some((deaths, reconnects, resident, cpu)) = left.filter(|_| status.success()) else {
        return Err(format!("the bots ended with {status}").into());
    };
    println!("{bots} bots, {seconds} seconds\n");
    println!("{:<8} {:>6} {:>6} {:>8} {:>18}", "", "done", "failed", "moved", "farther, s ago");
    for bot in &watched {
        let ago = now.duration_since(bot.farther).as_secs_f64();
        println!(
            "{:<8} {:>6} {:>6} {:>8} {ago:>18.1}",
            bots_process::name(bot.number),
            bot.done,
            bot.failed,
            bot.moves
        );
    }
    let steps: u64 = watched.iter().map(|bot| bot.done + bot.failed).sum();
    println!("\n{steps} actions, {deaths} deaths, {reconnects} connections made again");
    if let (Some(resident), Some(cpu)) = (resident, cpu) {
        println!("{:.1} MB resident at most, {cpu:.1} s of CPU time", resident as f64 / 1e6);
    }
    server.stop()?;
    let stuck: Vec<_> = watched.iter().filter(|bot| now.duration_since(bot.farther) > PATIENCE).collect();
    if stuck.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = stuck.iter().map(|bot| bots_process::name(bot.number)).collect();
    Err(format!("no farther in the last {} seconds: {}", PATIENCE.as_secs(), names.join(", ")).into())
}

/// The cell and the stacks of a bot.
type Seen = ([i32; 3], Vec<(String, u32)>);

/// The state of a bot on the server.
struct Bot {
    number: usize,
    done: u64,
    failed: u64,
    /// The number of changes of its position or inventory.
    moves: u64,
    /// The time of its last progress.
    farther: Instant,
    seen: Option<Seen>,
}

impl Bot {
    fn new(number: usize) -> Self {
        Self { number, done: 0, failed: 0, moves: 0, farther: Instant::now(), seen: None }
    }

    fn look(&mut self, server: &Server) -> Result<(), ServerError> {
        let name = bots_process::name(self.number);
        let (at, carried) = match (server.position(&name), server.inventory(&name)) {
            (Ok(at), Ok(carried)) => (at, carried),
            // The bot has not joined yet, or has left.
            (Err(ServerError::NoPlayer(_)), _) | (_, Err(ServerError::NoPlayer(_))) => return Ok(()),
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let stacks = carried.iter().flatten().map(|stack| (stack.item.name().to_owned(), stack.count)).collect();
        let seen = Some((at.map(|part| part.floor() as i32), stacks));
        if seen != self.seen {
            self.seen = seen;
            self.moves += 1;
            self.farther = Instant::now();
        }
        Ok(())
    }
}

/// Moves the bots to dry land around their positions.
fn spread(server: &Server, bots: usize) -> Result<(), ServerError> {
    let mut places = Vec::new();
    let [x, _, z] = server.position(&bots_process::name(0))?.map(|part| part.floor() as i32);
    for ring in 0i32.. {
        if places.len() >= bots {
            break;
        }
        for (i, j) in (-ring..=ring).flat_map(|i| (-ring..=ring).map(move |j| (i, j))) {
            if i.abs().max(j.abs()) == ring && places.len() < bots {
                places.extend(stand(server, x + APART * i, z + APART * j)?);
            }
        }
    }
    for (bot, at) in places.into_iter().enumerate() {
        server.teleport(&bots_process::name(bot), at)?;
    }
    Ok(())
}

/// Returns the position to stand in a column, if it is dry land.
fn stand(server: &Server, x: i32, z: i32) -> Result<Option<[f64; 3]>, ServerError> {
    for y in (40..140).rev() {
        let block = server.block(BlockPos::new(x, y, z))?;
        if !block.is_open() {
            let dry = block.is_solid();
            return Ok(dry.then_some([f64::from(x) + 0.5, f64::from(y) + 1.0, f64::from(z) + 0.5]));
        }
    }
    Ok(None)
}

/// The bots' process, killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}
