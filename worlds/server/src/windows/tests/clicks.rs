//! Every kind of click with its outcome in the game.

use Item::*;
use WindowKind::{Furnace as Stove, Own, Table};

use super::super::click::OUTSIDE;
use super::super::furnace::{FUEL, INPUT, OUTPUT};
use super::*;

const LEFT: (u8, u8) = (0, 0);
const RIGHT: (u8, u8) = (0, 1);
const SHIFT: (u8, u8) = (1, 0);
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
        for place in [9, 44, 45, 2] {
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
    for mode in [0, 1] {
        assert_eq!(after(Own, &[], Some((Dirt, 9)), &[((mode, 0), OUTSIDE)]), (vec![], None, vec![(Dirt, 9)]));
        assert_eq!(after(Own, &[], Some((Dirt, 9)), &[((mode, 1), OUTSIDE)]).1, Some((Dirt, 8)));
        assert_eq!(after(Own, &[], Some((Dirt, 1)), &[((mode, 1), OUTSIDE)]), (vec![], None, vec![(Dirt, 1)]));
        assert_eq!(after(Own, &[], None, &[((mode, 0), OUTSIDE)]), (vec![], None, vec![]));
    }
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
fn shift_clicks_in_the_own_window() {
    for (before, slot, expected) in [
        // Between hotbar and main inventory: onto equal stacks first, then to the first free slot.
        (vec![(9, Dirt, 9)], 9, vec![(36, Dirt, 9)]),
        (vec![(44, Dirt, 9)], 44, vec![(9, Dirt, 9)]),
        (vec![(9, Dirt, 9), (36, Sand, 1), (40, Dirt, 60)], 9, vec![(36, Sand, 1), (37, Dirt, 5), (40, Dirt, 64)]),
        (vec![(36, Dirt, 9), (9, Dirt, 64), (10, Dirt, 60), (11, Dirt, 63)], 36, {
            vec![(9, Dirt, 64), (10, Dirt, 64), (11, Dirt, 64), (12, Dirt, 4)]
        }),
        // From the grid and the off hand to the inventory, from its first slot on.
        (vec![(3, Dirt, 9)], 3, vec![(9, Dirt, 9)]),
        (vec![(45, Dirt, 9), (44, Dirt, 1)], 45, vec![(44, Dirt, 10)]),
        (vec![(3, IronPickaxe, 1), (9, IronPickaxe, 1)], 3, vec![(9, IronPickaxe, 1), (10, IronPickaxe, 1)]),
    ] {
        assert_eq!(after(Own, &before, None, &[(SHIFT, slot)]).0, expected, "{before:?}");
    }
    // Items without room stay in place.
    let mut full: Vec<_> = (36..45).map(|slot| (slot, Sand, 64)).collect();
    full.insert(0, (9, Dirt, 9));
    assert_eq!(after(Own, &full, None, &[(SHIFT, 9)]).0, full);
    full[4] = (39, Dirt, 60);
    let mut expected = full.clone();
    (expected[0], expected[4]) = ((9, Dirt, 5), (39, Dirt, 64));
    assert_eq!(after(Own, &full, None, &[(SHIFT, 9)]).0, expected);
    // The cursor does not matter.
    assert_eq!(after(Own, &[(9, Dirt, 1)], Some((Sand, 2)), &[(SHIFT, 9)]).1, Some((Sand, 2)));
}

#[test]
fn shift_clicks_at_a_crafting_table() {
    for (before, slot, expected) in [
        (vec![(10, Dirt, 9)], 10, vec![(1, Dirt, 9)]),
        (vec![(45, Dirt, 9), (5, Dirt, 62)], 45, vec![(1, Dirt, 7), (5, Dirt, 64)]),
        (vec![(5, Dirt, 9)], 5, vec![(10, Dirt, 9)]),
    ] {
        assert_eq!(after(Table, &before, None, &[(SHIFT, slot)]).0, expected, "{before:?}");
    }
    // With a full grid, items move between hotbar and main inventory.
    let grid: Vec<_> = (1..10).map(|slot| (slot, Sand, 1)).collect();
    let with = |stack| grid.iter().copied().chain([stack]).collect::<Vec<_>>();
    assert_eq!(after(Table, &with((10, Dirt, 9)), None, &[(SHIFT, 10)]).0, with((37, Dirt, 9)));
    assert_eq!(after(Table, &with((37, Dirt, 9)), None, &[(SHIFT, 37)]).0, with((10, Dirt, 9)));
}

#[test]
fn shift_clicks_at_a_furnace() {
    for (before, slot, expected) in [
        (vec![(3, RawIron, 9)], 3, vec![(INPUT, RawIron, 9)]),
        (vec![(38, Coal, 9)], 38, vec![(FUEL, Coal, 9)]),
        // Logs are smelted before they are burnt, and stay if they cannot be.
        (vec![(3, OakLog, 9)], 3, vec![(INPUT, OakLog, 9)]),
        (vec![(INPUT, RawIron, 1), (3, OakLog, 9)], 3, vec![(INPUT, RawIron, 1), (3, OakLog, 9)]),
        (vec![(FUEL, Coal, 60), (3, Coal, 9)], 3, vec![(FUEL, Coal, 64), (3, Coal, 5)]),
        (vec![(3, Dirt, 9)], 3, vec![(30, Dirt, 9)]),
        (vec![(30, Dirt, 9)], 30, vec![(3, Dirt, 9)]),
        (vec![(INPUT, RawIron, 9)], 0, vec![(3, RawIron, 9)]),
        (vec![(FUEL, Coal, 9)], 1, vec![(3, Coal, 9)]),
        // Results fill the inventory from the end.
        (vec![(OUTPUT, IronIngot, 9)], 2, vec![(38, IronIngot, 9)]),
        (vec![(OUTPUT, IronIngot, 9), (5, IronIngot, 60)], 2, vec![(5, IronIngot, 64), (38, IronIngot, 5)]),
    ] {
        assert_eq!(after(Stove, &before, None, &[(SHIFT, slot)]).0, expected, "{before:?}");
    }
}

#[test]
fn number_keys_swap() {
    let key = |button| (2, button);
    for (before, button, slot, expected) in [
        (vec![(9, Dirt, 9)], 0, 9, vec![(36, Dirt, 9)]),
        (vec![(44, Dirt, 9)], 8, 9, vec![(9, Dirt, 9)]),
        (vec![(9, Dirt, 9), (40, Sand, 3)], 4, 9, vec![(9, Sand, 3), (40, Dirt, 9)]),
        (vec![(9, Dirt, 9), (40, Dirt, 3)], 4, 9, vec![(9, Dirt, 3), (40, Dirt, 9)]),
        (vec![(40, Dirt, 3)], 4, 40, vec![(40, Dirt, 3)]),
        (vec![(9, Dirt, 9)], 40, 9, vec![(45, Dirt, 9)]),
        (vec![(45, Dirt, 9), (2, Sand, 1)], 40, 2, vec![(2, Dirt, 9), (45, Sand, 1)]),
        // Armour slots accept none of our items.
        (vec![(36, Dirt, 9)], 0, 5, vec![(36, Dirt, 9)]),
        // A result moves only to an empty hotbar slot, and uses up its ingredients.
        (vec![(1, OakLog, 2)], 3, 0, vec![(1, OakLog, 1), (39, OakPlanks, 4)]),
        (vec![(1, OakLog, 2), (39, OakPlanks, 1)], 3, 0, vec![(1, OakLog, 2), (39, OakPlanks, 1)]),
        (vec![(39, Dirt, 1)], 3, 0, vec![(39, Dirt, 1)]),
    ] {
        assert_eq!(after(Own, &before, None, &[(key(button), slot)]).0, expected, "{before:?}");
    }
    for (before, button, slot, expected) in [
        (vec![(30, Dirt, 9)], 0, 1, vec![(30, Dirt, 9)]),
        (vec![(30, Dirt, 9)], 0, 0, vec![(0, Dirt, 9)]),
        (vec![(30, Coal, 9), (1, OakPlanks, 2)], 0, 1, vec![(1, Coal, 9), (30, OakPlanks, 2)]),
        (vec![(30, Coal, 9), (2, IronIngot, 2)], 0, 2, vec![(2, IronIngot, 2), (30, Coal, 9)]),
        (vec![(2, IronIngot, 2)], 0, 2, vec![(30, IronIngot, 2)]),
    ] {
        assert_eq!(after(Stove, &before, None, &[(key(button), slot)]).0, expected, "{before:?}");
    }
}

#[test]
fn the_other_hand_is_reached_from_windows_that_do_not_show_it() {
    let mut harness = WindowHarness::at(Table);
    harness.put(12, of(Dirt, 5));
    harness.click(2, 40, 12);
    assert_eq!(harness.filled(), []);
    assert_eq!(harness.screen.inventory().get(40), Some(of(Dirt, 5)));
}

#[test]
fn middle_clicks_drags_and_double_clicks_do_nothing() {
    assert_eq!(after(Own, &[(9, Dirt, 3)], None, &[((3, 2), 9)]), (vec![(9, Dirt, 3)], None, vec![]));
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
fn a_shift_click_on_a_result_makes_all_it_can() {
    let made = after(Own, &[(1, OakLog, 3), (20, OakPlanks, 60)], None, &[(SHIFT, 0)]);
    assert_eq!(made, (vec![(20, OakPlanks, 64), (44, OakPlanks, 8)], None, vec![]));
    let made = after(Table, &[(2, OakPlanks, 5), (5, BirchPlanks, 2)], None, &[(SHIFT, 0)]);
    assert_eq!(made, (vec![(2, OakPlanks, 3), (45, Stick, 8)], None, vec![]));
    // With a full inventory nothing is crafted; the part of the last result without room is thrown.
    let full: Vec<_> = (9..45).map(|slot| (slot, Dirt, 64)).collect();
    let with = |stacks: &[(usize, Item, u32)]| {
        let mut filled: Vec<_> =
            full.iter().copied().filter(|(slot, ..)| stacks.iter().all(|s| s.0 != *slot)).collect();
        filled.extend(stacks);
        filled.sort_by_key(|(slot, ..)| *slot);
        filled
    };
    let none = with(&[(1, OakLog, 3)]);
    assert_eq!(after(Own, &none, None, &[(SHIFT, 0)]), (none, None, vec![]));
    let some = with(&[(1, OakLog, 3), (30, OakPlanks, 58)]);
    let expected = with(&[(1, OakLog, 1), (30, OakPlanks, 64)]);
    assert_eq!(after(Own, &some, None, &[(SHIFT, 0)]), (expected, None, vec![(OakPlanks, 2)]));
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
    harness.click(2, 3, 10);
    assert_eq!(harness.slots()[39], Some(worn));
    harness.click(4, 1, 39);
    harness.click(0, 0, OUTSIDE);
    assert_eq!(harness.thrown, [of(StonePickaxe, 1)]);
    harness.click(4, 1, 39);
    assert_eq!(harness.thrown, [of(StonePickaxe, 1), worn]);
}
