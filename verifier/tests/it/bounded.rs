//! Formulas that unfold without end, each judged or refused within a number of units of work; no clock is read.

use std::fmt::Write as _;
use std::sync::Arc;

use ltlcrit_verifier::consistency::{AnyLaws, Beginning, Consistency, DEFAULT_BUDGET, LawSystem, Satisfiability};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::monitor::MAX_WORK;
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::syntax::{MAX_DEPTH, MAX_LENGTH, parse};
use ltlcrit_verifier::{
    ActionId, CompiledLaws, Enforcement, Formula, Judgement, Law, Letter, Monitor, PropId, PropSet, Shield,
    ShieldOptions, Vocabulary,
};

use crate::brute::read;

const OBSERVATIONS: usize = 200;

/// Returns a vocabulary of two hundred observations and twenty actions.
fn vocabulary() -> Arc<Vocabulary> {
    let builder = Vocabulary::builder("large").observations((0..OBSERVATIONS).map(|at| format!("p{at}")));
    Arc::new(builder.actions((0..20).map(|at| format!("a{at}"))).build().unwrap())
}

/// Returns `count` terms joined by an operator; `part` writes each term.
fn chain(operator: &str, count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(&format!(" {operator} "))
}

fn p(at: usize) -> String {
    format!("p{at}")
}

/// Returns `count` terms nested to the left by an operator that is not associative.
fn nested(operator: &str, count: usize, part: impl Fn(usize) -> String) -> String {
    (1..count).fold(part(0), |inner, at| format!("({inner}) {operator} {}", part(at)))
}

/// Returns the name and text of every formula.
fn intricate() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: String| all.push((name.to_owned(), text));
    for count in [12, 28, 40, 200] {
        let xor = chain("xor", count, p);
        add(&format!("guard of {count} xor"), format!("G({xor} -> X !a0)"));
        add(&format!("{count} xor now"), xor.clone());
        add(&format!("{count} xor next"), format!("G(p0 -> X({xor}))"));
        add(&format!("{count} xor some day"), format!("F({xor})"));
        add(&format!("{count} xor until {count} iff"), format!("({xor}) U ({})", nested("<->", count, p)));
        add(&format!("{count} iff released by xor"), format!("({xor}) R ({})", nested("<->", count, p)));
        add(&format!("{count} iff of next"), nested("<->", count, |at| format!("X {}", p(at))));
        add(&format!("{count} promises xor"), format!("G({})", chain("xor", count, |at| format!("F {}", p(at)))));
        add(&format!("{count} promises"), chain("&", count, |at| format!("F {}", p(at))));
        add(&format!("{count} promises of xor"), chain("&", count, |at| format!("F({} xor {})", p(at), p(at / 2))));
        add(&format!("{count} U to the right"), chain("U", count, p));
        add(&format!("{count} U to the left"), nested("U", count, p));
        add(&format!("{count} alternating"), nested("R", count, |at| format!("(p{at} U p{})", at / 3)));
        add(&format!("{count} answers"), chain("&", count, |at| format!("G(p{at} -> F p{})", (at + 1) % OBSERVATIONS)));
        add(&format!("{count} conjunctions"), chain("|", count, |at| format!("(F p{at} & G p{})", (at + 1) % 200)));
        add(
            &format!("{count} choices next"),
            chain("&", count, |at| format!("X(p{at} | X p{} | p{})", at / 2, at / 3)),
        );
    }
    // There are few propositions, so only the path through the formula gets long.
    let two = nested("xor", 400, |at| p(at % 2));
    add("two propositions in 400 xor", format!("G({two} -> X !a0)"));
    add("two propositions in 400 iff", format!("G({} -> X a1)", nested("<->", 400, |at| p(at % 2))));
    add("two promises in 400 iff", nested("<->", 400, |at| format!("F p{}", at % 2)));
    add("actions in 20 xor", format!("G(p0 -> X({}))", chain("xor", 20, |at| format!("a{at}"))));
    add("actions in 400 xor", format!("G(p0 -> X({}))", nested("xor", 400, |at| format!("a{}", at % 3))));
    add("500 X", format!("{} p0", "X ".repeat(500)));
    add("500 strong X", format!("G(p0 -> {} p1)", "X[!] ".repeat(500)));
    add("500 GF", format!("{} p0", "G F ".repeat(250)));
    add("100 X apart", chain("&", 100, |at| format!("{} p{at}", "X ".repeat(at))));
    add("100 X in iff", nested("<->", 100, |at| format!("{} p{at}", "X ".repeat(at))));
    add("all of 64 KiB", chain("&", 5_000, |at| format!("(p{} | p{})", at % 199, at / 31)).replace(" & ", "&"));
    let wide = (0..60).map(|row| format!("({})", chain("&", 90, |at| format!("X p{}", (at * row) % 200))));
    add("any of 60 long conjunctions", wide.collect::<Vec<_>>().join(" | "));
    let long = chain("|", 2_000, |at| format!("p{}&!p{}", at % 200, at / 11));
    add("iff of 2000", format!("G(({long}) <-> X a1)"));
    add(
        "iff of 2000, nested",
        format!("G({} -> X a1)", (0..5).fold(long, |inner, at| format!("(({inner}) <-> p{at})"))),
    );
    // Chains are balanced, since their depth is limited.
    all.iter_mut().for_each(|(_, text)| *text = balanced(text));
    all.retain(|(_, text)| text.len() <= MAX_LENGTH);
    all
}

/// Returns the text if it can be parsed; otherwise, the terms of its long chains are put into groups.
fn balanced(text: &str) -> String {
    if parse(text).is_ok() {
        return text.to_owned();
    }
    let terms: Vec<&str> = text.split('&').collect();
    terms.chunks(MAX_DEPTH / 2).map(|some| format!("({})", some.join("&"))).collect::<Vec<_>>().join("&")
}

/// Returns letters that have no common proposition.
fn letters(vocabulary: &Vocabulary) -> Vec<Letter> {
    let some = |keep: &dyn Fn(u16) -> bool| -> PropSet {
        (0..OBSERVATIONS as u16).filter(|at| keep(*at)).map(PropId).collect()
    };
    let sets =
        [some(&|_| false), some(&|_| true), some(&|at| at % 2 == 0), some(&|at| at % 3 == 1), some(&|at| at < 20)];
    let after = |(at, set): (usize, &PropSet)| match at {
        0 => Letter::initial(*set),
        at => Letter::after(vocabulary, ActionId(at as u16), *set),
    };
    sets.iter().enumerate().map(after).collect()
}

#[test]
fn every_formula_is_judged_or_given_up_within_the_budget_of_a_letter() {
    let vocabulary = vocabulary();
    let letters = letters(&vocabulary);
    let mut table = String::new();
    for (name, text) in intricate() {
        let formula = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut monitor = Monitor::new(&formula, vocabulary.clone()).unwrap();
        let mut most = monitor.work();
        for letter in &letters {
            let before = monitor.work();
            monitor.advance(letter);
            most = most.max(monitor.work() - before);
        }
        assert!(most <= MAX_WORK, "{name}: {most} units for a letter");
        writeln!(table, "{name}: {most} units at most, {}", if monitor.is_lost() { "given up" } else { "judged" })
            .unwrap();
    }
    println!("{table}");
}

/// A letter determines the truth of a formula without temporal operators, at a cost linear in its length.
#[test]
fn what_one_letter_settles_is_never_unfolded() {
    let vocabulary = vocabulary();
    let letters = letters(&vocabulary);
    let spent = |text: &str| {
        let law = Law::hard("parity", parse(text).unwrap(), "");
        let mut shield = Shield::new(vocabulary.clone(), vec![law], ShieldOptions::default()).unwrap();
        shield.start(letters[0].0).unwrap();
        letters[1..].iter().for_each(|letter| {
            read(&mut shield, *letter);
        });
        shield.stats().explored
    };
    for text in [
        |count| format!("G({} -> X !a0)", chain("xor", count, p)),
        |count| format!("G({} -> X !a0)", nested("<->", count, p)),
        |count| format!("({}) W p0", nested("xor", count, p)),
        |count| format!("G(p0 -> X({}))", chain("xor", count, p)),
    ] {
        let (few, many) = (spent(&text(28)), spent(&text(196)));
        assert!(many <= few * 7 && many <= 20_000, "{}: {many} units, and {few} with 28", text(2));
    }
}

#[test]
fn a_guard_of_forty_xor_blocks_what_it_must() {
    let vocabulary = vocabulary();
    let law = |formula: String| Law::hard("parity", parse(&formula).unwrap(), "");
    let laws = vec![law(format!("G({} -> X !a0)", chain("xor", 40, p)))];
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    for count in 0..6u16 {
        shield.start((0..count).map(|at| PropId(at * 3)).collect()).unwrap();
        let judgement = shield.judge(ActionId(0));
        let blocked = Judgement::Blocked { laws: vec!["parity".into()], minimal: true };
        assert_eq!(judgement, if count % 2 == 1 { blocked } else { Judgement::Allowed }, "{count} hold");
        assert_eq!(shield.judge(ActionId(1)), Judgement::Allowed);
    }
}

#[test]
fn every_law_is_shielded_or_refused_by_its_name() {
    let vocabulary = vocabulary();
    let letters = letters(&vocabulary);
    let options = ShieldOptions::default();
    // A decision is made by all laws and by the hard ones, each with the budget raised at most once. Its last
    // transition may exceed the budget; the letters are read separately.
    let most = 2 * options.budget * (1 + options.raise) + options.explanation_budget + MAX_WORK;
    let (mut refused, mut table) = (Vec::new(), String::new());
    for (name, text) in intricate() {
        let law = Law::hard(name.as_str(), parse(&text).unwrap(), "");
        let checked = CompiledLaws::check(&law, &vocabulary);
        match Shield::new(vocabulary.clone(), vec![law], options.clone()) {
            Err(error) => {
                assert_eq!(error, ShieldError::TooIntricate { law: name.as_str().into() });
                assert!(error.to_string().starts_with(&format!("law `{name}` is too intricate")));
                assert_eq!(checked, Err(error));
                refused.push(name);
            }
            Ok(mut shield) => {
                assert_eq!(checked, Ok(()));
                shield.start(letters[0].0).unwrap();
                let mut costs = Vec::new();
                for letter in &letters[1..] {
                    let before = shield.stats().spent;
                    shield.decide();
                    costs.push(shield.stats().spent - before);
                    shield.judge(ActionId(3));
                    let before = shield.stats().explored;
                    read(&mut shield, *letter);
                    let read = shield.stats().explored - before;
                    assert!(read <= MAX_WORK, "{name}: {read} units to read a letter");
                }
                let cost = costs.into_iter().max().unwrap();
                assert!(cost <= most, "{name}: {cost} units for a decision");
                writeln!(table, "{name}: {cost} units, {} undecided", shield.stats().undecided).unwrap();
            }
        }
    }
    println!("{table}\nrefused: {refused:?}");
    assert!(refused.iter().any(|name| name == "200 promises xor"), "{refused:?}");
    assert!(!refused.iter().any(|name| name.starts_with("guard of")), "{refused:?}");
}

#[test]
fn every_book_is_decided_or_said_to_be_undecided_within_its_work() {
    const WORK: u64 = 200_000;
    let vocabulary = vocabulary();
    for (name, text) in intricate() {
        let formula = parse(&text).unwrap();
        let mut any = AnyLaws::new(&vocabulary, std::slice::from_ref(&formula)).unwrap();
        let found = any.satisfiable(&[0], Beginning::AnyAction, WORK);
        let first = any.work();
        if let Satisfiability::Satisfiable { word } = found {
            assert!(word.len() >= 2);
        }
        any.violable(0, WORK);
        let second = any.work() - first;
        // Minimising the laws may cost as much again, and encoding is charged afterwards.
        assert!(first.max(second) <= 2 * WORK + MAX_WORK, "{name}: {first} and {second} units");
        let Ok(guarded) = recognise_all(&formula, &vocabulary) else { continue };
        let mut system = LawSystem::new(&vocabulary, &[guarded], DEFAULT_BUDGET).unwrap();
        assert_ne!(system.check().unwrap(), Consistency::Undecided, "{name}");
    }
}

/// Parts of a formula that the normal form duplicates are shared, so the graph is as long as the text.
#[test]
fn nothing_is_copied_that_is_shared() {
    let vocabulary = vocabulary();
    let spent = |count: usize| {
        let text = nested("<->", count, |at| format!("(p{} xor p{})", at % 7, at % 11));
        let law = Formula::globally(parse(&format!("({text}) -> X a1")).unwrap());
        let mut monitor = Monitor::new(&law, vocabulary.clone()).unwrap();
        let before = monitor.work();
        letters(&vocabulary).iter().for_each(|letter| {
            monitor.advance(letter);
        });
        assert!(!monitor.is_lost());
        monitor.work() - before
    };
    let (few, many) = (spent(100), spent(200));
    assert!(many < few * 4, "{few} and {many} units");
}

/// With three hundred laws and sixty actions, all distinct, a decision stops soon after its work is used up.
#[test]
fn many_laws_over_many_actions_stay_within_their_work() {
    let names: Vec<String> = (0..60).map(|at| format!("act{at}")).collect();
    let builder = Vocabulary::builder("many").observations(["p", "q"]).actions(names.iter().map(String::as_str));
    let vocabulary = Arc::new(builder.build().unwrap());
    let law = |at: usize| match at % 3 {
        0 => format!("G(act{} -> F act{})", at % 60, (at * 7 + 1) % 60),
        1 => format!("G(p -> F act{})", (at * 11) % 60),
        _ => format!("F(act{} & X[!] act{})", at % 60, (at * 13 + 5) % 60),
    };
    let laws = (0..300).map(|at| Law::hard(format!("law-{at}"), parse(&law(at)).unwrap(), "")).collect();
    let options = ShieldOptions { budget: 100, raise: 1, explanation_budget: 100, ..ShieldOptions::default() };
    let mut shield = Shield::new(vocabulary, laws, options).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    let before = shield.stats().spent;
    let decision = shield.decide();
    let spent = shield.stats().spent - before;
    assert!(matches!(decision.enforcement, Enforcement::Undecided { .. }), "{:?}", decision.enforcement);
    // All laws are hard, so they are judged twice. Each time, the initial words are read once beyond the budget.
    assert!(spent < 2 * 100 + 5_000, "{spent} units");
}

/// An axiom is a graph, too: forty propositions joined by `xor` are evaluated in forty steps.
#[test]
fn a_long_axiom_is_evaluated_part_by_part() {
    let names: Vec<String> = (0..40).map(p).collect();
    let builder = Vocabulary::builder("parity").observations(names.iter().map(String::as_str)).actions(["a0", "a1"]);
    let vocabulary = Arc::new(builder.axiom(parse(&chain("xor", 40, p)).unwrap()).build().unwrap());
    let laws = ["F(p0 & a1)", "F(p1 & !p2)", "G(p0 -> X !a0)"];
    let laws = laws.iter().map(|law| Law::hard(*law, parse(law).unwrap(), "")).collect();
    let mut shield = Shield::new(vocabulary, laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::from_iter([PropId(3)])).unwrap();
    let decision = shield.decide();
    assert_eq!(decision.enforcement, Enforcement::All);
    assert!(decision.allowed.contains(ActionId(0)) && decision.allowed.contains(ActionId(1)));
}
