//! `equipItem`: brings a tool into the hand.

use super::Executor;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::items::Item;

impl<B: Body> Executor<'_, B> {
    pub(super) async fn equip(&mut self, item: Item) -> Result<String, Failure> {
        let name = item.name();
        let inventory = self.body.inventory();
        if inventory.hand().is_some_and(|stack| stack.item == item) {
            return Err(Failure::new(Code::AlreadyEquipped, format!("The {name} is in the hand already.")));
        }
        if inventory.count(item) == 0 {
            return Err(Failure::new(Code::MissingIngredients, format!("No {name} is carried.")));
        }
        self.body.equip(item).await?;
        Ok(format!("Equipped {name}."))
    }
}
