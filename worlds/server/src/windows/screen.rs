//! One player's windows: inventory, cursor, crafting grids, the open window, and the slots that the client displays.
//! Requests arrive as the protocol's numbers; messages to the client are returned.

use ltlcrit_minecraft::observation::BlockPos;

use super::click::RawClick;
use super::crafting::CraftingGrid;
use super::furnace::Furnaces;
use super::inventory::PlayerInventory;
use super::layout::{SlotRole, WindowKind};
use super::message::{Answer, Message, RequestError};
use super::operations::{WindowAccess, look};
use super::remote_slots::{Prediction, RemoteSlot};
use super::stack::{Slot, Stack};

/// The id of the player's own window.
pub const OWN: i32 = 0;
/// The maximum id of another window; ids start over at 1 after it.
const LAST_WINDOW: i32 = 100;
/// The number at which state ids start over at 0.
const STATES: u32 = 1 << 15;
/// The order in which a furnace's properties are sent: mineflayer needs the total of each pair before its progress.
const PROPERTY_ORDER: [usize; 4] = [1, 3, 0, 2];
/// Ticks after opening at which a furnace's properties are sent again: mineflayer ignores those that arrive together
/// with the window.
const RESEND: u32 = 2;

/// A block whose window can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Station {
    /// A crafting table.
    Table,
    /// A furnace.
    Furnace,
}

impl Station {
    /// The kind of its window.
    pub fn kind(self) -> WindowKind {
        match self {
            Self::Table => WindowKind::Table,
            Self::Furnace => WindowKind::Furnace,
        }
    }
}

/// A window other than the player's own.
#[derive(Clone, Debug)]
struct Opened {
    window: i32,
    station: Station,
    pos: BlockPos,
    /// The table's grid; empty in a furnace's window.
    grid: CraftingGrid,
    /// The slots that the client displays.
    remote: Vec<RemoteSlot>,
    /// The furnace properties that the client was last sent.
    sent: Option<[u32; 4]>,
    ticks: u32,
}

/// A click as sent by the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The clicked window.
    pub window: i32,
    /// The state of the client at the click.
    pub state: u32,
    /// The click, in the protocol's numbers.
    pub numbers: RawClick,
    /// The changes that the client predicts. Never trusted, only compared with the actual changes.
    pub prediction: Prediction,
}

/// One player's windows.
#[derive(Clone, Debug)]
pub struct Screen {
    inventory: PlayerInventory,
    cursor: Slot,
    /// The 2x2 grid.
    grid: CraftingGrid,
    opened: Option<Opened>,
    /// The slots that the client displays in the player's own window.
    remote: Vec<RemoteSlot>,
    remote_cursor: RemoteSlot,
    state: u32,
    last_window: i32,
}

impl Default for Screen {
    fn default() -> Self {
        Self::new(PlayerInventory::default())
    }
}

impl Screen {
    /// The windows of a player with this inventory, without an open window and with an empty cursor. [`Self::tell_all`]
    /// sends them to the client.
    pub fn new(inventory: PlayerInventory) -> Self {
        Self {
            inventory,
            cursor: None,
            grid: CraftingGrid::carried(),
            opened: None,
            remote: vec![RemoteSlot::Holds(None); WindowKind::Own.slots()],
            remote_cursor: RemoteSlot::Holds(None),
            state: 0,
            last_window: OWN,
        }
    }

    /// The inventory, without the cursor and the crafting grids.
    pub fn inventory(&self) -> &PlayerInventory {
        &self.inventory
    }

    /// The inventory, mutably. The next [`Self::tick`] sends the changes to the client.
    pub(crate) fn inventory_mut(&mut self) -> &mut PlayerInventory {
        &mut self.inventory
    }

    /// The stack on the cursor.
    #[cfg(test)]
    pub fn cursor(&self) -> Slot {
        self.cursor
    }

    /// The id of the open window; [`OWN`] for the player's own.
    pub fn window(&self) -> i32 {
        self.opened.as_ref().map_or(OWN, |opened| opened.window)
    }

    /// The state id that the client has after all messages so far.
    #[cfg(test)]
    pub fn state(&self) -> u32 {
        self.state
    }

    /// The block whose window is open.
    pub fn station(&self) -> Option<(Station, BlockPos)> {
        self.opened.as_ref().map(|opened| (opened.station, opened.pos))
    }

    /// The kind of the open window.
    pub fn kind(&self) -> WindowKind {
        self.opened.as_ref().map_or(WindowKind::Own, |opened| opened.station.kind())
    }

    /// The contents of the open window's slots.
    pub fn slots(&self, furnaces: &Furnaces) -> Vec<Slot> {
        let kind = self.kind();
        let (grid, furnace) = match &self.opened {
            Some(opened) => (&opened.grid, furnaces.get(&opened.pos)),
            None => (&self.grid, None),
        };
        (0..kind.slots()).map(|slot| look(kind, slot, &self.inventory, grid, furnace)).collect()
    }

    /// Messages with the full contents of the open window and the cursor, regardless of the client's display.
    pub(crate) fn tell_all(&mut self, furnaces: &Furnaces) -> Vec<Message> {
        let slots = self.slots(furnaces);
        *self.remote_mut() = slots.iter().copied().map(RemoteSlot::Holds).collect();
        self.remote_cursor = RemoteSlot::Holds(self.cursor);
        let (window, state, cursor) = (self.window(), self.next_state(), self.cursor);
        // Some clients ignore the cursor that comes with the content.
        vec![Message::Content { window, state, slots, cursor }, Message::Cursor { state, stack: cursor }]
    }

    /// Messages with the slots of the open window that the client displays incorrectly. With `result_too`, they always
    /// include the crafting result.
    fn tell_differences(&mut self, furnaces: &Furnaces, result_too: bool) -> Vec<Message> {
        if self.remote_cursor == RemoteSlot::Holds(self.cursor) {
            self.tell_slots(furnaces, result_too)
        } else {
            // Some clients correct their cursor only with the whole content.
            self.tell_all(furnaces)
        }
    }

    fn tell_slots(&mut self, furnaces: &Furnaces, result_too: bool) -> Vec<Message> {
        let (window, kind, actual) = (self.window(), self.kind(), self.slots(furnaces));
        let mut messages = Vec::new();
        // The result comes last, because clients wait for it.
        for (slot, stack) in actual.iter().enumerate().skip(1).chain(actual.iter().enumerate().take(1)) {
            let asked = result_too && kind.role(slot) == Some(SlotRole::Result);
            let Some(remote) = self.remote_mut().get_mut(slot) else { continue };
            if std::mem::replace(remote, RemoteSlot::Holds(*stack)) != RemoteSlot::Holds(*stack) || asked {
                messages.push(Message::Slot { window, state: self.next_state(), slot, stack: *stack });
            }
        }
        messages
    }

    fn remote_mut(&mut self) -> &mut Vec<RemoteSlot> {
        self.opened.as_mut().map_or(&mut self.remote, |opened| &mut opened.remote)
    }

    fn next_state(&mut self) -> u32 {
        self.state = (self.state + 1) % STATES;
        self.state
    }

    /// Handles a click. The client's prediction only decides the answer: the differences, or everything if its state
    /// was out of date. An invalid click changes nothing and is answered with everything.
    pub fn click(&mut self, request: &Request, furnaces: &mut Furnaces) -> Answer {
        let Request { window, state, numbers, prediction } = request;
        if *window != self.window() {
            return self.click_elsewhere(*window, prediction, furnaces);
        }
        let stale = *state != self.state;
        let kind = self.kind();
        let click = match numbers.click(kind.slots()) {
            Ok(click) => click,
            Err(reason) => {
                return Answer { refused: Some(reason.into()), messages: self.tell_all(furnaces), ..Answer::default() };
            }
        };
        let mut thrown = Vec::new();
        let mut reach = self.reach(furnaces, &mut thrown);
        let before = reach.grid.clone();
        reach.click(click);
        let is_crafting = |slot| matches!(kind.role(slot), Some(SlotRole::Result | SlotRole::Cell(_)));
        let result_too = *reach.grid != before || click.slot().is_some_and(is_crafting);
        prediction.apply(self.remote_mut());
        self.remote_cursor = prediction.cursor;
        let messages = if stale { self.tell_all(furnaces) } else { self.tell_differences(furnaces, result_too) };
        Answer { messages, thrown, refused: None }
    }

    /// Handles a click in a window that is not open. It changes nothing.
    fn click_elsewhere(&mut self, window: i32, prediction: &Prediction, furnaces: &Furnaces) -> Answer {
        let open = self.window();
        if window == OWN {
            // This is corrected when the other window closes; until then, the client ignores messages about its own.
            prediction.apply(&mut self.remote);
        }
        // A window that the server has just closed was answered by closing it.
        let answered = open == OWN && window == self.last_window;
        let messages = if answered { Vec::new() } else { self.tell_all(furnaces) };
        Answer { messages, refused: Some(RequestError::NotOpen { window, open }), ..Answer::default() }
    }

    pub(super) fn reach<'a>(&'a mut self, furnaces: &'a mut Furnaces, thrown: &'a mut Vec<Stack>) -> WindowAccess<'a> {
        let kind = self.kind();
        let Self { inventory, cursor, grid, opened, .. } = self;
        let (grid, furnace) = match opened {
            Some(Opened { station: Station::Furnace, grid, pos, .. }) => {
                (grid, Some(furnaces.entry(*pos).or_default()))
            }
            Some(Opened { station: Station::Table, grid, .. }) => (grid, None),
            None => (grid, None),
        };
        WindowAccess { kind, inventory, cursor, grid, furnace, thrown }
    }

    /// Opens the window of a block, after closing the open one.
    pub fn open(&mut self, station: Station, pos: BlockPos, furnaces: &Furnaces) -> Answer {
        let mut answer = match self.opened {
            Some(_) => self.close_by_server(furnaces),
            None => Answer { thrown: self.put_back(), ..Answer::default() },
        };
        self.last_window = self.last_window % LAST_WINDOW + 1;
        let window = self.last_window;
        let kind = station.kind();
        let remote = vec![RemoteSlot::Holds(None); kind.slots()];
        self.opened = Some(Opened { window, station, pos, grid: CraftingGrid::table(), remote, sent: None, ticks: 0 });
        answer.messages.push(Message::Open { window, kind });
        answer.messages.extend(self.tell_all(furnaces));
        answer.messages.extend(self.tell_properties(furnaces));
        answer
    }

    /// Handles the closing of a window by the client: its grid and the cursor go back to the inventory. A window that
    /// is not open is ignored.
    pub fn close(&mut self, window: i32, furnaces: &Furnaces) -> Answer {
        if window != self.window() {
            return Answer::default();
        }
        let thrown = self.put_away();
        let mut messages = self.tell_slots(furnaces, false);
        if self.remote_cursor != RemoteSlot::Holds(self.cursor) {
            // The whole content is not sent: azalea would take it for that of the next window.
            self.remote_cursor = RemoteSlot::Holds(self.cursor);
            messages.push(Message::Cursor { state: self.state, stack: self.cursor });
        }
        Answer { messages, thrown, refused: None }
    }

    /// Closes the open window, if any: its block is gone or out of reach.
    pub(crate) fn close_by_server(&mut self, furnaces: &Furnaces) -> Answer {
        let Some(opened) = &self.opened else { return Answer::default() };
        let mut messages = vec![Message::Close { window: opened.window }];
        let thrown = self.put_away();
        // Clicks under way will be refused, so the client is sent everything.
        messages.extend(self.tell_all(furnaces));
        Answer { messages, thrown, refused: None }
    }

    /// Closes the open window and empties grids and cursor into the inventory. Returns the stacks without room.
    pub(crate) fn put_away(&mut self) -> Vec<Stack> {
        let thrown = self.put_back();
        if let Some(opened) = self.opened.take() {
            // The client carries over the inventory that it displayed in the other window.
            let there = opened.station.kind().carried();
            self.remote[WindowKind::Own.carried()].copy_from_slice(&opened.remote[there]);
        }
        thrown
    }

    /// Empties cursor and grids into the inventory. Returns the stacks without room.
    fn put_back(&mut self) -> Vec<Stack> {
        let mut loose: Vec<_> = self.cursor.take().into_iter().collect();
        if let Some(opened) = &mut self.opened {
            loose.extend(opened.grid.drain());
        }
        loose.extend(self.grid.drain());
        loose.into_iter().filter_map(|stack| self.inventory.add(stack)).collect()
    }

    /// Takes everything out and closes the open window, when the player dies.
    pub fn give_up(&mut self, furnaces: &Furnaces) -> Answer {
        let mut answer = self.close_by_server(furnaces);
        answer.thrown.extend(self.put_back());
        answer.thrown.extend(self.inventory.drain());
        answer.messages.extend(self.tell_differences(furnaces, false));
        answer
    }

    /// Handles the selection of a hotbar slot. An invalid slot is refused and the client corrected.
    pub fn select(&mut self, slot: usize) -> Answer {
        if self.inventory.select(slot) {
            return Answer::default();
        }
        let messages = vec![Message::Held { slot: self.inventory.held() }];
        Answer { messages, refused: Some(RequestError::Hotbar(slot)), ..Answer::default() }
    }

    /// Messages with the changes since the last tick: items picked up, the furnace's progress, and other players'
    /// clicks in it.
    pub fn tick(&mut self, furnaces: &Furnaces) -> Vec<Message> {
        let mut messages = self.tell_differences(furnaces, false);
        if let Some(opened) = &mut self.opened {
            opened.ticks = opened.ticks.saturating_add(1);
            if opened.ticks == RESEND {
                opened.sent = None;
            }
        }
        messages.extend(self.tell_properties(furnaces));
        messages
    }

    fn tell_properties(&mut self, furnaces: &Furnaces) -> Vec<Message> {
        let Some(opened) = self.opened.as_mut().filter(|opened| opened.station == Station::Furnace) else {
            return Vec::new();
        };
        let now = furnaces.get(&opened.pos).cloned().unwrap_or_default().properties();
        let before = opened.sent.replace(now);
        let changed = |property: &usize| before.is_none_or(|before| before[*property] != now[*property]);
        let window = opened.window;
        let sent = PROPERTY_ORDER.into_iter().filter(changed);
        sent.map(|property| Message::Property { window, property, value: now[property] }).collect()
    }
}
