//! Digging: clients report the start and the end; the block breaks once its time has passed.

use std::time::Instant;

use azalea_protocol::packets::game::s_player_action::{Action, ServerboundPlayerAction};
use azalea_protocol::packets::game::{ClientboundBlockChangedAck, ClientboundBlockDestruction};
use ltlcrit_minecraft::observation::BlockPos;

use super::blocks::Blocks;
use super::drops;
use super::entities::Entities;
use super::names::{ours, wire};
use super::player::{Dig, REACH_TOLERANCE};
use super::windows::stack::Stack;

/// The share of a block's time after which a client's report that it is broken is accepted, as in the game: clients and
/// server count ticks from different moments. After an earlier report, the block breaks when its whole time has passed.
const ACCEPTED_SHARE: f64 = 0.7;

/// Handles a client's report that it begins, stops or has finished digging. `rate` is in ticks per second.
pub(super) fn dig(
    entities: &mut Entities,
    blocks: &mut Blocks,
    id: i32,
    packet: &ServerboundPlayerAction,
    (now, rate): (Instant, f64),
) {
    let pos = ours(packet.pos);
    let Some(player) = entities.players.get_mut(&id) else { return };
    let tick = blocks.ground.tick;
    let in_reach = player.is_alive() && player.reaches(pos, REACH_TOLERANCE);
    let ticks = if in_reach { player.break_ticks(blocks, pos) } else { None };
    let broken = match (packet.action, ticks, &mut player.dig) {
        (Action::StartDestroyBlock, Some(ticks), dig) => {
            *dig = Some(Dig { pos, tick, began: now, claimed: false, shown: None });
            ticks == 1
        }
        (Action::StopDestroyBlock, ticks, Some(dig)) if in_reach && dig.pos == pos => {
            dig.claimed = true;
            ticks.is_some_and(|ticks| dig.share(ticks, tick, now, rate) >= ACCEPTED_SHARE)
        }
        (_, _, dig) => {
            *dig = None;
            false
        }
    };
    if broken {
        break_block(entities, blocks, id, pos);
    }
    // The client expects the block's state before the acknowledgement, whether it was broken or not.
    entities.send(id, blocks.update(pos));
    entities.send(id, ClientboundBlockChangedAck { seq: packet.seq });
}

/// Runs one tick of digging: breaks blocks that were reported early, and stops players who can no longer reach their
/// blocks.
pub(super) fn one_tick(entities: &mut Entities, blocks: &mut Blocks, (now, rate): (Instant, f64)) {
    let mut broken = Vec::new();
    let mut shown = Vec::new();
    for player in entities.players.values_mut() {
        let Some(mut dig) = player.dig.take() else { continue };
        let digs = player.is_alive() && player.reaches(dig.pos, REACH_TOLERANCE);
        let ticks = if digs { player.break_ticks(blocks, dig.pos) } else { None };
        let Some(ticks) = ticks else {
            shown.push((player.id, dig.pos, None));
            continue;
        };
        let share = dig.share(ticks, blocks.ground.tick, now, rate);
        if dig.claimed && share >= 1.0 {
            broken.push((player.id, dig.pos));
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
        show_cracks(entities, id, pos, tenths);
    }
    for (id, pos) in broken {
        break_block(entities, blocks, id, pos);
    }
}

/// Shows other players the cracks in a block; `None` removes them.
fn show_cracks(entities: &Entities, id: i32, pos: BlockPos, tenths: Option<u8>) {
    let packet = ClientboundBlockDestruction { id: id.into(), pos: wire(pos), progress: tenths.unwrap_or(u8::MAX) };
    entities.send_viewers(pos, Some(id), packet);
}

/// Breaks a block with the item in the player's hand.
fn break_block(entities: &mut Entities, blocks: &mut Blocks, id: i32, pos: BlockPos) {
    let Some(player) = entities.players.get_mut(&id) else { return };
    player.dig = None;
    let tool = player.screen.inventory().hand().map(|stack| stack.item);
    player.screen.inventory_mut().wear_hand();
    show_cracks(entities, id, pos, None);
    let drop = blocks.ground.block(pos).drop_for(tool);
    blocks.ground.open(pos);
    if let Some(item) = drop {
        drops::drop_at(entities, blocks.ground.tick, pos, Stack { item, count: 1, wear: 0 });
    }
    blocks.publish_changes(entities);
}

#[cfg(test)]
mod tests {
    use azalea_core::direction::Direction;
    use ltlcrit_minecraft::blocks::Block;

    use super::*;
    use crate::test_harness::TestHarness;

    /// Stone takes 150 ticks by hand.
    const TICKS: u32 = 150;

    struct Scene {
        harness: TestHarness,
        player: i32,
        pos: BlockPos,
    }

    /// A player that has just begun to dig stone.
    fn scene() -> Scene {
        let mut harness = TestHarness::new();
        let player = harness.join("digger");
        let pos = harness.game.spawn.offset(1, -1, 0);
        harness.game.blocks.ground.put(pos, Block::Stone);
        let mut scene = Scene { harness, player, pos };
        scene.act(Action::StartDestroyBlock);
        scene
    }

    impl Scene {
        fn act(&mut self, action: Action) {
            let said = ServerboundPlayerAction { action, pos: wire(self.pos), direction: Direction::Up, seq: 1 };
            self.harness.send(self.player, said);
        }

        fn block(&mut self) -> Block {
            self.harness.game.blocks.ground.block(self.pos)
        }
    }

    #[test]
    fn an_early_report_waits_for_the_rest() {
        let mut scene = scene();
        scene.harness.ticks(20);
        scene.act(Action::StopDestroyBlock);
        assert_eq!(scene.block(), Block::Stone);
        scene.harness.ticks(TICKS - 20 - 1);
        assert_eq!(scene.block(), Block::Stone);
        scene.harness.ticks(1);
        assert_eq!(scene.block(), Block::Air);
    }

    #[test]
    fn an_aborted_dig_breaks_nothing() {
        let mut scene = scene();
        scene.harness.ticks(20);
        scene.act(Action::StopDestroyBlock);
        scene.act(Action::AbortDestroyBlock);
        scene.harness.ticks(2 * TICKS);
        assert_eq!(scene.block(), Block::Stone);
    }

    #[test]
    fn a_slightly_early_report_is_accepted() {
        for (ticks, block) in [(104, Block::Stone), (105, Block::Air)] {
            let mut scene = scene();
            scene.harness.ticks(ticks);
            scene.act(Action::StopDestroyBlock);
            assert_eq!(scene.block(), block, "after {ticks} of {TICKS} ticks");
        }
    }

    #[test]
    fn ticks_that_came_late_count_for_clients() {
        let mut scene = scene();
        scene.harness.hang(TICKS);
        scene.act(Action::StopDestroyBlock);
        assert_eq!(scene.block(), Block::Air);
    }
}
