//! Crafting grids and the recipes that fit them.

use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::recipes::{RECIPES, Recipe};

use super::stack::{Slot, Stack, split};

/// The number of cells of the largest grid, 3x3.
const CELLS: usize = 9;

/// A square crafting grid. Its result is computed from the cells, not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CraftingGrid {
    width: usize,
    cells: [Slot; CELLS],
}

impl CraftingGrid {
    /// The 2x2 grid that every player carries.
    pub fn carried() -> Self {
        Self { width: 2, cells: [None; CELLS] }
    }

    /// The 3x3 grid of a crafting table.
    pub fn table() -> Self {
        Self { width: 3, cells: [None; CELLS] }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.width * self.width
    }

    /// Returns whether all cells are empty.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().all(Option::is_none)
    }

    /// The contents of a cell, row by row; empty for an invalid number.
    pub fn get(&self, cell: usize) -> Slot {
        self.cells.get(cell).copied().flatten()
    }

    /// Sets the contents of a cell. Returns `false` for an invalid number.
    pub fn set(&mut self, cell: usize, stack: Slot) -> bool {
        let exists = cell < self.len();
        if let Some(place) = self.cells.get_mut(cell).filter(|_| exists) {
            *place = stack;
        }
        exists
    }

    /// The result of the recipe that fits.
    pub fn result(&self) -> Slot {
        if self.is_empty() {
            return None;
        }
        let recipe = RECIPES.iter().find(|recipe| self.fits(recipe))?;
        Some(Stack { item: recipe.result, count: recipe.count, wear: 0 })
    }

    /// Crafts once: takes one item from every cell and returns the result.
    pub fn craft(&mut self) -> Slot {
        let result = self.result()?;
        for cell in &mut self.cells {
            split(cell, 1);
        }
        Some(result)
    }

    /// Takes everything out.
    pub fn drain(&mut self) -> Vec<Stack> {
        self.cells.iter_mut().filter_map(Option::take).collect()
    }

    /// Returns whether the grid contains exactly a recipe's pattern, at any position, possibly mirrored.
    fn fits(&self, recipe: &Recipe) -> bool {
        let rows = self.used();
        let matches = |mirrored: bool| {
            rows.len() == recipe.pattern.len()
                && rows.iter().zip(recipe.pattern).all(|(row, pattern)| {
                    let across = |at: usize| if mirrored { row.len() - 1 - at } else { at };
                    row.len() == pattern.len()
                        && pattern.chars().enumerate().all(|(at, symbol)| accepts(recipe, symbol, row[across(at)]))
                })
        };
        matches(false) || matches(true)
    }

    /// The items in the smallest rectangle that contains all of them, row by row.
    fn used(&self) -> Vec<Vec<Option<Item>>> {
        let item = |row: usize, column: usize| self.get(row * self.width + column).map(|stack| stack.item);
        let span = |is_used: &dyn Fn(usize) -> bool| {
            let used: Vec<usize> = (0..self.width).filter(|at| is_used(*at)).collect();
            used.first().zip(used.last()).map_or(0..0, |(first, last)| *first..last + 1)
        };
        let rows = span(&|row| (0..self.width).any(|column| item(row, column).is_some()));
        let columns = span(&|column| (0..self.width).any(|row| item(row, column).is_some()));
        rows.map(|row| columns.clone().map(|column| item(row, column)).collect()).collect()
    }
}

/// Returns whether a cell of a recipe's pattern accepts this item, or an empty cell.
fn accepts(recipe: &Recipe, symbol: char, item: Option<Item>) -> bool {
    let ingredient = recipe.key.iter().find(|(key, _)| *key == symbol).map(|(_, ingredient)| ingredient);
    match (ingredient, item) {
        (None, item) => item.is_none(),
        (Some(ingredient), item) => item.is_some_and(|item| ingredient.accepts(item)),
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::items::Tag;
    use ltlcrit_minecraft::recipes::Ingredient;

    use super::*;

    /// A grid with an item at each letter of the picture.
    fn laid(mut grid: CraftingGrid, picture: &str, items: &[(char, Item)]) -> CraftingGrid {
        for (cell, symbol) in picture.chars().filter(|symbol| *symbol != '/').enumerate() {
            let item = items.iter().find(|(key, _)| *key == symbol).map(|(_, item)| *item);
            assert!(grid.set(cell, item.map(|item| Stack { item, count: 1, wear: 0 })));
        }
        grid
    }

    fn made(grid: &CraftingGrid) -> Option<(Item, u32)> {
        grid.result().map(|stack| (stack.item, stack.count))
    }

    #[test]
    fn small_recipes_work_anywhere_in_either_grid() {
        for cell in 0..4 {
            let mut grid = CraftingGrid::carried();
            grid.set(cell, Some(Stack { item: Item::BirchLog, count: 5, wear: 0 }));
            assert_eq!(made(&grid), Some((Item::BirchPlanks, 4)));
        }
        let planks = [('o', Item::OakPlanks), ('s', Item::SprucePlanks)];
        for picture in ["o../s../...", ".o./.s./...", "..o/..s/...", ".../o../s..", ".../..s/..o"] {
            assert_eq!(made(&laid(CraftingGrid::table(), picture, &planks)), Some((Item::Stick, 4)), "{picture}");
        }
        assert_eq!(made(&laid(CraftingGrid::carried(), ".o/.s", &planks)), Some((Item::Stick, 4)));
        for picture in ["oo./.../...", "o.o/.../...", "o../.../o..", "oo./o../...", "oos/oo./..."] {
            assert_eq!(made(&laid(CraftingGrid::table(), picture, &planks)), None, "{picture}");
        }
        assert_eq!(made(&laid(CraftingGrid::carried(), "os/..", &planks)), None);
        assert_eq!(made(&CraftingGrid::table()), None);
    }

    #[test]
    fn every_recipe_is_made_by_its_own_pattern_with_any_item_of_its_tags() {
        for recipe in RECIPES {
            for turn in 0..3 {
                let mut grid = if recipe.needs_table() { CraftingGrid::table() } else { CraftingGrid::carried() };
                let side = grid.width;
                for (row, cells) in recipe.pattern.iter().enumerate() {
                    for (column, symbol) in cells.chars().enumerate().filter(|(_, symbol)| *symbol != ' ') {
                        let item = match recipe.key.iter().find(|(key, _)| *key == symbol).unwrap().1 {
                            Ingredient::Exactly(item) => item,
                            Ingredient::Any(tag) => tag.items()[(row + column + turn) % tag.items().len()],
                        };
                        grid.set(row * side + column, Some(Stack { item, count: 2, wear: 0 }));
                    }
                }
                assert_eq!(made(&grid), Some((recipe.result, recipe.count)));
                assert_eq!(grid.craft().map(|stack| stack.item), Some(recipe.result));
                assert!((0..grid.len()).all(|cell| grid.get(cell).is_none_or(|stack| stack.count == 1)));
                assert!(grid.craft().is_some() && grid.is_empty() && grid.craft().is_none());
            }
        }
    }

    #[test]
    fn tables_and_pickaxes_want_their_shape() {
        let items =
            [('#', Item::OakPlanks), ('c', Item::CobbledDeepslate), ('C', Item::Cobblestone), ('|', Item::Stick)];
        let table = |picture| made(&laid(CraftingGrid::table(), picture, &items)).map(|(item, _)| item);
        assert_eq!(table("##./##./..."), Some(Item::CraftingTable));
        assert_eq!(table(".../.##/.##"), Some(Item::CraftingTable));
        assert_eq!(table("###/.|./.|."), Some(Item::WoodenPickaxe));
        assert_eq!(table("cCc/.|./.|."), Some(Item::StonePickaxe));
        assert_eq!(table("cCc/C.c/CCC"), Some(Item::Furnace));
        for picture in ["###/|../|..", "##c/.|./.|.", "###/.|./...", "CCC/CCC/CCC", "##./##./#..", "CCC/C.C/CC."] {
            assert_eq!(table(picture), None, "{picture}");
        }
    }

    #[test]
    fn a_lopsided_recipe_may_be_mirrored_but_not_turned() {
        const STONE: Ingredient = Ingredient::Any(Tag::StoneMaterials);
        const STICK: Ingredient = Ingredient::Exactly(Item::Stick);
        let hoe = Recipe {
            result: Item::Diamond,
            count: 1,
            pattern: &["##", " |", " |"],
            key: &[('#', STONE), ('|', STICK)],
        };
        let items = [('#', Item::Cobblestone), ('|', Item::Stick)];
        let fits = |picture| laid(CraftingGrid::table(), picture, &items).fits(&hoe);
        assert!(fits("##./.|./.|.") && fits(".##/..|/..|"));
        assert!(fits("##./|../|..") && fits(".##/.|./.|."));
        assert!(!fits("|../|../##.") && !fits("##./.|./...") && !fits("##./.|./.||"));
        let riddle = Recipe { key: &[('#', STONE)], ..hoe };
        assert!(!laid(CraftingGrid::table(), "##./.|./.|.", &items).fits(&riddle));
    }
}
