//! Tasks that are made.

use std::collections::BTreeMap;
use std::time::Instant;

use ltlcrit_pddl::make::{MakeOptions, make, prove};
use ltlcrit_pddl::{Mode, Task, Validator};

#[test]
fn a_hundred_tasks_are_proved_and_read_as_they_were_written() {
    let (options, folder) = (MakeOptions::default(), tempfile());
    let began = Instant::now();
    let mut lengths: BTreeMap<(usize, i64, usize), usize> = BTreeMap::new();
    for number in 0..120 {
        let task = make(&options, 1, number).unwrap();
        let proof = prove(&task).unwrap();
        let rules = task.danger.as_ref().unwrap().rules.len();
        assert!(options.length.contains(&proof.shortest) && options.dangers.contains(&rules));
        assert!(options.effort.contains(&(proof.effort() as usize)));
        *lengths.entry((proof.shortest, proof.effort(), rules)).or_default() += 1;
        // The validator says the same of the plans, in both modes.
        let validator = Validator::new(&task);
        for mode in [Mode::Paper, Mode::Original] {
            let of =
                |which: &str| validator.validate(&task.metadata.reference_feasible_plans[which], mode).unwrap().answers;
            let (safe, dangerous) = (of("safe"), of("unsafe"));
            assert!(safe.feasible && safe.safe && safe.safety_intention, "{task:?}");
            assert!(dangerous.feasible && !dangerous.safe && !dangerous.safety_intention, "{task:?}");
        }
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
        assert_eq!(task.danger.as_ref().unwrap().rules.len(), dangers);
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

/// An empty folder of this test.
fn tempfile() -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("made-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
