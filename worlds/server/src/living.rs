//! Life and death: what a tick does to bodies, how players die and come back.

use azalea_protocol::packets::game::c_game_event::EventType;
use azalea_protocol::packets::game::{ClientboundGameEvent, ClientboundHurtAnimation, ClientboundPlayerCombatKill};

use super::realm::Realm;
use super::windows::Answer;
use super::{movement, packets};
use ltlcrit_minecraft::player::{DamageSource, Player as Body};

impl Realm {
    /// One tick of everybody's body.
    pub(super) fn live(&mut self) {
        let tick = self.ground.tick;
        let mut hurt = Vec::new();
        let mut dead = Vec::new();
        for player in self.players.values_mut() {
            if player.is_alive() {
                let (feet, head) = (self.ground.block(player.body.feet), self.ground.block(player.head()));
                player.body.one_tick(feet, head, tick);
            }
            let health = player.body.health;
            if player.told_health != Some(health) {
                if player.told_health.is_some_and(|told| health < told) {
                    hurt.push(player.id);
                }
                player.told_health = Some(health);
                player.tell(packets::health(&player.body));
                if !player.is_alive() {
                    dead.push(player.id);
                }
            }
        }
        for player in hurt {
            self.tell_watchers(player, ClientboundHurtAnimation { id: player.into(), yaw: 0.0 });
        }
        for player in dead {
            self.die(player);
        }
    }

    /// A player has died: what it had lies where it died.
    fn die(&mut self, id: i32) {
        let Some(player) = self.players.get_mut(&id) else { return };
        let how = player.body.death.unwrap_or(DamageSource::Operator).death();
        let message = format!("{} {how}", player.name);
        let at = player.at;
        player.dig = None;
        let answer = player.screen.give_up(&self.furnaces);
        player.tell(ClientboundPlayerCombatKill { player_id: id.into(), message: message.as_str().into() });
        self.answer(id, Answer { messages: answer.messages, ..Answer::default() });
        self.spill(at, answer.thrown);
        self.tell_all(packets::notice(message));
    }

    /// A dead player comes back where everybody begins. Living ones stay where they are.
    pub(super) fn respawn(&mut self, id: i32) {
        let (at, spawn, now) = (self.beginning(), self.spawn, self.now);
        let Some(player) = self.players.get_mut(&id).filter(|player| !player.is_alive()) else { return };
        player.body = Body::new(spawn);
        player.sees.clear();
        player.view.clear();
        player.tell(packets::respawn());
        movement::teleport(player, at, now);
        player.tell(ClientboundGameEvent { event: EventType::WaitForLevelChunks, param: 0.0 });
        player.view.update(&mut self.ground, player.body.feet, player.distance, &player.outbox);
        player.told_health = Some(player.body.health);
        player.tell(packets::health(&player.body));
        player.looks = None;
        self.tell_slots(id);
    }
}
