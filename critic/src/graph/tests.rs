use ltlcrit_verifier::{PropId, Vocabulary};
use proptest::prelude::*;

use super::*;

fn state(number: u16) -> PropSet {
    (0..4).filter(|bit| number >> bit & 1 == 1).map(PropId).collect()
}

fn vocabulary() -> Vocabulary {
    let numbered = |prefix: &'static str, count: usize| (0..count).map(move |n| format!("{prefix}_{n}"));
    Vocabulary::builder("graph").observations(numbered("obs", 4)).actions(numbered("action", 3)).build().unwrap()
}

fn reason(text: &'static str) -> Option<Reason> {
    Some(Reason(text.into()))
}

/// Three stones are mined one by one before the state shows them. Crafting a second tool changes nothing.
fn quarry() -> TrajectoryGraph {
    let (mine, craft, go) = (ActionId(0), ActionId(1), ActionId(2));
    let mut graph = TrajectoryGraph::new();
    let mut run = RunPath::new(1, state(0));
    run.step(craft, reason("no_stone"), state(0));
    run.step(mine, None, state(0));
    run.step(mine, None, state(0));
    run.step(mine, None, state(1));
    run.step(craft, None, state(3));
    run.step(craft, None, state(3));
    run.step(go, None, state(7));
    run.reached_goal();
    graph.add(&run);
    let mut run = RunPath::new(2, state(0));
    run.step(craft, reason("no_stone"), state(0));
    run.step(go, None, state(8));
    graph.add(&run);
    graph
}

fn report(graph: &TrajectoryGraph, classes: &Classes, at: u16, action: u16) -> ChoiceReport {
    let choice = graph.choice(graph.state(&state(at)).unwrap(), ActionId(action)).unwrap();
    classes.report(graph, choice).unwrap()
}

#[test]
fn choices_are_classed_with_their_numbers() {
    let graph = quarry();
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    assert_eq!(classes.far(), Some(7.0));
    let distance = |number| classes.distance(graph.state(&state(number)).unwrap()).unwrap();
    // The way: three stones, one tool, one walk.
    assert!((distance(0) - 5.0).abs() < 1e-6, "{}", distance(0));
    assert_eq!((distance(1), distance(3), distance(7)), (2.0, 1.0, 0.0));
    // No way is known from there.
    assert_eq!(distance(8), 7.0);
    assert!(!classes.is_routed(graph.state(&state(8)).unwrap()));

    let mine = report(&graph, &classes, 0, 0);
    assert_eq!((mine.class, mine.made), (ChoiceClass::Efficient, 3));
    assert_eq!(mine.first, Citation { run: RunId(1), step: 2 });
    let craft = report(&graph, &classes, 0, 1);
    let failure = Failure { reason: "no_stone".into(), count: 2, first: Citation { run: RunId(1), step: 1 } };
    assert_eq!((craft.class, craft.made, craft.failures), (ChoiceClass::Failed, 2, vec![failure]));
    let again = report(&graph, &classes, 3, 1);
    assert_eq!((again.class, again.cost, again.best), (ChoiceClass::Inefficient, Some(2.0), Some(1.0)));
    let astray = report(&graph, &classes, 0, 2);
    assert_eq!((astray.class, astray.cost), (ChoiceClass::Inefficient, Some(8.0)));
}

#[test]
fn without_a_target_only_failures_are_known() {
    let mut graph = TrajectoryGraph::new();
    let mut run = RunPath::new(1, state(0));
    run.step(ActionId(0), None, state(1));
    run.step(ActionId(1), reason("blocked"), state(1));
    graph.add(&run);
    assert_eq!(graph.farthest_target(), None);
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    assert!(!classes.target_was_reached());
    assert_eq!(report(&graph, &classes, 0, 0).class, ChoiceClass::Unknown);
    assert_eq!(report(&graph, &classes, 1, 1).class, ChoiceClass::Failed);
    assert_eq!(classes.distance(graph.state(&state(0)).unwrap()), None);

    // A subgoal on the way can replace the goal.
    let subgoal = |number| Subgoal { name: format!("{number}"), holds: state(number) };
    let graph = graph.with_subgoals(vec![subgoal(1), subgoal(3)]);
    assert_eq!(graph.farthest_target(), Some(Target::Subgoal(0)));
    let classes = graph.classify(Target::Subgoal(0), ClassOptions::default());
    assert_eq!(report(&graph, &classes, 0, 0).class, ChoiceClass::Efficient);
}

#[test]
fn a_world_that_moves_by_itself_is_no_action_s_doing() {
    let mut graph = TrajectoryGraph::new();
    let mut run = RunPath::new(1, state(0));
    run.step(ActionId(0), None, state(1));
    run.moved(state(4));
    graph.add(&run);
    run.step(ActionId(0), None, state(5));
    run.moved(state(6));
    run.reached_goal();
    graph.add(&run);
    graph.add(&run);
    let run = graph.run(RunId(1)).unwrap();
    let places: Vec<PropSet> = (0..=2).map(|steps| run.state_before(steps)).collect();
    assert_eq!(places, [state(0), state(4), state(6)]);
    assert!(graph.choice(graph.state(&state(1)).unwrap(), ActionId(0)).is_none());
    assert!(graph.is_target(Target::Goal, graph.state(&state(6)).unwrap()));
    let visits: u32 = graph
        .graph()
        .node_weights()
        .map(|node| match node {
            Node::State { visits, .. } => *visits,
            Node::Choice { .. } => 0,
        })
        .sum();
    assert_eq!(visits, 5);
}

#[test]
fn pictures() {
    let graph = quarry();
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    let vocabulary = vocabulary();
    let drawing = Drawing { graph: &graph, classes: &classes, vocabulary: &vocabulary, most_states: 100 };
    let document = drawing.document();
    insta::assert_snapshot!("dot", document.dot());
    insta::assert_json_snapshot!("json", document);
    let fewer = Drawing { most_states: 2, ..drawing }.document();
    assert_eq!((fewer.states.len(), fewer.states_left_out), (2, 3));
    // No edge points to a state that is not drawn.
    assert!(!fewer.dot().contains("s2") && fewer.states.iter().any(|state| !state.choices.is_empty()));
}

#[test]
fn names_cannot_leave_their_place_in_a_picture() {
    let vocabulary = Vocabulary::builder("evil").observation("o\"];x[<&>").action("a</svg>").build().unwrap();
    let mut graph = TrajectoryGraph::new();
    let mut run = RunPath::new(1, PropSet::EMPTY);
    run.step(ActionId(0), reason("<b>\"why\"\u{7}"), state(1));
    graph.add(&run);
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    let document = Drawing { graph: &graph, classes: &classes, vocabulary: &vocabulary, most_states: 9 }.document();
    assert!(document.dot().contains("o\\\"];x[<&>"));
}

/// Draws random runs through a random world with up to eight states. A run that gets to state 7 has reached the goal.
fn runs() -> impl Strategy<Value = Vec<RunPath>> {
    let outcome = (0..8u16, prop::option::weighted(0.2, 0..2usize));
    let world = prop::collection::vec(prop::collection::vec(outcome, 1..4), 24);
    let choices = prop::collection::vec((0..3u16, 0..12usize), 0..25);
    (world, prop::collection::vec((0..7u16, choices), 1..7)).prop_map(|(world, runs)| {
        runs.into_iter()
            .enumerate()
            .map(|(number, (start, choices))| {
                let mut here = start;
                let mut run = RunPath::new(number as u64 + 1, state(here));
                for (action, pick) in choices {
                    let outcomes = &world[usize::from(here) * 3 + usize::from(action)];
                    let (to, failure) = outcomes[pick % outcomes.len()];
                    run.step(ActionId(action), failure.and_then(|which| reason(["stuck", "gone"][which])), state(to));
                    here = to;
                    if here == 7 {
                        run.reached_goal();
                        break;
                    }
                }
                run
            })
            .collect()
    })
}

fn graph_of<'a>(runs: impl IntoIterator<Item = &'a RunPath>) -> TrajectoryGraph {
    let mut graph = TrajectoryGraph::new();
    runs.into_iter().for_each(|run| graph.add(run));
    graph
}

fn json(graph: &TrajectoryGraph) -> String {
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    let vocabulary = vocabulary();
    let drawing = Drawing { graph, classes: &classes, vocabulary: &vocabulary, most_states: usize::MAX };
    serde_json::to_string_pretty(&drawing.document()).unwrap()
}

/// Returns the minimum expected cost from every state over all policies that make one observed choice in each state, by
/// solving each policy's equations. A state that is not routed costs `far`.
fn by_all_policies(graph: &TrajectoryGraph, classes: &Classes) -> BTreeMap<NodeIndex, f64> {
    let open: Vec<NodeIndex> = graph
        .states()
        .map(|(state, _)| state)
        .filter(|state| classes.is_routed(*state) && !graph.is_target(Target::Goal, *state))
        .collect();
    let choices: Vec<Vec<NodeIndex>> = open.iter().map(|state| graph.graph().neighbors(*state).collect()).collect();
    let mut best: BTreeMap<NodeIndex, f64> = open.iter().map(|state| (*state, f64::INFINITY)).collect();
    let mut policy = vec![0; open.len()];
    loop {
        for (state, cost) in open.iter().zip(policy_costs(graph, classes, &open, &choices, &policy)) {
            if let Some(best) = best.get_mut(state) {
                *best = best.min(cost);
            }
        }
        let Some(next) = (0..policy.len()).find(|at| policy[*at] + 1 < choices[*at].len()) else { return best };
        policy[next] += 1;
        policy[..next].fill(0);
    }
}

/// Returns the cost of a policy from each state by Gaussian elimination; infinite if the policy may never end.
fn policy_costs(
    graph: &TrajectoryGraph,
    classes: &Classes,
    open: &[NodeIndex],
    choices: &[Vec<NodeIndex>],
    policy: &[usize],
) -> Vec<f64> {
    let count = open.len();
    let outcomes: Vec<Vec<(NodeIndex, f64)>> = (0..count)
        .map(|at| {
            let choice = choices[at][policy[at]];
            let total = f64::from(graph.made(choice).0);
            graph.outcomes(choice).map(|(to, outcome)| (to, f64::from(outcome.count) / total)).collect()
        })
        .collect();
    // The states that the policy leaves for certain can only reach states that can leave.
    let position = |node: NodeIndex| open.iter().position(|other| *other == node);
    let mut leaves = vec![false; count];
    for _ in 0..count {
        for at in 0..count {
            leaves[at] |= outcomes[at].iter().any(|(to, _)| position(*to).is_none_or(|to| leaves[to]));
        }
    }
    let mut certain = leaves;
    for _ in 0..count {
        for at in 0..count {
            certain[at] &= outcomes[at].iter().all(|(to, _)| position(*to).is_none_or(|to| certain[to]));
        }
    }
    let mut rows: Vec<Vec<f64>> = (0..count)
        .map(|at| {
            let mut row = vec![0.0; count + 1];
            row[at] = 1.0;
            if certain[at] {
                row[count] = 1.0;
                for (to, share) in &outcomes[at] {
                    match position(*to) {
                        Some(to) => row[to] -= share,
                        None if graph.is_target(Target::Goal, *to) => {}
                        None => row[count] += share * classes.far().unwrap(),
                    }
                }
            }
            row
        })
        .collect();
    for column in 0..count {
        let pivot = (column..count).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs())).unwrap();
        rows.swap(column, pivot);
        let first = rows[column].clone();
        for (at, row) in rows.iter_mut().enumerate() {
            if at != column && row[column] != 0.0 {
                let factor = row[column] / first[column];
                row.iter_mut().zip(&first).for_each(|(cell, first)| *cell -= factor * first);
            }
        }
    }
    (0..count).map(|at| if certain[at] { rows[at][count] / rows[at][at] } else { f64::INFINITY }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_graph_does_not_depend_on_how_runs_are_added(runs in runs(), cut in 0..25usize) {
        let graph = graph_of(&runs);
        prop_assert_eq!(json(&graph), json(&graph_of(runs.iter().rev())));
        prop_assert_eq!(json(&graph), json(&graph_of(runs.iter().chain(&runs))));
        let mut grown = TrajectoryGraph::new();
        for run in &runs {
            let mut early = run.clone();
            early.steps.truncate(cut);
            early.reached_goal &= early.steps.len() == run.steps.len();
            grown.add(&early);
        }
        runs.iter().for_each(|run| grown.add(run));
        prop_assert_eq!(json(&graph), json(&grown));
    }

    #[test]
    fn every_step_is_counted_once_and_can_be_found(runs in runs()) {
        let graph = graph_of(&runs);
        let steps: usize = runs.iter().map(|run| run.steps.len()).sum();
        prop_assert_eq!(graph.step_count(), steps);
        let made: u32 = graph.choices().map(|(choice, ..)| graph.made(choice).0).sum();
        prop_assert_eq!(made as usize, steps);
        for run in &runs {
            let mut here = run.start;
            for step in &run.steps {
                let choice = graph.choice(graph.state(&here).unwrap(), step.action).unwrap();
                let led = |(to, outcome): (NodeIndex, &Outcome)| graph.holds(to) == Some(&step.to) && outcome.failure == step.failure;
                prop_assert!(graph.outcomes(choice).any(led));
                here = step.to;
            }
        }
        // The cited steps exist.
        for (choice, state, action) in graph.choices() {
            for (to, Outcome { failure, first, .. }) in graph.outcomes(choice) {
                let run = runs.iter().find(|run| run.id == first.run).unwrap();
                let at = first.step as usize - 1;
                let before = if at == 0 { run.start } else { run.steps[at - 1].to };
                let step = &run.steps[at];
                prop_assert_eq!((graph.state(&before), step.action), (Some(state), action));
                prop_assert_eq!((graph.holds(to), &step.failure), (Some(&step.to), failure));
            }
        }
    }

    #[test]
    fn distances_are_those_of_the_best_policy(runs in runs()) {
        let graph = graph_of(&runs);
        let classes = graph.classify(Target::Goal, ClassOptions::default());
        prop_assert_eq!(classes.target_was_reached(), runs.iter().any(|run| run.reached_goal));
        if !classes.target_was_reached() {
            return Ok(());
        }
        let policies: usize = graph.states().map(|(state, _)| graph.graph().neighbors(state).count().max(1)).product();
        prop_assume!(policies <= 3_000);
        for (state, cost) in by_all_policies(&graph, &classes) {
            let distance = classes.distance(state).unwrap();
            prop_assert!((distance - cost).abs() <= 1e-5 * cost.max(1.0), "{distance} instead of {cost}");
        }
        for (choice, state, _) in graph.choices() {
            let (cost, best) = (classes.cost(choice).unwrap(), classes.distance(state).unwrap());
            if classes.is_routed(state) && !graph.is_target(Target::Goal, state) {
                prop_assert!(cost >= best - 1e-5, "a choice cannot be better than the best: {cost} against {best}");
            }
            if classes.class(&graph, choice) == ChoiceClass::Failed {
                prop_assert!(graph.outcomes(choice).all(|(_, outcome)| outcome.failure.is_some()));
            }
        }
    }
}
