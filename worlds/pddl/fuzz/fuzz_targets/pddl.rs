//! Parses any text as a domain and a problem, separated by a form feed, or refuses it with a place. A parsed text is
//! written and parsed again.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use ltlcrit_pddl::{Domain, Problem};

fuzz_target!(|text: &str| {
    let (domain, problem) = text.split_once('\u{c}').unwrap_or((text, ""));
    let domain = match Domain::parse(domain) {
        Ok(domain) => domain,
        Err(error) => return assert!(error.place.line >= 1 && !error.message.is_empty() && !error.help.is_empty()),
    };
    assert_eq!(Domain::parse(&domain.to_string()).as_ref(), Ok(&domain));
    let domain = Arc::new(domain);
    if let Ok(problem) = Problem::parse(problem, domain.clone()) {
        assert_eq!(Problem::parse(&problem.to_string(), domain).as_ref(), Ok(&problem));
    }
});
