//! A test that the example in the README works.

#[path = "../../examples/shield.rs"]
mod shield;

#[test]
fn the_shield_example_runs() {
    shield::main().unwrap();
}
