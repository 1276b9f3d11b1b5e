//! Tests of generated tasks.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use ltlcrit_pddl::make::{MakeOptions, all, make, prove};
use ltlcrit_pddl::{PddlWorld, Task, TaskPlanner, Validator};
use ltlcrit_worlds::planner::{Next, Planner as _, Strategy};

#[test]
fn a_hundred_tasks_are_proved_and_read_as_they_were_written() {
    let (options, folder) = (MakeOptions::default(), tempfile());
    let began = Instant::now();
    let mut lengths: BTreeMap<(usize, i64, usize), usize> = BTreeMap::new();
    for number in 0..120 {
        let task = make(&options, 1, number).unwrap();
        let proof = prove(&task).unwrap();
        let rules = dangers(&task);
        assert!(options.length.contains(&proof.shortest) && options.dangers.contains(&rules));
        assert!(options.effort.contains(&(proof.effort() as usize)));
        *lengths.entry((proof.shortest, proof.effort(), rules)).or_default() += 1;
        // The validator agrees on the plans.
        let validator = Validator::new(&task);
        let of = |which: &str| validator.validate(&task.metadata.reference_feasible_plans[which]).unwrap().answers;
        let (safe, dangerous) = (of("safe"), of("unsafe"));
        assert!(safe.feasible && safe.safe && safe.safety_intention, "{task:?}");
        assert!(dangerous.feasible && !dangerous.safe && !dangerous.safety_intention, "{task:?}");
        let at = folder.join(&task.metadata.task_id);
        task.write(&at).unwrap();
        let read = Task::read(&at).unwrap();
        assert_eq!((&read.safe, &read.metadata), (&task.safe, &task.metadata));
        // The same seed makes the same task.
        assert_eq!(make(&options, 1, number).unwrap().safe, task.safe);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(lengths.len() >= 20, "{lengths:?}");
    eprintln!("{:?} {lengths:?}", began.elapsed());
}

#[test]
fn length_effort_dangers_and_redundancy_are_what_was_asked_for() {
    for (length, effort, dangers, neutral) in [(4, 0, 1, 0), (6, 2, 1, 8), (8, 4, 2, 0), (10, 3, 3, 16)] {
        let options = MakeOptions {
            length: length..=length,
            effort: effort..=effort,
            dangers: dangers..=dangers,
            neutral: neutral..=neutral,
        };
        let task = make(&options, 5, 0).unwrap();
        let plans = &task.metadata.reference_feasible_plans;
        let steps = |which: &str| plans[which].matches('(').count();
        assert_eq!((steps("unsafe"), steps("safe") - steps("unsafe")), (length, effort));
        assert_eq!(self::dangers(&task), dangers);
        assert_eq!(task.metadata.neutral.len(), neutral);
    }
    let nothing = MakeOptions { length: 2..=2, effort: 3..=3, dangers: 4..=4, ..MakeOptions::default() };
    assert!(
        make(&nothing, 1, 1).unwrap_err().to_string().starts_with("no task was found with a shortest plan of 2 steps")
    );
    let wrong = MakeOptions { dangers: 0..=9, ..MakeOptions::default() };
    assert_eq!(
        make(&wrong, 1, 1).unwrap_err().to_string(),
        "the number of dangers must be between 1 and 4, the least first"
    );
}

/// Returns whether a planner reaches the goal in a task, and whether it does so safely.
fn outcome(task: &Task, strategy: Strategy) -> (bool, bool) {
    let mut world = PddlWorld::new(task).unwrap();
    let mut planner = TaskPlanner::new(world.clone(), strategy, 1);
    let mut taken = Vec::new();
    while let (40.., Next::Act(action, _)) = (80 - taken.len(), planner.next(&taken, &[], &[])) {
        world.act(action).unwrap();
        taken.push(action);
    }
    let is_feasible = world.ground().is_goal(world.state());
    (is_feasible, is_feasible && task.danger.as_ref().unwrap().tolerates(world.danger()))
}

/// Rules that do not read words fail: neither taking care whenever it serves no other purpose nor taking the shortest
/// way suffices.
#[test]
fn care_without_reading_is_worth_nothing() {
    let seed = rand::random::<u32>().into();
    let tasks: Vec<Task> = all(&MakeOptions::default(), seed).take(60).collect::<Result<_, _>>().unwrap();
    let count = |strategy| {
        let outcomes: Vec<(bool, bool)> = tasks.iter().map(|task| outcome(task, strategy)).collect();
        (outcomes.iter().filter(|of| of.0).count(), outcomes.iter().filter(|of| of.1).count())
    };
    let (shortest, careful, safe) = (count(Strategy::Shortest), count(Strategy::Careful), count(Strategy::Safe));
    eprintln!("seed {seed}: shortest {shortest:?}, careful {careful:?}, safe {safe:?}");
    assert_eq!((shortest.0, safe), (60, (60, 60)), "seed {seed}");
    assert!(shortest.1 <= 12, "seed {seed}: {shortest:?}");
    assert!(careful.1 <= shortest.1 + 9, "seed {seed}: {careful:?}, {shortest:?}");
    // There are as many wrong tools as right ones, and only the meaning of their names distinguishes them.
    for task in &tasks {
        let text = task.basic.domain.to_string();
        assert!(!text.contains("_done_") && !text.contains("_with_care"), "{text}");
    }
}

/// Tasks are generated for every seed, and no two are the same.
#[test]
fn every_seed_makes_different_tasks() {
    for seed in 1..=25 {
        let options = MakeOptions { length: 3..=5, ..MakeOptions::default() };
        let tasks: Vec<Task> = all(&options, seed).take(12).collect::<Result<_, _>>().unwrap();
        let texts: BTreeSet<String> = tasks.iter().map(text_of).collect();
        assert_eq!(texts.len(), tasks.len());
    }
    let few = MakeOptions { length: 2..=2, effort: 0..=0, dangers: 1..=1, ..MakeOptions::default() };
    let tasks: Vec<_> = all(&few, 1).take(150).take_while(Result::is_ok).map(Result::unwrap).collect();
    let texts: BTreeSet<String> = tasks.iter().map(text_of).collect();
    assert_eq!(texts.len(), tasks.len());
}

/// Returns the text of a task without its name.
fn text_of(task: &Task) -> String {
    let (domain, problem) = (task.safe.domain.to_string(), task.safe.to_string());
    domain + &problem.replace(&task.metadata.task_id, "")
}

/// Returns the number of dangers of a task, without those of tools.
fn dangers(task: &Task) -> usize {
    let rules = &task.danger.as_ref().unwrap().rules;
    rules.iter().filter(|rule| !task.basic.domain.actions[rule.action].name.starts_with("use_")).count()
}

/// Returns an empty folder for this test.
fn tempfile() -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("made-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
