//! Steps: walks along a way, and digs through what is in it.

use super::Executor;
use crate::activity::{DigDirection, PlayerActivity};
use crate::body::{Body, DigPurpose, SHORT_OF_BREATH, Tool};
use crate::failure::{Code, Failure};
use crate::land::{Land, Space};
use crate::observation::BlockPos;
use crate::path::{self, PathRules};
use crate::player::MAX_AIR;

/// The number of times a cell is dug again when sand or gravel falls into it.
const REFILLS: u32 = 24;
/// The number of ways up to air that may turn out to be flooded.
const FLOODED: u32 = 4;
/// The places that are searched for a way up to air.
const FOR_AIR: usize = 4000;

impl<B: Body> Executor<'_, B> {
    /// Follows a way to its end; otherwise says why it ends before, so that another must be found.
    pub(super) async fn follow(&mut self, path: &[BlockPos]) -> Result<Option<String>, Failure> {
        let mut done = 0;
        while done < path.len() {
            self.lay_floor(path[done]).await?;
            let walked = self.walk(&path[done..]).await?;
            if walked == 0 {
                return Ok(Some(format!("no step to {}", path[done])));
            }
            done += walked;
            if self.head_in_water() && self.body.vitals().air < SHORT_OF_BREATH {
                self.breathe().await?;
            }
            if self.body.feet() != path[done - 1] {
                return Ok(Some(format!("a step to {} did not end there", path[done - 1])));
            }
        }
        Ok(None)
    }

    /// Comes up for air and gets its breath back: through water if that leads to air, otherwise by digging up with the best
    /// pickaxe, whether or not the breath suffices.
    pub(super) async fn breathe(&mut self) -> Result<(), Failure> {
        let mut risen = Ok(());
        for _ in 0..FLOODED {
            risen = self.rise().await;
            if !self.head_in_water() || risen.as_ref().is_err_and(|failure| failure.code.ends_action()) {
                break;
            }
        }
        risen?;
        self.body.set_activity(PlayerActivity::Breathing);
        while !self.head_in_water() && self.body.vitals().air < MAX_AIR {
            self.body.wait(10).await?;
        }
        Ok(())
    }

    /// Comes up for air if the head is under water and there is a way.
    pub(super) async fn breathe_if_needed(&mut self) {
        if self.head_in_water() && self.breathe().await.is_err() {
            self.note("There is no way to air.");
        }
    }

    /// One way up to air.
    async fn rise(&mut self) -> Result<(), Failure> {
        let start = self.body.feet();
        let up = start.offset(0, 16, 0);
        let mut airy = |land: &mut B::Land, pos: BlockPos| land.cell(pos.up()).is_airy().then_some(0);
        let rules = PathRules { dig: None, max_nodes: FOR_AIR, drop: path::DROP, ..self.rules(&[], &[]) };
        let mut to_air = path::best(self.body.land(), rules, start, &[up], &mut airy);
        self.gasps = !to_air.arrives;
        if self.gasps {
            // What is opened beside or below fills with water.
            let mut above = |land: &mut B::Land, pos: BlockPos| airy(land, pos).filter(|_| pos.y > start.y);
            let rules = PathRules { max_nodes: FOR_AIR, drop: path::DROP, ..self.rules(&[], &[]) };
            to_air = path::best(self.body.land(), rules, start, &[up], &mut above);
        }
        let surface =
            to_air.way.last().map(|end| format!("{} for air at {end}.", if self.gasps { "Digs up" } else { "Up" }));
        surface.into_iter().for_each(|said| self.note(said));
        let mut risen = Ok(());
        for to in to_air.way {
            risen = self.step(to).await;
            if risen.is_err() || self.body.feet() != to {
                break;
            }
        }
        self.gasps = false;
        risen
    }

    /// Whether the body has enough air where it is to dig for a time (in ticks out of water).
    fn has_breath_for(&mut self, ticks: u32) -> bool {
        let (feet, air) = (self.body.feet(), self.body.vitals().air);
        path::lasts(self.body.land(), feet, ticks, air)
    }

    /// One step to a neighbouring place, digging what is in the way.
    pub(super) async fn step(&mut self, to: BlockPos) -> Result<(), Failure> {
        match self.walk(&[to]).await? {
            0 => Err(Failure::new(Code::NoWay, "The way there is not free.")),
            _ => Ok(()),
        }
    }

    /// Clears the first step, then walks it and the following steps that need no digging. Returns the number of steps.
    async fn walk(&mut self, way: &[BlockPos]) -> Result<usize, Failure> {
        let Some(first) = way.first() else { return Ok(0) };
        let feet = self.body.feet();
        let swims = self.cell(*first).is_fluid();
        let mut doing = if swims { PlayerActivity::Swimming } else { PlayerActivity::Walking };
        for cell in path::passage(feet, *first) {
            if !self.cell(cell).is_free() {
                doing = PlayerActivity::Digging(DigDirection::of(feet, *first));
                self.body.set_activity(doing);
            }
            self.clear(cell).await?;
        }
        self.body.set_activity(doing);
        let land = self.body.land();
        let blocked = way
            .windows(2)
            .position(|step| !path::is_free(land, step[0], step[1]) || path::needs_floor(land, step[0], step[1]));
        let free = blocked.map_or(way.len(), |steps| steps + 1);
        let walked = self.body.walk(&way[..free]).await?;
        self.unbury().await?;
        Ok(walked)
    }

    /// Lays the floor that a step on a bridge needs.
    async fn lay_floor(&mut self, to: BlockPos) -> Result<(), Failure> {
        let feet = self.body.feet();
        if path::needs_floor(self.body.land(), feet, to) && !self.wall_off(to.down()).await? {
            return Err(Failure::new(Code::NoWay, format!("no floor can be laid below {to}")));
        }
        Ok(())
    }

    /// Digs the body free when sand or gravel has fallen on it.
    pub(super) async fn unbury(&mut self) -> Result<(), Failure> {
        for _ in 0..REFILLS {
            self.body.go_on()?;
            let feet = self.body.feet();
            let Some(buried) = [feet.up(), feet].into_iter().find(|cell| self.cell(*cell).falls) else { break };
            self.body.dig(buried, Tool::Bare, DigPurpose::ClearPath).await?;
        }
        self.body.go_on()
    }

    /// Makes a cell passable, by digging if need be.
    pub(super) async fn clear(&mut self, pos: BlockPos) -> Result<(), Failure> {
        for _ in 0..REFILLS {
            let cell = self.cell(pos);
            if cell.is_free() {
                return Ok(());
            }
            if cell.space == Space::Lava {
                if !self.wall_off(pos).await? {
                    return Err(Failure::new(Code::NoWay, "Lava is in the way."));
                }
                continue;
            }
            let Some(digging) = cell.digging else {
                let what = cell.block.map_or("Something that must stay", |block| block.name());
                return Err(Failure::new(Code::NoWay, format!("{what} is in the way.")));
            };
            let tunnelling = self.tunnel_slot().filter(|_| digging.pickaxe);
            // Water may have flowed in since the path was found.
            if self.head_in_water()
                && !self.gasps
                && !self.has_breath_for(digging.ticks(tunnelling.map(|(_, item)| item)))
            {
                return Err(Failure::new(Code::NoWay, "Under water there is not breath enough to dig on."));
            }
            let tool = tunnelling.map_or(Tool::Bare, |(slot, _)| Tool::Slot(slot));
            self.body.dig(pos, tool, DigPurpose::ClearPath).await?;
            self.unbury().await?;
            self.stop_flow(pos).await?;
        }
        Err(Failure::new(Code::NoWay, "What falls in from above does not end."))
    }
}
