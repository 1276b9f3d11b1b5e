//! Compares the personas, in the real loop and the embedded world, with the papers' metrics (LTLCrit tables 1 and 2).

use ltlcrit_engine::actor::{ActorKind, PromptedActor};
use ltlcrit_engine::agent::{Interrupt, RunFacts, RunSummary, Silent, Start, same_laws};
use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::EpisodeFigures;
use ltlcrit_laws::Book;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, vocabulary};
use ltlcrit_model::{ChatModel, Price};
use ltlcrit_store::{Durability, End, Limits, Offer, Store};
use ltlcrit_verifier::{Enforcement, Fallback, Law, LawId, Shield, ShieldOptions};

use crate::common::{agent, block_on, facts, simulated};

/// The number of runs for comparisons with the paper's metrics: ten times that of the paper.
const MANY: u64 = 50;
/// The number of runs for properties of every run: that of the paper.
const FEW: u64 = 5;

fn laws(books: &[&str]) -> Vec<Law> {
    books.iter().flat_map(|book| ltlcrit_laws::open(book, &[vocabulary()]).unwrap().0.laws_in_force()).collect()
}

/// Runs an actor with its persona on the first seeds, at most 100 steps each, under the laws of some books.
fn runs(actor: ActorKind, persona: &'static str, books: &[&str], seeds: u64) -> Vec<RunSummary> {
    // The runs are spread over all cores; each is determined by its seed.
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..workers)
            .map(|worker| {
                scope.spawn(move || {
                    share(actor, persona, books, (0..seeds).skip(worker as usize).step_by(workers as usize))
                })
            })
            .collect();
        shares.into_iter().flat_map(|share| share.join().unwrap()).collect()
    })
}

fn share(actor: ActorKind, persona: &'static str, books: &[&str], seeds: impl Iterator<Item = u64>) -> Vec<RunSummary> {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    seeds.map(|seed| run(actor, persona, books, seed, &store)).collect()
}

fn run(actor: ActorKind, persona: &'static str, books: &[&str], seed: u64, store: &Store) -> RunSummary {
    run_offered(Offer::All, actor, persona, books, seed, store)
}

fn run_offered(
    offer: Offer,
    actor: ActorKind,
    persona: &'static str,
    books: &[&str],
    seed: u64,
    store: &Store,
) -> RunSummary {
    let model = simulated(persona, seed);
    let mut actor = PromptedActor::new(actor, model.clone(), Config::default().prompts());
    let facts = RunFacts {
        model: model.info(),
        price: Some(Price::FREE),
        seed,
        shielded: actor.shielded(),
        limits: Limits { max_steps: 100, offer, ..Limits::default() },
        ..facts(laws(books))
    };
    let (mut observer, mut new_laws) = (Silent, same_laws);
    let agent = agent(&mut actor, &mut observer, Interrupt::new(), &mut new_laws);
    let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
    block_on(agent.run_in(&mut world, Start::Stored { store, durability: Durability::EachEpisode, facts })).unwrap()
}

/// Simulated actors that repeat one action forever.
const LOOPING: [&str; 3] = ["feller", "quarrier", "whittler"];

/// The book gets actors past the one action that they otherwise repeat forever, on random seeds.
#[test]
fn the_book_for_small_models_gets_looping_actors_to_the_diamond() {
    let first = rand::random_range(1_000..u64::MAX / 2);
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    for (persona, seed) in LOOPING.into_iter().zip(first..) {
        let alone = run(ActorKind::Naive, persona, &["minecraft-hard"], seed, &store);
        let guided = run(ActorKind::Naive, persona, &["minecraft-hard", "small-model"], seed, &store);
        assert_ne!(alone.end, Some(End::Goal), "{persona}, seed {seed}");
        assert_eq!(guided.end, Some(End::Goal), "{persona}, seed {seed}: {:?}", guided.metrics);
    }
}

#[test]
fn an_actor_that_is_offered_what_is_allowed_is_asked_once_a_step() {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    let seed = rand::random_range(1_000..u64::MAX / 2);
    let requests_a_step = |offer| {
        let books = ["minecraft-hard", "small-model"];
        let drawn = LOOPING.iter().flat_map(|persona| (seed..seed + 4).map(move |seed| (*persona, seed)));
        let requests: Vec<f64> = drawn
            .map(|(persona, seed)| {
                let run = run_offered(offer, ActorKind::Naive, persona, &books, seed, &store);
                assert_eq!((&run.end, run.offer), (&Some(End::Goal), offer), "{persona}, seed {seed}");
                run.metrics.proposals as f64 / run.metrics.steps as f64
            })
            .collect();
        println!("(simulated) {offer:?}: {requests:.2?} requests a step");
        requests.iter().sum::<f64>() / requests.len() as f64
    };
    assert!(requests_a_step(Offer::All) > 1.5);
    assert!(requests_a_step(Offer::Allowed) <= 1.0);
}

const WHITTLING: &str = r#"name = "whittling"
revision = 1
vocabulary = "minecraft"

[[law]]
id = "whittle"
formula = "G(obs_has_3x_iron_ore & obs_has_2x_plank & !obs_has_2x_stick -> X action_craft_stick)"
strength = "soft"
explanation = "The iron pickaxe takes two sticks."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "no-more-logs"
formula = "G(obs_has_2x_plank -> X !action_mine_log)"
strength = "soft"
explanation = "Two planks are enough for sticks."
status = "adopted"
provenance = { origin = "hand" }
"#;

const SMELTING: &str = r#"name = "smelting"
revision = 1
vocabulary = "minecraft"

[[law]]
id = "set-up"
formula = "G(obs_has_3x_iron_ore & obs_has_furnace & !obs_near_furnace -> X action_place_furnace)"
strength = "soft"
explanation = "Iron ore is smelted in a furnace nearby."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "no-more-iron"
formula = "G(obs_has_3x_iron_ore -> X !action_mine_iron_ore)"
strength = "soft"
explanation = "Three pieces of ore are enough for the pickaxe."
status = "adopted"
provenance = { origin = "hand" }
"#;

/// One book demands the sticks and another the furnace. The later book is suspended, and only in its demand there.
#[test]
fn of_two_books_that_clash_only_the_later_demand_gives_way() {
    let written = |text: &str| Book::parse(text, "a book").unwrap().over(&vocabulary()).unwrap().laws_in_force();
    let books = [laws(&["minecraft-hard"]), written(WHITTLING), written(SMELTING)].concat();
    let here = "obs_has_3x_iron_ore obs_has_2x_iron_ore obs_has_1x_iron_ore obs_has_2x_plank obs_has_plank obs_has_furnace \
                obs_has_stone_pickaxe obs_stone_pickaxe_equipped obs_near_crafting_table obs_iron_in_chunk obs_log_in_chunk";
    let here = vocabulary().set(here.split_whitespace()).unwrap();
    let decide = |fallback| {
        let options = ShieldOptions { fallback, ..ShieldOptions::default() };
        let mut shield = Shield::new(vocabulary(), books.clone(), options).unwrap();
        shield.start(here).unwrap();
        let decision = shield.decide();
        let allowed: Vec<String> = decision.allowed.names(&vocabulary()).into_iter().map(str::to_owned).collect();
        (decision.enforcement, allowed)
    };
    let conflict: Vec<LawId> = vec!["whittle".into(), "set-up".into()];
    let (enforcement, allowed) = decide(Fallback::OneByOne);
    let suspended = vec!["set-up".into()];
    let expected = Enforcement::Suspended { suspended, conflict: conflict.clone(), minimal: true, proved: true };
    assert_eq!((enforcement, allowed), (expected, vec!["action_craft_stick".to_owned()]));

    let (enforcement, allowed) = decide(Fallback::All);
    assert_eq!(enforcement, Enforcement::HardOnly { conflict, minimal: true });
    for action in ["action_mine_log", "action_mine_iron_ore", "action_place_furnace"] {
        assert!(allowed.iter().any(|it| it == action), "{action} is not in {allowed:?}");
    }
}

/// Prints and returns the metrics of some runs.
fn row(name: &str, runs: &[RunSummary]) -> EpisodeFigures {
    assert!(runs.iter().all(|run| run.model.simulated));
    let row = EpisodeFigures::of(runs);
    let percent = |share: Option<f64>| 100.0 * share.unwrap_or(0.0);
    println!(
        "{name} (simulated): {} of {} diamonds, {:.1} steps, failed {:.1}%, blocked {:.1}%",
        row.goals,
        row.episodes,
        row.mean_steps.unwrap_or(0.0),
        percent(row.failed_proposals),
        percent(row.blocked_proposals)
    );
    row
}

#[test]
fn inner_monologue_alone_is_as_fast_and_as_faulty_as_in_the_paper() {
    let runs = runs(ActorKind::InnerMonologue, "inner-monologue", &[], MANY);
    let row = row("inner-monologue", &runs);
    assert!(row.goals >= 40, "{} of 50; the paper has 4 of 5", row.goals);
    let (steps, failed) = (row.mean_steps.unwrap(), row.failed_proposals.unwrap());
    assert!((44.0..=47.0).contains(&steps), "{steps} steps on average; the paper has 45.5");
    assert!((0.20..=0.26).contains(&failed), "{failed} of the proposals failed; the paper has 0.23");
    // All failure modes of the paper occur.
    let sum = |count: fn(&RunSummary) -> u64| runs.iter().map(count).sum::<u64>();
    assert!(sum(|run| run.metrics.malformed) > 10);
    assert!(sum(|run| run.metrics.unknown) > 100);
    assert!(sum(|run| run.metrics.failed_actions) > 200);
}

#[test]
fn inner_monologue_gets_better_under_the_hard_laws() {
    let runs = runs(ActorKind::InnerMonologue, "inner-monologue", &["minecraft-hard"], MANY);
    let row = row("inner-monologue, minecraft-hard", &runs);
    assert!(row.goals >= 45, "{} of 50", row.goals);
    assert!(row.mean_steps.unwrap() < 43.0 && row.failed_proposals.unwrap() < 0.15);
    assert!(row.blocked_proposals.unwrap() > 0.05);
}

#[test]
fn saycan_alone_gets_no_diamond() {
    saycan_alone_fails(FEW);
}

#[test]
#[ignore = "50 runs to the step limit take a minute"]
fn saycan_alone_never_gets_a_diamond() {
    saycan_alone_fails(MANY);
}

fn saycan_alone_fails(seeds: u64) {
    let runs = runs(ActorKind::SayCan, "saycan", &["saycan-hard"], seeds);
    let row = row("saycan, saycan-hard", &runs);
    assert_eq!(row.goals, 0, "the paper has 0 of 5 within 100 steps");
    assert!(runs.iter().all(|run| run.metrics.subgoal().is_none()), "not even a wooden pickaxe, as in the paper");
}

#[test]
fn saycan_gets_there_with_the_papers_laws() {
    let runs = runs(ActorKind::SayCan, "saycan", &["saycan-hard", "saycan-soft"], MANY);
    let row = row("saycan, saycan-hard, saycan-soft", &runs);
    assert!(row.goals >= 40, "{} of 50; the paper has 5 of 5", row.goals);
    let steps = row.mean_steps.unwrap();
    assert!((40.0..=50.0).contains(&steps), "{steps} steps on average; the paper has 45.4");
}
