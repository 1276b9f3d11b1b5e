//! Tests of walks.

use ltlcrit_minecraft::blocks::Block;

use super::*;

fn body(position: [f64; 3], on_ground: bool, wet: bool) -> BodyState {
    let [x, y, z] = position;
    BodyState { position: Vec3::new(x, y, z), velocity: Vec3::default(), on_ground, wet, glide: 0.546 }
}

fn air(_: BlockPos) -> Cell {
    Cell::of(Block::Air)
}

/// A walk to the east over cells at these heights.
fn eastwards(heights: &[i32]) -> Walk {
    let way: Vec<_> = heights.iter().zip(1..).map(|(y, x)| BlockPos::new(x, *y, 0)).collect();
    Walk::new(BlockPos::new(0, 10, 0), &way, &[100; 4])
}

#[test]
fn counts_a_cell_it_flew_over() {
    let mut walk = eastwards(&[10, 9, 9, 9]);
    walk.advance(&body([1.6, 10.0, 0.5], true, false), &air, Some(300));
    assert_eq!(walk.done, 1);
    // The body leaves the edge at full speed: it is in the air over the second cell, and lands in the third.
    walk.advance(&body([2.5, 9.6, 0.5], false, false), &air, Some(300));
    assert_eq!(walk.done, 1);
    walk.advance(&body([3.1, 9.0, 0.5], true, false), &air, Some(300));
    assert_eq!((walk.done, walk.stopping), (3, false));
    walk.advance(&body([4.4, 9.0, 0.5], true, false), &air, Some(300));
    assert!(walk.done == 4 && walk.over);
}

#[test]
fn stops_for_want_of_breath_but_not_on_its_first_step() {
    let water = |_: BlockPos| Cell::of(Block::Water);
    let mut walk = eastwards(&[11, 12, 13]);
    let first = walk.advance(&body([0.5, 10.2, 0.5], false, true), &water, Some(99));
    assert!(!walk.stopping && first.direction.is_some());
    walk.advance(&body([1.5, 11.2, 0.5], false, true), &water, Some(99));
    assert!(walk.stopping && walk.done == 1);
    let mut rising = Walk { breath: Vec::new(), ..eastwards(&[11, 12, 13]) };
    rising.advance(&body([1.5, 11.2, 0.5], false, true), &water, Some(0));
    assert!(!rising.stopping && rising.done == 1, "a body that needs no air to go on goes on");
}

#[test]
fn dives_over_an_edge_of_the_bottom() {
    let mut walk = eastwards(&[8]);
    let afloat = walk.advance(&body([0.5, 10.2, 0.5], false, true), &air, Some(300));
    assert!(afloat.sink && !afloat.jump && afloat.direction.is_some());
    let aground = walk.advance(&body([0.5, 9.0, 0.5], true, true), &air, Some(300));
    assert!(!aground.sink && !aground.jump && aground.direction.is_some(), "{aground:?}");
}

#[test]
fn swims_low_into_a_low_opening() {
    let ceiling = |pos: BlockPos| Cell::of(if pos.y == 12 { Block::Stone } else { Block::Air });
    let mut walk = eastwards(&[10]);
    let afloat = body([0.5, 10.25, 0.5], false, true);
    let low = walk.advance(&afloat, &ceiling, Some(300));
    assert!(low.sink && !low.jump, "{low:?}");
    let high = walk.advance(&afloat, &air, Some(300));
    assert!(high.jump && !high.sink, "{high:?}");
}

#[test]
fn sprints_over_open_water_straight_ahead() {
    let water = |pos: BlockPos| Cell::of(if pos.y <= 10 { Block::Water } else { Block::Air });
    let floating = body([0.5, 10.2, 0.5], false, true);
    let may = |walk: Walk, land: &dyn Fn(BlockPos) -> Cell| walk.may_sprint(&floating, land, 20);
    assert!(may(eastwards(&[10, 10, 10]), &water));
    assert!(!may(eastwards(&[10, 10]), &water), "it must stop soon");
    assert!(!may(eastwards(&[10, 10, 11]), &water), "it must rise");
    assert!(!may(eastwards(&[10, 10, 10]), &air), "not on land, where that makes hungry");
    assert!(!eastwards(&[10, 10, 10]).may_sprint(&floating, &water, 6), "a hungry body cannot sprint");
    let corner = [(1, 0), (2, 0), (2, 1)].map(|(x, z)| BlockPos::new(x, 10, z));
    assert!(!may(Walk::new(BlockPos::new(0, 10, 0), &corner, &[]), &water));
    // A server leaves a sprinting swimmer flat once it has been under water.
    let deep = |_: BlockPos| Cell::of(Block::Water);
    assert!(may(eastwards(&[10, 10, 10]), &deep));
    let comes_up = |pos: BlockPos| Cell::of(if pos.y <= 10 || pos.x < 3 { Block::Water } else { Block::Air });
    assert!(!may(eastwards(&[10, 10, 10]), &comes_up), "it must come up");
}
