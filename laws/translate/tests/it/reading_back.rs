//! English renderings, translated again, are equivalent to the formula.

use ltlcrit_translate::pattern::Pattern;
use ltlcrit_translate::sound::{check, equivalent};
use ltlcrit_translate::{English, Lexical, Lexicon, Refusal};
use ltlcrit_verifier::Formula;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::sentences::{development, held_out, lexicon};

fn condition(lexicon: &Lexicon, is_action: Option<bool>) -> BoxedStrategy<Formula> {
    let of = |wanted: bool| {
        let names: Vec<_> =
            lexicon.terms().iter().filter(|term| term.is_action == wanted).map(|term| term.name.clone()).collect();
        (!names.is_empty()).then(|| prop::sample::select(names).prop_map(Formula::Atom).boxed())
    };
    let state = |of: Option<BoxedStrategy<Formula>>| {
        let of = of.unwrap();
        let literal = (of, any::<bool>()).prop_map(|(atom, denied)| if denied { atom.not() } else { atom });
        prop::collection::vec(literal, 1..=3).prop_flat_map(|all| {
            let and = all.clone();
            prop_oneof![
                Just(all.into_iter().reduce(Formula::or).unwrap()),
                Just(and.into_iter().reduce(Formula::and).unwrap()),
            ]
        })
    };
    match (is_action, of(true)) {
        (Some(true), Some(action)) | (None, Some(action)) if is_action == Some(true) => action,
        (Some(false), _) | (_, None) => state(of(false)).boxed(),
        (_, Some(action)) => prop_oneof![action, state(of(false))].boxed(),
    }
}

fn pattern(lexicon: &Lexicon) -> BoxedStrategy<Pattern> {
    let any_of = || condition(lexicon, None);
    let state = || condition(lexicon, Some(false));
    prop_oneof![
        any_of().prop_map(Pattern::Never),
        state().prop_map(Pattern::Always),
        any_of().prop_map(Pattern::Eventually),
        prop::collection::vec(any_of(), 2..4).prop_map(Pattern::Sequence),
        (any_of(), 0..4u32, prop::option::of(1..4u32)).prop_map(|(of, least, most)| Pattern::Count { of, least, most }),
        (any_of(), any_of()).prop_map(|(late, first)| Pattern::Precedence { late, first }),
        (state(), any_of()).prop_map(|(holds, end)| Pattern::Until { holds, end }),
        (any_of(), any_of(), any::<bool>()).prop_map(|(trigger, answer, once)| Pattern::Response {
            trigger,
            answer,
            once
        }),
        (any_of(), any_of(), any::<bool>()).prop_map(|(trigger, answer, is_forbidden)| Pattern::Next {
            trigger,
            answer,
            is_forbidden
        }),
        (any_of(), any_of()).prop_map(|(trigger, never)| Pattern::After { trigger, never }),
        (state(), any_of(), any::<bool>()).prop_map(|(state, what, is_forbidden)| Pattern::While {
            state,
            what,
            is_forbidden
        }),
    ]
    .boxed()
}

/// Covers both worlds, states and actions, single and joined.
#[test]
fn translated_again_it_is_the_same_law() {
    for world in ["minecraft", "household:robot-1"] {
        let lexicon = lexicon(world);
        let engine = Lexical::new(&lexicon);
        let english = English::new(&engine);
        let mut runner = TestRunner::new_with_rng(
            Config { cases: 250, failure_persistence: None, max_shrink_iters: 50, ..Config::default() },
            proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
        );
        let tested = std::cell::Cell::new(0);
        runner
            .run(&pattern(&lexicon), |pattern| {
                let Some(formula) = pattern.formula(&|name| lexicon.is_action(name)) else { return Ok(()) };
                if check(&formula, &lexicon).is_err() {
                    return Ok(());
                }
                let read = english.read(&formula);
                match engine.translate(&read) {
                    Ok(again) => {
                        let same = equivalent(&again.formula(), &formula, &lexicon);
                        prop_assert_eq!(same, Some(true), "{} reads {} which is {}", formula, read, again.formula());
                    }
                    // The check of the translation exceeded its budget.
                    Err(Refusal::Undecided { .. }) => {}
                    Err(error) => prop_assert!(false, "{} reads {}: {}", formula, read, error),
                }
                tested.set(tested.get() + 1);
                Ok(())
            })
            .unwrap();
        assert!(tested.get() > 150, "{}", tested.get());
    }
}

/// Every proposition has a wording that grounds only to it.
#[test]
fn propositions_are_said_in_their_own_words() {
    for world in ["minecraft", "household:mobile-1", "household:robot-1"] {
        let lexicon = lexicon(world);
        let engine = Lexical::new(&lexicon);
        let english = English::new(&engine);
        let names: Vec<_> =
            lexicon.terms().iter().step_by(1 + lexicon.terms().len() / 150).map(|term| &term.name).collect();
        let quoted: Vec<_> = names.iter().filter(|name| english.clause(name).contains('`')).collect();
        assert!(quoted.len() * 20 <= names.len(), "{world}: {quoted:?}");
    }
}

/// The formulas of the sentences are rendered in natural wording.
#[test]
fn readings_of_the_formulas() {
    let mut out = String::new();
    let worlds = ["minecraft", "household:mobile-1"].map(|world| (world, lexicon(world)));
    let engines = worlds.each_ref().map(|(world, lexicon)| (*world, Lexical::new(lexicon)));
    for entry in development().formula.iter().chain(&held_out().formula) {
        let (_, engine) = engines.iter().find(|(world, _)| *world == entry.world).unwrap();
        let english = English::new(engine);
        let formula = ltlcrit_verifier::syntax::parse(&entry.formula).unwrap();
        let shown: String = english.read(&formula).chars().take(300).collect();
        out += &format!("{} {shown}\n", entry.id);
    }
    insta::assert_snapshot!(out);
}
