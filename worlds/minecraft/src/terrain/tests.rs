//! The composed lands: each one shows its difficulty.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::composed::Composed;
use super::*;
use crate::blocks::Block;
use crate::grid::{Grid, position};
use crate::observation::BlockPos;
use crate::spawn;

/// One theme everywhere, over the game's caves.
fn land(theme: Theme, seed: u64) -> Terrain {
    Terrain::Composed(Box::new(Composed::new(Layout::Uniform(theme), CAVERNS, seed)))
}

/// The composed kinds, and each theme of `varied` by itself.
fn composed(seed: u64) -> Vec<Terrain> {
    let kinds = TerrainKind::VARIANTS.iter().map(|kind| Terrain::new(*kind, seed));
    kinds.filter(Terrain::begins_at_origin).chain(Theme::VARIANTS.iter().map(|theme| land(*theme, seed))).collect()
}

#[test]
fn names_are_those_of_options() {
    for kind in TerrainKind::VARIANTS {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
    }
}

/// Calls `visit` with every block of the chunks of a square around the origin.
fn visit(terrain: &Terrain, radius: i32, mut visit: impl FnMut(BlockPos, Block)) {
    for (cx, cz) in (-radius..radius).flat_map(|x| (-radius..radius).map(move |z| (x, z))) {
        let plan = terrain.plan(cx, cz);
        for section in 0..SECTIONS {
            let cells = terrain.section(&plan, cx, section, cz);
            for index in 0..SECTION_VOLUME {
                visit(position(cx, section, cz, index as u16), cells.get(index));
            }
        }
    }
}

fn census(terrain: &Terrain, radius: i32) -> BTreeMap<Block, u32> {
    let mut counts = BTreeMap::new();
    visit(terrain, radius, |_, block| *counts.entry(block).or_insert(0) += 1);
    counts
}

fn has(counts: &BTreeMap<Block, u32>, block: Block) -> bool {
    counts.contains_key(&block)
}

#[test]
fn the_same_seed_gives_the_same_land_in_any_order() {
    for ((forth, back), other) in composed(9).into_iter().zip(composed(9)).zip(composed(10)) {
        let blocks = |terrain: &Terrain, cx: i32| {
            let plan = terrain.plan(cx, 2);
            let sections = [3, 8].map(|section| terrain.section(&plan, cx, section, 2));
            sections.map(|cells| (0..SECTION_VOLUME).map(|index| cells.get(index)).collect::<Vec<_>>())
        };
        let one: Vec<_> = (0..3).map(|cx| blocks(&forth, cx)).collect();
        let again: Vec<_> = (0..3).rev().map(|cx| blocks(&back, cx)).collect();
        assert!(one.iter().eq(again.iter().rev()), "{forth:?}");
        assert!(one != (0..3).map(|cx| blocks(&other, cx)).collect::<Vec<_>>(), "{forth:?}");
    }
}

/// Stored runs, save files and optima belong to worlds of a seed, so these must not change.
#[test]
fn the_worlds_of_a_seed_stay_the_same() {
    // Two kinds of block that no terrain has stood before blackstone when the hashes were taken.
    let number = |block: Block| block as i32 + if block >= Block::Blackstone { 2 } else { 0 };
    for (kind, expected) in [
        (TerrainKind::Natural, 0x3e9c_8367_6f18_5ff0),
        (TerrainKind::Compact, 0x7b2d_f38a_8805_d2fa),
        (TerrainKind::Varied, 0xcd80_20d6_9288_ff01),
        (TerrainKind::Caverns, 0xf21d_415d_cd40_5121),
        (TerrainKind::Ocean, 0xa1f8_1052_8e2b_0840_u64),
    ] {
        let terrain = Terrain::new(kind, 7);
        let mut hash = 0;
        for (cx, cz) in [(0, 0), (3, -2), (-9, 7), (40, 41), (-70, 15), (111, -64)] {
            let plan = terrain.plan(cx, cz);
            for section in 0..SECTIONS {
                let cells = terrain.section(&plan, cx, section, cz);
                for index in 0..SECTION_VOLUME {
                    hash = mix(hash, number(cells.get(index)), plan.biomes[index % 256] as i32, 0);
                }
            }
        }
        assert_eq!(hash, expected, "{kind:?}");
    }
}

#[test]
fn every_land_has_all_that_a_diamond_takes() {
    for terrain in composed(4) {
        let counts = census(&terrain, 3);
        let ores: u32 = [Block::IronOre, Block::DeepslateIronOre, Block::DeepslateDiamondOre, Block::CoalOre]
            .into_iter()
            .map(|ore| counts.get(&ore).copied().unwrap_or(0).min(100))
            .sum();
        assert_eq!(ores, 400, "{terrain:?}");
        assert!(has(&counts, Block::Bedrock) && has(&counts, Block::Lava) && has(&counts, Block::Stone), "{terrain:?}");
    }
    for kind in [TerrainKind::Caverns, TerrainKind::Ocean] {
        assert!(census(&Terrain::new(kind, 4), 3).keys().any(|block| block.is_log()), "{kind:?}");
    }
}

#[test]
fn players_begin_at_the_origin_on_something_or_swimming() {
    for terrain in (0..6).flat_map(composed) {
        let mut grid = Grid::new(terrain.clone());
        let feet = spawn::choose(&mut grid);
        assert!(feet.x.abs().max(feet.z.abs()) <= 8, "{terrain:?}: {feet}");
        let [head, here, below] = [feet.up(), feet, feet.down()].map(|pos| grid.block(pos));
        let stands = here.is_passable() && below.is_floor();
        assert!(head.is_passable() && (here == Block::Water || stands), "{terrain:?}: {}", below.name());
    }
}

#[test]
fn frozen_seas_are_deep_water_under_ice() {
    for seed in 0..8 {
        let mut grid = Grid::new(land(Theme::FrozenSea, seed));
        let feet = spawn::choose(&mut grid);
        assert_eq!((feet.x, feet.z, grid.block(feet.down())), (0, 0, Block::Ice), "seed {seed}");
        let depth = (1..).take_while(|down| grid.block(feet.offset(0, -1 - down, 0)) == Block::Water).count();
        assert!(depth >= 5, "seed {seed}: {depth} blocks of water");
    }
}

#[test]
fn sands_have_dunes_and_plateaus_without_a_tree() {
    let counts = census(&land(Theme::Sands, 3), 8);
    assert!(has(&counts, Block::Sand) && has(&counts, Block::Sandstone) && has(&counts, Block::Cactus));
    let counts = census(&land(Theme::Sands, 1), 12);
    assert!(has(&counts, Block::RedSand) && has(&counts, Block::Terracotta));
    assert!(!counts.keys().any(|block| block.is_log()));
}

/// The shares of exposed ores that lie over a drop of more than five blocks.
#[test]
fn ores_lie_over_drops_in_caverns() {
    let share = |terrain: Terrain| {
        let (mut shown, mut dropping, mut hollow) = (0u32, 0u32, 0u32);
        let mut grid = Grid::new(terrain);
        for x in 0..128 {
            for z in 0..128 {
                let mut fall = 0;
                for y in MIN_Y..60 {
                    let pos = BlockPos::new(x, y, z);
                    let block = grid.block(pos);
                    if block.is_landmark()
                        && pos.neighbours().into_iter().any(|beside| grid.block(beside) == Block::Air)
                    {
                        shown += 1;
                        dropping += u32::from(fall > 5);
                    }
                    fall = if block == Block::Air { fall + 1 } else { 0 };
                    hollow += u32::from(block == Block::Air && y < 40 && y > -54);
                }
            }
        }
        println!("{:.3} hollow", f64::from(hollow) / (128.0 * 128.0 * 93.0));
        (f64::from(dropping) / f64::from(shown), dropping)
    };
    let (deep, caverns) = (share(land(Theme::Forest, 6)), share(Terrain::new(TerrainKind::Caverns, 6)));
    println!("exposed ores over a drop: deep {deep:?}, caverns {caverns:?}");
    assert!(caverns.0 > 0.2, "{caverns:?}");
    assert!(2 * caverns.1 > 3 * deep.1, "{caverns:?} {deep:?}");
}

#[test]
fn cliffs_drop_twenty_blocks() {
    let mut grid = Grid::new(land(Theme::Cliffs, 2));
    let mut steepest = 0;
    for x in -200..200 {
        for z in (-200..200).step_by(7) {
            steepest = steepest.max((grid.ground(x, z) - grid.ground(x + 4, z)).abs());
        }
    }
    assert!((20..90).contains(&steepest), "{steepest}");
}

/// The mean number of blocks of an ore in a chunk, by ranges of y.
fn profile(kinds: &[Block], ranges: &[std::ops::Range<i32>]) -> Vec<f64> {
    let mut counts = vec![0.0; ranges.len()];
    for seed in 0..2 {
        visit(&land(Theme::Forest, seed), 4, |pos, block| {
            if kinds.contains(&block) {
                for (count, range) in counts.iter_mut().zip(ranges) {
                    *count += f64::from(u8::from(range.contains(&pos.y))) / 128.0;
                }
            }
        });
    }
    counts
}

#[test]
fn ores_have_the_games_profiles() {
    let rising = |counts: &[f64]| counts.is_sorted_by(|less, more| less < more);
    let diamond =
        profile(&[Block::DiamondOre, Block::DeepslateDiamondOre], &[16..100, 0..16, -20..-4, -40..-24, -60..-44]);
    println!("diamond {diamond:?}");
    assert!(diamond[0] == 0.0 && rising(&diamond), "{diamond:?}");
    let iron = profile(&[Block::IronOre, Block::DeepslateIronOre], &[-60..-30, -24..-8, -4..4, 10..22]);
    println!("iron {iron:?}");
    assert!(iron[3] / 12.0 > 1.3 * iron[1] / 16.0 && iron[1] / 16.0 > iron[0] / 30.0, "iron peaks at 16: {iron:?}");
    let coal = profile(&[Block::CoalOre, Block::DeepslateCoalOre], &[-64..-4, 0..20, 20..40, 40..60]);
    println!("coal {coal:?}");
    assert!(coal[0] < 0.1 && rising(&coal), "{coal:?}");
    let copper = profile(&[Block::CopperOre, Block::DeepslateCopperOre], &[-64..-20, -16..4, 4..24, 38..58]);
    println!("copper {copper:?}");
    assert!(copper[0] == 0.0 && rising(&copper), "{copper:?}");
    let gold = profile(&[Block::GoldOre, Block::DeepslateGoldOre], &[34..120, 10..30, -24..-8]);
    assert!(gold[0] == 0.0 && rising(&gold), "{gold:?}");
    let redstone = profile(&[Block::RedstoneOre, Block::DeepslateRedstoneOre], &[20..120, -16..0, -60..-44]);
    assert!(redstone[0] == 0.0 && rising(&redstone), "{redstone:?}");
}

#[test]
fn rock_below_zero_is_deepslate_and_lava_fills_the_deepest_caves() {
    let mut by_depth = BTreeMap::new();
    visit(&land(Theme::Forest, 5), 3, |pos, block| {
        if pos.y == -20 || pos.y == -56 || pos.y == -10 || pos.y == 30 {
            *by_depth.entry((pos.y, block)).or_insert(0u32) += 1;
        }
    });
    let of = |y: i32, block: Block| by_depth.get(&(y, block)).copied().unwrap_or(0);
    assert!(of(-20, Block::Deepslate) > 5000 && of(-20, Block::Stone) == 0 && of(30, Block::Stone) > 4000);
    assert!(of(-56, Block::Lava) > 50 && of(-56, Block::Air) == 0 && of(-10, Block::Air) > 200);
    let hollow = f64::from(of(-10, Block::Air) + of(-10, Block::Water)) / f64::from(96 * 96);
    assert!((0.03..0.3).contains(&hollow), "{hollow}");
}

#[test]
fn snow_lies_and_traps() {
    let (mut laid, mut hidden) = (0, 0);
    let mut grid = Grid::new(land(Theme::Snow, 3));
    let mut counts = BTreeMap::new();
    for seed in 1..4 {
        visit(&land(Theme::Snow, seed), 6, |_, block| *counts.entry(block).or_insert(0u32) += 1);
    }
    for (x, z) in (-60..60).flat_map(|x| (-60..60).map(move |z| (x, z))) {
        let top = BlockPos::new(x, grid.ground(x, z) + 1, z);
        if grid.block(top) == Block::Snow {
            laid += 1;
            hidden += i32::from(!grid.block(top.down()).is_floor());
        }
    }
    assert!(laid > 1000 && hidden == 0, "{laid} laid, {hidden} over nothing");
    for block in [Block::PowderSnow, Block::PackedIce, Block::SpruceLog, Block::SnowBlock, Block::Podzol] {
        assert!(counts.get(&block).is_some_and(|count| *count > 20), "{}", block.name());
    }
}

#[test]
fn dark_forests_have_closed_roofs() {
    let mut grid = Grid::new(land(Theme::DarkForest, 2));
    let mut roofed = 0;
    for (x, z) in (0..100).flat_map(|x| (0..100).map(move |z| (x, z))) {
        let ground = grid.ground(x, z);
        roofed += i32::from((ground + 3..ground + 14).any(|y| grid.block(BlockPos::new(x, y, z)).is_leaves()));
    }
    assert!(roofed > 7500, "{roofed} of 10000 columns");
    let mut counts = BTreeMap::new();
    (0..6).for_each(|seed| counts.extend(census(&land(Theme::DarkForest, seed), 4)));
    assert!(has(&counts, Block::DarkOakLog) && has(&counts, Block::PaleOakLog));
}

#[test]
fn woods_have_cherries_giants_and_roots_in_water() {
    let mut counts = BTreeMap::new();
    let mut wet = 0;
    for terrain in [Theme::Cherry, Theme::Mangrove, Theme::Jungle].map(|theme| land(theme, 0)) {
        let mut grid = Grid::new(terrain.clone());
        visit(&terrain, 12, |pos, block| {
            *counts.entry(block).or_insert(0u32) += 1;
            if block == Block::MangroveRoots {
                wet += u32::from(grid.block(pos.offset(1, 0, 0)) == Block::Water);
            }
        });
    }
    for block in [Block::CherryLog, Block::MangroveLog, Block::JungleLog, Block::Mud] {
        assert!(has(&counts, block), "{}", block.name());
    }
    assert!(wet > 20, "{wet}");
}

#[test]
fn the_ocean_begins_on_an_island_with_logs() {
    for seed in 0..4 {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Ocean, seed));
        let counts = census(&Terrain::new(TerrainKind::Ocean, seed), 3);
        let logs: u32 = counts.iter().filter(|(block, _)| block.is_log()).map(|(_, count)| count).sum();
        assert!(logs >= 12, "seed {seed}: {logs} logs");
        let sea = (-20..20i32).filter(|step| grid.biome(100, step * 8) == Biome::Ocean).count();
        assert!(sea > 10, "seed {seed}: {sea}");
    }
}

#[test]
fn varied_land_has_most_biomes_within_a_thousand_blocks() {
    let terrain = Terrain::new(TerrainKind::Varied, 1);
    let biomes: BTreeSet<_> = (-32..32)
        .flat_map(|x| (-32..32).map(move |z| (x * 2, z * 2)))
        .map(|(x, z)| terrain.plan(x, z).biomes[0])
        .collect();
    assert!(biomes.len() >= 14, "{biomes:?}");
}
