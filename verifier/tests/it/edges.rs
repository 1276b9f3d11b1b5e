//! The shield at the edges of a run: its end, malformed steps, broken laws, undecided actions.

use std::sync::Arc;

use ltlcrit_verifier::syntax::parse_infix;
use ltlcrit_verifier::{
    ActionId, ActionSet, AfterBreak, Decision, Enforcement, Judgement, Law, LawId, PropId, PropSet, RunFault, Shield,
    ShieldOptions, Verdict, Vocabulary, Word,
};
use proptest::prelude::*;

use crate::brute::{letters, read, small, states};
use crate::joint::laws;

fn office() -> Arc<Vocabulary> {
    let builder = Vocabulary::builder("office").observations(["secrets_read", "fire"]);
    Arc::new(builder.actions(["mail", "call", "wait"]).build().unwrap())
}

fn hard(id: &str, formula: &str) -> Law {
    Law::hard(id, parse_infix(formula).unwrap(), "")
}

fn rearmed(law: Law) -> Law {
    Law { after_break: AfterBreak::Rearm, ..law }
}

fn shield(laws: Vec<Law>) -> Shield {
    Shield::new(office(), laws, ShieldOptions::default()).unwrap()
}

fn set(names: &[&str]) -> PropSet {
    office().set(names.iter().copied()).unwrap()
}

fn action(name: &str) -> ActionId {
    office().action(name).unwrap()
}

fn act(shield: &mut Shield, name: &str, observations: &[&str]) -> Vec<String> {
    names(&shield.step(action(name), set(observations)).unwrap())
}

fn names(laws: &[LawId]) -> Vec<String> {
    laws.iter().map(|law| law.to_string()).collect()
}

fn allowed(shield: &mut Shield) -> Vec<String> {
    shield.decide().allowed.names(&office()).into_iter().map(str::to_owned).collect()
}

#[test]
fn after_stopping_nothing_may_run() {
    let mut shield = shield(vec![hard("answer", "G(mail -> F call)")]);
    shield.start(PropSet::EMPTY).unwrap();
    assert!(act(&mut shield, "mail", &[]).is_empty());
    assert_eq!(act(&mut shield, "action_stop", &[]), ["answer"], "stopping breaks what is owed");
    assert_eq!(names(&shield.finish().unwrap()), ["answer"]);
    for name in ["mail", "call", "wait", "action_stop"] {
        assert_eq!(shield.judge(action(name)), Judgement::Ended);
        assert_eq!(shield.judge_by_hard_laws(action(name)), Judgement::Ended);
    }
    let decision = shield.decide();
    assert_eq!((decision.allowed, decision.enforcement), (ActionSet::EMPTY, Enforcement::Ended));
    assert!(shield.hard_allowed().is_empty());
    let said = shield.explain(action("mail")).to_string();
    assert!(said.contains("mail is not run: the run has ended"), "{said}");
    assert_eq!(shield.step(action("call"), PropSet::EMPTY), Err(RunFault::AfterStop { letter: 3, stop: 2 }));
    // Another run may begin.
    assert!(shield.start(PropSet::EMPTY).unwrap().is_empty());
    assert!(shield.judge(action("mail")).is_allowed());
    assert!(act(&mut shield, "action_stop", &[]).is_empty());
    assert!(shield.finish().unwrap().is_empty());
}

#[test]
fn a_run_that_is_finished_from_outside_tells_what_is_owed() {
    let mut shield = shield(vec![hard("answer", "G(mail -> F call)"), hard("first", "F mail")]);
    assert_eq!(shield.finish(), Err(RunFault::NotStarted));
    shield.start(PropSet::EMPTY).unwrap();
    act(&mut shield, "mail", &[]);
    assert_eq!(names(&shield.finish().unwrap()), ["answer"]);
    assert_eq!(names(&shield.finish().unwrap()), ["answer"], "asked again");
    assert_eq!(shield.judge(action("call")), Judgement::Ended);
    let fault = shield.step(action("call"), PropSet::EMPTY).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "letter 2 comes after the end of the run, which was finished at letter 1; start another run"
    );
}

#[test]
fn malformed_steps_are_refused_and_change_nothing() {
    let mut shield = shield(vec![hard("answer", "G(mail -> F call)")]);
    let mail = action("mail");
    assert_eq!(shield.step(mail, PropSet::EMPTY), Err(RunFault::NotStarted));
    let mail_too = set(&["mail"]);
    assert_eq!(shield.start(mail_too), Err(RunFault::ActionAtStart { action: "mail".into() }));
    let foreign = PropSet::one(PropId(200));
    let nowhere =
        |letter| RunFault::NoSuchProposition { letter, proposition: PropId(200), vocabulary: "office".into() };
    assert_eq!(shield.start(foreign), Err(nowhere(0)));
    assert!(shield.letter().is_none());
    shield.start(set(&["fire"])).unwrap();
    for (action, observations, expected) in [
        (
            ActionId(999),
            PropSet::EMPTY,
            RunFault::UnknownAction { letter: 1, action: ActionId(999), actions: 4, vocabulary: "office".into() },
        ),
        (
            action("call"),
            set(&["mail", "fire"]),
            RunFault::SeveralActions { letter: 1, actions: vec!["call".into(), "mail".into()] },
        ),
        (mail, mail_too, RunFault::SeveralActions { letter: 1, actions: vec!["mail".into(), "mail".into()] }),
        (mail, foreign, nowhere(1)),
        (action("action_stop"), PropSet::EMPTY, RunFault::StopChanges { letter: 1, changed: vec!["fire".into()] }),
    ] {
        assert_eq!(shield.step(action, observations), Err(expected));
        assert_eq!((shield.letter_number(), shield.obligations()), (0, vec![]));
    }
    assert_eq!(
        shield.step(ActionId(999), PropSet::EMPTY).unwrap_err().to_string(),
        "letter 1: the vocabulary `office` has no action number 999; it has 4, numbered from 0"
    );
    assert!(act(&mut shield, "mail", &["fire"]).is_empty());
}

/// The example of the documentation.
#[test]
fn a_broken_law_that_goes_on_blocks_the_next_mail_too() {
    for (law, again) in [("G(secrets_read -> X G !mail)", true), ("G(secrets_read -> G(!mail))", true)] {
        let law = hard("discreet", law);
        for (law, keeps) in [(law.clone(), again), (rearmed(law), false)] {
            let mut shield = shield(vec![law]);
            shield.start(set(&["secrets_read"])).unwrap();
            act(&mut shield, "wait", &[]);
            assert!(!allowed(&mut shield).contains(&"mail".to_owned()));
            assert_eq!(act(&mut shield, "mail", &[]), ["discreet"]);
            assert_eq!(allowed(&mut shield).contains(&"mail".to_owned()), !keeps);
            let broken_again: &[&str] = if keeps { &["discreet"] } else { &[] };
            assert_eq!(act(&mut shield, "mail", &[]), broken_again);
            act(&mut shield, "wait", &[]);
            assert_eq!(allowed(&mut shield).contains(&"mail".to_owned()), !keeps);
        }
    }
}

#[test]
fn what_a_letter_falsifies_is_struck_out_and_the_rest_goes_on() {
    // The step that was required at this letter is past; the guard is read at the letter that breaks the law.
    let mut one = shield(vec![hard("wait", "G(fire -> X[!] wait)")]);
    one.start(set(&["fire"])).unwrap();
    assert_eq!(act(&mut one, "mail", &[]), ["wait"]);
    assert_eq!(allowed(&mut one).len(), 4, "what was to be done then is not owed now");
    act(&mut one, "call", &["fire"]);
    assert_eq!(act(&mut one, "mail", &["fire"]), ["wait"]);
    assert_eq!(allowed(&mut one), ["wait"], "the fire after the mail counts");
    // The demand of one part is not lost when another part is broken.
    let mut two = shield(vec![hard("both", "G !fire & G(secrets_read -> G !mail) & F call")]);
    two.start(PropSet::EMPTY).unwrap();
    assert_eq!(act(&mut two, "wait", &["fire", "secrets_read"]), ["both"]);
    assert_eq!(allowed(&mut two), ["call", "wait"], "no mail, and a call is owed");
    act(&mut two, "call", &[]);
    assert_eq!(allowed(&mut two), ["call", "wait", "action_stop"]);
    // `U` and the similar operators keep waiting.
    let mut three = shield(vec![hard("first", "!mail U call")]);
    three.start(PropSet::EMPTY).unwrap();
    assert_eq!(act(&mut three, "mail", &[]), ["first"]);
    assert_eq!(allowed(&mut three), ["call", "wait"]);
    act(&mut three, "call", &[]);
    assert_eq!(allowed(&mut three).len(), 4);
    assert_eq!(three.verdicts(), [Verdict::Satisfied]);
    // If the rest contradicts itself, the law stays as it was.
    let mut four = shield(vec![hard("torn", "G(mail -> F call) & G(fire -> G !call) & G(secrets_read -> G !wait)")]);
    four.start(set(&["secrets_read"])).unwrap();
    assert_eq!(act(&mut four, "mail", &["fire"]), ["torn"]);
    assert_eq!(allowed(&mut four), ["mail", "call", "action_stop"]);
}

#[test]
fn a_block_by_a_law_that_went_on_is_explained_by_what_came_after() {
    let mut shield = shield(vec![hard("discreet", "G(secrets_read -> X G !mail) & G(fire -> X G !call)")]);
    shield.start(set(&["secrets_read"])).unwrap();
    act(&mut shield, "mail", &[]);
    act(&mut shield, "wait", &["fire"]);
    let explanation = shield.explain(action("mail"));
    assert_eq!(explanation.judgement, Judgement::Blocked { laws: vec!["discreet".into()], minimal: true });
    assert!(explanation.laws[0].because.is_empty(), "it blocks mails in any run: {explanation:?}");
    let said = shield.explain(action("call")).reasons();
    assert!(said.contains("now: fire"), "{said}");
}

/// Some action is allowed, so all laws are enforced; the undecided actions are reported too.
#[test]
fn undecided_actions_are_told_beside_allowed_ones() {
    let places: Vec<String> = (0..6).map(|place| format!("at_{place}")).collect();
    let builder = Vocabulary::builder("places").observations(places.iter().map(String::as_str));
    let vocabulary = Arc::new(builder.actions(["go", "rest"]).build().unwrap());
    // Resting creates no obligation; going creates one that needs a long search.
    let mut laws = vec![hard(
        "tour",
        &format!("G(go -> {})", places.iter().map(|at| format!("F {at}")).collect::<Vec<_>>().join(" & ")),
    )];
    laws.extend(places.iter().map(|at| hard(&format!("once-{at}"), &format!("G({at} -> X G !{at})"))));
    let decide = |budget| {
        let options = ShieldOptions { budget, raise: 1, ..ShieldOptions::default() };
        let mut shield = Shield::new(vocabulary.clone(), laws.clone(), options).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        let decision = shield.decide();
        for action in vocabulary.action_ids() {
            let is_undecided = matches!(shield.judge(action), Judgement::Undecided { .. });
            assert_eq!(decision.undecided.contains(action), is_undecided);
        }
        decision
    };
    let is_beside = |decision: &Decision| decision.enforcement == Enforcement::All && !decision.undecided.is_empty();
    let decision = (1..200).map(decide).find(is_beside).unwrap();
    assert_eq!(decision.allowed.names(&vocabulary), ["rest", "action_stop"]);
    assert_eq!(decision.undecided.names(&vocabulary), ["go"]);
    assert!(decide(ShieldOptions::default().budget).undecided.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// A shield accepts as steps exactly the words of runs by the definition.
    #[test]
    fn a_shield_takes_the_words_of_runs(
        first in 0..64u16,
        steps in prop::collection::vec((0..5u16, 0..64u16), 0..5),
    ) {
        let vocabulary = Arc::new(small(Vec::new()));
        let set = |code: u16| -> PropSet { (0..5).filter(|bit| code >> bit & 1 == 1 && code < 8).map(PropId).collect() };
        let mut shield = Shield::new(vocabulary.clone(), Vec::new(), ShieldOptions::default()).unwrap();
        let mut word = vec![vocabulary.names(&set(first)).into_iter().map(str::to_owned).collect::<Vec<_>>()];
        let mut fault = shield.start(set(first)).err();
        for (action, code) in steps {
            let action = ActionId(action % 3);
            let mut letter = set(code);
            if letter.contains(vocabulary.action_prop(action)) {
                letter.remove(vocabulary.action_prop(action));
            }
            let mut names: Vec<String> = vocabulary.names(&letter).into_iter().map(str::to_owned).collect();
            names.push(vocabulary.action_name(action).to_owned());
            word.push(names);
            fault = fault.or_else(|| shield.step(action, letter).err());
        }
        let run = Word::from_letters(word).as_run(&vocabulary);
        prop_assert_eq!(run.is_err(), fault.is_some(), "{:?} and {:?}", run, fault);
    }

    /// In every run, a satisfiable law always keeps a continuation, and laws that are not broken are read as usual.
    #[test]
    fn a_law_that_goes_on_can_always_be_kept(
        laws in laws(3),
        choices in prop::collection::vec(0..1000usize, 1..8),
    ) {
        let vocabulary = Arc::new(small(Vec::new()));
        let (states, moves) = (states(&vocabulary), letters(&vocabulary));
        let moves: Vec<_> = moves.into_iter().filter(|letter| letter.action(&vocabulary) != vocabulary.stop()).collect();
        let keep = |law: &Law| Law { after_break: AfterBreak::Keep, ..law.clone() };
        let new = |laws: Vec<Law>| Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
        let mut kept = new(laws.iter().map(keep).collect());
        let mut rearmed = new(laws);
        let impossible = kept.verdicts();
        let start = states[choices[0] % states.len()];
        let mut broken = kept.start(start).unwrap();
        prop_assert_eq!(&broken, &rearmed.start(start).unwrap());
        for choice in &choices[1..] {
            for (law, (before, now)) in impossible.iter().zip(kept.verdicts()).enumerate() {
                prop_assert!(*before == Verdict::Violated || now != Verdict::Violated, "law {}", law);
            }
            let letter = moves[choice % moves.len()];
            let (one, other) = (read(&mut kept, letter), read(&mut rearmed, letter));
            if broken.is_empty() {
                prop_assert_eq!(&one, &other, "the first break is the same");
                broken.extend(one);
            }
        }
    }
}
