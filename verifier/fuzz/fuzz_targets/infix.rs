//! Runs the infix parser on any text. A formula that parses survives printing and parsing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_verifier::syntax::{self, parse_infix};

fuzz_target!(|text: &str| {
    if let Ok(formula) = parse_infix(text) {
        let printed = formula.to_string();
        if printed.len() <= syntax::MAX_LENGTH {
            assert_eq!(parse_infix(&printed), Ok(formula), "{printed}");
        }
    }
});
