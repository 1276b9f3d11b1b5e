//! The full observation of a Minecraft player (LTLCrit's `x_full`), from any client or world.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use ltlcrit_worlds::{Shape, WorldObservation};
use serde::{Deserialize, Serialize};

use crate::blocks::BLOCKS;
use crate::items::{ITEMS, Item};

/// The meaning of the tick counter, and its limits.
const TICK: &str = "it counts the game's ticks, 20 a second, from the run's beginning and is not the time of day, which \
                    observations do not have: `tick >= 13000` holds from the run's eleventh minute to its end, at night \
                    and by day";

/// The hunger below which health does not regenerate, in half drumsticks.
pub const HEALS: u32 = 18;

/// The kinds of hazard, by name.
pub(crate) const HAZARDS: [&str; 4] = ["lava", "water", "gravel", "sand"];

/// A block position; y is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlockPos {
    /// East.
    pub x: i32,
    /// Up.
    pub y: i32,
    /// South.
    pub z: i32,
}

impl BlockPos {
    /// The position at these coordinates.
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// The position this far away.
    #[must_use]
    pub const fn offset(self, x: i32, y: i32, z: i32) -> Self {
        Self { x: self.x + x, y: self.y + y, z: self.z + z }
    }

    /// The position above.
    #[must_use]
    pub const fn up(self) -> Self {
        self.offset(0, 1, 0)
    }

    /// The position below.
    #[must_use]
    pub const fn down(self) -> Self {
        self.offset(0, -1, 0)
    }

    /// The square of the distance to another position, in blocks.
    pub(crate) fn squared_distance(self, other: Self) -> i64 {
        let part = |a: i32, b: i32| i64::from(a) - i64::from(b);
        part(self.x, other.x).pow(2) + part(self.y, other.y).pow(2) + part(self.z, other.z).pow(2)
    }

    /// The six positions that share a face with this one: down, up, north, south, west, east.
    pub const fn neighbours(self) -> [Self; 6] {
        [
            self.offset(0, -1, 0),
            self.offset(0, 1, 0),
            self.offset(0, 0, -1),
            self.offset(0, 0, 1),
            self.offset(-1, 0, 0),
            self.offset(1, 0, 0),
        ]
    }
}

impl fmt::Display for BlockPos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x {}, y {}, z {}", self.x, self.y, self.z)
    }
}

/// The positions of a box.
pub fn positions(
    xs: RangeInclusive<i32>,
    ys: RangeInclusive<i32>,
    zs: RangeInclusive<i32>,
) -> impl Iterator<Item = BlockPos> {
    ys.flat_map(move |y| {
        let xs = xs.clone();
        zs.clone().flat_map(move |z| xs.clone().map(move |x| BlockPos::new(x, y, z)))
    })
}

/// The blocks of one kind in sight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// The number in sight.
    pub count: u32,
    /// The nearest one.
    pub nearest: BlockPos,
    /// Its distance from the player's eyes, in blocks.
    pub distance: f64,
}

/// A crafting table or furnace that the player remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedBlock {
    /// `crafting_table` or `furnace`.
    pub block: String,
    /// Its position.
    pub position: BlockPos,
    /// Its distance from the player's eyes, in blocks.
    pub distance: f64,
}

/// A block out of sight that the player remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// The block.
    #[serde(flatten)]
    pub place: PlacedBlock,
    /// The number of actions since it was in sight.
    pub steps_ago: u32,
}

/// Everything an actor observes. Names are the game's identifiers without `minecraft:`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinecraftObservation {
    /// The block that contains the player's feet.
    pub position: BlockPos,
    /// The biome at this position.
    pub biome: String,
    /// Game time, in ticks since the run began.
    pub tick: u64,
    /// Health in half hearts, 0 to 20.
    pub health: f64,
    /// Hunger in half drumsticks, 0 to 20.
    pub hunger: f64,
    /// Item counts; only positive counts.
    pub inventory: BTreeMap<String, u32>,
    /// The item in the main hand.
    pub equipped: Option<String>,
    /// Blocks of interest within 32 blocks, by kind.
    pub nearby: BTreeMap<String, Sighting>,
    /// Dangers within 8 blocks, by kind (`lava`, `water`, `gravel`, `sand`), with the distance in blocks.
    pub hazards: BTreeMap<String, f64>,
    /// True if the eyes are under water.
    pub head_in_water: bool,
    /// The breath left under water, in ticks, 0 to 300.
    pub air: u32,
    /// Ticks of fire left in the nearest furnace in sight; 0 without a fire or a furnace.
    pub furnace_fire: u32,
    /// The crafting tables and furnaces that the player placed or saw, including those out of sight: the nearest ones
    /// of each kind, by kind and distance. Empty in records of earlier programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<PlacedBlock>,
    /// The nearest block of each resource that the task still takes and that was seen before, but is not in sight now.
    /// Empty in records of earlier programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remembered: Vec<Remembered>,
    /// The uses left of the carried tools, summed for each kind. Empty in records of earlier programs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, u32>,
}

/// The direction in words from one position to another.
pub(crate) fn direction(from: BlockPos, to: BlockPos) -> String {
    let part = |to: i32, from: i32| i64::from(to) - i64::from(from);
    let (x, y, z) = (part(to.x, from.x), part(to.y, from.y), part(to.z, from.z));
    if y.abs() > x.abs().max(z.abs()) {
        return if y < 0 { "below" } else { "above" }.to_owned();
    }
    let word = |part: i64, other: i64, words: [&'static str; 2]| match 2 * part.abs() >= other.abs() {
        true => words[usize::from(part > 0)],
        false => "",
    };
    format!("{}{}", word(z, x, ["north", "south"]), word(x, z, ["west", "east"]))
}

/// Returns whether less than half of a new tool's uses are left.
fn is_worn(tool: &str, left: u32) -> bool {
    Item::from_name(tool).is_some_and(|item| left < item.durability().div_ceil(2))
}

impl fmt::Display for MinecraftObservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Position: {} ({})", self.position, self.biome)?;
        writeln!(f, "Time: {} ticks", self.tick)?;
        write!(f, "Health: {}/20, hunger: {}/20", self.health, self.hunger)?;
        if self.hunger < f64::from(HEALS) && self.health < 20.0 {
            write!(f, " (health returns only at hunger {HEALS} or more)")?;
        }
        writeln!(f)?;
        let list = |entries: Vec<String>| if entries.is_empty() { "nothing".to_owned() } else { entries.join(", ") };
        let inventory = self.inventory.iter().map(|(item, count)| format!("{count} {item}")).collect();
        writeln!(f, "Inventory: {}", list(inventory))?;
        writeln!(f, "Equipped: {}", self.equipped.as_deref().unwrap_or("nothing"))?;
        let worn: Vec<_> = self.tools.iter().filter(|(tool, left)| is_worn(tool, **left)).collect();
        if !worn.is_empty() {
            let worn = worn.into_iter().map(|(tool, left)| format!("{tool} breaks after {left} more blocks"));
            writeln!(f, "Worn: {}", worn.collect::<Vec<_>>().join(", "))?;
        }
        let nearby =
            self.nearby.iter().map(|(kind, seen)| format!("{kind} ({:.0} blocks away)", seen.distance)).collect();
        writeln!(f, "Nearby: {}", list(nearby))?;
        if !self.placed.is_empty() {
            let placed = self.placed.iter().map(|placed| {
                let BlockPos { x, y, z } = placed.position;
                format!("{} at ({x}, {y}, {z}), {:.1} blocks away", placed.block, placed.distance)
            });
            writeln!(f, "Placed: {}", placed.collect::<Vec<_>>().join("; "))?;
        }
        if !self.remembered.is_empty() {
            let remembered = self.remembered.iter().map(|Remembered { place, steps_ago }| {
                let PlacedBlock { block, position, distance } = place;
                let steps = if *steps_ago == 1 { "step" } else { "steps" };
                format!("{block} {distance:.0} blocks {}, {steps_ago} {steps} ago", direction(self.position, *position))
            });
            writeln!(f, "Remembered: {}", remembered.collect::<Vec<_>>().join("; "))?;
        }
        let hazards =
            self.hazards.iter().map(|(kind, distance)| format!("{kind} ({distance:.0} blocks away)")).collect();
        write!(f, "Hazards: {}", list(hazards))?;
        if self.head_in_water {
            write!(f, "\nUnder water, breath for {:.0} seconds", f64::from(self.air) / 20.0)?;
        }
        if self.furnace_fire > 0 {
            write!(f, "\nThe furnace nearby burns for another {:.0} seconds", f64::from(self.furnace_fire) / 20.0)?;
        }
        Ok(())
    }
}

impl WorldObservation for MinecraftObservation {
    const KIND: &'static str = "minecraft";

    fn shape() -> Shape {
        use Shape::{Count, Fields, Number, Other};
        let tools = ITEMS.iter().filter(|item| item.durability() > 0);
        let in_sight = BLOCKS.iter().filter(|block| block.is_landmark() || block.is_stone());
        let map = |names, entry| Shape::Map { names, entry: Box::new(entry) };
        let position = || Fields(vec![("x", Number), ("y", Number), ("z", Number)]);
        let sighting = Fields(vec![("count", Number), ("nearest", position()), ("distance", Number)]);
        Fields(vec![
            ("position", position()),
            ("biome", Other("a text")),
            ("tick", Count(TICK)),
            ("health", Number),
            ("hunger", Number),
            ("inventory", map(ITEMS.iter().map(|item| item.name()).collect(), Number)),
            ("equipped", Other("a text")),
            ("nearby", map(in_sight.map(|block| block.name()).collect(), sighting)),
            ("hazards", map(HAZARDS.to_vec(), Number)),
            ("head_in_water", Other("true or false")),
            ("air", Number),
            ("furnace_fire", Number),
            ("placed", Other("a list")),
            ("remembered", Other("a list")),
            ("tools", map(tools.map(|item| item.name()).collect(), Number)),
        ])
    }

    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
        let renamed = |placed: &PlacedBlock| PlacedBlock { block: replace(&placed.block), ..placed.clone() };
        Self {
            biome: replace(&self.biome),
            inventory: self.inventory.iter().map(|(item, count)| (replace(item), *count)).collect(),
            equipped: self.equipped.as_deref().map(replace),
            nearby: self.nearby.iter().map(|(block, sighting)| (replace(block), *sighting)).collect(),
            hazards: self.hazards.iter().map(|(block, away)| (replace(block), *away)).collect(),
            placed: self.placed.iter().map(renamed).collect(),
            remembered: self
                .remembered
                .iter()
                .map(|seen| Remembered { place: renamed(&seen.place), ..seen.clone() })
                .collect(),
            tools: self.tools.iter().map(|(tool, left)| (replace(tool), *left)).collect(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_worlds::{Details, Measurements, MismatchKind};
    use serde_json::Value;

    use super::*;

    fn observation() -> MinecraftObservation {
        let at = BlockPos::new(1, 2, 3);
        let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        MinecraftObservation {
            position: at,
            biome: "plains".to_owned(),
            tick: 7,
            health: 20.0,
            hunger: 20.0,
            inventory: names(&["oak_log", "coal"]).into_iter().map(|item| (item, 1)).collect(),
            equipped: Some("wooden_pickaxe".to_owned()),
            nearby: names(&["oak_log", "stone", "iron_ore", "crafting_table"])
                .into_iter()
                .map(|block| (block, Sighting { count: 1, nearest: at, distance: 2.0 }))
                .collect(),
            hazards: names(&HAZARDS).into_iter().map(|kind| (kind, 4.0)).collect(),
            head_in_water: false,
            air: 300,
            furnace_fire: 0,
            placed: vec![PlacedBlock { block: "furnace".to_owned(), position: at, distance: 2.0 }],
            remembered: vec![Remembered {
                place: PlacedBlock { block: "birch_log".to_owned(), position: at.offset(30, 9, -64), distance: 71.1 },
                steps_ago: 12,
            }],
            tools: [("wooden_pickaxe".to_owned(), 29)].into(),
        }
    }

    /// The text about worn tools that an actor reads.
    #[test]
    fn tells_which_tools_are_worn() {
        let told =
            |left: u32| MinecraftObservation { tools: [("wooden_pickaxe".to_owned(), left)].into(), ..observation() };
        assert!(told(29).to_string().contains("Worn: wooden_pickaxe breaks after 29 more blocks"));
        assert!(!told(30).to_string().contains("Worn"));
    }

    #[test]
    fn tells_where_and_when_something_was_seen() {
        assert!(observation().to_string().contains("Remembered: birch_log 71 blocks north, 12 steps ago"));
        let from = BlockPos::new(0, 70, 0);
        for (x, y, z, words) in
            [(30, 0, 2, "east"), (-20, 0, 20, "southwest"), (5, -60, 8, "below"), (9, 1, -9, "northeast")]
        {
            assert_eq!(direction(from, from.offset(x, y, z)), words);
        }
    }

    #[test]
    fn the_shape_is_that_of_what_is_stored() {
        let Shape::Fields(fields) = MinecraftObservation::shape() else { panic!("an object") };
        let Value::Object(record) = serde_json::to_value(observation()).unwrap() else { panic!("an object") };
        let mut names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert_eq!(names, record.keys().collect::<Vec<_>>());
        // Definitions can name every number of an observation.
        let mut seen = Measurements::default();
        seen.add(&Details::new(observation()));
        seen.add(&Details::new(MinecraftObservation { nearby: BTreeMap::new(), ..observation() }));
        let quantities = seen.quantities();
        assert!(quantities.iter().any(|quantity| quantity.to_string() == "nearby[iron_ore].distance"));
        for quantity in quantities {
            let found = MinecraftObservation::shape().check(&quantity).map_err(|found| found.kind);
            let only_grows = quantity.to_string() == "tick";
            assert_eq!(found, if only_grows { Err(MismatchKind::OnlyGrows) } else { Ok(()) }, "{quantity}");
        }
    }
}
