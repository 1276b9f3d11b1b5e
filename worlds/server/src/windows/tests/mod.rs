//! A player, the windows and the furnaces, with a client that predicts nothing.

mod clicks;
mod invariants;
mod model;
mod sync;

use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;

use super::click::RawClick;
use super::furnace::{Furnaces, one_tick};
use super::layout::WindowKind;
use super::message::Answer;
use super::remote_slots::{Prediction, RemoteSlot};
use super::screen::{Request, Screen, Station};
use super::stack::{Slot, Stack};

const HERE: BlockPos = BlockPos { x: 3, y: 64, z: -7 };

/// A stack of new items.
fn of(item: Item, count: u32) -> Stack {
    Stack { item, count, wear: 0 }
}

/// A player's windows and furnaces, and the stacks it has thrown.
#[derive(Default)]
struct WindowHarness {
    screen: Screen,
    furnaces: Furnaces,
    thrown: Vec<Stack>,
}

impl WindowHarness {
    fn at(kind: WindowKind) -> Self {
        let mut harness = Self::default();
        match kind {
            WindowKind::Own => {}
            WindowKind::Table => drop(harness.screen.open(Station::Table, HERE, &harness.furnaces)),
            WindowKind::Furnace => drop(harness.screen.open(Station::Furnace, HERE, &harness.furnaces)),
        }
        harness
    }

    fn put(&mut self, slot: usize, stack: Stack) {
        let mut nowhere = Vec::new();
        self.screen.reach(&mut self.furnaces, &mut nowhere).set(slot, Some(stack));
    }

    fn carry(&mut self, stack: Slot) {
        let mut nowhere = Vec::new();
        *self.screen.reach(&mut self.furnaces, &mut nowhere).cursor = stack;
    }

    /// A click from a client that is up to date and predicts no change.
    fn click(&mut self, mode: u8, button: u8, slot: i16) -> Answer {
        let prediction = Prediction { slots: Vec::new(), cursor: RemoteSlot::Holds(self.screen.cursor()) };
        self.claim(mode, button, slot, prediction)
    }

    fn claim(&mut self, mode: u8, button: u8, slot: i16, prediction: Prediction) -> Answer {
        let numbers = RawClick { mode, button, slot };
        let request = Request { window: self.screen.window(), state: self.screen.state(), numbers, prediction };
        let answer = self.screen.click(&request, &mut self.furnaces);
        self.thrown.extend(&answer.thrown);
        answer
    }

    fn slots(&self) -> Vec<Slot> {
        self.screen.slots(&self.furnaces)
    }

    /// The non-empty slots.
    fn filled(&self) -> Vec<(usize, Item, u32)> {
        let slots = self.slots().into_iter().enumerate();
        slots.filter_map(|(slot, stack)| stack.map(|stack| (slot, stack.item, stack.count))).collect()
    }
}
