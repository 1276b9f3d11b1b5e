//! The example that the README shows does what it says.

#[path = "../../examples/shield.rs"]
mod shield;

#[test]
fn the_shield_example_runs() {
    shield::main().unwrap();
}
