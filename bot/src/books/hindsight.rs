//! What stored runs say of a law: what happened at the steps it cites, and which steps it would have blocked or allowed.

use ltlcrit_laws::{Entry, Evidence};
use ltlcrit_store::{Change, GateRuling, LawProposal, RunId, Store, StoreError, VocabularyRecord};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{ActionSet, GuardedLaw, Implied, PropSet, Vocabulary};
use serde::Serialize;

/// A stored step, as it speaks for or against a law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// Which.
    #[serde(flatten)]
    pub step: Evidence,
    /// What held when the action was chosen.
    pub held: Vec<String>,
    /// The same without what goes without saying, for people.
    #[serde(skip)]
    pub telling: Vec<String>,
    /// What was done.
    pub action: String,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What the world said.
    pub message: String,
    /// Whether the law's condition held; `None` for a law that is not of the form `G(phi_s -> X phi_a)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_held: Option<bool>,
}

/// What a law of the form `G(phi_s -> X phi_a)` would have said in the stored runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hindsight {
    /// Steps in whose state the law's condition held.
    pub applied: u64,
    /// Those of them it would have blocked.
    pub blocked: u64,
    /// Blocked ones that failed.
    pub blocked_failed: u64,
    /// A step it would have blocked, one that failed if there is one.
    pub blocks: Option<Moment>,
    /// A step it would have allowed, one that did what it says if there is one.
    pub allows: Option<Moment>,
}

/// The guarded laws a law stands for; `None` if it is not of the form.
pub fn guarded(entry: &Entry, vocabulary: &Vocabulary) -> Option<Vec<GuardedLaw>> {
    recognise_all(&entry.formula, vocabulary).ok()
}

/// What happened at a cited step; `None` if the store has no such step, or the run has another vocabulary.
///
/// # Errors
/// An unreadable record.
pub fn moment(
    store: &Store,
    cited: Evidence,
    law: Option<&[GuardedLaw]>,
    vocabulary: &Vocabulary,
) -> Result<Option<Moment>, StoreError> {
    let run = RunId(cited.run);
    match store.manifest(run) {
        Ok(manifest) if manifest.vocabulary == VocabularyRecord::of(vocabulary) => {}
        Ok(_) | Err(StoreError::NoSuchRun { .. }) => return Ok(None),
        Err(error) => return Err(error),
    }
    let Some(before) = cited.step.checked_sub(1).and_then(|before| usize::try_from(before).ok()) else {
        return Ok(None);
    };
    let mut steps = store.steps(run).skip(before);
    let (Some(before), Some(step)) = (steps.next().transpose()?, steps.next().transpose()?) else { return Ok(None) };
    let Some(executed) = step.executed else { return Ok(None) };
    let held = before.observation.holds;
    let named = |set: &PropSet| vocabulary.names(set).into_iter().map(str::to_owned).collect();
    Ok(Some(Moment {
        step: cited,
        held: named(&held),
        telling: named(&Implied::new(vocabulary).strongest_holding(&held)),
        action: vocabulary.action_name(executed.action).to_owned(),
        failure: executed.outcome.failure.map(|reason| reason.to_string()),
        message: executed.outcome.message,
        condition_held: law.map(|law| applies(law, vocabulary, &held)),
    }))
}

fn applies(law: &[GuardedLaw], vocabulary: &Vocabulary, held: &PropSet) -> bool {
    law.iter().any(|part| part.applies(vocabulary, held))
}

/// What is known of one law while steps are counted.
struct Count {
    /// Its parts, each with the actions it allows where it applies.
    parts: Vec<(GuardedLaw, ActionSet)>,
    hindsight: Hindsight,
    /// An example, and whether it is as good as they come.
    blocks: Option<(Evidence, bool)>,
    allows: Option<(Evidence, bool)>,
}

/// What laws would have said in all stored runs of their vocabulary, stopping included; `read` is told of every run.
///
/// # Errors
/// An unreadable record.
pub fn hindsight(
    store: &Store,
    laws: &[Vec<GuardedLaw>],
    vocabulary: &Vocabulary,
    mut read: impl FnMut(),
) -> Result<Vec<Hindsight>, StoreError> {
    let count = |law: &Vec<GuardedLaw>| Count {
        parts: law.iter().map(|part| (part.clone(), part.allows(vocabulary))).collect(),
        hindsight: Hindsight::default(),
        blocks: None,
        allows: None,
    };
    let mut counts: Vec<Count> = laws.iter().map(count).collect();
    let same = VocabularyRecord::of(vocabulary);
    for manifest in store.runs() {
        let manifest = manifest?;
        if manifest.vocabulary == same {
            count_run(store, manifest.run, vocabulary, &mut counts)?;
        }
        read();
    }
    let finish = |(count, law): (Count, &Vec<GuardedLaw>)| {
        let example = |step: Option<(Evidence, bool)>| match step {
            Some((step, _)) => moment(store, step, Some(law), vocabulary),
            None => Ok(None),
        };
        Ok(Hindsight { blocks: example(count.blocks)?, allows: example(count.allows)?, ..count.hindsight })
    };
    counts.into_iter().zip(laws).map(finish).collect()
}

fn count_run(store: &Store, run: RunId, vocabulary: &Vocabulary, counts: &mut [Count]) -> Result<(), StoreError> {
    let mut before: Option<PropSet> = None;
    for step in store.outlines(run) {
        let step = step?;
        if let (Some(held), Some(executed)) = (before, &step.executed) {
            let failed = executed.outcome.failure.is_some();
            let here = Evidence { run: run.0, step: step.step };
            for count in &mut *counts {
                let mut applying = count.parts.iter().filter(|(part, _)| part.applies(vocabulary, &held)).peekable();
                if applying.peek().is_none() {
                    continue;
                }
                let blocked = applying.any(|(_, allows)| !allows.contains(executed.action));
                count.hindsight.applied += 1;
                count.hindsight.blocked += u64::from(blocked);
                count.hindsight.blocked_failed += u64::from(blocked && failed);
                let (example, good) = if blocked { (&mut count.blocks, failed) } else { (&mut count.allows, !failed) };
                if example.is_none_or(|(_, best)| good && !best) {
                    *example = Some((here, good));
                }
            }
        }
        before = Some(step.letter.observations(vocabulary));
    }
    Ok(())
}

/// What the critic and the gate had to do with a law, by the numbers of proposals in the store: the last ones that count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dealings {
    /// How it came into its book.
    pub came: Option<(u64, LawProposal)>,
    /// How it was retired, or replaced by another.
    pub went: Option<(u64, LawProposal)>,
}

/// What the critic and the gate had to do with a law of a book.
///
/// # Errors
/// An unreadable record.
pub fn dealings(store: &Store, book: &str, entry: &Entry) -> Result<Dealings, StoreError> {
    let mut found = Dealings::default();
    for proposal in store.proposals() {
        let (number, proposal) = proposal?;
        if proposal.book.rsplit_once('@').is_none_or(|(name, _)| name != book) {
            continue;
        }
        match (&proposal.ruling, &proposal.change) {
            (GateRuling::Admitted { law }, _) if *law == entry.id => {
                found = Dealings { came: Some((number, proposal)), went: None }
            }
            (GateRuling::Retired { law }, _) | (GateRuling::Admitted { .. }, Change::Replace { law, .. })
                if *law == entry.id =>
            {
                found.went = Some((number, proposal));
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
    fn how_laws_came_and_went_is_known_by_proposal() {
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
            // The book began again, and has a law of that name again.
            ("b@1", law().into(), admitted("one")),
        ];
        for (book, change, ruling) in log {
            let proposal = LawProposal { change, book: book.to_owned(), ruling, created: Timestamp::UNIX_EPOCH };
            store.add_proposal(&proposal).unwrap();
        }
        let numbers = |book: &str, id: &str| {
            let found = dealings(&store, book, &entry(id)).unwrap();
            (found.came.map(|(number, _)| number), found.went.map(|(number, _)| number))
        };
        assert_eq!(numbers("b", "two"), (Some(5), Some(8)));
        assert_eq!(numbers("c", "two"), (Some(3), Some(7)));
        assert_eq!(numbers("b", "one"), (Some(9), None));
        assert_eq!(numbers("b", "three"), (None, None));
        let (_, came) = dealings(&store, "b", &entry("two")).unwrap().came.unwrap();
        assert_eq!(came.change.brought().unwrap().1.map(|law| &**law), Some("one"));
        assert!(retire("one").brought().is_none());
    }
}
