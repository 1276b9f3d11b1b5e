//! Travel: plans paths, follows them, and plans again from their ends, as long as that brings the player nearer.

use rustc_hash::FxHashSet;

use super::Executor;
use super::steps::Followed;
use super::walls::{FURNACE_AND_PICKAXE, quarry};
use crate::body::{Body, SHORT_OF_BREATH};
use crate::failure::{Code, Failure};
use crate::items::{Item, Tier};
use crate::land::Land;
use crate::observation::BlockPos;
use crate::path::{self, PathRules, PathTool, Plan, Step};
use crate::player::MAX_AIR;
use crate::sight::distance;

/// The number of blocks dug on a path above which climbing on blocks under the feet may be better: two steps of stairs.
const STAIRS: u32 = 6;
/// The maximum number of paths that may collapse on one journey.
const COLLAPSES: u32 = 8;
/// The maximum number of times that a body may turn back for air on one journey.
const DIVES: u32 = 1;
/// The minimum gain of a path that does not arrive, in ticks.
const GAIN: u32 = 15;
/// The factor by which a journey may exceed the time of its first plan, and the ticks added to it.
const OVERTIME: (u64, u64) = (3, 600);

/// The end of a journey.
pub(super) struct Aim<'a, L> {
    /// The places towards which paths are searched.
    pub toward: &'a [BlockPos],
    /// The blocks that paths must not change.
    pub keep: &'a [BlockPos],
    /// The maximum ticks of a plan.
    pub most: u32,
    /// The ticks of the work at a place, if it is possible there; see [`path::best`].
    pub arrived: &'a mut dyn FnMut(&mut L, BlockPos) -> Option<u32>,
}

/// A journey under way.
#[derive(Default)]
struct Journey {
    /// Steps that turned out to be impossible.
    barred: Vec<Step>,
    plans: u32,
    collapses: u32,
    /// The number of times the body has turned back for air.
    dives: u32,
    /// The smallest estimate of ticks left at the end of a followed path; `None` before the first.
    nearest: Option<u32>,
    /// The tick at which the journey fails; `None` before the first plan that arrives.
    latest: Option<u64>,
}

impl<B: Body> Executor<'_, B> {
    /// Goes to the first place that `arrived` accepts, digging if necessary, but never through the block to `keep`.
    ///
    /// # Errors
    /// [`Code::Unreachable`] if no path is found, with the attempts; failures that end the action.
    pub(super) async fn go(
        &mut self,
        toward: BlockPos,
        keep: Option<BlockPos>,
        arrived: &mut dyn FnMut(&mut B::Land, BlockPos) -> bool,
    ) -> Result<(), Failure> {
        let arrived = &mut |land: &mut B::Land, pos| arrived(land, pos).then_some(0);
        self.go_where(Aim { toward: &[toward], keep: keep.as_slice(), most: u32::MAX, arrived }).await
    }

    /// As [`Self::go`], if a plan of at most `most` ticks leads there.
    ///
    /// # Errors
    /// As [`Self::go`]; also [`Code::Unreachable`] if every plan takes longer.
    pub(super) async fn go_within(
        &mut self,
        most: u32,
        toward: BlockPos,
        arrived: &mut dyn FnMut(&mut B::Land, BlockPos) -> bool,
    ) -> Result<(), Failure> {
        let arrived = &mut |land: &mut B::Land, pos| arrived(land, pos).then_some(0);
        self.go_where(Aim { toward: &[toward], keep: &[], most, arrived }).await
    }

    /// Goes to the place where walking and work together take about the fewest ticks. If no plan arrives, it goes as
    /// far as a plan leads and plans again from there: more land may be loaded, or the search may now reach the end.
    ///
    /// # Errors
    /// As [`Self::go`].
    pub(super) async fn go_where(&mut self, mut aim: Aim<'_, B::Land>) -> Result<(), Failure> {
        let mut journey = Journey::default();
        self.breathless = false;
        loop {
            self.body.go_on()?;
            if self.body.vitals().air < SHORT_OF_BREATH {
                self.breathe_if_needed().await;
            }
            let mut plan = self.plan(&mut aim, &journey.barred);
            journey.plans += 1;
            self.trace_plan(&plan, aim.toward);
            if plan.arrives && plan.way.is_empty() {
                return Ok(());
            }
            self.spare_the_hand(&plan)?;
            let mut worth = self.is_worth(&plan, aim.most, &mut journey);
            if worth.is_err()
                && !plan.arrives
                && let Some(bridged) = self.plan_bridges(&mut aim, &journey.barred)
            {
                plan = bridged;
                worth = self.is_worth(&plan, aim.most, &mut journey);
            }
            if let Err(why) = worth {
                let end = plan.way.last().copied().unwrap_or_else(|| self.body.feet());
                let nearest = aim.toward.iter().min_by_key(|aim| end.squared_distance(**aim));
                self.attractor = nearest.copied().filter(|_| !plan.exhaustive);
                return Err(self.gave_up(aim.toward, &journey, why));
            }
            let mut followed = self.follow(&plan.way).await;
            if let Err(failure) = &followed
                && !failure.code.ends_action()
                && self.head_in_water()
            {
                let why = failure.message.clone();
                journey.dives += u32::from(std::mem::take(&mut self.breathless));
                followed = self.breathe().await.map(|()| Followed::Collapsed(why));
            }
            match followed {
                Ok(Followed::ToTheEnd) if plan.arrives => return Ok(()),
                Ok(Followed::ToTheEnd) => journey.nearest = Some(plan.left),
                Ok(Followed::OutOfBreath) => journey.dives += 1,
                Err(failure) if failure.code.ends_action() => return Err(failure),
                Ok(Followed::Collapsed(why)) | Err(Failure { message: why, .. }) => {
                    let feet = self.body.feet();
                    self.note(format!("The way ends at {feet}: {why}"));
                    journey.collapses += 1;
                    self.bar(&plan.way, &mut journey.barred);
                }
            }
        }
    }

    /// The best plan with the tool for tunnels. Rock is dug by hand, and a harmful drop taken, only if no other plan
    /// leads to the end.
    fn plan(&mut self, aim: &mut Aim<'_, B::Land>, barred: &[Step]) -> Plan {
        let any = self.rules(aim.keep, barred);
        let dig = any.dig.map(|tool| PathTool { rock: tool.tier > Tier::Hand, ..tool });
        let rules = PathRules { dig, ..any };
        let plan = self.raised(rules, aim);
        if plan.arrives && dig.is_some_and(|tool| tool.rock) {
            return self.within_uses(plan, rules, aim);
        }
        if plan.arrives || dig == any.dig {
            return plan;
        }
        let by_hand = self.raised(any, aim);
        if by_hand.arrives { by_hand } else { plan }
    }

    /// The best plan from here.
    pub(super) fn best(&mut self, rules: PathRules<'_>, aim: &mut Aim<'_, B::Land>) -> Plan {
        let start = self.body.feet();
        path::best(self.body.land(), rules, start, aim.toward, aim.arrived)
    }

    /// The best plan, or a faster one that climbs on blocks placed under the feet, if the end is higher and the blocks
    /// suffice. They are not searched for if the plan arrives with little digging, because the upward search space is
    /// unbounded.
    fn raised(&mut self, rules: PathRules<'_>, aim: &mut Aim<'_, B::Land>) -> Plan {
        let plan = self.best(rules, aim);
        let start = self.body.feet();
        let climbs = aim.toward.iter().any(|aim| aim.y > start.y + 1);
        if !climbs || plan.arrives && self.uses(start, &plan.way) < STAIRS {
            return plan;
        }
        let raised = self.best(PathRules { pillar: true, ..rules }, aim);
        let better = raised.arrives && (!plan.arrives || raised.ticks < plan.ticks);
        if better && self.has_blocks_for(start, &raised.way) { raised } else { plan }
    }

    /// Returns whether the carried blocks, those dug on the path, and those that its tools can dig out of the wall
    /// beside it suffice for the blocks placed under the feet.
    fn has_blocks_for(&mut self, start: BlockPos, way: &[BlockPos]) -> bool {
        let mut spare = self.tunnel_uses().saturating_sub(self.uses(start, way));
        let mut blocks = self.wall_blocks(FURNACE_AND_PICKAXE);
        let tool = self.tunnel_slot().map(|(_, item)| item);
        let land = self.body.land();
        let mut seen = FxHashSet::default();
        for (from, to) in std::iter::once(&start).chain(way).zip(way) {
            for pos in path::passage(*from, *to).filter(|pos| seen.insert(*pos)) {
                let cell = land.cell(pos);
                let drop = cell.block.filter(|_| !cell.is_free()).and_then(|block| block.drop_for(tool));
                blocks += u32::from(drop.is_some_and(Item::walls_off));
            }
            if !path::needs_pillar(land, *from, *to) {
                continue;
            }
            if blocks > 0 {
                blocks -= 1;
            } else if spare > 0 && tool.is_some_and(|tool| quarry(land, tool, *from, way).is_some()) {
                spare -= 1;
            } else {
                return false;
            }
        }
        true
    }

    /// A plan that arrives over floors laid from carried blocks; `None` if there is no such plan.
    fn plan_bridges(&mut self, aim: &mut Aim<'_, B::Land>, barred: &[Step]) -> Option<Plan> {
        let kept = self.kept_stones();
        let (start, blocks) = (self.body.feet(), self.wall_blocks(kept) as usize);
        if blocks == 0 {
            return None;
        }
        let rules = PathRules { bridge: true, ..self.rules(aim.keep, barred) };
        let plan = self.best(rules, aim);
        let land = self.body.land();
        let steps = std::iter::once(&start).chain(&plan.way).zip(&plan.way);
        let floors = steps.filter(|(from, to)| path::needs_floor(land, **from, **to)).count();
        self.note(format!(
            "A plan over {floors} blocks laid as floors {}.",
            if plan.arrives { "arrives" } else { "fails" }
        ));
        (plan.arrives && floors <= blocks).then_some(plan)
    }

    /// The rules of a path that may dig every block that its tool can dig, including rock by hand.
    pub(super) fn rules<'a>(&mut self, keep: &'a [BlockPos], barred: &'a [Step]) -> PathRules<'a> {
        let tier = self.tunnel_slot().and_then(|(_, item)| item.pickaxe()).unwrap_or(Tier::Hand);
        let dig = Some(PathTool { tier, rock: true });
        let drop = path::DROP + (self.body.vitals().health as i32 - self.keeps_health).max(0);
        let dived = if self.head_in_water() { MAX_AIR - self.body.vitals().air.min(MAX_AIR) } else { 0 };
        PathRules {
            dig,
            within: self.within,
            keep,
            barred,
            max_nodes: self.limits.max_path_nodes,
            drop,
            bridge: false,
            pillar: false,
            dive: path::DIVE,
            dived,
            submerged: self.submerged,
            work: self.work,
            wear: path::WEAR,
        }
    }

    /// Checks that a plan is worth following; the error is the reason that it is not.
    fn is_worth(&mut self, plan: &Plan, most: u32, journey: &mut Journey) -> Result<(), &'static str> {
        let now = self.body.tick();
        if journey.collapses > COLLAPSES {
            return Err("every way tried turned out to be blocked");
        }
        if journey.dives > DIVES {
            return Err("breath does not last for the way under water");
        }
        if plan.ticks > most {
            return Err("the way takes too long");
        }
        if plan.arrives {
            let latest = *journey.latest.get_or_insert(now + OVERTIME.0 * u64::from(plan.ticks) + OVERTIME.1);
            // In a long plan, the prices of risk and wear make up about half of the ticks.
            let too_long = self.body.ticks_left().is_some_and(|left| u64::from(plan.ticks) / 2 > left);
            return match (now > latest, too_long) {
                (true, _) => Err("the way took much longer than planned"),
                (_, true) => Err("the way takes longer than the action may"),
                _ => Ok(()),
            };
        }
        let nearer = journey.nearest.is_none_or(|nearest| plan.left + GAIN <= nearest);
        match (plan.exhaustive, nearer && !plan.way.is_empty()) {
            (true, _) => Err("all ways on are closed off"),
            (_, true) => Ok(()),
            _ => Err("no plan led nearer"),
        }
    }

    /// Bars the step of a path at which the player now stands.
    fn bar(&mut self, way: &[BlockPos], barred: &mut Vec<Step>) {
        let feet = self.body.feet();
        let next = match way.iter().position(|place| *place == feet) {
            Some(at) => way.get(at + 1),
            None => way.first(),
        };
        barred.extend(next.map(|next| (feet, *next)));
    }

    /// The failure of a journey.
    fn gave_up(&mut self, toward: &[BlockPos], journey: &Journey, why: &str) -> Failure {
        let eyes = self.eyes();
        let left = toward.iter().map(|aim| distance(eyes, *aim)).fold(f64::INFINITY, f64::min);
        let plans = match journey.plans {
            1 => "1 plan".to_owned(),
            plans => format!("{plans} plans"),
        };
        let message = format!("Stopped {left:.0} blocks away after {plans}: {why}.");
        self.note(&message);
        Failure::new(Code::Unreachable, message)
    }
}
