//! Eats carried food when hunger keeps health from regenerating.

use azalea::entity::LookDirection;
use azalea::protocol::packets::game::ServerboundUseItem;
use azalea::protocol::packets::game::s_interact::InteractionHand;
use ltlcrit_minecraft::failure::Failure;

use super::food::is_food;
use super::player::Player;

/// The maximum number of pieces eaten before one action.
const PIECES: usize = 6;
/// The time limit for one piece, in ticks: eating takes 32.
const BITE: u64 = 80;

impl Player {
    /// Eats until the hunger bar is at `enough` half drumsticks, as long as there is food.
    ///
    /// # Errors
    /// Failures that end the action.
    pub(crate) async fn eat_if_hungry(&mut self, enough: u32) -> Result<(), Failure> {
        let mut eaten = Ok(true);
        for _ in 0..PIECES {
            if self.link.state(|state| state.food) >= enough || !matches!(eaten, Ok(true)) {
                break;
            }
            eaten = self.eat().await;
        }
        self.hold(self.equipped);
        eaten.map(drop)
    }

    /// Eats one piece of the first food carried. Returns `false` without food, or if the server refuses.
    async fn eat(&mut self) -> Result<bool, Failure> {
        let slots = self.slots();
        let Some(slot) = slots.iter().position(is_food) else { return Ok(false) };
        let kind = slots[slot].kind();
        let place = self.move_to_hotbar(slot).await?;
        self.hold(place);
        let before = self.kinds().get(&kind).copied().unwrap_or(0);
        let seq = self.link.next_request();
        let look = self.link.ecs(|ecs, entity| ecs.get::<LookDirection>(entity).copied()).ok().flatten();
        let (y_rot, x_rot) = look.map_or((0.0, 0.0), |look| (look.y_rot(), look.x_rot()));
        self.link.send(ServerboundUseItem { hand: InteractionHand::MainHand, seq, y_rot, x_rot });
        let eaten = |player: &mut Self| (player.kinds().get(&kind).copied().unwrap_or(0) < before).then_some(());
        let done = self.wait_for(BITE, eaten).await?.is_some();
        tracing::debug!(?kind, done, "ate");
        Ok(done)
    }
}
