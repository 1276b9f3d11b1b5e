//! A monitor: one law watched along one run, with a four-valued verdict after every letter.

use std::fmt;
use std::sync::Arc;

use crate::automaton::{Alphabet, Automaton, INITIAL, State};
use crate::budget::Budget;
use crate::formula::Formula;
use crate::law::AfterBreak;
use crate::letter::Letter;
use crate::nnf::{Metered, NnfArena, accepts_empty};
use crate::residual;
use crate::verdict::Verdict;
use crate::verdicts;
use crate::vocabulary::{PropId, UnknownProposition, Vocabulary};

/// Maximum cost of reading one letter, in units of work: finding the residual and deciding the verdict.
pub const MAX_WORK: u64 = residual::MAX_WORK * 2 + verdicts::MAX_WORK + ENCODING;
/// Maximum cost of encoding a formula of the longest text for a solver, in units of work.
const ENCODING: u64 = 500_000;

/// One law watched along one run.
///
/// The state is a *residual*: the formula that the rest of the run must satisfy. Each letter rewrites it (`progression`),
/// and equal residuals are one state, so that a letter seen before in a state costs a table look-up.
///
/// The verdict is exact: `violated` and `satisfied` are decided over everything that can still come. That is letter 0
/// without an action, then letters with exactly one, all within the vocabulary's axioms; without actions in the
/// vocabulary, any letters. It knows nothing of other laws or of `action_stop` being last: that is the shield's part.
/// If a verdict exceeds its bounds (thousands of residuals), it stays `pending` or `clear`, which is always sound, and
/// [`Monitor::undecided`] counts it.
///
/// A letter costs at most [`MAX_WORK`] units of work, whatever the formula.
///
/// ```
/// use std::sync::Arc;
/// use ltlcrit_verifier::{Formula, Letter, Verdict, Vocabulary, monitor::Monitor};
///
/// let words = Arc::new(Vocabulary::plain("doors", ["open", "closed"])?);
/// let law = Formula::atom("open").implies(Formula::atom("closed").finally()).globally();
/// let mut monitor = Monitor::new(&law, words.clone())?;
/// assert_eq!(monitor.verdict(), Verdict::Clear);
/// monitor.advance(&Letter(words.set(["open"])?));
/// assert_eq!(monitor.verdict(), Verdict::Pending);
/// monitor.advance(&Letter(words.set(["closed"])?));
/// assert_eq!(monitor.verdict(), Verdict::Clear);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Monitor {
    vocabulary: Arc<Vocabulary>,
    arena: NnfArena,
    budget: Budget,
    automaton: Automaton,
    /// The law as it reads at letter 0, if it speaks of actions: what can come there is a letter without one.
    at_letter_zero: Option<Automaton>,
    state: State,
    verdict: Verdict,
    undecided: u64,
    /// A residual grew past every bound: nothing more is known, and `pending` is all that can be said.
    lost: bool,
}

impl fmt::Debug for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monitor")
            .field("vocabulary", &self.vocabulary.name())
            .field("state", &self.state)
            .field("verdict", &self.verdict)
            .finish_non_exhaustive()
    }
}

impl Monitor {
    /// A monitor before the first letter.
    ///
    /// # Errors
    /// A proposition that is not in the vocabulary.
    pub fn new(formula: &Formula, vocabulary: Arc<Vocabulary>) -> Result<Self, UnknownProposition> {
        let mut arena = NnfArena::new();
        let law = arena.add(formula, &vocabulary)?;
        arena.negate(law);
        let alphabet = Arc::new(Alphabet::new(&arena, law, &vocabulary));
        let accepts_empty = accepts_empty(formula);
        let speaks_of_actions = alphabet.props.iter().any(|prop| !vocabulary.is_observation(*prop));
        let at_letter_zero = match speaks_of_actions {
            true => {
                let (_, law) = arena.add_at_letter_zero(formula, &vocabulary)?;
                arena.negate(law);
                Some(Automaton::new(Arc::new(Alphabet::new(&arena, law, &vocabulary)), law, accepts_empty))
            }
            false => None,
        };
        let automaton = Automaton::new(alphabet, law, accepts_empty);
        let mut monitor = Self {
            vocabulary,
            arena,
            budget: Budget::new(),
            automaton,
            at_letter_zero,
            state: INITIAL,
            verdict: Verdict::Pending,
            undecided: 0,
            lost: false,
        };
        monitor.judge(true);
        Ok(monitor)
    }

    /// Reads one more letter and gives the verdict after it.
    pub fn advance(&mut self, letter: &Letter) -> Verdict {
        if self.lost {
            return self.verdict;
        }
        let arena = Metered { arena: &self.arena, budget: &self.budget };
        match self.automaton.step(arena, self.state, letter) {
            Ok(state) => {
                self.state = state;
                self.judge(false);
            }
            Err(_) => {
                self.lost = true;
                self.undecided += 1;
                self.verdict = Verdict::Pending;
            }
        }
        self.verdict
    }

    /// Reads one more letter as a [`Shield`](crate::Shield) does, and returns whether the letter broke the law. A broken law goes
    /// on or begins anew.
    pub fn read(&mut self, letter: &Letter, after_break: AfterBreak) -> bool {
        let before = self.state;
        if self.advance(letter) != Verdict::Violated {
            return false;
        }
        let arena = Metered { arena: &self.arena, budget: &self.budget };
        let (begin, next) = match after_break {
            AfterBreak::Keep => (before, self.automaton.forgive(arena, before, letter)),
            AfterBreak::Rearm => (INITIAL, self.automaton.step(arena, INITIAL, letter)),
        };
        self.go_to(next.unwrap_or(begin) as usize);
        if self.verdict == Verdict::Violated {
            self.go_to(begin as usize);
        }
        true
    }

    /// Finds the verdict in the current state, or before the first letter.
    fn judge(&mut self, at_beginning: bool) {
        let arena = Metered { arena: &self.arena, budget: &self.budget };
        let exact = match &mut self.at_letter_zero {
            Some(automaton) if at_beginning => verdicts::verdict(automaton, arena, INITIAL, &self.vocabulary),
            _ => verdicts::verdict(&mut self.automaton, arena, self.state, &self.vocabulary),
        };
        self.verdict = exact.unwrap_or_else(|| {
            self.undecided += 1;
            if self.automaton.accepts(self.state) { Verdict::Clear } else { Verdict::Pending }
        });
    }

    /// The verdict on what was read so far.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns whether a run that stops here satisfies the law.
    pub fn accepts(&self) -> bool {
        !self.lost && self.automaton.accepts(self.state)
    }

    /// Back to before the first letter; what was explored is kept.
    pub fn reset(&mut self) {
        self.state = INITIAL;
        self.lost = false;
        self.judge(true);
    }

    /// Returns the number of verdicts that exceeded their bounds and are therefore only `pending` or `clear`.
    pub fn undecided(&self) -> u64 {
        self.undecided
    }

    /// Returns whether a residual exceeded every bound, so that nothing is known since: neither verdict nor acceptance
    /// mean anything until [`Monitor::reset`].
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// All work done so far, in units of the crate's budget.
    pub fn work(&self) -> u64 {
        self.budget.spent()
    }

    /// The propositions the law mentions, in the vocabulary's order.
    pub fn propositions(&self) -> &[PropId] {
        &self.automaton.alphabet().props
    }

    /// The vocabulary the letters are over.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The number of the current state: equal numbers mean equal residuals. Before the first letter it is 0.
    pub fn state(&self) -> usize {
        self.state as usize
    }

    /// Goes to a state met before, to explore the automaton by hand; `false` if there is none of that number.
    pub fn go_to(&mut self, state: usize) -> bool {
        if state >= self.automaton.len() {
            return false;
        }
        self.state = state as State;
        self.lost = false;
        self.judge(false);
        true
    }
}
