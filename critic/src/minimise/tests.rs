use proptest::prelude::*;

use super::*;

const PROPS: u16 = 4;

fn state(code: u16) -> PropSet {
    (0..PROPS).filter(|bit| code >> bit & 1 == 1).map(PropId).collect()
}

/// Every conjunction there is.
fn cubes() -> Vec<Cube> {
    (0..3u16.pow(PROPS.into()))
        .map(|mut code| {
            let mut cube = Cube::default();
            for prop in (0..PROPS).map(PropId) {
                match code % 3 {
                    0 => cube.positive.insert(prop),
                    1 => cube.negative.insert(prop),
                    _ => {}
                }
                code /= 3;
            }
            cube
        })
        .collect()
}

/// The least number of conjunctions and then the least cost, by trying everything.
fn best(on: &[PropSet], off: &[PropSet], costs: &[u32]) -> (usize, u32) {
    let cubes: Vec<(u32, u32)> = cubes()
        .into_iter()
        .filter(|cube| !off.iter().any(|state| cube.holds(state)))
        .map(|cube| {
            let covers =
                on.iter().enumerate().filter(|(_, state)| cube.holds(state)).fold(0, |all, (at, _)| all | 1 << at);
            (covers, cube.cost(costs))
        })
        .collect();
    // By set of states covered: the best way to cover it.
    let mut ways = std::collections::BTreeMap::from([(0u32, (0usize, 0u32))]);
    loop {
        let mut better = ways.clone();
        for (covered, (count, cost)) in &ways {
            for (covers, more) in &cubes {
                let way = (count + 1, cost + more);
                let known = better.entry(covered | covers).or_insert(way);
                *known = way.min(*known);
            }
        }
        if better == ways {
            return ways[&((1 << on.len()) - 1)];
        }
        ways = better;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn as_good_as_trying_everything(
        sides in prop::collection::vec(0..3u8, 1 << PROPS),
        costs in prop::collection::vec(1..4u32, PROPS as usize),
    ) {
        let of = |side: u8| -> Vec<PropSet> {
            (0..).zip(&sides).filter(|(_, it)| **it == side).map(|(code, _)| state(code)).collect()
        };
        // At most so many that trying everything stays quick.
        let on: Vec<PropSet> = of(0).into_iter().take(5).collect();
        let off = of(1);
        let weighted: Vec<(PropSet, u32)> = on.iter().map(|state| (*state, 1)).collect();
        let cover = minimise(&Examples { on: &weighted, off: &off, costs: &costs });
        prop_assert!(cover.exact);
        for state in &on {
            prop_assert!(cover.cubes.iter().any(|found| found.cube.holds(state)));
        }
        for found in &cover.cubes {
            prop_assert!(!off.iter().any(|state| found.cube.holds(state)));
            let covers: Vec<usize> = (0..on.len()).filter(|at| found.cube.holds(&on[*at])).collect();
            prop_assert_eq!(&found.covers, &covers);
        }
        let cost = cover.cubes.iter().map(|found| found.cube.cost(&costs)).sum::<u32>();
        prop_assert_eq!((cover.cubes.len(), cost), best(&on, &off, &costs));
    }
}

#[test]
fn a_state_on_both_sides_is_left_out() {
    let (a, b) = (state(1), state(2));
    let cover = minimise(&Examples { on: &[(a, 1), (b, 1)], off: &[a], costs: &[1, 1, 1, 1] });
    assert_eq!(cover.cubes.len(), 1);
    assert_eq!(cover.cubes[0].covers, [1]);
    let cover = minimise(&Examples { on: &[(a, 1)], off: &[a], costs: &[1, 1, 1, 1] });
    assert_eq!(cover, Cover { cubes: vec![], exact: true });
}

#[test]
fn nothing_to_tell_apart_from_needs_no_literal() {
    let cover = minimise(&Examples { on: &[(state(1), 1), (state(6), 1)], off: &[], costs: &[1, 1, 1, 1] });
    assert_eq!(cover.cubes.len(), 1);
    assert!(cover.cubes[0].cube.is_empty());
}

#[test]
fn dear_literals_are_avoided() {
    // Both 0 and 1 tell the sides apart.
    let examples = |costs| minimise(&Examples { on: &[(state(3), 1)], off: &[state(0)], costs });
    assert_eq!(examples(&[1, 2]).cubes[0].cube, Cube { positive: PropSet::one(PropId(0)), negative: PropSet::EMPTY });
    assert_eq!(examples(&[2, 1]).cubes[0].cube, Cube { positive: PropSet::one(PropId(1)), negative: PropSet::EMPTY });
}
