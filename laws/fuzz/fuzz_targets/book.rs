//! Any text is read as a book or refused with problems that can be shown; a book keeps its text and reads again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_laws::Book;

fuzz_target!(|text: &str| {
    match Book::parse(text, "fuzz.toml") {
        Ok(book) => {
            assert_eq!(book.text(), text);
            assert!(Book::parse(book.text(), "again.toml").is_ok());
            for entry in book.entries() {
                assert!(book.entry(&entry.law().id).is_some());
            }
        }
        Err(errors) => assert!(!errors.to_string().is_empty()),
    }
});
