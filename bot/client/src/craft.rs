//! Crafts a recipe by clicks in a crafting grid.

use azalea::inventory::ItemStack;
use azalea::registry::builtin::MenuKind;
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::recipes::Recipe;

use super::classify::kind_of;
use super::hands::{OWN_GRID, RESULT};
use super::player::Player;
use super::synced_windows::INVENTORY_SLOTS;
use super::windows::{self, ActiveWindow};

/// Slots of a crafting table's window.
const TABLE_SLOTS: usize = 10 + INVENTORY_SLOTS;
/// The slots of its grid.
const TABLE_GRID: std::ops::RangeInclusive<usize> = 1..=9;

impl Player {
    /// Crafts a recipe once.
    pub(crate) async fn craft_once(&mut self, recipe: &Recipe, table: Option<BlockPos>) -> Result<(), Failure> {
        self.may_go_on()?;
        self.ready().await?;
        let name = recipe.result.name();
        let cells = recipe
            .layout(self.view())
            .ok_or_else(|| Failure::new(Code::MissingIngredients, format!("The ingredients of {name} are gone.")))?;
        let (grid, width) = match table {
            Some(table) => {
                if !self.open(table, MenuKind::Crafting, TABLE_SLOTS).await? {
                    return Err(Failure::new(Code::NoCraftingTable, "The crafting table cannot be opened."));
                }
                (TABLE_GRID, 3)
            }
            None => (OWN_GRID, 2),
        };
        let before = self.count(recipe.result);
        let made = self.clicks(recipe, &cells, grid.clone(), width).await;
        if !matches!(&made, Err(failure) if failure.code.ends_action()) {
            windows::clear(&self.link, grid, RESULT).await?;
        }
        windows::close(&self.link);
        made?;
        let gain = i64::from(recipe.count);
        let there = |player: &mut Self| (player.count(recipe.result) >= before + gain).then_some(());
        if self.wait_for(windows::ANSWER, there).await?.is_none() {
            return Err(Failure::new(Code::NothingCrafted, format!("The {name} did not come.")));
        }
        for (_, _, item) in cells {
            self.expect_more(item, -1);
        }
        self.expect_more(recipe.result, gain);
        Ok(())
    }

    /// Puts the ingredients into the grid, waits for the result and takes it.
    async fn clicks(
        &mut self,
        recipe: &Recipe,
        cells: &[(usize, usize, Item)],
        grid: std::ops::RangeInclusive<usize>,
        width: usize,
    ) -> Result<(), Failure> {
        let mut window = ActiveWindow::new(&self.link, &[RESULT]);
        let mut kinds: Vec<Item> = cells.iter().map(|(_, _, item)| *item).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for item in kinds {
            let slots = cells.iter().filter(|(_, _, of)| *of == item);
            lay(&mut window, item, slots.map(|(row, column, _)| grid.start() + row * width + column));
        }
        let result = kind_of(recipe.result);
        let comes = |stack: &ItemStack| result == Some(stack.kind()) && stack.count() == recipe.count as i32;
        let shown = window.shows(|windows| windows.active_slots().first().is_some_and(comes)).await?;
        // A picked-up item may have changed a stack by now; only the result matters.
        let agreed = shown && window.confirmed().await?;
        window.resync();
        if !shown
            || !agreed && (window.expected.cursor.is_present() || !window.expected.slots.first().is_some_and(comes))
        {
            return Err(Failure::new(Code::NothingCrafted, format!("Nothing came of the {}.", recipe.result.name())));
        }
        let made = window.expected.slots.first().cloned().unwrap_or_default();
        // The selected slot is avoided, because crafting does not equip.
        let hand = window.hotbar(self.equipped);
        let room = window.expected.room_for(&made, window.inventory().filter(|slot| *slot != hand));
        let room = room.or_else(|| window.expected.room_for(&made, window.inventory()));
        let room = room.ok_or_else(|| Failure::no_room(recipe.result))?;
        self.may_go_on()?;
        window.take_result(RESULT, grid);
        window.left_click(room);
        // The caller checks the result, so a difference elsewhere is ignored.
        window.confirmed().await?;
        Ok(())
    }
}

/// Puts one item into each of the slots.
fn lay(window: &mut ActiveWindow<'_>, item: Item, slots: impl Iterator<Item = usize>) {
    let kind = kind_of(item);
    let mut from = None;
    for slot in slots {
        if window.expected.cursor.is_empty() {
            from = window.holding(|stack| kind == Some(stack.kind())).first().copied();
            let Some(from) = from else { return };
            window.left_click(from);
        }
        window.right_click(slot);
    }
    window.put_back(from);
}
