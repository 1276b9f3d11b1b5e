//! Any text is a price table or refused with a reason.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_model::PriceTable;

fuzz_target!(|text: &str| {
    if let Err(error) = PriceTable::parse(text, "fuzz.toml") {
        assert!(!error.to_string().is_empty());
    }
});
