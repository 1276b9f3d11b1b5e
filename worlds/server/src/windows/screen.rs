//! One player's windows: the inventory, the cursor, what is open, and what the client believes of it all. What the
//! client asks for goes in as numbers; what it has to be told comes out as messages.

use super::belief::{Belief, Beliefs, Claims};
use super::click::{NoClick, Numbers};
use super::crafting::Grid;
use super::furnace::Furnaces;
use super::inventory::PlayerInventory;
use super::layout::{Kind, Place};
use super::message::{Answer, Message};
use super::operations::{Dragging, Reach, look};
use super::stack::{Slot, Stack};
use ltlcrit_minecraft::observation::BlockPos;

/// The number of the player's own window.
pub const OWN: i32 = 0;
/// Numbers of other windows go round from 1 to here.
const LAST_WINDOW: i32 = 100;
/// States go round below this.
const STATES: u32 = 1 << 15;
/// In which order a furnace's numbers are told: mineflayer computes shares with the second of each pair at hand.
const PROPERTY_ORDER: [usize; 4] = [1, 3, 0, 2];
/// Ticks after opening at which a furnace's numbers are told once more: mineflayer begins to listen only when it has
/// seen the window open, and numbers that came with it are lost on it.
const TELL_AGAIN: u32 = 2;

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
    pub fn kind(self) -> Kind {
        match self {
            Self::Table => Kind::Table,
            Self::Furnace => Kind::Furnace,
        }
    }
}

/// A window other than the player's own.
#[derive(Clone, Debug)]
struct Opened {
    window: i32,
    station: Station,
    pos: BlockPos,
    /// The table's grid; a furnace's window has none and leaves it empty.
    grid: Grid,
    beliefs: Beliefs,
    /// The furnace's numbers as told last.
    told: Option<[u32; 4]>,
    ticks: u32,
}

/// A click as it arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The window clicked in.
    pub window: i32,
    /// The state the client was in.
    pub state: u32,
    /// What it did.
    pub numbers: Numbers,
    /// What it thinks has come of it. Never trusted; only compared with what has.
    pub claims: Claims,
}

/// Why something a client asked for was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The window clicked in is not open.
    #[error("a click in window {window}, but window {open} is open")]
    NotOpen {
        /// The window clicked in.
        window: i32,
        /// The window that is open.
        open: i32,
    },
    /// The click is none.
    #[error(transparent)]
    NoClick(#[from] NoClick),
    /// There is no such hotbar slot.
    #[error("there is no hotbar slot {0}")]
    Hotbar(usize),
}

/// One player's windows.
#[derive(Clone, Debug)]
pub struct Screen {
    inventory: PlayerInventory,
    cursor: Slot,
    /// The 2x2 grid.
    grid: Grid,
    dragging: Option<Dragging>,
    opened: Option<Opened>,
    /// Beliefs about the player's own window.
    beliefs: Beliefs,
    cursor_belief: Belief,
    state: u32,
    last_window: i32,
}

impl Default for Screen {
    fn default() -> Self {
        Self::new(PlayerInventory::default())
    }
}

impl Screen {
    /// The windows of a player who carries this, with nothing open and nothing on the cursor. The client is not told
    /// anything yet: see [`Self::tell_all`].
    pub fn new(inventory: PlayerInventory) -> Self {
        Self {
            inventory,
            cursor: None,
            grid: Grid::carried(),
            dragging: None,
            opened: None,
            beliefs: Beliefs::empty(Kind::Own.slots()),
            cursor_belief: Belief::Holds(None),
            state: 0,
            last_window: OWN,
        }
    }

    /// What the player carries, without the cursor and the grids.
    pub fn inventory(&self) -> &PlayerInventory {
        &self.inventory
    }

    /// What the player carries, to be changed; the client hears of it from the next [`Self::tick`].
    pub fn inventory_mut(&mut self) -> &mut PlayerInventory {
        &mut self.inventory
    }

    /// What hangs on the cursor.
    #[cfg(test)]
    pub fn cursor(&self) -> Slot {
        self.cursor
    }

    /// The number of the window that is open, [`OWN`] if it is the player's own.
    pub fn window(&self) -> i32 {
        self.opened.as_ref().map_or(OWN, |opened| opened.window)
    }

    /// The state the client is in once it has heard everything it was told.
    #[cfg(test)]
    pub fn state(&self) -> u32 {
        self.state
    }

    /// The block whose window is open.
    pub fn station(&self) -> Option<(Station, BlockPos)> {
        self.opened.as_ref().map(|opened| (opened.station, opened.pos))
    }

    /// The kind of the window that is open.
    pub fn kind(&self) -> Kind {
        self.opened.as_ref().map_or(Kind::Own, |opened| opened.station.kind())
    }

    /// What the slots of the open window hold.
    pub fn slots(&self, furnaces: &Furnaces) -> Vec<Slot> {
        let kind = self.kind();
        let (grid, furnace) = match &self.opened {
            Some(opened) => (&opened.grid, furnaces.get(opened.pos)),
            None => (&self.grid, None),
        };
        (0..kind.slots()).map(|slot| look(kind, slot, &self.inventory, grid, furnace)).collect()
    }

    /// Everything in the open window and the cursor, whatever the client believes.
    pub fn tell_all(&mut self, furnaces: &Furnaces) -> Vec<Message> {
        let slots = self.slots(furnaces);
        self.beliefs_mut().know(&slots);
        self.cursor_belief = Belief::Holds(self.cursor);
        let (window, state, cursor) = (self.window(), self.next_state(), self.cursor);
        // Some clients ignore the cursor that comes with the content.
        vec![Message::Content { window, state, slots, cursor }, Message::Cursor { state, stack: cursor }]
    }

    /// What the client does not know yet of the open window; its crafting result even if it knows it, if `result_too`.
    fn tell_differences(&mut self, furnaces: &Furnaces, result_too: bool) -> Vec<Message> {
        if self.cursor_belief.is(self.cursor) {
            self.tell_slots(furnaces, result_too)
        } else {
            // There are clients whose cursor is corrected by the whole content alone.
            self.tell_all(furnaces)
        }
    }

    fn tell_slots(&mut self, furnaces: &Furnaces, result_too: bool) -> Vec<Message> {
        let (window, kind, truth) = (self.window(), self.kind(), self.slots(furnaces));
        let mut messages = Vec::new();
        // The result comes last: it is what clients wait for.
        for (slot, stack) in truth.iter().enumerate().skip(1).chain(truth.iter().enumerate().take(1)) {
            let asked = result_too && kind.place(slot) == Some(Place::Result);
            if asked || !self.beliefs_mut().of(slot).is(*stack) {
                self.beliefs_mut().set(slot, Belief::Holds(*stack));
                messages.push(Message::Slot { window, state: self.next_state(), slot, stack: *stack });
            }
        }
        messages
    }

    fn beliefs_mut(&mut self) -> &mut Beliefs {
        self.opened.as_mut().map_or(&mut self.beliefs, |opened| &mut opened.beliefs)
    }

    fn next_state(&mut self) -> u32 {
        self.state = (self.state + 1) % STATES;
        self.state
    }

    /// A click. The operation is applied here; what the client claims has come of it only decides what it is told: the
    /// differences, or everything if it was not up to date. What makes no sense is not done, and answered with the
    /// truth.
    pub fn click(&mut self, request: &Request, furnaces: &mut Furnaces) -> Answer {
        let Request { window, state, numbers, claims } = request;
        if *window != self.window() {
            return self.click_elsewhere(*window, claims, furnaces);
        }
        let stale = *state != self.state;
        let kind = self.kind();
        let click = match numbers.click(kind.slots()) {
            Ok(click) => click,
            Err(reason) => {
                self.dragging = None;
                return Answer { refused: Some(reason.into()), messages: self.tell_all(furnaces), ..Answer::default() };
            }
        };
        let mut thrown = Vec::new();
        let mut reach = self.reach(furnaces, &mut thrown);
        let before = reach.grid.clone();
        reach.click(click);
        let is_crafting = |slot| matches!(kind.place(slot), Some(Place::Result | Place::Cell(_)));
        let result_too = *reach.grid != before || click.slot().is_some_and(is_crafting);
        self.beliefs_mut().claim(claims);
        self.cursor_belief = claims.cursor;
        let messages = if stale { self.tell_all(furnaces) } else { self.tell_differences(furnaces, result_too) };
        Answer { messages, thrown, refused: None }
    }

    /// A click in a window that is not open: nothing is done.
    fn click_elsewhere(&mut self, window: i32, claims: &Claims, furnaces: &Furnaces) -> Answer {
        let open = self.window();
        if window == OWN {
            // Corrected when the other window closes; until then the client does not listen.
            self.beliefs.claim(claims);
        }
        // One that was closed under the player was answered by that.
        let answered = open == OWN && window == self.last_window;
        let messages = if answered { Vec::new() } else { self.tell_all(furnaces) };
        Answer { messages, refused: Some(Refusal::NotOpen { window, open }), ..Answer::default() }
    }

    pub(super) fn reach<'a>(&'a mut self, furnaces: &'a mut Furnaces, thrown: &'a mut Vec<Stack>) -> Reach<'a> {
        let kind = self.kind();
        let Self { inventory, cursor, grid, dragging, opened, .. } = self;
        let (grid, furnace) = match opened {
            Some(Opened { station: Station::Furnace, grid, pos, .. }) => (grid, Some(furnaces.at(*pos))),
            Some(Opened { station: Station::Table, grid, .. }) => (grid, None),
            None => (grid, None),
        };
        Reach { kind, inventory, cursor, grid, furnace, dragging, thrown }
    }

    /// Opens the window of a block. What was open is closed first.
    pub fn open(&mut self, station: Station, pos: BlockPos, furnaces: &Furnaces) -> Answer {
        let mut answer = match self.opened {
            Some(_) => self.close_by_server(furnaces),
            None => Answer { thrown: self.put_back(), ..Answer::default() },
        };
        self.last_window = self.last_window % LAST_WINDOW + 1;
        let window = self.last_window;
        let kind = station.kind();
        let beliefs = Beliefs::empty(kind.slots());
        self.opened = Some(Opened { window, station, pos, grid: Grid::table(), beliefs, told: None, ticks: 0 });
        answer.messages.push(Message::Open { window, kind });
        answer.messages.extend(self.tell_all(furnaces));
        answer.messages.extend(self.tell_properties(furnaces));
        answer
    }

    /// The client has closed a window; what lay in its grid and on the cursor goes back to the inventory. A window that
    /// is not open stays closed.
    pub fn close(&mut self, window: i32, furnaces: &Furnaces) -> Answer {
        if window != self.window() {
            return Answer::default();
        }
        let thrown = self.put_away();
        let mut messages = self.tell_slots(furnaces, false);
        if !self.cursor_belief.is(self.cursor) {
            // Clients let go of the cursor as the window closes, or listen to this. Not the whole content, which azalea
            // takes for that of the next window it waits for.
            self.cursor_belief = Belief::Holds(self.cursor);
            messages.push(Message::Cursor { state: self.state, stack: self.cursor });
        }
        Answer { messages, thrown, refused: None }
    }

    /// Closes what is open under the player, if anything is: its block is gone or out of reach.
    pub fn close_by_server(&mut self, furnaces: &Furnaces) -> Answer {
        let Some(opened) = &self.opened else { return Answer::default() };
        let mut messages = vec![Message::Close { window: opened.window }];
        let thrown = self.put_away();
        // What the client clicked meanwhile will not be done: it hears everything.
        messages.extend(self.tell_all(furnaces));
        Answer { messages, thrown, refused: None }
    }

    /// Back to the player's own window with empty grids and an empty cursor, as when the player leaves; returns what the
    /// inventory has no room for.
    pub fn put_away(&mut self) -> Vec<Stack> {
        let thrown = self.put_back();
        if let Some(opened) = self.opened.take() {
            // Of its own window the client now believes what it saw in the other.
            for (here, there) in Kind::Own.carried().zip(opened.station.kind().carried()) {
                self.beliefs.set(here, opened.beliefs.of(there));
            }
        }
        thrown
    }

    /// Puts back into the inventory what hangs on the cursor and lies in the grids; returns what did not fit.
    fn put_back(&mut self) -> Vec<Stack> {
        self.dragging = None;
        let mut loose: Vec<_> = self.cursor.take().into_iter().collect();
        if let Some(opened) = &mut self.opened {
            loose.extend(opened.grid.drain());
        }
        loose.extend(self.grid.drain());
        loose.into_iter().filter_map(|stack| self.inventory.add(stack)).collect()
    }

    /// Everything a player has, taken out: it died or left. The window it had open is closed.
    pub fn give_up(&mut self, furnaces: &Furnaces) -> Answer {
        let mut answer = self.close_by_server(furnaces);
        answer.thrown.extend(self.put_back());
        answer.thrown.extend(self.inventory.drain());
        answer.messages.extend(self.tell_differences(furnaces, false));
        answer
    }

    /// Holds another hotbar slot, as the client asks; a slot there is not is refused and the client corrected.
    pub fn select(&mut self, slot: usize) -> Answer {
        if self.inventory.select(slot) {
            return Answer::default();
        }
        let messages = vec![Message::Held { slot: self.inventory.held() }];
        Answer { messages, refused: Some(Refusal::Hotbar(slot)), ..Answer::default() }
    }

    /// Once a tick, after everything else: what has changed since, be it that something was picked up, or that the
    /// furnace went on or someone else has a hand in it.
    pub fn tick(&mut self, furnaces: &Furnaces) -> Vec<Message> {
        let mut messages = self.tell_differences(furnaces, false);
        if let Some(opened) = &mut self.opened {
            opened.ticks = opened.ticks.saturating_add(1);
            if opened.ticks == TELL_AGAIN {
                opened.told = None;
            }
        }
        messages.extend(self.tell_properties(furnaces));
        messages
    }

    fn tell_properties(&mut self, furnaces: &Furnaces) -> Vec<Message> {
        let Some(opened) = self.opened.as_mut().filter(|opened| opened.station == Station::Furnace) else {
            return Vec::new();
        };
        let now = furnaces.get(opened.pos).cloned().unwrap_or_default().properties();
        let before = opened.told.replace(now);
        let changed = |property: &usize| before.is_none_or(|before| before[*property] != now[*property]);
        let window = opened.window;
        let told = PROPERTY_ORDER.into_iter().filter(changed);
        told.map(|property| Message::Property { window, property, value: now[property] }).collect()
    }
}
