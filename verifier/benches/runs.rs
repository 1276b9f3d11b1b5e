//! The cost of a run beside its steps: a shield over shared laws, a refusal with its reasons in a process of its own, and a
//! decision with duties.
//!
//! `--quick` takes fewer samples.

#![allow(clippy::unwrap_used, clippy::panic)]

mod workload;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ltlcrit_verifier::{CompiledLaws, Formula, Law, PropSet, Shield, ShieldOptions, Vocabulary};
use rand::RngExt;

fn compiled(vocabulary: &Arc<Vocabulary>, laws: &[(String, String)]) -> Arc<CompiledLaws> {
    let law = |(id, formula): &(String, String)| Law::hard(id.as_str(), formula.parse().unwrap(), id.as_str());
    CompiledLaws::new(vocabulary.clone(), laws.iter().map(law).collect(), ShieldOptions::default()).unwrap()
}

/// The laws of a coding agent's guard.
fn guard() -> (Arc<Vocabulary>, Arc<CompiledLaws>) {
    let vocabulary = Vocabulary::builder("calls")
        .observations(["green", "green_perhaps", "past"])
        .actions(["read", "write", "write_perhaps", "test", "test_perhaps", "push", "other"])
        .axiom("green -> green_perhaps".parse::<Formula>().unwrap())
        .build()
        .unwrap();
    let vocabulary = Arc::new(vocabulary);
    let laws = [
        ("green", "(!push W (test & green)) & G((write | write_perhaps) -> X(!push W (test & green)))"),
        ("tested", "G((write | write_perhaps) -> F test)"),
        ("ten", "at_most(10, push)"),
        ("look", "!write W read"),
    ];
    let laws = laws.map(|(id, formula)| (id.to_owned(), formula.to_owned()));
    let compiled = compiled(&vocabulary, &laws);
    (vocabulary, compiled)
}

/// Seven laws for each of some files.
fn files(count: usize) -> (Arc<Vocabulary>, Arc<CompiledLaws>) {
    let named = |verbs: &'static [&'static str]| {
        (0..count).flat_map(move |file| verbs.iter().map(move |verb| format!("{verb}(f{file})")))
    };
    let vocabulary = Vocabulary::builder("files")
        .observations(named(&["green", "secret"]))
        .actions(named(&["read", "write", "test", "push"]).chain(["mail".to_owned()]))
        .build()
        .unwrap();
    let laws = [
        ("green", "(!push(F) W (test(F) & green(F))) & G(write(F) -> X(!push(F) W (test(F) & green(F))))"),
        ("secret", "G((read(F) & secret(F)) -> X G !mail)"),
        ("three", "at_most(3, push(F))"),
        ("tested", "G(write(F) -> F test(F))"),
        ("once", "G(green(F) -> X !test(F))"),
        ("apart", "G(push(F) -> X !read(F))"),
        ("sealed", "G(secret(F) -> X !write(F))"),
    ];
    let of = |file: usize| {
        let file = format!("f{file}");
        laws.map(|(id, law)| (format!("{id}-{file}"), law.replace("(F)", &format!("({file})"))))
    };
    let laws: Vec<_> = (0..count).flat_map(of).collect();
    let vocabulary = Arc::new(vocabulary);
    let compiled = compiled(&vocabulary, &laws);
    (vocabulary, compiled)
}

fn share(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
}

/// Takes steps by actions' names; `test` is green.
fn walk<'a>(vocabulary: &Vocabulary, shield: &mut Shield, actions: impl IntoIterator<Item = &'a str>) {
    let green = vocabulary.set(["green", "green_perhaps"]).unwrap();
    for action in actions {
        let observations = if action == "test" { green } else { PropSet::EMPTY };
        shield.step(vocabulary.action(action).unwrap(), observations).unwrap();
    }
}

/// A process that reads a session and refuses one push: the laws are compiled and every cache is empty. The last write was
/// just now, or long ago.
fn refusals(samples: usize) {
    println!("{:<28} {:>9} {:>9} {:>9} {:>9}  us, median", "a refusal", "letters", "read", "judged", "explained");
    for letters in [100, 1_000, 5_000, 8_000, 10_000] {
        for (name, is_recent) in [("written just now", true), ("written long ago", false)] {
            let (mut read, mut judged, mut explained) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..samples {
                let (vocabulary, laws) = guard();
                let push = vocabulary.action("push").unwrap();
                let mut shield = Shield::over(laws);
                let began = Instant::now();
                shield.start(PropSet::EMPTY).unwrap();
                let turns = ["read", "write", "test"].iter().copied().cycle();
                match is_recent {
                    true => walk(&vocabulary, &mut shield, turns.take(letters / 3 * 3 + 2)),
                    false => {
                        walk(&vocabulary, &mut shield, turns.take(8));
                        walk(&vocabulary, &mut shield, std::iter::repeat_n("other", letters - 8));
                    }
                }
                read.push(began.elapsed());
                let began = Instant::now();
                assert!(!shield.judge(push).is_allowed());
                judged.push(began.elapsed());
                let began = Instant::now();
                black_box(shield.explain(push));
                explained.push(began.elapsed());
            }
            let [read, judged, explained] = [&mut read, &mut judged, &mut explained].map(|times| share(times, 0.5));
            println!("{name:<28} {letters:>9} {read:>9.1} {judged:>9.1} {explained:>9.1}");
        }
    }
}

/// Shields over shared laws, each of which reads one step and judges one action.
fn shields(count: usize) {
    println!("\n{:<28} {:>9} {:>9} {:>9} {:>9}", "shields", "made us", "p99", "used us", "bytes");
    for (name, (vocabulary, laws), action) in
        [("the guard's laws", guard(), "read"), ("105 laws", files(15), "read(f0)")]
    {
        let action = vocabulary.action(action).unwrap();
        let (mut made, mut used, mut kept) = (Vec::with_capacity(count), Vec::with_capacity(count), Vec::new());
        kept.reserve(count);
        let mut make = |kept: &mut Vec<Shield>| {
            let began = Instant::now();
            let mut shield = Shield::over(laws.clone());
            made.push(began.elapsed());
            shield.start(PropSet::EMPTY).unwrap();
            shield.step(action, PropSet::EMPTY).unwrap();
            black_box(shield.judge(action));
            used.push(began.elapsed());
            kept.push(shield);
        };
        // The first one explores the laws.
        make(&mut kept);
        let bytes = allocation_counter::measure(|| (1..count).for_each(|_| make(&mut kept))).bytes_current;
        let (p99, used) = (share(&mut made, 0.99), share(&mut used, 0.5));
        println!("{name:<28} {:>9.2} {p99:>9.2} {used:>9.2} {:>9}", share(&mut made, 0.5), bytes / (count as i64 - 1));
    }
}

/// Judgements along random steps, each of one action.
fn duties(steps: usize) {
    println!("\n{:<28} {:>9} {:>9} {:>9} {:>9}  us", "a judgement", "median", "mean", "p99", "max");
    for count in [2, 15] {
        let (vocabulary, laws) = files(count);
        let mut shield = Shield::over(laws);
        let actions: Vec<_> = vocabulary.action_ids().filter(|action| Some(*action) != vocabulary.stop()).collect();
        let mut random = workload::random(5);
        let mut times = Vec::new();
        shield.start(PropSet::EMPTY).unwrap();
        for _ in 0..steps {
            let action = actions[random.random_range(0..actions.len())];
            let began = Instant::now();
            let judgement = shield.judge(action);
            times.push(began.elapsed());
            if judgement.is_allowed() {
                let name = vocabulary.action_name(action);
                let file = name.split_once('(').map(|(_, file)| file);
                let seen = match (name.split('(').next(), random.random_bool(0.5), random.random_bool(0.02)) {
                    (Some("test"), true, _) => Some("green"),
                    (Some("read"), _, true) => Some("secret"),
                    _ => None,
                };
                let seen = seen.zip(file).map(|(fact, file)| format!("{fact}({file}"));
                shield.step(action, vocabulary.set(seen.as_deref()).unwrap()).unwrap();
            }
        }
        let mean = times.iter().sum::<Duration>().as_secs_f64() * 1e6 / times.len() as f64;
        let [p50, p99, most] = [0.5, 0.99, 1.0].map(|at| share(&mut times, at));
        println!("{:<28} {p50:>9.2} {mean:>9.2} {p99:>9.2} {most:>9.2}", format!("{} laws", 7 * count));
    }
}

fn main() {
    let is_quick = std::env::args().any(|argument| argument == "--quick" || argument == "--test");
    refusals(if is_quick { 1 } else { 21 });
    shields(if is_quick { 10 } else { 10_000 });
    duties(if is_quick { 100 } else { 20_000 });
}
