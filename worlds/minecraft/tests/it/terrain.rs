//! The default terrain: blocks by height, counted over a hundred chunks of several seeds.
use std::collections::BTreeMap;

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::grid::{Grid, position};
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::terrain::{Biome, MIN_Y, SEA_LEVEL, SECTION_VOLUME, Terrain, TerrainKind};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};

const CHUNKS: i32 = 5;

/// The number of each block at each height, over 25 chunks of four seeds each.
fn census() -> BTreeMap<(Block, i32), u32> {
    let mut counts = BTreeMap::new();
    for seed in 1..=4 {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Natural, seed));
        for x in 0..CHUNKS * 16 {
            for z in 0..CHUNKS * 16 {
                for y in MIN_Y..140 {
                    *counts.entry((grid.block(BlockPos::new(x, y, z)), y)).or_insert(0) += 1;
                }
            }
        }
    }
    counts
}

#[test]
fn ores_lie_at_the_games_depths() {
    let census = census();
    let chunks = f64::from(4 * CHUNKS * CHUNKS);
    let count = |kinds: [Block; 2], heights: std::ops::Range<i32>| -> f64 {
        let within = |(block, y): &(Block, i32)| kinds.contains(block) && heights.contains(y);
        census.iter().filter(|(at, _)| within(at)).map(|(_, count)| f64::from(*count)).sum::<f64>() / chunks
    };
    let diamond = [Block::DiamondOre, Block::DeepslateDiamondOre];
    let iron = [Block::IronOre, Block::DeepslateIronOre];
    let coal = [Block::CoalOre, Block::DeepslateCoalOre];
    let (diamonds, irons, coals) = (count(diamond, -64..140), count(iron, -64..140), count(coal, -64..140));
    println!("blocks of ore in a chunk: diamond {diamonds:.1}, iron {irons:.1}, coal {coals:.1}");
    assert!((5.0..30.0).contains(&diamonds) && (60.0..250.0).contains(&irons) && (60.0..300.0).contains(&coals));
    assert!(count(diamond, 24..140) == 0.0, "no diamonds near the surface");
    let by_depth = [-54..-36, -36..-18, -18..0].map(|heights| count(diamond, heights));
    assert!(by_depth.is_sorted_by(|deep, shallow| deep > shallow), "the deeper the more diamonds: {by_depth:?}");
    assert!(count(coal, -64..-12) == 0.0, "no coal in the depths");
    assert!(count(iron, -64..0) > 0.0 && count(iron, 60..140) > 0.0);
    // Above y 0 ores lie in stone, below in deepslate.
    for (block, y) in census.keys() {
        match block {
            Block::DeepslateCoalOre | Block::DeepslateIronOre | Block::DeepslateDiamondOre => assert!(*y < 0),
            Block::CoalOre | Block::IronOre | Block::DiamondOre => assert!(*y >= 0),
            _ => {}
        }
    }
}

#[test]
fn the_world_has_a_floor_caves_lava_below_and_water_above() {
    let census = census();
    let columns = f64::from(4 * (CHUNKS * 16).pow(2));
    let share = |block: Block, heights: std::ops::Range<i32>| {
        let blocks =
            heights.clone().filter_map(|y| census.get(&(block, y))).map(|count| f64::from(*count)).sum::<f64>();
        blocks / columns / f64::from(heights.len() as u32)
    };
    assert_eq!(share(Block::Bedrock, MIN_Y..MIN_Y + 1), 1.0);
    let hollow = share(Block::Air, -50..40);
    println!("hollow below y 40: {:.1}%", hollow * 100.0);
    assert!((0.01..0.15).contains(&hollow));
    assert!(share(Block::Lava, -60..-55) > 0.01, "the deepest caves are full of lava");
    assert_eq!(share(Block::Lava, 12..140), 0.0);
    assert_eq!(share(Block::Water, SEA_LEVEL + 1..140), 0.0);
    assert!(share(Block::Gravel, -58..60) > 0.0);
}

#[test]
fn runs_begin_on_dry_land_with_trees_in_sight() {
    let mut biomes = BTreeMap::new();
    for seed in 0..60 {
        let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
        let look = world.look();
        let logs: u32 = look.nearby.iter().filter(|(name, _)| name.ends_with("_log")).map(|(_, seen)| seen.count).sum();
        assert!(logs >= 12, "seed {seed}: {logs} logs");
        assert!(look.position.y > SEA_LEVEL && !look.head_in_water);
        let below = world.game_mut().block(look.position.down());
        assert!(below.is_solid(), "seed {seed} begins on {}", below.name());
        *biomes.entry(look.biome).or_insert(0) += 1;
    }
    println!("biomes at the beginning: {biomes:?}");
    assert!(biomes.len() >= 3, "{biomes:?}");
    assert!(!biomes.contains_key(Biome::Lake.name()));
}

/// A hash of every block of some chunks (FNV-1a) up to y 191. Only air is above.
fn fingerprint(kind: TerrainKind, seed: u64) -> u64 {
    let mut grid = Grid::new(Terrain::new(kind, seed));
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for (cx, cz) in [(0, 0), (3, -2), (-9, 7)] {
        for section in 0..16 {
            for index in 0..SECTION_VOLUME as u16 {
                let name = grid.block(position(cx, section, cz, index)).name();
                for byte in name.bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
                }
            }
        }
    }
    hash
}

/// All figures in the documents are of these terrains.
#[test]
fn natural_and_compact_stay_as_they_are() {
    let found = [TerrainKind::Natural, TerrainKind::Compact].map(|kind| [1, 7].map(|seed| fingerprint(kind, seed)));
    assert_eq!(
        found,
        [[0xD2F9_AA5F_71CB_B063, 0x935B_FBCB_E023_3485], [0x04A6_BBB5_3C27_E783, 0xF4E7_7F4E_CE7F_BA6D]],
        "{found:x?}"
    );
}
