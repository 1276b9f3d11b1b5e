//! The graph of stored runs.

use std::sync::Arc;

use ltlcrit_critic::critique::Critic;
use ltlcrit_critic::graph::{ChoiceClass, ClassOptions, GraphError, Target, TrajectoryGraph};
use ltlcrit_critic::hindsight::hindsight;
use ltlcrit_critic::statistics::ActivationLog;
use ltlcrit_store::{Durability, RunId, Store, Translator, VocabularyRecord};
use ltlcrit_verifier::{ActionId, Axiom, Letter, PropId, PropSet, Proposition, Vocabulary};
use ltlcrit_worlds::Observation;

use crate::common::{manifest, outcome, step};

const OPEN: ActionId = ActionId(0);
const ENTER: ActionId = ActionId(1);

fn holds(props: &[u16]) -> PropSet {
    props.iter().copied().map(PropId).collect()
}

/// A store with one run: the door is stuck once, then opens; going in reaches the goal, and the run stops.
fn store(directory: &std::path::Path) -> (Store, RunId) {
    let store = Store::open(directory).unwrap();
    let mut manifest = manifest();
    let run = store.begin(&mut manifest).unwrap();
    let vocabulary = crate::common::vocabulary();
    let stop = vocabulary.stop().unwrap();
    for (number, action, fails, after) in [
        (0, None, false, holds(&[])),
        (1, Some(OPEN), true, holds(&[])),
        (2, Some(OPEN), false, holds(&[0])),
        (3, Some(ENTER), false, holds(&[0, 1])),
        (4, Some(stop), false, holds(&[0, 1])),
    ] {
        let mut record = step(number);
        record.observation.holds = after;
        record.letter = match action {
            None => Letter::initial(after),
            Some(action) => Letter::after(&vocabulary, action, after),
        };
        if let (Some(action), Some(executed)) = (action, &mut record.executed) {
            executed.action = action;
            if !fails {
                executed.outcome.failure = None;
            }
        }
        store.append_step(run, &record, Durability::EachEpisode).unwrap();
    }
    (store, run)
}

#[test]
fn stored_runs_become_a_graph() {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let (store, run) = store(&directory.path().join("s"));
    let mut graph = TrajectoryGraph::new();
    graph.add_stored(&store, run).unwrap();
    // Going on: the door was seen open, nothing more.
    assert_eq!(graph.farthest_target(), Some(Target::Subgoal(0)));
    store.finish(run, &outcome(4)).unwrap();
    graph.add_stored(&store, run).unwrap();
    assert_eq!(graph.farthest_target(), Some(Target::Goal));
    assert_eq!((graph.step_count(), graph.states().count(), graph.choices().count()), (3, 3, 2), "stopping is no step");
    assert!(graph.run(run).unwrap().has_reached_goal());
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    let outside = graph.state(&holds(&[])).unwrap();
    // One try in two fails.
    assert!((classes.distance(outside).unwrap() - 3.0).abs() < 1e-6);
    let report = classes.report(&graph, graph.choice(outside, OPEN).unwrap()).unwrap();
    assert_eq!((report.class, report.made, report.failures.len()), (ChoiceClass::Efficient, 2, 1));
    assert_eq!((report.failures[0].reason.as_str(), report.failures[0].first.step), ("stuck", 1));
    assert_eq!(graph.vocabulary().unwrap().names(&holds(&[1])), ["obs_inside"]);
}

#[test]
fn a_world_that_went_on_while_the_run_slept() {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let (store, run) = store(&directory.path().join("s"));
    let mut second = manifest();
    let other = store.begin(&mut second).unwrap();
    store.append_step(other, &step(0), Durability::EachEpisode).unwrap();
    let mut record = step(1);
    // The door was left closed and found open.
    record.first_seen = Some(Observation { holds: holds(&[]), ..record.observation.clone() });
    store.append_step(other, &record, Durability::EachEpisode).unwrap();
    let mut graph = TrajectoryGraph::new();
    graph.add_stored(&store, other).unwrap();
    let run_read = graph.run(other).unwrap();
    assert_eq!((run_read.steps()[0].to, run_read.state_before(1)), (holds(&[]), holds(&[0])));
    graph.add_stored(&store, run).unwrap();
    assert_eq!(graph.runs().count(), 2);
}

#[test]
fn runs_of_other_vocabularies_are_refused() {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let (store, run) = store(&directory.path().join("s"));
    let mut strange = manifest();
    let actions = vec![Proposition::new("action_dig", "")];
    strange.vocabulary = VocabularyRecord::of(&Vocabulary::new("mine", Vec::new(), actions, Vec::new()).unwrap());
    let other = store.begin(&mut strange).unwrap();
    let mut graph = TrajectoryGraph::new();
    graph.add_stored(&store, run).unwrap();
    let error = graph.add_stored(&store, other).unwrap_err();
    assert!(matches!(&error, GraphError::Vocabulary { run, found, .. } if *run == other && found == "mine"), "{error}");
    assert!(matches!(graph.add_stored(&store, RunId(77)).unwrap_err(), GraphError::Store(_)));
    assert_eq!(graph.runs().count(), 1);
    let empty = TrajectoryGraph::new();
    assert!(empty.vocabulary().is_none());
}

/// A run over a vocabulary with an axiom that its step 3 breaks is never evidence for a law.
#[test]
fn a_run_that_breaks_an_axiom_is_refused() {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let (store, run) = store(&directory.path().join("s"));
    let plain = crate::common::vocabulary();
    let axiom = Axiom::new("!obs_inside".parse().unwrap()).because("The room is locked for good.");
    let vocabulary = |axioms: Vec<Axiom>| {
        let (observations, actions) = (plain.observations().to_vec(), plain.actions().to_vec());
        Arc::new(Vocabulary::new("door", observations, actions, axioms).unwrap())
    };
    let broken = vocabulary(vec![axiom]);
    let mut manifest = manifest();
    manifest.vocabulary = VocabularyRecord::of(&broken);
    let other = store.begin(&mut manifest).unwrap();
    for step in store.steps(run).map(Result::unwrap) {
        store.append_step(other, &step, Durability::EachEpisode).unwrap();
    }
    store.finish(other, &outcome(4)).unwrap();

    let mut critic = Critic::new(broken.clone());
    let said = critic.read(&store, [other]).unwrap_err().to_string();
    insta::assert_snapshot!(said);
    assert_eq!(critic.graph().runs().count(), 0);
    let mut graph = TrajectoryGraph::new();
    assert_eq!(graph.add_stored(&store, other).unwrap_err().to_string(), said);
    let translator = Translator::new(broken);
    assert_eq!(ActivationLog::new().add_stored(&store, other, &translator).unwrap_err().to_string(), said);
    assert_eq!(hindsight(&store, &[], &translator, || {}).unwrap_err().to_string(), said);
    // Without the axiom nothing is wrong with the run.
    Critic::new(vocabulary(Vec::new())).read(&store, [run]).unwrap();
}
