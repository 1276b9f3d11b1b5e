//! Tests the joint shield against brute force over the conjunction: allowed actions, minimal blocking sets, minimal
//! conflicts, violations and re-arming, with free observations and axioms.

use std::sync::Arc;

use ltlcrit_verifier::{
    ActionId, AfterBreak, Enforcement, Formula, Judgement, Law, LawId, Letter, Prediction, PropSet, Shield,
    ShieldOptions, Strength, Vocabulary,
};
use proptest::prelude::*;

use crate::brute::{continuations, letters, read, satisfies, small, states};
use crate::formulas::{atoms, boolean_of, formulas};

/// Returns the actions that brute force examines. With many actions, no law mentions those between the first and the
/// last, other than stopping; the second one stands for them.
pub fn distinct_actions(vocabulary: &Vocabulary) -> Vec<ActionId> {
    let all: Vec<ActionId> = vocabulary.action_ids().collect();
    match all.as_slice() {
        [first, second, .., last, stop] if all.len() > 8 => vec![*first, *second, *last, *stop],
        _ => all,
    }
}

/// The run by the definition: the word, and the first letter that the monitor of each law read.
pub struct Run<'a> {
    pub vocabulary: &'a Vocabulary,
    pub laws: &'a [Law],
    pub letters: Vec<Letter>,
    /// Continuations of a run, with `action_stop` last.
    rest: Vec<Vec<Letter>>,
    /// Continuations as single monitors read them.
    loose: Vec<Vec<Letter>>,
    pub word: Vec<Letter>,
    pub starts: Vec<usize>,
}

impl<'a> Run<'a> {
    pub fn new(vocabulary: &'a Vocabulary, laws: &'a [Law]) -> Option<Self> {
        let actions = distinct_actions(vocabulary);
        let is_distinct = |letter: &Letter| letter.action(vocabulary).is_some_and(|action| actions.contains(&action));
        let letters: Vec<Letter> = letters(vocabulary).into_iter().filter(is_distinct).collect();
        let formulas: Vec<&Formula> = laws.iter().map(|law| &law.formula).collect();
        let loose = continuations(&formulas, &letters, &|_, _| true, vocabulary, 400)?;
        let mut run = Self {
            vocabulary,
            laws,
            letters: letters.clone(),
            rest: Vec::new(),
            loose,
            word: Vec::new(),
            starts: vec![0; laws.len()],
        };
        run.rest = continuations(&formulas, &letters, &|one, next| run.follows(one, next), vocabulary, 400)?;
        Some(run)
    }

    fn follows(&self, one: &Letter, next: &Letter) -> bool {
        let stop = self.vocabulary.stop().unwrap();
        let ((before, earlier), (after, action)) =
            (crate::brute::parts(one, self.vocabulary), crate::brute::parts(next, self.vocabulary));
        let Some(action) = action else { return false };
        if earlier == Some(stop) {
            return false;
        }
        if action == stop {
            return before == after;
        }
        true
    }

    fn holds(&self, law: usize, rest: &[Letter]) -> bool {
        let word: Vec<Letter> = self.word[self.starts[law]..].iter().chain(rest).copied().collect();
        satisfies(&self.laws[law].formula, &word, self.vocabulary)
    }

    /// Returns whether some laws have a common continuation with an action.
    pub fn allowed(&self, action: ActionId, laws: &[usize]) -> bool {
        self.allowed_after(self.word.last().unwrap(), action, laws)
    }

    /// Returns the same as [`Self::allowed`], if this letter were the last one.
    pub fn allowed_after(&self, last: &Letter, action: ActionId, laws: &[usize]) -> bool {
        let firsts =
            self.letters.iter().filter(|next| next.action(self.vocabulary) == Some(action) && self.follows(last, next));
        firsts.into_iter().any(|first| self.goes_on(first, laws))
    }

    /// Returns whether some laws have a common continuation after every predicted letter of an action.
    pub fn allowed_robustly(&self, prediction: &Prediction, action: ActionId, laws: &[usize]) -> bool {
        let is_predicted = |letter: &&Letter| {
            letter.action(self.vocabulary) == Some(action) && prediction.allows(&letter.observations(self.vocabulary))
        };
        self.letters.iter().filter(is_predicted).all(|first| self.goes_on(first, laws))
    }

    fn goes_on(&self, first: &Letter, laws: &[usize]) -> bool {
        let all = |rest: &[Letter]| laws.iter().all(|&law| self.holds(law, rest));
        all(&[*first])
            || self.rest.iter().filter(|rest| self.follows(first, &rest[0])).any(|rest| {
                let rest: Vec<Letter> = std::iter::once(*first).chain(rest.iter().copied()).collect();
                all(&rest)
            })
    }

    fn violated(&self, law: usize, word: &[Letter]) -> bool {
        let formula = &self.laws[law].formula;
        let holds = |rest: &[Letter]| {
            let word: Vec<Letter> = word.iter().chain(rest).copied().collect();
            satisfies(formula, &word, self.vocabulary)
        };
        !holds(&[]) && !self.loose.iter().any(|rest| holds(rest))
    }

    /// Returns the same run under other laws, and the laws that the current letter breaks. Laws with the same name and
    /// formula continue; the others begin with the current letter.
    pub fn under(&self, laws: &'a [Law]) -> Option<(Self, Vec<usize>)> {
        let mut run = Self::new(self.vocabulary, laws)?;
        run.word.clone_from(&self.word);
        let (now, letter) = (self.word.len() - 1, self.word[self.word.len() - 1]);
        let mut broken = Vec::new();
        for (at, law) in laws.iter().enumerate() {
            let same = |old: &Law| old.id == law.id && old.formula == law.formula;
            match self.laws.iter().position(same) {
                Some(old) => run.starts[at] = self.starts[old],
                None => {
                    let alone = run.violated(at, &[letter]);
                    broken.extend(alone.then_some(at));
                    run.starts[at] = now + usize::from(alone);
                }
            }
        }
        Some((run, broken))
    }

    /// Reads a letter; returns the laws it breaks, which begin anew.
    pub fn advance(&mut self, letter: Letter) -> Vec<usize> {
        self.word.push(letter);
        let mut broken = Vec::new();
        for law in 0..self.laws.len() {
            if self.violated(law, &self.word[self.starts[law]..]) {
                broken.push(law);
                let alone = self.violated(law, &[letter]);
                self.starts[law] = self.word.len() - usize::from(!alone);
            }
        }
        broken
    }
}

/// Returns the positions of laws, from the numbers at the ends of their ids.
pub fn positions(laws: &[LawId]) -> Vec<usize> {
    laws.iter().map(|id| id.strip_prefix("law-").unwrap().parse().unwrap()).collect()
}

pub fn leaves_none(run: &Run<'_>, laws: &[usize]) -> bool {
    let stop = run.vocabulary.stop();
    let mut actions = distinct_actions(run.vocabulary).into_iter().filter(|action| Some(*action) != stop);
    actions.all(|action| !run.allowed(action, laws))
}

/// Returns the laws enforced in an over-constrained state: the hard ones, and the soft ones that fit. Soft laws are
/// tried by descending weight; each is kept if it leaves an action together with those kept so far.
pub fn kept(laws: &[Law], leaves_some: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let (mut kept, mut soft): (Vec<usize>, Vec<usize>) = (0..laws.len()).partition(|law| laws[*law].is_hard());
    soft.sort_by_key(|law| std::cmp::Reverse(laws[*law].weight));
    for law in soft {
        kept.push(law);
        if !leaves_some(&kept) {
            kept.pop();
        }
    }
    kept.sort_unstable();
    kept
}

pub fn is_minimal(laws: &[usize], forbids: impl Fn(&[usize]) -> bool) -> bool {
    forbids(laws)
        && (0..laws.len()).all(|out| {
            let rest: Vec<usize> = laws.iter().enumerate().filter(|(at, _)| *at != out).map(|(_, law)| *law).collect();
            !forbids(&rest)
        })
}

fn compare(shield: &mut Shield, run: &Run<'_>) -> Result<(), TestCaseError> {
    let all: Vec<usize> = (0..run.laws.len()).collect();
    let hard: Vec<usize> = all.iter().copied().filter(|&law| run.laws[law].is_hard()).collect();
    let decision = shield.decide();
    let one_by_one = kept(run.laws, |laws| !leaves_none(run, laws));
    let in_force = match &decision.enforcement {
        Enforcement::All => {
            prop_assert!(!leaves_none(run, &all), "over-constrained, yet all laws are in force");
            &all
        }
        Enforcement::HardOnly { conflict, minimal } | Enforcement::Suspended { conflict, minimal, .. } => {
            let conflict = positions(conflict);
            prop_assert!(minimal);
            prop_assert!(is_minimal(&conflict, |laws| leaves_none(run, laws)), "conflict {:?}", conflict);
            prop_assert!(!leaves_none(run, &hard));
            let given_up = match &decision.enforcement {
                Enforcement::Suspended { suspended, proved, .. } => {
                    prop_assert!(proved);
                    positions(suspended)
                }
                _ => all.iter().copied().filter(|law| !hard.contains(law)).collect(),
            };
            let left: Vec<usize> = all.iter().copied().filter(|law| !given_up.contains(law)).collect();
            prop_assert_eq!(&left, &one_by_one);
            &one_by_one
        }
        Enforcement::Nothing { conflict, minimal } => {
            let conflict = positions(conflict);
            prop_assert!(minimal);
            prop_assert!(is_minimal(&conflict, |laws| leaves_none(run, laws)), "conflict {:?}", conflict);
            prop_assert!(conflict.iter().all(|law| hard.contains(law)));
            &hard
        }
        Enforcement::Undecided { .. } | Enforcement::Ended => return Err(TestCaseError::fail("undecided")),
    };
    let hard_allowed = shield.hard_allowed();
    let distinct = distinct_actions(run.vocabulary);
    for action in run.vocabulary.action_ids().filter(|action| !distinct.contains(action)) {
        prop_assert_eq!(decision.allowed.contains(action), decision.allowed.contains(distinct[1]), "{:?}", action);
    }
    for action in distinct {
        let expected = run.allowed(action, in_force);
        prop_assert_eq!(
            decision.allowed.contains(action),
            expected,
            "{} under {:?}",
            run.vocabulary.action_name(action),
            decision.enforcement
        );
        prop_assert_eq!(hard_allowed.contains(action), run.allowed(action, &hard));
        match shield.judge(action) {
            Judgement::Allowed => prop_assert!(expected),
            Judgement::Blocked { laws, minimal } => {
                prop_assert!(!expected && minimal);
                let laws = positions(&laws);
                prop_assert!(is_minimal(&laws, |laws| !run.allowed(action, laws)), "blocking set {:?}", laws);
                prop_assert!(laws.iter().all(|law| in_force.contains(law)));
                if in_force.len() <= 4 {
                    let chosen = |bits: usize| -> Vec<usize> {
                        in_force.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, law)| *law).collect()
                    };
                    let blocks = |laws: &Vec<usize>| is_minimal(laws, |laws| !run.allowed(action, laws));
                    let mut every: Vec<Vec<usize>> = (1..1 << in_force.len()).map(chosen).filter(blocks).collect();
                    every.sort_by_key(|laws| (laws.len(), laws.clone()));
                    let (reasons, complete) = shield.reasons(action, 100);
                    let reasons: Vec<Vec<usize>> = reasons.iter().map(|laws| positions(laws)).collect();
                    prop_assert!(complete);
                    prop_assert_eq!(reasons, every);
                }
            }
            Judgement::Undecided { why } => prop_assert!(false, "unknown: {}", why),
            Judgement::Ended => prop_assert!(false, "the run goes on"),
        }
    }
    let owed: Vec<usize> = all.iter().copied().filter(|&law| !run.holds(law, &[])).collect();
    prop_assert_eq!(positions(&shield.obligations()), owed);
    Ok(())
}

/// Generates laws in the forms that people write, and arbitrary ones.
fn law_formulas() -> impl Strategy<Value = Formula> {
    let observation = || prop::sample::select(&["p", "q"][..]).prop_map(Formula::atom);
    let action = || prop::sample::select(&["a", "b", "action_stop"][..]).prop_map(Formula::atom);
    let any = || prop_oneof![3 => observation(), 2 => action()];
    let guard = || {
        prop_oneof![
            observation(),
            observation().prop_map(Formula::not),
            Just(Formula::True),
            (observation(), observation()).prop_map(|(a, b)| a.and(b.not())),
            (observation(), observation()).prop_map(|(a, b)| a.or(b)),
        ]
    };
    prop_oneof![
        3 => (guard(), action(), prop::bool::ANY).prop_map(|(guard, action, not)| {
            guard.implies(if not { action.not() } else { action }.next()).globally()
        }),
        2 => (any(), any()).prop_map(|(a, b)| a.implies(b.finally()).globally()),
        1 => (any(), any()).prop_map(|(a, b)| a.not().weak_until(b)),
        1 => (any(), any()).prop_map(|(a, b)| a.implies(b.not().globally()).globally()),
        1 => (any(), any()).prop_map(|(a, b)| a.implies(b.next()).globally()),
        1 => (any(), any()).prop_map(|(a, b)| a.until(b)),
        1 => any().prop_map(|a| a.not().globally()),
        2 => any().prop_map(Formula::finally),
        1 => (any(), any()).prop_map(|(a, b)| b.once().not().implies(a.not().next()).globally()),
        1 => (any(), any(), any()).prop_map(|(a, b, c)| a.not().since(b).implies(c.not().next()).globally()),
        1 => (any(), any(), 0..3u32).prop_map(|(a, b, bound)| a.implies(b.finally_within(bound)).globally()),
        1 => (any(), 0..3u32).prop_map(|(a, count)| a.at_most(count)),
        3 => formulas(&["p", "q", "a", "b", "action_stop"], 3),
    ]
}

pub fn laws(most: usize) -> impl Strategy<Value = Vec<Law>> {
    prop::collection::vec((law_formulas(), prop::bool::weighted(0.5), 0..3u32), 1..=most).prop_map(|laws| {
        let named = |(position, (formula, hard, weight)): (usize, (Formula, bool, u32))| {
            let id = format!("law-{position}");
            let strength = if hard { Strength::Hard } else { Strength::Soft };
            Law { after_break: AfterBreak::Rearm, weight, ..Law::new(strength, id, formula, "") }
        };
        laws.into_iter().enumerate().map(named).collect()
    })
}

fn drive(vocabulary: &Arc<Vocabulary>, laws: &[Law], choices: &[usize]) -> Result<(), TestCaseError> {
    let states = states(vocabulary);
    prop_assume!(!states.is_empty());
    // Caches save only time: half of the runs clear them before each letter.
    let cache_bytes = if choices[0].is_multiple_of(2) { 0 } else { ShieldOptions::default().cache_bytes };
    let options = ShieldOptions { cache_bytes, ..ShieldOptions::default() };
    let mut shield = Shield::new(vocabulary.clone(), laws.to_vec(), options).unwrap();
    let Some(mut run) = Run::new(vocabulary, laws) else {
        return Err(TestCaseError::reject("too many kinds of continuation"));
    };
    let initial = states[choices[0] % states.len()];
    let found: Vec<usize> = positions(&shield.start(initial).unwrap());
    prop_assert_eq!(found, run.advance(Letter::initial(initial)));
    compare(&mut shield, &run)?;
    for &choice in &choices[1..] {
        // The real letter need not be allowed or predicted.
        let moves: Vec<Letter> =
            run.letters.iter().copied().filter(|letter| letter.action(vocabulary) != vocabulary.stop()).collect();
        let letter = moves[choice % moves.len()];
        let found: Vec<usize> = positions(&read(&mut shield, letter));
        prop_assert_eq!(found, run.advance(letter));
        compare(&mut shield, &run)?;
    }
    prop_assert_eq!(shield.unknowns(), 0);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn free_observations(laws in laws(4), choices in prop::collection::vec(0..1000usize, 1..6)) {
        drive(&Arc::new(small(Vec::new())), &laws, &choices)?;
    }

    #[test]
    fn axioms_are_kept(
        laws in laws(3),
        axiom in boolean_of(atoms(&["p", "q"]), 2, 12),
        choices in prop::collection::vec(0..1000usize, 1..5),
    ) {
        drive(&Arc::new(small(vec![axiom])), &laws, &choices)?;
    }
}

/// With one goal for each action, a plan needs a letter for each; no solver has to find the length by trial.
#[test]
fn twenty_goals_over_twenty_actions_are_decided() {
    let names: Vec<String> = (0..20).map(|number| format!("action_{number}")).collect();
    let vocabulary = Arc::new(Vocabulary::builder("goals").actions(names.iter().map(String::as_str)).build().unwrap());
    let goal = |name: &String| Law::hard(format!("goal-{name}"), Formula::atom(name.as_str()).finally(), "");
    let laws = names.iter().map(goal).collect();
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    let decision = shield.decide();
    assert_eq!(shield.unknowns(), 0);
    assert_eq!(decision.enforcement, Enforcement::All);
    // All actions are allowed but stopping at once, which leaves the goals open.
    assert_eq!(decision.allowed.len(), 20);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// There are seventy actions: `b` is not among those that are judged at once.
    #[test]
    fn more_than_64_actions(laws in laws(3), choices in prop::collection::vec(0..1000usize, 1..4)) {
        let others = (0..67).map(|at| format!("other_{at}"));
        let builder = Vocabulary::builder("many").observations(["p", "q"]).action("a").actions(others).action("b");
        let vocabulary = Arc::new(builder.build().unwrap());
        prop_assert!(vocabulary.action("b").unwrap().0 > 64);
        drive(&vocabulary, &laws, &choices)?;
    }

    /// The laws mention at least eleven propositions; the axioms leave four states.
    #[test]
    fn laws_over_many_propositions(laws in laws(3), choices in prop::collection::vec(0..1000usize, 1..4)) {
        let more: Vec<String> = (0..9).map(|at| format!("r{at}")).collect();
        let axioms = more.iter().map(|name| Formula::atom(name.as_str()).iff(Formula::atom("p")));
        let builder = Vocabulary::builder("wide").observations(["p", "q"]).observations(more.iter().map(String::as_str));
        let vocabulary = Arc::new(builder.actions(["a", "b"]).axioms(axioms).build().unwrap());
        // It mentions all propositions without a restriction: no state has `p` without the others.
        let never = more.iter().fold(Formula::atom("p"), |all, name| all.and(Formula::atom(name.as_str()).not()));
        let wide = |law: Law| Law { formula: law.formula.or(never.clone()), ..law };
        let laws: Vec<Law> = laws.into_iter().map(wide).collect();
        drive(&vocabulary, &laws, &choices)?;
    }
}
