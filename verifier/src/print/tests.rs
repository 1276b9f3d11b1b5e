//! Round trips, and that no superfluous parenthesis is printed.

use proptest::prelude::*;

use crate::formula::Formula;
use crate::formulas::formulas_of;
use crate::syntax::{parse, parse_infix, parse_prefix};

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec!["a", "b", "p0", "obs_has_log", "action_stop", "is_on(book, book_shelf)"])
            .prop_map(str::to_owned),
        2 => prop::sample::select(vec![
            "Found", "F_x", "GF", "GFa", "Xa", "XX", "G", "F", "X", "U", "V", "R", "W", "M", "e", "i", "t", "f", "xor", "B",
            "true", "FALSE", "0", "1", "2x", "_", "X0", "F1", "Fa(b)", "a(b,c)", "a ( b )", "ä", "G(a)", "X[!]", "a\"b\\", "not",
            "Y", "Z", "O", "H", "S", "O(a)", "at_most", "at_most(3, a)", "at_least[2]", "at_least(a, b)", "F[<=5]",
        ])
        .prop_map(str::to_owned),
        1 => "[GFXUWRMVeitf]{1,4}[a-z0-9_]{0,2}",
        1 => "\\PC{1,12}",
        1 => "[ \t\n\r\"\\\\a(,)!]{1,6}",
    ]
}

fn formulas() -> impl Strategy<Value = Formula> {
    formulas_of(
        prop_oneof![6 => names().prop_map(Formula::atom), 1 => Just(Formula::True), 1 => Just(Formula::False)],
        8,
        40,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn infix_round_trips(formula in formulas()) {
        let text = formula.to_string();
        prop_assert_eq!(&parse_infix(&text).unwrap(), &formula, "{}", text);
        prop_assert_eq!(&parse(&text).unwrap(), &formula, "{}", text);
    }

    #[test]
    fn prefix_round_trips(formula in formulas()) {
        let text = formula.to_prefix();
        prop_assert_eq!(&parse_prefix(&text).unwrap(), &formula, "{}", text);
        prop_assert_eq!(&parse(&text).unwrap(), &formula, "{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Removing any one pair of parentheses changes the formula or makes it invalid.
    #[test]
    fn every_parenthesis_is_needed(formula in formulas()) {
        let renamed = rename(&formula);
        let text = renamed.to_string();
        let mut open = Vec::new();
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'(' {
                open.push(at);
            } else if byte == b')' {
                let start = open.pop().unwrap();
                let without = format!("{} {} {}", &text[..start], &text[start + 1..at], &text[at + 1..]);
                prop_assert_ne!(parse_infix(&without).ok(), Some(renamed.clone()), "{} without is {}", text, without);
            }
        }
    }
}

/// Returns the same formula over names without parentheses.
fn rename(formula: &Formula) -> Formula {
    formula.with_atoms(&mut |name| Formula::atom(format!("p{}", name.len())))
}

#[test]
fn prints_as_people_write() {
    for text in [
        "G(obs_has_log & !obs_has_plank -> X action_craft_planks)",
        "G !is_in(book, mail_box)",
        "!agent_at(bedside_table) W agent_at(book_shelf)",
        "G(a -> F b)",
        "X[!](a | b) & X X[!] c",
        "(a U b) U c",
        "a U b U c",
        "(a -> b) -> c",
        "a -> b -> c",
        "a & b & c | d xor e",
        "!(a U !b)",
        "G F true",
        "\"G\" & \"t\" & \"at-home\"",
        "G(push -> O test & !fail S test)",
        "G(Y a & Z !b -> H(a | b))",
        "G(a -> F[<=5] b) & G[<=3](a | b)",
        "G(start -> at_most(3, push)) & !at_least(2, a & b) U c",
        "\"O\" & \"at_most(3, a)\"",
    ] {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
    assert_eq!(parse("G(a -> F b)").unwrap().to_prefix(), "G i a F b");
    assert_eq!(parse("!a W b").unwrap().to_prefix(), "W ! a b");
    let bounded = parse("G(a -> F[<=5] at_most(3, b S Y c))").unwrap();
    assert_eq!(bounded.to_prefix(), "G i a F[<=5] at_most[3] S b Y c");
    assert_eq!(parse("X[!]a <-> 1").unwrap().to_prefix(), "e X[!] a t");
}

#[test]
fn the_long_form_tells_how_a_formula_is_read() {
    for (text, read) in [
        ("a | b & c", "a | (b & c)"),
        ("G(a & b | c -> X !d)", "G(((a & b) | c) -> X !d)"),
        ("a & b & c", "a & b & c"),
        ("a -> b -> c", "a -> b -> c"),
        ("!a U b & c", "(!a U b) & c"),
        ("at_most(2, a & b | c)", "at_most(2, (a & b) | c)"),
    ] {
        let formula = parse(text).unwrap();
        assert_eq!((format!("{formula:#}").as_str(), &parse(read).unwrap()), (read, &formula));
    }
}
