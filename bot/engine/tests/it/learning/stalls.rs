//! Actors that repeat a successful action forever: nothing fails, so only dead ends are evidence.

use ltlcrit_critic::propose::TrialCriticOptions;
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::learn::EpisodeFigures;

use super::laboratory::{Laboratory, empty_book, shipped};
use super::proved_consistent;

/// The trial critic gets an actor past every stage in which it is stuck, from five runs of 200 steps an iteration.
fn gets_past_every_stage(persona: &'static str) {
    let mut laboratory = Laboratory::new(ActorKind::Naive, persona);
    laboratory.max_steps = 200;
    let hard = shipped("minecraft-hard");
    let seeds = 1..6;
    let before = laboratory.run(std::slice::from_ref(&hard), seeds.clone());
    assert_eq!(EpisodeFigures::of(&before).goals, 0, "it is stuck");
    let options = TrialCriticOptions::default();
    let (book, said) = laboratory.learn(empty_book(), std::slice::from_ref(&hard), seeds.clone(), 4, options);
    said.iter().for_each(|line| println!("(simulated) {persona} {line}"));
    let books = [hard, book];
    let goals = EpisodeFigures::of(&laboratory.run(&books, seeds)).goals;
    assert_eq!(goals, 5, "{}", books[1].text());
    assert!(proved_consistent(&books));
}

#[test]
fn a_feller_gets_past_its_logs_and_planks() {
    gets_past_every_stage("feller");
}

#[test]
fn a_quarrier_gets_past_its_stones() {
    gets_past_every_stage("quarrier");
}

#[test]
fn a_whittler_gets_past_its_sticks() {
    gets_past_every_stage("whittler");
}
