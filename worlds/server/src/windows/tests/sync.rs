//! The messages to clients: differences, everything for outdated clients, and those that azalea and mineflayer wait
//! for.

use Item::*;

use super::super::click::{InvalidSlot, OUTSIDE};
use super::super::furnace::{FUEL, INPUT};
use super::super::message::Message;
use super::super::message::RequestError;
use super::*;

fn holds(item: Item, count: u32) -> RemoteSlot {
    RemoteSlot::Holds(Some(of(item, count)))
}

const NOTHING: RemoteSlot = RemoteSlot::Holds(None);

fn prediction(slots: &[(usize, RemoteSlot)], cursor: RemoteSlot) -> Prediction {
    Prediction { slots: slots.to_vec(), cursor }
}

/// The slots and contents in the messages that set single slots.
fn slots(messages: &[Message]) -> Vec<(usize, Option<(Item, u32)>)> {
    let single = |message: &Message| match message {
        Message::Slot { slot, stack, .. } => (*slot, stack.map(|stack| (stack.item, stack.count))),
        other => panic!("{other:?}"),
    };
    messages.iter().map(single).collect()
}

/// Returns whether the messages set everything in a window: the content, and the cursor once more.
fn is_everything(messages: &[Message], of: i32) -> bool {
    matches!(messages, [Message::Content { window, .. }, Message::Cursor { .. }] if *window == of)
}

/// A harness whose client is up to date.
fn informed(kind: WindowKind, stacks: &[(usize, Item, u32)]) -> WindowHarness {
    let mut harness = WindowHarness::at(kind);
    stacks.iter().for_each(|(slot, item, count)| harness.put(*slot, of(*item, *count)));
    harness.screen.tell_all(&harness.furnaces);
    harness
}

#[test]
fn a_right_prediction_is_answered_with_nothing_and_a_wrong_one_with_the_difference() {
    let mut harness = informed(WindowKind::Own, &[(9, Dirt, 9)]);
    let state = harness.screen.state();
    let answer = harness.claim(0, 0, 9, prediction(&[(9, NOTHING)], holds(Dirt, 9)));
    assert_eq!((answer.messages, harness.screen.state()), (vec![], state));
    let answer = harness.claim(0, 1, 12, prediction(&[(12, holds(Dirt, 2)), (13, holds(Coal, 1))], holds(Dirt, 8)));
    assert_eq!(slots(&answer.messages), [(12, Some((Dirt, 1))), (13, None)]);
    let state_of = |message: &Message| match message {
        Message::Slot { state, .. } => *state,
        other => panic!("{other:?}"),
    };
    let states: Vec<_> = answer.messages.iter().map(state_of).collect();
    assert_eq!(states, [state + 1, state + 2]);
    assert_eq!(harness.screen.state(), state + 2);
    // A slot that the client did not predict.
    let answer = harness.claim(0, 1, 12, prediction(&[], holds(Dirt, 7)));
    assert_eq!(slots(&answer.messages), [(12, Some((Dirt, 2)))]);
}

#[test]
fn a_wrong_cursor_or_a_stale_state_is_answered_with_everything() {
    let mut harness = informed(WindowKind::Own, &[(9, Dirt, 9)]);
    let answer = harness.claim(0, 1, 9, prediction(&[(9, holds(Dirt, 4))], holds(Dirt, 4)));
    assert!(is_everything(&answer.messages, 0));
    let Message::Content { cursor, slots, state, .. } = &answer.messages[0] else { panic!() };
    assert_eq!((*cursor, slots[9], *state), (Some(of(Dirt, 5)), Some(of(Dirt, 4)), harness.screen.state()));
    let numbers = RawClick { mode: 0, button: 0, slot: 9 };
    let right = prediction(&[(9, holds(Dirt, 9))], NOTHING);
    let request = Request { window: 0, state: harness.screen.state() - 1, numbers, prediction: right };
    let answer = harness.screen.click(&request, &mut harness.furnaces);
    assert!(is_everything(&answer.messages, 0));
    // The click was executed anyway.
    assert_eq!(harness.filled(), [(9, Dirt, 9)]);
}

#[test]
fn clicks_in_a_grid_are_answered_with_its_result_last_of_all() {
    let mut harness = informed(WindowKind::Own, &[(9, OakLog, 2), (10, Dirt, 3)]);
    harness.claim(0, 0, 10, prediction(&[(10, NOTHING)], holds(Dirt, 3)));
    let answer = harness.claim(0, 1, 1, prediction(&[(1, holds(Dirt, 1))], holds(Dirt, 2)));
    assert_eq!(slots(&answer.messages), [(0, None)], "unchanged, and said all the same");
    let answer = harness.claim(0, 0, 0, prediction(&[], holds(Dirt, 2)));
    assert_eq!(slots(&answer.messages), [(0, None)], "a click on an empty result too");
    let answer = harness.claim(0, 0, 11, prediction(&[(11, holds(Dirt, 2))], NOTHING));
    assert_eq!(slots(&answer.messages), [], "elsewhere not");
    harness.claim(0, 0, 1, prediction(&[(1, NOTHING)], holds(Dirt, 1)));
    harness.claim(0, 0, 10, prediction(&[(10, holds(Dirt, 1))], NOTHING));
    harness.claim(0, 0, 9, prediction(&[(9, NOTHING)], holds(OakLog, 2)));
    let answer = harness.claim(0, 0, 4, prediction(&[(4, holds(OakLog, 2))], NOTHING));
    assert_eq!(slots(&answer.messages), [(0, Some((OakPlanks, 4)))]);
    // Taking the result: the grid first, then the next result.
    let answer = harness.claim(0, 0, 0, prediction(&[(0, NOTHING)], holds(OakPlanks, 4)));
    assert_eq!(slots(&answer.messages), [(4, Some((OakLog, 1))), (0, Some((OakPlanks, 4)))]);
}

/// The clicks with which mineflayer crafts planks: it puts down one log, takes the expected result, puts it away, and
/// requests everything with the end of a drag that never began.
#[test]
fn mineflayer_makes_planks() {
    let mut harness = informed(WindowKind::Own, &[(36, OakLog, 3)]);
    let source = harness.claim(0, 0, 36, prediction(&[(36, NOTHING)], holds(OakLog, 3)));
    assert_eq!(source.messages, []);
    let laid = harness.claim(0, 1, 1, prediction(&[(1, holds(OakLog, 1))], holds(OakLog, 2)));
    assert_eq!(slots(&laid.messages), [(0, Some((OakPlanks, 4)))]);
    let rest = harness.claim(0, 0, 9, prediction(&[(9, holds(OakLog, 2))], NOTHING));
    assert_eq!(rest.messages, []);
    let taken = harness.claim(0, 0, 0, prediction(&[(0, NOTHING)], holds(OakPlanks, 4)));
    assert_eq!(slots(&taken.messages), [(1, None), (0, None)]);
    let away = harness.claim(0, 0, 10, prediction(&[(10, holds(OakPlanks, 4))], NOTHING));
    assert_eq!(away.messages, []);
    let numbers = RawClick { mode: 5, button: 2, slot: OUTSIDE };
    let request = Request { window: 0, state: u32::MAX, numbers, prediction: prediction(&[], NOTHING) };
    let synced = harness.screen.click(&request, &mut harness.furnaces);
    assert!(is_everything(&synced.messages, 0) && synced.refused.is_none());
    assert_eq!(harness.filled(), [(9, OakLog, 2), (10, OakPlanks, 4)]);
}

#[test]
fn nonsense_is_refused_corrected_and_changes_nothing() {
    let mut harness = informed(WindowKind::Furnace, &[(9, Dirt, 9)]);
    let window = harness.screen.window();
    let before = harness.filled();
    for (mode, button, slot) in [(0, 0, 39), (0, 0, -1), (4, 0, i16::MAX), (0, 1, i16::MIN)] {
        let wild = prediction(&[(usize::MAX, RemoteSlot::Unknown), (9, NOTHING)], holds(Diamond, 64));
        let answer = harness.claim(mode, button, slot, wild);
        assert_eq!(answer.refused, Some(RequestError::Click(InvalidSlot { slot, slots: 39 })));
        assert!(is_everything(&answer.messages, window) && answer.thrown.is_empty());
        assert_eq!((harness.filled(), harness.screen.cursor()), (before.clone(), None));
    }
    let answer = harness.screen.select(9);
    assert_eq!((answer.messages, answer.refused), (vec![Message::Held { slot: 0 }], Some(RequestError::Hotbar(9))));
    assert_eq!(harness.screen.select(8), Answer::default());
}

#[test]
fn a_window_that_is_not_open_cannot_be_clicked() {
    let mut harness = informed(WindowKind::Table, &[(10, Dirt, 9)]);
    let table = harness.screen.window();
    let numbers = RawClick { mode: 0, button: 0, slot: 10 };
    let ask = |window| Request {
        window,
        state: 0,
        numbers,
        prediction: prediction(&[(10, NOTHING), (3, holds(Dirt, 9))], NOTHING),
    };
    for window in [0, 7, -1] {
        let answer = harness.screen.click(&ask(window), &mut harness.furnaces);
        assert_eq!(answer.refused, Some(RequestError::NotOpen { window, open: table }));
        assert!(is_everything(&answer.messages, table));
    }
    assert_eq!(harness.screen.close(table + 1, &harness.furnaces), Answer::default());
    assert_eq!(harness.screen.station(), Some((Station::Table, HERE)));
    // Predictions about its own window are corrected when the other window closes.
    let answer = harness.screen.close(table, &harness.furnaces);
    assert_eq!(slots(&answer.messages), [(3, None)]);
    // A late click in a window that the server has closed needs no further answer.
    harness.screen.open(Station::Table, HERE, &harness.furnaces);
    let table = harness.screen.window();
    harness.screen.close_by_server(&harness.furnaces);
    let answer = harness.screen.click(&ask(table), &mut harness.furnaces);
    assert_eq!((answer.messages, answer.refused), (vec![], Some(RequestError::NotOpen { window: table, open: 0 })));
}

#[test]
fn closing_returns_the_items_of_grid_and_cursor() {
    let mut harness = informed(WindowKind::Table, &[(10, Dirt, 60), (1, Dirt, 9), (5, Coal, 1)]);
    harness.carry(Some(of(IronPickaxe, 1)));
    let table = harness.screen.window();
    let answer = harness.screen.close(table, &harness.furnaces);
    assert_eq!(harness.filled(), [(9, Dirt, 64), (36, IronPickaxe, 1), (37, Dirt, 5), (38, Coal, 1)]);
    assert!(answer.thrown.is_empty());
    assert_eq!(slots(&answer.messages).len(), 4);
    // The stack on the cursor moves to the inventory: one slot and the cursor are sent.
    let mut harness = informed(WindowKind::Table, &[(10, Dirt, 60)]);
    harness.claim(0, 0, 10, prediction(&[(10, NOTHING)], holds(Dirt, 60)));
    let table = harness.screen.window();
    let answer = harness.screen.close(table, &harness.furnaces);
    let (cursor, rest) = answer.messages.split_last().unwrap();
    assert!(matches!(cursor, Message::Cursor { stack: None, .. }));
    assert_eq!(slots(rest), [(36, Some((Dirt, 60)))]);
    // With an empty cursor and grid there is no message.
    let mut harness = informed(WindowKind::Table, &[(10, Dirt, 60)]);
    harness.claim(0, 0, 10, prediction(&[(10, NOTHING)], holds(Dirt, 60)));
    harness.claim(0, 0, 45, prediction(&[(45, holds(Dirt, 60))], NOTHING));
    let table = harness.screen.window();
    assert_eq!(harness.screen.close(table, &harness.furnaces), Answer::default());
    // Items without room in the inventory are dropped.
    let mut full: Vec<_> = (9..45).map(|slot| (slot, Sand, 64)).collect();
    full.push((2, Dirt, 3));
    let mut harness = informed(WindowKind::Own, &full);
    harness.carry(Some(of(Coal, 2)));
    assert_eq!(harness.screen.close(0, &harness.furnaces).thrown, [of(Coal, 2), of(Dirt, 3)]);
}

#[test]
fn a_table_broken_under_a_player_closes_and_gives_back() {
    let mut harness = informed(WindowKind::Table, &[(1, OakPlanks, 1), (2, OakPlanks, 1)]);
    let table = harness.screen.window();
    let answer = harness.screen.close_by_server(&harness.furnaces);
    assert_eq!(answer.messages[0], Message::Close { window: table });
    assert!(is_everything(&answer.messages[1..], 0));
    assert_eq!(harness.filled(), [(36, OakPlanks, 2)]);
    assert_eq!(harness.screen.close_by_server(&harness.furnaces), Answer::default());
}

#[test]
fn windows_are_numbered_from_1_to_100_and_opening_closes_what_was_open() {
    let mut harness = WindowHarness::default();
    harness.put(1, of(Dirt, 1));
    harness.carry(Some(of(Dirt, 1)));
    for number in 1..=205 {
        let answer = harness.screen.open(Station::Table, HERE, &harness.furnaces);
        let window = (number - 1) % 100 + 1;
        assert_eq!(harness.screen.window(), window);
        let opened = answer.messages.iter().position(|message| matches!(message, Message::Open { .. })).unwrap();
        assert_eq!(answer.messages[opened], Message::Open { window, kind: WindowKind::Table });
        assert!(is_everything(&answer.messages[opened + 1..], window));
        assert_eq!(number > 1, matches!(answer.messages[0], Message::Close { .. }));
    }
    assert_eq!(harness.filled(), [(37, Dirt, 2)]);
}

#[test]
fn picked_up_items_show_in_the_open_window() {
    let mut harness = informed(WindowKind::Furnace, &[]);
    harness.screen.inventory_mut().add(of(Dirt, 3));
    let window = harness.screen.window();
    let messages = harness.screen.tick(&harness.furnaces);
    let [Message::Slot { window: told, slot: 30, stack, .. }] = messages[..] else { panic!("{messages:?}") };
    assert_eq!((told, stack), (window, Some(of(Dirt, 3))));
    assert_eq!(harness.screen.close(window, &harness.furnaces), Answer::default());
    harness.screen.inventory_mut().add(of(Dirt, 1));
    assert_eq!(slots(&harness.screen.tick(&harness.furnaces)), [(36, Some((Dirt, 4)))]);
    assert_eq!(harness.screen.tick(&harness.furnaces), []);
}

/// The properties sent for a furnace's window, in order.
fn properties(messages: &[Message]) -> Vec<(usize, u32)> {
    let number = |message: &Message| match message {
        Message::Property { property, value, .. } => Some((*property, *value)),
        _ => None,
    };
    messages.iter().filter_map(number).collect()
}

#[test]
fn a_furnace_tells_its_totals_before_its_shares_and_twice_at_first() {
    let mut harness = WindowHarness::default();
    let answer = harness.screen.open(Station::Furnace, HERE, &harness.furnaces);
    let cold = [(1, 0), (3, 200), (0, 0), (2, 0)];
    assert_eq!(properties(&answer.messages), cold);
    assert_eq!(harness.screen.tick(&harness.furnaces), []);
    assert_eq!(properties(&harness.screen.tick(&harness.furnaces)), cold);
    assert_eq!(harness.screen.tick(&harness.furnaces), []);
    harness.put(INPUT, of(RawIron, 1));
    harness.put(FUEL, of(Coal, 1));
    harness.screen.tell_all(&harness.furnaces);
    one_tick(&mut harness.furnaces);
    let lit = harness.screen.tick(&harness.furnaces);
    assert_eq!(slots(&lit[..1]), [(FUEL, None)]);
    assert_eq!(properties(&lit), [(1, 1600), (0, 1600), (2, 1)]);
    one_tick(&mut harness.furnaces);
    assert_eq!(properties(&harness.screen.tick(&harness.furnaces)), [(0, 1599), (2, 2)]);
    (2..200).for_each(|_| drop(one_tick(&mut harness.furnaces)));
    let done = harness.screen.tick(&harness.furnaces);
    assert_eq!(slots(&done[..2]), [(2, Some((IronIngot, 1))), (0, None)]);
    assert_eq!(properties(&done), [(0, 1401), (2, 0)]);
}

#[test]
fn two_players_share_a_furnace() {
    let mut one = informed(WindowKind::Furnace, &[(30, RawIron, 3)]);
    let mut two = Screen::default();
    two.open(Station::Furnace, HERE, &one.furnaces);
    one.click(0, 0, 30);
    one.click(0, 0, 0);
    assert_eq!(slots(&two.tick(&one.furnaces)), [(INPUT, Some((RawIron, 3)))]);
    let numbers = RawClick { mode: 0, button: 0, slot: 0 };
    let taking = prediction(&[(0, NOTHING)], holds(RawIron, 3));
    two.click(&Request { window: two.window(), state: two.state(), numbers, prediction: taking }, &mut one.furnaces);
    assert_eq!(two.cursor(), Some(of(RawIron, 3)));
    one.click(0, 0, 0);
    assert_eq!(one.screen.cursor(), None, "what one has taken the other cannot");
}

#[test]
fn the_dead_give_up_everything() {
    let mut harness = informed(WindowKind::Table, &[(1, Dirt, 1), (12, Coal, 2)]);
    harness.carry(Some(of(Sand, 3)));
    let mut lost = harness.screen.give_up(&harness.furnaces).thrown;
    lost.sort_by_key(|stack| stack.count);
    assert_eq!(lost, [of(Dirt, 1), of(Coal, 2), of(Sand, 3)]);
    assert_eq!((harness.filled(), harness.screen.station()), (vec![], None));
}
