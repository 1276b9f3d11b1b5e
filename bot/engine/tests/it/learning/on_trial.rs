//! Laws on trial: a scripted critic proposes laws without evidence; runs with and without them on the same seeds
//! decide.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use ltlcrit_critic::change::{Change, LawSource, Proposal, ProposedFormula};
use ltlcrit_critic::critique::CritiqueOptions;
use ltlcrit_critic::law::Restriction;
use ltlcrit_critic::notes::Tried;
use ltlcrit_critic::propose::{Brief, ProposeError, Proposer, TrialCriticOptions};
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::learn::{LearnOptions, Learner, TrialOutcome};
use ltlcrit_laws::{Book, Evidence, Status};
use ltlcrit_minecraft::vocabulary;
use ltlcrit_store::LawId;

use super::laboratory::{Laboratory, empty_book, shipped};
use super::proved_consistent;
use crate::common::block_on;

const GUARD: &str =
    "obs_has_8x_cobble & obs_has_stone_pickaxe & obs_near_crafting_table & !obs_has_furnace & !obs_near_furnace";

/// Returns two laws: the furnace as soon as it can be crafted, and the negative form, no stone then.
fn furnace_laws() -> [String; 2] {
    [format!("G({GUARD} -> X action_craft_furnace)"), format!("G({GUARD} -> X !action_mine_stone)")]
}

/// A critic that proposes laws in its first critique, cites steps that they block, bad ones first, and records its
/// input.
#[derive(Default)]
struct Scripted {
    laws: Vec<String>,
    told: Arc<Mutex<Vec<Vec<Tried>>>>,
}

impl Proposer for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    fn wants_trials(&self) -> bool {
        true
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        if brief.round == 1 {
            self.told.lock().unwrap().push(brief.notes.tried.clone());
        }
        let change = |formula: String| {
            let formula = ProposedFormula::parse(&formula, brief.vocabulary);
            let law = Restriction::of(formula.value().unwrap(), brief.vocabulary).unwrap();
            let blocked = brief.trials.all.iter();
            let mut blocked: Vec<_> =
                blocked.filter(|trial| law.blocks(&trial.state, trial.action, brief.vocabulary)).collect();
            blocked.sort_by_key(|trial| (!trial.is_bad(), trial.step));
            let evidence = blocked.iter().take(3).map(|trial| Evidence::from(trial.step)).collect();
            let (explanation, source) = ("It saves steps.".to_owned(), LawSource::Efficiency);
            Change::Add(Proposal { formula, explanation, source, proposer: "scripted".to_owned(), evidence })
        };
        Ok(std::mem::take(&mut self.laws).into_iter().map(change).collect())
    }
}

/// The outcome of laws on trial.
struct Outcome {
    book: Book,
    /// The rulings of the first critique.
    ruled: Vec<String>,
    tried: Vec<TrialOutcome>,
    told: Vec<Vec<Tried>>,
}

/// Runs two iterations: the first critique proposes, and the next episodes try the laws.
fn learn(
    laboratory: &Laboratory,
    book: Book,
    others: &[Book],
    seeds: std::ops::Range<u64>,
    laws: &[String],
) -> Outcome {
    let critique = CritiqueOptions { retire: false, derive: None, ..CritiqueOptions::default() };
    let options = LearnOptions { iterations: 2, seeds: seeds.collect(), stop_when_stable: false, critique };
    let mut learner = Learner::new(&laboratory.store, vocabulary(), "Mine a diamond.", book, options);
    learner.others = others.to_vec();
    let told = Arc::new(Mutex::new(Vec::new()));
    learner.proposers = vec![Scripted { laws: laws.to_vec(), told: told.clone() }];
    let (mut ruled, mut tried) = (Vec::new(), Vec::new());
    let learned = block_on(learner.learn(&mut &*laboratory, |iteration, _| {
        ruled.extend(iteration.critique.ruled.iter().map(|ruled| format!("{:?}", ruled.ruling)));
        tried.extend(iteration.tried.clone());
        Ok::<_, Infallible>(())
    }));
    let book = learned.unwrap_or_else(|error| panic!("{error}")).book;
    ruled.iter().for_each(|ruling| println!("{ruling}"));
    tried.iter().for_each(|one| println!("(simulated) {}: {}", one.law, one.outcome));
    let told = told.lock().unwrap().clone();
    Outcome { book, ruled, tried, told }
}

/// Checks the invariants of every trial, whatever its outcome.
fn check(outcome: &Outcome) {
    for TrialOutcome { law, kept, with, without, outcome: words, .. } in &outcome.tried {
        let entry = outcome.book.entry(law).unwrap();
        let expected = match kept {
            true => Status::Adopted,
            false => Status::Retired { reason: words.clone() },
        };
        assert_eq!(entry.status, expected);
        assert_eq!(entry.provenance.trial.as_ref(), Some(words));
        assert_eq!(with.episodes, without.episodes);
        assert!(*kept || with.goals <= without.goals, "{words}");
        assert!(!*kept || with.goals >= without.goals, "{words}");
        // The critic gets the outcome with the next critique.
        let told = outcome.told.last().unwrap().iter().find(|told| told.law == *law).unwrap();
        assert_eq!(told.outcome, *words);
    }
    assert!(outcome.told[0].is_empty());
}

#[test]
fn the_same_seeds_decide_on_laws_on_trial() {
    let laboratory = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue");
    let laws = [
        // The other order is as good, and no run ever took it.
        "G(obs_has_crafting_table & !obs_near_crafting_table & !obs_has_2x_stick -> X action_craft_stick)",
        // The same law with an earlier condition: runs needed the planks that it blocks.
        "G(obs_has_4x_plank & !obs_has_2x_stick & !obs_has_crafting_table & !obs_near_crafting_table -> X action_craft_stick)",
        // The law keeps the actor from the logs that it needs.
        "G(!obs_has_log & !obs_has_plank & !obs_has_crafting_table -> X action_explore_general)",
    ];
    let outcome = learn(&laboratory, empty_book(), &[], 1..5, &laws.map(str::to_owned));
    check(&outcome);
    let decided = |law: &str| outcome.tried.iter().find(|one| one.law == LawId::from(law)).map(|one| one.kept);
    let decided = ["do-craft-stick", "do-craft-stick-2", "do-explore-general"].map(decided);
    assert_eq!(decided, [Some(true), Some(true), Some(false)], "{}", outcome.book.text());
    let withdrawn = outcome.book.entry("do-explore-general").unwrap();
    assert_eq!(
        withdrawn.provenance.trial.as_deref().unwrap(),
        "withdrawn after a trial on 4 seeds: with it 0 of 4 reached the goal, 100.0 steps and 0.0 subgoals a run, without it 4 of \
         4 reached the goal in 45.2 steps (p of goals, steps: 0.125, 0.125)"
    );
    // The metrics of an iteration exclude the episodes with laws on trial.
    assert!(outcome.tried.iter().all(|one| one.without.goals == 4));
    assert_eq!(outcome.book.laws_in_force().len(), 2);
    assert!(proved_consistent(&[outcome.book]));
}

#[test]
#[ignore = "80 episodes of an actor that first reaches nothing take minutes"]
fn furnace_laws_on_trial_for_saycan() {
    let laboratory = Laboratory::new(ActorKind::SayCan, "saycan");
    let hard = [shipped("saycan-hard")];
    let (book, said) = laboratory.learn(empty_book(), &hard, 0..10, 4, TrialCriticOptions::default());
    said.iter().for_each(|line| println!("(simulated) saycan {line}"));
    for seeds in [0..10, 100..140] {
        let outcome = learn(&laboratory, book.clone(), &hard, seeds, &furnace_laws());
        check(&outcome);
        assert_eq!(outcome.tried.len(), 2, "both forbid a step that a run needed: {:?}", outcome.ruled);
        assert!(proved_consistent(&[hard[0].clone(), outcome.book]));
    }
}
