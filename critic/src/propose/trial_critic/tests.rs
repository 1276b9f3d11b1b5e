use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionSet, PropId, Proposition, Vocabulary};
use proptest::prelude::*;

use super::*;
use crate::change::{LawSource, Proposal, Refusal, Refused, RetireCause};
use crate::graph::{Citation, ClassOptions, RunPath, Target, TrajectoryGraph};
use crate::law::{KnownLaw, StateConflict};
use crate::propose::door::{action, law, run, state, vocabulary};
use crate::trial::{Block, Trial, TrialLog, Trials, Verdict};

/// Few trials suffice.
const BOLD: TrialCriticOptions = TrialCriticOptions {
    feedback: true,
    efficiency: true,
    generalise: true,
    tolerance: 0.5,
    significance: 0.5,
    exceptions: 0.01,
    contrast: 0.15,
    literals: 4,
};

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
        let (mut graph, mut log) = (TrajectoryGraph::new(), TrialLog::default());
        for run in runs {
            graph.add(run);
            log.add(run.clone());
        }
        Self { graph, trials: log.trials(&vocabulary(), &[], 1) }
    }

    fn propose(&self, critic: &mut TrialCritic, asked: Asked<'_>) -> Vec<Change> {
        let vocabulary = vocabulary();
        let brief = Brief {
            task: "Open the door.",
            vocabulary: &vocabulary,
            graph: &self.graph,
            classes: &self.graph.classify(Target::Goal, ClassOptions::default()),
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

    fn laws(&self, options: TrialCriticOptions) -> Vec<Proposal> {
        added(&self.propose(&mut TrialCritic::new(options), FIRST))
    }

    fn formulas(&self, options: TrialCriticOptions) -> Vec<String> {
        formulas(&self.laws(options))
    }
}

fn added(changes: &[Change]) -> Vec<Proposal> {
    let add = |change: &Change| match change {
        Change::Add(proposal) => proposal.clone(),
        other => panic!("{other:?}"),
    };
    changes.iter().map(add).collect()
}

fn formulas(laws: &[Proposal]) -> Vec<String> {
    laws.iter().map(|law| law.formula.text().clone()).collect()
}

const NO_OPEN: &str = "G(!obs_key -> X !action_open)";
const NO_WAIT: &str = "G(obs_key & !obs_open & !obs_light -> X !action_wait)";

#[test]
fn laws_block_what_failed_and_what_was_needless() {
    let laws = World::of(&runs()).laws(BOLD);
    assert_eq!(formulas(&laws), [NO_OPEN, NO_WAIT]);
    let cited = |law: &Proposal| law.evidence.iter().map(|cited| (cited.run, cited.step)).collect::<Vec<_>>();
    let [open, wait] = &laws[..] else { panic!() };
    assert_eq!((open.source, open.proposer.as_str()), (LawSource::EnvironmentFeedback, NAME));
    assert_eq!(open.explanation, "Here action_open failed 6 times (locked).");
    assert_eq!(cited(open), [(1, 1), (2, 1), (3, 1)], "no more than three steps");
    assert_eq!(wait.source, LawSource::Efficiency);
    assert_eq!(wait.explanation, "Here action_wait was needless: 2 times runs ended as well without it.");
    assert_eq!(cited(wait), [(11, 2), (12, 2)]);
}

#[test]
fn a_needed_action_gets_no_law() {
    // No run opened the door in the dark: waiting may be needed.
    assert_eq!(World::of(&slow()).formulas(BOLD), [""; 0]);
    // One run that needed it weighs more than the two that did not.
    let mut world = World::of(&runs());
    world.trials.all.push(trial(state("obs_key"), action("action_wait"), Verdict::Needed, 20, 1));
    assert_eq!(world.formulas(BOLD), [NO_OPEN]);
}

#[test]
fn the_default_options_ask_for_more_evidence() {
    assert_eq!(World::of(&runs()).formulas(TrialCriticOptions::default()), [""; 0]);
    let lucky = TrialCriticOptions { significance: 0.01, ..BOLD };
    assert_eq!(World::of(&runs()).formulas(lucky), [""; 0]);
}

#[test]
fn parts_can_be_switched_off() {
    let world = World::of(&runs());
    assert_eq!(world.formulas(TrialCriticOptions { feedback: false, ..BOLD }), [NO_WAIT]);
    assert_eq!(world.formulas(TrialCriticOptions { efficiency: false, ..BOLD }), [NO_OPEN]);
    assert_eq!(
        world.formulas(TrialCriticOptions { generalise: false, ..BOLD }),
        [
            "G(!obs_key & !obs_open & !obs_light -> X !action_open)",
            "G(!obs_key & !obs_open & obs_light -> X !action_open)",
            NO_WAIT
        ]
    );
}

#[test]
fn what_a_law_blocks_already_is_no_evidence() {
    let world = World::of(&runs());
    let propose = |known: &[KnownLaw]| {
        formulas(&added(&world.propose(&mut TrialCritic::new(BOLD), Asked { laws: known, ..FIRST })))
    };
    let (open, wait) = (law("no-open", NO_OPEN, true), law("no-wait", NO_WAIT, true));
    assert_eq!(propose(std::slice::from_ref(&open)), [NO_WAIT]);
    assert_eq!(propose(std::slice::from_ref(&wait)), [NO_OPEN]);
    assert_eq!(propose(&[open, wait]), [""; 0]);
}

#[test]
fn the_same_runs_give_the_same_laws() {
    let mut reversed = runs();
    reversed.reverse();
    let laws = World::of(&runs()).laws(BOLD);
    assert_eq!(laws, World::of(&runs()).laws(BOLD));
    assert_eq!(laws, World::of(&reversed).laws(BOLD));
    assert!(!laws.is_empty());
}

#[test]
fn a_counterexample_of_the_gate_is_excluded_until_the_next_critique() {
    let world = World::of(&runs());
    let mut critic = TrialCritic::new(BOLD);
    let changes = world.propose(&mut critic, FIRST);
    let counterexample = state("obs_light obs_open");
    let refusal = Refusal::OverConstrains { state: vec!["obs_light".into(), "obs_open".into()], laws: vec![] };
    let refused = [Refused { change: changes[0].clone(), refusal, counterexample: Some(counterexample) }];
    let narrower = "G(!obs_key & !obs_open -> X !action_open)";
    let again = world.propose(&mut critic, Asked { refused: &refused, round: 2, ..FIRST });
    assert_eq!(formulas(&added(&again)), [narrower, NO_WAIT]);
    let still = world.propose(&mut critic, Asked { round: 3, ..FIRST });
    assert_eq!(formulas(&added(&still)), [narrower, NO_WAIT]);
    let anew = world.propose(&mut critic, FIRST);
    assert_eq!(formulas(&added(&anew)), [NO_OPEN, NO_WAIT]);
}

#[test]
fn a_law_refused_without_counterexample_is_not_proposed_again() {
    let world = World::of(&runs());
    let mut critic = TrialCritic::new(BOLD);
    let changes = world.propose(&mut critic, FIRST);
    let refusal = Refusal::Implied { by: vec![] };
    let refused = [Refused { change: changes[0].clone(), refusal, counterexample: None }];
    let again = world.propose(&mut critic, Asked { refused: &refused, round: 2, ..FIRST });
    assert_eq!(formulas(&added(&again)), [NO_WAIT]);
}

#[test]
fn what_dead_ends_wanted_is_not_blocked() {
    let mut world = World::of(&runs());
    let step = Citation { run: RunId(1), step: 1 };
    world.trials.wanted.push(Block { state: state("obs_open"), action: action("action_open"), step, proposed: true });
    assert_eq!(world.formulas(BOLD)[0], "G(!obs_key & !obs_open -> X !action_open)");
}

#[test]
fn runs_that_got_on_without_a_blocked_action_are_evidence() {
    // Two failures are too few for a condition of one literal.
    let mut world = World::of(&hasty()[..2]);
    assert_eq!(world.formulas(BOLD), [""; 0]);
    for number in 31..=32 {
        world.trials.all.push(trial(state(""), action("action_open"), Verdict::Spared, number, 1));
    }
    assert_eq!(world.formulas(BOLD), [NO_OPEN]);
    assert_eq!(world.formulas(TrialCriticOptions { efficiency: false, ..BOLD }), [""; 0]);
}

fn conflict(laws: &[&str]) -> StateConflict {
    let laws = laws.iter().map(|&law| law.into()).collect();
    StateConflict {
        state: state("obs_key obs_light"),
        laws,
        left: ActionSet::EMPTY,
        met_at: None,
        suspended: Vec::new(),
    }
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
        world.propose(&mut TrialCritic::new(BOLD), Asked { laws: &known, conflicts, refused, ..FIRST })
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
    let refused = [Refused { change: changes[0].clone(), refusal, counterexample: None }];
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

/// The probability of this many successes or more, summed up.
fn tail(successes: u32, trials: u32, chance: f64) -> f64 {
    let choose = |k: u32| (0..k).fold(1.0, |all, at| all * f64::from(trials - at) / f64::from(at + 1));
    (successes..=trials).map(|k| choose(k) * chance.powi(k as i32) * (1.0 - chance).powi((trials - k) as i32)).sum()
}

#[test]
fn the_binomial_test_is_exact() {
    for tolerance in [0.1, 0.2, 0.5, 0.9] {
        for trials in 0..=12 {
            for bad in 0..=trials {
                let (p, sum) = (evidence::p_value(bad, trials, tolerance), tail(bad, trials, 1.0 - tolerance));
                assert!((p - sum).abs() < 1e-9, "{bad} of {trials} at {tolerance}: {p}, not {sum}");
            }
        }
    }
}

#[test]
fn the_share_of_false_laws_is_bounded_by_benjamini_and_hochberg() {
    let kept = |p: &[f64]| evidence::significant(p.to_vec(), |p| *p, 0.05);
    // At rank 1 up to 0.0125, then 0.025, 0.0375 and 0.05.
    assert_eq!(kept(&[0.5, 0.01, 0.04, 0.03]), [0.01]);
    assert_eq!(kept(&[0.04, 0.01, 0.036, 0.02]), [0.04, 0.01, 0.036, 0.02]);
    // The largest that passes takes the smaller ones with it.
    assert_eq!(kept(&[0.037, 0.03, 0.9, 0.028]), [0.037, 0.03, 0.028]);
    assert_eq!(kept(&[0.06]), [0.0; 0]);
    assert_eq!(kept(&[]), [0.0; 0]);
}

fn trial(state: PropSet, action: ActionId, verdict: Verdict, run: u64, step: u32) -> Trial {
    Trial { state, action, verdict, step: Citation { run: RunId(run), step } }
}

fn props(props: &[u16]) -> PropSet {
    props.iter().map(|&prop| PropId(prop)).collect()
}

/// What so many runs failed at.
fn failed(state: PropSet, runs: u32) -> Row {
    let bad = (1..=u64::from(runs)).map(|run| trial(state, ActionId(0), Verdict::Failed, run, 1)).collect();
    Row { state, bad, ..Row::default() }
}

fn needed(state: PropSet) -> Row {
    Row { state, needed: true, ..Row::default() }
}

fn cube(literals: &[(u16, bool)]) -> Cube {
    literals.iter().map(|&(prop, holds)| (PropId(prop), holds)).collect()
}

/// A vocabulary of so many observations.
fn observing(count: usize) -> Vocabulary {
    let observations = (0..count).map(|number| Proposition::new(format!("obs_{number}"), "")).collect();
    Vocabulary::new("numbered", observations, vec![Proposition::new("action_go", "")], vec![]).unwrap()
}

/// The condition found over three observations, of at most so many literals.
fn condition(rows: &[Row], untried: &[PropSet], literals: usize) -> Option<Cube> {
    let options = TrialCriticOptions { literals, ..BOLD };
    search::condition(rows, untried, &observing(3), options).map(|found| found.cube)
}

#[test]
fn longer_conditions_need_more_evidence() {
    // Without literals 1 of 2 is enough, with one 1 of 12, with two 1 of 24.
    assert_eq!(condition(&[failed(props(&[0]), 1)], &[], 4), Some(cube(&[])));
    let rows = |runs| [failed(props(&[0]), runs), needed(props(&[]))];
    assert_eq!(condition(&rows(3), &[], 4), None);
    assert_eq!(condition(&rows(4), &[], 4), Some(cube(&[(0, true)])));
    assert_eq!(condition(&rows(4), &[], 0), None);
    let both = |runs| [failed(props(&[0, 1]), runs), needed(props(&[0])), needed(props(&[1]))];
    assert_eq!(condition(&both(4), &[], 2), None);
    assert_eq!(condition(&both(5), &[], 2), Some(cube(&[(0, true), (1, true)])));
    // What a run does again is no more evidence.
    let again = (1..=9).map(|step| trial(props(&[0]), ActionId(0), Verdict::Failed, 1, step)).collect();
    let often = Row { bad: again, ..failed(props(&[0]), 0) };
    assert_eq!(condition(&[often, needed(props(&[]))], &[], 4), None);
    // What worked counts too: 4 of 5 are bad with probability 6 of 32.
    let open = [Row { open: 1, ..failed(props(&[0]), 4) }, needed(props(&[]))];
    assert_eq!(condition(&open, &[], 4), None);
}

#[test]
fn what_brought_something_once_in_a_hundred_times_may_be_blocked() {
    let rows = |runs| [failed(props(&[0]), runs), Row { state: props(&[1]), gained: 1, ..Row::default() }];
    assert_eq!(condition(&rows(100), &[], 0), Some(cube(&[])));
    assert_eq!(condition(&rows(99), &[], 0), None);
    assert_eq!(condition(&rows(99), &[], 1), Some(cube(&[(0, true)])));
    // What a run needed to reach its goal may never be.
    assert_eq!(condition(&[failed(props(&[0]), 100), needed(props(&[1]))], &[], 0), None);
}

#[test]
fn spared_actions_alone_make_no_law() {
    let spared = Row { state: props(&[0]), spared: 9, ..Row::default() };
    assert_eq!(condition(std::slice::from_ref(&spared), &[], 4), None);
    assert_eq!(condition(&[spared, failed(props(&[1]), 1)], &[], 4), Some(cube(&[])));
}

#[test]
fn of_several_explanations_all_must_hold() {
    let rows = [failed(props(&[0, 1]), 4), needed(props(&[]))];
    assert_eq!(condition(&rows, &[], 4), Some(cube(&[(0, true), (1, true)])));
    assert_eq!(condition(&rows, &[], 1), Some(cube(&[(0, true), (1, true)])), "either may be the reason");
    // What held before a needed action is no reason; that both must hold takes room.
    let none = [failed(props(&[0, 1]), 4), needed(props(&[0])), needed(props(&[1]))];
    assert_eq!(condition(&none, &[], 1), None);
    // The second one explains less.
    let less = [failed(props(&[0, 1]), 5), failed(props(&[0]), 1), needed(props(&[]))];
    assert_eq!(condition(&less, &[], 4), Some(cube(&[(0, true)])));
}

#[test]
fn what_tells_nearly_all_bad_trials_from_nearly_all_needed_ones_must_hold() {
    let both = Some(cube(&[(0, true), (1, true)]));
    let rows = |others| [failed(props(&[0, 1]), 17), failed(props(&[0]), others), needed(props(&[]))];
    assert_eq!(condition(&rows(3), &[], 4), both, "3 of 20 are otherwise");
    assert_eq!(condition(&rows(4), &[], 4), Some(cube(&[(0, true)])), "4 of 21 are too many");
    // What held in three of seven states in which the action was needed is no reason, nor in one of six; in one of seven it
    // is.
    let needed_in = |states: &[&[u16]]| -> Vec<Row> {
        let needed = states.iter().map(|state| needed(props(state)));
        [failed(props(&[0, 1, 2, 3]), 60)].into_iter().chain(needed).collect()
    };
    let condition = |rows: &[Row]| {
        search::condition(rows, &[], &observing(4), TrialCriticOptions { literals: 1, ..BOLD }).map(|found| found.cube)
    };
    let seven: [&[u16]; 7] = [&[], &[1], &[2], &[3], &[1, 2], &[2, 3], &[1, 2, 3]];
    assert_eq!(condition(&needed_in(&seven)), Some(cube(&[(0, true)])));
    let seldom: [&[u16]; 7] = [&[], &[2], &[3], &[2, 3], &[1], &[4], &[4, 2]];
    assert_eq!(condition(&needed_in(&seldom)), both);
    assert_eq!(condition(&needed_in(&seldom[..6])), Some(cube(&[(0, true)])));
}

#[test]
fn what_held_in_every_trial_must_hold_where_that_excludes_untried_states() {
    let rows = [failed(props(&[0]), 4), needed(props(&[]))];
    // Neither of the other two held in any trial.
    assert_eq!(condition(&rows, &[props(&[0, 2])], 4), Some(cube(&[(0, true), (2, false)])));
    assert_eq!(condition(&rows, &[props(&[1, 2])], 4), Some(cube(&[(0, true)])), "excluded already");
    assert_eq!(condition(&rows, &[props(&[0, 2])], 1), Some(cube(&[(0, true)])), "there is no room");
    // The one that excludes more comes first.
    let untried = [props(&[0, 1]), props(&[0, 2]), props(&[0, 1, 2])];
    assert_eq!(condition(&rows, &untried[1..], 2), Some(cube(&[(0, true), (2, false)])));
    // In a good trial it held.
    let open = Row { state: props(&[2]), open: 1, ..Row::default() };
    let tried = [rows[0].clone(), rows[1].clone(), open];
    assert_eq!(condition(&tried, &untried[1..2], 4), Some(cube(&[(0, true)])));
    // Where it was only blocked, no run tried it.
    let spared = Row { state: props(&[0, 1]), spared: 1, ..Row::default() };
    let blocked = [rows[0].clone(), rows[1].clone(), spared];
    assert_eq!(condition(&blocked, &[props(&[0, 1, 2])], 4), Some(cube(&[(0, true), (1, false)])));
}

#[test]
fn what_tells_bad_trials_from_needed_ones_must_hold_where_that_excludes_untried_states() {
    // The first observation is enough to tell them apart; that the last did not hold may be the reason, too.
    let rows = [failed(props(&[0]), 4), needed(props(&[])), needed(props(&[2]))];
    let both = Some(cube(&[(0, true), (2, false)]));
    assert_eq!(condition(&rows, &[props(&[0, 2])], 4), both);
    assert_eq!(condition(&rows, &[props(&[0, 2])], 1), both, "also beyond the length that is looked for");
    assert_eq!(condition(&rows, &[props(&[1, 2])], 4), Some(cube(&[(0, true)])), "excluded already");
    // What was blocked while runs got on stays covered.
    let spared = |at: &[u16]| Row { state: props(at), spared: 1, ..Row::default() };
    let blocked = |at: &[u16]| [rows[0].clone(), rows[1].clone(), rows[2].clone(), spared(at)];
    assert_eq!(condition(&blocked(&[0, 1]), &[props(&[0, 1, 2])], 1), both);
    assert_eq!(condition(&blocked(&[0, 2]), &[props(&[0, 1, 2])], 1), Some(cube(&[(0, true)])));
}

/// Evidence in some of the 16 states of four observations, and the states without.
fn evidence_in_states() -> impl Strategy<Value = (Vec<Row>, Vec<PropSet>)> {
    let row = (0u32..6, 0u32..2, 0u32..2, prop::bool::weighted(0.2), prop::bool::weighted(0.7));
    prop::collection::vec(row, 16).prop_map(|rows| {
        let (mut tried, mut untried) = (Vec::new(), Vec::new());
        for (code, (bad, spared, open, needed, is_tried)) in (0u16..).zip(rows) {
            let state = (0..4).filter(|bit| code >> bit & 1 == 1).map(PropId).collect();
            if !is_tried {
                untried.push(state);
                continue;
            }
            // Every run fails twice.
            let failed = |at: u32| trial(state, ActionId(0), Verdict::Failed, u64::from(at / 2), at % 2);
            tried.push(Row {
                state,
                bad: (0..bad).map(failed).collect(),
                stalled: BTreeMap::new(),
                spared,
                open,
                gained: 0,
                settled: false,
                needed,
            });
        }
        (tried, untried)
    })
}

/// All conjunctions of so many literals over four observations.
fn cubes(length: usize) -> Vec<Cube> {
    let of = |code: u16| (0..4).filter(|bit| code >> bit & 1 == 1).map(PropId).collect::<PropSet>();
    let pairs = (0..16u16).flat_map(|positive| (0..16u16).map(move |negative| (positive, negative)));
    let pairs = pairs.filter(|(positive, negative)| positive & negative == 0);
    let cubes = pairs.map(|(positive, negative)| Cube { positive: of(positive), negative: of(negative) });
    cubes.filter(|cube| cube.len() == length).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_search_finds_the_shortest_condition((rows, untried) in evidence_in_states(), literals in 0usize..=2) {
        let options = TrialCriticOptions { significance: 0.3, literals, ..BOLD };
        // A condition that passes, and the weight it covers.
        let weight = |cube: &Cube| -> u32 {
            let covered = rows.iter().filter(|row| cube.holds(&row.state));
            covered.map(|row| (row.bad.len() as u32).div_ceil(2) + row.spared).sum()
        };
        let passes = |cube: &Cube| {
            let covered: Vec<&Row> = rows.iter().filter(|row| cube.holds(&row.state)).collect();
            let (bad, open) = (weight(cube), covered.iter().map(|row| row.open).sum::<u32>());
            let p = if bad == 0 { 1.0 } else { tail(bad, bad + open, 0.5) };
            p <= 0.3 / cubes(cube.len()).len() as f64
                && covered.iter().all(|row| !row.needed)
                && covered.iter().any(|row| !row.bad.is_empty())
        };
        let passing = |length| cubes(length).into_iter().filter(|cube| passes(cube)).collect::<Vec<_>>();
        let least = (0..=literals).find(|length| !passing(*length).is_empty());
        let found = search::condition(&rows, &untried, &observing(4), options);
        prop_assert_eq!(found.is_some(), least.is_some());
        if let (Some(found), Some(least)) = (found, least) {
            let passing = passing(least);
            let most = passing.iter().map(weight).max().unwrap();
            prop_assert!(f64::from(found.weight) >= f64::from(most) * (1.0 - BOLD.contrast));
            prop_assert!(found.p <= 0.3);
            prop_assert!(rows.iter().all(|row| !row.needed || !found.cube.holds(&row.state)));
            // It is one of the best, narrowed by literals that cost little.
            let best = |cube: &&Cube| weight(cube) == most && cube.and(&found.cube) == found.cube;
            prop_assert!(passing.iter().any(|cube| best(&cube)), "{:?}", found);
            // Beyond the length that is looked for there are only literals that tell bad trials from needed ones.
            let covered_bad = |row: &&Row| found.cube.holds(&row.state) && (!row.bad.is_empty() || row.spared > 0);
            let contrasts = |(prop, holds): &(PropId, bool)| {
                rows.iter().filter(covered_bad).all(|row| row.state.contains(*prop) == *holds)
                    && rows.iter().any(|row| row.needed && row.state.contains(*prop) != *holds)
            };
            prop_assert!(found.cube.literals().filter(|literal| !contrasts(literal)).count() <= literals);
            // What held in every trial may exclude states in which the action was spared and never tried.
            prop_assert!(weight(&found.cube) <= found.weight);
        }
    }
}
