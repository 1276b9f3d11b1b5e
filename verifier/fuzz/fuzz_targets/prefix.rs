//! Runs the prefix parser on any text. A formula that parses survives printing and parsing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_verifier::syntax::{self, parse_prefix};

fuzz_target!(|text: &str| {
    if let Ok(formula) = parse_prefix(text) {
        let printed = formula.to_prefix();
        if printed.len() <= syntax::MAX_LENGTH {
            assert_eq!(parse_prefix(&printed), Ok(formula), "{printed}");
        }
    }
});
