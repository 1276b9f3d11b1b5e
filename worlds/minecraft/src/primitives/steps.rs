//! Steps: walks along a path, and digs through obstacles in it.

use super::Executor;
use super::walls::{FURNACE_AND_PICKAXE, quarry};
use crate::activity::PlayerActivity;
use crate::body::{Body, DigPurpose, Tool};
use crate::failure::{Code, Failure};
use crate::land::Space;
use crate::observation::BlockPos;
use crate::path;

/// The maximum number of times a cell is dug again when sand or gravel falls into it.
const REFILLS: u32 = 24;

/// The ticks between two checks for a falling block, and their number.
const DROP_LOOK: u64 = 4;
const DROP_LOOKS: u32 = 6;

/// The end of following a path.
pub(super) enum Followed {
    /// The path was followed to its end.
    ToTheEnd,
    /// The body turned back for air and has recovered its breath.
    OutOfBreath,
    /// The path turned out to be blocked, for this reason.
    Collapsed(String),
}

impl<B: Body> Executor<'_, B> {
    /// Follows a path to its end. Otherwise it returns the reason for the early end, and the caller must find another
    /// path.
    pub(super) async fn follow(&mut self, path: &[BlockPos]) -> Result<Followed, Failure> {
        let mut done = 0;
        while done < path.len() {
            let feet = self.body.feet();
            if path::needs_pillar(self.body.land(), feet, path[done]) {
                if !self.raise(path[done], &path[done..]).await? {
                    return Ok(Followed::Collapsed(format!("no block could be put under {}", path[done])));
                }
                done += 1;
                continue;
            }
            self.lay_floor(path[done]).await?;
            let breath = self.breath_for(&path[done..]);
            let walked = self.walk(&path[done..], &breath).await?;
            if walked == 0 {
                return Ok(Followed::Collapsed(format!("no step to {}", path[done])));
            }
            let needed = breath.get(walked - 1).copied().unwrap_or(0);
            done += walked;
            if self.head_in_water() && self.body.vitals().air < needed {
                self.note(format!("Breath runs short at {}.", path[done - 1]));
                self.breathe().await?;
                return Ok(Followed::OutOfBreath);
            }
            if !self.is_at(path[done - 1]) {
                return Ok(Followed::Collapsed(format!("a step to {} did not end there", path[done - 1])));
            }
        }
        Ok(Followed::ToTheEnd)
    }

    /// Makes one step to a neighbouring place and digs obstacles away.
    pub(super) async fn step(&mut self, to: BlockPos) -> Result<(), Failure> {
        match self.walk(&[to], &[]).await? {
            0 => Err(Failure::new(Code::NoWay, "The way there is not free.")),
            _ => Ok(()),
        }
    }

    /// Clears the first step, then walks it and the following steps that need no digging, as long as the air suffices
    /// according to `breath`. Returns the number of steps.
    pub(super) async fn walk(&mut self, way: &[BlockPos], breath: &[u32]) -> Result<usize, Failure> {
        let Some(first) = way.first() else { return Ok(0) };
        let feet = self.body.feet();
        let swims = self.cell(*first).is_fluid();
        let mut doing = if swims { PlayerActivity::Swimming } else { PlayerActivity::Walking };
        for cell in path::passage(feet, *first) {
            if !self.cell(cell).is_free() {
                doing = PlayerActivity::digging(feet, *first);
                self.body.set_activity(doing);
            }
            self.clear(cell).await?;
        }
        self.body.set_activity(doing);
        let land = self.body.land();
        let blocked = way.windows(2).position(|step| {
            !path::is_free(land, step[0], step[1])
                || path::needs_floor(land, step[0], step[1])
                || path::needs_pillar(land, step[0], step[1])
        });
        let free = blocked.map_or(way.len(), |steps| steps + 1);
        let walked = self.body.walk(&way[..free], &breath[..free.min(breath.len())]).await?;
        self.note_dive(&way[..walked]);
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

    /// Climbs straight up on a block placed under the feet, with this path ahead. Returns `false` if that is not
    /// possible.
    async fn raise(&mut self, to: BlockPos, ahead: &[BlockPos]) -> Result<bool, Failure> {
        let feet = self.body.feet();
        self.body.set_activity(PlayerActivity::digging(feet, to));
        let digs = !self.cell(to.up()).is_free();
        self.clear(to.up()).await?;
        if !digs
            && self.wall_block(FURNACE_AND_PICKAXE).is_none()
            && let Some((_, tool)) = self.tunnel_slot()
            && let Some(stone) = quarry(self.body.land(), tool, feet, ahead)
        {
            self.clear(stone).await?;
        }
        let mut block = self.wall_block(FURNACE_AND_PICKAXE);
        for _ in 0..DROP_LOOKS {
            if block.is_some() {
                break;
            }
            // A block dug above the head is about to fall on it.
            self.body.wait(DROP_LOOK).await?;
            block = self.wall_block(FURNACE_AND_PICKAXE);
        }
        let Some((item, is_rubble)) = block.filter(|_| self.body.feet() == feet) else { return Ok(false) };
        self.body.set_activity(PlayerActivity::Walling);
        let raised = Failure::unless_final(self.body.pillar(item).await)?.is_ok();
        if raised {
            self.note_wall(feet, item, is_rubble);
            self.unbury().await?;
        }
        Ok(raised)
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

    /// Makes a cell passable, by digging if necessary.
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
                self.breathless = true;
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
