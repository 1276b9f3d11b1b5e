//! Definitions of derived observations from any text: they read or are refused, and what reads prints and reads back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_verifier::Definition;

fuzz_target!(|text: &str| {
    match text.parse::<Definition>() {
        Ok(definition) => assert_eq!(definition.to_string().parse(), Ok(definition)),
        Err(error) => assert!(!error.render().is_empty()),
    }
});
