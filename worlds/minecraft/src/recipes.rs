//! Recipes for the player's 2x2 grid and the crafting table's 3x3 grid.

use super::inventory::Inventory;
use super::items::{Item, Tag};

/// One cell of a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ingredient {
    /// Exactly this item.
    Exactly(Item),
    /// Any item of a tag.
    Any(Tag),
}

impl Ingredient {
    /// Returns whether an item fits the cell.
    pub fn accepts(self, item: Item) -> bool {
        match self {
            Self::Exactly(wanted) => wanted == item,
            Self::Any(tag) => tag.contains(item),
        }
    }

    /// The items that fit, in the order in which they are taken.
    pub fn items(&self) -> &[Item] {
        match self {
            Self::Exactly(item) => std::slice::from_ref(item),
            Self::Any(tag) => tag.items(),
        }
    }

    /// The name in messages.
    pub fn label(self) -> &'static str {
        match self {
            Self::Exactly(item) => item.name(),
            Self::Any(tag) => tag.label(),
        }
    }

    fn count(self, inventory: &Inventory) -> u32 {
        match self {
            Self::Exactly(item) => inventory.count(item),
            Self::Any(tag) => inventory.count_tag(tag),
        }
    }
}

/// A shaped recipe.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The result.
    pub result: Item,
    /// The number of results.
    pub count: u32,
    /// The rows of the grid, one character a cell, space for an empty one.
    pub pattern: &'static [&'static str],
    /// The meaning of each character.
    pub key: &'static [(char, Ingredient)],
}

const PLANKS: Ingredient = Ingredient::Any(Tag::Planks);
const STICK: Ingredient = Ingredient::Exactly(Item::Stick);
const STONE: Ingredient = Ingredient::Any(Tag::StoneMaterials);

const fn planks(result: Item, key: &'static [(char, Ingredient)]) -> Recipe {
    Recipe { result, count: 4, pattern: &["#"], key }
}

const fn pickaxe(result: Item, key: &'static [(char, Ingredient)]) -> Recipe {
    Recipe { result, count: 1, pattern: &["###", " | ", " | "], key }
}

/// Every recipe the diamond task needs.
pub const RECIPES: [Recipe; 15] = [
    planks(Item::OakPlanks, &[('#', Ingredient::Exactly(Item::OakLog))]),
    planks(Item::BirchPlanks, &[('#', Ingredient::Exactly(Item::BirchLog))]),
    planks(Item::SprucePlanks, &[('#', Ingredient::Exactly(Item::SpruceLog))]),
    planks(Item::JunglePlanks, &[('#', Ingredient::Exactly(Item::JungleLog))]),
    planks(Item::AcaciaPlanks, &[('#', Ingredient::Exactly(Item::AcaciaLog))]),
    planks(Item::DarkOakPlanks, &[('#', Ingredient::Exactly(Item::DarkOakLog))]),
    planks(Item::MangrovePlanks, &[('#', Ingredient::Exactly(Item::MangroveLog))]),
    planks(Item::CherryPlanks, &[('#', Ingredient::Exactly(Item::CherryLog))]),
    planks(Item::PaleOakPlanks, &[('#', Ingredient::Exactly(Item::PaleOakLog))]),
    Recipe { result: Item::Stick, count: 4, pattern: &["#", "#"], key: &[('#', PLANKS)] },
    Recipe { result: Item::CraftingTable, count: 1, pattern: &["##", "##"], key: &[('#', PLANKS)] },
    Recipe { result: Item::Furnace, count: 1, pattern: &["###", "# #", "###"], key: &[('#', STONE)] },
    pickaxe(Item::WoodenPickaxe, &[('#', PLANKS), ('|', STICK)]),
    pickaxe(Item::StonePickaxe, &[('#', STONE), ('|', STICK)]),
    pickaxe(Item::IronPickaxe, &[('#', Ingredient::Exactly(Item::IronIngot)), ('|', STICK)]),
];

/// A missing ingredient, with the number needed and the number carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The ingredient.
    pub ingredient: Ingredient,
    /// The number that the recipe takes.
    pub needed: u32,
    /// The number carried.
    pub carried: u32,
}

impl Recipe {
    /// The recipes that make an item.
    pub fn making(result: Item) -> impl Iterator<Item = &'static Recipe> {
        RECIPES.iter().filter(move |recipe| recipe.result == result)
    }

    /// Returns whether it needs a crafting table's 3x3 grid.
    pub fn needs_table(&self) -> bool {
        self.pattern.len() > 2 || self.pattern.iter().any(|row| row.len() > 2)
    }

    /// Each ingredient with the number of cells it fills.
    pub fn ingredients(&self) -> impl Iterator<Item = (Ingredient, u32)> + '_ {
        self.key.iter().map(|(symbol, ingredient)| {
            let cells = self.pattern.iter().flat_map(|row| row.chars()).filter(|cell| cell == symbol).count();
            (*ingredient, cells as u32)
        })
    }

    /// The first ingredient that the inventory lacks.
    pub fn missing(&self, inventory: &Inventory) -> Option<Missing> {
        self.ingredients().find_map(|(ingredient, needed)| {
            let carried = ingredient.count(inventory);
            (carried < needed).then_some(Missing { ingredient, needed, carried })
        })
    }

    /// The carried item for each cell of the grid, row by row: row, column (from 0) and item. Items of a tag are used
    /// in the order of the tag. `None` if an ingredient is missing.
    pub fn layout(&self, inventory: &Inventory) -> Option<Vec<(usize, usize, Item)>> {
        let mut left = inventory.clone();
        let mut cells = Vec::new();
        for (row, line) in self.pattern.iter().enumerate() {
            for (column, symbol) in line.chars().enumerate() {
                let Some((_, ingredient)) = self.key.iter().find(|(key, _)| *key == symbol) else { continue };
                let item = ingredient.items().iter().copied().find(|item| left.take(*item, 1))?;
                cells.push((row, column, item));
            }
        }
        Some(cells)
    }

    /// Takes the items of its [`layout`](Self::layout) and adds the result, or changes nothing. Returns `false` if an
    /// ingredient or the room for the result is missing.
    pub fn craft(&self, inventory: &mut Inventory) -> bool {
        let Some(cells) = self.layout(inventory) else { return false };
        let mut after = inventory.clone();
        let taken = cells.into_iter().all(|(_, _, item)| after.take(item, 1));
        let crafted = taken && after.add(self.result, self.count) == 0;
        if crafted {
            *inventory = after;
        }
        crafted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_it_says_and_gives_what_it_says() {
        let table = |item| Recipe::making(item).next().unwrap();
        let cost = |item| table(item).ingredients().map(|(i, n)| (i.label(), n)).collect::<Vec<_>>();
        assert_eq!(cost(Item::CraftingTable), [("planks", 4)]);
        assert_eq!(cost(Item::Furnace), [("cobblestone", 8)]);
        assert_eq!(cost(Item::WoodenPickaxe), [("planks", 3), ("stick", 2)]);
        assert_eq!(cost(Item::IronPickaxe), [("iron_ingot", 3), ("stick", 2)]);
        assert!(!table(Item::Stick).needs_table() && !table(Item::CraftingTable).needs_table());
        assert!(table(Item::Furnace).needs_table() && table(Item::StonePickaxe).needs_table());
    }

    #[test]
    fn mixes_woods_and_refuses_what_is_not_there() {
        let mut inventory = Inventory::default();
        inventory.add(Item::OakPlanks, 1);
        let stick = Recipe::making(Item::Stick).next().unwrap();
        assert!(!stick.craft(&mut inventory));
        let missing = stick.missing(&inventory).unwrap();
        assert_eq!((missing.needed, missing.carried), (2, 1));
        assert_eq!(inventory.count(Item::OakPlanks), 1);
        inventory.add(Item::SprucePlanks, 2);
        assert!(stick.craft(&mut inventory));
        assert_eq!(inventory.count(Item::Stick), 4);
        assert_eq!(inventory.count_tag(Tag::Planks), 1);
    }

    #[test]
    fn lays_out_what_it_takes() {
        let mut inventory = Inventory::default();
        inventory.add(Item::OakPlanks, 2);
        inventory.add(Item::BirchPlanks, 2);
        inventory.add(Item::Stick, 2);
        let pickaxe = Recipe::making(Item::WoodenPickaxe).next().unwrap();
        let [oak, birch, stick] = [Item::OakPlanks, Item::BirchPlanks, Item::Stick];
        let cells = [(0, 0, oak), (0, 1, oak), (0, 2, birch), (1, 1, stick), (2, 1, stick)];
        assert_eq!(pickaxe.layout(&inventory), Some(cells.to_vec()));
        let mut after = inventory.clone();
        assert!(pickaxe.craft(&mut after));
        for (_, _, item) in cells {
            assert!(inventory.take(item, 1));
        }
        inventory.add(Item::WoodenPickaxe, 1);
        assert_eq!(after.counts(), inventory.counts(), "the layout is what crafting takes");
        assert_eq!(pickaxe.layout(&inventory), None);
    }

    #[test]
    fn needs_room_for_the_result() {
        let mut inventory = Inventory::default();
        inventory.add(Item::Dirt, 64 * 35);
        inventory.add(Item::OakPlanks, 5);
        let table = Recipe::making(Item::CraftingTable).next().unwrap();
        assert!(!table.craft(&mut inventory));
        assert_eq!(inventory.count(Item::OakPlanks), 5);
    }
}
