mod door;
mod loops;

use door::{law, run, state, vocabulary};

use super::*;
use crate::change::{LawSource, Proposal, Refusal, Refused};
use crate::evidence::{Objective, Trials};
use crate::graph::{RunPath, TrajectoryGraph};
use crate::law::{KnownLaw, StateConflict};

/// Runs tried the door without the key, in the dark and in the light, three times each.
fn hasty() -> Vec<RunPath> {
    let (key, open) = ("obs_key", "obs_key obs_open");
    let dark = [("action_open", false, ""), ("action_take", true, key), ("action_open", true, open)];
    let (lit, lit_open) = ("obs_light obs_key", "obs_light obs_key obs_open");
    let light = [("action_open", false, "obs_light"), ("action_take", true, lit), ("action_open", true, lit_open)];
    (0..3).flat_map(|at| [run(2 * at + 1, "", &dark), run(2 * at + 2, "obs_light", &light)]).collect()
}

/// Runs waited for the light before they opened the door.
fn slow() -> Vec<RunPath> {
    let steps = [
        ("action_take", true, "obs_key"),
        ("action_wait", true, "obs_light obs_key"),
        ("action_open", true, "obs_light obs_key obs_open"),
    ];
    vec![run(11, "", &steps), run(12, "", &steps)]
}

/// A door opens with its key, whatever the light.
fn runs() -> Vec<RunPath> {
    [hasty(), slow()].concat()
}

/// The parts of a brief that do not come from the runs.
#[derive(Clone, Copy)]
struct Asked<'a> {
    laws: &'a [KnownLaw],
    conflicts: &'a [StateConflict],
    refused: &'a [Refused],
    round: usize,
}

const FIRST: Asked<'static> = Asked { laws: &[], conflicts: &[], refused: &[], round: 1 };

struct World {
    graph: TrajectoryGraph,
    trials: Trials,
}

impl World {
    fn of(runs: &[RunPath]) -> Self {
        let mut graph = TrajectoryGraph::new();
        runs.iter().for_each(|run| graph.add(run));
        let trials = Trials::of(graph.runs(), &vocabulary(), &[], Objective::DEFAULT);
        Self { graph, trials }
    }

    fn propose(&self, critic: &mut TrialCritic, asked: Asked<'_>) -> Vec<Change> {
        let vocabulary = vocabulary();
        let brief = Brief {
            task: "Open the door.",
            vocabulary: &vocabulary,
            graph: &self.graph,
            trials: &self.trials,
            notes: &Default::default(),
            laws: asked.laws,
            conflicts: asked.conflicts,
            refused: asked.refused,
            round: asked.round,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(critic.propose(&brief)).unwrap()
    }

    fn laws(&self) -> Vec<Proposal> {
        let changes = self.propose(&mut TrialCritic::default(), FIRST);
        let add = |change: &Change| match change {
            Change::Add(proposal) => proposal.clone(),
            other => panic!("{other:?}"),
        };
        changes.iter().map(add).collect()
    }
}

const NO_OPEN: &str = "G(!obs_key -> X !action_open)";

#[test]
fn a_law_blocks_what_failed_and_cites_it() {
    let laws = World::of(&runs()).laws();
    let [open] = &laws[..] else { panic!("{laws:?}") };
    assert_eq!(
        (open.formula.text().as_str(), open.source, open.proposer.as_str()),
        (NO_OPEN, LawSource::EnvironmentFeedback, NAME)
    );
    assert_eq!(open.explanation, "Here action_open failed 6 times (locked).");
    let cited: Vec<_> = open.evidence.iter().map(|cited| (cited.run, cited.step)).collect();
    assert_eq!(cited, [(1, 1), (2, 1), (3, 1)], "no more than three steps");
    assert!(World::of(&hasty()[..1]).laws().is_empty(), "one failure may be chance");
}

#[test]
fn what_runs_needed_outweighs_what_was_needless() {
    // No run opened the door in the dark: waiting may be needed.
    assert!(World::of(&slow()).laws().is_empty());
}

#[test]
fn the_same_runs_give_the_same_laws() {
    let mut backwards = runs();
    backwards.reverse();
    assert_eq!(World::of(&runs()).laws(), World::of(&backwards).laws());
}

#[test]
fn laws_that_are_not_found_again_are_taken_back() {
    let own = |id: &str, formula: &str| KnownLaw { proposer: Some(NAME.to_owned()), ..law(id, formula, true) };
    let laws = [
        own("no-open", NO_OPEN),
        own("no-take", "G(obs_light -> X !action_take)"),
        law("by-hand", "G(obs_light -> X !action_wait)", true),
    ];
    let mut critic = TrialCritic::default();
    let changes = World::of(&runs()).propose(&mut critic, Asked { laws: &laws, ..FIRST });
    let retired = |change: &Change| match change {
        Change::Retire { law, cause: RetireCause::Withdrawn, .. } => law.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(changes.iter().map(retired).collect::<Vec<_>>(), ["no-take"]);
    let again = World::of(&runs()).propose(&mut critic, Asked { laws: &laws, round: 2, ..FIRST });
    assert!(again.is_empty(), "it says all at once");
}

fn conflict(laws: &[&str]) -> StateConflict {
    let laws = laws.iter().map(|&law| law.into()).collect();
    StateConflict { state: state("obs_key obs_light"), laws, met_at: None, suspended: Vec::new() }
}

#[test]
fn the_law_that_costs_most_is_weakened_or_goes() {
    let world = World::of(&runs());
    let known = [
        law("wait", "G(obs_light -> X action_wait)", true),
        law("open", "G(obs_key -> X action_open)", true),
        law("hard", "G(obs_open -> X !action_take)", false),
    ];
    let resolve = |conflict: &StateConflict, refused: &[Refused]| {
        let conflicts = std::slice::from_ref(conflict);
        world.propose(&mut TrialCritic::default(), Asked { laws: &known, conflicts, refused, ..FIRST })
    };
    let both = conflict(&["wait", "open"]);
    let changes = resolve(&both, &[]);
    let [Change::Replace { law, with, state }] = changes.as_slice() else { panic!("{changes:?}") };
    // Waiting blocks the opening that was needed; where only the light is on it may stay.
    assert_eq!((&**law, with.formula.text().as_str()), ("wait", "G(obs_light & !obs_key -> X action_wait)"));
    assert_eq!(state.text(), &["obs_key", "obs_light"]);
    assert_eq!(with.source, LawSource::Conflict);
    assert_eq!(with.explanation, "Because. Except where `open` would leave no useful action with it.");
    assert_eq!(with.proposer, NAME);
    // Refused once, it goes.
    let refusal = Refusal::NotWeaker { law: "wait".into() };
    let refused = [Refused { change: changes[0].clone(), refusal }];
    let changes = resolve(&both, &refused);
    assert!(
        matches!(&changes[..], [Change::Retire { law, cause: RetireCause::Conflict, .. }] if &**law == "wait"),
        "{changes:?}"
    );
    // A law that may not be changed stays, whatever it costs.
    let changes = resolve(&conflict(&["hard", "open"]), &[]);
    assert!(matches!(&changes[..], [Change::Replace { law, .. }] if &**law == "open"), "{changes:?}");
    assert_eq!(resolve(&conflict(&["hard"]), &[]), []);
}
