//! The registries sent before the game: the dimension and the biomes. Entries carry their data for clients without data
//! packs.

use azalea_protocol::packets::config::ClientboundRegistryData;
use azalea_registry::identifier::Identifier;
use ltlcrit_minecraft::terrain::{BIOMES, Biome, MIN_Y};
use simdnbt::owned::{NbtCompound, NbtTag};

/// The height of the world in blocks, as in the game's overworld; the terrain fills the lower part.
pub(super) const HEIGHT: i32 = 384;
/// The name of the world.
pub(super) const OVERWORLD: &str = "minecraft:overworld";

/// The protocol's id of a biome: its place in [`BIOMES`].
pub(super) fn biome_number(biome: Biome) -> u32 {
    BIOMES.iter().position(|listed| *listed == biome).unwrap_or(0) as u32
}

/// The registries, in the order they are sent.
pub(super) fn all() -> Vec<ClientboundRegistryData> {
    let biomes = BIOMES.map(|biome| (Identifier::new(format!("minecraft:{}", biome.name())), Some(biome_data(biome))));
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

/// A compound of tags. Numbers are only ints and floats, because some clients accept no others.
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

fn biome_data(biome: Biome) -> NbtCompound {
    let [temperature, downfall] = biome.climate();
    compound([
        ("has_precipitation", flag(true)),
        ("temperature", NbtTag::Float(temperature)),
        ("downfall", NbtTag::Float(downfall)),
        ("effects", NbtTag::Compound(compound([("water_color", NbtTag::String("#3f76e4".into()))]))),
        ("attributes", NbtTag::Compound(compound([]))),
    ])
}
