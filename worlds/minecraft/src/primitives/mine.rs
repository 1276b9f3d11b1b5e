//! `mineBlock`: goes to a block of a kind in sight, breaks it with the tool in the hand, and picks up the drop. It
//! chooses the block that takes the fewest ticks. It succeeds when there is one more item than before.

use super::touch::{may_open, touch};
use super::travel::Aim;
use super::{Executor, Resource};
use crate::activity::PlayerActivity;
use crate::blocks::Block;
use crate::body::{Body, DigPurpose, Tool};
use crate::failure::{Code, Failure};
use crate::ground::sides;
use crate::items::Item;
use crate::land::{DigReluctance, Land, Space};
use crate::observation::BlockPos;
use crate::path::{self, WALK};
use crate::region::Region;
use crate::sight::VisibleKind;

/// The maximum number of journeys before the kind counts as unreachable.
const TRIES: usize = 5;
/// The maximum number of searches for another place to mine from, when the first turns out not to work.
const REPLANS: usize = 2;
/// The maximum fall of a drop that is fetched from below, in blocks. A deeper hole is closed if possible.
const DROP: i32 = 6;
/// The maximum distance at which a drop may come to rest below the feet and the block with the hole left open, in
/// blocks.
const NEAR: i32 = 2;
/// The price of a drop that is probably lost, in ticks.
const LOSS: u32 = 1200;
/// The number of nearest blocks considered, and of dry ones.
const KEPT: usize = 16;
/// Ticks before a drop can be picked up: fetching it within this time costs nothing.
const LIES: u32 = 10;
/// The maximum number of times that a drop is followed.
const FOLLOWS: usize = 4;
/// The maximum number of stones mined to gain one.
const STONES: u32 = 8;

impl<B: Body> Executor<'_, B> {
    /// Mines one block, or enough stone to gain one, because walls against water and lava may have used some of the
    /// carried stone.
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

    /// Mines the block that takes the fewest ticks. If it cannot be reached or mined, it tries another one.
    async fn mine_one(&mut self, resource: Resource) -> Result<String, Failure> {
        let label = resource.label();
        let nearest = self.candidates(resource)?.first().map(|candidate| candidate.pos);
        if let Some(nearest) = nearest.filter(|_| self.within == Region::ANYWHERE) {
            let feet = self.body.feet();
            self.within = Region::to_mine(feet, nearest);
        }
        // With logs nearby, another table is soon made.
        if nearest.is_some() && resource != Resource::Log {
            let start = self.body.feet();
            self.take_along(nearest).await?;
            if self.body.feet() != start {
                // The blocks were seen from there.
                let _ = Failure::unless_final(self.go(start, None, &mut |_, feet| feet == start).await)?;
            }
        }
        let mut failed = None;
        for _ in 0..TRIES {
            let candidates = self.candidates(resource)?;
            if failed.is_some() && candidates.iter().all(|candidate| self.state.memory.is_unreachable(candidate.pos)) {
                break;
            }
            let target = match self.go_to_cheapest(resource, &candidates).await {
                Ok(target) => target,
                Err(failure) if failure.code == Code::Unreachable => {
                    // If the search came near one of them and failed, the others may still be reachable.
                    let vain = |pos: &BlockPos| self.attractor.is_none_or(|attractor| attractor == *pos);
                    let vain: Vec<_> = candidates.iter().map(|candidate| candidate.pos).filter(vain).collect();
                    self.give_up(vain);
                    failed = Some(failure);
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let taken = self.take(target, label).await;
            match taken {
                Err(failure) if failure.code == Code::NoWay => {
                    self.give_up([target.pos]);
                    failed = Some(failure);
                }
                Err(failure) if failure.code == Code::DropLost => {
                    // The drops of its neighbours would fall to the same place.
                    let beside = |pos: &BlockPos| is_beside(*pos, target.pos);
                    let lost: Vec<_> = candidates.iter().map(|candidate| candidate.pos).filter(beside).collect();
                    self.give_up(lost);
                    return Err(failure);
                }
                taken => return taken,
            }
        }
        let no_way =
            || Failure::new(Code::Unreachable, format!("There is {label} in sight, but no way to it was found."));
        let failure = failed.unwrap_or_else(no_way);
        Err(failure.said(Code::Unreachable, no_way))
    }

    /// Marks blocks as unreachable.
    fn give_up(&mut self, blocks: impl IntoIterator<Item = BlockPos>) {
        let tick = self.body.tick();
        let (mut count, mut first) = (0, None);
        for block in blocks {
            self.state.memory.give_up(block, tick);
            first = first.or(Some(block));
            count += 1;
        }
        match first {
            Some(first) if count == 1 => self.note(format!("{first} is given up.")),
            Some(first) => self.note(format!("{first} and {} others are given up.", count - 1)),
            None => {}
        }
    }

    /// Goes to the place where one of these blocks takes the fewest ticks in total: walking, digging, and picking up
    /// the drop. Returns that block.
    ///
    /// # Errors
    /// [`Code::Unreachable`] if there is no path to any of them; failures that end the action.
    async fn go_to_cheapest(&mut self, resource: Resource, of: &[Candidate]) -> Result<Candidate, Failure> {
        let hand = self.body.inventory().hand().map(|stack| stack.item);
        let tunnelling = self.tunnel_slot().map(|(_, item)| item);
        let places: Vec<_> = of.iter().map(|candidate| candidate.pos).collect();
        // Any stone will do, so a path may lead through some of the candidates.
        let keep = if resource == Resource::Stone { &[] } else { places.as_slice() };
        // Any stone beside the path will do.
        let any_stone = resource == Resource::Stone;
        let walls = self.walls.clone();
        let cheapest = |land: &mut B::Land, feet: BlockPos| {
            let at_hand = if any_stone { stone_at_hand(land, feet, hand, &walls) } else { None };
            let least = of.iter().filter_map(|candidate| Some((candidate.work(land, feet, tunnelling)?, *candidate)));
            at_hand.map(|found| (0, found)).or_else(|| least.min_by_key(|(ticks, _)| *ticks))
        };
        // Water may flow in on the way, so that the place no longer works.
        self.work = of.iter().map(|candidate| candidate.breaking).min().unwrap_or(0);
        let mut found = None;
        for _ in 0..=REPLANS {
            let arrived = &mut |land: &mut B::Land, feet| Some(cheapest(land, feet)?.0);
            let went = self.go_where(Aim { toward: &places, keep, most: u32::MAX, arrived }).await;
            if let Err(failure) = went {
                self.work = 0;
                return Err(failure);
            }
            let feet = self.body.feet();
            found = cheapest(self.body.land(), feet);
            if found.is_some() {
                break;
            }
        }
        self.work = 0;
        let changed = || Failure::new(Code::Unreachable, "The places to mine it from kept changing.");
        found.map(|(_, found)| found).ok_or_else(changed)
    }

    /// The nearest blocks of a kind in sight that drop something to the tool in the hand. Blocks marked as unreachable
    /// are used only if there are no others.
    ///
    /// # Errors
    /// There is no such block, or no room for its drop.
    fn candidates(&mut self, resource: Resource) -> Result<Vec<Candidate>, Failure> {
        let label = resource.label();
        let visible = self.visible(resource);
        if visible.is_empty() {
            return Err(Failure::new(Code::NotVisible, format!("No {label} is in sight within 32 blocks.")));
        }
        let inventory = self.body.inventory();
        let hand = inventory.hand().map(|stack| stack.item);
        let fitting: Vec<_> = visible.iter().filter_map(|(pos, block)| Some((*pos, block.drop_for(hand)?))).collect();
        if fitting.is_empty() {
            let held = hand.map_or("nothing", Item::name);
            return Err(Failure::new(Code::WrongTool, format!("With {held} in the hand, {label} yields nothing.")));
        }
        let roomy: Vec<_> = fitting.into_iter().filter(|(_, item)| inventory.room_for(*item) > 0).collect();
        if roomy.is_empty() {
            return Err(Failure::new(Code::NoRoom, format!("The inventory has no room for what {label} drops.")));
        }
        let has_wall = {
            let kept = self.kept_stones();
            self.wall_block(kept).is_some()
        };
        let digging = |it: &mut Self, pos| it.cell(pos).digging.map_or(0, |digging| digging.ticks(hand));
        let mut candidates = Vec::new();
        for (pos, item) in roomy {
            let breaking = digging(self, pos);
            let rest = self.resting_place(pos).filter(|rest| pos.y - rest.y <= DROP);
            let lost = rest.is_none() && !(has_wall && self.cell(pos.down()).replaceable);
            candidates.push(Candidate {
                pos,
                item,
                rest: rest.unwrap_or(pos),
                breaking,
                longer: u32::from(lost) * LOSS,
            });
        }
        let least = candidates.iter().map(|candidate| candidate.breaking).min().unwrap_or(0);
        for candidate in &mut candidates {
            candidate.longer += candidate.breaking - least;
        }
        Ok(candidates)
    }

    /// The nearest blocks of a resource that may be mined, nearest first, and the nearest dry ones, if some are under
    /// water. Blocks marked as unreachable are listed only if there are no others.
    fn visible(&mut self, resource: Resource) -> Vec<(BlockPos, Block)> {
        // Walls built in this action stay.
        let (within, walls) = (self.within, self.walls.clone());
        let counts = |pos, block| resource.is(block) && within.contains(pos) && !walls.contains(&pos);
        let mut found = self.in_sight(resource.kind(), counts);
        let hopeless = found.first().is_some_and(|(unreachable, ..)| *unreachable);
        found.retain(|(unreachable, ..)| hopeless || !unreachable);
        let farther = found.split_off(found.len().min(KEPT));
        let mut is_dry = |pos: BlockPos| pos.neighbours().into_iter().any(|beside| self.cell(beside).is_airy());
        if !found.iter().all(|(_, _, pos, _)| is_dry(*pos)) {
            found.extend(farther.into_iter().filter(|(_, _, pos, _)| is_dry(*pos)).take(KEPT));
        }
        found.into_iter().map(|(_, _, pos, block)| (pos, block)).collect()
    }

    /// The blocks in sight that count, each with its distance: nearest first, and those marked as unreachable last.
    pub(super) fn in_sight(
        &mut self,
        kind: VisibleKind,
        counts: impl Fn(BlockPos, Block) -> bool,
    ) -> Vec<(bool, f64, BlockPos, Block)> {
        let (eyes, state) = (self.eyes(), &self.state);
        let mut found: Vec<(bool, f64, BlockPos, Block)> = Vec::new();
        self.body.land().visit_visible(eyes, self.limits.sight, kind, |pos, block, distance| {
            if counts(pos, block) {
                found.push((state.memory.is_unreachable(pos), distance, pos, block));
            }
        });
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        found
    }

    /// Breaks a block within reach that drops itself, and picks it up.
    pub(super) async fn take_block(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure> {
        let target = Candidate { pos, item, rest: pos, breaking: 0, longer: 0 };
        self.take(target, item.name()).await.map(drop)
    }

    /// Breaks the block within reach and picks up the one item it drops.
    async fn take(&mut self, target: Candidate, label: &str) -> Result<String, Failure> {
        let Candidate { pos, item, .. } = target;
        self.body.set_activity(PlayerActivity::Breaking);
        for cell in self.obstructions(pos).unwrap_or_default() {
            self.clear(cell).await?;
        }
        // A hole below is closed first, or the drop would fall into it.
        let low = pos.y.min(self.body.feet().y);
        if self.resting_place(pos).is_none_or(|rest| low - rest.y > NEAR) && self.wall_off(pos.down()).await? {
            self.note(format!("The hole below {pos} is closed."));
            self.body.set_activity(PlayerActivity::Breaking);
        }
        let inventory = self.body.inventory();
        let slot = inventory.selected();
        let tool = inventory.hand().filter(|stack| stack.item.durability() > 0);
        let dropped =
            self.body.dig(pos, tool.map_or(Tool::Bare, |_| Tool::Slot(slot)), DigPurpose::CollectDrop).await?;
        if dropped != Some(item) {
            return Err(Failure::new(Code::DropLost, format!("The {label} was gone before it could be mined.")));
        }
        let danger = self.stop_flow(pos).await;
        self.body.settle().await?;
        let lost = |why: &str| Failure::new(Code::DropLost, format!("The {} {why}.", item.name()));
        let mut rest = self.resting_place(pos).ok_or_else(|| lost("fell into lava"))?;
        // Leaves that hold up the drop are removed.
        while self.cell(rest.down()).leaves && self.obstructions(rest.down()).is_some() {
            self.clear(rest.down()).await?;
            rest = self.resting_place(rest).ok_or_else(|| lost("fell into lava"))?;
        }
        danger?;
        while !is_at_hand(self.body.feet(), rest) {
            match self.go(rest, None, &mut |_, feet| is_at_hand(feet, rest)).await {
                Err(failure) if failure.code == Code::Unreachable && self.is_on_a_tree(rest) => {
                    // The drop lies on the rest of the trunk, where the player cannot stand.
                    self.clear(rest.down()).await?;
                    rest = self.resting_place(rest).ok_or_else(|| lost("fell into lava"))?;
                }
                went => {
                    went.map_err(|failure| failure.said(Code::Unreachable, || lost("is out of reach")))?;
                    break;
                }
            }
        }
        self.pick_up(item, rest).await?;
        let held = self.body.inventory().hand().map(|stack| stack.item);
        let broke = tool.filter(|tool| held != Some(tool.item));
        Ok(match broke {
            Some(tool) => format!("Mined 1 {}. The {} broke.", item.name(), tool.item.name()),
            None => format!("Mined 1 {}.", item.name()),
        })
    }

    /// Picks up a drop, and follows it: water may carry it away, or it lies behind a corner or in a hollow.
    async fn pick_up(&mut self, item: Item, mut rest: BlockPos) -> Result<(), Failure> {
        for _ in 0..FOLLOWS {
            self.body.set_activity(PlayerActivity::PickingUp);
            let failure = match self.body.pick_up(item, rest).await {
                Err(failure) if failure.code == Code::DropLost => failure,
                picked => return picked,
            };
            rest = self.body.lying(item, rest).unwrap_or(rest);
            let feet = self.body.feet();
            if feet == rest {
                return Err(failure);
            }
            self.note(format!("Follows the {} to {rest}.", item.name()));
            let close = is_at_hand(feet, rest);
            let there = &mut |_: &mut B::Land, feet| if close { feet == rest } else { is_at_hand(feet, rest) };
            let went = self.go(rest, None, there).await;
            went.map_err(|other| other.said(Code::Unreachable, || failure))?;
        }
        self.body.pick_up(item, rest).await
    }

    /// The blocks between the player and a block; `None` if it is out of reach. See [`touch`].
    fn obstructions(&mut self, target: BlockPos) -> Option<Vec<BlockPos>> {
        let feet = self.body.feet();
        touch(self.body.land(), feet, target)
    }

    /// Returns whether a drop that rests here lies on a tree, within reach.
    fn is_on_a_tree(&mut self, rest: BlockPos) -> bool {
        let below = self.cell(rest.down());
        (below.leaves || below.reluctance == DigReluctance::Wood) && self.obstructions(rest.down()) == Some(Vec::new())
    }

    /// The cell in which an item dropped at a cell comes to rest: on a firm block, or at the surface of water, where it
    /// rises. `None` if it falls into lava.
    fn resting_place(&mut self, mut cell: BlockPos) -> Option<BlockPos> {
        loop {
            let below = self.cell(cell.down());
            match self.cell(cell).space {
                Space::Lava => return None,
                // An opened cell under water fills at once.
                _ if self.cell(cell.up()).space == Space::Water => {
                    while self.cell(cell.up()).space == Space::Water {
                        cell = cell.up();
                    }
                    return Some(cell);
                }
                Space::Water => return Some(cell),
                _ if below.is_firm() => return Some(cell),
                _ => cell = cell.down(),
            }
        }
    }
}

/// A block that may be mined.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    pos: BlockPos,
    /// The drop, and the cell in which it comes to rest.
    item: Item,
    rest: BlockPos,
    /// The ticks to break it, and the additional ticks compared with the cheapest candidate, including the price of a
    /// drop that may be lost.
    breaking: u32,
    longer: u32,
}

impl Candidate {
    /// The estimated ticks from here, beyond the minimum breaking time: digging away obstructions, breaking the block,
    /// and fetching the drop. `None` if it is out of reach.
    fn work(&self, land: &mut impl Land, feet: BlockPos, tool: Option<Item>) -> Option<u32> {
        let obstructions = touch(land, feet, self.pos)?;
        // A swimming body is up to one block above its cell.
        let afloat = land.cell(feet).space == Space::Water && !land.cell(feet.down()).is_floor();
        if afloat && touch(land, feet.up(), self.pos).is_none() || !path::has_breath(land, feet, self.breaking) {
            return None;
        }
        let slower = path::hindrance(land, feet);
        let mut clear = |pos: BlockPos| land.cell(pos).digging.map_or(0, |digging| digging.ticks(tool));
        let cleared = slower * obstructions.iter().map(|block| clear(*block)).sum::<u32>();
        let ticks = self.longer + cleared + (slower - 1) * self.breaking;
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

/// Finds stone beside a player's feet or head that drops an item to this tool. Digging it lets nothing in, the breath
/// suffices, and its drop stays there.
fn stone_at_hand(land: &mut impl Land, feet: BlockPos, hand: Option<Item>, walls: &[BlockPos]) -> Option<Candidate> {
    let beside = sides(feet).into_iter().flat_map(|side| [side, side.up()]);
    beside.filter(|pos| !walls.contains(pos)).find_map(|pos| {
        let cell = land.cell(pos);
        let item = cell.block.filter(|block| block.is_stone())?.drop_for(hand)?;
        let breaking = cell.digging?.ticks(hand);
        let afloat = land.cell(feet).space == Space::Water && !land.cell(feet.down()).is_floor();
        let works =
            !afloat && may_open(land, pos) && land.cell(pos.down()).is_firm() && path::has_breath(land, feet, breaking);
        works.then_some(Candidate { pos, item, rest: pos, breaking, longer: 0 })
    })
}

/// Returns whether a body at `feet` picks up an item at `rest` without moving.
pub(crate) fn is_at_hand(feet: BlockPos, rest: BlockPos) -> bool {
    (feet.x - rest.x).abs() <= 1 && (feet.z - rest.z).abs() <= 1 && (0..=2).contains(&(rest.y - feet.y))
}

/// Returns whether two blocks can belong to one vein.
fn is_beside(a: BlockPos, b: BlockPos) -> bool {
    (a.x - b.x).abs().max((a.y - b.y).abs()).max((a.z - b.z).abs()) <= 3
}
