//! `craftItem`: crafts a recipe once, at a crafting table if the recipe needs one.

use super::Executor;
use crate::activity::PlayerActivity;
use crate::blocks::Block;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::items::{Item, Tag};
use crate::memory::RETURN;
use crate::observation::BlockPos;
use crate::primitives::touch::touch;
use crate::recipes::Recipe;
use crate::region::Region;
use crate::sight::VisibleKind;

impl<B: Body> Executor<'_, B> {
    pub(super) async fn craft(&mut self, item: Item) -> Result<String, Failure> {
        let recipe = self.recipe(item)?;
        let mut at = None;
        if recipe.needs_table() {
            let none = || {
                let why = format!("Cannot craft {}: no crafting table is within 32 blocks.", item.name());
                Failure::new(Code::NoCraftingTable, why)
            };
            let table = self.station(Block::CraftingTable).ok_or_else(none)?;
            self.approach(table, "crafting table").await?;
            at = Some(table);
        }
        self.body.set_activity(PlayerActivity::Crafting);
        self.body.craft(recipe, at).await?;
        Ok(format!("Crafted {} {}.", recipe.count, recipe.result.name()))
    }

    /// The recipe for an item, whose ingredients are carried; for planks, the recipe of the carried wood.
    fn recipe(&mut self, item: Item) -> Result<&'static Recipe, Failure> {
        let inventory = self.body.inventory();
        let wanted = if Tag::Planks.contains(item) { Tag::Planks.items() } else { &[item] };
        let recipes = || wanted.iter().flat_map(|item| Recipe::making(*item));
        if let Some(ready) = recipes().find(|recipe| recipe.missing(inventory).is_none()) {
            return Ok(ready);
        }
        let what = match recipes().next().and_then(|recipe| recipe.missing(inventory)) {
            Some(_) if Tag::Planks.contains(item) => "1 log needed, 0 carried".to_owned(),
            Some(missing) => {
                format!("{} {} needed, {} carried", missing.needed, missing.ingredient.label(), missing.carried)
            }
            None => "there is no recipe for it".to_owned(),
        };
        Err(Failure::new(Code::MissingIngredients, format!("Cannot craft {}: {what}.", item.name())))
    }

    /// The nearest block of this kind in sight; one marked as unreachable only if there is no other.
    pub(super) fn nearest(&mut self, block: Block) -> Option<BlockPos> {
        self.in_sight(VisibleKind::Landmarks, |_, found| found == block).first().map(|(_, _, pos, _)| *pos)
    }

    /// The nearest table or furnace in sight, or else the nearest remembered one that is not too far to return to.
    pub(super) fn station(&mut self, block: Block) -> Option<BlockPos> {
        let eyes = self.eyes();
        let remembered = self.state.memory.nearest(eyes, |known| known == block);
        let remembered = remembered.filter(|(_, away)| *away <= RETURN).map(|(place, _)| place.position);
        self.nearest(block).or(remembered)
    }

    /// Walks up to a table or furnace until it can be touched.
    pub(super) async fn approach(&mut self, target: BlockPos, label: &str) -> Result<(), Failure> {
        let no_way = || Failure::new(Code::Unreachable, format!("No way was found to the {label}."));
        let feet = self.body.feet();
        self.within = Region::to_station(feet, target);
        self.approaching = true;
        let way = self.go(target, Some(target), &mut |land, feet| touch(land, feet, target).is_some()).await;
        self.approaching = false;
        if way.as_ref().is_err_and(|failure| failure.code == Code::Unreachable) {
            let tick = self.body.tick();
            self.state.memory.give_up(target, tick);
        }
        way.map_err(|failure| failure.said(Code::Unreachable, no_way))?;
        if !self.cell(target).is_landmark() {
            self.state.memory.forget(target);
            return Err(Failure::new(Code::Unreachable, format!("The {label} is no longer at {target}.")));
        }
        Ok(())
    }
}
