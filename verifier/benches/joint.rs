//! Joint decisions on the workloads, next to a naive evaluator in the same run. It measures the time until the shield
//! is ready, new joint states (median, 99th percentile, worst) and cached steps. It also reports unknowns, cache sizes
//! and the time of a unit of work. Prints a table; it is not a statistical benchmark.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_literal)]

mod workload;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ltlcrit_verifier::semantics::holds_at;
use ltlcrit_verifier::{
    ActionId, Law, LawId, Letter, Monitor, PropId, PropSet, Shield, ShieldOptions, Verdict, Vocabulary,
};
use rand::RngExt;
use workload::Random;

/// Gives the letter of a step to a shield; returns the laws that it breaks.
fn read(shield: &mut Shield, letter: Letter) -> Vec<LawId> {
    let step = letter.taken(shield.vocabulary());
    step.map_or_else(Vec::new, |(action, observations)| shield.step(action, observations).unwrap())
}

/// The measurements of one walk.
#[derive(Default)]
struct Walk {
    ready: Duration,
    new: Vec<Duration>,
    cached: Vec<Duration>,
    /// The costly new states: units of work and time.
    costly: Vec<(u64, Duration)>,
    most_work: u64,
    unknowns: u64,
    bytes: usize,
    steps: usize,
    /// The number of steps at which no action was left. There, the walk continued by the hard laws or started anew.
    stuck: usize,
}

fn percentile(times: &mut [Duration], share: f64) -> f64 {
    if times.is_empty() {
        return f64::NAN;
    }
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
}

/// The number of units of work from which on the work dominates the time of a decision.
const COSTLY: u64 = 1_000;

/// The source of a walk's observations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Environment {
    /// The place in the rooms, or any other place if that one would break a law.
    LawfulRooms,
    /// Each observation holds with probability one half.
    Random,
    /// Each observation changes with probability one in twelve.
    Drifting,
}

fn observe(
    environment: Environment,
    random: &mut Random,
    vocabulary: &Vocabulary,
    before: &PropSet,
    action: ActionId,
) -> PropSet {
    let count = vocabulary.observations().len() as u16;
    match environment {
        Environment::LawfulRooms => workload::moved(before, action),
        Environment::Random => (0..count).filter(|_| random.random_bool(0.5)).map(PropId).collect(),
        Environment::Drifting => {
            (0..count).map(PropId).filter(|prop| before.contains(*prop) != random.random_bool(1.0 / 12.0)).collect()
        }
    }
}

/// Monitors of all laws; they find the letters that break no law.
struct Lawful(Vec<Monitor>);

impl Lawful {
    fn new(vocabulary: &Arc<Vocabulary>, laws: &[Law]) -> Self {
        Self(laws.iter().map(|law| Monitor::new(&law.formula, vocabulary.clone()).unwrap()).collect())
    }

    fn start(&mut self, observations: PropSet) {
        for monitor in &mut self.0 {
            monitor.reset();
            monitor.advance(&Letter::initial(observations));
        }
    }

    /// Reads a letter if it breaks no law, and returns whether it did.
    fn read(&mut self, letter: &Letter) -> bool {
        let states: Vec<usize> = self.0.iter().map(Monitor::state).collect();
        if self.0.iter_mut().all(|monitor| monitor.advance(letter) != Verdict::Violated) {
            return true;
        }
        for (monitor, state) in self.0.iter_mut().zip(states) {
            monitor.go_to(state);
        }
        false
    }
}

/// The number of observation sets that are tried to find a letter that breaks no law.
const DRAWS: usize = 60;

/// Returns observations after an action that break no law: those of the rooms, or else any place or none. `None` if no
/// such observations are found.
fn observe_lawfully(
    lawful: &mut Lawful,
    random: &mut Random,
    vocabulary: &Vocabulary,
    before: &PropSet,
    action: ActionId,
) -> Option<PropSet> {
    let mut observations = workload::moved(before, action);
    for _ in 0..DRAWS {
        if lawful.read(&Letter::after(vocabulary, action, observations)) {
            return Some(observations);
        }
        let place = random.random_range(0..=workload::PLACES) as u16;
        observations = (usize::from(place) < workload::PLACES).then_some(PropId(place)).into_iter().collect();
    }
    None
}

fn pick(random: &mut Random, allowed: impl Iterator<Item = ActionId>) -> Option<ActionId> {
    let allowed: Vec<ActionId> = allowed.collect();
    (!allowed.is_empty()).then(|| allowed[random.random_range(0..allowed.len())])
}

/// Walks by uniformly chosen allowed actions; `None` if the laws have no continuation at the start.
fn walk(vocabulary: &Arc<Vocabulary>, laws: &[Law], environment: Environment, seed: u64, steps: usize) -> Option<Walk> {
    let mut random = workload::random(seed);
    let stop = vocabulary.stop();
    // The walk starts in no place.
    let mut observations = PropSet::EMPTY;
    let laws = laws.to_vec();
    let began = Instant::now();
    let mut shield = Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap();
    shield.start(observations).unwrap();
    let ready = began.elapsed();
    let work = shield.stats().spent;
    let began = Instant::now();
    let first = shield.decide();
    let first_took = began.elapsed();
    let first_work = shield.stats().spent - work;
    // There is no continuation at all, not even stopping at once.
    if first.allowed.is_empty() && !shield.obligations().is_empty() && shield.unknowns() == 0 {
        return None;
    }
    let mut walk = Walk { ready, steps, new: vec![first_took], most_work: first_work, ..Walk::default() };
    walk.costly.extend((first_work >= COSTLY).then_some((first_work, first_took)));
    let mut allowed = first.allowed;
    let mut lawful = (environment == Environment::LawfulRooms).then(|| Lawful::new(vocabulary, &laws));
    lawful.iter_mut().for_each(|lawful| lawful.start(observations));
    for _ in 0..steps {
        let action = pick(&mut random, allowed.iter().filter(|action| Some(*action) != stop));
        let next = action.and_then(|action| match &mut lawful {
            Some(lawful) => observe_lawfully(lawful, &mut random, vocabulary, &observations, action),
            None => Some(observe(environment, &mut random, vocabulary, &observations, action)),
        });
        let (Some(action), Some(next)) = (action, next) else {
            // The run ends here; another begins with all caches kept.
            walk.stuck += 1;
            observations = PropSet::EMPTY;
            lawful.iter_mut().for_each(|lawful| lawful.start(observations));
            shield.start(observations).unwrap();
            allowed = shield.decide().allowed;
            continue;
        };
        observations = next;
        let letter = Letter::after(vocabulary, action, observations);
        let before = shield.stats();
        let began = Instant::now();
        let violations = read(&mut shield, letter);
        allowed = shield.decide().allowed;
        let took = began.elapsed();
        assert!(lawful.is_none() || violations.is_empty(), "a letter that breaks a law");
        let after = shield.stats();
        let work = after.spent - before.spent;
        walk.most_work = walk.most_work.max(work);
        if work >= COSTLY {
            walk.costly.push((work, took));
        }
        if after.decided > before.decided { walk.new.push(took) } else { walk.cached.push(took) }
    }
    walk.unknowns = shield.stats().undecided;
    walk.bytes = shield.stats().cache_bytes;
    Some(walk)
}

fn merge(walks: Vec<Walk>) -> Walk {
    let mut all = Walk::default();
    for walk in &walks {
        all.new.extend(&walk.new);
        all.cached.extend(&walk.cached);
        all.costly.extend(&walk.costly);
        all.most_work = all.most_work.max(walk.most_work);
        all.unknowns += walk.unknowns;
        all.bytes = all.bytes.max(walk.bytes);
        all.steps += walk.steps;
        all.stuck += walk.stuck;
    }
    let mut ready: Vec<Duration> = walks.iter().map(|walk| walk.ready).collect();
    ready.sort_unstable();
    all.ready = ready.get(ready.len() / 2).copied().unwrap_or_default();
    all
}

fn line(name: &str, walks: Vec<Walk>, unsatisfiable: usize) {
    let runs = walks.len() + unsatisfiable;
    let mut all = merge(walks);
    let share = 100.0 * all.new.len() as f64 / all.steps.max(1) as f64;
    let mut unit: Vec<Duration> =
        all.costly.iter().map(|(work, took)| Duration::from_nanos(took.as_nanos() as u64 / work)).collect();
    println!(
        "{name:<22} {:>8.3} {:>8.1} {:>8.2} {:>9.1} {:>9.0} {:>8.3} {:>7} {:>8} {:>9.1} {unsatisfiable:>4} of {runs:<4} {:>7} {:>5.0} {:>5.0}",
        all.ready.as_secs_f64() * 1e3,
        share,
        percentile(&mut all.new, 0.5),
        percentile(&mut all.new, 0.99),
        percentile(&mut all.new, 1.0),
        percentile(&mut all.cached, 0.5),
        all.unknowns,
        all.stuck,
        all.bytes as f64 / (1 << 20) as f64,
        all.most_work,
        percentile(&mut unit, 0.5) * 1e3,
        percentile(&mut unit, 0.99) * 1e3,
    );
}

/// Returns whether a workload is selected; without names on the command line, all are.
fn wanted(name: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).peekable();
    names.peek().is_none() || names.any(|part| name.contains(&part))
}

fn rooms(name: &str, count: usize, goals: f64, seeds: u64, steps: usize) {
    if !wanted(name) {
        return;
    }
    let vocabulary = workload::rooms();
    let (mut walks, mut unsatisfiable) = (Vec::new(), 0);
    for seed in 1..=seeds {
        let laws = workload::room_laws(count, goals, seed);
        match walk(&vocabulary, &laws, Environment::LawfulRooms, seed, steps) {
            Some(walk) => walks.push(walk),
            None => unsatisfiable += 1,
        }
    }
    line(name, walks, unsatisfiable);
}

/// Measures the time of a unit of work on laws that are hard to decide.
fn hard(seeds: u64) {
    for (name, doors) in [("maze, 2 doors", 2), ("maze, 4 doors", 4)] {
        if !wanted(name) {
            continue;
        }
        let walks = (1..=seeds).filter_map(|seed| {
            walk(&workload::rooms(), &workload::maze_laws(doors, seed), Environment::LawfulRooms, seed, 30)
        });
        let walks: Vec<Walk> = walks.collect();
        let unsatisfiable = seeds as usize - walks.len();
        line(name, walks, unsatisfiable);
    }
    if wanted("wide(12)") {
        let walks = (1..=seeds).filter_map(|seed| {
            let (vocabulary, laws) = workload::wide_laws(12, seed);
            walk(&vocabulary, &laws, Environment::Random, seed, 30)
        });
        let walks: Vec<Walk> = walks.collect();
        let unsatisfiable = seeds as usize - walks.len();
        line("wide(12)", walks, unsatisfiable);
    }
}

/// Measures the same cached steps repeatedly: advance, decide, judge.
fn cached_step(vocabulary: &Arc<Vocabulary>, laws: &[Law], environment: Environment) -> (f64, f64) {
    let mut random = workload::random(7);
    let mut shield = Shield::new(vocabulary.clone(), laws.to_vec(), ShieldOptions::default()).unwrap();
    let mut observations = PropSet::EMPTY;
    let actions: Vec<ActionId> = vocabulary.action_ids().filter(|action| Some(*action) != vocabulary.stop()).collect();
    // The run breaks no law: letters that would break one are drawn again.
    let mut lawful = Lawful::new(vocabulary, laws);
    lawful.start(observations);
    let mut word: Vec<Letter> = Vec::new();
    for _ in 0..20_000 {
        let action = actions[random.random_range(0..actions.len())];
        let next = observe(environment, &mut random, vocabulary, &observations, action);
        let letter = Letter::after(vocabulary, action, next);
        if !lawful.read(&letter) {
            continue;
        }
        observations = next;
        word.push(letter);
        if word.len() == 256 {
            break;
        }
    }
    println!("({} letters)", word.len());
    let mut fast = Duration::MAX;
    for _ in 0..400 {
        shield.start(PropSet::EMPTY).unwrap();
        std::hint::black_box(shield.decide());
        let began = Instant::now();
        for letter in &word {
            std::hint::black_box(read(&mut shield, *letter));
            std::hint::black_box(shield.decide().allowed);
        }
        fast = fast.min(began.elapsed());
    }
    // By definition, the naive evaluator reads the whole prefix for every law and every action. The prefix has eight
    // letters.
    let prefix = &word[..word.len().min(8)];
    let naive = Instant::now();
    let rounds = 3;
    for _ in 0..rounds {
        for &action in &actions {
            let mut word = prefix.to_vec();
            word.push(Letter::after(vocabulary, action, observations));
            for law in laws {
                let holds =
                    |name: &str, position: usize| vocabulary.id(name).is_some_and(|id| word[position].holds(id));
                std::hint::black_box(holds_at(&law.formula, 0, word.len(), &holds));
            }
        }
    }
    let naive = naive.elapsed().as_secs_f64() / f64::from(rounds);
    let fast = fast.as_secs_f64() / word.len() as f64;
    (fast * 1e9, naive / fast)
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick" || argument == "--test");
    let (seeds, steps) = if quick { (4, 300) } else { (40, 2_000) };
    println!(
        "{:<22} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>7} {:>8} {:>9} {:<12} {:>7} {:>5} {:>5}",
        "",
        "ready ms",
        "new %",
        "new us",
        "p99 us",
        "max us",
        "cached us",
        "unknown",
        "no action",
        "MiB",
        "unsatisfiable",
        "units",
        "ns",
        "p99"
    );
    let (chip_words, chip) = workload::safety_chip();
    if wanted("Safety Chip's ten") {
        let walks = (1..=seeds).filter_map(|seed| walk(&chip_words, &chip, Environment::Random, seed, steps)).collect();
        line("Safety Chip's ten", walks, 0);
    }
    rooms("free(50)", 50, 0.0, seeds, steps);
    hard(if quick { 2 } else { 10 });
    let (paper_words, paper) = workload::paper();
    for (name, environment) in [("54 laws, random", Environment::Random), ("54 laws, drifting", Environment::Drifting)]
    {
        if !wanted(name) {
            continue;
        }
        let walks = (1..=seeds).filter_map(|seed| walk(&paper_words, &paper, environment, seed, steps)).collect();
        line(name, walks, 0);
    }
    if !quick {
        rooms("free(50), 200,000", 50, 0.0, 1, 200_000);
        if wanted("Chip, 200,000") {
            let long = walk(&chip_words, &chip, Environment::Random, 1, 200_000);
            line("Chip, 200,000", long.into_iter().collect(), 0);
        }
    }
    for (name, vocabulary, laws) in
        [("Safety Chip's ten", &chip_words, &chip), ("the paper's 54", &paper_words, &paper)]
    {
        if !wanted(name) {
            continue;
        }
        let (nanoseconds, ratio) = cached_step(vocabulary, laws, Environment::Drifting);
        println!("{name}: a step over and over takes {nanoseconds:.1} ns, naive law by law {ratio:.0} times that");
    }
}
