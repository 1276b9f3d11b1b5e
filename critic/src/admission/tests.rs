mod retirement;

use ltlcrit_laws::{Evidence, Origin};
use ltlcrit_store::RunId;
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{ActionId, PropId, Shield, ShieldOptions, syntax};
use ltlcrit_worlds::Reason;
use proptest::prelude::*;

use super::*;
use crate::graph::RunPath;

const OBSERVATIONS: u16 = 4;
const ACTIONS: u16 = 3;

/// Four observations, of which `obs_1` holds only with `obs_0`, and three actions.
fn vocabulary() -> Arc<Vocabulary> {
    let numbered = |prefix: &'static str, count: u16| (0..count).map(move |n| format!("{prefix}_{n}"));
    let builder =
        Vocabulary::builder("v").observations(numbered("obs", OBSERVATIONS)).actions(numbered("action", ACTIONS));
    Arc::new(builder.axiom(syntax::parse_infix("obs_1 -> obs_0").unwrap()).build().unwrap())
}

fn state(code: u16) -> PropSet {
    (0..OBSERVATIONS).filter(|bit| code >> bit & 1 == 1).map(PropId).collect()
}

/// Every state the axioms allow.
fn states() -> Vec<PropSet> {
    (0..1 << OBSERVATIONS).filter(|code| code & 2 == 0 || code & 1 == 1).map(state).collect()
}

fn book(name: &str, laws: &[(&str, &str)]) -> Book {
    let mut text = format!("name = \"{name}\"\nrevision = 1\nvocabulary = \"v\"\n");
    for (id, formula) in laws {
        text.push_str(&format!(
            "\n[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"hard\"\nexplanation = \"It is so.\"\n\
             status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n"
        ));
    }
    Book::parse(&text, "test").unwrap().over(&vocabulary()).unwrap()
}

fn store() -> (tempfile::TempDir, Store) {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    (directory, store)
}

fn now() -> Timestamp {
    "2026-01-02T03:04:05Z".parse().unwrap()
}

fn proposal(formula: &str, evidence: &[(u64, u64)]) -> Proposal {
    Proposal {
        formula: ProposedFormula::parse(formula, &vocabulary()),
        explanation: "Because.".into(),
        source: LawSource::Efficiency,
        proposer: "test".into(),
        evidence: evidence.iter().map(|&(run, step)| Evidence { run, step }).collect(),
    }
}

/// Run 1 reaches the goal in three steps, run 2 in four, run 3 not at all.
fn graph() -> TrajectoryGraph {
    let mut graph = TrajectoryGraph::new();
    let step = |run: &mut RunPath, action: u16, fails: bool, to: u16| {
        run.step(ActionId(action), fails.then(|| Reason("stuck".into())), state(to));
    };
    let mut run = RunPath::new(1, state(0));
    step(&mut run, 0, false, 1);
    step(&mut run, 1, false, 3);
    step(&mut run, 2, false, 8);
    run.reached_goal();
    graph.add(&run);
    let mut run = RunPath::new(2, state(0));
    step(&mut run, 1, true, 0);
    step(&mut run, 0, false, 1);
    step(&mut run, 1, false, 3);
    step(&mut run, 2, false, 8);
    run.reached_goal();
    graph.add(&run);
    let mut run = RunPath::new(3, state(0));
    step(&mut run, 2, false, 4);
    step(&mut run, 2, true, 4);
    graph.add(&run);
    graph
}

fn rule(gate: &mut Gate<'_>, store: &Store, formula: &str, evidence: &[(u64, u64)]) -> GateRuling {
    gate.admit(store, &proposal(formula, evidence).into(), now()).unwrap().ruling
}

#[test]
fn every_reason_in_its_order() {
    let (graph, (_directory, store)) = (graph(), store());
    let hard = book("hard", &[("hard-1", "G(obs_2 -> X !action_0)"), ("order", "!action_2 W action_0")]);
    let mut gate = Gate::new(&book("learned", &[]), &[hard], vocabulary(), &graph, Staging::Adopt).unwrap();
    assert_eq!(gate.beyond_proof().collect::<Vec<_>>(), [&LawId::from("order")]);
    // Each breaks this rule and all after it that it can.
    let cases = [
        ("G(obs_0 -> X (!action_0", "syntax"),
        ("F(obs_x & action_9)", "not-of-the-form"),
        ("G(obs_9 -> X !action_1)", "unknown-propositions"),
        ("G(obs_3 -> X action_stop)", "no-action-left"),
        ("G(obs_3 -> X (action_0 & action_1))", "no-action-left"),
    ];
    for (formula, code) in cases {
        let GateRuling::Refused { refusal } = rule(&mut gate, &store, formula, &[]) else { panic!("{formula}") };
        assert_eq!(refusal.code(), code, "{formula}: {refusal}");
    }
    let mut refused = |formula: &str, evidence: &[(u64, u64)]| match rule(&mut gate, &store, formula, evidence) {
        GateRuling::Refused { refusal } => refusal,
        other => panic!("{formula}: {other:?}"),
    };
    let e = |run, step| Evidence { run, step };
    assert_eq!(refused("G(obs_2 -> X !action_0)", &[]), Refusal::NoEvidence { holds_at: Some(e(3, 2)) });
    assert_eq!(refused("G(obs_2 -> X !action_0)", &[(3, 2), (9, 1)]), Refusal::NoSuchStep { cited: e(9, 1) });
    for nowhere in [(3, 0), (3, 3), (1, 4), (0, 1), (1, u64::MAX)] {
        let refusal = refused("G(obs_2 -> X !action_0)", &[nowhere]);
        assert_eq!(refusal, Refusal::NoSuchStep { cited: e(nowhere.0, nowhere.1) });
    }
    assert_eq!(
        refused("G(obs_2 -> X !action_0)", &[(1, 2)]),
        Refusal::NotGrounded { cited: e(1, 2), state: vec!["obs_0".into()], holds_at: Some(e(3, 2)) }
    );
    // A state in which an outcome was seen is no state in which something was chosen.
    assert_eq!(
        refused("G(obs_3 -> X !action_0)", &[(1, 3)]),
        Refusal::NotGrounded { cited: e(1, 3), state: vec!["obs_0".into(), "obs_1".into()], holds_at: None }
    );
    assert_eq!(
        refused("G(obs_2 & obs_1 | obs_2 -> X !action_0)", &[(3, 2)]),
        Refusal::Implied { by: vec!["hard-1".into()] }
    );
    assert_eq!(refused("G(obs_2 -> X (action_0 | !action_0))", &[(3, 2)]), Refusal::Implied { by: vec![] });
    assert_eq!(
        refused("G(obs_2 -> X (action_0 | action_stop))", &[(3, 2)]),
        Refusal::OverConstrains { state: vec!["obs_2".into()], laws: vec!["hard-1".into()] }
    );
    assert_eq!(
        refused("G(obs_0 & !obs_1 -> X !action_1)", &[(1, 2)]),
        Refusal::BlocksGoodStep { step: e(1, 2), action: "action_1".into(), state: vec!["obs_0".into()] }
    );
    // Stopping at the goal is a step too.
    assert_eq!(
        refused("G(!obs_0 & !obs_2 -> X action_0)", &[(1, 1)]),
        Refusal::BlocksGoodStep { step: e(1, 4), action: "action_stop".into(), state: vec!["obs_3".into()] }
    );
    // What failed in a worse run may be blocked.
    assert_eq!(
        rule(&mut gate, &store, "G(!obs_0 -> X !action_1)", &[(2, 1)]),
        GateRuling::Admitted { law: "no-1".into() }
    );
    assert_eq!(store.proposals().count(), 20, "all are kept");
}

#[test]
fn what_is_admitted_enters_a_new_revision_with_its_origin() {
    let (graph, (_directory, store)) = (graph(), store());
    let before = book("learned", &[]);
    let gate = |book: &Book| Gate::new(book, &[], vocabulary(), &graph, Staging::Adopt).unwrap();
    assert_eq!(gate(&before).finish(&store, now()).unwrap().text(), before.text(), "nothing admitted, nothing changed");
    assert_eq!(store.book_revisions().count(), 0);
    let mut first = gate(&before);
    assert_eq!(
        rule(&mut first, &store, "G i ! obs_0 X ! action_1", &[(2, 1)]),
        GateRuling::Admitted { law: "no-1".into() }
    );
    assert!(matches!(
        rule(&mut first, &store, "G(!obs_0 & obs_2 -> X !action_1)", &[(3, 2)]),
        GateRuling::Refused { .. }
    ));
    let after = first.finish(&store, now()).unwrap();
    assert_eq!((after.revision(), after.entries().len()), (2, 1));
    let entry = after.entry("no-1").unwrap();
    assert_eq!(entry.formula_text.as_ref(), "G(!obs_0 -> X !action_1)");
    assert_eq!((entry.strength, &entry.provenance.origin), (Strength::Soft, &Origin::Critic));
    assert_eq!(entry.provenance.evidence, [Evidence { run: 2, step: 1 }]);
    let kept: Vec<_> = store.book_revisions().map(Result::unwrap).collect();
    assert_eq!((kept.len(), kept[0].1.book.text.as_str()), (1, after.text()));
    // The next law of its kind gets the next name; one that waits for a person is not in force, but counts.
    let mut second = Gate::new(&after, &[], vocabulary(), &graph, Staging::Propose).unwrap();
    assert_eq!(
        rule(&mut second, &store, "G(obs_1 -> X !action_1)", &[(1, 3)]),
        GateRuling::Admitted { law: "no-1-2".into() }
    );
    let staged = second.finish(&store, now()).unwrap();
    assert_eq!((staged.entry("no-1-2").unwrap().status.as_str(), staged.laws_in_force().len()), ("proposed", 1));
    let mut third = gate(&staged);
    assert!(matches!(
        rule(&mut third, &store, "G(obs_1 -> X !action_1)", &[(1, 3)]),
        GateRuling::Refused { refusal: Refusal::Implied { .. } }
    ));
}

#[test]
fn a_book_that_is_over_constrained_takes_nothing() {
    let (graph, (_directory, store)) = (graph(), store());
    let bad = book("bad", &[("a", "G(obs_2 -> X action_0)"), ("b", "G(obs_3 -> X action_1)")]);
    let mut gate = Gate::new(&book("learned", &[]), &[bad], vocabulary(), &graph, Staging::Adopt).unwrap();
    let GateRuling::Refused { refusal } = rule(&mut gate, &store, "G(obs_1 -> X !action_1)", &[(1, 3)]) else {
        panic!()
    };
    let state = vec!["obs_2".to_owned(), "obs_3".into()];
    assert_eq!(refusal, Refusal::BookOverConstrained { state, laws: vec!["a".into(), "b".into()] });
    assert!(refusal.to_string().contains("resolve that first"));
}

#[test]
fn long_and_hostile_texts_stay_texts() {
    let (graph, (_directory, store)) = (graph(), store());
    let mut gate = Gate::new(&book("learned", &[]), &[], vocabulary(), &graph, Staging::Adopt).unwrap();
    let long = format!("G(obs_0 -> X !action_1{})", " ".repeat(MOST_FORMULA));
    assert!(matches!(
        rule(&mut gate, &store, &long, &[(1, 2)]),
        GateRuling::Refused { refusal: Refusal::Syntax { .. } }
    ));
    let mut hostile = proposal("G(!obs_0 -> X !action_1)", &[(2, 1)]);
    hostile.explanation = format!("\"\"\"\n[[law]]\nid = \"evil\"\nstrength = \"hard\"\n{}", "x".repeat(5_000));
    hostile.proposer = "m\" }\n[[law]]".into();
    assert!(matches!(gate.admit(&store, &hostile.into(), now()).unwrap().ruling, GateRuling::Admitted { .. }));
    let after = gate.finish(&store, now()).unwrap();
    assert_eq!(after.entries().len(), 1);
    let entry = &after.entries()[0];
    assert_eq!((entry.strength, &*entry.id), (Strength::Soft, "no-1"));
    assert!(entry.explanation.len() <= MOST_EXPLANATION + 8, "{}", entry.explanation.len());
}

fn formula() -> impl Strategy<Value = String> {
    let literal = (0..OBSERVATIONS, any::<bool>())
        .prop_map(|(n, positive)| format!("{}obs_{n}", if positive { "" } else { "!" }));
    let clause = prop::collection::vec(literal, 1..3).prop_map(|literals| format!("({})", literals.join(" & ")));
    let guard = prop::collection::vec(clause, 1..3).prop_map(|clauses| clauses.join(" | "));
    let demand = prop_oneof![
        5 => (0..ACTIONS).prop_map(|a| format!("!action_{a}")),
        4 => (0..ACTIONS).prop_map(|a| format!("(action_{a} | action_stop)")),
        1 => (0..ACTIONS, 0..ACTIONS).prop_map(|(a, b)| format!("(action_{a} | action_{b})")),
        1 => Just("!action_stop".to_owned()),
        1 => Just("action_stop".to_owned()),
    ];
    prop_oneof![
        16 => (guard, demand).prop_map(|(guard, demand)| format!("G({guard} -> X {demand})")),
        1 => Just("F action_1".to_owned()),
        1 => Just("G(obs_7 -> X !action_1)".to_owned()),
        1 => Just("G(obs_0 ->".to_owned()),
    ]
}

/// Proposals that mostly cite steps that exist: of these runs.
fn proposals_about(runs: Vec<RunPath>) -> impl Strategy<Value = (Vec<RunPath>, Vec<Proposal>)> {
    let steps: Vec<(u64, u64)> =
        (1u64..).zip(&runs).flat_map(|(number, run)| (1..=run.len() as u64).map(move |step| (number, step))).collect();
    let real = prop::collection::vec(prop::sample::select(steps), 1..6);
    let evidence = prop_oneof![9 => real, 1 => prop::collection::vec((1..5u64, 0..6u64), 0..4)];
    let one = (formula(), evidence).prop_map(|(formula, evidence)| proposal(&formula, &evidence));
    (Just(runs), prop::collection::vec(one, 1..40))
}

/// Random runs; those that get to a state with `obs_3` have reached the goal.
fn runs() -> impl Strategy<Value = Vec<RunPath>> {
    let steps = prop::collection::vec((0..ACTIONS, prop::bool::weighted(0.2), 0..states().len()), 1..8);
    prop::collection::vec((0..states().len(), steps), 1..5).prop_map(|runs| {
        let states = states();
        let numbered = runs.into_iter().enumerate().map(|(number, (start, steps))| {
            let mut run = RunPath::new(number as u64 + 1, states[start]);
            for (action, fails, to) in steps {
                run.step(ActionId(action), fails.then(|| Reason("stuck".into())), states[to]);
                if states[to].contains(PropId(3)) {
                    run.reached_goal();
                    break;
                }
            }
            run
        });
        numbered.collect()
    })
}

fn blocks(formula: &Formula, state: &PropSet, action: ActionId) -> bool {
    let vocabulary = vocabulary();
    let holds = |name: &str, position: usize| match (vocabulary.id(name), position) {
        (Some(id), 0) => state.contains(id),
        (_, _) => vocabulary.action(name) == Some(action),
    };
    !ltlcrit_verifier::semantics::holds_at(formula, 0, 2, &holds)
}

fn parsed(formula: &str) -> Formula {
    syntax::parse_over(formula, &vocabulary()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_gate_keeps_its_promises((runs, proposals) in runs().prop_flat_map(proposals_about)) {
        let mut graph = TrajectoryGraph::new();
        runs.iter().for_each(|run| graph.add(run));
        let (_directory, store) = store();
        let hard = book("hard", &[("hard-1", "G(obs_2 & !obs_0 -> X !action_0)")]);
        let go = |learned: &Book| {
            let mut gate = Gate::new(learned, std::slice::from_ref(&hard), vocabulary(), &graph, Staging::Adopt).unwrap();
            let rule = |proposal: &Proposal| gate.admit(&store, &proposal.clone().into(), now()).unwrap().ruling;
            let rulings: Vec<GateRuling> = proposals.iter().map(rule).collect();
            (rulings, gate.finish(&store, now()).unwrap())
        };
        let empty = book("learned", &[]);
        let (rulings, after) = go(&empty);

        // Deterministic, and idempotent.
        let (again, same) = go(&empty);
        prop_assert_eq!(&rulings, &again);
        prop_assert_eq!(after.text(), same.text());
        let (more, unchanged) = go(&after);
        prop_assert!(more.iter().all(|ruling| matches!(ruling, GateRuling::Refused { .. })), "{:?}", more);
        prop_assert_eq!(after.text(), unchanged.text());

        // All are kept, in order.
        let kept: Vec<GateRuling> = store.proposals().take(rulings.len()).map(|kept| kept.unwrap().1.ruling).collect();
        prop_assert_eq!(&kept, &rulings);

        // What reaches the shield is what was admitted, nothing else.
        let mut laws = hard.laws_in_force();
        laws.extend(after.laws_in_force());
        let shield = Shield::new(vocabulary(), laws.clone(), ShieldOptions::default()).unwrap();
        let admitted: Vec<&LawId> = rulings.iter().filter_map(|ruling| match ruling {
            GateRuling::Admitted { law } => Some(law),
            GateRuling::Retired { .. } | GateRuling::Refused { .. } => None,
        }).collect();
        let learned: Vec<&LawId> = shield.laws()[1..].iter().map(|law| &law.id).collect();
        prop_assert_eq!(learned, admitted);

        // Every state keeps an action.
        let stop = vocabulary().stop().unwrap();
        let actions = || vocabulary().action_ids().filter(move |action| *action != stop).collect::<Vec<_>>();
        for state in states() {
            let left = |laws: &[Formula]| {
                actions().into_iter().any(|action| !laws.iter().any(|law| blocks(law, &state, action)))
            };
            let formulas: Vec<Formula> = laws.iter().map(|law| law.formula.clone()).collect();
            prop_assert!(left(&formulas), "nothing is left where {:?} hold", vocabulary().names(&state));
        }

        let fewest = runs.iter().filter(|run| run.has_reached_goal()).map(RunPath::len).min();
        let before = |cited: &Evidence| {
            let path = graph.run(RunId(cited.run)).unwrap();
            *graph.holds(graph.place_after(path, cited.step as usize - 1)).unwrap()
        };
        let mut entered: Vec<Formula> = vec![parsed("G(obs_2 & !obs_0 -> X !action_0)")];
        for (proposal, ruling) in proposals.iter().zip(&rulings) {
            match ruling {
                GateRuling::Admitted { law } => {
                    let formula = proposal.formula.value().unwrap().clone();
                    prop_assert_eq!(&after.entry(law).unwrap().formula, &formula);
                    // Grounded in a cited step.
                    let guard = &recognise_all(&formula, &vocabulary()).unwrap()[0];
                    prop_assert!(proposal.evidence.iter().any(|cited| guard.applies(&vocabulary(), &before(cited))));
                    // No step of the best known successful runs is blocked, nor is stopping at their ends.
                    for (_, path) in graph.runs().filter(|(_, path)| path.reached_goal() && Some(path.steps().len()) == fewest) {
                        for at in 0..=path.steps().len() {
                            let wasted = path.steps().get(at).is_some_and(|edge| {
                                graph.failure(*edge).is_some() && graph.place_after(path, at + 1) == graph.place_after(path, at)
                            });
                            if wasted {
                                continue;
                            }
                            let action = path.steps().get(at).map_or(stop, |edge| {
                                graph.chosen(graph.graph().edge_endpoints(*edge).unwrap().0).unwrap().1
                            });
                            let state = graph.holds(graph.place_after(path, at)).unwrap();
                            prop_assert!(!blocks(&formula, state, action), "{formula} blocks a good step");
                        }
                    }
                    entered.push(formula);
                }
                // What a refusal says is so.
                GateRuling::Refused { refusal: Refusal::OverConstrains { state, .. } } => {
                    let state = vocabulary().set(state.iter().map(String::as_str)).unwrap();
                    let formula = proposal.formula.value().unwrap().clone();
                    let blocked = |action: &ActionId| {
                        entered.iter().chain([&formula]).any(|law| blocks(law, &state, *action))
                    };
                    prop_assert!(actions().iter().all(blocked));
                }
                GateRuling::Refused { refusal: Refusal::Implied { .. } } => {
                    let formula = proposal.formula.value().unwrap().clone();
                    for state in states() {
                        for action in vocabulary().action_ids().filter(|action| blocks(&formula, &state, *action)) {
                            prop_assert!(entered.iter().any(|law| blocks(law, &state, action)));
                        }
                    }
                }
                GateRuling::Refused { refusal: Refusal::BlocksGoodStep { step, action, state } } => {
                    let held = vocabulary().set(state.iter().map(String::as_str)).unwrap();
                    let path = graph.run(RunId(step.run)).unwrap();
                    prop_assert_eq!(graph.holds(graph.place_after(path, step.step as usize - 1)), Some(&held));
                    prop_assert!(blocks(proposal.formula.value().unwrap(), &held, vocabulary().action(action).unwrap()));
                }
                GateRuling::Refused { refusal: Refusal::NotGrounded { cited, state, .. } } => {
                    let held = vocabulary().set(state.iter().map(String::as_str)).unwrap();
                    prop_assert_eq!(before(cited), held);
                }
                GateRuling::Retired { law } => prop_assert!(false, "{law} is retired and nobody asked for it"),
                GateRuling::Refused { refusal } => {
                    let impossible = ["book-over-constrained", "undecided"];
                    prop_assert!(!impossible.contains(&refusal.code()), "{}", refusal);
                }
            }
        }
    }
}
