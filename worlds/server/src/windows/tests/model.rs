//! Left and right clicks against an independent model, in which slots are heaps of single items moved one at a time.

use proptest::prelude::*;

use super::*;

type Heap = Vec<(Item, u32)>;

const ITEMS: [Item; 4] = [Item::Dirt, Item::Sand, Item::Coal, Item::StonePickaxe];

fn heap(stack: Slot) -> Heap {
    stack.map(|stack| vec![(stack.item, stack.wear); stack.count as usize]).unwrap_or_default()
}

fn click(slot: &mut Heap, cursor: &mut Heap, right: bool) {
    if cursor.is_empty() {
        let left = if right { slot.len() / 2 } else { 0 };
        *cursor = slot.split_off(left);
    } else if slot.first().is_none_or(|there| *there == cursor[0]) {
        let size = cursor[0].0.stack_size() as usize;
        for _ in 0..if right { 1 } else { cursor.len() } {
            if slot.len() < size {
                slot.extend(cursor.pop());
            }
        }
    } else {
        std::mem::swap(slot, cursor);
    }
}

fn stack() -> impl Strategy<Value = Slot> {
    let full = (0..ITEMS.len(), 1u32..=64, 0u32..3).prop_map(|(item, count, wear)| {
        let item = ITEMS[item];
        let wear = if item.durability() > 0 { wear } else { 0 };
        Some(Stack { item, count: count.min(item.stack_size()), wear })
    });
    prop_oneof![Just(None), full]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clicks_move_the_items_the_model_moves(
        stacks in proptest::collection::vec(stack(), 40),
        clicks in proptest::collection::vec((0usize..40, any::<bool>()), 1..80),
    ) {
        // The grid and the inventory, without result and armour.
        let places: Vec<usize> = (1..=4).chain(9..45).collect();
        let mut harness = WindowHarness::at(WindowKind::Own);
        for (place, stack) in places.iter().zip(&stacks) {
            stack.iter().for_each(|stack| harness.put(*place, *stack));
        }
        let mut heaps: Vec<Heap> = stacks.into_iter().map(heap).collect();
        let mut cursor = Heap::new();
        for (at, right) in clicks {
            click(&mut heaps[at], &mut cursor, right);
            harness.click(0, right.into(), places[at] as i16);
            let slots = harness.slots();
            let now: Vec<Heap> = places.iter().map(|place| heap(slots[*place])).collect();
            prop_assert_eq!(&now, &heaps);
            prop_assert_eq!(heap(harness.screen.cursor()), cursor.clone());
        }
    }
}
