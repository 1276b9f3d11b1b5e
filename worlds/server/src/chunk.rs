//! Encodes chunks for clients: block states and biomes in palettes, and sky light.

use std::sync::Arc;

use azalea_block::BlockState;
use azalea_buf::{AzBuf, AzBufVar};
use azalea_core::bitset::BitSet;
use azalea_protocol::packets::game::c_level_chunk_with_light::{
    ClientboundLevelChunkPacketData, ClientboundLevelChunkWithLight,
};
use azalea_protocol::packets::game::c_light_update::ClientboundLightUpdatePacketData;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::grid::position;
use ltlcrit_minecraft::ground::Ground;
use ltlcrit_minecraft::terrain::{SECTION_VOLUME, SECTIONS};

use super::blocks::Blocks;
use super::names::{fluid_state, state};
use super::registries::BIOME_BITS;

/// The number of biome cells of a section, each four by four by four blocks.
const BIOME_CELLS: usize = 64;

/// The encoding of a section's values.
struct Palette {
    /// The maximum number of bits with which the palette is listed; with more, values are written directly.
    listed: u32,
    /// The smallest number of bits of a listed value.
    least: u32,
    /// The number of bits of a value written directly.
    whole: u32,
}

const BLOCKS: Palette =
    Palette { listed: 8, least: 4, whole: u32::BITS - (BlockState::MAX_STATE as u32).leading_zeros() };
const BIOMES: Palette = Palette { listed: 3, least: 1, whole: BIOME_BITS };

impl Palette {
    /// Writes values, as many as fit into each 64 bits.
    fn write(&self, values: &[u32], to: &mut Vec<u8>) -> std::io::Result<()> {
        let mut palette: Vec<u32> = Vec::new();
        for value in values {
            // Runs of the same block are long, so the last value is compared first.
            if palette.last() != Some(value) && !palette.contains(value) {
                palette.push(*value);
            }
        }
        if let [only] = palette.as_slice() {
            0u8.azalea_write(to)?;
            return only.azalea_write_var(to);
        }
        let needed = usize::BITS - (palette.len() - 1).leading_zeros();
        let listed = needed <= self.listed;
        let bits = if listed { needed.max(self.least) } else { self.whole };
        (bits as u8).azalea_write(to)?;
        if listed {
            (palette.len() as u32).azalea_write_var(to)?;
            for value in &palette {
                value.azalea_write_var(to)?;
            }
        }
        for together in values.chunks(64 / bits as usize) {
            let mut word = 0u64;
            for (place, value) in together.iter().enumerate() {
                let number = if listed {
                    palette.iter().position(|entry| entry == value).unwrap_or(0) as u64
                } else {
                    u64::from(*value)
                };
                word |= number << (place * bits as usize);
            }
            word.azalea_write(to)?;
        }
        Ok(())
    }
}

/// The packet of a chunk's current state.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub(super) fn packet(blocks: &mut Blocks, cx: i32, cz: i32) -> std::io::Result<ClientboundLevelChunkWithLight> {
    let ground = &mut blocks.ground;
    let biomes = biomes(ground, cx, cz);
    let mut data = Vec::new();
    let mut opaque = Vec::new();
    for section in 0..SECTIONS {
        let cells = ground.grid.cells(cx, section, cz);
        let found: Vec<Block> = (0..SECTION_VOLUME).map(|index| cells.get(index)).collect();
        let values: Vec<u32> = (0..)
            .zip(&found)
            .map(|(index, block)| match block.is_fluid() {
                true => fluid_state(*block, ground.level(position(cx, section, cz, index))),
                false => state(*block),
            })
            .map(u32::from)
            .collect();
        opaque.push(found.iter().map(|block| !block.is_see_through()).collect());
        let count = |is_counted: fn(Block) -> bool| found.iter().filter(|block| is_counted(**block)).count() as u16;
        count(|block| block != Block::Air).azalea_write(&mut data)?;
        count(Block::is_fluid).azalea_write(&mut data)?;
        BLOCKS.write(&values, &mut data)?;
        BIOMES.write(&biomes, &mut data)?;
    }
    Ok(ClientboundLevelChunkWithLight {
        x: cx,
        z: cz,
        chunk_data: ClientboundLevelChunkPacketData {
            heightmaps: Vec::new(),
            data: Arc::new(data.into_boxed_slice()),
            block_entities: Vec::new(),
        },
        light_data: sky_light(&opaque),
    })
}

/// The biomes of the cells, the same at every height. Each cell has the biome at its middle.
fn biomes(ground: &mut Ground, cx: i32, cz: i32) -> [u32; BIOME_CELLS] {
    std::array::from_fn(|index| {
        let (x, z) = ((index as i32 & 3) * 4 + 2, (index as i32 >> 2 & 3) * 4 + 2);
        ground.grid.biome(cx * 16 + x, cz * 16 + z) as u32
    })
}

/// The sky light over the opaque blocks of each section, straight down: full above the topmost opaque block of a
/// column, dark below it. Given are the sections from the lowest lit one to the first above the land. Clients treat
/// higher sections as lit and lower ones as dark.
fn sky_light(opaque: &[Vec<bool>]) -> ClientboundLightUpdatePacketData {
    let top = opaque.iter().rposition(|section| section.contains(&true)).map_or(0, |top| top + 1);
    // The protocol adds one section below the world and one above it.
    let (mut given, mut dark) = (BitSet::new(SECTIONS + 2), BitSet::new(SECTIONS + 2));
    dark.set(0);
    let (mut lit, mut sky) = ([true; 256], Vec::new());
    for (section, opaque) in opaque.iter().enumerate().take(top + 1).rev() {
        // Four bits for each block.
        let mut bytes = vec![0u8; SECTION_VOLUME / 2];
        for layer in (0..16).rev() {
            for (column, lit) in lit.iter_mut().enumerate() {
                let index = layer * 256 + column;
                *lit &= !opaque[index];
                if *lit {
                    bytes[index / 2] |= 0xF << (4 * (index % 2));
                }
            }
        }
        if bytes.iter().all(|byte| *byte == 0) {
            dark.set(section + 1);
        } else {
            given.set(section + 1);
            sky.push(bytes.into_boxed_slice());
        }
    }
    sky.reverse();
    ClientboundLightUpdatePacketData {
        sky_y_mask: given,
        block_y_mask: BitSet::new(0),
        empty_sky_y_mask: dark,
        empty_block_y_mask: BitSet::new(0),
        sky_updates: Arc::new(sky.into_boxed_slice()),
        block_updates: Arc::new(Box::default()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use azalea_core::position::{ChunkBlockPos, ChunkSectionBiomePos};
    use azalea_registry::DataRegistry;
    use azalea_world::Chunk;
    use azalea_world::palette::PalettedContainer;
    use ltlcrit_minecraft::grid::Grid;
    use ltlcrit_minecraft::observation::BlockPos;
    use ltlcrit_minecraft::terrain::{MIN_Y, Terrain, TerrainKind};

    use super::*;
    use crate::registries::HEIGHT;

    fn read_back(packet: &ClientboundLevelChunkWithLight) -> Chunk {
        let bytes = packet.chunk_data.data.clone();
        let mut cursor = Cursor::new(bytes.as_ref().as_ref());
        let chunk = Chunk::read_with_dimension_height(&mut cursor, HEIGHT as u32, MIN_Y, &[]).unwrap();
        assert_eq!(cursor.position() as usize, bytes.len(), "nothing is left over");
        chunk
    }

    #[test]
    fn clients_read_the_blocks_and_biomes_that_are_there() {
        for (kind, cx, cz) in [
            (TerrainKind::Natural, 3, -2),
            (TerrainKind::Compact, 1, 0),
            (TerrainKind::Natural, -9, 7),
            (TerrainKind::Varied, 4, 4),
            (TerrainKind::Ocean, 0, 0),
        ] {
            let mut blocks = Blocks::new(Grid::new(Terrain::new(kind, 7)));
            let chunk = read_back(&packet(&mut blocks, cx, cz).unwrap());
            let ground = &mut blocks.ground;
            for (section, content) in chunk.sections.iter().enumerate() {
                let (mut blocks, mut fluids) = (0, 0);
                for index in 0..SECTION_VOLUME {
                    let pos = position(cx, section, cz, index as u16);
                    let block = ground.block(pos);
                    let at = ChunkBlockPos { x: (pos.x & 15) as u8, y: pos.y, z: (pos.z & 15) as u8 };
                    assert_eq!(chunk.get_block_state(&at, MIN_Y), Some(state(block)), "{pos}");
                    blocks += u16::from(block != Block::Air);
                    fluids += u16::from(block.is_fluid());
                    let cell = ChunkSectionBiomePos { x: (pos.x & 15) as u8 / 4, y: 0, z: (pos.z & 15) as u8 / 4 };
                    let middle = (pos.x & !3, pos.z & !3);
                    let biome = ground.grid.biome(middle.0 + 2, middle.1 + 2);
                    assert_eq!(content.biomes.get(cell).protocol_id(), biome as u32);
                }
                assert_eq!((content.block_count, content.fluid_count), (blocks, fluids));
            }
        }
    }

    #[test]
    fn flowed_water_has_its_level() {
        let mut blocks = Blocks::new(Grid::new(Terrain::new(TerrainKind::Compact, 7)));
        let ground = &mut blocks.ground;
        let floor = BlockPos::new(0, 150, 0);
        for x in 0..16 {
            for z in 0..16 {
                ground.put(floor.offset(x, 0, z), Block::Stone);
            }
        }
        ground.put(floor.offset(8, 1, 8), Block::Water);
        ground.put(floor.offset(9, 1, 8), Block::Stone);
        ground.open(floor.offset(9, 1, 8));
        for _ in 0..40 {
            ground.one_tick();
        }
        let chunk = read_back(&packet(&mut blocks, 0, 0).unwrap());
        let at = |x: u8| chunk.get_block_state(&ChunkBlockPos { x, y: 151, z: 8 }, MIN_Y).unwrap();
        assert_eq!(at(8), state(Block::Water));
        assert_eq!([at(9), at(10)], [fluid_state(Block::Water, 7), fluid_state(Block::Water, 6)]);
    }

    /// Palettes with any number of states are read back.
    #[test]
    fn palettes_of_every_size_are_read_back() {
        for kinds in [1u32, 2, 3, 16, 17, 256, 257, 3000] {
            let values: Vec<u32> = (0..SECTION_VOLUME as u32).map(|index| index % kinds).collect();
            let mut bytes = Vec::new();
            BLOCKS.write(&values, &mut bytes).unwrap();
            let mut cursor = Cursor::new(bytes.as_slice());
            let read = PalettedContainer::<BlockState>::read(&mut cursor).unwrap();
            let back: Vec<u32> = (0..SECTION_VOLUME).map(|index| read.get_at_index(index).into()).collect();
            assert_eq!(back, values, "{kinds} kinds");
            assert_eq!(cursor.position() as usize, bytes.len());
        }
    }

    #[test]
    fn the_sky_lights_down_to_the_ground() {
        let mut blocks = Blocks::new(Grid::new(Terrain::new(TerrainKind::Compact, 7)));
        let light = packet(&mut blocks, 0, 0).unwrap().light_data;
        let ground_section = (blocks.ground.grid.ground(8, 8) - MIN_Y) as usize / 16;
        assert!(light.sky_y_mask.index(ground_section + 1), "the surface's section has light");
        assert!(light.empty_sky_y_mask.index(1), "the depths are dark");
        let given = (0..SECTIONS + 2).filter(|section| light.sky_y_mask.index(*section)).count();
        assert_eq!(given, light.sky_updates.len());
        assert!(light.sky_updates.iter().all(|section| section.len() == 2048));
    }
}
