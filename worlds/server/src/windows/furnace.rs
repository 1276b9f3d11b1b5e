//! Furnaces: slots, fire and progress. All players share the furnaces of a world.

use ltlcrit_minecraft::fuel::{SMELT_TICKS, burn_ticks};
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::smelting::smelted;
use rustc_hash::FxHashMap;

use super::stack::{Slot, Stack, split};

/// The input slot.
pub const INPUT: usize = 0;
/// The fuel slot.
pub const FUEL: usize = 1;
/// The output slot.
pub const OUTPUT: usize = 2;

/// One furnace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Furnace {
    slots: [Slot; 3],
    /// Ticks left of the fire.
    fire: u32,
    /// Ticks of the fire when it was lit.
    lit: u32,
    /// Ticks of smelting of the current input.
    progress: u32,
}

impl Furnace {
    /// A furnace from a save file: its slots, the ticks left of its fire, the ticks of the fire when lit, and its
    /// progress.
    pub fn restored(slots: [Slot; 3], fire: u32, lit: u32, progress: u32) -> Self {
        Self { slots, fire, lit, progress: progress.min(SMELT_TICKS - 1) }
    }

    /// The contents of a slot; empty for an invalid number.
    pub fn get(&self, slot: usize) -> Slot {
        self.slots.get(slot).copied().flatten()
    }

    /// Sets the contents of a slot. Returns `false` for an invalid number. A different input item resets the progress.
    pub fn set(&mut self, slot: usize, stack: Slot) -> bool {
        let Some(place) = self.slots.get_mut(slot) else { return false };
        if slot == INPUT && place.map(|stack| stack.item) != stack.map(|stack| stack.item) {
            self.progress = 0;
        }
        *place = stack;
        true
    }

    /// Returns whether it burns.
    pub(crate) fn is_lit(&self) -> bool {
        self.fire > 0
    }

    /// The properties shown in its window, by the protocol's index: 0 ticks left of the fire, 1 ticks of the fuel, 2
    /// ticks of progress, 3 ticks to smelt an item.
    pub fn properties(&self) -> [u32; 4] {
        [self.fire, self.lit, self.progress, SMELT_TICKS]
    }

    /// The next output stack, if it fits.
    fn next_result(&self) -> Slot {
        let item = smelted(self.get(INPUT)?.item)?;
        match self.get(OUTPUT) {
            None => Some(Stack { item, count: 1, wear: 0 }),
            Some(there) if there.item == item && there.count < item.stack_size() => {
                Some(Stack { count: there.count + 1, ..there })
            }
            Some(_) => None,
        }
    }

    /// Runs one tick. Fuel is lit only if an input can be smelted and the output has room; the fire then burns to its
    /// end. Without a fire, progress is lost at twice the speed.
    pub fn tick(&mut self) {
        self.fire = self.fire.saturating_sub(1);
        let next = self.next_result();
        let burns = self.get(FUEL).map_or(0, |stack| burn_ticks(stack.item));
        if self.fire == 0 && burns > 0 && next.is_some() {
            self.fire = burns;
            self.lit = burns;
            if let Some(fuel) = self.slots.get_mut(FUEL) {
                split(fuel, 1);
            }
        }
        match next {
            Some(result) if self.fire > 0 => {
                self.progress += 1;
                if self.progress >= SMELT_TICKS {
                    self.progress = 0;
                    if let Some(input) = self.slots.get_mut(INPUT) {
                        split(input, 1);
                    }
                    self.set(OUTPUT, Some(result));
                }
            }
            _ if self.fire > 0 || (self.get(FUEL).is_some() && self.get(INPUT).is_some()) => self.progress = 0,
            _ => self.progress = self.progress.saturating_sub(2),
        }
    }

    /// Takes everything out.
    pub fn drain(&mut self) -> Vec<Stack> {
        self.slots.iter_mut().filter_map(Option::take).collect()
    }
}

/// The furnaces of a world by position. A furnace that was never opened is empty, and not listed.
pub type Furnaces = FxHashMap<BlockPos, Furnace>;

/// Runs one tick of all furnaces. Returns those that were lit or went out, in unspecified order.
pub fn one_tick(furnaces: &mut Furnaces) -> Vec<BlockPos> {
    let mut changed = Vec::new();
    for (pos, furnace) in furnaces {
        let before = furnace.is_lit();
        furnace.tick();
        if furnace.is_lit() != before {
            changed.push(*pos);
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::items::Item;

    use super::*;

    fn of(item: Item, count: u32) -> Slot {
        Some(Stack { item, count, wear: 0 })
    }

    fn filled(input: Slot, fuel: Slot) -> Furnace {
        let mut furnace = Furnace::default();
        furnace.set(INPUT, input);
        furnace.set(FUEL, fuel);
        furnace
    }

    fn run(furnace: &mut Furnace, ticks: u32) {
        (0..ticks).for_each(|_| furnace.tick());
    }

    #[test]
    fn a_coal_smelts_eight_and_each_takes_ten_seconds() {
        let mut furnace = filled(of(Item::RawIron, 10), of(Item::Coal, 1));
        run(&mut furnace, 199);
        assert_eq!(furnace.get(OUTPUT), None);
        assert_eq!(furnace.properties(), [1402, 1600, 199, 200]);
        run(&mut furnace, 1);
        assert_eq!((furnace.get(OUTPUT), furnace.get(INPUT)), (of(Item::IronIngot, 1), of(Item::RawIron, 9)));
        assert_eq!((furnace.get(FUEL), furnace.progress), (None, 0));
        run(&mut furnace, 1400);
        assert_eq!((furnace.get(OUTPUT), furnace.get(INPUT)), (of(Item::IronIngot, 8), of(Item::RawIron, 2)));
        assert!(furnace.is_lit());
        run(&mut furnace, 1);
        assert!(!furnace.is_lit());
        run(&mut furnace, 1000);
        assert_eq!(furnace.get(INPUT), of(Item::RawIron, 2));
    }

    #[test]
    fn two_planks_smelt_three() {
        let mut furnace = filled(of(Item::OakLog, 4), of(Item::OakPlanks, 2));
        run(&mut furnace, 600);
        assert_eq!((furnace.get(OUTPUT), furnace.get(INPUT)), (of(Item::Charcoal, 3), of(Item::OakLog, 1)));
        assert_eq!((furnace.get(FUEL), furnace.is_lit()), (None, true));
        run(&mut furnace, 1000);
        assert_eq!((furnace.get(OUTPUT), furnace.progress), (of(Item::Charcoal, 3), 0));
    }

    #[test]
    fn nothing_is_lit_in_vain() {
        for (input, output) in [
            (None, None),
            (of(Item::Dirt, 3), None),
            (of(Item::RawIron, 3), of(Item::IronIngot, 64)),
            (of(Item::RawIron, 3), of(Item::Charcoal, 1)),
        ] {
            let mut furnace = filled(input, of(Item::Coal, 1));
            furnace.set(OUTPUT, output);
            let before = furnace.clone();
            run(&mut furnace, 300);
            assert_eq!(furnace, before);
        }
        let mut cold = filled(of(Item::RawIron, 1), of(Item::Dirt, 1));
        run(&mut cold, 300);
        assert_eq!((cold.get(INPUT), cold.is_lit()), (of(Item::RawIron, 1), false));
    }

    #[test]
    fn progress_is_lost_with_the_fire_and_with_the_item() {
        let mut furnace = filled(of(Item::RawIron, 2), of(Item::Stick, 1));
        run(&mut furnace, 100);
        assert_eq!((furnace.progress, furnace.is_lit()), (100, true));
        run(&mut furnace, 30);
        assert_eq!((furnace.progress, furnace.is_lit()), (40, false));
        furnace.set(FUEL, of(Item::Stick, 1));
        run(&mut furnace, 5);
        assert_eq!(furnace.progress, 45);
        furnace.set(INPUT, of(Item::RawIron, 1));
        assert_eq!(furnace.progress, 45);
        furnace.set(INPUT, of(Item::OakLog, 1));
        assert_eq!(furnace.progress, 0);
        run(&mut furnace, 5);
        furnace.set(INPUT, None);
        run(&mut furnace, 1);
        assert_eq!((furnace.progress, furnace.fire), (0, 90));
    }

    #[test]
    fn a_broken_furnace_gives_up_what_is_in_it() {
        let mut furnaces = Furnaces::default();
        let (here, there) = (BlockPos::new(1, 2, 3), BlockPos::new(3, 2, 1));
        furnaces.insert(here, filled(of(Item::RawIron, 2), of(Item::Coal, 2)));
        furnaces.entry(there).or_default();
        assert_eq!(one_tick(&mut furnaces), [here]);
        assert_eq!(one_tick(&mut furnaces), []);
        assert!(furnaces.get(&here).is_some_and(Furnace::is_lit));
        let mut broken = furnaces.remove(&here).unwrap();
        let dropped: Vec<_> = broken.drain().into_iter().map(|stack| (stack.item, stack.count)).collect();
        assert_eq!(dropped, [(Item::RawIron, 2), (Item::Coal, 1)]);
    }
}
