//! The vocabulary of the diamond task: LTLCrit's tables 3 and 4, four added observations, and the axioms.

use std::sync::{Arc, LazyLock};

use ltlcrit_verifier::{Axiom, Formula, Proposition, Vocabulary};
use ltlcrit_worlds::Term;

use super::abstraction::OBSERVATIONS;
use super::sight::Sight;

/// The name of this vocabulary in law books.
pub const NAME: &str = "minecraft";

/// LTLCrit table 4, in its order: name, meaning, and the items that the action takes and gives (empty if not needed).
/// The paper's actors saw only the names.
pub const PAPER_ACTIONS: [(&str, &str, &str); 20] = [
    ("action_mine_log", "Mine one log in sight", ""),
    ("action_mine_stone", "Mine one stone in sight", "needs a pickaxe in the hand"),
    ("action_mine_iron_ore", "Mine one iron ore in sight", "needs a stone or iron pickaxe in the hand"),
    ("action_mine_coal", "Mine one coal ore in sight", "needs a pickaxe in the hand"),
    ("action_mine_diamond", "Mine one diamond ore in sight", "needs an iron pickaxe in the hand"),
    ("action_craft_planks", "Craft planks", "1 log gives 4 planks"),
    ("action_craft_stick", "Craft sticks", "2 planks give 4 sticks"),
    (
        "action_craft_wooden_pickaxe",
        "Craft a wooden pickaxe",
        "takes 3 planks, 2 sticks and a crafting table within 32 blocks",
    ),
    (
        "action_craft_stone_pickaxe",
        "Craft a stone pickaxe",
        "takes 3 cobblestone, 2 sticks and a crafting table within 32 blocks",
    ),
    (
        "action_craft_iron_pickaxe",
        "Craft an iron pickaxe",
        "takes 3 iron ingots, 2 sticks and a crafting table within 32 blocks",
    ),
    ("action_craft_crafting_table", "Craft a crafting table", "takes 4 planks"),
    ("action_craft_furnace", "Craft a furnace", "takes 8 cobblestone and a crafting table within 32 blocks"),
    ("action_smelt_iron", "Smelt one iron ingot", "takes 1 raw iron or iron ore, fuel and a furnace within 32 blocks"),
    ("action_equip_wood_pickaxe", "Take the wooden pickaxe into your hand", ""),
    ("action_equip_stone_pickaxe", "Take the stone pickaxe into your hand", ""),
    ("action_equip_iron_pickaxe", "Take the iron pickaxe into your hand", ""),
    (
        "action_explore_general",
        "Walk until a new ore appears",
        "looks for the next of logs, stone, iron ore, coal and diamonds that you lack",
    ),
    ("action_explore_diamond_down", "Dig down until diamond ore appears", ""),
    ("action_place_crafting_table", "Place the crafting table beside you", ""),
    ("action_place_furnace", "Place the furnace beside you", ""),
];

/// Boolean formulas that the abstraction of every state satisfies. Each is a left side that implies a right side, with
/// the reason if the names do not show it.
///
/// All of them hold by the meaning of the words. Former possession is not an invariant: tools wear out, and on a server
/// death drops everything, chests keep items, and an operator gives and takes them. Iron ingots do not imply a wooden
/// pickaxe.
const IMPLICATIONS: [(&str, &str, Option<&str>); 14] = [
    ("obs_has_2x_plank", "obs_has_plank", None),
    ("obs_has_3x_plank", "obs_has_2x_plank", None),
    ("obs_has_4x_plank", "obs_has_3x_plank", None),
    ("obs_has_11x_plank", "obs_has_4x_plank", None),
    ("obs_has_8x_cobble", "obs_has_3x_cobble", None),
    ("obs_has_11x_cobble", "obs_has_8x_cobble", None),
    ("obs_has_3x_iron_ingot", "obs_has_iron_ingot", None),
    ("obs_has_2x_iron_ore", "obs_has_1x_iron_ore", None),
    ("obs_has_3x_iron_ore", "obs_has_2x_iron_ore", None),
    ("obs_wood_pickaxe_equipped", "obs_has_wood_pickaxe", Some(IN_HAND)),
    ("obs_stone_pickaxe_equipped", "obs_has_stone_pickaxe", Some(IN_HAND)),
    ("obs_iron_pickaxe_equipped", "obs_has_iron_pickaxe", Some(IN_HAND)),
    ("obs_has_log", "obs_has_fuel", Some("a log burns for 300 ticks, smelting an item takes 200")),
    ("obs_has_plank", "obs_has_fuel", Some("a plank burns for 300 ticks, smelting an item takes 200")),
];

const IN_HAND: &str = "what is in the hand is carried";
const ONE_HAND: &str = "the hand holds one thing";

/// Observations of the hand that are mutually exclusive.
const EXCLUSIONS: [(&str, &str); 3] = [
    ("obs_iron_pickaxe_equipped", "obs_stone_pickaxe_equipped"),
    ("obs_iron_pickaxe_equipped", "obs_wood_pickaxe_equipped"),
    ("obs_stone_pickaxe_equipped", "obs_wood_pickaxe_equipped"),
];

/// The vocabulary: 30 observations of the paper, 3 hazards, logs in sight, 20 actions of the paper, `action_stop`.
pub fn vocabulary() -> Arc<Vocabulary> {
    static VOCABULARY: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| Arc::new(build()));
    VOCABULARY.clone()
}

fn build() -> Vocabulary {
    let observations = OBSERVATIONS.map(|(name, meaning, _)| Proposition::new(name, meaning)).into();
    let implications = IMPLICATIONS.iter().map(|(left, right, reason)| {
        let axiom = Axiom::new(Formula::atom(*left).implies(Formula::atom(*right)));
        reason.iter().fold(axiom, |axiom, reason| axiom.because(*reason))
    });
    let exclusions = EXCLUSIONS
        .iter()
        .map(|(left, right)| Axiom::new(Formula::atom(*left).and(Formula::atom(*right)).not()).because(ONE_HAND));
    let axioms = implications.chain(exclusions).collect();
    let actions = PAPER_ACTIONS.iter().map(|(name, meaning, recipe)| {
        let action = Proposition::new(*name, *meaning);
        if recipe.is_empty() { action } else { action.with_recipe(*recipe) }
    });
    match Vocabulary::new(NAME, observations, actions.collect(), axioms) {
        Ok(vocabulary) => vocabulary,
        // The tables are constants, and the tests build the vocabulary.
        Err(error) => unreachable!("the built-in vocabulary is malformed: {error}"),
    }
}

/// Further English phrases for some propositions, besides their meanings.
pub const PHRASES: [(&str, &[&str]); 7] = [
    ("obs_lava_near", &["lava is near"]),
    ("action_explore_diamond_down", &["dig down", "dig a staircase down", "dig down for diamonds", "dig downwards"]),
    ("action_explore_general", &["explore", "explore the land", "go exploring", "walk around", "look around"]),
    ("obs_low_health", &["your health is low", "you have low health", "you are low on health", "you are hurt"]),
    ("obs_head_in_water", &["your head is under water", "your head is in water", "you are under water"]),
    ("obs_has_fuel", &["you have fuel", "you carry fuel"]),
    ("action_stop", &["stop", "stop the run", "end the run"]),
];

/// The glossary of the observations and meanings, for a player with this sight.
pub fn glossary(sight: Sight) -> Vec<Term> {
    let in_sight = match sight {
        Sight::Exposed => {
            "within 32 blocks of your eyes and not enclosed: beside air, water or anything else that can be seen through"
        }
        Sight::Loaded => {
            "within 32 blocks of your eyes, even enclosed in rock; stone itself only where it is not enclosed"
        }
    };
    vec![
        Term::new("in sight", in_sight),
        Term::new(
            "Nearby",
            "the kinds of log, ore, stone, crafting table and furnace in sight, each with the distance of the nearest. \
             Actions walk or dig to what they need",
        ),
        Term::new(
            "Placed",
            "crafting tables and furnaces that you placed or saw, also those that are no longer in sight",
        ),
        Term::new("Hazards", "lava, water, gravel and sand within 8 blocks that rock does not hide"),
        Term::new("fuel", "the coal, charcoal, logs and planks you carry, and the fire left in a furnace nearby"),
        Term::new("logs and planks", "those of any wood"),
        Term::new("iron ore you carry", "raw iron, too"),
    ]
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::vocabulary::STOP;

    use super::*;
    use crate::{abstraction, sight};

    /// LTLCrit tables 3 and 4, copied name by name.
    const TABLE_3: &str = "obs_has_log obs_has_plank obs_has_2x_plank obs_has_3x_plank obs_has_4x_plank obs_has_11x_plank \
        obs_has_2x_stick obs_has_3x_cobble obs_has_8x_cobble obs_has_11x_cobble obs_has_wood_pickaxe \
        obs_has_stone_pickaxe obs_has_iron_pickaxe obs_has_diamond obs_has_iron_ingot obs_has_3x_iron_ingot \
        obs_has_1x_iron_ore obs_has_2x_iron_ore obs_has_3x_iron_ore obs_has_crafting_table obs_has_furnace obs_has_fuel \
        obs_near_crafting_table obs_near_furnace obs_diamond_in_chunk obs_iron_in_chunk obs_coal_in_chunk \
        obs_iron_pickaxe_equipped obs_stone_pickaxe_equipped obs_wood_pickaxe_equipped";
    const TABLE_4: &str = "action_mine_log action_mine_stone action_mine_iron_ore action_mine_coal action_mine_diamond \
        action_craft_planks action_craft_stick action_craft_wooden_pickaxe action_craft_stone_pickaxe \
        action_craft_iron_pickaxe action_craft_crafting_table action_craft_furnace action_smelt_iron \
        action_equip_wood_pickaxe action_equip_stone_pickaxe action_equip_iron_pickaxe action_explore_general \
        action_explore_diamond_down action_place_crafting_table action_place_furnace";

    #[test]
    fn holds_the_papers_tables_in_order() {
        let vocabulary = vocabulary();
        let names = |list: &[Proposition]| list.iter().map(|p| p.name.to_string()).collect::<Vec<_>>();
        let observations = names(vocabulary.observations());
        let actions = names(vocabulary.actions());
        assert_eq!(observations[..30], TABLE_3.split_whitespace().collect::<Vec<_>>()[..]);
        assert_eq!(observations[30..], ["obs_low_health", "obs_lava_near", "obs_head_in_water", "obs_log_in_chunk"]);
        assert_eq!(actions[..20], TABLE_4.split_whitespace().collect::<Vec<_>>()[..]);
        assert_eq!(actions[20..], [STOP]);
        assert_eq!(vocabulary.axioms().len(), 17);
    }

    /// Longer explanations belong in the glossary.
    #[test]
    fn meanings_are_short() {
        let actions = PAPER_ACTIONS.iter().map(|(_, meaning, _)| meaning);
        let observations = OBSERVATIONS.iter().map(|(_, meaning, _)| meaning);
        for meaning in actions.chain(observations) {
            assert!(meaning.split_whitespace().count() <= 7, "{meaning}");
        }
    }

    /// Ingredients, tools and numbers belong to the recipe, not to the meaning.
    #[test]
    fn meanings_do_not_tell_recipes() {
        for (name, meaning, _) in PAPER_ACTIONS {
            assert!(!meaning.contains(|c: char| c.is_ascii_digit()), "{name}: {meaning}");
            assert!(!["needs", "takes", "from"].iter().any(|word| meaning.contains(word)), "{name}: {meaning}");
        }
        let vocabulary = vocabulary();
        let told = |name: &str| vocabulary.actions()[usize::from(vocabulary.action(name).unwrap().0)].clone();
        assert_eq!(told("action_craft_stick").meaning_and_recipe(), "Craft sticks: 2 planks give 4 sticks");
        assert_eq!(told("action_equip_iron_pickaxe").recipe, None);
    }

    /// The numbers in the glossary are those of the rules.
    #[test]
    fn the_glossary_tells_the_rules() {
        assert_eq!((sight::RANGE, abstraction::NEAR), (32.0, 32.0));
        for sight in [Sight::Exposed, Sight::Loaded] {
            let words: Vec<_> = glossary(sight).into_iter().map(|term| term.word).collect();
            assert_eq!(words[..4], ["in sight", "Nearby", "Placed", "Hazards"]);
        }
    }

    /// The tables agree with the paper's text, if that text is available.
    #[test]
    fn agrees_with_the_papers_text() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/seeds/003_d2c828891dad7c8a.txt");
        let Ok(text) = std::fs::read_to_string(path) else {
            eprintln!("skipped: the paper's text is not at {path}");
            return;
        };
        let first_words: Vec<&str> = text.lines().filter_map(|line| line.split('\t').next()).collect();
        let rows = |prefix: &str| -> Vec<&str> {
            first_words.iter().copied().filter(|word| word.starts_with(prefix) && !word.contains(' ')).collect()
        };
        assert_eq!(rows("obs_"), TABLE_3.split_whitespace().collect::<Vec<_>>());
        assert_eq!(rows("action_"), TABLE_4.split_whitespace().collect::<Vec<_>>());
    }
}
