//! Parses any text as the definition of a derived observation. A definition that parses survives printing and parsing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_verifier::Definition;

fuzz_target!(|text: &str| {
    match text.parse::<Definition>() {
        Ok(definition) => assert_eq!(definition.to_string().parse(), Ok(definition)),
        Err(error) => assert!(!error.render().is_empty()),
    }
});
