use std::collections::BTreeSet;

use ltlcrit_store::Counts;
use ltlcrit_verifier::{ActionId, PropId, PropSet};
use ltlcrit_worlds::Reason;
use proptest::prelude::*;

use super::*;
use crate::graph::Citation;

const KEY: PropId = PropId(0);
const FLOOR: PropId = PropId(1);
const LIT: PropId = PropId(2);
const OPEN: PropId = PropId(3);
/// At least three planks are carried.
const PLANKS: PropId = PropId(4);
/// At least two pieces of dirt are carried.
const HILL: PropId = PropId(5);
const OBSERVATIONS: usize = 6;

/// The letters of the actions: chop a log, saw it into two planks, build with three planks, dig dirt, take the key, put it on the
/// floor, grab it from there, switch the light, open with the key, wait.
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

    /// Whether the action works.
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

fn log(runs: impl IntoIterator<Item = RunPath>) -> TrialLog {
    let mut log = TrialLog::default();
    runs.into_iter().for_each(|run| log.add(run));
    log
}

fn judge(runs: &[&str], blocks: &[Block], least: u32) -> Trials {
    log(plays(runs)).trials(&vocabulary(), blocks, least)
}

/// The verdicts on each run's steps, a letter each: `N`eeded, `G`ained, `O`pen, `F`ailed, `-` for needless, and `Z` for stalled.
fn verdicts(runs: &[&str]) -> Vec<String> {
    verdicts_with(runs, 100)
}

/// The same where a dead end is so many steps.
fn verdicts_with(runs: &[&str], least: u32) -> Vec<String> {
    let mut verdicts = vec![String::new(); runs.len()];
    for trial in judge(runs, &[], least).all {
        let verdict = &mut verdicts[trial.step.run.0 as usize - 1];
        verdict.push(match trial.verdict {
            Verdict::Needed => 'N',
            Verdict::Gained => 'G',
            Verdict::Open => 'O',
            Verdict::Failed => 'F',
            Verdict::Needless => '-',
            Verdict::Spared => 'S',
            Verdict::Stalled => 'Z',
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
    assert_eq!(verdicts(&["kpg"]), ["G--"]);
}

#[test]
fn a_failed_step_without_effect_is_failed() {
    assert_eq!(verdicts(&["oko"]), ["FNN"]);
    assert_eq!(verdicts(&["bs"]), ["FF"]);
}

#[test]
fn what_brought_something_new_to_a_run_without_the_goal_is_gained() {
    // The key on the floor; the light is off again, and waiting changes nothing.
    assert_eq!(verdicts(&["kpollw"]), ["GGF---"]);
    assert_eq!(verdicts(&["kl"]), ["GG"]);
    // The third plank.
    assert_eq!(verdicts(&["cscsw"]), ["GGGG-"]);
}

#[test]
fn more_of_what_a_run_without_the_goal_had_is_open() {
    assert_eq!(verdicts(&["cscscs"]), ["GGGGOO"]);
    // Where planks are counted, the light tells what is seen, not what is had.
    assert_eq!(verdicts(&["cscsl"]), ["GGGGO"]);
}

#[test]
fn a_run_that_does_the_same_for_ever_stalls() {
    // It piles up logs, and no observation tells one from two; the first may have been worth a try.
    assert_eq!(verdicts_with(&["kccccc"], 4), ["GZZZZZ"]);
    assert_eq!(verdicts_with(&["kcccc"], 4), ["G----"], "not yet as long as a dead end");
    // The same in rounds of two, from the second on.
    assert_eq!(verdicts_with(&["cscscscscs"], 4), ["GGGGZZZZZZ"]);
    // What fails, what is followed by a gain, and what reached its goal does not stall.
    assert_eq!(verdicts_with(&["kbbbbbb"], 4), ["GFFFFFF"]);
    assert_eq!(verdicts_with(&["ccccccss"], 4)[0].matches('Z').count(), 0);
    assert_eq!(verdicts_with(&["wwwwwwwko"], 4), ["-------NN"]);
}

#[test]
fn an_action_only_stalls_where_it_stalled_for_a_dead_end_and_never_brought_anything() {
    let only = |runs: &[&str], letter, state: PropSet| {
        judge(runs, &[], 4).only_stalls(action(letter), |other| *other == state)
    };
    assert!(only(&["kccccc"], 'c', set([KEY])));
    assert!(!only(&["kcccc"], 'c', set([KEY])));
    assert!(!only(&["kccccc"], 'c', PropSet::EMPTY), "never tried there");
    assert!(!only(&["kccccc", "kccssb"], 'c', set([KEY])), "a run needed it there");
    assert!(!only(&["kbbbbbb"], 'b', set([KEY])), "it failed");
}

#[test]
fn an_action_is_fruitless_where_it_only_ever_failed_or_changed_nothing() {
    let fruitless = |runs: &[&str]| -> Vec<(PropSet, String)> {
        let letters = |actions: ActionSet| actions.iter().map(|at| ACTIONS.as_bytes()[at.0 as usize] as char).collect();
        judge(runs, &[], 100).fruitless.into_iter().map(|(state, actions)| (state, letters(actions))).collect()
    };
    // Opening fails without the key, waiting changes nothing; once is not enough, in whatever run.
    assert_eq!(fruitless(&["oo"]), [(PropSet::EMPTY, "o".to_owned())]);
    assert_eq!(fruitless(&["ww"]), [(PropSet::EMPTY, "w".to_owned())]);
    assert_eq!(fruitless(&["w", "wk"]), [(PropSet::EMPTY, "w".to_owned())]);
    assert_eq!(fruitless(&["ow"]), []);
    // To take the key changes something where it lies, and nothing where it is held.
    assert_eq!(fruitless(&["kkk", "k"]), [(set([KEY]), "k".to_owned())]);
    // A count that no observation tells of is a change, and so is what an action did once.
    assert_eq!(fruitless(&["cc", "dd"]), []);
    assert_eq!(fruitless(&["koo"]), []);
    assert_eq!(fruitless(&["bb", "ccssb"]), [(PropSet::EMPTY, "b".to_owned())]);
    // What the world does by itself before a step is none of the action's.
    assert_eq!(fruitless(&["|ww"]), [(set([LIT]), "w".to_owned())]);
}

#[test]
fn a_step_stays_needed_where_no_run_shows_that_later_ones_work_without_it() {
    assert_eq!(verdicts(&["lko"]), ["NNN"]);
    // What worked with less works with more: the dark run shows that the key can be taken without light.
    assert_eq!(verdicts(&["lko", "ko"]), ["-NN", "NN"]);
    // The other way round nothing is shown.
    assert_eq!(verdicts(&["lko", "lko"]), ["NNN", "NNN"]);
    // No run shows that building works without a log at hand.
    assert_eq!(verdicts(&["cccssb"]), ["NNNNNN"]);
    // Taking the key again changes nothing.
    assert_eq!(verdicts(&["kko"]), ["N-N"]);
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
fn what_a_count_that_never_matters_brings_is_needless() {
    assert_eq!(verdicts(&["d"]), ["-"]);
    assert_eq!(verdicts(&["d", "dd"]), ["O", "GG"]);
    assert_eq!(verdicts(&["dko"]), ["-NN"]);
}

#[test]
fn the_stretches_between_which_the_world_moved_are_judged_apart() {
    assert_eq!(verdicts(&["kpgo"]), ["N--N"]);
    assert_eq!(verdicts(&["kp|go"]), ["GGNN"]);
    let states: Vec<PropSet> = judge(&["kp|go"], &[], 1).all.iter().map(|trial| trial.state).collect();
    assert_eq!(states, [set([]), set([KEY]), set([FLOOR, LIT]), set([KEY, LIT])]);
    // It may move before the first step.
    assert_eq!(verdicts(&["|ko"]), ["NN"]);
}

/// The first piece ends with the light on, for the first time.
#[test]
fn long_runs_are_judged_in_pieces() {
    let run = |waits: usize| format!("l{}ko", "w".repeat(waits));
    assert_eq!(verdicts(&[&run(9)]), [format!("N{}NN", "-".repeat(9))]);
    assert_eq!(verdicts(&[&run(999)]), [format!("G{}NN", "-".repeat(999))]);
}

#[test]
fn a_run_that_repeats_another_is_no_further_evidence() {
    // The second repeats the first; others went on or began elsewhere.
    let mut runs = TrialLog::default();
    [play(1, "kow"), play(2, "kow"), play(3, "kw"), play(4, "|ko")].into_iter().for_each(|run| runs.add_once(run));
    let judged = |runs: &TrialLog| runs.trials(&vocabulary(), &[], 1);
    let of = |trials: &Trials, run: u64| trials.of(Citation { run: RunId(run), step: 1 }).map(|trial| trial.step.run.0);
    let trials = judged(&runs);
    assert_eq!([1, 2, 3, 4, 5].map(|run| of(&trials, run)), [Some(1), Some(1), Some(3), Some(4), None]);
    // Read again it does not repeat itself, and once it went on it repeats no other.
    runs.add_once(play(1, "kow"));
    runs.add_once(play(2, "koww"));
    assert_eq!([1, 2].map(|run| of(&judged(&runs), run)), [Some(1), Some(2)]);
}

#[test]
fn a_run_added_again_replaces_what_was_known_of_it() {
    let trials = log([play(1, "kk"), play(1, "o")]).trials(&vocabulary(), &[], 1);
    assert_eq!(trials.all.iter().map(|trial| trial.action).collect::<Vec<_>>(), [action('o')]);
}

fn block(run: u64, step: u32, state: PropSet, letter: char) -> Block {
    Block { state, action: action(letter), step: Citation { run: RunId(run), step }, proposed: true }
}

#[test]
fn a_blocked_action_is_spared_if_a_later_step_brought_something() {
    let key = set([KEY]);
    let blocks = [
        block(1, 1, PropSet::EMPTY, 'c'),
        // The same once more.
        block(1, 2, PropSet::EMPTY, 'c'),
        block(1, 3, key, 'c'),
        block(2, 1, PropSet::EMPTY, 'c'),
        // Nothing came after it.
        block(2, 2, key, 'c'),
        // No such run.
        block(3, 1, key, 'c'),
    ];
    let trials = judge(&["wko", "kww"], &blocks, 1);
    let executed = 6;
    assert!(trials.all[..executed].iter().all(|trial| trial.verdict != Verdict::Spared));
    let spared: Vec<Block> = trials.all[executed..]
        .iter()
        .map(|trial| {
            assert_eq!(trial.verdict, Verdict::Spared);
            Block { state: trial.state, action: trial.action, step: trial.step, proposed: true }
        })
        .collect();
    assert_eq!(spared, [blocks[0], blocks[2], blocks[3]]);
}

#[test]
fn a_blocked_action_is_wanted_in_a_dead_end_where_no_run_tried_it() {
    let key = set([KEY]);
    let blocks = [
        // The run still brought something.
        block(2, 1, PropSet::EMPTY, 'c'),
        block(2, 2, key, 'c'),
        // The same state again.
        block(2, 3, key, 'c'),
        // Waiting was tried there.
        block(2, 3, key, 'w'),
    ];
    let wanted = |runs: &[&str], least| judge(runs, &blocks, least).wanted;
    assert_eq!(wanted(&["w", "kww"], 2), [blocks[1]]);
    assert_eq!(wanted(&["w", "kww"], 3), []);
    assert_eq!(wanted(&["w", "kwww"], 3), [blocks[1]]);
    assert_eq!(wanted(&["kc", "kww"], 2), [], "another run tried it");
    assert_eq!(wanted(&["wko", "kww"], 2), [], "another run got on from there");
    assert_eq!(wanted(&["w", "kwo"], 1), [], "it reached its goal");
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

/// Replays a run without some steps. Returns them and the steps that then do not work, and whether the run ends as well.
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
    let last = run.len() - 1;
    let as_well = if run.reached_goal { !without.contains(&last) } else { run.steps[last].to.is_subset(&state) };
    (without, as_well)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_ends_as_well_without_its_failed_and_needless_steps(runs in tiny_runs()) {
        let trials = log(runs.clone()).trials(&vocabulary(), &[], 100);
        for run in &runs {
            let judged: Vec<&Trial> = trials.all.iter().filter(|trial| trial.step.run == run.id).collect();
            prop_assert_eq!(judged.len(), run.len());
            let mut out = BTreeSet::new();
            for (at, trial) in judged.iter().enumerate() {
                let failed = run.steps[at].failure.is_some();
                match trial.verdict {
                    Verdict::Failed => prop_assert!(failed),
                    Verdict::Needless => prop_assert!(!failed),
                    Verdict::Needed => prop_assert!(run.reached_goal),
                    Verdict::Gained => prop_assert!(!run.reached_goal),
                    Verdict::Open => prop_assert!(!run.reached_goal),
                    Verdict::Spared | Verdict::Stalled => prop_assert!(false, "nothing was blocked or stalled"),
                }
                if matches!(trial.verdict, Verdict::Failed | Verdict::Needless) {
                    out.insert(at);
                }
            }
            // All others still work.
            prop_assert_eq!(replay(run, &out, &runs), (out.clone(), true));
            // They are those that can be left out one after the other, from the last.
            let mut expected = BTreeSet::new();
            for at in (0..run.len()).rev() {
                let more = expected.iter().copied().chain([at]).collect();
                let (without, as_well) = replay(run, &more, &runs);
                expected = if as_well { without } else { expected };
            }
            prop_assert_eq!(&out, &expected);
            // Without a needed one, the goal is missed or something is not had for the first time.
            let kept = || (0..run.len()).filter(|at| !out.contains(at));
            let held = |at: usize| (0..=at).fold(PropSet::EMPTY, |held, at| held.union(&run.state_before(at)));
            let gains: Vec<usize> = kept().filter(|at| !run.steps[*at].to.is_subset(&held(*at))).collect();
            for at in kept() {
                let (without, _) = replay(run, &out.iter().copied().chain([at]).collect(), &runs);
                let gained = !run.reached_goal && gains.iter().any(|gain| without.contains(gain));
                prop_assert_eq!(judged[at].verdict == Verdict::Gained, gained);
            }
        }
    }
}
