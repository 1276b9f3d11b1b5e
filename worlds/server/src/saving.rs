//! The save file: everything of a realm that its seed does not make again. It is written whole, beside the old one, and
//! takes its place when it is complete; so at any instant there is a good one.
//!
//! The first line names the format and the checksum of the rest, which is JSON. A file that is damaged, or of another
//! world, is refused and left alone.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::absence::Absent;
use super::options::ServerOptions;
use super::realm::Realm;
use super::windows::PlayerInventory;
use super::windows::furnace::Furnace;
use super::windows::inventory::CARRIED;
use super::windows::stack::{Slot, Stack};
use ltlcrit_minecraft::blocks::{BLOCKS, Block};
use ltlcrit_minecraft::ground::SOURCE;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{MAX_AIR, MAX_HEALTH, Player as Body};
use ltlcrit_minecraft::terrain::TerrainKind;

/// What a save file begins with.
const FORMAT: &str = "ltlcrit world 1";

/// Why a world could not be saved or brought back.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The file cannot be read or written.
    #[error("the save file {path} cannot be {done}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        done: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// Another server has the file.
    #[error("the save file {0} belongs to another server that is running; stop it, or name another file")]
    Taken(PathBuf),
    /// The file is no save file, or not as it was written.
    #[error("the save file {path} is damaged: {what}; it is left as it is: repair it, or name another file")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The file is of another world.
    #[error(
        "the save file {path} is of seed {seed} and {terrain} terrain; serve that one, or name another file for this one"
    )]
    OtherWorld {
        /// The file.
        path: PathBuf,
        /// Its seed.
        seed: u64,
        /// Its terrain.
        terrain: String,
    },
}

/// A position as three numbers.
type Place = (i32, i32, i32);

/// What is written of a stack: item, count, wear.
type Kept = Option<(String, u32, u32)>;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    seed: u64,
    terrain: TerrainKind,
    tick: u64,
    /// Blocks that are not as the terrain made them.
    blocks: Vec<(Place, String)>,
    levels: Vec<(Place, u8)>,
    flows: Vec<(Place, u64)>,
    furnaces: Vec<SavedFurnace>,
    drops: Vec<SavedDrop>,
    players: BTreeMap<String, SavedPlayer>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedFurnace {
    at: Place,
    slots: [Kept; 3],
    fire: u32,
    lit: u32,
    progress: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedDrop {
    at: [f64; 3],
    /// Blocks a tick.
    speed: [f64; 3],
    stack: Kept,
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
    /// Slot and stack; empty slots are left out.
    slots: Vec<(usize, Kept)>,
    /// The tick at which it was last seen.
    #[serde(default)]
    seen: u64,
}

fn place(pos: BlockPos) -> Place {
    (pos.x, pos.y, pos.z)
}

fn pos((x, y, z): Place) -> BlockPos {
    BlockPos::new(x, y, z)
}

fn kept(slot: Slot) -> Kept {
    slot.map(|stack| (stack.item.name().to_owned(), stack.count, stack.wear))
}

/// The stack something kept stands for.
fn slot(kept: &Kept) -> Result<Slot, String> {
    let Some((name, count, wear)) = kept else { return Ok(None) };
    let item = Item::from_name(name).ok_or_else(|| format!("there is no item {name}"))?;
    if !(1..=item.stack_size()).contains(count) || *wear >= item.durability().max(1) {
        return Err(format!("there is no stack of {count} {name} worn by {wear}"));
    }
    Ok(Some(Stack { item, count: *count, wear: *wear }))
}

/// A finite place in space.
fn point([x, y, z]: [f64; 3]) -> Result<Vec3, String> {
    let found = Vec3 { x, y, z };
    if [x, y, z].iter().all(|part| part.is_finite() && part.abs() < 3e7) {
        Ok(found)
    } else {
        Err(format!("there is no place {found:?}"))
    }
}

impl Realm {
    /// Everything to be saved, as the bytes of a file.
    ///
    /// # Errors
    /// None that is known of.
    pub(super) fn snapshot(&mut self) -> io::Result<Vec<u8>> {
        let mut drops: Vec<SavedDrop> = Vec::new();
        let mut lies = |stack: Stack, at: Vec3, speed: Vec3| {
            let (at, speed) = ([at.x, at.y, at.z], [speed.x, speed.y, speed.z]);
            drops.push(SavedDrop { at, speed, stack: kept(Some(stack)) });
        };
        self.drops.values().for_each(|drop| lies(drop.stack, drop.at, drop.speed));
        let mut players: BTreeMap<String, SavedPlayer> =
            self.absent.iter().map(|(name, absent)| (name.clone(), SavedPlayer::of(absent))).collect();
        for player in self.players.values().filter(|player| player.is_alive()) {
            // As if it left now.
            let mut screen = player.screen.clone();
            screen.put_away().into_iter().for_each(|stack| lies(stack, player.at, Vec3::ZERO));
            let absent = Absent { inventory: screen.inventory().clone(), ..Absent::of(player, self.ground.tick) };
            players.insert(player.name.clone(), SavedPlayer::of(&absent));
        }
        let mut changed: Vec<BlockPos> = self.changed.iter().copied().collect();
        changed.sort_unstable();
        let mut furnaces: Vec<_> = self.furnaces.iter().map(|(pos, furnace)| SavedFurnace::of(pos, furnace)).collect();
        furnaces.sort_unstable_by_key(|furnace| furnace.at);
        let mut levels: Vec<_> = self.ground.levels().map(|(pos, level)| (place(pos), level)).collect();
        levels.sort_unstable();
        let saved = Saved {
            seed: self.options.seed,
            terrain: self.options.terrain,
            tick: self.ground.tick,
            blocks: changed.iter().map(|pos| (place(*pos), self.ground.block(*pos).name().to_owned())).collect(),
            levels,
            flows: self.ground.flows().map(|(pos, delay)| (place(pos), delay)).collect(),
            furnaces,
            drops,
            players,
        };
        let body = serde_json::to_vec(&saved)?;
        let mut bytes = format!("{FORMAT} {:08x}\n", crc32fast::hash(&body)).into_bytes();
        bytes.extend(body);
        Ok(bytes)
    }

    /// Makes a fresh realm what a save file's bytes say.
    ///
    /// # Errors
    /// What is wrong with them; the realm is then good for nothing.
    pub(super) fn restore(&mut self, path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
        let damaged = |what: String| SaveError::Damaged { path: path.to_owned(), what };
        let body = body(bytes).map_err(damaged)?;
        let saved: Saved = serde_json::from_slice(body).map_err(|error| damaged(error.to_string()))?;
        if (saved.seed, saved.terrain) != (self.options.seed, self.options.terrain) {
            let terrain = format!("{:?}", saved.terrain).to_lowercase();
            return Err(SaveError::OtherWorld { path: path.to_owned(), seed: saved.seed, terrain });
        }
        self.take_over(&saved).map_err(damaged)
    }

    fn take_over(&mut self, saved: &Saved) -> Result<(), String> {
        let named = |name: &str| {
            let block = BLOCKS.into_iter().find(|block| block.name() == name);
            block.ok_or_else(|| format!("there is no block {name}"))
        };
        let blocks: Vec<(BlockPos, Block)> =
            saved.blocks.iter().map(|(at, name)| Ok((pos(*at), named(name)?))).collect::<Result<_, String>>()?;
        self.changed.extend(blocks.iter().map(|(pos, _)| *pos));
        let levels = saved.levels.iter().map(|(at, level)| (pos(*at), (*level).clamp(1, SOURCE)));
        let flows = saved.flows.iter().map(|(at, delay)| (pos(*at), *delay));
        self.ground.restore(saved.tick, blocks, levels, flows);
        for furnace in &saved.furnaces {
            let [input, fuel, output] = &furnace.slots;
            let slots = [slot(input)?, slot(fuel)?, slot(output)?];
            *self.furnaces.at(pos(furnace.at)) = Furnace::restored(slots, furnace.fire, furnace.lit, furnace.progress);
        }
        for drop in &saved.drops {
            if let Some(stack) = slot(&drop.stack)? {
                self.lay_again(stack, point(drop.at)?, point(drop.speed)?);
            }
        }
        for (name, player) in &saved.players {
            self.absent.remember(name.clone(), player.absent()?);
        }
        Ok(())
    }
}

impl SavedFurnace {
    fn of(pos: BlockPos, furnace: &Furnace) -> Self {
        let [fire, lit, progress, _] = furnace.properties();
        Self { at: place(pos), slots: [0, 1, 2].map(|slot| kept(furnace.get(slot))), fire, lit, progress }
    }
}

impl SavedPlayer {
    fn of(absent: &Absent) -> Self {
        let slots = absent.inventory.slots().iter().enumerate().filter(|(_, slot)| slot.is_some());
        Self {
            at: [absent.at.x, absent.at.y, absent.at.z],
            look: [absent.look.y_rot(), absent.look.x_rot()],
            health: absent.body.health,
            air: absent.body.air,
            fire: absent.body.fire,
            held: absent.inventory.held(),
            slots: slots.map(|(number, slot)| (number, kept(*slot))).collect(),
            seen: absent.seen,
        }
    }

    fn absent(&self) -> Result<Absent, String> {
        let at = point(self.at)?;
        let mut inventory = PlayerInventory::default();
        for (number, stack) in &self.slots {
            if !inventory.set(*number, slot(stack)?) {
                return Err(format!("a player has {CARRIED} slots and none of number {number}"));
            }
        }
        if !inventory.select(self.held) || self.health == 0 || self.look.iter().any(|angle| !angle.is_finite()) {
            return Err("there is no such player".to_owned());
        }
        let mut body = Body::new(super::names::cell(at));
        (body.health, body.air, body.fire) = (self.health.min(MAX_HEALTH), self.air.min(MAX_AIR), self.fire);
        Ok(Absent { at, look: LookDirection::new(self.look[0], self.look[1]), body, inventory, seen: self.seen })
    }
}

/// The JSON in a save file's bytes, once its checksum has been found right.
fn body(bytes: &[u8]) -> Result<&[u8], String> {
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or("it has no first line")?;
    let (line, body) = (&bytes[..end], &bytes[end + 1..]);
    let sum = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix(FORMAT)?.strip_prefix(' '));
    let sum = sum.ok_or_else(|| format!("it does not begin with \"{FORMAT}\""))?;
    let sum = u32::from_str_radix(sum, 16).map_err(|_| "its checksum cannot be read")?;
    if sum == crc32fast::hash(body) { Ok(body) } else { Err("its checksum is wrong".to_owned()) }
}

/// A save file this server has to itself.
#[derive(Debug)]
pub(super) struct SaveFile {
    path: PathBuf,
    /// Held as long as the server runs.
    _lock: File,
}

impl Drop for SaveFile {
    fn drop(&mut self) {
        // A lock that is left behind does no harm.
        let _ = fs::remove_file(beside(&self.path, "lock"));
    }
}

impl SaveFile {
    /// Takes a file, and reads it if there is one.
    pub(super) fn take(path: &Path) -> Result<(Self, Option<Vec<u8>>), SaveError> {
        let failed = |done| move |source| SaveError::File { path: path.to_owned(), done, source };
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(failed("kept"))?;
        }
        let lock = File::create(beside(path, "lock")).map_err(failed("locked"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SaveError::Taken(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(failed("locked")(source)),
        }
        let bytes = match fs::read(path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(failed("read")(source)),
        };
        Ok((Self { path: path.to_owned(), _lock: lock }, bytes))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it anew.
    pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
        let new = beside(path, "new");
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        let failed = |source| SaveError::File { path: path.to_owned(), done: "written", source };
        written.and_then(|()| fs::rename(&new, path)).map_err(failed)
    }
}

/// The file of the same name with something after it.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    path.with_file_name(name)
}

/// Takes the save file the options name and makes a fresh realm what it says.
pub(super) fn load(realm: &mut Realm, options: &ServerOptions) -> Result<Option<SaveFile>, SaveError> {
    let Some(path) = &options.save else { return Ok(None) };
    let (file, bytes) = SaveFile::take(path)?;
    if let Some(bytes) = bytes {
        realm.restore(path, &bytes)?;
    }
    Ok(Some(file))
}
