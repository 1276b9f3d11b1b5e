//! The stored proposals that admitted a law and retired it.

use ltlcrit_laws::Entry;
use ltlcrit_store::{Change, GateRuling, LawProposal, Store, StoreError};

/// The proposals that admitted and retired a law, with their numbers in the store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LawHistory {
    /// The proposal that admitted it into its book; the last one if there were several.
    pub admission: Option<(u64, LawProposal)>,
    /// The later proposal that retired it or replaced it.
    pub retirement: Option<(u64, LawProposal)>,
}

/// Finds the history of a law of a book.
///
/// # Errors
/// A record cannot be read.
pub fn law_history(store: &Store, book: &str, entry: &Entry) -> Result<LawHistory, StoreError> {
    let mut found = LawHistory::default();
    for proposal in store.proposals() {
        let (number, proposal) = proposal?;
        if proposal.book.rsplit_once('@').is_none_or(|(name, _)| name != book) {
            continue;
        }
        match (&proposal.ruling, &proposal.change) {
            (GateRuling::Admitted { law } | GateRuling::OnTrial { law, .. }, _) if *law == entry.id => {
                found = LawHistory { admission: Some((number, proposal)), retirement: None }
            }
            (GateRuling::Retired { law }, _) | (GateRuling::Admitted { .. }, Change::Replace { law, .. })
                if *law == entry.id =>
            {
                found.retirement = Some((number, proposal));
            }
            _ => {}
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use ltlcrit_laws::Book;
    use ltlcrit_store::{LawSource, Proposal, Refusal, RetireCause};

    use super::*;

    fn entry(id: &str) -> Entry {
        let text = format!(
            "name = \"b\"\nvocabulary = \"v\"\nrevision = 1\n[[law]]\nid = \"{id}\"\nformula = \"G p\"\nstrength = \"soft\"\n\
             explanation = \"e\"\nprovenance = {{ origin = \"critic\" }}\nstatus = \"adopted\"\n"
        );
        Book::parse(&text, "b").unwrap().entries()[0].clone()
    }

    #[test]
    fn the_last_admission_and_what_ended_it_count() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path().join("store")).unwrap();
        let law = || Proposal {
            formula: "G p".to_owned(),
            explanation: "e".to_owned(),
            source: LawSource::Conflict,
            proposer: "graph".to_owned(),
            evidence: Vec::new(),
        };
        let replace = |old: &str| Change::Replace { law: old.into(), with: law(), state: Vec::new() };
        let retire = |law: &str| Change::Retire {
            law: law.into(),
            cause: RetireCause::NeverFires,
            state: None,
            proposer: "graph".to_owned(),
        };
        let admitted = |law: &str| GateRuling::Admitted { law: law.into() };
        let refused = || GateRuling::Refused { refusal: Refusal::Implied { by: Vec::new() } };
        let log = [
            ("b@1", law().into(), admitted("one")),
            ("b@1", law().into(), refused()),
            ("c@1", law().into(), admitted("two")),
            ("b@2", replace("one"), refused()),
            ("b@2", replace("one"), admitted("two")),
            ("b@3", retire("two"), refused()),
            ("c@3", retire("two"), GateRuling::Retired { law: "two".into() }),
            ("b@4", retire("two"), GateRuling::Retired { law: "two".into() }),
            // The book was created anew and has a law of that name again.
            ("b@1", law().into(), admitted("one")),
        ];
        for (book, change, ruling) in log {
            let proposal = LawProposal { change, book: book.to_owned(), ruling, created: Timestamp::UNIX_EPOCH };
            store.add_proposal(&proposal).unwrap();
        }
        let numbers = |book: &str, id: &str| {
            let found = law_history(&store, book, &entry(id)).unwrap();
            (found.admission.map(|(number, _)| number), found.retirement.map(|(number, _)| number))
        };
        assert_eq!(numbers("b", "two"), (Some(5), Some(8)));
        assert_eq!(numbers("c", "two"), (Some(3), Some(7)));
        assert_eq!(numbers("b", "one"), (Some(9), None));
        assert_eq!(numbers("b", "three"), (None, None));
        let (_, came) = law_history(&store, "b", &entry("two")).unwrap().admission.unwrap();
        assert_eq!(came.change.brought().unwrap().1.map(|law| &**law), Some("one"));
        assert!(retire("one").brought().is_none());
    }
}
