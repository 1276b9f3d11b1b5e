//! Tests of paths.

use rand::RngExt as _;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng as _;
use strum::VariantArray as _;

use super::moves::Moves;
use super::search;
use super::*;
use crate::blocks::Block;
use crate::grid::Grid;
use crate::terrain::{Terrain, TerrainKind};

const WALKS: PathRules<'static> = PathRules {
    within: Region::ANYWHERE,
    dig: None,
    keep: &[],
    barred: &[],
    max_nodes: 0,
    drop: DROP,
    bridge: false,
    pillar: false,
    dive: DIVE,
    dived: 0,
    submerged: 0,
    work: 0,
    wear: WEAR,
};

/// One search with a degree of greed.
fn find(
    land: &mut Grid,
    rules: PathRules<'_>,
    greed: u32,
    start: BlockPos,
    toward: &[BlockPos],
    arrived: &mut dyn FnMut(&mut Grid, BlockPos) -> Option<u32>,
) -> Plan {
    search::find(&mut Moves::new(land, rules), rules, greed, start, toward, arrived)
}

/// A basin of water of a depth in blocks, with its surface at the feet of a player beside it.
fn basin(depth: i32) -> (Grid, BlockPos) {
    let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
    let feet = BlockPos::new(8, 130, 8);
    for x in -1..=4 {
        for z in -1..=1 {
            for y in 1..=depth + 1 {
                let water = (1..4).contains(&x) && z == 0 && y <= depth;
                grid.set(feet.offset(x, -y, z), if water { Block::Water } else { Block::Stone });
            }
        }
    }
    (grid, feet)
}

#[test]
fn dives_no_deeper_than_breath_lasts() {
    for (depth, dives) in [(DEEP, true), (DEEP + 2, false)] {
        let (mut grid, feet) = basin(depth);
        let bottom = feet.offset(2, -depth, 0);
        let rules = PathRules { max_nodes: 2000, ..WALKS };
        let way = find(&mut grid, rules, 1, feet, &[bottom], &mut |_, pos| (pos == bottom).then_some(0));
        assert_eq!(way.arrives, dives, "{depth} deep: {way:?}");
        // A player that is already there gets out.
        let out = find(&mut grid, rules, 1, bottom, &[feet], &mut |_, pos| (pos == feet).then_some(0));
        assert!(out.arrives, "out of a depth of {depth}");
    }
}

/// A flooded stair: its lower end is under six blocks of water, its upper end under many more.
#[test]
fn rises_through_water_however_deep() {
    let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
    let feet = BlockPos::new(8, 130, 8);
    for (x, y) in (-1..=2).flat_map(|x| (-1..=14).map(move |y| (x, y))) {
        for z in -1..=1 {
            let water = z == 0 && ((x == 0 && (0..=6).contains(&y)) || (x == 1 && (5..=13).contains(&y)));
            grid.set(feet.offset(x, y, z), if water { Block::Water } else { Block::Stone });
        }
    }
    let top = feet.offset(1, 13, 0);
    grid.set(top.up(), Block::Air);
    let rules = PathRules { max_nodes: 2000, ..WALKS };
    let up = find(&mut grid, rules, 1, feet, &[top], &mut |_, pos| (pos == top).then_some(0));
    assert!(up.arrives);
    let down = find(&mut grid, rules, 1, top, &[feet], &mut |_, pos| (pos == feet).then_some(0));
    assert!(!down.arrives, "the way down is too deep");
}

#[test]
fn digs_under_water_no_longer_than_breath_lasts() {
    let (mut grid, feet) = basin(4);
    let wall = feet.offset(4, -4, 0);
    for (block, tool, afloat, digs) in [
        (Block::Dirt, Tier::Hand, false, true),
        (Block::Dirt, Tier::Hand, true, false),
        (Block::Stone, Tier::Iron, false, true),
        (Block::Stone, Tier::Hand, false, false),
    ] {
        for up in 0..2 {
            grid.set(wall.up().offset(0, up - 1, 0), block);
        }
        grid.set(wall.offset(-1, -1, 0), if afloat { Block::Water } else { Block::Stone });
        let rules = PathRules { dig: Some(PathTool { tier: tool, rock: true }), ..WALKS };
        let mut moves = Moves::new(&mut grid, rules);
        let through = moves.from(wall.offset(-1, 0, 0), false).any(|index| moves.get(index).to == wall);
        assert_eq!(through, digs, "{} with {tool:?}, afloat: {afloat}", block.name());
    }
}

/// Solid rock with a tunnel along x of a length in blocks, and its beginning.
fn tunnel(length: i32) -> (Grid, BlockPos) {
    let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
    let feet = BlockPos::new(8, 130, 8);
    for x in -3..=length + 3 {
        for y in -12..=4 {
            for z in -3..=3 {
                let open = (0..length).contains(&x) && (0..2).contains(&y) && z == 0;
                grid.set(feet.offset(x, y, z), if open { Block::Air } else { Block::Stone });
            }
        }
    }
    (grid, feet)
}

/// The path to a place nine levels below, by digging.
fn way_down(grid: &mut Grid, feet: BlockPos) -> Vec<BlockPos> {
    let dig = Some(PathTool { tier: Tier::Stone, rock: true });
    let rules = PathRules { dig, max_nodes: 6000, drop: 2 * DROP, ..WALKS };
    let plan = find(grid, rules, 4, feet, &[feet.offset(0, -9, 0)], &mut |_, pos| (pos.y <= feet.y - 9).then_some(0));
    assert!(plan.arrives);
    plan.way
}

#[test]
fn digs_straight_down_through_dry_rock() {
    let (mut grid, feet) = tunnel(1);
    let straight: Vec<_> = (1..=9).map(|down| feet.offset(0, -down, 0)).collect();
    assert_eq!(way_down(&mut grid, feet), straight);
    // The shaft avoids water beside it, and a cave without a floor near it.
    for (block, at) in [(Block::Water, feet.offset(1, -4, 0)), (Block::Air, feet.offset(0, -5, 0))] {
        let (mut grid, _) = tunnel(1);
        grid.set(at, block);
        let way = way_down(&mut grid, feet);
        assert_ne!(way, straight);
        let falls: Vec<_> = std::iter::once(&feet).chain(&way).zip(&way).map(|(from, to)| from.y - to.y).collect();
        assert!(falls.iter().max() <= Some(&DROP), "{way:?}");
        let steps = std::iter::once(&feet).chain(&way).zip(&way);
        let opened: Vec<_> = steps.flat_map(|(from, to)| passage(*from, *to)).collect();
        let wet = |pos: &BlockPos| pos.neighbours().into_iter().any(|beside| grid.cell(beside).is_fluid());
        assert!(!opened.iter().any(wet), "{way:?}");
    }
}

#[test]
fn weighs_the_work_against_the_way() {
    let (mut grid, feet) = tunnel(12);
    let (near, far) = (feet.offset(2, 0, 0), feet.offset(10, 0, 0));
    let rules = PathRules { max_nodes: 2000, ..WALKS };
    for (work, nearer) in [(WALK, true), (20 * WALK, false)] {
        let mut arrived = |_: &mut Grid, pos: BlockPos| (pos == near).then_some(work).or((pos == far).then_some(0));
        let way = find(&mut grid, rules, 1, feet, &[near, far], &mut arrived).way;
        assert_eq!(way.last(), Some(if nearer { &near } else { &far }));
    }
}

#[test]
fn what_is_out_of_reach_is_approached() {
    let (mut grid, feet) = tunnel(12);
    let aim = feet.offset(30, 0, 0);
    let rules = PathRules { max_nodes: 2000, ..WALKS };
    let plan = best(&mut grid, rules, feet, &[aim], &mut |_, pos| (pos == aim).then_some(0));
    assert!(!plan.arrives);
    assert_eq!((plan.way.last(), plan.left), (Some(&feet.offset(11, 0, 0)), 19 * WALK));
    // A step that turned out to be impossible is left out.
    let barred = [(feet.offset(5, 0, 0), feet.offset(6, 0, 0))];
    let rules = PathRules { barred: &barred, ..rules };
    let plan = best(&mut grid, rules, feet, &[aim], &mut |_, pos| (pos == aim).then_some(0));
    assert_eq!(plan.way.last(), Some(&feet.offset(5, 0, 0)));
}

#[test]
fn rock_is_not_dug_by_hand_unless_allowed() {
    let (mut grid, feet) = tunnel(12);
    let aim = feet.offset(13, 0, 0);
    for rock in [false, true] {
        let rules = PathRules { dig: Some(PathTool { tier: Tier::Hand, rock }), max_nodes: 4000, ..WALKS };
        let plan = best(&mut grid, rules, feet, &[aim], &mut |_, pos| (pos == aim).then_some(0));
        assert_eq!(plan.arrives, rock);
    }
}

/// A wall across a hall, with a door far aside. A pickaxe's wear justifies some detours, but not every detour.
#[test]
fn a_way_around_is_worth_a_pickaxes_wear() {
    let digs = |door: i32| {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
        let feet = BlockPos::new(8, 130, 8);
        for (x, z) in (-3..=9).flat_map(|x| (-1..=20).map(move |z| (x, z))) {
            let wall = x == 3 && z != door;
            for y in -1..=3 {
                let stone = y == -1 || y == 3 || wall || [-3, 9].contains(&x) || [-1, 20].contains(&z);
                grid.set(feet.offset(x, y, z), if stone { Block::Stone } else { Block::Air });
            }
        }
        let aim = feet.offset(6, 0, 0);
        let dig = Some(PathTool { tier: Tier::Stone, rock: true });
        let rules = PathRules { dig, max_nodes: 6000, ..WALKS };
        let plan = best(&mut grid, rules, feet, &[aim], &mut |_, pos| (pos == aim).then_some(0));
        assert!(plan.arrives);
        plan.way.contains(&feet.offset(3, 0, 0))
    };
    assert!(!digs(4) && digs(12));
}

#[test]
fn what_a_way_digs_away_is_no_floor_for_it() {
    // A block of rock four wide: the shortest stairs would turn round in two columns, over cells that they have dug
    // away.
    let (mut grid, feet) = tunnel(1);
    for (x, z) in (-3..=4).flat_map(|x| (-3..=3).map(move |z| (x, z))) {
        for y in 0..=14 {
            let open = (x, z) == (0, 0) && y < 2;
            grid.set(feet.offset(x, y, z), if open { Block::Air } else { Block::Stone });
        }
    }
    let dig = Some(PathTool { tier: Tier::Stone, rock: true });
    let rules = PathRules { dig, max_nodes: 6000, ..WALKS };
    let aim = feet.offset(0, 8, 0);
    let plan = best(&mut grid, rules, feet, &[aim], &mut |_, pos| (pos.y >= aim.y).then_some(0));
    assert!(plan.arrives);
    let mut from = feet;
    for to in plan.way {
        let dug: Vec<_> = passage(from, to).collect();
        dug.into_iter().for_each(|cell| grid.set(cell, Block::Air));
        assert!(grid.cell(to.down()).is_floor(), "{to}");
        from = to;
    }
}

/// A chasm with air below: floors are laid if allowed.
#[test]
fn a_chasm_is_bridged_if_allowed() {
    let (mut grid, feet) = tunnel(12);
    for (x, y) in (4..7).flat_map(|x| (1..=8).map(move |y| (x, y))) {
        grid.set(feet.offset(x, -y, 0), Block::Air);
    }
    let aim = feet.offset(11, 0, 0);
    for bridge in [false, true] {
        let rules = PathRules { max_nodes: 2000, bridge, ..WALKS };
        let plan = best(&mut grid, rules, feet, &[aim], &mut |_, pos| (pos == aim).then_some(0));
        assert_eq!(plan.arrives, bridge);
        let steps = std::iter::once(&feet).chain(&plan.way).zip(&plan.way);
        let floors = steps.filter(|(from, to)| needs_floor(&mut grid, **from, **to)).count();
        assert_eq!(floors, if bridge { 3 } else { 0 });
    }
}

/// A flooded tunnel along x, roofed, that begins below air; its far end is closed, or below air too.
fn flooded(length: i32, open: bool) -> (Grid, BlockPos) {
    let (mut grid, feet) = tunnel(length);
    for (x, y) in (0..length).flat_map(|x| (0..3).map(move |y| (x, y))) {
        let air = y == 2 && (x == 0 || open && x == length - 1);
        let roof = if air { Block::Air } else { Block::Stone };
        grid.set(feet.offset(x, y, 0), if y < 2 { Block::Water } else { roof });
    }
    (grid, feet)
}

/// Breath must last to the next air: onward if there is air, otherwise back, with the work at the end.
#[test]
fn dives_no_longer_than_breath_lasts() {
    for (length, open, work, dives) in
        [(18, true, 0, true), (26, true, 0, false), (9, false, 0, true), (14, false, 0, false), (9, false, 23, false)]
    {
        let (mut grid, feet) = flooded(length, open);
        let end = feet.offset(length - 1, i32::from(open), 0);
        let rules = PathRules { max_nodes: 2000, work, ..WALKS };
        let start = feet.up();
        let plan = find(&mut grid, rules, 1, start, &[end], &mut |_, pos| (pos == end).then_some(0));
        assert_eq!(plan.arrives, dives, "{length} steps, open: {open}, work: {work}");
        // A body that must get out is not limited by its breath.
        let rises = PathRules { dive: u32::MAX, ..rules };
        let out = find(&mut grid, rises, 1, end, &[start], &mut |_, pos| (pos == start).then_some(0));
        assert!(out.arrives);
    }
}

#[test]
fn swims_diagonally_through_open_water_only() {
    for (corner, diagonally) in [(Block::Water, true), (Block::Stone, false)] {
        let (mut grid, feet) = tunnel(1);
        for (x, z) in (-1..=2).flat_map(|x| (-1..=2).map(move |z| (x, z))) {
            (0..3).for_each(|y| grid.set(feet.offset(x, y, z), if y == 0 { Block::Water } else { Block::Air }));
        }
        grid.set(feet.offset(1, 0, 0), corner);
        let end = feet.offset(1, 0, 1);
        let rules = PathRules { max_nodes: 2000, ..WALKS };
        let plan = find(&mut grid, rules, 1, feet, &[end], &mut |_, pos| (pos == end).then_some(0));
        assert_eq!(plan.way.len(), if diagonally { 1 } else { 2 }, "{:?}", plan.way);
    }
}

/// A body that digs on under water stays under water: the cells that it opens are flooded behind it.
#[test]
fn digs_on_under_water_only_as_far_as_it_comes_back() {
    for (blocks, digs) in [(1, true), (4, false)] {
        let (mut grid, feet) = flooded(3, false);
        // Only the end of the flooded tunnel can be dug.
        for (x, y) in (-3..=9).flat_map(|x| (-12..=4).map(move |y| (x, y))) {
            for z in -3..=3 {
                let soft = (3..3 + blocks).contains(&x) && (0..2).contains(&y) && z == 0;
                let pos = feet.offset(x, y, z);
                if !soft && Land::cell(&mut grid, pos).is_firm() {
                    grid.set(pos, Block::Bedrock);
                }
            }
        }
        let end = feet.offset(2 + blocks, 0, 0);
        let dig = Some(PathTool { tier: Tier::Stone, rock: true });
        let rules = PathRules { max_nodes: 2000, dig, ..WALKS };
        let plan = find(&mut grid, rules, 1, feet.offset(0, 1, 0), &[end], &mut |_, pos| (pos == end).then_some(0));
        assert_eq!(plan.arrives, digs, "{blocks} blocks: {plan:?}");
    }
}

/// Sand under the sea falls in when it is undermined, and the sea follows. Dry sand only costs the time to dig it.
#[test]
fn does_not_undermine_the_bed_of_a_sea() {
    for (above, direct) in [(Block::Water, false), (Block::Air, true)] {
        let (mut grid, feet) = tunnel(7);
        let end = feet.offset(6, 0, 0);
        (1..6).for_each(|x| (0..2).for_each(|y| grid.set(feet.offset(x, y, 0), Block::Stone)));
        (2..4).for_each(|y| grid.set(feet.offset(3, y, 0), Block::Sand));
        grid.set(feet.offset(3, 4, 0), above);
        let dig = Some(PathTool { tier: Tier::Iron, rock: true });
        let rules = PathRules { max_nodes: 4000, dig, ..WALKS };
        let plan = find(&mut grid, rules, 1, feet, &[end], &mut |_, pos| (pos == end).then_some(0));
        assert!(plan.arrives);
        assert_eq!(plan.way.contains(&feet.offset(3, 0, 0)), direct, "below {}: {:?}", above.name(), plan.way);
    }
}

/// A search with drawn rules, between drawn places of one land, and its plan.
fn drawn_search(grid: &mut Grid, rng: &mut Pcg32) -> Plan {
    let mut near = |at: BlockPos, sides: i32, down: i32, up: i32| {
        at.offset(rng.random_range(-sides..=sides), rng.random_range(-down..=up), rng.random_range(-sides..=sides))
    };
    let column = near(BlockPos::new(0, 0, 0), 120, 0, 0);
    let surface = BlockPos { y: grid.ground(column.x, column.z) + 1, ..column };
    // Half of the searches begin at the surface, the others in a cave, water or rock below.
    let (below, aim, other) = (near(surface, 0, 90, 0), near(surface, 40, 50, 12), near(surface, 8, 8, 8));
    let (keep, barred) = (near(surface, 3, 3, 1), near(surface, 1, 1, 1));
    let start = if rng.random_bool(0.5) { surface } else { below };
    let tiers = [Tier::Hand, Tier::Wood, Tier::Stone, Tier::Iron];
    let tool = PathTool { tier: tiers[rng.random_range(0..tiers.len())], rock: rng.random_bool(0.7) };
    let rules = PathRules {
        dig: rng.random_bool(0.7).then_some(tool),
        keep: &[keep],
        barred: &[(surface, barred)],
        max_nodes: [60, 1000, 6000][rng.random_range(0..3)],
        drop: DROP + rng.random_range(0..6),
        bridge: rng.random_bool(0.3),
        pillar: rng.random_bool(0.3),
        dived: if grid.cell(start.up()).space == Space::Water { rng.random_range(0..200) } else { 0 },
        submerged: rng.random_range(0..6),
        within: if rng.random_bool(0.5) { Region::to_mine(start, aim) } else { Region::ANYWHERE },
        work: rng.random_range(0..60),
        wear: if rng.random_bool(0.8) { WEAR } else { BY_HAND },
        ..WALKS
    };
    let aims = if rng.random_bool(0.3) { vec![aim, other] } else { vec![aim] };
    let work = rng.random_range(0..3);
    best(grid, rules, start, &aims, &mut |land, pos| {
        let mut near = |aim: &BlockPos| pos.squared_distance(*aim) <= 6 && land.cell(pos).is_free();
        let away = |aim: &BlockPos| work * 9 * pos.squared_distance(*aim) as u32;
        aims.iter().filter(|aim| near(aim)).map(away).min()
    })
}

/// Faster searches find the same paths at the same cost, and expand the same places.
#[test]
fn drawn_searches_find_the_same_paths() {
    let mut rng = Pcg32::seed_from_u64(1);
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let (mut arrived, mut expanded) = (0, 0);
    for seed in 0..4 {
        for kind in TerrainKind::VARIANTS {
            let mut grid = Grid::new(Terrain::new(*kind, seed));
            for _ in 0..10 {
                let plan = drawn_search(&mut grid, &mut rng);
                arrived += u32::from(plan.arrives);
                expanded += plan.expanded;
                hash = format!("{plan:?}")
                    .bytes()
                    .fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
            }
        }
    }
    let found = format!("{arrived} arrive, {expanded} places expanded, {hash:016x}");
    insta::assert_snapshot!(found, @"32 arrive, 716135 places expanded, ec7f70c26e9d08e8");
}
