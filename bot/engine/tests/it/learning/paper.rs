//! The laws printed in LTLCrit, proposed to the gate with evidence from runs.

use jiff::Timestamp;
use ltlcrit_critic::admission::{Gate, GateRuns, Staging};
use ltlcrit_critic::change::{Change, GateRuling, LawSource, Proposal};
use ltlcrit_critic::critique::Critic;
use ltlcrit_critic::evidence::{Objective, Trials};
use ltlcrit_critic::law::Restriction;
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::learn::EpisodeFigures;
use ltlcrit_laws::{Entry, Evidence};
use ltlcrit_minecraft::vocabulary;

use super::laboratory::{Laboratory, empty_book, figures, shipped, times_optimum};
use super::{fresh_seeds, proved_consistent};

/// The maximum number of steps that a proposal cites.
const MAX_CITED: usize = 200;

/// Converts a printed law to a proposal that cites the steps it would have blocked rightly.
fn proposed(entry: &Entry, trials: &Trials) -> Proposal {
    let restriction = Restriction::of(&entry.formula, &vocabulary()).unwrap();
    let shows = trials
        .all
        .iter()
        .filter(|trial| trial.is_bad() && restriction.blocks(&trial.state, trial.action, &vocabulary()));
    Proposal {
        formula: entry.formula.clone().into(),
        explanation: entry.explanation.to_string(),
        source: LawSource::EnvironmentFeedback,
        proposer: "LTLCrit".to_owned(),
        evidence: shows.take(MAX_CITED).map(|trial| Evidence::from(trial.step)).collect(),
    }
}

#[test]
#[ignore = "250 episodes take a minute"]
fn the_papers_laws_pass_the_gate() {
    let actors = [
        (ActorKind::InnerMonologue, "inner-monologue"),
        (ActorKind::Naive, "naive"),
        (ActorKind::InnerMonologue, "stubborn"),
        (ActorKind::InnerMonologue, "wasteful"),
    ];
    let mut laboratory = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue");
    let mut critic = Critic::new(vocabulary());
    for (actor, persona) in actors {
        laboratory.play(actor, persona);
        let runs = laboratory.run(&[], 0..50);
        critic.read(&laboratory.store, runs.iter().map(|run| run.run)).unwrap();
    }
    let trials = critic.trials(Objective::default());
    let runs = GateRuns { graph: critic.graph(), trials: &trials };
    let mut gate = Gate::new(&empty_book(), &[], vocabulary(), runs, Staging::Adopt).unwrap();
    let printed = shipped("inner-monologue");
    let proposals = printed.entries().iter().map(|entry| Change::Add(proposed(entry, &trials))).collect();
    for change in gate.in_order(proposals) {
        let Change::Add(proposal) = &change else { unreachable!() };
        let ruling = gate.admit(&laboratory.store, &change, Timestamp::UNIX_EPOCH).unwrap();
        match ruling {
            GateRuling::Refused { refusal } => println!("refused: {}: {refusal}", proposal.formula.text()),
            _ => println!("admitted: {}", proposal.formula.text()),
        }
    }
    let book = gate.finish(&laboratory.store, Timestamp::UNIX_EPOCH).unwrap();
    let as_printed = |entry: &&Entry| printed.entries().iter().any(|law| law.formula == entry.formula);
    let unchanged = book.entries().iter().filter(as_printed).count();
    let admitted = book.entries().len();
    println!("{admitted} of {} laws admitted, {unchanged} of them as printed", printed.entries().len());
    println!("{}", book.text());
    assert!(proved_consistent(std::slice::from_ref(&book)));
    laboratory.play(ActorKind::InnerMonologue, "inner-monologue");
    let fresh = laboratory.run(std::slice::from_ref(&book), fresh_seeds(50));
    println!("(simulated) with them: {}", figures(&fresh));
    assert!(admitted >= 17, "{admitted} laws admitted");
    assert_eq!(EpisodeFigures::of(&fresh).goals, 50);
    assert!(times_optimum(&fresh) <= 1.06, "{}", times_optimum(&fresh));
}
