//! `smeltItem`: smelts one ingot in a nearby furnace, with the fire left in it and the carried fuel.

use super::Executor;
use crate::activity::PlayerActivity;
use crate::blocks::Block;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::fuel::{SMELT_TICKS, burn_ticks, has_fuel, smelting_fuels};
use crate::items::{Item, Tag};
use crate::observation::BlockPos;

impl<B: Body> Executor<'_, B> {
    pub(super) async fn smelt_iron(&mut self) -> Result<String, Failure> {
        let inventory = self.body.inventory();
        let Some(ore) = Tag::IronOres.items().iter().copied().find(|ore| inventory.count(*ore) > 0) else {
            return Err(Failure::new(Code::MissingIngredients, "Cannot smelt: no raw iron is carried."));
        };
        let furnace = self
            .station(Block::Furnace)
            .ok_or_else(|| Failure::new(Code::NoFurnace, "Cannot smelt: no furnace is within 32 blocks."))?;
        self.fire_or_fuel(furnace)?;
        self.approach(furnace, "furnace").await?;
        self.hold_breath_at(furnace).await?;
        match self.smelt_in(furnace, ore).await {
            // The furnace had less fire than assumed. Now its fire is known.
            Err(failure) if failure.code == Code::NoFuel => self.smelt_in(furnace, ore).await,
            result => result,
        }
    }

    /// Takes enough air for the smelting, if the furnace is under water.
    async fn hold_breath_at(&mut self, furnace: BlockPos) -> Result<(), Failure> {
        for comes_up in [true, false] {
            if !self.head_in_water() || self.body.vitals().air >= SMELT_TICKS {
                return Ok(());
            }
            if comes_up {
                self.breathe().await?;
                self.approach(furnace, "furnace").await?;
            }
        }
        Err(Failure::new(
            Code::Unreachable,
            "Cannot smelt: the furnace is under water, and breath does not last so long.",
        ))
    }

    /// Smelts one ore in a furnace within reach.
    async fn smelt_in(&mut self, furnace: BlockPos, ore: Item) -> Result<String, Failure> {
        // The fire may have burnt down on the way.
        let left = self.fire_or_fuel(furnace)?;
        let mut fire = left;
        let mut after = self.body.inventory().clone();
        after.take(ore, 1);
        let mut fuels = Vec::new();
        while fire < SMELT_TICKS
            && let Some(fuel) = smelting_fuels().find(|fuel| after.count(*fuel) > 0)
        {
            after.take(fuel, 1);
            fire += burn_ticks(fuel);
            fuels.push(fuel);
        }
        if after.add(Item::IronIngot, 1) > 0 {
            return Err(Failure::no_room(Item::IronIngot));
        }
        self.body.set_activity(PlayerActivity::Smelting);
        self.body.smelt(furnace, ore, &fuels).await?;
        let burnt: Vec<_> = fuels.into_iter().map(Item::name).collect();
        Ok(match burnt.as_slice() {
            [] => "Smelted 1 iron_ingot on the fire left in the furnace.".to_owned(),
            fuels => {
                let short = if left > 0 { ": the fire left was too short" } else { "" };
                format!("Smelted 1 iron_ingot, burning {}{short}.", fuels.join(" and "))
            }
        })
    }

    /// The fire left in a furnace, if it suffices for one item together with the carried fuel.
    fn fire_or_fuel(&mut self, furnace: BlockPos) -> Result<u32, Failure> {
        let fire = self.body.fire_in(furnace);
        let inventory = self.body.inventory();
        if has_fuel(fire, |item| inventory.count(item)) {
            return Ok(fire);
        }
        Err(Failure::new(Code::NoFuel, "Cannot smelt: the furnace is out and nothing carried may be burnt."))
    }
}
