//! Digging: a client says when it begins and when it is done, and the block goes when its time has really passed.

use std::time::Instant;

use azalea_protocol::packets::game::s_player_action::{Action, ServerboundPlayerAction};
use azalea_protocol::packets::game::{ClientboundBlockChangedAck, ClientboundBlockDestruction};

use super::names::{ours, wire};
use super::physics::Hull;
use super::player::Player;
use super::realm::Realm;
use super::windows::stack::Stack;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::ground::{Ground, SOURCE};
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::REACH;

/// How much farther than a player reaches a client may touch: bodies have moved on when its word arrives.
pub(super) const LEEWAY: f64 = 1.0;
/// Which share of a block's time must have passed for the client's word to be taken that it is through. Clients and
/// server do not count their ticks from the same moment; the game takes the same share. Who comes sooner has to wait for
/// the whole time.
const SHARE: f64 = 0.7;

/// A block a player digs at.
#[derive(Clone, Debug)]
pub(super) struct Dig {
    pos: BlockPos,
    tick: u64,
    began: Instant,
    /// The client thinks it is through.
    claimed: bool,
    /// How far others were told it is, in tenths.
    shown: Option<u8>,
}

/// Whether a player can touch a block, or is at most so much farther from it.
pub(super) fn reaches(player: &Player, pos: BlockPos, leeway: f64) -> bool {
    Hull::block(pos).distance(player.eyes()) <= REACH + leeway
}

/// Ticks a player takes for a block with what the hand holds; `None` if it cannot be broken.
fn ticks(ground: &mut Ground, player: &Player, pos: BlockPos) -> Option<u32> {
    let tool = player.screen.inventory().hand().map(|stack| stack.item);
    let under_water = is_under_water(ground, player);
    ground.block(pos).break_ticks(tool, under_water)
}

/// Whether a player's eyes are under water: what flows does not fill its cell, unless there is more above it.
fn is_under_water(ground: &mut Ground, player: &Player) -> bool {
    let head = player.head();
    if ground.block(head) != Block::Water {
        return false;
    }
    let surface = f64::from(ground.level(head)) / (f64::from(SOURCE) + 1.0);
    ground.block(head.up()) == Block::Water || player.eyes().y < f64::from(head.y) + surface
}

impl Dig {
    /// Which share of the block's time has passed. Clients count ticks of their own: if ours were late, theirs were not.
    fn share(&self, ground: &mut Ground, player: &Player, now: Instant, ticks_per_second: f64) -> f64 {
        let Some(ticks) = ticks(ground, player, self.pos) else { return 0.0 };
        let ours = (ground.tick - self.tick) as f64;
        let theirs = now.saturating_duration_since(self.began).as_secs_f64() * ticks_per_second;
        ours.max(theirs) / f64::from(ticks)
    }
}

impl Realm {
    /// A client begins to dig, stops, or is through.
    pub(super) fn dig(&mut self, id: i32, said: &ServerboundPlayerAction) {
        let pos = ours(said.pos);
        let (tick, now, rate) = (self.ground.tick, self.now, self.tick_rate());
        let Some(player) = self.players.get_mut(&id) else { return };
        let may = player.is_alive() && reaches(player, pos, LEEWAY);
        let dug = match said.action {
            Action::StartDestroyBlock if may => {
                let ticks = ticks(&mut self.ground, player, pos);
                let dig = Dig { pos, tick, began: now, claimed: false, shown: None };
                player.dig = ticks.map(|_| dig);
                ticks == Some(1)
            }
            Action::StopDestroyBlock if may && player.dig.as_ref().is_some_and(|dig| dig.pos == pos) => {
                let share = player.dig.as_ref().map_or(0.0, |dig| dig.share(&mut self.ground, player, now, rate));
                if let Some(dig) = &mut player.dig {
                    dig.claimed = true;
                }
                share >= SHARE
            }
            _ => {
                player.dig = None;
                false
            }
        };
        if dug {
            self.break_block(id, pos);
        }
        // Whether it was done or refused, the client hears first what is there and then that it was heard.
        let update = self.block_update(pos);
        if let Some(player) = self.players.get(&id) {
            player.tell(update);
            player.tell(ClientboundBlockChangedAck { seq: said.seq });
        }
    }

    /// One tick of everybody's digging: who was through too soon is now, who can no longer reach gives up.
    pub(super) fn go_on_digging(&mut self) {
        let (now, rate) = (self.now, self.tick_rate());
        let mut through = Vec::new();
        let mut shown = Vec::new();
        for player in self.players.values_mut() {
            let Some(mut dig) = player.dig.take() else { continue };
            if !player.is_alive()
                || !reaches(player, dig.pos, LEEWAY)
                || ticks(&mut self.ground, player, dig.pos).is_none()
            {
                shown.push((player.id, dig.pos, None));
                continue;
            }
            let share = dig.share(&mut self.ground, player, now, rate);
            if dig.claimed && share >= 1.0 {
                through.push((player.id, dig.pos));
                continue;
            }
            let tenths = Some(((share * 10.0) as u8).min(9));
            if dig.shown != tenths {
                dig.shown = tenths;
                shown.push((player.id, dig.pos, tenths));
            }
            player.dig = Some(dig);
        }
        for (id, pos, tenths) in shown {
            self.show_cracks(id, pos, tenths);
        }
        for (id, pos) in through {
            self.break_block(id, pos);
        }
    }

    /// Shows the others how far a player is with a block; `None` takes the cracks away.
    fn show_cracks(&self, id: i32, pos: BlockPos, tenths: Option<u8>) {
        let packet = ClientboundBlockDestruction { id: id.into(), pos: wire(pos), progress: tenths.unwrap_or(u8::MAX) };
        let Some(frame) = super::outbox::encoded(packet) else { return };
        for other in self.players.values().filter(|other| other.id != id && other.view.shows(pos)) {
            other.outbox.send_frame(&frame);
        }
    }

    /// A player breaks a block with what the hand holds.
    fn break_block(&mut self, id: i32, pos: BlockPos) {
        let Some(player) = self.players.get_mut(&id) else { return };
        player.dig = None;
        let tool = player.screen.inventory().hand().map(|stack| stack.item);
        let drop = self.ground.block(pos).drop_for(tool);
        player.screen.inventory_mut().wear_hand();
        self.show_cracks(id, pos, None);
        self.ground.open(pos);
        if let Some(item) = drop {
            self.drop_at(pos, Stack { item, count: 1, wear: 0 });
        }
        self.show_changes();
    }
}

#[cfg(test)]
mod tests {
    use azalea_core::direction::Direction;

    use super::*;
    use crate::rehearsal::Rehearsal;

    /// Stone takes 150 ticks by hand.
    const TICKS: u32 = 150;

    struct Scene {
        rehearsal: Rehearsal,
        player: i32,
        pos: BlockPos,
    }

    /// A player who has just begun to dig at stone.
    fn scene() -> Scene {
        let mut rehearsal = Rehearsal::new();
        let player = rehearsal.join("digger");
        let pos = rehearsal.realm.spawn.offset(1, -1, 0);
        rehearsal.realm.ground.put(pos, Block::Stone);
        let mut scene = Scene { rehearsal, player, pos };
        scene.act(Action::StartDestroyBlock);
        scene
    }

    impl Scene {
        fn act(&mut self, action: Action) {
            let said = ServerboundPlayerAction { action, pos: wire(self.pos), direction: Direction::Up, seq: 1 };
            self.rehearsal.say(self.player, said);
        }

        fn block(&mut self) -> Block {
            self.rehearsal.realm.ground.block(self.pos)
        }
    }

    #[test]
    fn who_is_through_too_soon_waits_for_the_rest() {
        let mut scene = scene();
        scene.rehearsal.ticks(20);
        scene.act(Action::StopDestroyBlock);
        assert_eq!(scene.block(), Block::Stone);
        scene.rehearsal.ticks(TICKS - 20 - 1);
        assert_eq!(scene.block(), Block::Stone);
        scene.rehearsal.ticks(1);
        assert_eq!(scene.block(), Block::Air);
    }

    #[test]
    fn who_stops_waiting_gets_nothing() {
        let mut scene = scene();
        scene.rehearsal.ticks(20);
        scene.act(Action::StopDestroyBlock);
        scene.act(Action::AbortDestroyBlock);
        scene.rehearsal.ticks(2 * TICKS);
        assert_eq!(scene.block(), Block::Stone);
    }

    #[test]
    fn who_is_through_a_little_too_soon_is_believed() {
        for (ticks, block) in [(104, Block::Stone), (105, Block::Air)] {
            let mut scene = scene();
            scene.rehearsal.ticks(ticks);
            scene.act(Action::StopDestroyBlock);
            assert_eq!(scene.block(), block, "after {ticks} of {TICKS} ticks");
        }
    }

    #[test]
    fn ticks_that_came_late_count_for_clients() {
        let mut scene = scene();
        scene.rehearsal.hang(TICKS);
        scene.act(Action::StopDestroyBlock);
        assert_eq!(scene.block(), Block::Air);
    }
}
