//! Differences of formulas against all short words.

use ltlcrit_verifier::semantics::holds_at;
use ltlcrit_verifier::{Difference, Formula, Word};
use proptest::prelude::*;

use crate::formulas::formulas;

/// The words over `p` and `q` of at most three letters.
fn words() -> Vec<Word> {
    let letters: [&[&str]; 4] = [&[], &["p"], &["q"], &["p", "q"]];
    let mut words = vec![Vec::new()];
    for from in 0..21 {
        let word: &Vec<&[&str]> = &words[from];
        words.extend(letters.map(|letter| [word.as_slice(), &[letter]].concat()));
    }
    words.into_iter().map(|word| Word::from_letters(word.into_iter().map(|letter| letter.iter().copied()))).collect()
}

fn satisfies(formula: &Formula, word: &Word) -> bool {
    holds_at(formula, 0, word.len(), &|name, at| word.holds(name, at))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_difference_is_a_word_that_tells_them_apart(a in formulas(&["p", "q"], 3), b in formulas(&["p", "q"], 3)) {
        match Difference::between(&a, &b).unwrap() {
            Difference::Nothing => {
                for word in words() {
                    prop_assert_eq!(satisfies(&a, &word), satisfies(&b, &word), "{}", word);
                }
            }
            Difference::Word { word, by_first } => {
                prop_assert_eq!((satisfies(&a, &word), satisfies(&b, &word)), (by_first, !by_first), "{}", word);
            }
            Difference::Undecided => prop_assert!(false, "there is work enough"),
        }
        let twice = Difference::between(&a, &a.clone().not().not().and(Formula::True)).unwrap();
        prop_assert_eq!(twice, Difference::Nothing);
    }
}
