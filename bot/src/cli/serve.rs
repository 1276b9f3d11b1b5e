//! `ltlcrit world serve`: serves the embedded world to Minecraft clients.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ltlcrit_engine::agent::Interrupt;
use ltlcrit_minecraft::terrain::TerrainKind;
use ltlcrit_server::{PROTOCOL, Server, ServerError, ServerOptions, VERSION};
use serde::Serialize;

use super::interrupt;
use super::interrupt::Ends;
use crate::cli::args::{choice, numbers};
use crate::cli::output::{CliError, Context, DIM, WARNING, runtime};
use crate::exit::ExitCode;

/// Arguments of `world`.
#[derive(Debug, clap::Args)]
pub struct WorldArgs {
    #[command(subcommand)]
    command: WorldCommand,
}

#[derive(Debug, clap::Subcommand)]
enum WorldCommand {
    /// Serve a world to Minecraft clients until Ctrl-C
    ///
    /// A login must be over in 30 seconds. Connections that have not logged in lock nobody out: with more than 256 of
    /// them, or 128 of one address, the oldest is closed. Of the players who left, 256 are remembered with what they
    /// carried; beyond that, the least recently seen one is forgotten, players with an empty inventory first.
    Serve(ServeArgs),
}

/// Arguments of `world serve`.
#[derive(Debug, clap::Args)]
struct ServeArgs {
    /// The world's seed
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = numbers::whole::<u64>)]
    seed: u64,
    /// The port to listen at; 0 takes any free one
    #[arg(long, value_name = "P", default_value_t = 25565, allow_negative_numbers = true)]
    port: u16,
    /// The address to listen at; anybody who can reach it can join
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// Keep the world in this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The terrain
    #[arg(long, default_value = "natural", value_parser = choice::<TerrainKind>())]
    terrain: TerrainKind,
    /// The distance that players see, in chunks
    #[arg(long, value_name = "CHUNKS", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=16))]
    view_distance: u32,
    /// The maximum number of players
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = numbers::whole::<usize>)]
    max_players: usize,
}

/// A server as `--json` prints it.
#[derive(Serialize)]
struct Served {
    address: SocketAddr,
    seed: u64,
    terrain: TerrainKind,
    version: &'static str,
    protocol: i32,
    save: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A server that cannot be started or whose world cannot be saved.
pub fn run(args: &WorldArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.command {
        WorldCommand::Serve(args) => serve(args, context),
    }
}

fn serve(args: &ServeArgs, context: &Context) -> Result<ExitCode, CliError> {
    let failed = |what| {
        move |error: ServerError| {
            let code = if matches!(error, ServerError::Bind { .. }) { ExitCode::Failure } else { ExitCode::World };
            CliError::from_error(code, what, &error)
        }
    };
    let runtime = runtime("the server cannot be waited for")?;
    let options = ServerOptions {
        bind: SocketAddr::new(args.bind, args.port),
        seed: args.seed,
        terrain: args.terrain,
        view_distance: args.view_distance,
        max_players: args.max_players,
        save: args.save.clone(),
        ..ServerOptions::default()
    };
    let server = Server::start(options).map_err(failed("the server cannot be started"))?;
    let interrupted = Interrupt::new();
    let _listening = interrupt::listen(interrupted.clone(), Ends::InTime)?;
    let address = server.address();
    if !args.bind.is_loopback() {
        context.note(format_args!(
            "{WARNING}warning{WARNING:#}: whoever can reach {address} can join; no one is asked for a password"
        ));
    }
    let (seed, terrain, save) = (args.seed, args.terrain, args.save.clone());
    let served = Served { address, seed, terrain, version: VERSION, protocol: PROTOCOL, save };
    context.result(&served, || address.to_string())?;
    // Scripts wait for the address.
    context.flush()?;
    context.note(format_args!("{DIM}seed {seed} for Minecraft {VERSION} (protocol {PROTOCOL}); Ctrl-C stops{DIM:#}"));
    runtime.block_on(interrupted.wait());
    context.note(format_args!("{DIM}stopping{DIM:#}"));
    server.stop().map_err(failed("the world could not be saved"))?;
    Ok(ExitCode::Success)
}
