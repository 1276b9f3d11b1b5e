use ltlcrit_verifier::{Enforcement, Formula, Law, PropSet, Shield, ShieldOptions};
use proptest::prelude::*;

use super::*;

/// A book over two observations, `p` (implied by `q`), and three actions.
fn text(laws: &[(&str, &str, &str)]) -> String {
    let mut text = "name = \"b\"\nrevision = 1\n[vocabulary]\nname = \"v\"\nobservations = { p = \"\", q = \"\", r = \"\" }\nactions = { a = \"\", b = \"\", c = \"\" }\naxioms = [\"q -> p\"]\n".to_owned();
    for (id, strength, formula) in laws {
        text.push_str(&format!(
            "[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"{strength}\"\nexplanation = \"e\"\nstatus = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n"
        ));
    }
    text
}

fn checked(laws: &[(&str, &str, &str)]) -> Report {
    check_books(&[Reading::parse(&text(laws), "b.toml", &[])], &CheckOptions::default())
}

/// Returns the kind and the law of every finding, and the other laws it names.
fn found(report: &Report) -> Vec<(Code, String, Vec<String>)> {
    report
        .findings
        .iter()
        .map(|one| {
            let laws = one.laws.iter().map(|law| law.id.clone()).collect();
            (one.code, one.law.clone().unwrap_or_default(), laws)
        })
        .collect()
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_clean_book_is_proven_consistent() {
    let report = checked(&[("x", "hard", "G(p -> X !a)"), ("y", "soft", "G(q -> X(b | c))")]);
    assert_eq!(found(&report), []);
    let consistency = report.consistency.clone().unwrap();
    assert_eq!((consistency.hard, consistency.all), (ConsistencyVerdict::Consistent, ConsistencyVerdict::Consistent));
    assert_eq!((consistency.covered, consistency.complete, consistency.begins), (2, true, RunSatisfiability::Yes));
    assert!(report.is_clean());
}

/// The laws with a finding of this kind.
fn laws_with(report: &Report, code: Code) -> Vec<&str> {
    report.findings.iter().filter(|one| one.code == code).filter_map(|one| one.law.as_deref()).collect()
}

#[test]
fn laws_that_change_nothing_or_too_much_are_found() {
    let report = checked(&[
        ("never", "soft", "G(q & !p -> X a)"),
        ("nothing", "soft", "G(p -> X(a | b | c | action_stop))"),
        ("always", "soft", "G(p -> F(p | !p))"),
        ("valid", "soft", "F(p | !p)"),
        ("step", "soft", "X G(a | b | c | action_stop)"),
        ("axiom", "soft", "G(q -> p)"),
        ("impossible", "soft", "F p & G !p"),
    ]);
    assert_eq!(laws_with(&report, Code::Vacuous), ["never", "nothing", "always", "valid", "step", "axiom"]);
    assert_eq!(laws_with(&report, Code::Unsatisfiable), ["impossible"]);
    let others = [Code::Implied, Code::Undecided, Code::Contradiction];
    assert!(!report.findings.iter().any(|one| others.contains(&one.code)), "{:?}", found(&report));
    assert_eq!(report.consistency.unwrap().begins, RunSatisfiability::Never);
}

/// At the last letter `X` holds of anything.
#[test]
fn a_law_that_a_weak_next_makes_vacuous_is_offered_the_strong_one() {
    for (law, help) in [("F X a", "write `F X[!] a`"), ("F(p | !p)", "correct the law or retire it")] {
        let report = checked(&[("law", "soft", law)]);
        assert_eq!(laws_with(&report, Code::Vacuous), ["law"]);
        assert!(report.findings[0].help.as_deref().unwrap().ends_with(help), "{law}");
    }
}

/// Letter 0 has no action, so only a law that demands one there is unsatisfiable.
#[test]
fn a_law_that_demands_an_action_of_letter_zero_is_unsatisfiable_and_told_why() {
    for law in ["G(a | b | c | action_stop)", "a", "(p -> a) & (!p -> b)", "G(p <-> a) & F p & G p"] {
        let report = checked(&[("law", "soft", law)]);
        let kinds: Vec<Code> = report.findings.iter().map(|one| one.code).collect();
        assert_eq!(kinds, [Code::Unsatisfiable, Code::NotGuarded], "{law}");
        assert_eq!(report.findings[0].severity, Severity::Error);
        let help = report.findings[0].help.as_deref().unwrap();
        assert!(help.starts_with("letter 0, the state a run begins in, has no action"), "{law}: {help}");
        assert_eq!(report.consistency.unwrap().begins, RunSatisfiability::Never);
    }
    let elsewhere = checked(&[("law", "soft", "X false & X[!] true")]);
    assert_eq!(elsewhere.findings[0].help.as_deref(), Some("correct the law or retire it"));
}

#[test]
fn a_law_that_is_not_decided_is_a_finding_of_its_own() {
    let laws = [("soon", "hard", "G(p -> F a)"), ("form", "soft", "G(p -> X !b)")];
    let tight = CheckOptions { work: 3, ..CheckOptions::default() };
    let report = check_books(&[Reading::parse(&text(&laws), "b.toml", &[])], &tight);
    assert_eq!(laws_with(&report, Code::Undecided), ["soon", "form"]);
    assert!(!report.is_clean());
    let soon = report.findings.iter().find(|one| one.law.as_deref() == Some("soon")).unwrap();
    assert_eq!(
        soon.message,
        "whether it changes anything, or is implied by others, was not decided within 3 units of work"
    );
}

#[test]
fn implied_laws_are_found_with_what_implies_them() {
    let report = checked(&[
        ("no-a", "soft", "G(p -> X !a)"),
        ("no-b", "soft", "G(r -> X !b)"),
        ("both", "soft", "G(q & r -> X(!a & !b))"),
        ("twin", "soft", "G(X !a | !p)"),
    ]);
    // Without `twin`, `no-a` would be needed, and the other way round.
    let implied = found(&report);
    assert!(implied.contains(&(Code::Implied, "twin".to_owned(), strings(&["no-a"]))), "{implied:?}");
    assert!(implied.iter().any(|(_, law, by)| law == "both" && by.len() == 2), "{implied:?}");
    assert_eq!(implied.len(), 2);
}

#[test]
fn a_hard_law_is_not_implied_by_soft_ones() {
    let laws = |first, second| [("one", first, "G(p -> X !a)"), ("two", second, "G(q -> X !a)")];
    assert_eq!(found(&checked(&laws("soft", "hard"))), []);
    assert_eq!(found(&checked(&laws("hard", "soft"))), [(Code::Implied, "two".to_owned(), strings(&["one"]))]);
}

#[test]
fn laws_of_any_kind_are_compared() {
    let report = checked(&[("soon", "hard", "G(p -> F a)"), ("someday", "soft", "p -> F a"), ("other", "soft", "F b")]);
    let kinds = found(&report);
    assert!(kinds.contains(&(Code::Implied, "someday".to_owned(), strings(&["soon"]))), "{kinds:?}");
    assert_eq!(kinds.iter().filter(|(kind, ..)| *kind == Code::NotGuarded).count(), 3);
    assert_eq!(kinds.len(), 4);
    let consistency = report.consistency.unwrap();
    assert_eq!(consistency.covered, 3);
}

#[test]
fn a_law_of_general_form_may_imply_one_of_the_form() {
    let report =
        checked(&[("never-a", "hard", "G !a"), ("seldom-a", "soft", "G(p -> X !a)"), ("b", "soft", "G(q -> X !b)")]);
    let implied: Vec<_> = found(&report).into_iter().filter(|(kind, ..)| *kind == Code::Implied).collect();
    assert_eq!(implied, [(Code::Implied, "seldom-a".to_owned(), strings(&["never-a"]))]);
}

#[test]
fn contradictions_are_found_from_the_first_step() {
    let report = checked(&[("do", "hard", "F a"), ("p", "soft", "G(p -> X !b)"), ("never", "hard", "G !a")]);
    let contradiction = (Code::Contradiction, String::new(), strings(&["do", "never"]));
    assert!(found(&report).contains(&contradiction), "{:?}", found(&report));
    assert_eq!(report.consistency.unwrap().begins, RunSatisfiability::Never);
    let stopping = checked(&[("a", "hard", "G X !a"), ("b", "hard", "G X(!b & !c)")]);
    assert_eq!(stopping.consistency.as_ref().unwrap().begins, RunSatisfiability::OnlyToStop);
    let kinds: Vec<Code> = stopping.findings.iter().map(|one| one.code).collect();
    assert_eq!(kinds, [Code::Contradiction, Code::OverConstrained]);
}

#[test]
fn every_minimal_conflict_is_reported_with_its_witness_the_hard_ones_first() {
    let report = checked(&[
        ("a", "hard", "G(p -> X a)"),
        ("b", "soft", "G(q -> X b)"),
        ("c", "hard", "G(r -> X c)"),
        ("d", "soft", "G(r -> X !a)"),
    ]);
    let consistency = report.consistency.clone().unwrap();
    assert_eq!(
        (consistency.hard, consistency.all),
        (ConsistencyVerdict::OverConstrained, ConsistencyVerdict::OverConstrained)
    );
    let conflicts: Vec<(Vec<&str>, &[String], bool)> = consistency
        .conflicts
        .iter()
        .map(|one| {
            (one.laws.iter().map(|law| law.id.as_str()).collect(), one.witness.as_slice(), one.gives_way.is_none())
        })
        .collect();
    assert_eq!(
        conflicts,
        [
            (vec!["a", "c"], strings(&["p", "r"]).as_slice(), true),
            (vec!["a", "b"], strings(&["p", "q"]).as_slice(), false),
            (vec!["a", "d"], strings(&["p", "r"]).as_slice(), false),
            (vec!["b", "c"], strings(&["p", "q", "r"]).as_slice(), false),
        ]
    );
    assert!(consistency.complete);
    let few = CheckOptions { most_conflicts: 2, ..CheckOptions::default() };
    let laws = [("a", "hard", "G(p -> X a)"), ("b", "soft", "G(q -> X b)"), ("c", "hard", "G(r -> X c)")];
    let some = check_books(&[Reading::parse(&text(&laws), "b.toml", &[])], &few).consistency.unwrap();
    assert_eq!((some.conflicts.len(), some.complete), (2, false));
}

#[test]
fn laws_that_cannot_be_read_do_not_hide_the_others() {
    let report = checked(&[
        ("bad", "hard", "G(p -> "),
        ("odd", "hard", "G(p -> X !aa)"),
        ("a", "hard", "G(p -> X a)"),
        ("b", "hard", "G(p -> X b)"),
    ]);
    let kinds: Vec<Code> = report.findings.iter().map(|one| one.code).collect();
    assert_eq!(kinds[..2], [Code::Syntax, Code::UnknownProposition]);
    assert!(kinds.contains(&Code::OverConstrained), "{kinds:?}");
    assert_eq!(report.books[0].unreadable, 2);
}

#[test]
fn proposed_laws_count_only_when_asked_for() {
    let laws = [("a", "hard", "G(p -> X a)"), ("b", "hard", "G(p -> X b)")];
    let proposed = text(&laws).replacen("adopted", "proposed", 1);
    let readings = [Reading::parse(&proposed, "b.toml", &[])];
    assert!(check_books(&readings, &CheckOptions::default()).is_clean());
    let report = check_books(&readings, &CheckOptions { proposed: true, ..CheckOptions::default() });
    assert_eq!(report.consistency.unwrap().all, ConsistencyVerdict::OverConstrained);
}

#[test]
fn books_are_checked_together_if_they_speak_one_vocabulary() {
    let one = Reading::parse(&text(&[("a", "hard", "G(p -> X a)")]), "one.toml", &[]);
    let two = Reading::parse(&text(&[("b", "hard", "G(p -> X b)")]), "two.toml", &[]);
    let together = check_books(&[one.clone(), two], &CheckOptions::default());
    assert_eq!(together.consistency.unwrap().hard, ConsistencyVerdict::OverConstrained);
    let same_id = Reading::parse(&text(&[("a", "hard", "G(q -> X b)")]), "three.toml", &[]);
    let clash = check_books(&[one.clone(), same_id], &CheckOptions::default());
    assert!(clash.findings.iter().any(|finding| finding.message == "the id `a` is also in the book `one.toml`"));
    let other = Reading::parse(&text(&[]).replace("r = \"\"", "s = \"\""), "other.toml", &[]);
    let apart = check_books(&[one, other], &CheckOptions::default());
    assert!(apart.consistency.is_none() && !apart.is_clean());
}

#[test]
fn axioms_that_contradict_each_other_leave_nothing_to_check() {
    let text = text(&[("a", "hard", "G(p -> X a)")]).replace("[\"q -> p\"]", "[\"p\", \"!p\"]");
    let report = check_books(&[Reading::parse(&text, "b.toml", &[])], &CheckOptions::default());
    assert_eq!(report.findings[0].code, Code::Vocabulary);
    assert!(report.consistency.is_none());
}

#[test]
fn questions_beyond_the_budget_are_errors() {
    let tight = CheckOptions { work: 0, ..CheckOptions::default() };
    let report = check_books(&[Reading::parse(&text(&[("a", "hard", "F a")]), "b.toml", &[])], &tight);
    assert!(report.findings.iter().any(|one| one.code == Code::Undecided && one.severity == Severity::Error));
    assert_eq!(report.consistency.unwrap().begins, RunSatisfiability::Undecided);
}

fn pattern() -> impl Strategy<Value = Formula> {
    let atom = || prop::sample::select(&["p", "q", "r", "a", "b", "c"][..]).prop_map(Formula::atom);
    (atom(), atom(), 0..8u8).prop_map(|(a, b, kind)| match kind {
        0 => a.finally(),
        1 => a.not().globally(),
        2 => a.implies(b.finally()).globally(),
        3 => a.not().weak_until(b),
        4 => a.implies(b.not().globally()).globally(),
        5 => a.implies(b.next()).globally(),
        6 => a.until(b),
        _ => a.implies(b.not().next()).globally(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_check_and_the_shield_agree(formulas in prop::collection::vec(pattern(), 1..9)) {
        let texts: Vec<String> = formulas.iter().map(Formula::to_string).collect();
        let ids: Vec<String> = (0..texts.len()).map(|at| format!("law-{at}")).collect();
        let laws: Vec<(&str, &str, &str)> =
            ids.iter().zip(&texts).map(|(id, text)| (id.as_str(), "hard", text.as_str())).collect();
        let reading = Reading::parse(&text(&laws), "b.toml", &[]);
        let vocabulary = reading.vocabulary.clone().unwrap();
        let begins = check_books(&[reading], &CheckOptions::default()).consistency.unwrap().begins;
        let laws = ids.iter().zip(formulas).map(|(id, formula)| Law::hard(id.as_str(), formula, "")).collect();
        let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
        let (mut acts, mut stops) = (false, false);
        for names in [&[][..], &["p"], &["r"], &["p", "r"], &["p", "q"], &["p", "q", "r"]] {
            let observations: PropSet = vocabulary.set(names.iter().copied()).unwrap();
            // The shield would continue without a letter 0 that breaks a law.
            if !shield.start(observations).unwrap().is_empty() {
                continue;
            }
            let decision = shield.decide();
            let undecided = matches!(decision.enforcement, Enforcement::Undecided { .. });
            prop_assert!(!undecided);
            acts |= decision.enforcement == Enforcement::All;
            stops |= vocabulary.stop().is_some_and(|stop| decision.allowed.contains(stop));
        }
        let expected = match (acts, stops) {
            (true, _) => RunSatisfiability::Yes,
            (false, true) => RunSatisfiability::OnlyToStop,
            (false, false) => RunSatisfiability::Never,
        };
        prop_assert_eq!(begins, expected);
    }
}

/// The laws leave no action where `r` holds without `p`; an invariant excludes that state.
#[test]
fn an_invariant_keeps_the_proof_to_reachable_states() {
    let laws = [("low", "hard", "G(!p -> X a)"), ("high", "hard", "G(r -> X(b | c))")];
    let without = text(&laws);
    let report = checked(&laws);
    assert_eq!(report.consistency.unwrap().hard, ConsistencyVerdict::OverConstrained);
    let with = without.replace("[\"q -> p\"]", "[\"q -> p\", { formula = \"r -> p\", reason = \"p is never lost\" }]");
    let report = check_books(&[Reading::parse(&with, "b.toml", &[])], &CheckOptions::default());
    assert_eq!((found(&report), report.consistency.unwrap().hard), (vec![], ConsistencyVerdict::Consistent));
}

/// Checks twelve laws of a coding agent: three guarded ones, precedence, goals, counting, and one about an action's own
/// outcome.
fn coding_agent() -> Report {
    let book = include_str!("../../tests/fixtures/coding-agent.toml");
    check_books(&[Reading::parse(book, "coding-agent.toml", &[])], &CheckOptions::default())
}

#[test]
fn the_proof_covers_all_laws_of_a_coding_agent() {
    let report = coding_agent();
    let consistency = report.consistency.clone().unwrap();
    assert_eq!((consistency.hard, consistency.all), (ConsistencyVerdict::Consistent, ConsistencyVerdict::Consistent));
    assert_eq!((consistency.laws, consistency.covered, consistency.left_out), (12, 12, vec![]));
    let by_outcome: Vec<&str> = consistency.by_outcome.iter().map(|law| &*law.id).collect();
    assert_eq!(by_outcome, ["merge-approved"]);
    let guarded = 12 - report.findings.iter().filter(|one| one.code == Code::NotGuarded).count();
    assert_eq!(guarded, 3);
}

#[test]
fn a_law_that_judges_an_action_by_its_outcome_is_a_finding_with_what_is_meant() {
    let report = coding_agent();
    assert_eq!(laws_with(&report, Code::SameLetter), ["merge-approved"]);
    let finding = report.findings.iter().find(|one| one.code == Code::SameLetter).unwrap();
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(
        finding.help.as_deref(),
        Some("to judge the action by what holds before it, write `G(!approved -> X !merge)`")
    );
}

#[test]
fn an_unsatisfiable_law_hides_nothing() {
    let report = checked(&[
        ("impossible", "hard", "F p & G !p"),
        ("soon", "hard", "F a"),
        ("never", "hard", "G !a"),
        ("first", "hard", "!b W c"),
        ("later", "soft", "!b W (c | b & p)"),
        ("answer", "soft", "G(p -> F c)"),
        ("someday", "soft", "p -> F c"),
    ]);
    assert_eq!(laws_with(&report, Code::Unsatisfiable), ["impossible"]);
    let found = found(&report);
    assert!(found.contains(&(Code::Contradiction, String::new(), strings(&["soon", "never"]))), "{found:?}");
    assert!(found.contains(&(Code::Implied, "later".to_owned(), strings(&["first"]))), "{found:?}");
    assert!(found.contains(&(Code::Implied, "someday".to_owned(), strings(&["answer"]))), "{found:?}");
    let consistency = report.consistency.unwrap();
    assert_eq!(consistency.begins, RunSatisfiability::Never);
    let left_out: Vec<(&str, &str)> = consistency.left_out.iter().map(|left| (&*left.law.id, &*left.why)).collect();
    assert_eq!(
        left_out,
        [("impossible", "no run can satisfy it"), ("never", "it contradicts others from the first step")]
    );
}

#[test]
fn several_contradictions_are_all_reported() {
    let report =
        checked(&[("a", "hard", "F a"), ("not-a", "hard", "G !a"), ("b", "hard", "F b"), ("not-b", "soft", "G !b")]);
    let mut pairs: Vec<Vec<String>> =
        found(&report).into_iter().filter(|(code, ..)| *code == Code::Contradiction).map(|(.., laws)| laws).collect();
    pairs.sort();
    assert_eq!(pairs, [strings(&["a", "not-a"]), strings(&["b", "not-b"])]);
}

#[test]
fn laws_with_a_memory_that_leave_nothing_are_found_with_a_run() {
    let report = checked(&[("first", "hard", "!(a | b) W c"), ("now", "hard", "G(r -> X(a | b))")]);
    let consistency = report.consistency.unwrap();
    assert_eq!((consistency.hard, consistency.covered), (ConsistencyVerdict::OverConstrained, 2));
    let [conflict] = consistency.conflicts.as_slice() else { panic!("{:?}", consistency.conflicts) };
    assert_eq!(conflict.laws.iter().map(|law| &*law.id).collect::<Vec<_>>(), ["first", "now"]);
    assert_eq!(conflict.run, [strings(&["r"])]);
}

#[test]
fn laws_beyond_the_bounds_are_left_out_with_the_reason() {
    let long = "F(a & p & X F(b & q & X F(c & r & X F(a & q & X F(b & r)))))";
    let tight = CheckOptions { work: 200, ..CheckOptions::default() };
    let readings = [Reading::parse(&text(&[("long", "hard", long), ("form", "hard", "G(p -> X !b)")]), "b.toml", &[])];
    let consistency = check_books(&readings, &tight).consistency.unwrap();
    assert_eq!((consistency.hard, consistency.covered), (ConsistencyVerdict::Consistent, 1));
    assert_eq!(consistency.left_out[0].why, "the budget ran out");
}
