//! The registries sent before the game: the dimension, the biomes, and the kinds of damage. Entries carry their data for clients without data
//! packs.

use azalea_protocol::packets::config::ClientboundRegistryData;
use azalea_protocol::simdnbt::owned::{NbtCompound, NbtTag};
use azalea_registry::identifier::Identifier;
use ltlcrit_minecraft::player::DamageSource;
use ltlcrit_minecraft::terrain::{BIOMES, MAX_Y, MIN_Y};

/// The height of the world in blocks, as in the game's overworld.
pub(super) const HEIGHT: i32 = MAX_Y - MIN_Y;
/// The name of the world.
pub(super) const OVERWORLD: &str = "minecraft:overworld";

/// The kinds of damage with their names and those of their messages; the index is the protocol's id.
const DAMAGE: [(DamageSource, &str, &str); 6] = [
    (DamageSource::Lava, "lava", "lava"),
    (DamageSource::Fire, "on_fire", "onFire"),
    (DamageSource::Drowning, "drown", "drown"),
    (DamageSource::Fall, "fall", "fall"),
    (DamageSource::Suffocation, "in_wall", "inWall"),
    (DamageSource::Operator, "generic", "generic"),
];

/// The protocol's id of a kind of damage.
pub(super) fn damage_number(source: DamageSource) -> u32 {
    DAMAGE.iter().position(|(listed, ..)| *listed == source).unwrap_or(0) as u32
}

/// The number of bits of the protocol's id of a biome, its place in the list.
pub(super) const BIOME_BITS: u32 = (BIOMES.len() - 1).ilog2() + 1;

/// The registries, in the order they are sent.
pub(super) fn all() -> Vec<ClientboundRegistryData> {
    let biomes =
        BIOMES.iter().map(|biome| (Identifier::new(format!("minecraft:{}", biome.name())), Some(biome_data())));
    let damage = DAMAGE.map(|(_, name, message)| {
        let data = compound([
            ("message_id", NbtTag::String(message.into())),
            ("scaling", NbtTag::String("never".into())),
            ("exhaustion", NbtTag::Float(0.0)),
        ]);
        (Identifier::new(format!("minecraft:{name}")), Some(data))
    });
    vec![
        ClientboundRegistryData {
            registry_id: Identifier::new("minecraft:dimension_type"),
            entries: vec![(Identifier::new(OVERWORLD), Some(dimension()))],
        },
        ClientboundRegistryData { registry_id: Identifier::new("minecraft:worldgen/biome"), entries: biomes.collect() },
        ClientboundRegistryData {
            registry_id: Identifier::new("minecraft:damage_type"),
            entries: damage.into_iter().collect(),
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

/// The data of every biome: grass and sky have the same colours everywhere, and it never rains.
fn biome_data() -> NbtCompound {
    compound([
        ("has_precipitation", flag(false)),
        ("temperature", NbtTag::Float(0.8)),
        ("downfall", NbtTag::Float(0.4)),
        ("effects", NbtTag::Compound(compound([("water_color", NbtTag::String("#3f76e4".into()))]))),
        ("attributes", NbtTag::Compound(compound([]))),
    ])
}
