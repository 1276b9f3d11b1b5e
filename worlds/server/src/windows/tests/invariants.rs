//! Invariants under any client: items are conserved, no stack is too large, and after every answer the client displays
//! the true contents.

use std::collections::BTreeMap;

use ltlcrit_minecraft::items::{ITEMS, Tag};
use ltlcrit_minecraft::recipes::{Ingredient, RECIPES};
use proptest::prelude::*;

use super::super::crafting::CraftingGrid;
use super::super::message::Message;
use super::*;

/// The material of an item and its amount, which recipes and furnaces conserve.
fn stuff(item: Item) -> (&'static str, u32) {
    match item {
        Item::Stick => ("wood", 1),
        _ if Tag::Planks.contains(item) => ("wood", 2),
        _ if Tag::Logs.contains(item) => ("wood", 8),
        Item::CraftingTable | Item::WoodenPickaxe => ("wood", 8),
        Item::Charcoal => ("wood", 8),
        _ if Tag::StoneMaterials.contains(item) => ("stone", 1),
        Item::Furnace => ("stone", 8),
        // Without its two sticks, which are counted separately.
        Item::StonePickaxe => ("stone", 3),
        Item::RawIron | Item::IronOre | Item::DeepslateIronOre | Item::IronIngot => ("iron", 1),
        Item::IronPickaxe => ("iron", 3),
        _ => (item.name(), 1),
    }
}

fn total(stacks: impl Iterator<Item = Stack>) -> BTreeMap<&'static str, u32> {
    let mut total = BTreeMap::new();
    for stack in stacks {
        let (kind, each) = stuff(stack.item);
        *total.entry(kind).or_insert(0) += each * stack.count;
        if matches!(stack.item, Item::StonePickaxe | Item::IronPickaxe) {
            *total.entry("wood").or_insert(0) += 2 * stack.count;
        }
    }
    total
}

#[test]
fn recipes_keep_the_stuff() {
    for recipe in RECIPES {
        let mut used = Vec::new();
        for (ingredient, count) in recipe.ingredients() {
            let item = match ingredient {
                Ingredient::Exactly(item) => item,
                Ingredient::Any(tag) => tag.items()[0],
            };
            used.push(of(item, count));
        }
        assert_eq!(total(used.into_iter()), total([of(recipe.result, recipe.count)].into_iter()));
    }
    for tag in [Tag::Logs, Tag::Planks, Tag::StoneMaterials, Tag::IronOres] {
        assert!(tag.items().iter().all(|item| stuff(*item) == stuff(tag.items()[0])));
    }
}

/// An event in a player's windows.
#[derive(Clone, Debug)]
enum Event {
    Click { mode: u8, button: u8, slot: i16, guess: PredictionKind, late: bool },
    Open(Station),
    Close,
    CloseByServer,
    Tick,
    Ticks(u32),
    PickUp(Stack),
    Elsewhere(i32),
}

/// The kind of prediction that a client sends with its click.
#[derive(Clone, Copy, Debug)]
enum PredictionKind {
    Nothing,
    Right,
    Wrong,
}

fn item() -> impl Strategy<Value = Item> {
    // Mostly items of recipes and furnaces.
    prop_oneof![
        3 => prop::sample::select(vec![Item::OakLog, Item::OakPlanks, Item::BirchPlanks, Item::Stick, Item::Coal]),
        2 => prop::sample::select(vec![Item::Cobblestone, Item::CobbledDeepslate, Item::RawIron, Item::IronIngot]),
        1 => prop::sample::select(ITEMS.to_vec()),
    ]
}

fn stack() -> impl Strategy<Value = Stack> {
    (item(), 1u32..=64, 0u32..40).prop_map(|(item, count, wear)| Stack {
        item,
        count: count.min(item.stack_size()),
        wear: if item.durability() > 0 { wear } else { 0 },
    })
}

fn click() -> impl Strategy<Value = Event> {
    let numbers = prop_oneof![
        6 => (prop::sample::select(vec![0u8, 0, 0, 1, 4, 6]), 0u8..2, 0i16..46),
        // The grid and the result slots.
        6 => (prop::sample::select(vec![0u8, 0, 0, 1, 4]), 0u8..2, 0i16..10),
        2 => (Just(2u8), prop::sample::select(vec![0u8, 1, 8, 40]), 0i16..46),
        1 => (0u8..2, 0u8..2, Just(-999i16)),
        1 => (any::<u8>(), any::<u8>(), any::<i16>()),
        1 => (0u8..7, 0u8..11, -2i16..50),
    ];
    let guess = prop::sample::select(vec![
        PredictionKind::Nothing,
        PredictionKind::Right,
        PredictionKind::Right,
        PredictionKind::Wrong,
    ]);
    (numbers, guess, prop::bool::weighted(0.1)).prop_map(|((mode, button, slot), guess, late)| Event::Click {
        mode,
        button,
        slot,
        guess,
        late,
    })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        60 => click(),
        2 => prop::sample::select(vec![Station::Table, Station::Table, Station::Furnace]).prop_map(Event::Open),
        1 => Just(Event::Close),
        1 => Just(Event::CloseByServer),
        3 => Just(Event::Tick),
        1 => (1u32..400).prop_map(Event::Ticks),
        1 => stack().prop_map(Event::PickUp),
        1 => (-2i32..5).prop_map(Event::Elsewhere),
    ]
}

/// A client with the state that azalea and mineflayer store.
struct Client {
    window: i32,
    own: Vec<Slot>,
    other: Vec<Slot>,
    cursor: Slot,
    state: u32,
}

impl Client {
    fn new() -> Self {
        Self { window: 0, own: vec![None; 46], other: Vec::new(), cursor: None, state: 0 }
    }

    fn slots(&mut self) -> &mut Vec<Slot> {
        if self.window == 0 { &mut self.own } else { &mut self.other }
    }

    /// Returns to its own window, with the inventory displayed in the other one.
    fn close(&mut self) {
        if self.window != 0 {
            let start = self.other.len() - 36;
            self.own[9..45].clone_from_slice(&self.other[start..]);
            self.window = 0;
        }
    }

    fn hear(&mut self, messages: &[Message]) {
        for message in messages {
            match message {
                Message::Open { window, kind } => {
                    self.close();
                    (self.window, self.other) = (*window, vec![None; kind.slots()]);
                }
                Message::Close { .. } => self.close(),
                Message::Content { window, state, slots, cursor } => {
                    self.state = *state;
                    if *window == self.window {
                        assert_eq!(slots.len(), self.slots().len());
                        self.slots().clone_from(slots);
                        self.cursor = *cursor;
                    }
                }
                Message::Slot { window, state, slot, stack } => {
                    self.state = *state;
                    if *window == self.window {
                        self.slots()[*slot] = *stack;
                    }
                }
                Message::Cursor { stack, .. } => self.cursor = *stack,
                Message::Property { window, .. } => assert_eq!(*window, self.window),
                Message::Held { .. } => {}
            }
        }
    }
}

struct Scenario {
    harness: WindowHarness,
    client: Client,
    /// The items added from outside.
    given: Vec<Stack>,
}

impl Scenario {
    fn begin(stacks: Vec<Stack>) -> Self {
        let mut harness = WindowHarness::default();
        let mut client = Client::new();
        let mut given = Vec::new();
        for (slot, stack) in (9..45).zip(stacks) {
            harness.put(slot, stack);
            given.push(stack);
        }
        client.hear(&harness.screen.tell_all(&harness.furnaces));
        Self { harness, client, given }
    }

    fn hear(&mut self, answer: Answer) {
        self.harness.thrown.extend(answer.thrown);
        self.client.hear(&answer.messages);
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Click { mode, button, slot, guess, late } => self.click(*mode, *button, *slot, *guess, *late),
            Event::Open(station) => {
                let answer = self.harness.screen.open(*station, HERE, &self.harness.furnaces);
                self.hear(answer);
            }
            Event::Close => {
                let window = self.client.window;
                self.client.close();
                // The client clears its cursor, as clients do when they close a screen.
                let answer = self.harness.screen.close(window, &self.harness.furnaces);
                self.hear(answer);
            }
            Event::CloseByServer => {
                let answer = self.harness.screen.close_by_server(&self.harness.furnaces);
                self.hear(answer);
            }
            Event::Tick => {
                let messages = self.harness.screen.tick(&self.harness.furnaces);
                self.client.hear(&messages);
            }
            Event::Ticks(ticks) => {
                (0..*ticks).for_each(|_| drop(one_tick(&mut self.harness.furnaces)));
                let messages = self.harness.screen.tick(&self.harness.furnaces);
                self.client.hear(&messages);
            }
            Event::PickUp(stack) => {
                self.given.push(*stack);
                let left = self.harness.screen.inventory_mut().add(*stack);
                self.harness.thrown.extend(left);
                let messages = self.harness.screen.tick(&self.harness.furnaces);
                self.client.hear(&messages);
            }
            Event::Elsewhere(window) => {
                let numbers = RawClick { mode: 0, button: 0, slot: 10 };
                let prediction = Prediction { slots: vec![(10, RemoteSlot::Unknown)], cursor: RemoteSlot::Holds(None) };
                let request = Request { window: *window, state: 0, numbers, prediction };
                if *window != self.harness.screen.window() {
                    let before = (self.harness.slots(), self.harness.screen.cursor());
                    let answer = self.harness.screen.click(&request, &mut self.harness.furnaces);
                    assert!(answer.refused.is_some() && answer.thrown.is_empty());
                    assert_eq!((self.harness.slots(), self.harness.screen.cursor()), before);
                    self.hear(answer);
                }
            }
        }
    }

    fn click(&mut self, mode: u8, button: u8, slot: i16, guess: PredictionKind, late: bool) {
        let window = self.harness.screen.window();
        assert_eq!(window, self.client.window);
        let numbers = RawClick { mode, button, slot };
        // Computes the outcome on a copy.
        let mut screen = self.harness.screen.clone();
        let mut furnaces = self.harness.furnaces.clone();
        let nothing = Prediction { slots: Vec::new(), cursor: RemoteSlot::Holds(self.client.cursor) };
        let request = Request { window, state: self.client.state, numbers, prediction: nothing.clone() };
        screen.click(&request, &mut furnaces);
        let before = self.harness.slots();
        let mut prediction = match guess {
            PredictionKind::Nothing => nothing,
            PredictionKind::Right | PredictionKind::Wrong => Prediction {
                slots: screen
                    .slots(&furnaces)
                    .into_iter()
                    .enumerate()
                    .filter(|(slot, stack)| before[*slot] != *stack)
                    .map(|(slot, stack)| (slot, RemoteSlot::Holds(stack)))
                    .collect(),
                cursor: RemoteSlot::Holds(screen.cursor()),
            },
        };
        if let PredictionKind::Wrong = guess {
            prediction.slots = vec![
                (7, RemoteSlot::Holds(Some(of(Item::Diamond, 64)))),
                (11, RemoteSlot::Unknown),
                (999, RemoteSlot::Unknown),
            ];
            prediction.cursor = RemoteSlot::Holds(Some(of(Item::Diamond, 1)));
        }
        // The client applies its prediction before the answer.
        for (slot, belief) in &prediction.slots {
            let guessed = match belief {
                RemoteSlot::Holds(stack) => *stack,
                RemoteSlot::Unknown => Some(of(Item::Gravel, 1)),
            };
            if let Some(place) = self.client.slots().get_mut(*slot) {
                *place = guessed;
            }
        }
        if let RemoteSlot::Holds(stack) = prediction.cursor {
            self.client.cursor = stack;
        }
        let state = if late { self.client.state.wrapping_sub(1) } else { self.client.state };
        let request = Request { window, state, numbers, prediction };
        let answer = self.harness.screen.click(&request, &mut self.harness.furnaces);
        self.hear(answer);
    }

    /// All stacks, in all places.
    fn everything(&mut self) -> Vec<Stack> {
        let WindowHarness { screen, furnaces, thrown } = &mut self.harness;
        let mut all = thrown.clone();
        all.extend(screen.clone().give_up(furnaces).thrown);
        all.extend(furnaces.get(&HERE).cloned().into_iter().flat_map(|mut furnace| furnace.drain()));
        all
    }

    fn check(&mut self) {
        let slots = self.harness.slots();
        let cursor = self.harness.screen.cursor();
        for stack in slots.iter().flatten().chain(&cursor).chain(&self.harness.thrown) {
            assert!((1..=stack.item.stack_size()).contains(&stack.count), "{stack:?}");
        }
        assert_eq!(self.client.window, self.harness.screen.window());
        assert_eq!(self.client.slots(), &slots);
        assert_eq!(self.client.cursor, cursor);
        assert_eq!(self.client.state, self.harness.screen.state());
        match self.harness.screen.kind() {
            WindowKind::Own => assert_eq!(slots[0], made_of(&slots[1..5], 2)),
            WindowKind::Table => assert_eq!(slots[0], made_of(&slots[1..10], 3)),
            WindowKind::Furnace => {}
        }
    }
}

/// The result of a grid, computed by trying every recipe at every offset.
fn made_of(cells: &[Slot], side: usize) -> Slot {
    let fits = |pattern: &[&str], key: &[(char, Ingredient)], top: usize, left: usize, mirrored: bool| {
        cells.iter().enumerate().all(|(cell, stack)| {
            let symbol = (cell / side).checked_sub(top).and_then(|row| {
                let row = pattern.get(row)?;
                let column = (cell % side).checked_sub(left).filter(|column| *column < row.len())?;
                row.chars().nth(if mirrored { row.len() - 1 - column } else { column })
            });
            match symbol {
                None | Some(' ') => stack.is_none(),
                Some(symbol) => {
                    let ingredient = key.iter().find(|(key, _)| *key == symbol).unwrap().1;
                    stack.is_some_and(|stack| ingredient.accepts(stack.item))
                }
            }
        })
    };
    for recipe in RECIPES {
        let (height, width) = (recipe.pattern.len(), recipe.pattern[0].len());
        for top in 0..(side + 1).saturating_sub(height) {
            for left in 0..(side + 1).saturating_sub(width) {
                if [false, true].into_iter().any(|mirrored| fits(recipe.pattern, recipe.key, top, left, mirrored)) {
                    return Some(of(recipe.result, recipe.count));
                }
            }
        }
    }
    None
}

fn worn(stacks: &[Stack]) -> Vec<(Item, u32)> {
    let mut worn: Vec<_> = stacks.iter().filter(|stack| stack.wear > 0).map(|stack| (stack.item, stack.wear)).collect();
    worn.sort();
    worn
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// About 30,000 events, mostly clicks, many of them invalid.
    #[test]
    fn nothing_is_made_or_lost_and_the_client_always_knows(
        stacks in prop::collection::vec(stack(), 0..36),
        events in prop::collection::vec(event(), 1..150),
    ) {
        let mut scenario = Scenario::begin(stacks);
        let mut burnt_before = 0;
        for event in &events {
            scenario.happen(event);
            scenario.check();
            let (given, all) = (scenario.given.clone(), scenario.everything());
            let (mut before, mut now) = (total(given.iter().copied()), total(all.iter().copied()));
            // Furnaces use up wood and coal, and only while time passes.
            let fuels = |total: &mut BTreeMap<&'static str, u32>| {
                [total.remove("wood").unwrap_or(0), total.remove("coal").unwrap_or(0)]
            };
            let (had, has) = (fuels(&mut before), fuels(&mut now));
            prop_assert!(has[0] <= had[0] && has[1] <= had[1]);
            let burnt = had[0] + had[1] - has[0] - has[1];
            if let Event::Ticks(_) = event {
                prop_assert!(burnt >= burnt_before);
                burnt_before = burnt;
            }
            prop_assert_eq!(burnt, burnt_before, "{:?}", event);
            prop_assert_eq!(&before, &now);
            // The worn pickaxes stay the same, unless they are burnt.
            let keep = |stacks: &[Stack]| {
                let mut worn = worn(stacks);
                worn.retain(|(item, _)| *item != Item::WoodenPickaxe);
                worn
            };
            prop_assert_eq!(keep(&given), keep(&all));
        }
        // After closing, the cursor and the grids are empty.
        let all = total(scenario.everything().into_iter());
        let left = scenario.harness.screen.put_away();
        scenario.harness.thrown.extend(left);
        let slots = scenario.harness.slots();
        prop_assert!(slots[0..9].iter().all(Option::is_none) && scenario.harness.screen.cursor().is_none());
        prop_assert_eq!(total(scenario.everything().into_iter()), all);
    }

    /// The result follows from the grid, for any contents.
    #[test]
    fn grids_make_what_the_recipes_laid_everywhere_make(
        cells in prop::collection::vec(prop::option::of(prop::sample::select(vec![
            Item::OakPlanks, Item::OakPlanks, Item::Stick, Item::Cobblestone, Item::OakLog,
        ])), 9),
        shape in 0usize..6,
    ) {
        // Random cells seldom form a recipe, so most are masked with the shape of one.
        let shape = ["xxxxxxxxx", "xxx.x..x.", "xxxx.xxxx", "x..x.....", ".xx.xx...", ".....x..x"][shape];
        let mut grid = CraftingGrid::table();
        let cells: Vec<Slot> = cells.into_iter().zip(shape.chars()).map(|(item, keep)| {
            item.filter(|_| keep == 'x').map(|item| of(item, 1))
        }).collect();
        for (cell, stack) in cells.iter().enumerate() {
            grid.set(cell, *stack);
        }
        prop_assert_eq!(grid.result(), made_of(&cells, 3));
    }
}
