//! The registries sent before the game: the dimension and the biomes. Entries carry their data for clients without data
//! packs.

use azalea_protocol::packets::config::ClientboundRegistryData;
use azalea_protocol::simdnbt::owned::{NbtCompound, NbtTag};
use azalea_registry::identifier::Identifier;
use ltlcrit_minecraft::terrain::{Biome, MAX_Y, MIN_Y};

/// The height of the world in blocks, as in the game's overworld.
pub(super) const HEIGHT: i32 = MAX_Y - MIN_Y;
/// The name of the world.
pub(super) const OVERWORLD: &str = "minecraft:overworld";

/// All biomes of the game, with temperature and downfall; the index is the protocol's id. Without downfall, it never
/// rains.
const BIOMES: [(&str, f32, f32); 65] = [
    ("plains", 0.8, 0.4),
    ("forest", 0.7, 0.8),
    ("taiga", 0.25, 0.8),
    ("windswept_hills", 0.2, 0.3),
    ("river", 0.5, 0.5),
    ("badlands", 2.0, 0.0),
    ("bamboo_jungle", 0.95, 0.9),
    ("basalt_deltas", 2.0, 0.0),
    ("beach", 0.8, 0.4),
    ("birch_forest", 0.6, 0.6),
    ("cherry_grove", 0.5, 0.8),
    ("cold_ocean", 0.5, 0.5),
    ("crimson_forest", 2.0, 0.0),
    ("dark_forest", 0.7, 0.8),
    ("deep_cold_ocean", 0.5, 0.5),
    ("deep_dark", 0.8, 0.4),
    ("deep_frozen_ocean", 0.5, 0.5),
    ("deep_lukewarm_ocean", 0.5, 0.5),
    ("deep_ocean", 0.5, 0.5),
    ("desert", 2.0, 0.0),
    ("dripstone_caves", 0.8, 0.4),
    ("end_barrens", 0.5, 0.0),
    ("end_highlands", 0.5, 0.0),
    ("end_midlands", 0.5, 0.0),
    ("eroded_badlands", 2.0, 0.0),
    ("flower_forest", 0.7, 0.8),
    ("frozen_ocean", 0.0, 0.5),
    ("frozen_peaks", -0.7, 0.9),
    ("frozen_river", 0.0, 0.5),
    ("grove", -0.2, 0.8),
    ("ice_spikes", 0.0, 0.5),
    ("jagged_peaks", -0.7, 0.9),
    ("jungle", 0.95, 0.9),
    ("lukewarm_ocean", 0.5, 0.5),
    ("lush_caves", 0.5, 0.5),
    ("mangrove_swamp", 0.8, 0.9),
    ("meadow", 0.5, 0.8),
    ("mushroom_fields", 0.9, 1.0),
    ("nether_wastes", 2.0, 0.0),
    ("ocean", 0.5, 0.5),
    ("old_growth_birch_forest", 0.6, 0.6),
    ("old_growth_pine_taiga", 0.3, 0.8),
    ("old_growth_spruce_taiga", 0.25, 0.8),
    ("pale_garden", 0.7, 0.8),
    ("savanna", 2.0, 0.0),
    ("savanna_plateau", 2.0, 0.0),
    ("small_end_islands", 0.5, 0.0),
    ("snowy_beach", 0.05, 0.3),
    ("snowy_plains", 0.0, 0.5),
    ("snowy_slopes", -0.3, 0.9),
    ("snowy_taiga", -0.5, 0.4),
    ("soul_sand_valley", 2.0, 0.0),
    ("sparse_jungle", 0.95, 0.8),
    ("stony_peaks", 1.0, 0.3),
    ("stony_shore", 0.2, 0.3),
    ("sunflower_plains", 0.8, 0.4),
    ("swamp", 0.8, 0.9),
    ("the_end", 0.5, 0.0),
    ("the_void", 0.5, 0.0),
    ("warm_ocean", 0.5, 0.5),
    ("warped_forest", 2.0, 0.0),
    ("windswept_forest", 0.2, 0.3),
    ("windswept_gravelly_hills", 0.2, 0.3),
    ("windswept_savanna", 2.0, 0.0),
    ("wooded_badlands", 2.0, 0.0),
];

/// The number of bits of the protocol's id of a biome.
pub(super) const BIOME_BITS: u32 = (BIOMES.len() - 1).ilog2() + 1;
/// The protocol's id of a biome; that of plains if the game does not have it.
pub(super) fn biome_number(biome: Biome) -> u32 {
    BIOMES.iter().position(|(listed, ..)| *listed == biome.name()).unwrap_or(0) as u32
}

/// The registries, in the order they are sent.
pub(super) fn all() -> Vec<ClientboundRegistryData> {
    let biomes = BIOMES.map(|(name, temperature, downfall)| {
        (Identifier::new(format!("minecraft:{name}")), Some(biome_data(temperature, downfall)))
    });
    vec![
        ClientboundRegistryData {
            registry_id: Identifier::new("minecraft:dimension_type"),
            entries: vec![(Identifier::new(OVERWORLD), Some(dimension()))],
        },
        ClientboundRegistryData {
            registry_id: Identifier::new("minecraft:worldgen/biome"),
            entries: biomes.into_iter().collect(),
        },
    ]
}

/// A compound of tags. Numbers are only ints and floats, because some clients reject other types.
fn compound<const N: usize>(tags: [(&str, NbtTag); N]) -> NbtCompound {
    NbtCompound::from_values(tags.into_iter().map(|(name, tag)| (name.into(), tag)).collect())
}

fn flag(on: bool) -> NbtTag {
    NbtTag::Byte(i8::from(on))
}

fn dimension() -> NbtCompound {
    compound([
        ("has_skylight", flag(true)),
        ("has_ceiling", flag(false)),
        ("has_ender_dragon_fight", flag(false)),
        ("coordinate_scale", NbtTag::Float(1.0)),
        ("min_y", NbtTag::Int(MIN_Y)),
        ("height", NbtTag::Int(HEIGHT)),
        ("logical_height", NbtTag::Int(HEIGHT)),
        ("infiniburn", NbtTag::String("#minecraft:infiniburn_overworld".into())),
        ("ambient_light", NbtTag::Float(0.0)),
        ("monster_spawn_light_level", NbtTag::Int(0)),
        ("monster_spawn_block_light_limit", NbtTag::Int(0)),
        ("attributes", NbtTag::Compound(compound([]))),
    ])
}

fn biome_data(temperature: f32, downfall: f32) -> NbtCompound {
    compound([
        ("has_precipitation", flag(downfall > 0.0)),
        ("temperature", NbtTag::Float(temperature)),
        ("downfall", NbtTag::Float(downfall)),
        ("effects", NbtTag::Compound(compound([("water_color", NbtTag::String("#3f76e4".into()))]))),
        ("attributes", NbtTag::Compound(compound([]))),
    ])
}
