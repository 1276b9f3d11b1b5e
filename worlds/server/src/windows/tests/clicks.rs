//! Every kind of click with its outcome in the game.

use Item::*;
use WindowKind::{Furnace as Stove, Own, Table};

use super::super::click::OUTSIDE;
use super::super::furnace::{FUEL, INPUT, OUTPUT};
use super::*;

const LEFT: (u8, u8) = (0, 0);
const RIGHT: (u8, u8) = (0, 1);
const THROW_ONE: (u8, u8) = (4, 0);
const THROW_ALL: (u8, u8) = (4, 1);

/// The non-empty slots, the cursor, and the thrown stacks.
type State = (Vec<(usize, Item, u32)>, Option<(Item, u32)>, Vec<(Item, u32)>);

/// The state of a window after clicks, without crafting results.
fn after(
    kind: WindowKind,
    before: &[(usize, Item, u32)],
    cursor: Option<(Item, u32)>,
    clicks: &[((u8, u8), i16)],
) -> State {
    let mut harness = WindowHarness::at(kind);
    before.iter().for_each(|(slot, item, count)| harness.put(*slot, of(*item, *count)));
    harness.carry(cursor.map(|(item, count)| of(item, count)));
    for ((mode, button), slot) in clicks {
        assert_eq!(harness.click(*mode, *button, *slot).refused, None);
    }
    let plain = |stack: Stack| (stack.item, stack.count);
    let mut filled = harness.filled();
    filled.retain(|(slot, ..)| kind == Stove || *slot != 0);
    (filled, harness.screen.cursor().map(plain), harness.thrown.into_iter().map(plain).collect())
}

#[test]
fn left_and_right_clicks() {
    for (before, cursor, click, slot, then) in [
        // Left takes everything, puts everything down, merges as far as it fits, or swaps.
        (Some((Dirt, 10)), None, LEFT, None, Some((Dirt, 10))),
        (None, Some((Dirt, 10)), LEFT, Some((Dirt, 10)), None),
        (Some((Dirt, 10)), Some((Dirt, 7)), LEFT, Some((Dirt, 17)), None),
        (Some((Dirt, 60)), Some((Dirt, 7)), LEFT, Some((Dirt, 64)), Some((Dirt, 3))),
        (Some((Dirt, 64)), Some((Dirt, 7)), LEFT, Some((Dirt, 64)), Some((Dirt, 7))),
        (Some((Dirt, 10)), Some((Sand, 7)), LEFT, Some((Sand, 7)), Some((Dirt, 10))),
        // Right takes the larger half, puts one down, merges one, or swaps.
        (Some((Dirt, 9)), None, RIGHT, Some((Dirt, 4)), Some((Dirt, 5))),
        (Some((Dirt, 1)), None, RIGHT, None, Some((Dirt, 1))),
        (None, Some((Dirt, 10)), RIGHT, Some((Dirt, 1)), Some((Dirt, 9))),
        (None, Some((Dirt, 1)), RIGHT, Some((Dirt, 1)), None),
        (Some((Dirt, 10)), Some((Dirt, 7)), RIGHT, Some((Dirt, 11)), Some((Dirt, 6))),
        (Some((Dirt, 64)), Some((Dirt, 7)), RIGHT, Some((Dirt, 64)), Some((Dirt, 7))),
        (Some((Dirt, 10)), Some((Sand, 7)), RIGHT, Some((Sand, 7)), Some((Dirt, 10))),
        (None, None, LEFT, None, None),
        (None, None, RIGHT, None, None),
        // Tools do not stack: they swap places.
        (Some((IronPickaxe, 1)), Some((IronPickaxe, 1)), LEFT, Some((IronPickaxe, 1)), Some((IronPickaxe, 1))),
    ] {
        for place in [9, 44, 2] {
            let filled: Vec<_> = before.map(|(item, count)| (place, item, count)).into_iter().collect();
            let (filled, cursor_after, thrown) = after(Own, &filled, cursor, &[(click, place as i16)]);
            let expected: Vec<_> = slot.map(|(item, count)| (place, item, count)).into_iter().collect();
            assert_eq!((filled, cursor_after), (expected, then), "{before:?} {cursor:?} {click:?} at {place}");
            assert_eq!(thrown, []);
        }
    }
}

#[test]
fn clicks_outside_throw_the_cursor() {
    assert_eq!(after(Own, &[], Some((Dirt, 9)), &[(LEFT, OUTSIDE)]), (vec![], None, vec![(Dirt, 9)]));
    assert_eq!(after(Own, &[], Some((Dirt, 9)), &[(RIGHT, OUTSIDE)]).1, Some((Dirt, 8)));
    assert_eq!(after(Own, &[], Some((Dirt, 1)), &[(RIGHT, OUTSIDE)]), (vec![], None, vec![(Dirt, 1)]));
    assert_eq!(after(Own, &[], None, &[(LEFT, OUTSIDE)]), (vec![], None, vec![]));
}

#[test]
fn throwing_from_a_slot_wants_an_empty_cursor() {
    let dirt = [(20, Dirt, 9)];
    assert_eq!(after(Own, &dirt, None, &[(THROW_ONE, 20)]), (vec![(20, Dirt, 8)], None, vec![(Dirt, 1)]));
    assert_eq!(after(Own, &dirt, None, &[(THROW_ALL, 20)]), (vec![], None, vec![(Dirt, 9)]));
    assert_eq!(after(Own, &dirt, Some((Sand, 1)), &[(THROW_ALL, 20)]), (dirt.to_vec(), Some((Sand, 1)), vec![]));
    assert_eq!(after(Own, &dirt, None, &[(THROW_ALL, OUTSIDE)]), (dirt.to_vec(), None, vec![]));
    // A crafting result is thrown as a whole, or as often as it can be made.
    let logs = [(1, OakLog, 3)];
    assert_eq!(after(Own, &logs, None, &[(THROW_ONE, 0)]), (vec![(1, OakLog, 2)], None, vec![(OakPlanks, 4)]));
    assert_eq!(after(Own, &logs, None, &[(THROW_ALL, 0)]), (vec![], None, vec![(OakPlanks, 4); 3]));
    // A furnace's result is a stack like any other.
    let ingots = [(OUTPUT, IronIngot, 5)];
    let thrown = after(Stove, &ingots, None, &[(THROW_ONE, OUTPUT as i16)]);
    assert_eq!(thrown, (vec![(OUTPUT, IronIngot, 4)], None, vec![(IronIngot, 1)]));
}

#[test]
fn other_clicks_do_nothing() {
    for (mode, button) in [(1, 0), (2, 0), (3, 2), (6, 0)] {
        let dirt = vec![(9, Dirt, 3)];
        assert_eq!(after(Own, &dirt, None, &[((mode, button), 9)]), (dirt, None, vec![]));
    }
    let drag = [((5, 0), OUTSIDE), ((5, 1), 9), ((5, 1), 10), ((5, 2), OUTSIDE)];
    assert_eq!(after(Own, &[], Some((Dirt, 3)), &drag), (vec![], Some((Dirt, 3)), vec![]));
    let collect = after(Own, &[(9, Dirt, 3)], Some((Dirt, 1)), &[((6, 0), 20)]);
    assert_eq!(collect, (vec![(9, Dirt, 3)], Some((Dirt, 1)), vec![]));
}

#[test]
fn results_cost_their_ingredients_and_take_nothing() {
    let logs = [(1, OakLog, 3)];
    for click in [LEFT, RIGHT] {
        // Either button takes the whole result, also onto an equal stack if all of it fits; it never swaps.
        assert_eq!(after(Own, &logs, None, &[(click, 0)]), (vec![(1, OakLog, 2)], Some((OakPlanks, 4)), vec![]));
        let onto = |item, count| after(Own, &logs, Some((item, count)), &[(click, 0)]);
        assert_eq!(onto(OakPlanks, 60), (vec![(1, OakLog, 2)], Some((OakPlanks, 64)), vec![]));
        assert_eq!(onto(OakPlanks, 61), (logs.to_vec(), Some((OakPlanks, 61)), vec![]));
        assert_eq!(onto(Dirt, 1), (logs.to_vec(), Some((Dirt, 1)), vec![]));
        assert_eq!(after(Own, &[], Some((Dirt, 1)), &[(click, 0)]), (vec![], Some((Dirt, 1)), vec![]));
    }
    let pick = [(1, IronIngot, 2), (2, IronIngot, 1), (3, IronIngot, 1), (5, Stick, 3), (8, Stick, 1)];
    let made = after(Table, &pick, None, &[(LEFT, 0), (LEFT, 0)]);
    assert_eq!(made, (vec![(1, IronIngot, 1), (5, Stick, 2)], Some((IronPickaxe, 1)), vec![]));
}

#[test]
fn furnaces_take_fuel_as_fuel_and_give_results_whole() {
    // The input accepts anything, the fuel slot only fuels, the output nothing.
    assert_eq!(after(Stove, &[], Some((Dirt, 2)), &[(LEFT, 0)]).0, [(INPUT, Dirt, 2)]);
    assert_eq!(after(Stove, &[], Some((Dirt, 2)), &[(LEFT, 1)]).0, []);
    assert_eq!(after(Stove, &[], Some((Stick, 2)), &[(RIGHT, 1)]).0, [(FUEL, Stick, 1)]);
    assert_eq!(after(Stove, &[], Some((IronIngot, 2)), &[(LEFT, 2)]).0, []);
    let swap = after(Stove, &[(FUEL, Coal, 2)], Some((RawIron, 2)), &[(LEFT, 1)]);
    assert_eq!(swap, (vec![(FUEL, Coal, 2)], Some((RawIron, 2)), vec![]));
    let result = [(OUTPUT, IronIngot, 5)];
    assert_eq!(
        after(Stove, &result, None, &[(RIGHT, 2)]),
        (vec![(OUTPUT, IronIngot, 2)], Some((IronIngot, 3)), vec![])
    );
    assert_eq!(after(Stove, &result, Some((IronIngot, 59)), &[(RIGHT, 2)]).1, Some((IronIngot, 64)));
    assert_eq!(after(Stove, &result, Some((IronIngot, 60)), &[(LEFT, 2)]).0, result);
}

#[test]
fn wear_goes_with_the_tool() {
    let mut harness = WindowHarness::at(Own);
    let worn = Stack { item: StonePickaxe, count: 1, wear: 77 };
    harness.put(9, worn);
    harness.put(10, of(StonePickaxe, 1));
    harness.click(0, 0, 9);
    harness.click(0, 0, 10);
    assert_eq!((harness.slots()[10], harness.screen.cursor()), (Some(worn), Some(of(StonePickaxe, 1))));
    harness.click(0, 0, OUTSIDE);
    assert_eq!(harness.thrown, [of(StonePickaxe, 1)]);
    harness.click(4, 1, 10);
    assert_eq!(harness.thrown, [of(StonePickaxe, 1), worn]);
}
