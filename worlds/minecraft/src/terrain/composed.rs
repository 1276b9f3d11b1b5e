//! Terrain composed of a layout of themes, caves, veins and vegetation.

use super::biome::Biome;
use super::caverns::{Caverns, Filling};
use super::caves::Caves;
use super::layout::Layout;
use super::natural::LAVA_LEVEL;
use super::plan::{Cells, ColumnPlan, MIN_Y, SEA_LEVEL, SECTION_VOLUME, chunk_rng, drop_beside, mix};
use super::relief::ReliefNoises;
use super::{cover, groves, rock, veins};
use crate::blocks::Block;

/// The maximum depth of soil of any biome, in blocks.
const SOIL: i32 = 16;
/// The drop to the next column above which the rock is bare, in blocks.
const STEEP: i16 = 4;

/// The composed terrain of one seed.
#[derive(Clone, Debug)]
pub struct Composed {
    seed: u64,
    layout: Layout,
    relief: ReliefNoises,
    tunnels: Caves,
    caverns: Caverns,
}

impl Composed {
    /// The terrain of a layout. Lower thresholds of [`Caverns`] give larger caverns.
    pub(super) fn new(layout: Layout, cavern_threshold: f32, seed: u64) -> Self {
        Self {
            seed,
            layout,
            relief: ReliefNoises::new(seed),
            tunnels: Caves::new(mix(seed, 5, 0, 0)),
            caverns: Caverns::new(seed, cavern_threshold),
        }
    }

    pub(super) fn plan(&self, chunk_x: i32, chunk_z: i32) -> ColumnPlan {
        let relief = self.relief.chunk(self.layout, self.seed, chunk_x, chunk_z);
        let mut heights = [0; 256];
        let mut biomes = [Biome::Plains; 256];
        for column in 0..256usize {
            let place = relief.at(chunk_x * 16 + column as i32 % 16, chunk_z * 16 + column as i32 / 16);
            heights[column] = place.height as i16;
            biomes[column] = place.biome;
        }
        let mut plan = ColumnPlan::new(heights, biomes);
        veins::lay(&mut plan, self.seed, chunk_x, chunk_z);
        groves::plant(&mut plan, &relief, self.seed, chunk_x, chunk_z);
        cover::lay(&mut plan, &mut chunk_rng(self.seed, chunk_x, chunk_z, 4));
        plan
    }

    pub(super) fn section(&self, plan: &ColumnPlan, chunk_x: i32, section: usize, chunk_z: i32) -> Cells {
        let bottom = MIN_Y + 16 * section as i32;
        let highest = plan.heights.iter().copied().max().map_or(0, i32::from).max(SEA_LEVEL);
        if bottom > highest + 1 && plan.overlays[section].is_empty() {
            return Cells::Uniform(Block::Air);
        }
        let mut blocks = Box::new([Block::Air; SECTION_VOLUME]);
        let lowest = plan.heights.iter().copied().min().map_or(0, i32::from);
        if bottom <= highest + 1 {
            rock::fill(&mut blocks, self.seed, [chunk_x, bottom, chunk_z]);
            if bottom + 15 > lowest - SOIL {
                self.fill_surface(&mut blocks, plan, [chunk_x, bottom, chunk_z]);
            }
            self.carve(&mut blocks, plan, [chunk_x, section as i32, chunk_z]);
        }
        plan.apply(section, &mut blocks);
        Cells::Blocks(blocks)
    }

    /// Soil over the rock; above it water, ice, snow and air.
    fn fill_surface(
        &self,
        blocks: &mut [Block; SECTION_VOLUME],
        plan: &ColumnPlan,
        [chunk_x, bottom, chunk_z]: [i32; 3],
    ) {
        for column in 0..256 {
            let (ground, biome) = (i32::from(plan.heights[column]), plan.biomes[column]);
            let bare = drop_beside(&plan.heights, column) >= STEEP;
            for layer in (0..16).rev() {
                let y = bottom + layer;
                let block = match ground - y {
                    depth @ 0.. => match biome.soil(depth).filter(|_| !bare) {
                        Some(soil) => soil,
                        None => break,
                    },
                    _ if y <= SEA_LEVEL && biome.is_wet() => {
                        let hole =
                            || self.is_hole(chunk_x * 16 + column as i32 % 16, chunk_z * 16 + column as i32 / 16);
                        if y == SEA_LEVEL && biome.is_frozen() && !hole() { Block::Ice } else { Block::Water }
                    }
                    -1 if biome.is_snowy() => Block::Snow,
                    _ => Block::Air,
                };
                blocks[layer as usize * 256 + column] = block;
            }
        }
    }

    /// Returns whether there is a hole in the ice; never close to the origin.
    fn is_hole(&self, x: i32, z: i32) -> bool {
        x.abs().max(z.abs()) > 24 && mix(self.seed, x >> 3, 71, z >> 3).is_multiple_of(24)
    }

    /// Hollows out the section.
    fn carve(&self, blocks: &mut [Block; SECTION_VOLUME], plan: &ColumnPlan, section: [i32; 3]) {
        let bottom = MIN_Y + 16 * section[1];
        let mut water = self.caverns.groundwater(section);
        let mut carve = |index: usize| {
            let (ground, biome) = (i32::from(plan.heights[index % 256]), plan.biomes[index % 256]);
            let y = bottom + (index / 256) as i32;
            // The bottoms of lakes, the ground under snow, and the bedrock are not hollowed out.
            let roof = match biome {
                _ if biome.is_wet() => 8,
                _ if biome.is_snowy() => 4,
                _ => 0,
            };
            if y > MIN_Y + 4 && y <= ground - roof && blocks[index].is_solid() {
                blocks[index] = match water.filling(index) {
                    _ if y <= LAVA_LEVEL => Block::Lava,
                    Filling::Dry => Block::Air,
                    Filling::Water => Block::Water,
                    Filling::Rock => return,
                };
            }
        };
        self.tunnels.carve(section[0], section[1] as usize, section[2], &mut carve);
        self.caverns.carve(section, &mut carve);
    }
}
