//! `mineBlock`: goes to a block of a kind in sight, breaks it with the tool in the hand, and picks up the drop. The
//! block is the nearest, or among buried ones the one that takes the fewest ticks. It succeeds when there is one more
//! item than before.

use super::travel::{may_open, touch};
use super::{Code, Executor, Failure, Resource};
use crate::activity::PlayerActivity;
use crate::blocks::Block;
use crate::body::{Body, DigPurpose, Tool};
use crate::ground::sides;
use crate::items::Item;
use crate::land::{Land, Space};
use crate::observation::BlockPos;
use crate::path::{self, WALK};
use crate::sight::{Sight, VisibleKind};

/// The number of blocks to try before the kind counts as unreachable: the cheapest, then nearest first.
const TRIES: usize = 5;
/// The number of times another place to mine from is searched when the first turns out not to work.
const REPLANS: usize = 2;
/// The largest fall of a drop that counts as close, in blocks.
const DROP: i32 = 5;
/// The number of nearest blocks considered.
const KEPT: usize = 16;
/// Ticks before a drop can be picked up, so fetching it within this time costs nothing.
const LIES: u32 = 10;
/// The largest number of stones mined to gain one.
const STONES: u32 = 8;

impl<B: Body> Executor<'_, B> {
    /// Mines one block, or enough stone to gain one: walls against water and lava may have taken some of the stone
    /// carried.
    pub(super) async fn mine(&mut self, resource: Resource) -> Result<String, Failure> {
        let mut said = self.mine_one(resource).await?;
        let mut mined = 1;
        while resource == Resource::Stone && mined <= self.walled {
            let spent = |why: &str| format!("{said} Walls against water and lava took as much or more. {why}");
            if mined == STONES {
                return Err(Failure::new(Code::NoWay, spent("So they did with what was mined before it.")));
            }
            let more = self.mine_one(resource).await;
            said = more.map_err(|failure| Failure { message: spent(&failure.message), ..failure })?;
            mined += 1;
        }
        Ok(match mined {
            1 => said,
            _ => format!("{said} {} more made up for what went into walls.", mined - 1),
        })
    }

    /// Mines one block.
    async fn mine_one(&mut self, resource: Resource) -> Result<String, Failure> {
        let candidates = self.candidates(resource);
        let label = resource.label();
        if candidates.is_empty() {
            return Err(Failure::new(Code::NotVisible, format!("No {label} is in sight within 32 blocks.")));
        }
        let inventory = self.body.inventory();
        let hand = inventory.hand().map(|stack| stack.item);
        let fitting: Vec<_> =
            candidates.iter().filter_map(|(pos, block)| Some((*pos, block.drop_for(hand)?))).collect();
        if fitting.is_empty() {
            let held = hand.map_or("nothing", Item::name);
            return Err(Failure::new(Code::WrongTool, format!("With {held} in the hand, {label} yields nothing.")));
        }
        let roomy: Vec<_> = fitting.into_iter().filter(|(_, item)| inventory.room_for(*item) > 0).collect();
        if roomy.is_empty() {
            return Err(Failure::new(Code::NoRoom, format!("The inventory has no room for what {label} drops.")));
        }
        // Blocks whose drop falls far come last.
        let (far, close): (Vec<_>, Vec<_>) =
            roomy.into_iter().partition(|(pos, _)| self.resting_place(*pos).is_none_or(|rest| pos.y - rest.y > DROP));
        // Among buried blocks the nearest is seldom the cheapest.
        let buried = self.limits.sight == Sight::Loaded && resource != Resource::Stone;
        let cheapest = if buried { self.go_to_cheapest(&close).await? } else { None };
        // A player that sees through rock mines any stone on the way; one that must search does not: see `tunnel_slot`.
        let walls = self.walls.clone();
        let any_stone = resource == Resource::Stone && self.limits.sight == Sight::Loaded;
        let at_hand = |land: &mut B::Land, feet: BlockPos| {
            let found = if any_stone { stone_at_hand(land, feet, hand, &walls) } else { None };
            found.filter(|(pos, _)| {
                land.cell(*pos).digging.is_some_and(|it| path::has_breath(land, feet, it.ticks(hand)))
            })
        };
        for (mut target, mut item) in cheapest.into_iter().chain(close).chain(far).take(TRIES) {
            let mut arrived = |land: &mut B::Land, feet: BlockPos| {
                let ticks = land.cell(target).digging.map_or(0, |digging| digging.ticks(hand));
                // A swimming body is up to a block higher than its cell.
                let afloat = land.cell(feet).space == Space::Water && !land.cell(feet.down()).is_floor();
                let highest = if afloat { feet.up() } else { feet };
                let mut reaches = |feet| touch(land, feet, target).is_some();
                let reached = reaches(feet) && reaches(highest) && path::has_breath(land, feet, ticks);
                reached || !afloat && at_hand(land, feet).is_some()
            };
            let mut way = self.go(target, Some(target), &mut arrived).await;
            for _ in 0..REPLANS {
                // Water may have flowed in on the way.
                let feet = self.body.feet();
                if way.is_err() || arrived(self.body.land(), feet) {
                    break;
                }
                way = self.go(target, Some(target), &mut arrived).await;
            }
            let feet = self.body.feet();
            if self.obstructions(target).is_none_or(|obstructions| !obstructions.is_empty())
                && let Some(found) = at_hand(self.body.land(), feet)
            {
                (target, item) = found;
            }
            match way {
                Ok(()) => {
                    let taken = self.take(target, item, label).await;
                    if taken.as_ref().is_err_and(|failure| failure.code == Code::DropLost) {
                        // Its neighbours would drop to the same place.
                        let near = candidates.iter().map(|(pos, _)| *pos).filter(|pos| is_beside(*pos, target));
                        self.state.unreachable.extend(near);
                    }
                    return taken;
                }
                Err(failure) if failure.code == Code::Unreachable => {
                    self.state.unreachable.insert(target);
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(Failure::new(Code::Unreachable, format!("There is {label} in sight, but no way to it was found.")))
    }

    /// Goes to the place where one of these blocks takes the fewest ticks in total: walking, digging, and picking up
    /// the drop. Returns that block; `None` if no block is worth trying.
    ///
    /// # Errors
    /// Failures that end the action.
    async fn go_to_cheapest(&mut self, of: &[(BlockPos, Item)]) -> Result<Option<(BlockPos, Item)>, Failure> {
        let hand = self.body.inventory().hand().map(|stack| stack.item);
        let tunnelling = self.tunnel_slot().map(|(_, item)| item);
        let underfoot = self.body.feet().down();
        let mut worthwhile = Vec::new();
        for (pos, item) in of.iter().copied() {
            if pos != underfoot
                && !self.state.unreachable.contains(&pos)
                && let Some(digging) = self.cell(pos).digging
                && let Some(rest) = self.resting_place(pos)
            {
                worthwhile.push(MiningCandidate { pos, item, rest, breaking: digging.ticks(hand), longer: 0 });
            }
        }
        let Some(least) = worthwhile.iter().map(|candidate| candidate.breaking).min() else { return Ok(None) };
        for candidate in &mut worthwhile {
            candidate.longer = candidate.breaking - least;
        }
        let places: Vec<_> = worthwhile.iter().map(|candidate| candidate.pos).collect();
        let cheapest = |land: &mut B::Land, feet: BlockPos| {
            worthwhile
                .iter()
                .filter_map(|candidate| Some((candidate.work(land, feet, tunnelling)?, candidate)))
                .min_by_key(|(ticks, _)| *ticks)
        };
        match self.go_where(&places, &places, &mut |land, feet| Some(cheapest(land, feet)?.0)).await {
            Ok(()) => {}
            Err(failure) if failure.code == Code::Unreachable => return Ok(None),
            Err(failure) => return Err(failure),
        }
        let feet = self.body.feet();
        Ok(cheapest(self.body.land(), feet).map(|(_, candidate)| (candidate.pos, candidate.item)))
    }

    /// The nearest blocks of a kind in sight, nearest first.
    fn candidates(&mut self, resource: Resource) -> Vec<(BlockPos, Block)> {
        let kind = if resource == Resource::Stone { VisibleKind::Stone } else { VisibleKind::Landmarks };
        let eyes = self.eyes();
        let underfoot = self.body.feet().down();
        // The block underfoot comes last, because the player must step aside for it; so do unreachable blocks.
        let unreachable = &self.state.unreachable;
        // The walls built in this action stay.
        let walls = &self.walls;
        let mut found: Vec<(bool, f64, BlockPos, Block)> = Vec::new();
        self.body.land().visit_visible(eyes, self.limits.sight, kind, |pos, block, distance| {
            let this = (pos == underfoot || unreachable.contains(&pos), distance, pos, block);
            let nearer = |other: &(bool, f64, BlockPos, Block)| (other.0, other.1, other.2) < (this.0, this.1, this.2);
            if resource.is(block) && !walls.contains(&pos) && found.get(KEPT - 1).is_none_or(|last| !nearer(last)) {
                found.insert(found.partition_point(nearer), this);
                found.truncate(KEPT);
            }
        });
        found.into_iter().map(|(_, _, pos, block)| (pos, block)).collect()
    }

    /// Breaks the block within reach and picks up the one item it drops.
    async fn take(&mut self, target: BlockPos, item: Item, label: &str) -> Result<String, Failure> {
        self.body.set_activity(PlayerActivity::Breaking);
        for cell in self.obstructions(target).unwrap_or_default() {
            self.clear(cell).await?;
        }
        let inventory = self.body.inventory();
        let slot = inventory.selected();
        let tool = inventory.hand().filter(|stack| stack.item.durability() > 0);
        let dropped =
            self.body.dig(target, tool.map_or(Tool::Bare, |_| Tool::Slot(slot)), DigPurpose::CollectDrop).await?;
        if dropped != Some(item) {
            return Err(Failure::new(Code::DropLost, format!("The {label} was gone before it could be mined.")));
        }
        let danger = self.stop_flow(target).await;
        self.body.settle().await?;
        let lost = |why: &str| Failure::new(Code::DropLost, format!("The {} {why}.", item.name()));
        let mut rest = self.resting_place(target).ok_or_else(|| lost("fell into lava"))?;
        // Leaves that hold up the drop are removed.
        while self.cell(rest.down()).leaves && self.obstructions(rest.down()).is_some() {
            self.clear(rest.down()).await?;
            rest = self.resting_place(rest).ok_or_else(|| lost("fell into lava"))?;
        }
        danger?;
        if !is_at_hand(self.body.feet(), rest) {
            self.go(rest, None, &mut |_, feet| is_at_hand(feet, rest))
                .await
                .map_err(|failure| failure.said(Code::Unreachable, || lost("is out of reach")))?;
        }
        self.body.set_activity(PlayerActivity::PickingUp);
        match self.body.pick_up(item, rest).await {
            // The drop may still be out of reach, behind a corner or in a hollow.
            Err(failure) if failure.code == Code::DropLost && self.body.feet() != rest => {
                let there = self.go(rest, None, &mut |_, feet| feet == rest).await;
                there.map_err(|other| other.said(Code::Unreachable, || failure))?;
                self.body.pick_up(item, rest).await?;
            }
            picked => picked?,
        }
        let held = self.body.inventory().hand().map(|stack| stack.item);
        let broke = tool.filter(|tool| held != Some(tool.item));
        Ok(match broke {
            Some(tool) => format!("Mined 1 {}. The {} broke.", item.name(), tool.item.name()),
            None => format!("Mined 1 {}.", item.name()),
        })
    }

    /// The blocks between the player and a block; `None` if it is out of reach. See [`touch`].
    fn obstructions(&mut self, target: BlockPos) -> Option<Vec<BlockPos>> {
        let feet = self.body.feet();
        touch(self.body.land(), feet, target)
    }

    /// The cell in which an item dropped at a cell comes to rest; `None` if it falls into lava.
    fn resting_place(&mut self, mut cell: BlockPos) -> Option<BlockPos> {
        loop {
            if self.cell(cell).space == Space::Lava {
                return None;
            }
            if self.cell(cell.down()).is_firm() {
                return Some(cell);
            }
            cell = cell.down();
        }
    }
}

/// A candidate block for mining.
struct MiningCandidate {
    pos: BlockPos,
    /// Its drop, and the cell in which the drop comes to rest.
    item: Item,
    rest: BlockPos,
    /// The ticks to break it, and how many more than the cheapest candidate.
    breaking: u32,
    longer: u32,
}

impl MiningCandidate {
    /// The estimated ticks from here, beyond the least breaking time: digging away what is between, breaking it, and
    /// fetching the drop. `None` if it is out of reach.
    fn work(&self, land: &mut impl Land, feet: BlockPos, tool: Option<Item>) -> Option<u32> {
        let obstructions = touch(land, feet, self.pos).filter(|_| path::has_breath(land, feet, self.breaking))?;
        let mut clear = |pos: BlockPos| land.cell(pos).digging.map_or(0, |digging| digging.ticks(tool));
        let ticks = self.longer + obstructions.iter().map(|block| clear(*block)).sum::<u32>();
        if is_at_hand(feet, self.rest) {
            return Some(ticks);
        }
        let (dx, dy, dz) = (self.rest.x - feet.x, self.rest.y - feet.y, self.rest.z - feet.z);
        let steps = (dx.abs() + dz.abs()).max(dy.abs());
        let along = |part: i32, step: i32| (f64::from(part * step) / f64::from(steps)).round() as i32;
        let mut fetch = 0;
        for step in 1..steps {
            let foot = feet.offset(along(dx, step), along(dy, step), along(dz, step));
            let others = [foot, foot.up()].into_iter().filter(|pos| *pos != self.pos && !obstructions.contains(pos));
            fetch += WALK + others.map(&mut clear).sum::<u32>();
        }
        Some(ticks + fetch.saturating_sub(LIES))
    }
}

/// Stone beside a player's feet or head that drops an item to this tool, and the item. Digging it lets nothing in, and
/// its drop stays there.
fn stone_at_hand(
    land: &mut impl Land,
    feet: BlockPos,
    hand: Option<Item>,
    walls: &[BlockPos],
) -> Option<(BlockPos, Item)> {
    let beside = sides(feet).into_iter().flat_map(|side| [side, side.up()]);
    beside.filter(|pos| !walls.contains(pos)).find_map(|pos| {
        let item = land.cell(pos).block.filter(|block| block.is_stone())?.drop_for(hand)?;
        (may_open(land, pos) && land.cell(pos.down()).is_firm()).then_some((pos, item))
    })
}

/// Whether a body at `feet` picks up an item at `rest` without moving.
fn is_at_hand(feet: BlockPos, rest: BlockPos) -> bool {
    (feet.x - rest.x).abs() <= 1 && (feet.z - rest.z).abs() <= 1 && (0..=2).contains(&(rest.y - feet.y))
}

/// Whether two blocks can belong to one vein.
fn is_beside(a: BlockPos, b: BlockPos) -> bool {
    (a.x - b.x).abs().max((a.y - b.y).abs()).max((a.z - b.z).abs()) <= 3
}
