//! Shelter: a weak player that monsters threaten at night digs in and waits for the morning.

use super::Executor;
use crate::activity::PlayerActivity;
use crate::body::Body;
use crate::failure::Failure;
use crate::observation::BlockPos;

/// The health below which a player digs in, in half hearts: two hits of a zombie leave it alive.
const WEAK: f64 = 10.0;
/// The depth of the hole, in blocks: that of a body, and of the roof, which is put against the wall.
const DEPTH: u32 = 3;

impl<B: Body> Executor<'_, B> {
    /// Digs in until the morning, if monsters threaten a weak player.
    ///
    /// # Errors
    /// Failures that end the action.
    pub(super) async fn shelter(&mut self) -> Result<(), Failure> {
        if self.body.vitals().health >= WEAK || !self.body.is_threatened() {
            return Ok(());
        }
        for _ in 0..DEPTH {
            let below = self.body.feet().down();
            if !self.is_safe_below(below) || Failure::unless_final(self.step(below).await)?.is_err() {
                break;
            }
        }
        let feet = self.body.feet();
        let body = [feet, feet.up()];
        let around = body.into_iter().flat_map(BlockPos::neighbours).filter(|pos| !body.contains(pos));
        for open in around.collect::<Vec<_>>() {
            if !self.cell(open).is_firm() && !self.wall_off(open).await? {
                self.note(format!("The shelter stays open at {open}."));
                return Ok(());
            }
        }
        self.body.set_activity(PlayerActivity::Sheltering);
        let began = self.body.tick();
        self.body.await_morning().await?;
        let (seconds, health) = ((self.body.tick() - began) / 20, self.body.vitals().health);
        self.remarks.push(format!("Dug in for the night first: {seconds} seconds, {health:.0} of 20 health after it."));
        Ok(())
    }
}
