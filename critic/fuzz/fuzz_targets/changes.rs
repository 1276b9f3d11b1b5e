//! Whatever the critic's model answers is read to changes within bounds, or reported with a reason.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_critic::admission::MAX_EXPLANATION;
use ltlcrit_critic::change::{Change, Proposal};
use ltlcrit_critic::propose::model_critic::{MAX_CHANGES, MAX_EVIDENCE, read};
use ltlcrit_verifier::{Proposition, Vocabulary};

fn check(law: &Proposal) {
    assert_eq!(law.proposer, "fuzz");
    assert!(!law.formula.text().is_empty() && !law.explanation.is_empty());
    // Cutting adds an ellipsis, and a bracket of one byte becomes one of three.
    assert!(law.explanation.len() <= 3 * MAX_EXPLANATION + 3);
    assert!(!law.explanation.contains(|c: char| c.is_control()));
    assert!(law.evidence.len() <= MAX_EVIDENCE);
    assert!(law.evidence.iter().enumerate().all(|(at, cited)| !law.evidence[..at].contains(cited)));
}

fuzz_target!(|text: &str| {
    let vocabulary = Vocabulary::new("v", Vec::new(), vec![Proposition::new("action_a", "")], Vec::new());
    match read(text, "fuzz", &vocabulary.expect("a vocabulary of one action")) {
        Err(why) => assert!(!why.is_empty() && why.len() < 2_000),
        Ok(reading) => {
            assert!(reading.changes.len() <= MAX_CHANGES);
            for unread in &reading.unread {
                assert!(!unread.why.is_empty() && unread.to_string().len() < 8_000);
            }
            for change in &reading.changes {
                match change {
                    Change::Add(law) | Change::Replace { with: law, .. } => check(law),
                    Change::Retire { law, proposer, .. } => assert!(!law.is_empty() && proposer == "fuzz"),
                }
            }
        }
    }
});
