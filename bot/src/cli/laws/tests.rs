//! Tests of the output, as snapshots, and of known properties of the paper's books.

use std::collections::BTreeSet;

use clap::Parser as _;
use ltlcrit_laws::check::{ConsistencyVerdict, RunSatisfiability};
use ltlcrit_laws::{Code, Report, check_books, shipped, shipped_names};
use ltlcrit_verifier::consistency::{DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::semantics;

use super::open::open;
use super::*;

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    laws: LawsArgs,
}

fn parse(line: &[&str]) -> LawsCommand {
    Line::try_parse_from([&["laws"], line].concat()).unwrap().laws.command
}

fn fixture(name: &str) -> String {
    format!("{}/src/cli/laws/fixtures/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

fn check_report(books: &[&str]) -> Report {
    let LawsCommand::Check(args) = parse(&[&["check"], books].concat()) else { panic!("check") };
    check_books(&check::read(&args).unwrap(), &check::options(&args))
}

/// The output of `laws check`, without colours and without the path of the repository.
fn check_text(books: &[&str]) -> String {
    plain(&check::render(&check_report(books)))
}

fn plain(text: &str) -> String {
    crate::cli::output::terminal::plain(text).replace(env!("CARGO_MANIFEST_DIR"), "bot")
}

fn codes(report: &Report) -> Vec<Code> {
    report.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn saycans_hard_laws_never_over_constrain() {
    let report = check_report(&["saycan-hard"]);
    let consistency = report.consistency.clone().unwrap();
    assert_eq!((consistency.hard, consistency.all), (ConsistencyVerdict::Consistent, ConsistencyVerdict::Consistent));
    assert_eq!((consistency.covered, consistency.left_out.len()), (19, 0));
    assert!(report.is_clean(), "{:?}", report.findings);
    insta::assert_snapshot!(check_text(&["saycan-hard"]));
}

#[test]
fn saycans_hard_and_soft_laws_together_do() {
    let report = check_report(&["saycan-hard", "saycan-soft"]);
    let consistency = report.consistency.clone().unwrap();
    assert_eq!(
        (consistency.hard, consistency.all),
        (ConsistencyVerdict::Consistent, ConsistencyVerdict::OverConstrained)
    );
    assert_eq!(consistency.covered, 34);
    assert!(consistency.conflicts.len() >= 2, "several conflicts are reported");
    assert!(consistency.conflicts.iter().all(|conflict| conflict.gives_way.is_some()));
    insta::assert_snapshot!(check_text(&["saycan-hard", "saycan-soft", "--conflicts", "3"]));
}

#[test]
fn inner_monologues_laws_over_constrain_as_anchored() {
    let report = check_report(&["inner-monologue"]);
    let consistency = report.consistency.clone().unwrap();
    assert_eq!(consistency.all, ConsistencyVerdict::OverConstrained);
    insta::assert_snapshot!(check_text(&["inner-monologue", "--conflicts", "3"]));

    // 3 planks, 2 sticks, 3 iron ingots, 8 cobblestone, next to a crafting table and no pickaxe: four demands.
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let state = [
        "obs_has_plank",
        "obs_has_2x_plank",
        "obs_has_3x_plank",
        "obs_has_2x_stick",
        "obs_has_iron_ingot",
        "obs_has_3x_iron_ingot",
        "obs_has_3x_cobble",
        "obs_has_8x_cobble",
        "obs_near_crafting_table",
        "obs_has_fuel",
    ];
    let word = vec![state.to_vec()];
    assert!(vocabulary.axioms().iter().all(|axiom| semantics::satisfies(&axiom.formula, &word)), "it is a state");
    let (book, _) = open("inner-monologue").unwrap();
    let laws = book.laws_in_force();
    let guarded: Vec<_> = laws.iter().map(|law| recognise_all(&law.formula, &vocabulary).unwrap()).collect();
    let system = LawSystem::new(&vocabulary, &guarded, DEFAULT_BUDGET).unwrap();
    let state = vocabulary.set(state).unwrap();
    assert!(system.allowed_at(&state).is_empty(), "not even stopping is left");
    assert_eq!(system.conflict_at(&state).unwrap().len(), 2, "two of the four demands suffice");
    let demands: BTreeSet<&str> = guarded
        .iter()
        .filter(|law| {
            let alone = LawSystem::new(&vocabulary, &[law.to_vec()], DEFAULT_BUDGET).unwrap();
            alone.allowed_at(&state).len() == 1
        })
        .flat_map(|law| {
            let alone = LawSystem::new(&vocabulary, &[law.to_vec()], DEFAULT_BUDGET).unwrap();
            alone.allowed_at(&state).into_iter().map(|action| vocabulary.action_name(action)).collect::<Vec<_>>()
        })
        .collect();
    let expected = [
        "action_craft_furnace",
        "action_craft_iron_pickaxe",
        "action_craft_stone_pickaxe",
        "action_craft_wooden_pickaxe",
    ];
    assert_eq!(demands, expected.into_iter().collect());
}

#[test]
fn soft_law_7_as_printed_uses_names_that_do_not_exist() {
    let report = check_report(&[&fixture("soft-law-7-as-printed")]);
    assert_eq!(codes(&report), [Code::UnknownProposition; 3]);
    insta::assert_snapshot!(check_text(&[&fixture("soft-law-7-as-printed")]));
    // The shipped book has the corrected law, without unknown names.
    assert!(shipped("saycan-soft").unwrap().entry("saycan-soft-7").unwrap().note.is_some());
}

#[test]
fn reconstructed_and_corrected_laws_are_marked() {
    let noted = |name: &str, word: &str| -> Vec<String> {
        let book = shipped(name).unwrap();
        let marked = book.entries().iter().filter(|law| law.note.as_ref().is_some_and(|note| note.starts_with(word)));
        marked.map(|law| law.id.to_string()).collect()
    };
    assert_eq!(noted("saycan-hard", "Reconstructed"), ["saycan-hard-2", "saycan-hard-7"]);
    assert_eq!(noted("saycan-soft", "Corrected"), ["saycan-soft-7"]);
}

#[test]
fn our_own_hard_laws_are_proven_consistent() {
    let report = check_report(&["minecraft-hard"]);
    assert!(report.is_clean(), "{:?}", report.findings);
    let consistency = report.consistency.unwrap();
    assert_eq!((consistency.hard, consistency.left_out.len()), (ConsistencyVerdict::Consistent, 0));
    insta::assert_snapshot!(check_text(&["minecraft-hard"]));
}

/// The demands of `small-model` contradict neither each other nor the hard laws, in any state.
#[test]
fn the_book_for_small_models_leaves_an_action_in_every_state() {
    let report = check_report(&["small-model", "minecraft-hard"]);
    assert!(report.is_clean(), "{:?}", report.findings);
    let consistency = report.consistency.unwrap();
    assert_eq!((consistency.covered, consistency.left_out.len()), (57, 0));
    assert_eq!(consistency.all, ConsistencyVerdict::Consistent);
}

#[test]
fn the_safety_chips_constraints_are_satisfiable_and_leave_an_action() {
    let report = check_report(&["safety-chip-demo"]);
    assert!(report.is_clean(), "{:?}", report.findings);
    let consistency = report.consistency.unwrap();
    assert_eq!((consistency.begins, consistency.covered, consistency.left_out.len()), (RunSatisfiability::Yes, 10, 0));
    assert_eq!((consistency.hard, consistency.all), (ConsistencyVerdict::Consistent, ConsistencyVerdict::Consistent));
    insta::assert_snapshot!(check_text(&["safety-chip-demo"]));
}

#[test]
fn a_coding_agents_book_of_every_form_is_proven() {
    let book = format!("{}/../laws/tests/fixtures/coding-agent.toml", env!("CARGO_MANIFEST_DIR"));
    let report = check_report(&[&book]);
    assert_eq!(report.consistency.as_ref().map(|found| (found.covered, found.laws)), Some((12, 12)));
    insta::assert_snapshot!(check_text(&[&book]));
}

#[test]
fn an_unsatisfiable_law_and_a_contradiction_hide_nothing() {
    insta::assert_snapshot!(check_text(&[&fixture("contradictions")]));
}

#[test]
fn a_book_with_every_kind_of_problem_is_told_all_of_them() {
    let report = check_report(&[&fixture("every-problem")]);
    let found = codes(&report);
    for kind in [
        Code::Syntax,
        Code::UnknownProposition,
        Code::Book,
        Code::NotGuarded,
        Code::Vacuous,
        Code::Implied,
        Code::Contradiction,
        Code::OverConstrained,
    ] {
        assert!(found.contains(&kind), "{kind:?} in {found:?}");
    }
    insta::assert_snapshot!(check_text(&[&fixture("every-problem")]));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["findings"].as_array().unwrap().len(), report.findings.len());
    assert_eq!(json["consistency"]["all"], "over-constrained");
}

#[test]
fn books_of_different_vocabularies_are_not_checked_together() {
    let report = check_report(&["saycan-hard", "safety-chip-demo"]);
    assert!(report.consistency.is_none());
    assert_eq!(codes(&report), [Code::Vocabulary]);
    assert!(check_report(&["saycan-hard", "saycan-hard"]).is_clean(), "twice the same book is the book");
}

#[test]
fn lists_are_readable() {
    let books: Vec<_> = shipped_names().filter_map(shipped).collect();
    insta::assert_snapshot!(plain(&list::render_books(&books)));
    insta::assert_snapshot!(plain(&list::render_book(&shipped("saycan-soft").unwrap())));
}

#[test]
fn laws_are_explained() {
    for (snapshot, id) in [
        ("a_hard_law", "saycan-hard-7"),
        ("a_soft_law", "inner-monologue-1"),
        ("a_law_of_general_form", "mail-after-book"),
    ] {
        let LawsCommand::Explain(args) = parse(&["explain", id]) else { panic!("explain") };
        let found = explain::explain(&args).unwrap();
        let text: Vec<String> =
            found.iter().map(|one| plain(&explain::render(&explain::Explanation::of(one)))).collect();
        insta::assert_snapshot!(format!("explain_{snapshot}"), text.join("\n"));
    }
    let LawsCommand::Explain(args) = parse(&["explain", "saycan-hrad-7"]) else { panic!("explain") };
    let error = explain::explain(&args).err().unwrap();
    insta::assert_snapshot!(plain(&error.to_string()));
}

#[test]
fn differences_are_shown_law_by_law() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("changed.toml");
    let text = shipped("saycan-soft").unwrap().text().to_owned();
    let text = text
        .replace("revision = 1", "revision = 2")
        .replace(
            "G(obs_has_log & !obs_has_plank -> X action_craft_planks)",
            "G(!obs_has_log | obs_has_plank | X action_craft_planks)",
        )
        .replace(
            "G(obs_has_2x_plank & !obs_has_2x_stick -> X action_craft_stick)",
            "G(obs_has_4x_plank & !obs_has_2x_stick -> X action_craft_stick)",
        )
        .replace("id = \"saycan-soft-15\"", "id = \"no-more-exploring\"")
        .replacen("status = \"adopted\"", "status = \"retired\"\nreason = \"over-constrains\"", 1);
    std::fs::write(&path, text).unwrap();
    let LawsCommand::Diff(args) = parse(&["diff", "saycan-soft", path.to_str().unwrap()]) else { panic!("diff") };
    insta::assert_snapshot!(plain(&diff::render(&diff::compare(&args, open).unwrap())));
    let LawsCommand::Diff(args) = parse(&["diff", "saycan-soft", "saycan-soft"]) else { panic!("diff") };
    insta::assert_snapshot!(plain(&diff::render(&diff::compare(&args, open).unwrap())));
}

#[test]
fn a_missing_book_names_the_shipped_ones() {
    let error = open("no-such-book").unwrap_err();
    assert_eq!(error.code(), ExitCode::Input);
    insta::assert_snapshot!(plain(&error.to_string()));
}

/// The observations of a symbolic state of the diamond task, hazards aside.
fn observations(state: &ltlcrit_minecraft::planner::State) -> ltlcrit_verifier::PropSet {
    use ltlcrit_minecraft::planner::HeldTool;
    let s = state;
    let fuel = s.coal > 0 || s.logs > 0 || s.planks > 0 || s.fire >= 2;
    let holding = [
        ("obs_has_log", s.logs >= 1),
        ("obs_has_plank", s.planks >= 1),
        ("obs_has_2x_plank", s.planks >= 2),
        ("obs_has_3x_plank", s.planks >= 3),
        ("obs_has_4x_plank", s.planks >= 4),
        ("obs_has_11x_plank", s.planks >= 11),
        ("obs_has_2x_stick", s.sticks >= 2),
        ("obs_has_3x_cobble", s.cobble >= 3),
        ("obs_has_8x_cobble", s.cobble >= 8),
        ("obs_has_11x_cobble", s.cobble >= 11),
        ("obs_has_wood_pickaxe", s.wooden_pickaxe),
        ("obs_has_stone_pickaxe", s.stone_pickaxe),
        ("obs_has_iron_pickaxe", s.iron_pickaxe),
        ("obs_has_diamond", s.diamonds >= 1),
        ("obs_has_iron_ingot", s.ingots >= 1),
        ("obs_has_3x_iron_ingot", s.ingots >= 3),
        ("obs_has_1x_iron_ore", s.iron_ore >= 1),
        ("obs_has_2x_iron_ore", s.iron_ore >= 2),
        ("obs_has_3x_iron_ore", s.iron_ore >= 3),
        ("obs_has_crafting_table", s.tables >= 1),
        ("obs_has_furnace", s.furnaces >= 1),
        ("obs_has_fuel", fuel),
        ("obs_near_crafting_table", s.near_table),
        ("obs_near_furnace", s.near_furnace),
        ("obs_diamond_in_chunk", s.diamond_seen),
        ("obs_iron_in_chunk", s.iron_seen),
        ("obs_coal_in_chunk", s.coal_seen),
        ("obs_iron_pickaxe_equipped", s.hand == HeldTool::Iron),
        ("obs_stone_pickaxe_equipped", s.hand == HeldTool::Stone),
        ("obs_wood_pickaxe_equipped", s.hand == HeldTool::Wood),
    ];
    ltlcrit_minecraft::vocabulary().set(holding.iter().filter(|(_, holds)| *holds).map(|(name, _)| *name)).unwrap()
}

/// On random walks of the symbolic task, our hard laws block no action that would succeed, except the descent without
/// tools.
#[test]
fn our_own_hard_laws_block_nothing_that_works() {
    use ltlcrit_minecraft::planner::State;
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let (book, _) = open("minecraft-hard").unwrap();
    let guarded: Vec<_> =
        book.laws_in_force().iter().map(|law| recognise_all(&law.formula, &vocabulary).unwrap()).collect();
    let system = LawSystem::new(&vocabulary, &guarded, DEFAULT_BUDGET).unwrap();
    let stop = vocabulary.stop().unwrap();
    let mut seed = 7u64;
    let (mut blocked, mut allowed) = (0, 0);
    for _ in 0..300 {
        let mut state = State::beginning();
        for _ in 0..60 {
            let left = system.allowed_at(&observations(&state));
            assert!(left.contains(&stop));
            let mut next = Vec::new();
            for action in vocabulary.action_ids().filter(|action| *action != stop) {
                let name = vocabulary.action_name(action);
                let works = state.after(name);
                let barehanded = name == "action_explore_diamond_down"
                    && !(state.wooden_pickaxe || state.stone_pickaxe || state.iron_pickaxe);
                if left.contains(&action) {
                    allowed += 1;
                } else {
                    blocked += 1;
                    assert!(works.is_none() || barehanded, "{name} would work in {state:?} and is blocked");
                }
                // An allowed action may still fail for reasons that no observation shows: sight of logs and stone,
                // diamonds out of reach, a second pickaxe of a kind, space in the inventory.
                next.extend(works);
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state = next[(seed >> 33) as usize % next.len()];
        }
    }
    assert!(blocked > 10_000 && allowed > 10_000, "{blocked} blocked, {allowed} allowed");
}

/// In natural terrain, our hard laws block the scripted best policy, which ignores hazards, only where there is a
/// hazard.
#[test]
fn our_own_hard_laws_stand_in_the_way_of_the_best_policy_only_in_danger() {
    use ltlcrit_minecraft::EmbeddedWorld;
    use ltlcrit_minecraft::planner::Policy;
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let (book, _) = open("minecraft-hard").unwrap();
    let guarded: Vec<_> =
        book.laws_in_force().iter().map(|law| recognise_all(&law.formula, &vocabulary).unwrap()).collect();
    let system = LawSystem::new(&vocabulary, &guarded, DEFAULT_BUDGET).unwrap();
    let hazards = vocabulary.set(["obs_low_health", "obs_lava_near", "obs_head_in_water"]).unwrap();
    let away = vocabulary.action("action_explore_general").unwrap();
    let mut policy = Policy::default();
    let mut diamonds = 0;
    for seed in 0..SEEDS {
        let mut world = EmbeddedWorld::new(seed, ltlcrit_minecraft::EmbeddedOptions::default());
        policy = Policy::default().with_planner_of(policy);
        let mut last = None;
        for step in 0..150 {
            let seen = world.look();
            let Some(mut action) = policy.next(&seen, last.as_ref()) else {
                diamonds += 1;
                break;
            };
            let holds = ltlcrit_minecraft::abstraction::propositions(&seen);
            if !system.allowed_at(&holds).contains(&action) {
                let name = vocabulary.action_name(action);
                let here = vocabulary.names(&holds);
                assert!(!holds.intersection(&hazards).is_empty(), "seed {seed}, step {step}: {name} in {here:?}");
                action = away;
            }
            // The tests of the world check whether every seed can be won.
            let Ok(outcome) = world.act(action) else { break };
            last = Some(outcome);
        }
    }
    assert!(diamonds * 10 >= SEEDS * 9, "{diamonds} of {SEEDS} runs got the diamond");
}

/// The number of worlds that the policy is run in.
const SEEDS: u64 = 12;
