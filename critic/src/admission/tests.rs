mod retirement;

use jiff::Timestamp;
use ltlcrit_laws::{Evidence, Origin};
use ltlcrit_store::{RunId, Store};
use ltlcrit_verifier::{ActionId, Axiom, PropId, Shield, ShieldOptions, syntax};
use ltlcrit_worlds::Reason;
use proptest::prelude::*;

use super::*;
use crate::evidence::{GoodStep, Objective};
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

/// Runs as the gate sees them.
struct Runs {
    graph: TrajectoryGraph,
    trials: Trials,
}

impl Runs {
    fn of(paths: &[RunPath]) -> Self {
        let mut graph = TrajectoryGraph::new();
        paths.iter().for_each(|path| graph.add(path));
        let trials = Trials::of(graph.runs(), &vocabulary(), &[], Objective::DEFAULT);
        Self { graph, trials }
    }

    fn seen(&self) -> GateRuns<'_> {
        GateRuns { graph: &self.graph, trials: &self.trials }
    }

    /// The gate to a book alone.
    fn gate(&self, book: &Book) -> Gate<'_> {
        Gate::new(book, &[], vocabulary(), self.seen(), Staging::Adopt).unwrap()
    }
}

/// A run by its start and its steps: the action, whether it fails, and the state it leads to. A state with `obs_3` is the goal.
fn path(number: u64, start: u16, steps: &[(u16, bool, u16)]) -> RunPath {
    let mut run = RunPath::new(number, state(start));
    for &(action, fails, to) in steps {
        run.step(ActionId(action), fails.then(|| Reason("stuck".into())), state(to));
        if state(to).contains(PropId(3)) {
            run.reached_goal();
        }
    }
    run
}

/// Run 1 reaches the goal in three steps, run 2 in four, run 3 not at all.
fn three() -> Vec<RunPath> {
    vec![
        path(1, 0, &[(0, false, 1), (1, false, 3), (2, false, 8)]),
        path(2, 0, &[(1, true, 0), (0, false, 1), (1, false, 3), (2, false, 8)]),
        path(3, 4, &[(2, true, 4)]),
    ]
}

fn rule(gate: &mut Gate<'_>, store: &Store, formula: &str, evidence: &[(u64, u64)]) -> GateRuling {
    gate.admit(store, &proposal(formula, evidence).into(), now()).unwrap()
}

#[test]
fn every_reason_in_its_order() {
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    let hard = book("hard", &[("hard-1", "G(obs_2 -> X !action_2)"), ("order", "!action_2 W action_0")]);
    let mut gate = Gate::new(&book("learned", &[]), &[hard], vocabulary(), runs.seen(), Staging::Adopt).unwrap();
    assert_eq!(gate.beyond_proof().collect::<Vec<_>>(), [&LawId::from("order")]);
    // Each breaks this rule and all after it that it can.
    let cases = [
        ("G(obs_0 -> X (!action_0", "syntax"),
        ("F(obs_x & action_9)", "unknown-propositions"),
        ("F(obs_0 & action_1)", "not-of-the-form"),
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
    assert_eq!(refused("G(obs_2 -> X !action_2)", &[]), Refusal::NoEvidence { holds_at: Some(e(3, 1)) });
    assert_eq!(refused("G(obs_2 -> X !action_2)", &[(3, 1), (9, 1)]), Refusal::NoSuchStep { cited: e(9, 1) });
    for nowhere in [(3, 0), (3, 2), (1, 4), (0, 1), (1, u64::MAX)] {
        let refusal = refused("G(obs_2 -> X !action_2)", &[nowhere]);
        assert_eq!(refusal, Refusal::NoSuchStep { cited: e(nowhere.0, nowhere.1) });
    }
    assert_eq!(
        refused("G(obs_2 -> X !action_2)", &[(1, 2)]),
        Refusal::NotGrounded { cited: e(1, 2), state: vec!["obs_0".into()], holds_at: Some(e(3, 1)) }
    );
    // Its condition held somewhere, but nothing that it blocks failed or was needless.
    assert_eq!(
        refused("G(obs_2 -> X !action_0)", &[(1, 3)]),
        Refusal::NotGrounded { cited: e(1, 3), state: vec!["obs_0".into(), "obs_1".into()], holds_at: Some(e(3, 1)) }
    );
    let not_shown =
        |cited: Evidence, action: &str, blocked| Refusal::NotShown { cited, action: action.to_owned(), blocked };
    assert_eq!(refused("G(obs_2 -> X !action_0)", &[(3, 1)]), not_shown(e(3, 1), "action_2", false));
    let (state, action) = (vec!["obs_0".to_owned(), "obs_1".to_owned()], "action_2".to_owned());
    let needed = Refusal::BlocksGoodStep { step: e(1, 3), action, state };
    assert_eq!(refused("G(obs_1 -> X !action_2)", &[(1, 3)]), needed);
    assert_eq!(
        refused("G(obs_2 & obs_1 | obs_2 -> X !action_2)", &[(3, 1)]),
        Refusal::Implied { by: vec!["hard-1".into()] }
    );
    // No weaker law will do: the only state that shows that it is right is the one to be left alone.
    assert_eq!(
        refused("G(!obs_0 -> X action_2)", &[(2, 1)]),
        Refusal::OverConstrains { state: vec!["obs_2".into()], laws: vec!["hard-1".into()] }
    );
    assert_eq!(
        refused("G(!obs_0 & !obs_2 -> X action_2)", &[(2, 1)]),
        Refusal::BlocksGoodStep { step: e(1, 1), action: "action_0".into(), state: vec![] }
    );
    assert_eq!(
        rule(&mut gate, &store, "G(!obs_0 -> X !action_1)", &[(2, 1)]),
        GateRuling::Admitted { law: "no-1".into() }
    );
    assert_eq!(store.proposals().count(), 20, "all are kept");
}

#[test]
fn a_law_that_goes_too_far_is_weakened() {
    // Run 4 fails where only `obs_0` holds.
    let runs = Runs::of(&[three(), vec![path(4, 1, &[(0, true, 1), (1, false, 3), (2, false, 8)])]].concat());
    let (_directory, store) = store();
    let cases = [
        // Stopping at the goal is a step too.
        ("G(!obs_0 -> X (action_0 | action_2))", (2, 1), "G(!obs_0 & !obs_3 -> X(action_0 | action_2))"),
        // If `obs_1` holds as well, action 2 leads to the goal; where `obs_2` does, the hard law leaves nothing with it.
        ("G(obs_0 -> X action_1)", (4, 1), "G(obs_0 & !obs_2 & !obs_1 -> X action_1)"),
    ];
    for (formula, shown, weaker) in cases {
        let hard = [book("hard", &[("hard-1", "G(obs_2 -> X !action_1)")])];
        let mut gate = Gate::new(&book("learned", &[]), &hard, vocabulary(), runs.seen(), Staging::Adopt).unwrap();
        let ruling = rule(&mut gate, &store, formula, &[(1, 1), (1, 2), shown]);
        let GateRuling::Admitted { law } = ruling else { panic!("{formula}: {ruling:?}") };
        let after = gate.finish(&store, now()).unwrap();
        let entry = after.entry(&law).unwrap();
        assert_eq!(entry.formula_text.as_ref(), weaker);
        assert!(entry.explanation.starts_with("Because. Narrowed:"), "{}", entry.explanation);
        assert!(entry.provenance.evidence.contains(&Evidence { run: shown.0, step: shown.1 }));
        assert!(entry.provenance.evidence.len() < 3, "{:?}", entry.provenance.evidence);
    }
}

#[test]
fn a_step_to_the_goal_may_be_blocked_where_another_is_as_good() {
    let (_directory, store) = store();
    let short = [path(1, 0, &[(0, false, 1), (2, false, 8)]), path(2, 0, &[(1, false, 4), (2, false, 8)])];
    let long = [path(1, 0, &[(0, false, 1), (0, false, 3), (2, false, 8)]), short[1].clone()];
    let failed = path(3, 0, &[(1, true, 0), (0, false, 1), (2, false, 8)]);
    for (paths, admitted) in [(short, true), (long, false)] {
        // Run 3 knows the way by action 0 that run 1 takes, as long as that is.
        let mut all = paths.to_vec();
        let again = |number: u64| RunPath { id: RunId(number), ..failed.clone() };
        match admitted {
            // Three failures outweigh a step that another is as good as.
            true => all.extend((3..6).map(again)),
            false => all.push(path(3, 0, &[(1, true, 0), (1, false, 4), (2, false, 8)])),
        }
        let runs = Runs::of(&all);
        let ruling =
            rule(&mut runs.gate(&book("learned", &[])), &store, "G(!obs_0 & !obs_2 -> X !action_1)", &[(3, 1)]);
        match ruling {
            GateRuling::Admitted { .. } => assert!(admitted),
            GateRuling::Refused { refusal } => {
                assert_eq!((refusal.code(), admitted), ("blocks-good-step", false), "{refusal}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn proposals_are_judged_in_one_order() {
    let runs = Runs::of(&three());
    let gate = runs.gate(&book("learned", &[]));
    let state = ProposedState::named(vec![], &vocabulary());
    let with = proposal("G(obs_0 -> X !action_1)", &[]);
    let changes = vec![
        Change::Retire { law: "b".into(), cause: RetireCause::NeverFires, state: None, proposer: "test".into() },
        Change::Replace { law: "a".into(), with, state },
        // Two trials show that it is right, then one, then none.
        proposal("G(!obs_0 -> X (action_0 | action_stop))", &[]).into(),
        proposal("G(!obs_0 -> X !action_1)", &[]).into(),
        proposal("G(obs_0 ->", &[]).into(),
        proposal("G(obs_0 -> X !action_0)", &[]).into(),
        // It may be implied by one of these.
        Change::Retire { law: "c".into(), cause: RetireCause::Implied, state: None, proposer: "test".into() },
    ];
    for from in 0..changes.len() {
        let mut turned = changes.clone();
        turned.rotate_left(from);
        assert_eq!(gate.in_order(turned), changes);
    }
}

#[test]
fn what_is_admitted_enters_a_new_revision_with_its_origin() {
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    let before = book("learned", &[]);
    let gate = |book: &Book| runs.gate(book);
    assert_eq!(gate(&before).finish(&store, now()).unwrap().text(), before.text(), "nothing admitted, nothing changed");
    assert_eq!(store.book_revisions().count(), 0);
    let mut first = gate(&before);
    assert_eq!(
        rule(&mut first, &store, "G i ! obs_0 X ! action_1", &[(2, 1)]),
        GateRuling::Admitted { law: "no-1".into() }
    );
    assert!(matches!(
        rule(&mut first, &store, "G(!obs_0 & !obs_2 -> X !action_1)", &[(2, 1)]),
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
    let mut second = Gate::new(&after, &[], vocabulary(), runs.seen(), Staging::Propose).unwrap();
    assert_eq!(
        rule(&mut second, &store, "G(obs_2 -> X (action_0 | action_stop))", &[(3, 1)]),
        GateRuling::Admitted { law: "no-several".into() }
    );
    let staged = second.finish(&store, now()).unwrap();
    assert_eq!((staged.entry("no-several").unwrap().status.as_str(), staged.laws_in_force().len()), ("proposed", 1));
    let mut third = gate(&staged);
    assert!(matches!(
        rule(&mut third, &store, "G(obs_2 -> X (action_0 | action_stop))", &[(3, 1)]),
        GateRuling::Refused { refusal: Refusal::Implied { .. } }
    ));
}

#[test]
fn a_book_that_is_over_constrained_takes_nothing() {
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    let bad = book("bad", &[("a", "G(obs_2 -> X action_0)"), ("b", "G(obs_3 -> X action_1)")]);
    let mut gate = Gate::new(&book("learned", &[]), &[bad], vocabulary(), runs.seen(), Staging::Adopt).unwrap();
    let GateRuling::Refused { refusal } = rule(&mut gate, &store, "G(!obs_0 -> X !action_1)", &[(2, 1)]) else {
        panic!()
    };
    let state = vec!["obs_2".to_owned(), "obs_3".into()];
    assert_eq!(refusal, Refusal::BookOverConstrained { state, laws: vec!["a".into(), "b".into()] });
    assert!(refusal.to_string().contains("resolve that first"));
}

#[test]
fn long_and_hostile_texts_stay_texts() {
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    let mut gate = Gate::new(&book("learned", &[]), &[], vocabulary(), runs.seen(), Staging::Adopt).unwrap();
    let long = format!("G(obs_0 -> X !action_1{})", " ".repeat(MAX_FORMULA));
    assert!(matches!(
        rule(&mut gate, &store, &long, &[(1, 2)]),
        GateRuling::Refused { refusal: Refusal::Syntax { .. } }
    ));
    let mut hostile = proposal("G(!obs_0 -> X !action_1)", &[(2, 1)]);
    hostile.explanation = format!("\"\"\"\n[[law]]\nid = \"evil\"\nstrength = \"hard\"\n{}", "x".repeat(5_000));
    hostile.proposer = "m\" }\n[[law]]".into();
    assert!(matches!(gate.admit(&store, &hostile.into(), now()).unwrap(), GateRuling::Admitted { .. }));
    let after = gate.finish(&store, now()).unwrap();
    assert_eq!(after.entries().len(), 1);
    let entry = &after.entries()[0];
    assert_eq!((entry.strength, &*entry.id), (Strength::Soft, "no-1"));
    assert!(entry.explanation.len() <= MAX_EXPLANATION + 8, "{}", entry.explanation.len());
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
fn any_runs() -> impl Strategy<Value = Vec<RunPath>> {
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
    fn the_gate_keeps_its_promises((paths, proposals) in any_runs().prop_flat_map(proposals_about)) {
        let runs = Runs::of(&paths);
        let graph = &runs.graph;
        let (_directory, store) = store();
        let hard = book("hard", &[("hard-1", "G(obs_2 & !obs_0 -> X !action_0)")]);
        let go = |learned: &Book| {
            let mut gate = Gate::new(learned, std::slice::from_ref(&hard), vocabulary(), runs.seen(), Staging::Adopt).unwrap();
            let rule = |proposal: &Proposal| gate.admit(&store, &proposal.clone().into(), now()).unwrap();
            let rulings: Vec<GateRuling> = proposals.iter().map(rule).collect();
            (rulings, gate.finish(&store, now()).unwrap())
        };
        let empty = book("learned", &[]);
        let (rulings, after) = go(&empty);

        // Deterministic, and idempotent.
        let (again, same) = go(&empty);
        prop_assert_eq!(&rulings, &again);
        prop_assert_eq!(after.text(), same.text());
        // A law that was weakened once may be weakened in another way.
        if !after.text().contains(" Narrowed: ") {
            let (more, unchanged) = go(&after);
            prop_assert!(more.iter().all(|ruling| matches!(ruling, GateRuling::Refused { .. })), "{:?}", more);
            prop_assert_eq!(after.text(), unchanged.text());
        }

        // All are kept, in order.
        let kept: Vec<GateRuling> = store.proposals().take(rulings.len()).map(|kept| kept.unwrap().1.ruling).collect();
        prop_assert_eq!(&kept, &rulings);

        // The shield gets the admitted laws and nothing else.
        let mut laws = hard.laws_in_force();
        laws.extend(after.laws_in_force());
        let shield = Shield::new(vocabulary(), laws.clone(), ShieldOptions::default()).unwrap();
        let admitted: Vec<&LawId> = rulings.iter().filter_map(|ruling| match ruling {
            GateRuling::Admitted { law } => Some(law),
            _ => None,
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

        let before = |cited: &Evidence| {
            graph.run(RunId(cited.run)).unwrap().state_before(cited.step as usize - 1)
        };
        let mut entered: Vec<Formula> = vec![parsed("G(obs_2 & !obs_0 -> X !action_0)")];
        for (proposal, ruling) in proposals.iter().zip(&rulings) {
            match ruling {
                GateRuling::Admitted { law } => {
                    let (formula, proposed) = (&after.entry(law).unwrap().formula, proposal.formula.value().unwrap());
                    for state in states() {
                        let mut blocked = vocabulary().action_ids().filter(|action| blocks(formula, &state, *action));
                        prop_assert!(blocked.all(|action| blocks(proposed, &state, action)), "{formula} for {proposed}");
                    }
                    // Its condition held before a cited step, and what runs show speaks for it.
                    let applies = |cited: &Evidence| {
                        vocabulary().action_ids().any(|action| blocks(formula, &before(cited), action))
                    };
                    prop_assert!(proposal.evidence.iter().any(applies));
                    let support = runs.trials.support(|state, action| blocks(formula, state, action));
                    prop_assert!(support.bad > support.good, "{formula}: {support:?}");
                    // No step to the goal is blocked, nor is stopping there, unless one as good is left.
                    entered.push(formula.clone());
                    for lost in runs.trials.good.iter().filter(|good| blocks(formula, &good.state, good.action)) {
                        let left = |other: &&GoodStep| !entered.iter().any(|law| blocks(law, &other.state, other.action));
                        let as_good = |other: &GoodStep| other.state == lost.state && other.distance <= lost.distance + 1;
                        let outweighed = runs.trials.weight_of_last(&lost.state, lost.action) > 0.0;
                        prop_assert!(outweighed || runs.trials.good.iter().filter(left).any(as_good), "{formula} blocks {lost:?}");
                    }
                }
                // The reason of a refusal is true.
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
                    let run = graph.run(RunId(step.run)).unwrap();
                    prop_assert_eq!(run.state_before(step.step as usize - 1), held);
                    prop_assert!(blocks(proposal.formula.value().unwrap(), &held, vocabulary().action(action).unwrap()));
                }
                GateRuling::Refused { refusal: Refusal::NotGrounded { cited, state, .. } } => {
                    let held = vocabulary().set(state.iter().map(String::as_str)).unwrap();
                    prop_assert_eq!(before(cited), held);
                }
                GateRuling::Retired { law } | GateRuling::OnTrial { law, .. } => {
                    prop_assert!(false, "nobody asked for what became of {law}");
                }
                GateRuling::Refused { refusal } => {
                    let impossible = ["book-over-constrained", "undecided"];
                    prop_assert!(!impossible.contains(&refusal.code()), "{}", refusal);
                }
            }
        }
    }
}

/// Laws that leave nothing where `obs_2` holds without `obs_0` are taken as they are if an invariant says that no run gets
/// there; without it they are narrowed, and a book of such laws takes nothing.
#[test]
fn an_invariant_lets_laws_through_that_leave_nothing_in_unreachable_states() {
    let (paths, (_directory, store)) = (three().into_iter().take(2).collect::<Vec<_>>(), store());
    let runs = Runs::of(&paths);
    let plain = vocabulary();
    let with = |axioms: Vec<Axiom>| {
        let (observations, actions) = (plain.observations().to_vec(), plain.actions().to_vec());
        Arc::new(Vocabulary::new("v", observations, actions, [plain.axioms().to_vec(), axioms].concat()).unwrap())
    };
    let invariant = Axiom::new(syntax::parse_infix("obs_2 -> obs_0").unwrap()).because("What gives obs_2 takes obs_0.");
    let over =
        |vocabulary: &Arc<Vocabulary>, name: &str, laws: &[(&str, &str)]| book(name, laws).over(vocabulary).unwrap();
    let (law, narrowed) = ("G(!obs_0 -> X !action_1)", "G(!obs_0 & !obs_2 -> X !action_1)");
    for (axioms, expected) in [(vec![], narrowed), (vec![invariant.clone()], law)] {
        let vocabulary = with(axioms);
        let hard = over(&vocabulary, "hard", &[("hard-1", "G(obs_2 -> X action_1)")]);
        let learned = over(&vocabulary, "learned", &[]);
        let mut gate = Gate::new(&learned, &[hard], vocabulary, runs.seen(), Staging::Adopt).unwrap();
        let GateRuling::Admitted { law } = rule(&mut gate, &store, law, &[(2, 1)]) else { panic!("{expected}") };
        assert_eq!(gate.finish(&store, now()).unwrap().entry(&law).unwrap().formula_text.as_ref(), expected);
    }
    for (axioms, admitted) in [(vec![], false), (vec![invariant], true)] {
        let vocabulary = with(axioms);
        let laws = [("a", "G(obs_2 -> X action_1)"), ("b", "G(!obs_0 -> X !action_1)")];
        let both = over(&vocabulary, "both", &laws);
        let learned = over(&vocabulary, "learned", &[]);
        let mut gate = Gate::new(&learned, &[both], vocabulary, runs.seen(), Staging::Adopt).unwrap();
        match rule(&mut gate, &store, "G(!obs_0 -> X (action_0 | action_stop))", &[(2, 1)]) {
            GateRuling::Refused { refusal: Refusal::BookOverConstrained { state, .. } } => {
                assert_eq!((state, admitted), (vec!["obs_2".to_owned()], false));
            }
            other => assert!(admitted && matches!(other, GateRuling::Admitted { .. }), "{other:?}"),
        }
    }
}
