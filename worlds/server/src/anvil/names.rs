//! The names of blocks and biomes in saved worlds.

use std::str::FromStr;

use azalea_block::{BlockState, BlockTrait};
use azalea_registry::builtin::BlockKind;
use simdnbt::borrow::NbtCompound;

/// The largest number of characters of a foreign name to show.
const LONGEST: usize = 64;

/// A name from a file, fit to be shown: of bounded length, without control characters.
pub(super) fn shown(name: &str) -> String {
    let mut shown: String = name.chars().take(LONGEST).map(|sign| if sign.is_control() { '?' } else { sign }).collect();
    if name.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// Blocks that have been renamed since 1.18.
const RENAMED: [(&str, &str); 2] =
    [("minecraft:grass", "minecraft:short_grass"), ("minecraft:chain", "minecraft:iron_chain")];

/// The state of a block with a name and properties; `None` if the game has no such block. A property that the block does
/// not have is ignored, and one that is not given has its default value, as in the game.
pub(super) fn block_state(name: &str, properties: Option<NbtCompound<'_, '_>>) -> Option<BlockState> {
    let name = RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new);
    let state = BlockState::from(BlockKind::from_str(name).ok()?);
    let Some(properties) = properties.filter(|properties| !properties.is_empty()) else { return Some(state) };
    let mut block = Box::<dyn BlockTrait>::from(state);
    for (name, value) in properties.iter() {
        if let Some(value) = value.string() {
            let _ = block.set_property(&name.to_str(), &value.to_str());
        }
    }
    Some(block.as_block_state())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shown("minecraft:stone"), "minecraft:stone");
        assert_eq!(shown("a\x1b[2J\n"), "a?[2J?");
        assert_eq!(shown(&"x".repeat(65_000)), format!("{}…", "x".repeat(64)));
    }
}
