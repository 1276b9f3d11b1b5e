//! Breath: limits the time under water, and brings the body up for air.

use super::Executor;
use crate::activity::PlayerActivity;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::land::{Land, Space};
use crate::observation::BlockPos;
use crate::path::{self, PathRules, STROKE};
use crate::player::MAX_AIR;

/// The ticks of air that a dive keeps as a reserve.
const KEPT: u32 = 30;
/// The maximum number of paths up to air that may turn out to be flooded.
const FLOODED: u32 = 4;
/// The maximum number of places in a search for a path up to air.
const FOR_AIR: usize = 4000;
/// The ticks between two checks of the breath while it recovers.
const BREATH: u64 = 10;
/// The maximum number of such checks: a full breath takes 75 ticks.
const BREATHS: u32 = 24;
/// The number of checks without gain after which the place counts as flooded.
const GASPS: u32 = 2;

impl<B: Body> Executor<'_, B> {
    /// For each place of a path, the ticks of air that the body needs there to continue: enough to reach the nearest
    /// air straight up, back, or onward along the path. Empty for a path without a dive.
    pub(super) fn breath_for(&mut self, way: &[BlockPos]) -> Vec<u32> {
        let wet: Vec<bool> = way.iter().map(|place| self.cell(place.up()).space == Space::Water).collect();
        if !wet.contains(&true) {
            return Vec::new();
        }
        let steps_to_air = |from: u32, step: &mut dyn Iterator<Item = bool>| -> Vec<u32> {
            let count = |away: &mut u32, wet| {
                *away = if wet { away.saturating_add(1) } else { 0 };
                Some(*away)
            };
            step.scan(from, count).collect()
        };
        let back = steps_to_air(self.submerged, &mut wet.iter().copied());
        let onward = steps_to_air(u32::MAX, &mut wet.iter().rev().copied());
        let mut needed = Vec::with_capacity(way.len());
        for (at, place) in way.iter().enumerate() {
            let up = path::water_above(self.body.land(), *place).unwrap_or(u32::MAX);
            let nearest = up.min(back[at]).min(onward[way.len() - 1 - at]);
            needed.push(if wet[at] { KEPT.saturating_add(STROKE.saturating_mul(nearest)) } else { 0 });
        }
        needed
    }

    /// Counts the steps from the last place with air, after steps along a path.
    pub(super) fn note_dive(&mut self, way: &[BlockPos]) {
        for place in way {
            let wet = self.cell(place.up()).space == Space::Water;
            self.submerged = if wet { self.submerged + 1 } else { 0 };
        }
    }

    /// Comes up for air and recovers the breath: through water if that leads to air, otherwise by digging up with the
    /// best pickaxe, even if the breath does not suffice.
    pub(super) async fn breathe(&mut self) -> Result<(), Failure> {
        let mut risen = Ok(());
        for _ in 0..FLOODED {
            risen = self.rise().await;
            if risen.as_ref().is_err_and(|failure| failure.code.ends_action()) {
                return risen;
            }
            if self.catch_breath().await? {
                return Ok(());
            }
        }
        risen
    }

    /// Waits until the breath has recovered. Returns `false` if there is no air here after all. A floating body bobs,
    /// so its head may seem to be under water for a moment; the check therefore looks at the gain of breath.
    async fn catch_breath(&mut self) -> Result<bool, Failure> {
        self.body.set_activity(PlayerActivity::Breathing);
        let mut air = self.body.vitals().air;
        let mut without = 0;
        for _ in 0..BREATHS {
            let above = self.body.feet().offset(0, 2, 0);
            if air >= MAX_AIR || without == GASPS || self.head_in_water() && !self.cell(above).is_airy() {
                break;
            }
            self.body.wait(BREATH).await?;
            let now = self.body.vitals().air;
            without = if now > air { 0 } else { without + 1 };
            air = now;
        }
        Ok(air >= MAX_AIR)
    }

    /// Comes up for air if the head is under water and a path to air exists.
    pub(super) async fn breathe_if_needed(&mut self) {
        if self.head_in_water() && self.breathe().await.is_err() {
            self.note("There is no way to air.");
        }
    }

    /// Follows one path up to air.
    async fn rise(&mut self) -> Result<(), Failure> {
        let start = self.body.feet();
        let up = start.offset(0, 16, 0);
        let mut airy = |land: &mut B::Land, pos: BlockPos| land.cell(pos.up()).is_airy().then_some(0);
        let within = self.within.for_air();
        let any =
            PathRules { within, max_nodes: FOR_AIR, drop: path::DROP, dive: u32::MAX, work: 0, ..self.rules(&[], &[]) };
        let mut to_air = path::best(self.body.land(), PathRules { dig: None, ..any }, start, &[up], &mut airy);
        self.gasps = !to_air.arrives;
        if self.gasps {
            // Cells opened beside or below fill with water. The best pickaxe digs.
            let mut above = |land: &mut B::Land, pos: BlockPos| airy(land, pos).filter(|_| pos.y > start.y);
            let rules = PathRules { dig: self.rules(&[], &[]).dig, ..any };
            to_air = path::best(self.body.land(), rules, start, &[up], &mut above);
        }
        let surface =
            to_air.way.last().map(|end| format!("{} for air at {end}.", if self.gasps { "Digs up" } else { "Up" }));
        surface.into_iter().for_each(|said| self.note(said));
        let risen = self.follow_up(&to_air.way).await;
        self.gasps = false;
        risen
    }

    /// Follows a path up to air, without stopping while it is clear.
    async fn follow_up(&mut self, way: &[BlockPos]) -> Result<(), Failure> {
        let mut done = 0;
        while done < way.len() {
            let walked = self.walk(&way[done..], &[]).await?;
            done += walked;
            if walked == 0 {
                return Err(Failure::new(Code::NoWay, "The way there is not free."));
            }
            if !self.is_at(way[done - 1]) {
                break;
            }
        }
        Ok(())
    }

    /// Returns whether the body has enough air here to dig for a time (in ticks out of water) and to return to air.
    pub(super) fn has_breath_for(&mut self, ticks: u32) -> bool {
        let (feet, air, back) = (self.body.feet(), self.body.vitals().air, self.submerged);
        path::lasts(self.body.land(), feet, ticks, air, back)
    }

    /// Returns whether the body is at a place, or floats one cell above it.
    pub(super) fn is_at(&mut self, place: BlockPos) -> bool {
        let feet = self.body.feet();
        feet == place || feet == place.up() && self.cell(place).space == Space::Water
    }
}
