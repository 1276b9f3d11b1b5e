//! `smeltItem`: one ingot, in a furnace nearby, on the fire left in it and what may be burnt.

use super::{Code, Doer, Failure};
use crate::minecraft::blocks::Block;
use crate::minecraft::fuel::{SMELT_TICKS, WILLING, burn_ticks, has_fuel};
use crate::minecraft::items::{Item, Tag};

impl Doer<'_> {
    pub(super) fn smelt_iron(&mut self) -> Result<String, Failure> {
        let Some(ore) = Tag::IronOres.items().iter().copied().find(|ore| self.game.inventory.count(*ore) > 0) else {
            return Err(Failure::new(Code::MissingIngredients, "Cannot smelt: no raw iron is carried."));
        };
        let furnace = self
            .nearest(Block::Furnace)
            .ok_or_else(|| Failure::new(Code::NoFurnace, "Cannot smelt: no furnace is near."))?;
        let out = || Failure::new(Code::NoFuel, "Cannot smelt: the furnace is out and nothing carried may be burnt.");
        if !has_fuel(self.game.fire_in(furnace), |item| self.game.inventory.count(item)) {
            return Err(out());
        }
        self.approach(furnace, "furnace")?;
        // On the way the fire may have burnt down.
        let mut fire = self.game.fire_in(furnace);
        if !has_fuel(fire, |item| self.game.inventory.count(item)) {
            return Err(out());
        }
        let mut after = self.game.inventory.clone();
        after.take(ore, 1);
        let mut burnt = Vec::new();
        while fire < SMELT_TICKS
            && let Some(fuel) = WILLING.into_iter().find(|fuel| after.count(*fuel) > 0)
        {
            after.take(fuel, 1);
            fire += burn_ticks(fuel);
            burnt.push(fuel.name());
        }
        if after.add(Item::IronIngot, 1) > 0 {
            return Err(Failure::new(Code::NoRoom, "The inventory has no room for iron_ingot."));
        }
        self.game.inventory = after;
        self.game.ground.light(furnace, fire);
        self.game.wait(u64::from(SMELT_TICKS));
        self.alive()?;
        Ok(match burnt.as_slice() {
            [] => "Smelted 1 iron_ingot on the fire left in the furnace.".to_owned(),
            fuels => format!("Smelted 1 iron_ingot, burning {}.", fuels.join(" and ")),
        })
    }
}
