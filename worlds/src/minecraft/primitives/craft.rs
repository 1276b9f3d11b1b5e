//! `craftItem`: one craft of a recipe, at a crafting table where the recipe needs one.

use super::{Code, Doer, Failure};
use crate::minecraft::abstraction::NEAR;
use crate::minecraft::blocks::Block;
use crate::minecraft::items::{Item, Tag};
use crate::minecraft::observation::BlockPos;
use crate::minecraft::primitives::travel::touch;
use crate::minecraft::recipes::Recipe;
use crate::minecraft::sight::{self, Look};

impl Doer<'_> {
    pub(super) fn craft(&mut self, item: Item) -> Result<String, Failure> {
        let inventory = &self.game.inventory;
        // Planks of the wood there is.
        let wanted = if Tag::Planks.contains(item) { Tag::Planks.items() } else { &[item] };
        let recipes: Vec<&Recipe> = wanted.iter().flat_map(|item| Recipe::making(*item)).collect();
        let ready = recipes.iter().find(|recipe| recipe.missing(inventory).is_none());
        let Some(recipe) = ready.copied() else {
            let missing = recipes.first().and_then(|recipe| recipe.missing(inventory));
            let what = match missing {
                Some(_) if Tag::Planks.contains(item) => "1 log needed, 0 carried".to_owned(),
                Some(missing) => {
                    format!("{} {} needed, {} carried", missing.needed, missing.ingredient.label(), missing.carried)
                }
                None => "there is no recipe for it".to_owned(),
            };
            return Err(Failure::new(Code::MissingIngredients, format!("Cannot craft {}: {what}.", item.name())));
        };
        if recipe.needs_table() {
            let table = self.nearest(Block::CraftingTable).ok_or_else(|| {
                Failure::new(Code::NoCraftingTable, format!("Cannot craft {}: no crafting table is near.", item.name()))
            })?;
            self.approach(table, "crafting table")?;
        }
        let result = recipe.result.name();
        recipe
            .craft(&mut self.game.inventory)
            .map_err(|_| Failure::new(Code::NoRoom, format!("The inventory has no room for {result}.")))?;
        self.game.wait(4);
        Ok(format!("Crafted {} {result}.", recipe.count))
    }

    /// The nearest block of this kind in sight and near.
    pub(super) fn nearest(&mut self, block: Block) -> Option<BlockPos> {
        let eyes = self.game.player.eyes();
        let mut best: Option<(f64, BlockPos)> = None;
        sight::look(&mut self.game.ground.grid, eyes, self.options.sight, Look::Landmarks, |pos, found, distance| {
            if found == block && distance <= NEAR && best.is_none_or(|best| (distance, pos) < best) {
                best = Some((distance, pos));
            }
        });
        best.map(|(_, pos)| pos)
    }

    /// Walks up to a block until it can be touched.
    pub(super) fn approach(&mut self, target: BlockPos, label: &str) -> Result<(), Failure> {
        self.go(target, true, Some(target), &mut |grid, feet| touch(grid, feet, target).is_some()).map_err(|failure| {
            match failure.code {
                Code::Unreachable => Failure::new(Code::Unreachable, format!("No way was found to the {label}.")),
                _ => failure,
            }
        })
    }
}
