//! One step (read a letter, compute the allowed actions), one judgement, and loading. Each is measured next to a naive
//! evaluator of the same laws. The allocation columns show that steps and judgements do not allocate.

#![allow(clippy::unwrap_used, clippy::panic)]

mod workload;

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use ltlcrit_verifier::semantics::holds_at;
use ltlcrit_verifier::{
    ActionId, ActionSet, CompiledLaws, Enforcement, Fallback, Law, LawId, Letter, PropId, PropSet, Shield,
    ShieldOptions, Vocabulary,
};
use rand::RngExt;

/// Gives the letter of a step to a shield; returns the laws that it breaks.
fn read(shield: &mut Shield, letter: Letter) -> Vec<LawId> {
    let step = letter.taken(shield.vocabulary());
    step.map_or_else(Vec::new, |(action, observations)| shield.step(action, observations).unwrap())
}

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

fn random_letters(vocabulary: &Vocabulary, share: f64, count: usize) -> Vec<PropSet> {
    let mut random = workload::random(11);
    let observations = vocabulary.observations().len() as u16;
    (0..count).map(|_| (0..observations).filter(|_| random.random_bool(share)).map(PropId).collect()).collect()
}

/// Steps through random observations by allowed actions, as long as there are any.
fn steps(bencher: Bencher, vocabulary: &Arc<Vocabulary>, laws: Vec<Law>) {
    let observations = random_letters(vocabulary, 0.5, 1024);
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    shield.start(observations[0]).unwrap();
    let stop = vocabulary.stop();
    let mut word = Vec::new();
    for observations in &observations {
        let decision = shield.decide();
        let action = decision.allowed.iter().find(|action| Some(*action) != stop);
        match action.filter(|_| decision.enforcement == Enforcement::All) {
            Some(action) => {
                let letter = Letter::after(vocabulary, action, *observations);
                assert!(read(&mut shield, letter).is_empty(), "masks allow what they do not forbid");
                word.push((false, letter));
            }
            None => {
                shield.start(*observations).unwrap();
                word.push((true, Letter::initial(*observations)));
            }
        }
    }
    word[0] = (true, Letter::initial(observations[0]));
    let mut at = 0;
    bencher.bench_local(|| {
        let (begins, letter) = word[at];
        at = (at + 1) % word.len();
        if begins {
            black_box(shield.start(letter.0).unwrap());
        } else {
            black_box(read(&mut shield, letter));
        }
        black_box(shield.decide().allowed)
    });
}

/// Evaluates the definition: for every action and every law, whether the last two letters satisfy the law.
fn naive(bencher: Bencher, vocabulary: &Arc<Vocabulary>, laws: &[Law]) {
    let observations = random_letters(vocabulary, 0.5, 64);
    let mut at = 0;
    bencher.bench_local(|| {
        at = (at + 1) % observations.len();
        let now = Letter::initial(observations[at]);
        let mut allowed = ActionSet::EMPTY;
        for action in vocabulary.action_ids() {
            let word = [now, Letter::after(vocabulary, action, observations[at])];
            let holds = |name: &str, position: usize| vocabulary.id(name).is_some_and(|id| word[position].holds(id));
            if laws.iter().all(|law| holds_at(&law.formula, 0, 2, &holds)) {
                allowed.insert(action);
            }
        }
        black_box(allowed)
    });
}

#[divan::bench(sample_size = 1024, sample_count = 100)]
fn paper_54_step(bencher: Bencher) {
    let (vocabulary, laws) = workload::paper();
    steps(bencher, &vocabulary, laws);
}

#[divan::bench]
fn paper_54_step_naive(bencher: Bencher) {
    let (vocabulary, laws) = workload::paper();
    naive(bencher, &vocabulary, &laws);
}

#[divan::bench]
fn paper_54_judgement(bencher: Bencher) {
    let (vocabulary, laws) = workload::paper();
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    let decision = shield.decide();
    let action = decision.allowed.iter().next().unwrap_or(ActionId(0));
    bencher.bench_local(|| black_box(shield.judge(black_box(action))));
}

#[divan::bench]
fn paper_54_load(bencher: Bencher) {
    let (vocabulary, laws) = workload::paper();
    bencher.with_inputs(|| laws.clone()).bench_local_values(|laws| {
        let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        black_box(shield.decide().allowed);
        shield
    });
}

/// Measures over-constrained states that occurred before.
#[divan::bench(sample_size = 1024, sample_count = 100)]
fn paper_54_over_constrained_again(bencher: Bencher) {
    let (vocabulary, laws) = workload::paper();
    let observations = random_letters(&vocabulary, 0.5, 1024);
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    for observations in &observations {
        shield.start(*observations).unwrap();
        shield.decide();
    }
    let mut at = 0;
    bencher.bench_local(|| {
        at = (at + 1) % observations.len();
        shield.start(observations[at]).unwrap();
        black_box(&shield.decide());
    });
}

/// Measures over-constrained states that are new, so the conflict is searched for.
#[divan::bench(sample_size = 64, sample_count = 200)]
fn paper_54_over_constrained_first(bencher: Bencher) {
    let (vocabulary, laws) = workload::paper();
    let observations = random_letters(&vocabulary, 0.5, 64 * 200);
    let compiled = CompiledLaws::new(vocabulary, laws, ShieldOptions::default()).unwrap();
    let mut shield = Shield::over(compiled);
    let mut at = 0;
    bencher.bench_local(|| {
        at = (at + 1) % observations.len();
        shield.start(observations[at]).unwrap();
        black_box(&shield.decide());
    });
}

/// Measures the steps of stored runs as the agent takes them: it reads the action's letter and decides on the next
/// action.
fn run_steps(bencher: Bencher, (vocabulary, laws, runs): workload::Runs) {
    let mut shield = Shield::new(vocabulary, laws, ShieldOptions::default()).unwrap();
    let letters: Vec<(bool, Letter)> =
        runs.iter().flat_map(|run| run.iter().enumerate().map(|(at, letter)| (at == 0, *letter))).collect();
    // In the first round, conflicts are searched for and automata explored.
    for (begins, letter) in &letters {
        if *begins {
            shield.start(letter.0).unwrap()
        } else {
            read(&mut shield, *letter)
        };
        shield.decide();
    }
    step_through(bencher, &mut shield, &letters);
}

/// Reads letters, some of which begin a run, and decides after each one.
fn step_through(bencher: Bencher, shield: &mut Shield, letters: &[(bool, Letter)]) {
    let mut at = 0;
    bencher.bench_local(|| {
        let (begins, letter) = letters[at];
        at = (at + 1) % letters.len();
        if begins {
            black_box(shield.start(letter.0).unwrap());
        } else {
            black_box(read(shield, letter));
        }
        black_box(&shield.decide());
    });
}

#[divan::bench(sample_size = 1024, sample_count = 100)]
fn run_step_54_laws(bencher: Bencher) {
    run_steps(bencher, workload::runs_of_54_laws());
}

#[divan::bench(sample_size = 1024, sample_count = 100)]
fn run_step_39_laws(bencher: Bencher) {
    run_steps(bencher, workload::runs_of_39_laws());
}

/// Measures the steps of stored runs at which no law is suspended, with each fallback. The difference is the cost of
/// suspending laws one by one.
#[divan::bench(args = [Fallback::All, Fallback::OneByOne], sample_size = 1024, sample_count = 200)]
fn run_step_without_conflict(bencher: Bencher, fallback: Fallback) {
    let (vocabulary, laws, runs) = workload::runs_of_39_laws();
    let options = ShieldOptions { fallback, ..ShieldOptions::default() };
    let mut shield = Shield::new(vocabulary, laws, options).unwrap();
    let mut letters = Vec::new();
    for run in runs {
        let mut begins = true;
        for letter in run {
            if begins {
                shield.start(letter.0).unwrap();
            } else {
                read(&mut shield, letter);
            }
            let clashes = shield.decide().enforcement != Enforcement::All;
            letters.extend((!clashes).then_some((begins, letter)));
            begins = clashes;
        }
    }
    step_through(bencher, &mut shield, &letters);
}

#[divan::bench]
fn random_10_000_step(bencher: Bencher) {
    let (vocabulary, laws) = workload::random_masks(10_000, 2..=4, 0.1, 1);
    steps(bencher, &vocabulary, laws);
}

/// Measures laws that leave some actions in nearly every state, so that no state is settled early.
#[divan::bench]
fn random_10_000_lenient_step(bencher: Bencher) {
    let (vocabulary, laws) = workload::random_masks(10_000, 7..=9, 0.0, 1);
    steps(bencher, &vocabulary, laws);
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn random_10_000_step_naive(bencher: Bencher) {
    let (vocabulary, laws) = workload::random_masks(10_000, 2..=4, 0.1, 1);
    naive(bencher, &vocabulary, &laws);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn random_10_000_load(bencher: Bencher) {
    let (vocabulary, laws) = workload::random_masks(10_000, 2..=4, 0.1, 1);
    bencher
        .with_inputs(|| laws.clone())
        .bench_local_values(|laws| Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap());
}
