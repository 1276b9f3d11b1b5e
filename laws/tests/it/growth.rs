//! Bounds on the cost of checks, in units of work, as books grow.

use ltlcrit_laws::{CheckOptions, Code, MAX_DIAGNOSTICS, Reading, check_books};
use ltlcrit_verifier::Formula;
use ltlcrit_verifier::consistency::{AnyLaws, DEFAULT_BUDGET, DEFAULT_WORK, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;

use crate::generated::{book, general, guarded};

fn read(formulas: &[String]) -> Reading {
    Reading::parse(&book(formulas), "generated", &[])
}

/// Asks for every general law whether the others imply it.
fn general_work(count: usize) -> u64 {
    let reading = read(&general(count));
    let vocabulary = reading.vocabulary.clone().unwrap();
    let formulas: Vec<Formula> = reading.book.entries().iter().map(|entry| entry.formula.clone()).collect();
    let mut any = AnyLaws::new(&vocabulary, &formulas).unwrap();
    for law in 0..count {
        let others: Vec<usize> = (0..count).filter(|other| *other != law).collect();
        any.implied_by(law, &others, DEFAULT_WORK);
    }
    any.work()
}

/// Asks for every guarded law whether it changes anything and whether the others imply it.
fn guarded_work(count: usize) -> u64 {
    let reading = read(&guarded(count));
    let vocabulary = reading.vocabulary.clone().unwrap();
    let laws: Vec<_> =
        reading.book.entries().iter().map(|entry| recognise_all(&entry.formula, &vocabulary).unwrap()).collect();
    let mut system = LawSystem::new(&vocabulary, &laws, DEFAULT_BUDGET).unwrap();
    for law in 0..count {
        system.vacuous(law).unwrap();
        system.implied_by(law, &vec![true; count]).unwrap();
    }
    system.work()
}

#[test]
fn asking_about_every_law_is_quadratic_at_most() {
    // Each question covers all laws, so twice the laws cost four times as much; a cubic cost would grow eightfold.
    let (few, many) = (general_work(40), general_work(80));
    assert!(many < few * 6, "general: {few} and {many} units");
    let (few, many) = (guarded_work(250), guarded_work(500));
    assert!(many < few * 5, "guarded: {few} and {many} units");
}

#[test]
fn what_the_work_did_not_suffice_for_is_said() {
    let readings = [read(&general(12))];
    let undecided = |single_work| {
        let report = check_books(&readings, &CheckOptions { single_work, ..CheckOptions::default() });
        let open = report.findings.iter().filter(|one| one.code == Code::Undecided);
        open.map(|one| one.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(undecided(u64::MAX), Vec::<String>::new());
    assert_eq!(
        undecided(0),
        [
            "whether 12 of 12 laws change anything, or are implied by others, was not decided within the bounds: `law-0`, \
          `law-1`, `law-2`, `law-3`, `law-4` and 7 more"
        ]
    );
    assert_eq!(undecided(2_000).len(), 1, "some are decided, and the others are told");
}

#[test]
fn of_many_problems_the_first_are_told_and_the_others_counted() {
    let formulas: Vec<String> = guarded(1_000).iter().map(|formula| formula.replace('o', "obs_o")).collect();
    let reading = read(&formulas);
    assert_eq!(reading.diagnostics.len(), MAX_DIAGNOSTICS);
    // Beyond the limit, every unreadable law counts as one problem.
    assert!((980..1_000).contains(&reading.more), "{}", reading.more);
    assert_eq!((reading.book.entries().len(), reading.unreadable), (0, 1_000));
    let report = check_books(std::slice::from_ref(&reading), &CheckOptions::default());
    assert_eq!(report.findings.len(), MAX_DIAGNOSTICS + 1);
    assert!(report.findings.iter().any(|one| one.message == format!("it has {} more problems", reading.more)));
    let errors = reading.clone().into_book().unwrap_err().to_string();
    assert!(errors.ends_with(&format!("and {} more problems", reading.more)));
}

#[test]
fn a_book_on_one_line_is_read_as_any_other() {
    let text = book(&guarded(50));
    let (head, laws) = text.split_once("[[law]]").unwrap();
    let tables: Vec<String> = laws
        .split("[[law]]")
        .map(|law| format!("{{ {} }}", law.trim().lines().collect::<Vec<_>>().join(", ")))
        .collect();
    let one_line = format!("law = [{}]\n{head}", tables.join(", "));
    let reading = Reading::parse(&one_line, "line", &[]);
    assert_eq!(reading.diagnostics, []);
    let last = reading.book.entries().last().unwrap();
    let column = one_line[..one_line.find("law-49").unwrap()].rfind('{').unwrap() + 1;
    assert_eq!((last.place.line, last.place.column), (1, column));
}

/// Returns a book of one law over forty observations.
fn over_forty(formula: &str) -> Reading {
    let observations: Vec<String> = (0..40).map(|at| format!("p{at} = \"\"")).collect();
    let text = format!(
        "name = \"b\"\nrevision = 1\n[vocabulary]\nname = \"v\"\nobservations = {{ {} }}\nactions = {{ a = \"\", b = \"\" }}\n\
         [[law]]\nid = \"knot\"\nformula = \"{formula}\"\nstrength = \"hard\"\nexplanation = \"e\"\nstatus = \"adopted\"\n\
         provenance = {{ origin = \"hand\" }}\n",
        observations.join(", ")
    );
    let reading = Reading::parse(&text, "knot", &[]);
    assert_eq!(reading.diagnostics, [], "{formula}");
    reading
}

/// The check and the run agree: a law that no shield can monitor is reported, and any other law is checked.
#[test]
fn a_law_that_unfolds_without_end_is_checked_or_refused_by_name() {
    let xor = |part: &dyn Fn(usize) -> String| (0..40).map(part).collect::<Vec<_>>().join(" xor ");
    let plain = xor(&|at| format!("p{at}"));
    for (formula, expected) in [
        (format!("G({plain} -> X !a)"), vec![]),
        (format!("G(p0 -> X({plain}))"), vec![Code::NotGuarded]),
        (format!("F({plain})"), vec![Code::NotGuarded]),
        (format!("F(({plain}) | !({plain}))"), vec![Code::Vacuous, Code::NotGuarded]),
        (format!("F(({plain}) & !({plain}))"), vec![Code::Unsatisfiable, Code::NotGuarded]),
        (format!("G({})", xor(&|at| format!("F p{at}"))), vec![Code::TooIntricate, Code::NotGuarded]),
        (xor(&|at| format!("{} p{at}", "X ".repeat(at))), vec![Code::TooIntricate, Code::NotGuarded]),
    ] {
        let report = check_books(&[over_forty(&formula)], &CheckOptions::default());
        let found: Vec<Code> = report.findings.iter().map(|one| one.code).collect();
        assert_eq!(found, expected, "{formula}: {:?}", report.findings);
        assert!(report.findings.iter().all(|one| one.law.as_deref() == Some("knot")));
    }
}
