//! The land from above, as tiles of coloured columns, for reports and the live page.

use ltlcrit_worlds::WorldInfo;

use super::blocks::Block;
use super::terrain::{MIN_Y, SEA_LEVEL, SECTIONS, Terrain, TerrainKind};

/// The number of columns on a side of a tile.
pub const SIDE: usize = 64;
/// The number of chunks on a side of a tile.
const CHUNKS: i32 = 4;
/// The highest tile number: that of the edge of Minecraft's worlds.
const EDGE: i32 = 30_000_000 / SIDE as i32;
/// The number of columns on a side of a chunk.
const CHUNK: usize = 16;

/// The top of one column: its block, the y of that block, and the y of the ground below water and trees.
type Top = (Block, i32, i32);

/// A column of the land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// The y of the ground below water and trees.
    pub ground: i16,
}

/// Returns the terrain and the seed that a world is made from, if this program made it.
pub fn terrain_of(world: &WorldInfo) -> Option<(TerrainKind, u64)> {
    let terrain = serde_json::from_value(world.options.get("terrain")?.clone()).ok()?;
    matches!(world.kind.as_str(), "embedded" | "server").then_some((terrain, world.seed?))
}

/// Returns the columns of a tile, row by row from north to south. The numbers of a tile are its columns' coordinates
/// divided by 64. `None` beyond the edge of the world.
pub fn tile(kind: TerrainKind, seed: u64, tile_x: i32, tile_z: i32) -> Option<Vec<Column>> {
    if tile_x.unsigned_abs().max(tile_z.unsigned_abs()) > EDGE.unsigned_abs() {
        return None;
    }
    let terrain = Terrain::new(kind, seed);
    let mut tops = vec![(Block::Air, 0, 0); SIDE * SIDE];
    for chunk_z in 0..CHUNKS {
        for chunk_x in 0..CHUNKS {
            let chunk = chunk(&terrain, tile_x * CHUNKS + chunk_x, tile_z * CHUNKS + chunk_z);
            for (column, top) in chunk.into_iter().enumerate() {
                let x = chunk_x as usize * CHUNK + column % CHUNK;
                let z = chunk_z as usize * CHUNK + column / CHUNK;
                tops[z * SIDE + x] = top;
            }
        }
    }
    let north = |column: usize, top: Top| column.checked_sub(SIDE).map_or(top, |north| tops[north]);
    let columns = tops.iter().enumerate();
    let columns = columns.map(|(at, top)| Column { colour: colour(*top, north(at, *top)), ground: top.2 as i16 });
    Some(columns.collect())
}

/// Returns the tops of a chunk's columns.
fn chunk(terrain: &Terrain, x: i32, z: i32) -> [Top; CHUNK * CHUNK] {
    let plan = terrain.plan(x, z);
    let mut tops = std::array::from_fn(|column| (Block::Air, MIN_Y, i32::from(plan.heights[column])));
    let mut missing = tops.len();
    for section in (0..SECTIONS).rev() {
        if missing == 0 {
            break;
        }
        let bottom = MIN_Y + (CHUNK * section) as i32;
        let cells = terrain.section(&plan, x, section, z);
        for (column, top) in tops.iter_mut().enumerate().filter(|(_, top)| top.0 == Block::Air) {
            let block = |y: usize| cells.get(y * CHUNK * CHUNK + column);
            if let Some(y) = (0..CHUNK).rev().find(|y| block(*y) != Block::Air) {
                (top.0, top.1) = (block(y), bottom + y as i32);
                missing -= 1;
            }
        }
    }
    tops
}

/// Returns the colour of a column: that of its block, lighter on slopes that face north, darker on others and in deep
/// water.
fn colour((block, y, ground): Top, (_, north, _): Top) -> [u8; 3] {
    let slope = f64::from((y - north).clamp(-3, 3)) * 0.07;
    let light = match block {
        Block::Water => 1.0 - f64::from((y - ground).clamp(0, 24)) * 0.022,
        _ => 0.94 + slope + f64::from((y - SEA_LEVEL).clamp(-40, 80)) * 0.0018,
    };
    base(block).map(|part| (f64::from(part) * light).clamp(0.0, 255.0) as u8)
}

/// Returns the colour of a block in daylight.
fn base(block: Block) -> [u8; 3] {
    match block {
        Block::Water => [62, 112, 201],
        Block::Lava | Block::MagmaBlock => [229, 98, 22],
        Block::GrassBlock | Block::ShortGrass | Block::Fern => [121, 168, 79],
        Block::Dandelion => [222, 200, 74],
        Block::Poppy => [196, 72, 58],
        Block::Dirt | Block::CoarseDirt | Block::Podzol => [139, 106, 72],
        Block::Mud | Block::MangroveRoots => [84, 76, 70],
        Block::Sand | Block::Sandstone | Block::DeadBush => [222, 208, 160],
        Block::RedSand | Block::RedSandstone | Block::Terracotta => [190, 104, 56],
        Block::Gravel | Block::Clay => [150, 148, 150],
        Block::Snow | Block::SnowBlock | Block::PowderSnow => [238, 243, 246],
        Block::Ice | Block::PackedIce | Block::BlueIce => [166, 196, 240],
        Block::BirchLeaves => [104, 146, 74],
        Block::SpruceLeaves => [58, 92, 62],
        Block::CherryLeaves => [226, 164, 198],
        Block::PaleOakLeaves => [158, 168, 158],
        Block::Cactus => [78, 126, 60],
        Block::CraftingTable => [172, 138, 84],
        _ if block.is_leaves() => [72, 122, 52],
        _ if block.is_log() => [104, 82, 52],
        Block::Deepslate | Block::Bedrock | Block::Blackstone => [76, 76, 82],
        _ => [132, 132, 134],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_show_the_blocks_on_top() {
        let tile = |x, z| tile(TerrainKind::Natural, 3, x, z);
        let here = tile(0, 0).unwrap();
        assert_eq!(here.len(), SIDE * SIDE);
        assert_eq!(Some(&here), tile(0, 0).as_ref(), "the same tile differs");
        let terrain = Terrain::new(TerrainKind::Natural, 3);
        for (column, shown) in here.iter().enumerate() {
            let (x, z) = (column % SIDE, column / SIDE);
            let plan = terrain.plan((x / CHUNK) as i32, (z / CHUNK) as i32);
            let height = plan.heights[z % CHUNK * CHUNK + x % CHUNK];
            assert_eq!(shown.ground, height, "column {x}, {z}");
        }
        let colours: std::collections::BTreeSet<[u8; 3]> = here.iter().map(|column| column.colour).collect();
        assert!(colours.len() > 8, "only {} colours", colours.len());
        assert!(tile(EDGE + 1, 0).is_none() && tile(i32::MIN, 0).is_none());
    }

    #[test]
    fn deep_water_is_darker() {
        let [shallow, deep] = [60, 40].map(|ground| colour((Block::Water, 62, ground), (Block::Water, 62, ground)));
        assert!(deep[2] < shallow[2], "{deep:?}, {shallow:?}");
    }
}
