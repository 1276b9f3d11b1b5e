//! A shield with many goals along whole runs of the embedded world, with the world's predictions.

use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, abstraction, vocabulary};
use ltlcrit_verifier::{Enforcement, Law, Shield, ShieldOptions, Strength};
use ltlcrit_worlds::{Details, Observation};

const BOOK: &str = include_str!("../../../../laws/books/minecraft-hard.toml");

/// The laws of the book, and a goal for each action except stopping.
fn laws(strength: impl Fn(usize) -> Strength) -> Vec<Law> {
    let formulas = BOOK.lines().filter_map(|line| line.strip_prefix("formula = \"")?.strip_suffix('"'));
    let mut laws: Vec<Law> =
        formulas.enumerate().map(|(at, text)| Law::hard(format!("book-{at}"), text.parse().unwrap(), "")).collect();
    assert!(laws.len() > 20);
    for (at, action) in vocabulary().actions().iter().filter(|action| &*action.name != "action_stop").enumerate() {
        let goal = format!("F {}", action.name).parse().unwrap();
        let goal = Law::hard(format!("goal-{}", action.name), goal, "");
        laws.push(Law { strength: strength(at), ..goal });
    }
    laws
}

fn look(world: &mut EmbeddedWorld) -> Observation {
    let full = world.look();
    Observation { holds: abstraction::propositions(&full), details: Details::new(full) }
}

/// Takes the allowed action with the fewest uses so far, and checks every decision.
fn walk(seed: u64, laws: &[Law], steps: usize, relaxed: &[&str]) {
    let vocabulary = vocabulary();
    let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
    let mut shield = Shield::new(vocabulary.clone(), laws.to_vec(), ShieldOptions::default()).unwrap();
    let mut taken = vec![0; vocabulary.actions().len()];
    let mut seen = look(&mut world);
    shield.start(seen.holds).unwrap();
    for step in 0..steps {
        let outlook = effects::outlook(&seen, Setting::Embedded);
        let predict = |action| outlook.predict(action);
        shield.predict(vocabulary.action_ids().map(predict).collect());
        let decision = shield.decide();
        assert_eq!(shield.unknowns(), 0, "step {step}: {decision:?}");
        assert_eq!(decision.enforcement, Enforcement::All, "step {step}");
        assert!(decision.relaxed.iter().all(|law| relaxed.contains(&&**law)), "step {step}: {:?}", decision.relaxed);
        let owed = !shield.obligations().is_empty();
        let stop = vocabulary.stop().unwrap();
        assert_eq!(decision.allowed.contains(stop), !owed, "step {step}: stopping");
        let choices = decision.allowed.iter().filter(|action| *action != stop);
        let action = choices.min_by_key(|action| taken[usize::from(action.0)]).unwrap();
        taken[usize::from(action.0)] += 1;
        world.act(action).unwrap();
        seen = look(&mut world);
        let broken = shield.step(action, seen.holds).unwrap();
        assert!(broken.iter().all(|law| relaxed.contains(&&**law)), "step {step}: {broken:?}");
    }
}

#[test]
fn twenty_goals_beside_the_book_leave_nothing_undecided() {
    let laws = laws(|_| Strength::Hard);
    for seed in 1..=2 {
        walk(seed, &laws, 60, &[]);
    }
}

/// Soft goals and rules, laws that read the next state, and one law that no prediction can guarantee: only that one is
/// relaxed.
#[test]
fn goals_beside_soft_laws_and_laws_on_predictions_leave_nothing_undecided() {
    let mut laws = laws(|at| if at % 3 == 0 { Strength::Soft } else { Strength::Hard });
    let hard = |id: &str, formula: &str| Law::hard(id, formula.parse().unwrap(), "");
    laws.push(hard("heal", "G(obs_low_health -> F !obs_low_health)"));
    laws.push(hard("no-lava", "G !obs_lava_near"));
    laws.push(hard("answer", "G(action_mine_log -> F action_craft_planks)"));
    laws.push(Law::soft("not-twice", "G(action_mine_stone -> X !action_mine_stone)".parse().unwrap(), ""));
    walk(1, &laws, 30, &["no-lava"]);
}
