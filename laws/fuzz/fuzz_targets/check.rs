//! Any formula is checked as the law of a book within the budgets, and what no shield takes is found.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_laws::{CheckOptions, Code, Reading, check_books};
use ltlcrit_verifier::{CompiledLaws, Law};

fuzz_target!(|formula: &str| {
    // A string of TOML that needs no escapes, or none at all.
    if formula.contains("'''") {
        return;
    }
    let text = format!(
        "name = \"fuzz\"\nrevision = 1\n[vocabulary]\nname = \"v\"\nobservations = {{ p = \"\", q = \"\", r = \"\" }}\n\
         actions = {{ a = \"\", b = \"\" }}\naxioms = [\"q -> p\"]\n[[law]]\nid = \"law\"\nformula = '''{formula}'''\n\
         strength = \"hard\"\nexplanation = \"e\"\nstatus = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n"
    );
    let reading = Reading::parse(&text, "fuzz.toml", &[]);
    let options = CheckOptions { budget: 500, work: 50_000, single_work: 200_000, ..CheckOptions::default() };
    let report = check_books(std::slice::from_ref(&reading), &options);
    let (Some(entry), Some(vocabulary)) = (reading.book.entries().first(), &reading.vocabulary) else { return };
    let law: Law = entry.law();
    let found = report.findings.iter().any(|finding| finding.code == Code::TooIntricate);
    assert_eq!(found, CompiledLaws::check(&law, vocabulary).is_err());
    let kinds = [Code::Vacuous, Code::Unsatisfiable];
    assert!(report.findings.iter().filter(|finding| kinds.contains(&finding.code)).count() <= 1, "{formula}");
});
