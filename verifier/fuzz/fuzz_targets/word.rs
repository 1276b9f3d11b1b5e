//! Parses any text as a word, or refuses it with a position inside it. A parsed word survives printing and parsing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_verifier::Word;

fuzz_target!(|text: &str| match Word::parse(text) {
    Ok(word) => assert_eq!(Word::parse(&word.to_string()), Ok(word)),
    Err(error) => {
        assert!(text.get(error.span.clone()).is_some(), "{:?} in {text:?}", error.span);
        assert!(!error.render().is_empty());
    }
});
