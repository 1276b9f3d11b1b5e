//! Tests of the lexical rule, precedence, detection of the notation, limits, and every kind of error message.

use super::*;
use crate::vocabulary::Vocabulary;

fn p(name: &str) -> Formula {
    Formula::atom(name)
}

fn vocabulary() -> Vocabulary {
    Vocabulary::plain(
        "kitchen",
        [
            "obs_has_log",
            "obs_has_wood_pickaxe",
            "action_mine_log",
            "action_equip_wood_pickaxe",
            "is_on(book, shelf)",
            "Xa",
            "f",
        ],
    )
    .unwrap()
}

#[test]
fn words_are_propositions_unless_the_rule_says_otherwise() {
    for name in [
        "Found", "F_x", "Xray", "action_x", "Gobs", "X0", "F1", "GFab", "Xor", "Until", "_", "e", "i", "été", "UU",
        "FU",
    ] {
        assert_eq!(parse_infix(name).unwrap(), p(name), "{name}");
    }
    assert_eq!(parse("GFa").unwrap(), p("a").finally().globally());
    assert_eq!(parse("XXFp12").unwrap(), p("p12").finally().next().next());
    assert_eq!(parse("GF a").unwrap(), p("a").finally().globally());
    assert_eq!(parse("GX(Found)").unwrap(), p("Found").next().globally());
    assert_eq!(parse("XX[!]XX(0)").unwrap(), Formula::False.next().next().strong_next().next());
    assert_eq!(parse("X[!]X!b").unwrap(), p("b").not().next().strong_next());
    assert_eq!(parse("\"G\" & \"Fa\"").unwrap(), p("G").and(p("Fa")));
    assert_eq!(parse("TRUE | False").unwrap(), Formula::True.or(Formula::False));
}

#[test]
fn a_vocabulary_settles_glued_words_and_lone_constants() {
    let vocabulary = vocabulary();
    assert_eq!(parse_over("Xa", &vocabulary).unwrap(), p("Xa"));
    assert_eq!(parse_over("G Xa", &vocabulary).unwrap(), p("Xa").globally());
    assert_eq!(parse_over("G f", &vocabulary).unwrap(), p("f").globally());
    assert_eq!(parse_over("G t", &vocabulary).unwrap(), Formula::True.globally());
    assert_eq!(parse("X X f").unwrap(), Formula::False.next().next());
    assert_eq!(parse("t").unwrap(), Formula::True);
    assert_eq!(parse_infix("X f").unwrap(), p("f").next());
    assert_eq!(parse("X(f)").unwrap(), p("f").next());
    assert_eq!(parse("GFt").unwrap(), p("t").finally().globally());
}

#[test]
fn predicates_are_one_proposition() {
    let formula = parse("G !is_on( book ,book_shelf ) & agent_at(x-1.2)").unwrap();
    assert_eq!(formula, p("is_on(book, book_shelf)").not().globally().and(p("agent_at(x-1.2)")));
    assert_eq!(parse("W ! agent_at(a) is_on(a,b)").unwrap(), p("agent_at(a)").not().weak_until(p("is_on(a, b)")));
    assert_eq!(parse("Found(x)").unwrap(), p("Found(x)"));
    assert_eq!(parse("G(x)").unwrap(), p("x").globally());
}

#[test]
fn precedence_is_spots() {
    for (short, full) in [
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a -> b <-> c", "a -> (b <-> c)"),
        ("a | b xor c", "a | (b xor c)"),
        ("a xor b & c", "a xor (b & c)"),
        ("a & b & c", "(a & b) & c"),
        ("a xor b xor c", "(a xor b) xor c"),
        ("a | b | c -> d", "((a | b) | c) -> d"),
        ("a & b U c", "a & (b U c)"),
        ("a U b & c", "(a U b) & c"),
        ("a U b R c M d W e", "a U (b R (c M (d W e)))"),
        ("!a U b", "(!a) U b"),
        ("F a U G b", "(F a) U (G b)"),
        ("X[!] !a & b", "(X[!](!a)) & b"),
        ("a U !b U c", "a U ((!b) U c)"),
    ] {
        assert_eq!(parse_infix(short).unwrap(), parse_infix(full).unwrap(), "{short}");
    }
}

#[test]
fn other_spellings() {
    for text in ["a && b || !c => d <=> e", "a /\\ b \\/ ~c -> d <-> e", "a ∧ b ∨ ¬c → d ↔ e"] {
        assert_eq!(parse(text).unwrap(), parse_infix("a & b | !c -> d <-> e").unwrap(), "{text}");
    }
    assert_eq!(parse("[]<>a ^ b V c").unwrap(), parse("G F a xor (b R c)").unwrap());
    assert_eq!(parse("X[][]<>[]a").unwrap(), parse("X G G F G a").unwrap());
    assert_eq!(parse("□◇a & ○[!]⊤").unwrap(), parse("G F a & X[!] true").unwrap());
    assert_eq!(parse("a\n  -> # b").unwrap_err().line, 2);
}

#[test]
fn prefix_notation_is_detected() {
    for (prefix, infix) in [
        ("W ! a b", "!a W b"),
        ("G i a F b", "G(a -> F b)"),
        ("i & a b c", "a & b -> c"),
        ("e i a", ""),
        ("! F & a U a ! b", "!F(a & (a U !b))"),
        ("V a M b c", "a R (b M c)"),
        ("^ t e a f", "true xor (a <-> false)"),
        ("i e a b Found", "(a <-> b) -> Found"),
        ("&a!b", "a & !b"),
        ("U \"G\" X[!] a", "\"G\" U X[!] a"),
    ] {
        if infix.is_empty() {
            assert!(parse(prefix).unwrap_err().message.contains("needs two formulas"), "{prefix}");
        } else {
            assert_eq!(parse(prefix).unwrap(), parse_infix(infix).unwrap(), "{prefix}");
        }
    }
    assert_eq!(parse("i & e").unwrap(), p("i").and(p("e")));
    assert_eq!(parse("e -> i").unwrap(), p("e").implies(p("i")));
    assert_eq!(parse("t & f").unwrap(), p("t").and(p("f")));
}

#[test]
fn no_depth_or_length_exhausts_anything() {
    let deepest = format!("{}a", "!".repeat(MAX_DEPTH - 1));
    assert_eq!(parse(&deepest).unwrap().depth(), MAX_DEPTH);
    assert!(parse(&format!("!{deepest}")).unwrap_err().message.contains("deeper than 512"));
    assert!(parse(&"! ".repeat(30_000)).is_err());
    let parentheses = format!("{}a{}", "(".repeat(30_000), ")".repeat(30_000));
    assert_eq!(parse(&parentheses).unwrap(), p("a"));
    assert!(parse(&"(".repeat(MAX_LENGTH)).is_err());
    let nested = format!("{}a{}", "(a -> ".repeat(600), ")".repeat(600));
    assert!(parse(&nested).unwrap_err().message.contains("deeper than 512"));
    assert!(parse(&"a".repeat(MAX_LENGTH + 1)).unwrap_err().message.contains("at most 65536"));
    assert!(parse(&"a".repeat(MAX_NAME + 1)).unwrap_err().message.contains("at most 256"));
}

#[test]
fn places_are_in_characters_and_bytes() {
    let error = parse("¬a ∧\n  ¬ ∨ b").unwrap_err();
    assert_eq!((error.line, error.column), (2, 5));
    assert_eq!(&"¬a ∧\n  ¬ ∨ b"[error.span.clone()], "∨");
}

/// The length of a chain is not depth, for any length and in either notation.
#[test]
fn chains_do_not_count_as_depth() {
    for (operator, prefix) in [("&", "& "), ("|", "| "), ("xor", "^ ")] {
        for count in [600, 6_000] {
            let names: Vec<String> = (0..count).map(|at| format!("p{}", at % 7)).collect();
            let read = parse(&names.join(&format!(" {operator} "))).unwrap();
            assert!(read.depth() <= MAX_CHAIN + 16, "{} levels", read.depth());
            assert_eq!(parse(&read.to_string()).unwrap(), read);
            let text = read.to_string().replace(['(', ')'], "");
            assert_eq!(text.split(&format!(" {operator} ")).collect::<Vec<_>>(), names, "the order stays");
            let polish = format!("{}{}", prefix.repeat(count - 1), names.join(" "));
            assert!(parse(&polish).unwrap().depth() <= MAX_CHAIN + 16);
        }
    }
    // Short chains are parsed without balancing.
    assert_eq!(parse(&vec!["a"; MAX_CHAIN + 1].join(" | ")).unwrap().depth(), MAX_CHAIN + 1);
    // The depth of an operand of a chain counts.
    let deep = format!("{}a", "!".repeat(MAX_DEPTH - 2));
    assert!(parse(&[deep.as_str(); 2].join(" | ")).is_ok());
    assert!(parse(&[deep.as_str(); 3].join(" | ")).unwrap_err().message.contains("deeper than 512"));
}

#[test]
fn bounds_counts_and_the_past_are_read_in_both_notations() {
    for (infix, other, prefix) in [
        ("F[<=5] a & G[≤ 3](a)", "(F[<= 5]a)&(G[<=3]a)", "& F[<=5] a G[<=3] a"),
        ("X[3] a | X[!][2] b | X[0] c", "X X X a | X[!] X[!] b | c", "| | X[3] a X[!][2] b c"),
        (
            "at_most(3, a | b) U at_least( 2 ,c)",
            "at_most[3](a | b) U at_least[2] c",
            "U at_most[3] | a b at_least[2] c",
        ),
        ("at_most(1, at_least(2, a))", "at_most[1] at_least[2] a", "at_most[1] at_least[2] a"),
        ("G(a -> O(b))", "G (a -> O b)", "G i a O b"),
        ("!a S b S c & Y Z H d", "((!a) S (b S c)) & (Y(Z(H(d))))", "& S ! a S b c Y Z H d"),
        ("GF[<=2]a", "G F[<=2] a", "G F[<=2] a"),
    ] {
        let formula = parse(infix).unwrap();
        assert_eq!(parse_infix(other).unwrap(), formula, "{infix}");
        assert_eq!(parse(prefix).unwrap(), formula, "{infix}");
    }
    // Not a count, but a name.
    assert_eq!(parse("at_most(a, b) & at_least").unwrap(), p("at_most(a, b)").and(p("at_least")));
    assert!(parse(&format!("F[<={MAX_BOUND}] a")).is_ok());
    for text in ["F[<=10001] a", "F[<=9000] a & at_most(1001, b)", "X[4000000000] a"] {
        assert!(parse(text).unwrap_err().message.contains("add up to at most 10000"), "{text}");
    }
    assert!(parse("X[600] a").unwrap_err().message.contains("deeper than 512"));
}

#[test]
fn a_past_operator_over_one_that_looks_ahead_is_named() {
    for (text, past, ahead) in [
        ("G(a -> O F b)", "O", "F"),
        ("(a & X[!] b) S c", "S", "X[!]"),
        ("H(a | !(b U c))", "H", "U"),
        ("Y at_most(3, a)", "Y", "at_most"),
        ("S a G b", "S", "G"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(
            error.message.starts_with(&format!("`{past}` looks back, and `{ahead}` inside it looks ahead")),
            "{error}"
        );
        assert_eq!(&text[error.span.clone()], past);
    }
    assert!(parse(&format!("O({})", vec!["a"; 300].join(" & "))).is_ok());
}

/// The message of every kind of error.
#[test]
fn errors_tell_what_would_be_right() {
    let texts = [
        "",
        "   ",
        "G(a -> X",
        "G(a -> ) b",
        "G((a -> b)",
        "a -> b)",
        "()",
        "a & | b",
        "-> b",
        "a b",
        "a and b",
        "not a",
        "a (b)",
        "Found(a & b)",
        "is_on(a, b",
        "is_on()",
        "is_on(a,)",
        "X[3 a",
        "F[1..3] a",
        "O[<=3] a",
        "at_most[a] b",
        "at_most(3, )",
        "O & a",
        "G(a -> O F b)",
        "a = b",
        "a == b",
        "a < b",
        "a - b",
        "a, b",
        "a; b",
        "a # comment",
        "2x & a",
        "'a'",
        "\"a",
        "\"\"",
        "\"a\\q\"",
        "a \u{7} b",
        "W ! a",
        "W",
        "G i a F b c",
        "W (a) b",
        "U Fa b",
        "& GF a",
        "a &\n\n  & b",
    ];
    let mut shown = String::new();
    for text in texts {
        let error = parse(text).unwrap_err();
        shown.push_str(&format!("{text:?}\n{}\n\n", error.render()));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn every_unknown_proposition_is_reported_with_the_nearest_known_one() {
    let vocabulary = vocabulary();
    let text = "G((obs_has_wooden_pickaxe & !Obs_has_log & obs_has_wooden_pickaxe) ->\n  X(action_equip_wooden_pickaxe | is_on(book,shelv) | Gobs_has_log | zebra))";
    let error = parse_over(text, &vocabulary).unwrap_err();
    assert_eq!(error.all().count(), 6);
    insta::assert_snapshot!(error.render());
    insta::assert_snapshot!(error);
    let long = format!("{} & obs_has_lgo & {}", vec!["f"; 100].join(" & "), vec!["f"; 100].join(" & "));
    insta::assert_snapshot!(parse_over(&long, &vocabulary).unwrap_err().render());
}

#[test]
fn formulas_are_serialised_as_text() {
    let formula = parse("G(a -> X !\"at-home\")").unwrap();
    let json = serde_json::to_string(&formula).unwrap();
    assert_eq!(json, r#""G(a -> X !\"at-home\")""#);
    assert_eq!(serde_json::from_str::<Formula>(&json).unwrap(), formula);
    assert!(serde_json::from_str::<Formula>(r#""a &""#).unwrap_err().to_string().contains("missing after `&`"));
}
