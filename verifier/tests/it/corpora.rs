//! Collections of formulas, and words with verdicts on which two other evaluators agreed.
//!
//! A small part of them is stored beside this test. The whole is outside the repository, and the tests say so if it is
//! missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ltlcrit_verifier::semantics::holds_at;
use ltlcrit_verifier::syntax::{parse, parse_infix, parse_prefix};
use ltlcrit_verifier::{Formula, Monitor, Verdict, Vocabulary, Word};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/formulas");

/// Returns the folder of the whole collections, if it exists.
fn shared() -> Option<PathBuf> {
    let path = Path::new(SHARED);
    if !path.is_dir() {
        eprintln!("SKIPPED: {SHARED} is not there; only the fixtures of this crate were tested");
        return None;
    }
    Some(path.to_owned())
}

fn folders() -> Vec<PathBuf> {
    [PathBuf::from(FIXTURES)].into_iter().chain(shared()).collect()
}

/// Returns the formulas of a collection, one a line, without comments, with the line numbers.
fn lines(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap();
    let formulas = text.lines().enumerate().map(|(number, line)| {
        let formula = line.split('#').next().unwrap_or_default().trim();
        (number + 1, formula.to_owned())
    });
    formulas.filter(|(_, formula)| !formula.is_empty()).collect()
}

fn collections(extension: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = folders()
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    paths
}

fn round_trips(formula: &Formula, at: &str) {
    assert_eq!(&parse_infix(&formula.to_string()).unwrap(), formula, "{at}");
    assert_eq!(&parse(&formula.to_string()).unwrap(), formula, "{at}");
    assert_eq!(&parse_prefix(&formula.to_prefix()).unwrap(), formula, "{at}");
    assert_eq!(&parse(&formula.to_prefix()).unwrap(), formula, "{at}");
}

#[test]
fn every_collection_reads_and_round_trips() {
    let mut count = 0;
    for path in collections("ltl") {
        for (line, text) in lines(&path) {
            let at = format!("{}:{line}: {text}", path.display());
            let formula = parse_infix(&text).unwrap_or_else(|error| panic!("{at}\n{}", error.render()));
            assert_eq!(parse(&text).as_ref(), Ok(&formula), "{at}");
            round_trips(&formula, &at);
            count += 1;
        }
    }
    for path in collections("lbt") {
        for (line, text) in lines(&path) {
            let at = format!("{}:{line}: {text}", path.display());
            let formula = parse_prefix(&text).unwrap_or_else(|error| panic!("{at}\n{}", error.render()));
            assert_eq!(parse(&text).as_ref(), Ok(&formula), "{at}");
            assert_eq!(formula.to_prefix(), text, "{at}");
            round_trips(&formula, &at);
            count += 1;
        }
    }
    println!("{count} formulas");
    assert!(count >= 77, "only {count} formulas were found");
}

/// The two notations of one collection contain the same formulas in the same order.
#[test]
fn infix_and_prefix_collections_agree() {
    let Some(shared) = shared() else { return };
    for name in ["safetychip10", "robotic_missions"] {
        let infix = lines(&shared.join(name).with_extension("ltl"));
        let prefix = lines(&shared.join(name).with_extension("lbt"));
        assert_eq!(infix.len(), prefix.len(), "{name}");
        for ((line, infix), (_, prefix)) in infix.iter().zip(&prefix) {
            assert_eq!(parse(infix), parse(prefix), "{name}, formula of line {line}");
        }
    }
}

/// A word with the verdicts of other evaluators.
struct Row {
    at: String,
    set: String,
    formula: Formula,
    word: Word,
    cycle: Word,
    weak: bool,
    strong: bool,
    lasso: bool,
    ltl3: String,
    rv: String,
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for path in folders().iter().map(|folder| folder.join("verdicts.tsv")) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            if line.starts_with('#') {
                continue;
            }
            let at = format!("{}:{}", path.display(), number + 1);
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns.len(), 10, "{at}");
            let formula = parse_infix(columns[1]).unwrap_or_else(|error| panic!("{at}\n{}", error.render()));
            assert_eq!(parse_prefix(columns[2]).as_ref(), Ok(&formula), "{at}");
            assert_eq!(parse(columns[2]).as_ref(), Ok(&formula), "{at}");
            assert_eq!(parse(columns[1]).as_ref(), Ok(&formula), "{at}");
            round_trips(&formula, &at);
            rows.push(Row {
                set: columns[0].to_owned(),
                formula,
                word: Word::parse(columns[3]).unwrap_or_else(|error| panic!("{at}\n{}", error.render())),
                cycle: Word::parse(columns[4]).unwrap_or_else(|error| panic!("{at}\n{}", error.render())),
                weak: columns[5] == "1",
                strong: columns[6] == "1",
                lasso: columns[7] == "1",
                ltl3: columns[8].to_owned(),
                rv: columns[9].to_owned(),
                at,
            });
        }
    }
    assert!(rows.len() >= 104);
    rows
}

fn satisfies(formula: &Formula, word: &Word) -> bool {
    holds_at(formula, 0, word.len(), &|name, position| word.holds(name, position))
}

/// Replaces the operators of a formula from the leaves up.
fn map(formula: &Formula, change: &dyn Fn(Formula) -> Formula) -> Formula {
    use Formula::*;
    let go = |a: &Formula| map(a, change);
    change(match formula {
        True => True,
        False => False,
        Atom(name) => Atom(name.clone()),
        Not(a) => go(a).not(),
        Next(a) => go(a).next(),
        StrongNext(a) => go(a).strong_next(),
        Globally(a) => go(a).globally(),
        Finally(a) => go(a).finally(),
        And(a, b) => go(a).and(go(b)),
        Or(a, b) => go(a).or(go(b)),
        Implies(a, b) => go(a).implies(go(b)),
        Iff(a, b) => go(a).iff(go(b)),
        Xor(a, b) => go(a).xor(go(b)),
        Until(a, b) => go(a).until(go(b)),
        WeakUntil(a, b) => go(a).weak_until(go(b)),
        Release(a, b) => go(a).release(go(b)),
        StrongRelease(a, b) => go(a).strong_release(go(b)),
        // The collections have no other operators.
        other => other.clone(),
    })
}

/// Makes every `X` strong, which is the meaning of `X` in the second column of acceptance.
fn with_strong_next(formula: &Formula) -> Formula {
    map(formula, &|formula| match formula {
        Formula::Next(a) => Formula::StrongNext(a),
        other => other,
    })
}

fn any(formula: &Formula, wanted: &dyn Fn(&Formula) -> bool) -> bool {
    wanted(formula) || formula.children().any(|child| any(child, wanted))
}

fn has_next(formula: &Formula) -> bool {
    any(formula, &|formula| matches!(formula, Formula::Next(_) | Formula::StrongNext(_)))
}

/// Returns whether the formula is syntactically safe, so that no continuation repairs a word that violates it. With
/// `negated`, the same for its negation.
fn is_safe(formula: &Formula, negated: bool) -> bool {
    use Formula::*;
    match formula {
        True | False | Atom(_) => true,
        Not(a) => is_safe(a, !negated),
        And(a, b) | Or(a, b) => is_safe(a, negated) && is_safe(b, negated),
        Implies(a, b) => is_safe(a, !negated) && is_safe(b, negated),
        Iff(a, b) | Xor(a, b) => [a, b].iter().all(|side| is_safe(side, false) && is_safe(side, true)),
        Next(a) | Globally(a) => !negated && is_safe(a, negated),
        StrongNext(a) | Finally(a) => negated && is_safe(a, negated),
        WeakUntil(a, b) | Release(a, b) => !negated && is_safe(a, negated) && is_safe(b, negated),
        Until(a, b) | StrongRelease(a, b) => negated && is_safe(a, negated) && is_safe(b, negated),
        _ => false,
    }
}

#[test]
fn the_definition_agrees_on_acceptance() {
    for row in rows() {
        assert_eq!(satisfies(&row.formula, &row.word), row.weak, "weak X, {}", row.at);
        assert_eq!(satisfies(&with_strong_next(&row.formula), &row.word), row.strong, "strong X, {}", row.at);
    }
}

/// The formulas with verdicts come from the collections, in which they have few parentheses. So this compares
/// precedence and association with another parser's.
#[test]
fn few_and_many_parentheses_read_alike() {
    let Some(shared) = shared() else { return };
    let mut collections: BTreeMap<String, BTreeSet<Formula>> = BTreeMap::new();
    let mut checked = BTreeSet::new();
    for row in rows() {
        let collection = collections.entry(row.set.clone()).or_insert_with(|| {
            let path = shared.join(&row.set).with_extension("ltl");
            lines(&path).iter().map(|(_, text)| parse_infix(text).unwrap()).collect()
        });
        assert!(collection.contains(&row.formula), "{}: {} is not in {}", row.at, row.formula, row.set);
        checked.insert(row.formula);
    }
    println!("{} formulas", checked.len());
}

/// The last two columns are about the *infinite* continuations of the word. These relations to the acceptance of the
/// finite word must hold:
///
/// * A formula without `X` accepts a finite word iff it holds on the word with its last letter repeated forever. So
///   acceptance excludes "no infinite continuation", rejection excludes "every one", and a cycle of that letter alone
///   decides acceptance.
/// * A syntactically safe formula that rejects has no continuation at all. If the negation of a formula that accepts is
///   safe, every continuation satisfies it.
/// * If infinite words decide nothing, RV-LTL presumes acceptance with strong `X`.
#[test]
fn infinite_words_relate_to_acceptance() {
    let mut seen = [0; 5];
    for row in rows() {
        let at = format!("{}: {} on {}", row.at, row.formula, row.word);
        if !has_next(&row.formula) {
            let accepted = satisfies(&row.formula, &row.word);
            assert!(row.ltl3 != if accepted { "F" } else { "T" }, "{at}");
            seen[0] += 1;
            let last = row.word.letters().last();
            if row.cycle.letters().iter().all(|letter| Some(letter) == last) {
                assert_eq!(satisfies(&row.formula, &row.word), row.lasso, "{at}");
                seen[1] += 1;
            }
        }
        if is_safe(&row.formula, false) && !satisfies(&row.formula, &row.word) {
            assert_eq!((&*row.ltl3, row.lasso), ("F", false), "{at}");
            seen[2] += 1;
        }
        let strong = with_strong_next(&row.formula);
        if is_safe(&strong, true) && satisfies(&strong, &row.word) {
            assert_eq!((&*row.ltl3, row.lasso), ("T", true), "{at}");
            seen[3] += 1;
        }
        if row.ltl3 == "?" {
            assert_eq!(if satisfies(&strong, &row.word) { "Tp" } else { "Fp" }, row.rv, "{at}");
            seen[4] += 1;
        }
    }
    println!("rows per relation: {seen:?}");
    assert!(seen.iter().all(|count| *count >= 4), "{seen:?}");
}

/// Returns the verdict of a monitor after every letter of a word.
fn verdicts(formula: &Formula, word: &Word) -> Vec<Verdict> {
    let vocabulary = Arc::new(Vocabulary::plain("formula", formula.atoms()).unwrap());
    let mut monitor = Monitor::new(formula, vocabulary.clone()).unwrap();
    let verdicts = word.over(&vocabulary).map(|letter| monitor.advance(&letter)).collect();
    assert_eq!(monitor.undecided(), 0, "{formula}");
    verdicts
}

#[test]
fn monitors_agree_on_acceptance() {
    for row in rows() {
        let at = format!("{}: {} on {}", row.at, row.formula, row.word);
        let verdicts = verdicts(&row.formula, &row.word);
        assert_eq!(verdicts.last().unwrap().accepts(), row.weak, "{at}");
        let strong = with_strong_next(&row.formula);
        assert_eq!(self::verdicts(&strong, &row.word).last().unwrap().accepts(), row.strong, "strong X, {at}");
        for (length, verdict) in verdicts.iter().enumerate() {
            let prefix = Word::from_letters(row.word.letters()[..=length].to_vec());
            assert_eq!(verdict.accepts(), satisfies(&row.formula, &prefix), "{at}, {} letters", length + 1);
        }
        for pair in verdicts.windows(2) {
            let last = matches!(pair[0], Verdict::Violated | Verdict::Satisfied);
            assert!(!last || pair[0] == pair[1], "{at}: {pair:?}");
        }
    }
}

/// The consequences of infinite continuations for the four-valued verdict, by the relations above:
///
/// * Without `X`: if no infinite continuation satisfies the formula, no finite one does; if all do, all finite ones do.
/// * A syntactically safe formula that rejects is violated; if the negation of a formula that accepts is safe, it is
///   satisfied.
///
/// The converses do not hold: `G F a & G F !a` has infinite models but not a finite one, and `F X false` the reverse.
#[test]
fn infinite_words_relate_to_verdicts() {
    let mut seen = [0; 4];
    for row in rows() {
        let at = format!("{}: {} on {}", row.at, row.formula, row.word);
        let verdict = *verdicts(&row.formula, &row.word).last().unwrap();
        if !has_next(&row.formula) && row.ltl3 == "F" {
            assert_eq!(verdict, Verdict::Violated, "{at}");
            seen[0] += 1;
        }
        if !has_next(&row.formula) && row.ltl3 == "T" {
            assert_eq!(verdict, Verdict::Satisfied, "{at}");
            seen[1] += 1;
        }
        if is_safe(&row.formula, false) && !row.weak {
            assert_eq!(verdict, Verdict::Violated, "{at}");
            seen[2] += 1;
        }
        if is_safe(&row.formula, true) && row.weak {
            assert_eq!(verdict, Verdict::Satisfied, "{at}");
            seen[3] += 1;
        }
    }
    println!("rows per relation: {seen:?}");
    assert!(seen.iter().all(|count| *count >= 4), "{seen:?}");
}
