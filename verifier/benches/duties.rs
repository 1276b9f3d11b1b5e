//! Many duties at once, as a guard of a coding agent has them: laws `G(write_i -> F test_j)`, hundreds of them pending.
//!
//! Every action is judged at every step. `--steps N` says how many steps are taken.

#![allow(clippy::unwrap_used, clippy::panic)]

mod workload;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ltlcrit_verifier::{ActionId, CompiledLaws, Formula, Law, PropSet, Shield, ShieldOptions, Vocabulary};
use rand::RngExt;

/// Laws of this kind over some files, each of which is written and tested. With `tangled` laws a test is waited for by laws of
/// several files.
fn laws(files: usize, count: usize, tangled: bool) -> (Arc<Vocabulary>, Vec<Law>) {
    let actions = |verb: &'static str| (0..files).map(move |file| format!("{verb}_{file}"));
    let vocabulary = Vocabulary::builder("files").actions(actions("write").chain(actions("test"))).build().unwrap();
    let law = |number: usize| {
        let (file, round) = (number % files, number / files);
        let tested = if tangled { (file + 7 * round) % files } else { file };
        let (write, test) = (Formula::atom(format!("write_{file}")), Formula::atom(format!("test_{tested}")));
        Law::hard(format!("law-{number}"), write.implies(test.finally()).globally(), "")
    };
    (Arc::new(vocabulary), (0..count).map(law).collect())
}

/// Walks by random actions, twice as often by writing as by testing, and prints what a step with its decision takes.
fn walk(name: &str, files: usize, count: usize, tangled: bool, steps: usize) {
    let (vocabulary, laws) = laws(files, count, tangled);
    let laws = CompiledLaws::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    let mut shield = Shield::over(laws);
    let mut random = workload::random(7);
    let (mut times, mut asked, mut most, mut undecided, mut units): (Vec<Duration>, Vec<Duration>, _, _, _) =
        (Vec::new(), Vec::new(), 0, 0, Vec::new());
    shield.start(PropSet::EMPTY).unwrap();
    for _ in 0..steps {
        let verb = if random.random_bool(0.7) { 0 } else { files };
        let action = ActionId((verb + random.random_range(0..files)) as u16);
        let spent = shield.stats().spent;
        let began = Instant::now();
        let judgement = shield.judge(action);
        asked.push(began.elapsed());
        assert!(judgement.is_allowed(), "{judgement:?}");
        let decision = shield.decide();
        times.push(began.elapsed());
        units.push(shield.stats().spent - spent);
        undecided += decision.undecided.len();
        shield.step(action, PropSet::EMPTY).unwrap();
        most = most.max(shield.obligations().len());
    }
    let at = |times: &mut Vec<Duration>, share: f64| {
        times.sort_unstable();
        times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
    };
    units.sort_unstable();
    println!(
        "{name:<24} {most:>9} {undecided:>9} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>9}",
        at(&mut asked, 0.5),
        at(&mut asked, 0.99),
        at(&mut times, 0.5),
        at(&mut times, 0.99),
        at(&mut times, 1.0),
        units[units.len() - 1],
    );
}

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--steps");
    let quick = std::env::args().any(|argument| argument == "--quick" || argument == "--test");
    let steps = arguments.nth(1).and_then(|steps| steps.parse().ok()).unwrap_or(if quick { 20 } else { 2_000 });
    println!(
        "{:<24} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "", "pending", "undecided", "asked us", "p99", "all us", "p99", "max", "units"
    );
    walk("10 laws", 10, 10, false, steps);
    walk("100 laws", 100, 100, false, steps);
    walk("1,000 laws", 125, 1_000, false, steps);
    walk("1,000 tangled laws", 125, 1_000, true, steps);
}
