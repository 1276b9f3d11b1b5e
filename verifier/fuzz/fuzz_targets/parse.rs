//! Parses any text, or refuses it with a position inside it. A parsed formula survives both printers and the vocabulary
//! check.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ltlcrit_verifier::syntax::{self, MAX_DEPTH, SyntaxError};
use ltlcrit_verifier::{Formula, Vocabulary};

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::plain("fuzz", ["a", "b", "p0", "t", "Fa", "GF", "obs_has_log", "is_on(book, shelf)"]).unwrap()
});

fn place_is_inside(text: &str, errors: &SyntaxError) {
    for error in errors.all() {
        assert!(error.line >= 1 && error.column >= 1);
        assert!(text.get(error.span.clone()).is_some(), "{:?} in {text:?}", error.span);
    }
    assert!(!errors.render().is_empty() && !errors.to_string().is_empty());
}

fn survives_printing(formula: &Formula) {
    assert!(formula.depth() <= MAX_DEPTH);
    let infix = formula.to_string();
    let prefix = formula.to_prefix();
    // A printed formula may exceed the maximum length of the input.
    if infix.len() <= syntax::MAX_LENGTH {
        assert_eq!(syntax::parse_infix(&infix).as_ref(), Ok(formula), "{infix}");
        assert_eq!(syntax::parse(&infix).as_ref(), Ok(formula), "{infix}");
    }
    if prefix.len() <= syntax::MAX_LENGTH {
        assert_eq!(syntax::parse_prefix(&prefix).as_ref(), Ok(formula), "{prefix}");
        assert_eq!(syntax::parse(&prefix).as_ref(), Ok(formula), "{prefix}");
    }
}

fuzz_target!(|text: &str| {
    let infix = syntax::parse_infix(text);
    let prefix = syntax::parse_prefix(text);
    for read in [&infix, &prefix] {
        match read {
            Ok(formula) => survives_printing(formula),
            Err(error) => place_is_inside(text, error),
        }
    }
    match syntax::parse(text) {
        Ok(formula) => {
            let either = [infix.as_ref().ok(), prefix.as_ref().ok()];
            // Only a single `t` or `f` can be read in two ways; then it is a constant.
            let settled = formula.atoms().is_empty() && prefix.as_ref() == Ok(&formula);
            assert!(settled || either.into_iter().flatten().all(|read| *read == formula), "read in two ways: {text:?}");
        }
        Err(error) => place_is_inside(text, &error),
    }
    match syntax::parse_over(text, &VOCABULARY) {
        Ok(formula) => assert!(formula.atoms().iter().all(|atom| VOCABULARY.id(atom).is_some())),
        Err(error) => place_is_inside(text, &error),
    }
});
