//! The equivalence of two formulas on finite words, with a word that tells them apart.

use crate::budget::Budget;
use crate::formula::Formula;
use crate::letter::Letter;
use crate::ltlf_sat::{Answer, LtlfSat};
use crate::nnf::{Metered, NnfArena, accepts_empty};
use crate::residual::Residual;
use crate::semantics::holds_at;
use crate::vocabulary::{Vocabulary, VocabularyError};
use crate::word::Word;

/// Maximum cost of a question, in units of work.
const WORK: u64 = 10_000_000;

/// The difference between two formulas on finite words, where any propositions may hold at any letter.
///
/// ```
/// use ltlcrit_verifier::Difference;
///
/// let between = |a: &str, b: &str| Ok::<_, Box<dyn std::error::Error>>(Difference::between(&a.parse()?, &b.parse()?)?);
/// // On finite words, `G F a` says no more than that `a` holds at the last letter.
/// assert_eq!(between("G F a", "F(a & !X[!] true)")?, Difference::Word { word: "[]".parse()?, by_first: true });
/// assert_eq!(between("X[!] true & G F a", "X[!] F(a & !X[!] true)")?, Difference::Nothing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The same words satisfy both, the empty one included.
    Nothing,
    /// This word satisfies one of them only.
    Word {
        /// The word.
        word: Word,
        /// True if it satisfies the first formula.
        by_first: bool,
    },
    /// The question exceeds its bounds.
    Undecided,
}

impl Difference {
    /// Compares two formulas.
    ///
    /// # Errors
    /// More propositions than a vocabulary may have.
    pub fn between(a: &Formula, b: &Formula) -> Result<Self, VocabularyError> {
        if accepts_empty(a) != accepts_empty(b) {
            return Ok(Self::Word { word: Word::default(), by_first: accepts_empty(a) });
        }
        let differ = a.clone().xor(b.clone());
        let vocabulary = Vocabulary::plain("formulas", differ.atoms())?;
        let (mut arena, budget) = (NnfArena::new(), Budget::new());
        let Ok(node) = arena.add(&differ, &vocabulary) else { return Ok(Self::Undecided) };
        let _unlimited = budget.only(WORK);
        let arena = Metered { arena: &arena, budget: &budget };
        let differ = Residual::all_next(&[node]);
        Ok(match LtlfSat::new(&vocabulary, false).continuation(arena, &[&differ], None) {
            Answer::Unsat(_) => Self::Nothing,
            Answer::Unknown => Self::Undecided,
            Answer::Plan(letters) => {
                let holds = |name: &str, at: usize| vocabulary.id(name).is_some_and(|id| letters[at].holds(id));
                let by_first = holds_at(a, 0, letters.len(), &holds);
                let names = |letter: &Letter| vocabulary.names(&letter.0).into_iter().map(str::to_owned);
                Self::Word { word: Word::from_letters(letters.iter().map(names)), by_first }
            }
        })
    }
}
