//! Compares two books law by law, by id.

use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::consistency::{Beginning, Satisfiability, satisfiable};
use serde::Serialize;

use crate::book::{Book, Entry};
use crate::derived::DerivedEntry;

/// The budget for comparing two formulas, in units of search work.
const WORK: u64 = 200_000;

/// A value before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FromTo<T> {
    /// In the first book.
    pub from: T,
    /// In the second book.
    pub to: T,
}

/// The verdict on whether two formulas are equivalent on every run with an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// Proven equivalent.
    Same,
    /// Some run satisfies one and violates the other.
    Different,
    /// Not decided within the budget, or the vocabularies differ.
    Unknown,
}

/// A law of one book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OneSided {
    /// Its id.
    pub id: String,
    /// Its formula, as written.
    pub formula: String,
    /// Hard or soft.
    pub strength: String,
    /// Proposed, adopted or retired.
    pub status: String,
    /// An equivalent law of the other book under another id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// A law of both books that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Its id.
    pub id: String,
    /// The formula, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<FromTo<String>>,
    /// The verdict on their equivalence; absent if their texts are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Meaning>,
    /// Hard or soft.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<FromTo<String>>,
    /// Proposed, adopted or retired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<FromTo<String>>,
    /// The reason for the law, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<FromTo<String>>,
    /// True if its provenance or its note changed.
    pub provenance: bool,
}

/// A derived observation that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DerivedChange {
    /// Its name.
    pub name: String,
    /// Its definition; `None` in a book that does not have it.
    #[serde(flatten)]
    pub definition: FromTo<Option<String>>,
}

/// The changes from one book to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// Name and revision of the first book, and of the second.
    pub books: FromTo<String>,
    /// The vocabularies' names, if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<FromTo<String>>,
    /// Observations that the books derive differently, or that only one of them derives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<DerivedChange>,
    /// Laws of the second book only.
    pub added: Vec<OneSided>,
    /// Laws of the first book only.
    pub removed: Vec<OneSided>,
    /// Laws of both that differ.
    pub changed: Vec<Changed>,
    /// The number of laws that are the same in both.
    pub unchanged: usize,
}

impl Diff {
    /// Returns whether the laws are the same; the revision and the text of the books do not count.
    pub fn is_empty(&self) -> bool {
        self.vocabulary.is_none()
            && self.derived.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.changed.is_empty()
    }
}

/// Compares two books, each with the vocabulary of its formulas.
pub fn diff(from: (&Book, &Arc<Vocabulary>), to: (&Book, &Arc<Vocabulary>)) -> Diff {
    let ((old, old_words), (new, new_words)) = (from, to);
    let vocabulary = (old_words.name() != new_words.name())
        .then(|| FromTo { from: old_words.name().to_owned(), to: new_words.name().to_owned() });
    // Formulas are compared over a vocabulary with the propositions of both books.
    let both = new_words.extended(old.derived().iter().map(DerivedEntry::proposition)).ok();
    let both = both.filter(|_| vocabulary.is_none());
    let meaning = |a: &Entry, b: &Entry| both.as_ref().map_or(Meaning::Unknown, |vocabulary| meaning(a, b, vocabulary));
    let mut changed = Vec::new();
    let mut unchanged = 0;
    for after in new.entries() {
        let Some(before) = old.entry(&after.id) else { continue };
        match compare(before, after, &meaning) {
            Some(change) => changed.push(change),
            None => unchanged += 1,
        }
    }
    let gone: Vec<&Entry> = old.entries().iter().filter(|entry| new.entry(&entry.id).is_none()).collect();
    let come: Vec<&Entry> = new.entries().iter().filter(|entry| old.entry(&entry.id).is_none()).collect();
    let one_sided = |entry: &Entry, others: &[&Entry]| OneSided {
        id: entry.id.to_string(),
        formula: entry.formula.to_string(),
        strength: entry.strength.to_string(),
        status: entry.status.to_string(),
        same_as: others
            .iter()
            .find(|other| entry.formula == other.formula || meaning(entry, other) == Meaning::Same)
            .map(|other| other.id.to_string()),
    };
    Diff {
        books: FromTo { from: old.id(), to: new.id() },
        derived: derived(old, new),
        added: come.iter().map(|entry| one_sided(entry, &gone)).collect(),
        removed: gone.iter().map(|entry| one_sided(entry, &come)).collect(),
        vocabulary,
        changed,
        unchanged,
    }
}

fn derived(old: &Book, new: &Book) -> Vec<DerivedChange> {
    let definition = |book: &Book, name: &str| {
        book.derived().iter().find(|entry| *entry.name == *name).map(|entry| entry.definition.to_string())
    };
    let added = new.derived().iter().filter(|entry| definition(old, &entry.name).is_none());
    let all = old.derived().iter().chain(added).map(|entry| &entry.name);
    let change = |name: &Arc<str>| {
        let definition = FromTo { from: definition(old, name), to: definition(new, name) };
        (definition.from != definition.to).then(|| DerivedChange { name: name.to_string(), definition })
    };
    all.filter_map(change).collect()
}

fn compare(before: &Entry, after: &Entry, meaning: &dyn Fn(&Entry, &Entry) -> Meaning) -> Option<Changed> {
    fn change<T: PartialEq + ToString>(from: &T, to: &T) -> Option<FromTo<String>> {
        (from != to).then(|| FromTo { from: from.to_string(), to: to.to_string() })
    }
    let same_text = before.formula_text == after.formula_text;
    let found = Changed {
        id: after.id.to_string(),
        formula: (!same_text).then(|| FromTo { from: before.formula.to_string(), to: after.formula.to_string() }),
        meaning: (!same_text)
            .then(|| if before.formula == after.formula { Meaning::Same } else { meaning(before, after) }),
        strength: change(&before.strength, &after.strength),
        status: (before.status != after.status).then(|| FromTo { from: status(before), to: status(after) }),
        explanation: change(&before.explanation, &after.explanation),
        provenance: before.provenance != after.provenance || before.note != after.note,
    };
    let nothing = Changed { id: found.id.clone(), ..Changed::default() };
    (found != nothing).then_some(found)
}

fn status(entry: &Entry) -> String {
    match entry.status.reason() {
        Some(reason) => format!("{} ({reason})", entry.status),
        None => entry.status.to_string(),
    }
}

/// Compares the meaning of two formulas.
fn meaning(a: &Entry, b: &Entry, vocabulary: &Vocabulary) -> Meaning {
    let apart = [a.formula.clone().xor(b.formula.clone())];
    match satisfiable(vocabulary, &apart, Beginning::AnyAction, WORK) {
        Ok(Satisfiability::Contradictory { .. }) => Meaning::Same,
        Ok(Satisfiability::Satisfiable { .. }) => Meaning::Different,
        Ok(Satisfiability::Undecided) | Err(_) => Meaning::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Reading;

    fn book(name: &str, laws: &[(&str, &str, &str)]) -> (Book, Arc<Vocabulary>) {
        let mut text = format!(
            "name = \"{name}\"\nrevision = 1\n[vocabulary]\nname = \"v\"\nobservations = {{ p = \"\", q = \"\" }}\nactions = {{ a = \"\", b = \"\" }}\n"
        );
        for (id, formula, rest) in laws {
            text.push_str(&format!("[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nexplanation = \"e\"\nprovenance = {{ origin = \"hand\" }}\n{rest}\n"));
        }
        let reading = Reading::parse(&text, name, &[]);
        let vocabulary = reading.vocabulary.clone().unwrap();
        (reading.into_book().unwrap(), vocabulary)
    }

    const SOFT: &str = "strength = \"soft\"\nstatus = \"adopted\"";
    const HARD: &str = "strength = \"hard\"\nstatus = \"adopted\"";
    const RETIRED: &str = "strength = \"soft\"\nstatus = \"retired\"\nreason = \"why not\"";

    #[test]
    fn every_kind_of_change_is_found() {
        let old = book(
            "old",
            &[
                ("same", "G(p -> X a)", SOFT),
                ("respelt", "G(p -> X !a)", SOFT),
                ("changed", "G(p -> F a)", SOFT),
                ("status", "G(q -> X a)", SOFT),
                ("gone", "F b", SOFT),
                ("renamed", "G !(p & X[!] b)", SOFT),
            ],
        );
        let new = book(
            "new",
            &[
                ("same", "G(p -> X a)", SOFT),
                ("respelt", "G(X !a | !p)", SOFT),
                ("changed", "G(p -> F b)", HARD),
                ("status", "G(q -> X a)", RETIRED),
                ("come", "F a", SOFT),
                ("new-name", "G(p -> X !b)", SOFT),
            ],
        );
        let found = diff((&old.0, &old.1), (&new.0, &new.1));
        insta::assert_json_snapshot!(found);
        assert!(!found.is_empty());
        assert!(diff((&old.0, &old.1), (&old.0, &old.1)).is_empty());
    }
}
