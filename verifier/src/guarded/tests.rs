use proptest::prelude::*;

use super::*;
use crate::formulas::boolean_of;
use crate::semantics::satisfies;

fn vocabulary() -> Vocabulary {
    Vocabulary::builder("tiny").observations(["p", "q"]).actions(["a", "b"]).build().unwrap()
}

fn atom(name: &str) -> Formula {
    Formula::atom(name)
}

#[test]
fn the_plain_form_gives_guard_and_demand() {
    let law = atom("p").and(atom("q").not()).implies(atom("a").not().next()).globally();
    let found = recognise(&law, &vocabulary()).unwrap();
    assert_eq!(found, GuardedLaw { guard: atom("p").and(atom("q").not()), demand: atom("a").not() });
    assert_eq!(found.to_formula(), law);
}

#[test]
fn guises_of_the_same_law_are_recognised() {
    let (p, a) = (|| atom("p"), || atom("a"));
    let expected = GuardedLaw { guard: p(), demand: a().not() };
    for guise in [
        p().not().or(a().not().next()).globally(),
        a().not().next().or(p().not()).globally(),
        a().strong_next().not().or(p().not()).globally(),
        p().and(a().strong_next()).finally().not(),
        p().implies(a().not().next()).globally().globally(),
        p().implies(a().not().next()).weak_until(Formula::False),
        Formula::False.release(p().implies(a().not().next())),
        Formula::True.until(p().and(a().strong_next())).not(),
    ] {
        assert_eq!(recognise(&guise, &vocabulary()), Ok(expected.clone()), "{guise}");
    }
    let unguarded = a().next().globally();
    assert_eq!(recognise(&unguarded, &vocabulary()), Ok(GuardedLaw { guard: Formula::True, demand: a() }));
}

#[test]
fn a_conjunction_is_several_laws() {
    let one = atom("p").implies(atom("a").next()).globally();
    let two = atom("q").implies(atom("b").not().next()).globally();
    let both = one.clone().and(two.clone());
    assert_eq!(recognise(&both, &vocabulary()), Err(NotGuarded::Several(2)));
    let laws = recognise_all(&both, &vocabulary()).unwrap();
    assert_eq!(laws.iter().map(GuardedLaw::to_formula).collect::<Vec<_>>(), [one, two]);
    let inside = atom("p").implies(atom("a").next().not().not().and(atom("b").not().next())).globally();
    assert_eq!(recognise_all(&inside, &vocabulary()).unwrap().len(), 2);
}

#[test]
fn what_is_not_of_the_form_says_why() {
    let (p, q, a) = (|| atom("p"), || atom("q"), || atom("a"));
    for (formula, why) in [
        (p().implies(a().next()), "restricts only the start of the run"),
        (p().implies(a().finally()).globally(), "`F a` looks further than the next action"),
        (p().implies(a().next().next()).globally(), "looks further than the next action"),
        (p().implies(a()).globally(), "`a` is an action outside `X`"),
        (p().implies(q().next()).globally(), "`q` is an observation inside `X`"),
        (p().implies(a().next().not()).globally(), "demands that the run continues"),
        (p().implies(a().strong_next()).globally(), "demands that the run continues"),
        (p().iff(a().next()).globally(), "demands that the run continues"),
        (p().implies(q()).globally(), "restricts the observations"),
        (p().implies(atom("z").next()).globally(), "`z` is not in the vocabulary"),
        (p().weak_until(q()), "restricts only the start of the run"),
    ] {
        let message = recognise(&formula, &vocabulary()).unwrap_err().to_string();
        assert!(message.contains(why), "{formula}: {message}");
    }
    let nothing = Formula::True.globally();
    assert_eq!(recognise(&nothing, &vocabulary()), Err(NotGuarded::NoDemand(nothing.to_string())));
}

#[test]
fn distribution_is_bounded() {
    let pair =
        |i: usize| atom(if i.is_multiple_of(2) { "p" } else { "q" }).implies(atom("a").next()).and(atom("b").next());
    let wide = (0..9).map(pair).reduce(Formula::or).unwrap().globally();
    assert_eq!(recognise_all(&wide, &vocabulary()), Err(NotGuarded::TooManyParts));
    // Each level doubles the work without adding a part.
    let deep = (0..200).fold(atom("a").next(), |inner, _| Formula::True.iff(inner)).globally();
    assert_eq!(recognise_all(&deep, &vocabulary()), Err(NotGuarded::TooLarge));
}

fn step_formula() -> impl Strategy<Value = Formula> {
    let now = prop_oneof![Just(atom("p")), Just(atom("q")), Just(Formula::True), Just(Formula::False)];
    let action = prop_oneof![
        Just(atom("a")),
        Just(atom("b").not()),
        Just(atom("a").or(atom("action_stop"))),
        Just(Formula::True),
    ];
    let leaf = prop_oneof![
        now,
        action.clone().prop_map(Formula::next),
        action.clone().prop_map(Formula::next),
        action.prop_map(Formula::strong_next),
    ];
    boolean_of(leaf, 4, 12)
}

/// Returns all words of one to three letters over p, q and one-hot a, b, action_stop.
fn words() -> Vec<Vec<Vec<&'static str>>> {
    let states: [&[&'static str]; 4] = [&[], &["p"], &["q"], &["p", "q"]];
    let mut words: Vec<Vec<Vec<&'static str>>> = states.iter().map(|state| vec![state.to_vec()]).collect();
    let mut last = words.clone();
    for _ in 0..2 {
        last = last
            .iter()
            .flat_map(|word| {
                states.iter().flat_map(move |state| {
                    ["a", "b", "action_stop"].into_iter().map(move |action| {
                        let mut letter = state.to_vec();
                        letter.push(action);
                        word.iter().cloned().chain([letter]).collect()
                    })
                })
            })
            .collect();
        words.extend(last.iter().cloned());
    }
    words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// The recognised laws are equivalent to the formula, by the definition of the semantics.
    #[test]
    fn recognised_laws_mean_the_same(inner in step_formula(), dual in any::<bool>()) {
        let formula = if dual { inner.not().finally().not() } else { inner.globally() };
        let Ok(laws) = recognise_all(&formula, &vocabulary()) else { return Ok(()) };
        let laws: Vec<Formula> = laws.iter().map(GuardedLaw::to_formula).collect();
        for word in words() {
            let together = laws.iter().all(|law| satisfies(law, &word));
            prop_assert_eq!(satisfies(&formula, &word), together, "{} as {:?} on {:?}", formula, laws, word);
        }
    }
}
