use std::collections::BTreeSet;

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropId, PropSet};
use ltlcrit_worlds::Reason;
use proptest::prelude::*;

use super::*;
use crate::graph::{Citation, Counts};

const DEFAULT: Objective = Objective::DEFAULT;

const KEY: PropId = PropId(0);
const FLOOR: PropId = PropId(1);
const LIT: PropId = PropId(2);
const OPEN: PropId = PropId(3);
/// At least three planks are carried.
const PLANKS: PropId = PropId(4);
/// At least two pieces of dirt are carried.
const HILL: PropId = PropId(5);
const OBSERVATIONS: usize = 6;

/// The letters of the actions. Chop a log, saw it into two planks, build with three planks, dig dirt. Take the key, put it on
/// the floor, grab it from there. Switch the light, open with the key, wait.
const ACTIONS: &str = "csbdkpglow";

/// A door that a key opens, or three planks.
#[derive(Default)]
struct World {
    observed: PropSet,
    counts: Counts,
}

impl World {
    fn count(&self, name: &str) -> u32 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    fn change(&mut self, name: &str, by: i32) {
        let count = self.count(name).saturating_add_signed(by);
        self.counts.insert(name.to_owned(), count);
    }

    fn set(&mut self, prop: PropId, holds: bool) {
        if holds { self.observed.insert(prop) } else { self.observed.remove(prop) }
    }

    fn holds(&self, prop: PropId) -> bool {
        self.observed.contains(prop)
    }

    fn state(&self) -> PropSet {
        let mut state = self.observed;
        for (prop, holds) in [(PLANKS, self.count("plank") >= 3), (HILL, self.count("dirt") >= 2)] {
            if holds {
                state.insert(prop);
            }
        }
        state
    }

    /// Returns whether the action works.
    fn act(&mut self, action: char) -> bool {
        match action {
            'c' => self.change("log", 1),
            's' if self.count("log") > 0 => {
                self.change("log", -1);
                self.change("plank", 2);
            }
            'b' if self.count("plank") >= 3 => {
                self.change("plank", -3);
                self.set(OPEN, true);
            }
            'd' => self.change("dirt", 1),
            'k' => self.set(KEY, true),
            'p' if self.holds(KEY) => {
                self.set(KEY, false);
                self.set(FLOOR, true);
            }
            'g' if self.holds(FLOOR) => {
                self.set(FLOOR, false);
                self.set(KEY, true);
            }
            'l' => self.set(LIT, !self.holds(LIT)),
            'o' if self.holds(KEY) => self.set(OPEN, true),
            'w' => {}
            _ => return false,
        }
        true
    }
}

fn action(letter: char) -> ActionId {
    ActionId(ACTIONS.find(letter).unwrap() as u16)
}

fn vocabulary() -> Vocabulary {
    let observations = (0..OBSERVATIONS).map(|at| format!("obs_{at}"));
    let actions = ACTIONS.chars().map(|letter| format!("action_{letter}"));
    Vocabulary::builder("world").observations(observations).actions(actions).build().unwrap()
}

fn set<const N: usize>(props: [PropId; N]) -> PropSet {
    props.into_iter().collect()
}

/// A run by its actions. At a bar the world switches the light by itself. An open door is the goal.
fn play(number: u64, actions: &str) -> RunPath {
    let mut world = World::default();
    let mut run = RunPath::new(number, world.state());
    run.counted(world.counts.clone());
    for letter in actions.chars() {
        if letter == '|' {
            world.act('l');
            run.moved(world.state());
        } else {
            let worked = world.act(letter);
            run.step(action(letter), (!worked).then(|| Reason("no".into())), world.state());
        }
        run.counted(world.counts.clone());
    }
    if world.holds(OPEN) {
        run.reached_goal();
    }
    run
}

/// Runs by their actions, numbered from 1.
fn plays(runs: &[&str]) -> Vec<RunPath> {
    (1..).zip(runs).map(|(number, actions)| play(number, actions)).collect()
}

fn trials(runs: &[RunPath], blocks: &[Block], objective: Objective) -> Trials {
    Trials::of(runs.iter(), &vocabulary(), blocks, objective)
}

/// A trap is four steps.
const IMPATIENT: Objective = Objective { least_patience: 4, most_patience: 4, ..DEFAULT };

fn judge(runs: &[&str], blocks: &[Block]) -> Trials {
    trials(&plays(runs), blocks, IMPATIENT)
}

/// The verdicts on each run's steps, a letter each: `N`eeded, `G`ained, `O`pen, `F`ailed, `-` for needless, `.` for no effect, and
/// `T`rapped.
fn verdicts(runs: &[&str]) -> Vec<String> {
    let mut verdicts = vec![String::new(); runs.len()];
    for trial in judge(runs, &[]).all {
        let verdict = &mut verdicts[trial.step.run.0 as usize - 1];
        verdict.push(match trial.verdict {
            Verdict::Needed => 'N',
            Verdict::Gained => 'G',
            Verdict::Open => 'O',
            Verdict::Failed => 'F',
            Verdict::NoEffect => '.',
            Verdict::Needless => '-',
            Verdict::Spared => 'S',
            Verdict::Trapped => 'T',
        });
        assert_eq!(trial.step.step as usize, verdict.len(), "steps are in order");
    }
    verdicts
}

#[test]
fn a_run_to_the_goal_needs_what_it_consumes() {
    assert_eq!(verdicts(&["ccssb"]), ["NNNNN"]);
    assert_eq!(verdicts(&["cscsb"]), ["NNNNN"]);
    // The key opens the door without any planks.
    assert_eq!(verdicts(&["cscsko", "ko"]), ["----NN", "NN"]);
}

#[test]
fn the_last_steps_are_to_blame_for_a_surplus() {
    // The third log and its planks.
    assert_eq!(verdicts(&["cscscsb"]), ["NNNN--N"]);
    assert_eq!(verdicts(&["cccssb", "ccssb"]), ["NN-NNN", "NNNNN"]);
}

#[test]
fn a_step_is_left_out_together_with_the_steps_that_depend_on_it() {
    // Without the grabbing alone there is no key at the door.
    assert_eq!(verdicts(&["kpgo"]), ["N--N"]);
    assert_eq!(verdicts(&["kpg"]), ["GGO"]);
}

#[test]
fn a_failed_step_without_effect_is_failed() {
    assert_eq!(verdicts(&["oko"]), ["FNN"]);
    assert_eq!(verdicts(&["bs"]), ["FF"]);
}

#[test]
fn a_step_stays_needed_where_no_run_shows_that_later_ones_work_without_it() {
    assert_eq!(verdicts(&["lko"]), ["NNN"]);
    // An action that worked with less works with more: the dark run shows that the key can be taken without light.
    assert_eq!(verdicts(&["lko", "ko"]), ["-NN", "NN"]);
    // The other way round nothing is shown.
    assert_eq!(verdicts(&["lko", "lko"]), ["NNN", "NNN"]);
    // No run shows that building works without a log at hand.
    assert_eq!(verdicts(&["cccssb"]), ["NNNNNN"]);
    // Taking the key again changes nothing.
    assert_eq!(verdicts(&["kko"]), ["N.N"]);
}

#[test]
fn an_observation_that_follows_the_counts_is_no_variable() {
    let of = |runs: &[RunPath]| Variables::of(runs.iter(), OBSERVATIONS);
    let variables = of(&plays(&["cscsbdk"]));
    assert_eq!(variables.observed, set([KEY, OPEN]));
    // Planks are used up, dirt never is.
    assert_eq!(variables.counted, ["log", "plank"]);
    // Dirt matters where it makes a hill.
    let variables = of(&plays(&["ddk"]));
    assert_eq!((variables.observed, variables.counted), (set([KEY]), vec!["dirt".to_owned()]));
    // The counts are the same where it comes to hold.
    let planks = Counts::from([("plank".to_owned(), 3)]);
    let mut run = RunPath::new(1, PropSet::EMPTY);
    run.counted(planks.clone());
    run.step(action('w'), None, set([PLANKS]));
    run.counted(planks);
    assert_eq!(of(&[run]).observed, set([PLANKS]));
}

#[test]
fn what_a_count_that_never_matters_brings_has_no_effect() {
    assert_eq!(verdicts(&["d"]), ["."]);
    assert_eq!(verdicts(&["d", "dd"]), ["O", "GG"]);
    assert_eq!(verdicts(&["dko"]), [".NN"]);
}

#[test]
fn the_stretches_between_which_the_world_moved_are_judged_apart() {
    assert_eq!(verdicts(&["kpgo"]), ["N--N"]);
    assert_eq!(verdicts(&["kp|go"]), ["GGNN"]);
    let states: Vec<PropSet> = judge(&["kp|go"], &[]).all.iter().map(|trial| trial.state).collect();
    assert_eq!(states, [set([]), set([KEY]), set([FLOOR, LIT]), set([KEY, LIT])]);
    // It may move before the first step.
    assert_eq!(verdicts(&["|ko"]), ["NN"]);
}

/// The first piece ends with the light on, for the first time.
#[test]
fn long_runs_are_judged_in_pieces() {
    let run = |waits: usize| format!("l{}ko", "w".repeat(waits));
    assert_eq!(verdicts(&[&run(9)]), [format!("N{}NN", ".".repeat(9))]);
    assert_eq!(verdicts(&[&run(999)]), [format!("G{}NN", ".".repeat(999))]);
}

#[test]
fn a_run_without_the_goal_keeps_what_its_gains_took() {
    // Planks tell what is had; the key is seen, as nothing counts it.
    assert_eq!(verdicts(&["cscswl"]), ["GGGG.O"]);
    assert_eq!(verdicts(&["cdscsw"]), ["G.GGG."]);
    assert_eq!(verdicts(&["bwb"]), ["F.F"]);
}

#[test]
fn what_brings_nothing_more_that_is_had_is_to_blame_for_a_trap() {
    // Three planks are had; then logs pile up, and no observation tells one from two.
    assert_eq!(verdicts(&["cscscccc"]), ["GGGGTTTT"]);
    assert_eq!(verdicts(&["cscsccc"]), ["GGGGOOO"], "not yet a trap");
    // Steps that fail or do nothing are told apart, and a run that reached its goal was in no trap.
    assert_eq!(verdicts(&["cscscwoccc"]), ["GGGGT.FTTT"]);
    assert_eq!(verdicts(&["cscsddddddb"])[0].matches('T').count(), 0);
}

fn block(run: u64, step: u32, state: PropSet, letter: char) -> Block {
    let (step, laws) = (Citation { run: RunId(run), step }, Vec::new());
    Block { state, action: action(letter), step, laws, hard: false, taken: None }
}

#[test]
fn a_blocked_action_is_spared_if_its_run_soon_gained_something() {
    let blocks = [
        block(1, 1, PropSet::EMPTY, 'd'),
        // The same choice once more, and where nothing came after it.
        block(1, 2, PropSet::EMPTY, 'd'),
        block(1, 5, set([PLANKS]), 'd'),
        // A gain that comes too late, and one that comes in time.
        block(2, 1, PropSet::EMPTY, 'w'),
        block(2, 6, PropSet::EMPTY, 'w'),
        // No such run.
        block(3, 1, PropSet::EMPTY, 'd'),
    ];
    let trials = judge(&["cscsd", "wwwwcscs"], &blocks);
    let spared = trials.all.iter().filter(|trial| trial.verdict == Verdict::Spared);
    let spared: Vec<_> = spared.map(|trial| (trial.step.run.0, trial.step.step)).collect();
    assert_eq!(spared, [(1, 1), (2, 6)]);
    assert!(trials.weight(&PropSet::EMPTY, action('w')) > 0.0);
}

#[test]
fn bad_steps_speak_for_a_law_and_needed_ones_far_more_against_it() {
    let weight = |runs: &[&str], state: PropSet, letter| judge(runs, &[]).weight(&state, action(letter));
    let failed = weight(&["oko"], PropSet::EMPTY, 'o');
    // A share of bad votes of at most a quarter is expected.
    assert!(failed >= 4f64.ln() - 1e-9, "{failed}");
    assert!((weight(&["oko", "oko"], PropSet::EMPTY, 'o') - 2.0 * failed).abs() < 1e-9, "each run has a vote");
    let repeated = weight(&["oooooko"], PropSet::EMPTY, 'o');
    assert!(failed < repeated && repeated < 2.0 * failed, "to do the same again says little: {repeated}");
    assert!(weight(&["ko"], set([KEY]), 'o') <= -DEFAULT.needed);
    let untried = weight(&["ko"], set([KEY]), 'w');
    assert!((-DEFAULT.untried..0.0).contains(&untried), "{untried}");
}

#[test]
fn a_prefix_shared_in_the_same_world_is_the_same_evidence() {
    let runs = |seeds: [u64; 2]| {
        let mut runs = plays(&["oko", "okwo"]);
        runs.iter_mut().zip(seeds).for_each(|(run, seed)| run.seed = Some(seed));
        trials(&runs, &[], DEFAULT).weight(&PropSet::EMPTY, action('o'))
    };
    assert!((runs([1, 2]) - 2.0 * runs([1, 1])).abs() < 1e-9);
}

#[test]
fn blocks_of_stalls_weigh_against_laws_once_runs_get_no_further() {
    let weight = |later: &str| {
        let mut runs = plays(&["cscscccc", later]);
        runs[1].generation = 1;
        let blocks = [block(2, 6, set([PLANKS]), 'b')];
        trials(&runs, &blocks, IMPATIENT).weight(&set([PLANKS]), action('b'))
    };
    assert!(weight("cscsdd") > -0.1, "no stall");
    assert!(weight("cscscccccc") < -DEFAULT.release + 0.1);
}

/// Runs without counts: for each its start, its steps (the action, whether it fails, the observations that change), and whether
/// it reaches its goal.
fn tiny_runs() -> impl Strategy<Value = Vec<RunPath>> {
    let change = prop::collection::vec(prop::bool::weighted(0.3), 3);
    let steps = prop::collection::vec((0..3u16, prop::bool::weighted(0.15), change), 1..=6);
    let start = prop::collection::vec(any::<bool>(), 3);
    prop::collection::vec((start, steps, any::<bool>()), 1..5).prop_map(|runs| {
        let props = |bits: &[bool]| (0..3).filter(|&at| bits[at]).map(|at| PropId(at as u16)).collect::<PropSet>();
        let numbered = (1..).zip(runs).map(|(number, (start, steps, reaches_goal))| {
            let mut state = props(&start);
            let mut run = RunPath::new(number, state);
            for (action, fails, change) in steps {
                let change = props(&change);
                state = state.difference(&change).union(&change.difference(&state));
                run.step(ActionId(action), fails.then(|| Reason("no".into())), state);
            }
            if reaches_goal {
                run.reached_goal();
            }
            run
        });
        numbered.collect()
    })
}

/// The steps that a run must still take: the last one before the goal, or those after which something held for the first time.
fn counts(run: &RunPath) -> BTreeSet<usize> {
    let held = |at: usize| (0..=at).fold(run.start, |held, at| held.union(&run.state_before(at)));
    let is_gain = |at: &usize| run.steps[*at].failure.is_none() && !run.steps[*at].to.is_subset(&held(*at));
    match run.reached_goal {
        true => BTreeSet::from([run.len() - 1]),
        false => {
            let mut ever = run.start;
            let mut gains = BTreeSet::new();
            for at in 0..run.len() {
                if is_gain(&at) && !run.steps[at].to.is_subset(&ever) {
                    gains.insert(at);
                }
                ever = ever.union(&run.steps[at].to);
            }
            gains
        }
    }
}

/// Replays a run without some steps. Returns them and the steps that then do not work, and whether the run takes what counts.
fn replay(run: &RunPath, without: &BTreeSet<usize>, runs: &[RunPath]) -> (BTreeSet<usize>, bool) {
    let mut without = without.clone();
    let mut state = run.start;
    for (at, step) in run.steps.iter().enumerate() {
        let before = run.state_before(at);
        let shown = runs.iter().any(|run| {
            (0..run.len()).any(|at| {
                let other = &run.steps[at];
                other.action == step.action && other.failure.is_none() && run.state_before(at).is_subset(&state)
            })
        });
        if step.failure.is_none() && !shown {
            without.insert(at);
        }
        if !without.contains(&at) {
            state = state.difference(&before.difference(&step.to)).union(&step.to.difference(&before));
        }
    }
    let still = counts(run).iter().all(|at| !without.contains(at));
    (without, still)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_takes_what_counts_without_its_bad_steps(runs in tiny_runs()) {
        let trials = trials(&runs, &[], DEFAULT);
        for run in &runs {
            let counts = counts(run);
            let end = counts.last().map_or(0, |last| last + 1);
            let judged: Vec<&Trial> = trials.all.iter().filter(|trial| trial.step.run == run.id).collect();
            prop_assert_eq!(judged.len(), run.len());
            let mut out = BTreeSet::new();
            for (at, trial) in judged.iter().enumerate() {
                let (failed, changed) = (run.steps[at].failure.is_some(), run.steps[at].to != run.state_before(at));
                match trial.verdict {
                    Verdict::Failed => prop_assert!(failed),
                    Verdict::NoEffect => prop_assert!(!failed && !changed),
                    Verdict::Needless => prop_assert!(!failed && changed && at < end),
                    Verdict::Needed => prop_assert!(run.reached_goal),
                    Verdict::Gained => prop_assert!(!run.reached_goal && at < end),
                    Verdict::Open => prop_assert!(!run.reached_goal && at >= end),
                    Verdict::Spared | Verdict::Trapped => prop_assert!(false, "nothing was blocked, and runs are short"),
                }
                if at < end && trial.is_bad() {
                    out.insert(at);
                }
            }
            // They are those that can be left out one after the other, from the last.
            let mut expected: BTreeSet<usize> = BTreeSet::new();
            for at in (0..end).rev().filter(|at| !counts.contains(at)) {
                let step = &run.steps[at];
                let idle = step.failure.is_some() || step.to == run.state_before(at);
                let more: BTreeSet<usize> = expected.iter().copied().chain([at]).collect();
                let (without, still) = replay(run, &more, &runs);
                expected = if idle { more } else if still { without.into_iter().filter(|at| *at < end).collect() } else { expected };
            }
            prop_assert_eq!(&out, &expected);
        }
    }
}
