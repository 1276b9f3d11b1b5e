//! Proofs about the tasks and their constraints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ltlcrit_household::{Family, HouseholdTask, names, task};
use ltlcrit_pddl::{PddlWorld, TaskPlanner};
use ltlcrit_verifier::{ActionId, Law, PropSet, Shield, ShieldOptions};
use ltlcrit_worlds::World as _;
use ltlcrit_worlds::planner::{Next, Planner as _, Strategy};

/// The constraints of a task as laws.
fn laws(task: &HouseholdTask) -> Vec<Law> {
    match &task.book {
        Some(book) => ltlcrit_laws::shipped(book).unwrap().laws_in_force(),
        None => task
            .constraints
            .iter()
            .enumerate()
            .map(|(at, one)| Law::hard(format!("c{}", at + 1), one.formula.parse().unwrap(), one.exact.to_string()))
            .collect(),
    }
}

/// The world of a task under laws.
fn world(task: &HouseholdTask, laws: &[Law]) -> PddlWorld {
    let mentioned: BTreeSet<String> =
        laws.iter().flat_map(|law| law.formula.atoms()).map(|atom| atom.to_string()).collect();
    PddlWorld::under(&task.task, Some(&|_| mentioned.clone())).unwrap()
}

/// The plan of a strategy, or the reason that it stops without one.
fn plan(world: &PddlWorld, strategy: Strategy, laws: &[Law]) -> Result<Vec<ActionId>, String> {
    let mut planner = TaskPlanner::new(world.clone(), strategy, 1);
    let mut taken = Vec::new();
    loop {
        match planner.next(&taken, &[], laws) {
            Next::Act(action, _) => taken.push(action),
            Next::Stop(why) if why == "the goal is reached" => return Ok(taken),
            Next::Stop(why) | Next::GaveUp(why) => return Err(why),
        }
        assert!(taken.len() < 60, "the plan never ends");
    }
}

/// The laws that a plan violates when it is executed without a shield and then stopped.
fn broken(mut world: PddlWorld, plan: &[ActionId], laws: &[Law]) -> BTreeSet<String> {
    let vocabulary = world.vocabulary();
    let mut shield = Shield::new(vocabulary.clone(), laws.to_vec(), ShieldOptions::default()).unwrap();
    let now = |world: &PddlWorld| world.observation(world.state()).holds;
    let mut broken = shield.start(now(&world)).unwrap();
    let step = |shield: &mut Shield, action: ActionId, passed: &[PropSet], then: PropSet| {
        let letter = vocabulary.in_letters(action);
        let mut broken = Vec::new();
        for passed in passed {
            broken.extend(shield.go_through(letter, *passed).unwrap());
        }
        broken.extend(shield.step(letter, then).unwrap());
        broken
    };
    for action in plan {
        let outcome = world.act(*action).unwrap();
        assert!(outcome.succeeded(), "{}", outcome.message);
        broken.extend(step(&mut shield, *action, &outcome.passed, now(&world)));
    }
    broken.extend(step(&mut shield, vocabulary.stop().unwrap(), &[], now(&world)));
    broken.iter().map(ToString::to_string).collect()
}

/// For each task: the length of the shortest plan, the constraints it violates, and the length of the shortest plan
/// under the first k constraints for every k.
#[test]
fn every_task_can_be_done_under_its_first_constraints() {
    let (mut table, mut breaking, mut tasks, mut wrong) = (String::new(), 0, 0, Vec::new());
    for name in names().unwrap() {
        let task = task(&name).unwrap();
        if task.family == Family::Abort {
            continue;
        }
        tasks += 1;
        let all = laws(&task);
        let whole = world(&task, &all);
        let shortest = plan(&whole, Strategy::Shortest, &[]).unwrap();
        let violated = broken(whole, &shortest, &all);
        breaking += usize::from(!violated.is_empty());
        let mut lengths = Vec::new();
        for count in 1..=all.len() {
            let some = &all[..count];
            let world = world(&task, some);
            match plan(&world, Strategy::Safe, some) {
                Ok(safe) => {
                    assert_eq!(broken(world, &safe, some), BTreeSet::new(), "{name}, {count}");
                    lengths.push(safe.len().to_string());
                }
                Err(why) => wrong.push(format!("{name}, {count} constraints: {why}")),
            }
        }
        let violated: Vec<String> = violated.into_iter().collect();
        let (lengths, violated) = (lengths.join(" "), violated.join(" "));
        writeln!(table, "{name:<13} shortest {:>2}  lawful {lengths:<30} breaks {violated}", shortest.len()).unwrap();
    }
    writeln!(table, "the shortest plan breaks a constraint in {breaking} of {tasks} tasks").unwrap();
    assert!(wrong.is_empty(), "{table}{}", wrong.join("\n"));
    insta::assert_snapshot!(table);
}

#[test]
fn what_must_be_given_up_is_proved_so() {
    let mut shown = String::new();
    for name in names().unwrap() {
        let task = task(&name).unwrap();
        if task.family != Family::Abort {
            continue;
        }
        let all = laws(&task);
        let world = world(&task, &all);
        let why = plan(&world, Strategy::Safe, &all).map(|plan| plan.len());
        writeln!(shown, "{name}: {why:?}").unwrap();
    }
    insta::assert_snapshot!(shown);
}

/// An action can make the constraints unsatisfiable that were satisfiable before it.
#[test]
fn a_step_too_far_is_proved_to_be_one() {
    let task = task("abort-later").unwrap();
    let all = laws(&task);
    let world = world(&task, &all);
    assert!(plan(&world, Strategy::Safe, &all).is_ok());
    let mut planner = TaskPlanner::new(world.clone(), Strategy::Safe, 1);
    let step = world.vocabulary().action("goto(bathroom)").unwrap();
    let next = planner.next(&[step], &[], &all);
    // From the kitchen, the soap would have to pass through the living room, or through the bathroom a second time.
    assert_eq!(next, Next::Stop("no way to the goal satisfies the laws: c2, c3".to_owned()));
}

/// The example of the paper's appendix F: the lamp and the hallway lie between the bookshelf and the bedside table.
#[test]
fn the_robot_passes_lamp_and_hallway() {
    let task = task("robot-1").unwrap();
    let all = laws(&task);
    let mut world = world(&task, &all);
    let vocabulary = world.vocabulary();
    let mut act = |name: &str| world.act(vocabulary.action(name).unwrap()).unwrap();
    assert_eq!(act("goto(book_shelf)").passed.len(), 1);
    let places = ["lamp", "hallway", "bedside_table"].map(|place| format!("agent_at({place})"));
    let passed: Vec<PropSet> = act("goto(bedside_table)").passed;
    let seen: Vec<_> = passed.iter().map(|holds| vocabulary.names(holds).join(" ")).collect();
    assert!(seen.len() == 3 && seen.iter().zip(&places).all(|(seen, place)| seen.contains(place)), "{seen:?}");
    assert!(act("grab(book)").succeeded());
}

/// Some plan to the goal violates each constraint, so none is trivially true.
#[test]
fn some_way_to_the_goal_breaks_each_constraint() {
    let mut wrong = Vec::new();
    for name in names().unwrap() {
        let task = task(&name).unwrap();
        if task.family == Family::Abort {
            continue;
        }
        for law in laws(&task) {
            let broken = [Law::hard("broken", law.formula.clone().not(), "")];
            let found = plan(&world(&task, &broken), Strategy::Safe, &broken);
            wrong.extend(found.err().map(|why| format!("{name}, {}: {why}", law.id)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The in-context examples reach the goal.
#[test]
fn examples_are_plans() {
    for name in names().unwrap() {
        let task = task(&name).unwrap();
        let mut world = world(&task, &[]);
        let vocabulary = world.vocabulary();
        for step in &task.example {
            let action = vocabulary.action(step).unwrap_or_else(|| panic!("{name}: {step}"));
            let outcome = world.act(action).unwrap();
            assert!(outcome.succeeded(), "{name}: {}", outcome.message);
        }
        let observation = world.observation(world.state());
        assert!(world.goal_reached(&observation) || task.example.is_empty(), "{name}");
    }
}
