//! Wear: the choice of tools for tunnels, and their remaining uses.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use super::Executor;
use super::travel::Aim;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::items::{Item, Tier};
use crate::land::Land;
use crate::observation::BlockPos;
use crate::path::{self, PathRules, Plan};
use crate::sight::Sight;

/// The uses that tunnelling leaves on the tool in the hand: for one that mines diamonds, and for one that is soon
/// replaced.
const RESERVE: (u32, u32) = (16, 6);
/// The total uses of better pickaxes below which a wooden one digs tunnels instead.
const SCARCE: u32 = 40;
/// The number of blocks dug by hand above which making another pickaxe saves time: it takes about a minute.
const BY_HAND: u32 = 8;

/// The uses of a tool that tunnelling leaves.
fn reserve(item: Item, in_hand: bool) -> u32 {
    match item.pickaxe() {
        _ if !in_hand => 1,
        Some(tier) if tier >= Tier::Iron => RESERVE.0,
        _ => RESERVE.1,
    }
}

impl<B: Body> Executor<'_, B> {
    /// The inventory slot of the tool for tunnels: a pickaxe with more than one use left, or more than a reserve if it
    /// is in the hand; otherwise the bare hand. So no tool breaks in a tunnel. A player that sees through rock knows
    /// the end of the tunnel and takes the best pickaxe, as does one that digs for air. A player that must search takes
    /// a stone pickaxe, then a better one. A wooden pickaxe takes twice as long and comes last, but first if the others
    /// have few uses left, since ore needs those.
    pub(super) fn tunnel_slot(&mut self) -> Option<(usize, Item)> {
        let best = self.limits.sight == Sight::Loaded || self.gasps;
        let inventory = self.body.inventory();
        let hand = inventory.selected();
        let fit = inventory.tools().filter(|(slot, stack, left)| *left > reserve(stack.item, *slot == hand));
        let ranked = fit.map(|(slot, stack, _)| (slot == hand, stack.item.pickaxe(), slot, stack.item));
        let chosen = if best {
            ranked.min_by_key(|(in_hand, tier, slot, _)| (Reverse(*tier), *in_hand, *slot))
        } else {
            let better = inventory.tools().filter(|(_, stack, _)| stack.item.pickaxe() >= Some(Tier::Stone));
            let scarce = better.map(|(_, _, left)| left).sum::<u32>() < SCARCE;
            ranked.min_by_key(|(in_hand, tier, slot, _)| (!scarce && *tier < Some(Tier::Stone), *tier, *in_hand, *slot))
        };
        chosen.map(|(_, _, slot, item)| (slot, item))
    }

    /// The number of blocks that the tools for tunnels can dig before only the bare hand is left.
    pub(super) fn tunnel_uses(&mut self) -> u32 {
        let inventory = self.body.inventory();
        let hand = inventory.selected();
        inventory.tools().map(|(slot, stack, left)| left.saturating_sub(reserve(stack.item, slot == hand))).sum()
    }

    /// The number of blocks along a path that use up a pickaxe.
    pub(super) fn uses(&mut self, start: BlockPos, way: &[BlockPos]) -> u32 {
        let land = self.body.land();
        let steps = std::iter::once(&start).chain(way).zip(way);
        // Steps share cells: a shaft passes each cell three times.
        let mut seen = FxHashSet::default();
        let digs = |pos: &BlockPos| {
            let cell = land.cell(*pos);
            !cell.is_free() && cell.digging.is_some_and(|digging| digging.pickaxe) && seen.insert(*pos)
        };
        steps.flat_map(|(from, to)| path::passage(*from, *to)).filter(digs).count() as u32
    }

    /// The plan, if the carried tools can dig everything on it; otherwise a plan that spares them. Blocks without a
    /// tool take the time of a bare hand.
    pub(super) fn within_uses(&mut self, plan: Plan, rules: PathRules<'_>, aim: &mut Aim<'_, B::Land>) -> Plan {
        let (start, left) = (self.body.feet(), self.tunnel_uses());
        let uses = self.uses(start, &plan.way);
        if uses <= left {
            return plan;
        }
        let spared = self.best(PathRules { wear: path::BY_HAND, ..rules }, aim);
        let fewer = self.uses(start, &spared.way);
        self.note(format!("That digs {uses} blocks with {left} uses of tools left; another way digs {fewer}."));
        let (plan, uses) = if spared.arrives && fewer < uses { (spared, fewer) } else { (plan, uses) };
        Plan { ticks: plan.ticks.saturating_add(uses.saturating_sub(left) * path::BY_HAND), ..plan }
    }

    /// Checks that a plan does not dig much by hand, while the player carries the materials of another pickaxe. A path
    /// to the table for that pickaxe is exempt.
    ///
    /// # Errors
    /// [`Code::WrongTool`].
    pub(super) fn spare_the_hand(&mut self, plan: &Plan) -> Result<(), Failure> {
        let start = self.body.feet();
        let by_hand = self.uses(start, &plan.way).saturating_sub(self.tunnel_uses());
        if by_hand <= BY_HAND || self.approaching || !self.can_make_a_pickaxe() {
            return Ok(());
        }
        let why = format!("The way there digs {by_hand} blocks by hand: craft another pickaxe first.");
        Err(Failure::new(Code::WrongTool, why))
    }
}
