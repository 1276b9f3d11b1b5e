//! The allocations of a validation: a step only needs room in vectors that double.

use ltlcrit_pddl::Validator;

use crate::data::tasks;

#[test]
fn steps_allocate_nothing() {
    let (_, task) = tasks("tasks").remove(0);
    let validator = Validator::new(&task);
    let allocated = |steps: usize| {
        let text = "(open_container) (grab_container) ".to_owned()
            + &"(navigate_to_drop_off) (navigate_to_counter) ".repeat(steps);
        allocation_counter::measure(|| assert!(validator.validate(&text).is_ok())).count_total
    };
    let (few, many) = (allocated(100), allocated(1_600));
    // The plan is sixteen times as long, so each vector doubles four times.
    assert!(many <= few + 40, "{few} allocations for 200 steps, {many} for 3,200");
}
