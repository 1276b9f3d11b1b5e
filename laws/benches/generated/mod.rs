//! Generates books of many laws over 34 observations and 20 actions, equal for equal seeds.

use std::fmt::Write as _;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub const OBSERVATIONS: usize = 34;
pub const ACTIONS: usize = 20;

/// A book with these formulas.
pub fn book(formulas: &[String]) -> String {
    let named = |letter: char, count| (0..count).map(|n| format!("{letter}{n} = \"\"")).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "name = \"generated\"\nrevision = 1\n[vocabulary]\nname = \"v\"\nobservations = {{ {} }}\nactions = {{ {} }}\n",
        named('o', OBSERVATIONS),
        named('a', ACTIONS)
    );
    for (number, formula) in formulas.iter().enumerate() {
        let _ = write!(
            text,
            "[[law]]\nid = \"law-{number}\"\nformula = \"{formula}\"\nstrength = \"soft\"\nexplanation = \"e\"\n\
             status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n"
        );
    }
    text
}

/// Laws that are not of the form `G(phi_s -> X phi_a)`.
pub fn general(count: usize) -> Vec<String> {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut one = || {
        let [o, p] = [(); 2].map(|()| random.random_range(0..OBSERVATIONS));
        let [a, b] = [(); 2].map(|()| random.random_range(0..ACTIONS));
        match random.random_range(0..5) {
            0 => format!("G(a{a} & o{o} -> F a{b})"),
            1 => format!("G(o{o} & o{p} -> X(a{a} -> X F a{b}))"),
            2 => format!("!a{a} W (o{o} & o{p})"),
            3 => format!("G(o{o} -> (o{p} W a{a}))"),
            _ => format!("G(a{a} -> X(!a{b} W o{o}))"),
        }
    };
    (0..count).map(|_| one()).collect()
}

/// Laws `G(phi_s -> X !a)` whose conditions have seven to nine literals: specific enough to leave actions.
pub fn guarded(count: usize) -> Vec<String> {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut one = || {
        let literals: Vec<String> = (0..random.random_range(7..=9))
            .map(|_| {
                let not = if random.random_bool(0.5) { "!" } else { "" };
                format!("{not}o{}", random.random_range(0..OBSERVATIONS))
            })
            .collect();
        format!("G({} -> X !a{})", literals.join(" & "), random.random_range(0..ACTIONS))
    };
    (0..count).map(|_| one()).collect()
}
