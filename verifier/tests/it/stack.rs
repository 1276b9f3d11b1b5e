//! No parsed formula exhausts the stack of a thread, at any depth and width that the parsers allow.

use std::sync::Arc;

use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::syntax::{MAX_DEPTH, parse, parse_over};
use ltlcrit_verifier::{CompiledLaws, Formula, Law, Letter, Monitor, PropSet, Shield, ShieldOptions, Vocabulary};

/// The default stack size of threads, in bytes.
const STACK: usize = 2 << 20;
/// The stack size for long chains, in bytes: tests are compiled with optimisation, which makes frames smaller.
const SMALL_STACK: usize = 256 << 10;

/// Parses, checks, monitors, decides, prints and simplifies on a separate thread.
fn runs(name: &str, stack: usize, text: String) {
    let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(stack);
    let handle = thread.spawn(move || {
        let builder = Vocabulary::builder("v").observations(["s", "t", "u"]).actions(["a", "b"]);
        let vocabulary = Arc::new(builder.build().unwrap());
        let formula: Formula = parse_over(&text, &vocabulary).unwrap();
        assert!(formula.depth() <= MAX_DEPTH);
        let law = Law::hard("law", formula.clone(), "");
        let checked = CompiledLaws::check(&law, &vocabulary);
        let mut monitor = Monitor::new(&formula, vocabulary.clone()).unwrap();
        let [some, all] = [&["s"][..], &["s", "t", "u"]].map(|names| vocabulary.set(names.iter().copied()).unwrap());
        for (at, set) in [some, all, PropSet::EMPTY, some].into_iter().enumerate() {
            let action = vocabulary.action_ids().nth(at % 2).unwrap();
            monitor.advance(&if at == 0 { Letter::initial(set) } else { Letter::after(&vocabulary, action, set) });
        }
        let options = ShieldOptions { budget: 2_000, raise: 1, explanation_budget: 2_000, ..ShieldOptions::default() };
        let shield = Shield::new(vocabulary.clone(), vec![law], options);
        assert_eq!(shield.is_ok(), checked.is_ok());
        if let Ok(mut shield) = shield {
            shield.start(some).unwrap();
            for action in vocabulary.action_ids().take(2) {
                shield.explain(action);
                shield.step(action, all).unwrap();
                shield.decide();
            }
        }
        let _ = recognise_all(&formula, &vocabulary);
        let _ = formula.simplified();
        assert_eq!(parse(&formula.to_string()).unwrap(), formula.clone());
        assert_eq!(parse(&formula.to_prefix()).unwrap(), formula);
    });
    handle.unwrap().join().unwrap();
}

#[test]
fn long_chains() {
    for operator in ["&", "|", "xor"] {
        for count in [400, 500, 2_000] {
            for part in ["X s", "F s", "G t", "s"] {
                runs(
                    &format!("{count} times {part} {operator}"),
                    SMALL_STACK,
                    vec![part; count].join(&format!(" {operator} ")),
                );
            }
        }
    }
}

#[test]
fn deep_nests_to_the_right() {
    for operator in ["->", "<->", "U", "W", "R", "M"] {
        for part in ["X s", "F s", "s", "a"] {
            let mut parts = vec![part; MAX_DEPTH - 2];
            parts.push("t");
            runs(&format!("{part} {operator}"), STACK, parts.join(&format!(" {operator} ")));
        }
    }
}

#[test]
fn deep_nests_of_different_operators() {
    let nest = |open: &str, count: usize, close: &str| format!("{}t{}", open.repeat(count), close.repeat(count));
    for (open, count, close) in [
        ("!", 510, ""),
        ("X ", 510, ""),
        ("X[!] ", 510, ""),
        ("G F ", 255, ""),
        ("F X ", 255, ""),
        ("G X[!] ", 255, ""),
        ("G !", 255, ""),
        ("(s & ", 255, " | u)"),
        ("(X s & ", 254, " | F u)"),
        ("X(s & F ", 170, ")"),
        ("G(s -> ", 255, ")"),
        ("(F s xor ", 510, ")"),
        ("(a U ", 510, ")"),
        ("(s <-> F ", 255, ")"),
        ("(G(s | b) & F ", 254, ")"),
    ] {
        runs(open, STACK, nest(open, count, close));
        runs(open, STACK, format!("X({})", nest(open, count, close)));
    }
}
