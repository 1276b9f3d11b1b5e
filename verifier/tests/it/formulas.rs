//! Random formulas for property tests. The crate's own tests include this file too.

use ltlcrit_verifier::Formula;
use proptest::prelude::*;

/// Generates one of some names or a constant.
pub fn atoms(names: &'static [&'static str]) -> BoxedStrategy<Formula> {
    let atoms = prop_oneof![
        8 => prop::sample::select(names).prop_map(Formula::atom),
        1 => Just(Formula::True),
        1 => Just(Formula::False),
    ];
    atoms.boxed()
}

/// Generates formulas over some names and the constants.
pub fn formulas(names: &'static [&'static str], depth: u32) -> BoxedStrategy<Formula> {
    formulas_of(atoms(names), depth, 12)
}

/// Generates formulas over these leaves, of at most this depth and about this number of parts. Some leaves become formulas
/// about the past.
pub fn formulas_of(leaf: impl Strategy<Value = Formula> + 'static, depth: u32, size: u32) -> BoxedStrategy<Formula> {
    let leaf = leaf.boxed();
    let nested = prop_oneof![6 => leaf.clone(), 1 => past_of(leaf)].prop_recursive(depth, size, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        let bounded = (inner.clone(), 0..4u32, 0..4usize).prop_map(|(a, number, operator)| match operator {
            0 => a.finally_within(number),
            1 => a.globally_within(number),
            2 => a.at_least(number),
            _ => a.at_most(number),
        });
        prop_oneof![
            5 => boolean_operation(inner.clone()),
            1 => bounded,
            1 => inner.clone().prop_map(Formula::next),
            1 => inner.clone().prop_map(Formula::strong_next),
            1 => inner.clone().prop_map(Formula::globally),
            1 => inner.prop_map(Formula::finally),
            1 => pair.clone().prop_map(|(a, b)| a.until(b)),
            1 => pair.clone().prop_map(|(a, b)| a.weak_until(b)),
            1 => pair.clone().prop_map(|(a, b)| a.release(b)),
            1 => pair.prop_map(|(a, b)| a.strong_release(b)),
        ]
    });
    nested.boxed()
}

/// Generates formulas over these leaves that look back.
fn past_of(leaf: BoxedStrategy<Formula>) -> BoxedStrategy<Formula> {
    let nested = leaf.prop_recursive(2, 4, 2, |inner| {
        let past = (inner.clone(), inner.clone(), 0..5usize).prop_map(|(a, b, operator)| match operator {
            0 => a.yesterday(),
            1 => a.weak_yesterday(),
            2 => a.once(),
            3 => a.historically(),
            _ => a.since(b),
        });
        prop_oneof![2 => past, 1 => boolean_operation(inner)]
    });
    nested.boxed()
}

/// Generates Boolean combinations of these leaves, of at most this depth and about this number of parts.
pub fn boolean_of(leaf: impl Strategy<Value = Formula> + 'static, depth: u32, size: u32) -> BoxedStrategy<Formula> {
    leaf.prop_recursive(depth, size, 2, boolean_operation).boxed()
}

fn boolean_operation(inner: BoxedStrategy<Formula>) -> BoxedStrategy<Formula> {
    let pair = (inner.clone(), inner.clone());
    let operation = prop_oneof![
        inner.prop_map(Formula::not),
        pair.clone().prop_map(|(a, b)| a.and(b)),
        pair.clone().prop_map(|(a, b)| a.or(b)),
        pair.clone().prop_map(|(a, b)| a.implies(b)),
        pair.clone().prop_map(|(a, b)| a.iff(b)),
        pair.prop_map(|(a, b)| a.xor(b)),
    ];
    operation.boxed()
}
