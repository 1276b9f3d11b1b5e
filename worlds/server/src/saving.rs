//! The save file: the parts of a game that its seed does not determine.
//!
//! A new file is written beside the old one and replaces it when it is complete, so there is a valid file at any time.
//! The first line names the format and the checksum of the rest, which is JSON. A damaged file, or one of another
//! world, is refused and left unchanged.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;
use ltlcrit_files::FileError;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::ground::SOURCE;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{MAX_AIR, MAX_HEALTH, Player as Body};
use ltlcrit_minecraft::terrain::TerrainKind;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::drops;
use super::offline_players::OfflinePlayer;
use super::options::ServerOptions;
use super::state::GameState;
use super::windows::PlayerInventory;
use super::windows::furnace::Furnace;
use super::windows::inventory::CARRIED;
use super::windows::stack::{Slot, Stack};

/// The first words of a save file.
const FORMAT: &str = "ltlcrit world 1";
/// The maximum size of a save file that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The reason that a world could not be saved or restored.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The file cannot be read or written.
    #[error("the save file {path} cannot be {done}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The operation.
        done: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// Another server has locked the file.
    #[error("the save file {0} belongs to another server that is running; stop it, or name another file")]
    Taken(PathBuf),
    /// The file is not a save file, or has been damaged.
    #[error("the save file {path} is damaged: {what}; it is left as it is: repair it, or name another file")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        what: String,
    },
    /// The file belongs to another world.
    #[error("the save file {path} is of {world}; serve that one, or name another file for this one")]
    OtherWorld {
        /// The file.
        path: PathBuf,
        /// Its world.
        world: String,
    },
}

/// A block position: x, y, z.
type Coordinates = (i32, i32, i32);

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    seed: u64,
    terrain: TerrainKind,
    tick: u64,
    /// Blocks that may differ from the terrain.
    blocks: Vec<(Coordinates, String)>,
    levels: Vec<(Coordinates, u8)>,
    flows: Vec<(Coordinates, u64)>,
    furnaces: Vec<SavedFurnace>,
    drops: Vec<SavedDrop>,
    players: BTreeMap<String, SavedPlayer>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedFurnace {
    at: Coordinates,
    slots: [Slot; 3],
    fire: u32,
    lit: u32,
    progress: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedDrop {
    at: [f64; 3],
    /// The speed, in blocks per tick.
    speed: [f64; 3],
    stack: Stack,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPlayer {
    at: [f64; 3],
    look: [f32; 2],
    health: u32,
    air: u32,
    fire: u32,
    held: usize,
    /// Slot numbers and contents, without empty slots.
    slots: Vec<(usize, Stack)>,
    /// The tick at which it left.
    #[serde(default)]
    seen: u64,
}

fn coordinates(pos: BlockPos) -> Coordinates {
    (pos.x, pos.y, pos.z)
}

fn pos((x, y, z): Coordinates) -> BlockPos {
    BlockPos::new(x, y, z)
}

/// Checks a saved position or speed.
fn point([x, y, z]: [f64; 3]) -> Result<Vec3, String> {
    let found = Vec3 { x, y, z };
    if [x, y, z].iter().all(|part| part.is_finite() && part.abs() < 3e7) {
        Ok(found)
    } else {
        Err(format!("there is no place {found:?}"))
    }
}

/// The game as the bytes of a save file.
///
/// # Errors
/// The game cannot be written as JSON.
pub(super) fn snapshot(game: &mut GameState) -> io::Result<Vec<u8>> {
    let ground = &mut game.blocks.ground;
    let saved_drop = |stack: Stack, at: Vec3, speed: Vec3| SavedDrop {
        at: [at.x, at.y, at.z],
        speed: [speed.x, speed.y, speed.z],
        stack,
    };
    let mut drops: Vec<_> =
        game.entities.drops.values().map(|drop| saved_drop(drop.stack, drop.at, drop.speed)).collect();
    let mut players: BTreeMap<String, SavedPlayer> =
        game.offline_players.iter().map(|(name, offline)| (name.clone(), SavedPlayer::of(offline))).collect();
    for player in game.entities.players.values().filter(|player| player.is_alive()) {
        // Connected players are saved as if they left now.
        let mut screen = player.screen.clone();
        drops.extend(screen.put_away().into_iter().map(|stack| saved_drop(stack, player.at, Vec3::ZERO)));
        let offline = OfflinePlayer { inventory: screen.inventory().clone(), ..OfflinePlayer::of(player, ground.tick) };
        players.insert(player.name.clone(), SavedPlayer::of(&offline));
    }
    let mut changed: Vec<BlockPos> = game.blocks.changed.iter().copied().collect();
    changed.sort_unstable();
    let mut furnaces: Vec<_> =
        game.blocks.furnaces.iter().map(|(pos, furnace)| SavedFurnace::of(*pos, furnace)).collect();
    furnaces.sort_unstable_by_key(|furnace| furnace.at);
    let mut levels: Vec<_> = ground.levels().map(|(pos, level)| (coordinates(pos), level)).collect();
    levels.sort_unstable();
    let saved = Saved {
        seed: game.options.seed,
        terrain: game.options.terrain,
        tick: ground.tick,
        blocks: changed.iter().map(|pos| (coordinates(*pos), ground.block(*pos).name().to_owned())).collect(),
        levels,
        flows: ground.flows().map(|(pos, delay)| (coordinates(pos), delay)).collect(),
        furnaces,
        drops,
        players,
    };
    let body = serde_json::to_vec(&saved)?;
    let mut bytes = format!("{FORMAT} {:08x}\n", crc32fast::hash(&body)).into_bytes();
    bytes.extend(body);
    Ok(bytes)
}

/// Restores a new game from a save file's bytes.
///
/// # Errors
/// The bytes are invalid; then the game must not be used.
fn restore(game: &mut GameState, path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    let damaged = |what: String| SaveError::Damaged { path: path.to_owned(), what };
    let body = body(bytes).map_err(damaged)?;
    let saved: Saved = serde_json::from_slice(body).map_err(|error| damaged(error.to_string()))?;
    if (saved.seed, saved.terrain) != (game.options.seed, game.options.terrain) {
        let world = format!("seed {} and {} terrain", saved.seed, saved.terrain.name());
        return Err(SaveError::OtherWorld { path: path.to_owned(), world });
    }
    fill(game, &saved).map_err(damaged)
}

/// Fills a new game with the saved state.
fn fill(game: &mut GameState, saved: &Saved) -> Result<(), String> {
    let GameState { blocks, entities, offline_players, .. } = game;
    let named = |name: &str| Block::from_name(name).ok_or_else(|| format!("there is no block {name}"));
    let changed: Vec<(BlockPos, Block)> =
        saved.blocks.iter().map(|(at, name)| Ok((pos(*at), named(name)?))).collect::<Result<_, String>>()?;
    blocks.changed.extend(changed.iter().map(|(pos, _)| *pos));
    let levels = saved.levels.iter().map(|(at, level)| (pos(*at), (*level).clamp(1, SOURCE)));
    let flows = saved.flows.iter().map(|(at, delay)| (pos(*at), *delay));
    blocks.ground.restore(saved.tick, changed, levels, flows);
    for furnace in &saved.furnaces {
        let restored = Furnace::restored(furnace.slots, furnace.fire, furnace.lit, furnace.progress);
        blocks.furnaces.insert(pos(furnace.at), restored);
    }
    for drop in &saved.drops {
        drops::restore(entities, saved.tick, drop.stack, point(drop.at)?, point(drop.speed)?);
    }
    for (name, player) in &saved.players {
        offline_players.remember(name.clone(), player.offline()?);
    }
    Ok(())
}

impl SavedFurnace {
    fn of(pos: BlockPos, furnace: &Furnace) -> Self {
        let [fire, lit, progress, _] = furnace.properties();
        Self { at: coordinates(pos), slots: [0, 1, 2].map(|slot| furnace.get(slot)), fire, lit, progress }
    }
}

impl SavedPlayer {
    fn of(offline: &OfflinePlayer) -> Self {
        let slots = offline.inventory.slots().iter().enumerate();
        Self {
            at: [offline.at.x, offline.at.y, offline.at.z],
            look: [offline.look.y_rot(), offline.look.x_rot()],
            health: offline.body.health,
            air: offline.body.air,
            fire: offline.body.fire,
            held: offline.inventory.held(),
            slots: slots.filter_map(|(number, slot)| Some((number, (*slot)?))).collect(),
            seen: offline.seen,
        }
    }

    fn offline(&self) -> Result<OfflinePlayer, String> {
        let at = point(self.at)?;
        let mut inventory = PlayerInventory::default();
        for (number, stack) in &self.slots {
            if !inventory.set(*number, Some(*stack)) {
                return Err(format!("a player has {CARRIED} slots and none of number {number}"));
            }
        }
        if !inventory.select(self.held) || self.health == 0 || self.look.iter().any(|angle| !angle.is_finite()) {
            return Err("there is no such player".to_owned());
        }
        let mut body = Body::new(super::names::cell(at));
        (body.health, body.air, body.fire) = (self.health.min(MAX_HEALTH), self.air.min(MAX_AIR), self.fire);
        Ok(OfflinePlayer { at, look: LookDirection::new(self.look[0], self.look[1]), body, inventory, seen: self.seen })
    }
}

/// The JSON in a save file's bytes, after its checksum has been verified.
fn body(bytes: &[u8]) -> Result<&[u8], String> {
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or("it has no first line")?;
    let (line, body) = (&bytes[..end], &bytes[end + 1..]);
    let sum = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix(FORMAT)?.strip_prefix(' '));
    let sum = sum.ok_or_else(|| format!("it does not begin with \"{FORMAT}\""))?;
    let sum = u32::from_str_radix(sum, 16).map_err(|_| "its checksum cannot be read")?;
    if sum == crc32fast::hash(body) { Ok(body) } else { Err("its checksum is wrong".to_owned()) }
}

/// A save file locked by this server.
#[derive(Debug)]
pub(super) struct SaveFile {
    path: PathBuf,
    /// Held while the server runs.
    _lock: File,
}

impl Drop for SaveFile {
    fn drop(&mut self) {
        // A remaining lock file is harmless.
        let _ = fs::remove_file(beside(&self.path, "lock"));
    }
}

impl SaveFile {
    /// Locks a save file, and reads it if it exists.
    pub(super) fn take(path: &Path) -> Result<(Self, Option<Vec<u8>>), SaveError> {
        let failed = |done| move |source| SaveError::File { path: path.to_owned(), done, source };
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(failed("kept"))?;
        }
        let lock = ltlcrit_files::append(&beside(path, "lock")).map_err(|error| failed("locked")(error.into()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SaveError::Taken(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(failed("locked")(source)),
        }
        let bytes = match ltlcrit_files::read(path, MAX_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(FileError::Missing) => None,
            Err(error) => return Err(failed("read")(error.into())),
        };
        ltlcrit_files::may_write(path).map_err(|error| failed("written")(error.into()))?;
        Ok((Self { path: path.to_owned(), _lock: lock }, bytes))
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the save file at a path.
    pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
        let failed = |source| SaveError::File { path: path.to_owned(), done: "written", source };
        ltlcrit_files::replace(path, bytes).map_err(failed)
    }
}

/// The path with a suffix added to the file name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    path.with_file_name(name)
}

/// Locks the save file that the options name, and restores a new game from it.
pub(super) fn load(game: &mut GameState, options: &ServerOptions) -> Result<Option<SaveFile>, SaveError> {
    let Some(path) = &options.save else { return Ok(None) };
    let (file, bytes) = SaveFile::take(path)?;
    if let Some(bytes) = bytes {
        restore(game, path, &bytes)?;
    }
    Ok(Some(file))
}
