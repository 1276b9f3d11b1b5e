//! `equipItem`: a tool into the hand.

use super::{Code, Doer, Failure};
use crate::minecraft::items::Item;

impl Doer<'_> {
    pub(super) fn equip(&mut self, item: Item) -> Result<String, Failure> {
        let name = item.name();
        if self.game.inventory.hand().is_some_and(|stack| stack.item == item) {
            return Err(Failure::new(Code::AlreadyEquipped, format!("The {name} is in the hand already.")));
        }
        if !self.game.inventory.equip(item) {
            return Err(Failure::new(Code::MissingIngredients, format!("No {name} is carried.")));
        }
        self.game.wait(1);
        Ok(format!("Equipped {name}."))
    }
}
