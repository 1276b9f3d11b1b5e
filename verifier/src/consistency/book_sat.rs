//! Satisfiability of a whole book: whether laws of *any* form, taken together, let a run begin.
//!
//! This is about the start of a run; [`every_state`](super::every_state) is about later states. A run begins with a
//! letter of observations alone, so all actions are false there. Each law is unfolded once with every action false. The
//! rest is a question for the LTLf satisfiability search that the shield uses.

use super::ConsistencyError;
use super::questions::Questions;
use crate::formula::Formula;
use crate::letter::Letter;
use crate::ltlf_sat::Answer;
use crate::residual::Residual;
use crate::vocabulary::Vocabulary;

/// The default limit of a question's cost, in the search's units of work.
pub const DEFAULT_WORK: u64 = 10_000_000;

/// The action that a run must be able to take to count as begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Any action, including stopping.
    AnyAction,
    /// Some action other than stopping.
    MoreThanStopping,
}

/// The answer to whether laws let a run begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Satisfiability {
    /// They do: this word of at least two letters satisfies all of them.
    Satisfiable {
        /// Letter 0 has no action.
        word: Vec<Letter>,
    },
    /// They do not, for any observations.
    Contradictory {
        /// Indices of laws that already contradict each other. None of them is superfluous, unless the budget ran out
        /// before that was proved.
        laws: Vec<usize>,
    },
    /// The budget ran out; to be treated as contradictory.
    Undecided,
}

/// The answer to whether laws of any form imply another law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Implication {
    /// The laws at these indices imply it. None of them is superfluous, unless the budget ran out before that was
    /// proved.
    By(Vec<usize>),
    /// The laws do not imply it.
    None,
    /// The budget ran out.
    Undecided,
}

/// Decides whether some run that satisfies all the laws takes an action. The run begins with a state that the axioms
/// allow, and takes at least one action. Actions are one-hot from letter 1 on, and observations are free within the
/// axioms. `action_stop` comes last and keeps the observations.
///
/// # Errors
/// The vocabulary has no actions, or a law has a proposition that is not in the vocabulary.
pub fn satisfiable(
    vocabulary: &Vocabulary,
    laws: &[Formula],
    beginning: Beginning,
    work: u64,
) -> Result<Satisfiability, ConsistencyError> {
    let all: Vec<usize> = (0..laws.len()).collect();
    Ok(AnyLaws::new(vocabulary, laws)?.satisfiable(&all, beginning, work))
}

/// The claims about one law that questions make.
struct Root {
    /// The law holds, as read from letter 0, which has no action.
    holds: Residual,
    /// It does not.
    fails: Residual,
    /// Letter 1 exists, and the law holds from there on.
    from_letter_one: Residual,
}

/// Laws of any form over a vocabulary, encoded once for any number of questions about some of them.
pub struct AnyLaws<'a> {
    questions: Questions<'a>,
    roots: Vec<Root>,
    /// The claims that are added to the laws, by [`Beginning`].
    any_action: Residual,
    more_than_stopping: Residual,
}

impl<'a> AnyLaws<'a> {
    /// Encodes laws over a vocabulary.
    ///
    /// # Errors
    /// The vocabulary has no actions, or a law has a proposition that is not in the vocabulary.
    pub fn new(vocabulary: &'a Vocabulary, laws: &[Formula]) -> Result<Self, ConsistencyError> {
        let Some(stop) = vocabulary.stop() else {
            return Err(ConsistencyError::NoActions(vocabulary.name().to_owned()));
        };
        let mut questions = Questions::new(vocabulary);
        let claim = |id| Residual::all_next(&[id]);
        let mut roots = Vec::with_capacity(laws.len());
        for (index, law) in laws.iter().enumerate() {
            let (law, holds) = questions.add_at_letter_zero(law, index)?;
            let fails = questions.arena.negate(holds);
            let from_letter_one = questions.arena.next(true, law);
            roots.push(Root { holds: claim(holds), fails: claim(fails), from_letter_one: claim(from_letter_one) });
        }
        let stops = Formula::atom(vocabulary.action_name(stop));
        let any_action = claim(questions.add(&Formula::True.strong_next(), laws.len())?);
        let more_than_stopping = claim(questions.add(&stops.not().strong_next(), laws.len())?);
        Ok(Self { questions, roots, any_action, more_than_stopping })
    }

    /// Returns all work done so far, in units.
    pub fn work(&self) -> u64 {
        self.questions.budget.spent()
    }

    /// Answers as the function [`satisfiable`] does, for the laws at these indices.
    pub fn satisfiable(&mut self, laws: &[usize], beginning: Beginning, work: u64) -> Satisfiability {
        let Self { questions, roots, any_action, more_than_stopping } = self;
        let always = [match beginning {
            Beginning::AnyAction => &*any_action,
            Beginning::MoreThanStopping => &*more_than_stopping,
        }];
        let all: Vec<&Residual> = laws.iter().map(|law| &roots[*law].holds).collect();
        let before = questions.budget.limit(work);
        let answer = questions.ask(&always, &all, None);
        questions.budget.restore(before);
        let Answer::Unsat(core) = answer else { return satisfiability(answer, questions.vocabulary) };
        // Minimising the core may cost as much again.
        let before = questions.budget.limit(work);
        let core = questions.fewest(&always, &all, core);
        questions.budget.restore(before);
        Satisfiability::Contradictory { laws: core.into_iter().map(|at| laws[at]).collect() }
    }

    /// Decides whether some run that takes an action violates a law: satisfiability of the negation, with no other law
    /// in force. If there is no such run, the law is vacuous.
    pub fn violable(&mut self, law: usize, work: u64) -> Satisfiability {
        let claims = [&self.roots[law].fails, &self.any_action];
        claimed(&mut self.questions, &claims, work)
    }

    /// Decides whether some run satisfies a law from letter 1 on, read without letter 0. Suppose that this holds, but
    /// no run satisfies the law, such as `G(a | b)` over actions. Then the law demands an action in letter 0, which has
    /// no action.
    pub fn satisfiable_from_letter_one(&mut self, law: usize, work: u64) -> Satisfiability {
        claimed(&mut self.questions, &[&self.roots[law].from_letter_one], work)
    }

    /// Decides whether every run that satisfies the laws at the indices `by`, and takes an action, satisfies `law`.
    /// Laws that contradict each other imply nothing.
    pub fn implied_by(&mut self, law: usize, by: &[usize], work: u64) -> Implication {
        let Self { questions, roots, any_action, .. } = self;
        let before = questions.budget.limit(work);
        questions.forget();
        let always = [&roots[law].fails, &*any_action];
        let all: Vec<&Residual> = by.iter().map(|law| &roots[*law].holds).collect();
        let found = match questions.ask(&always, &all, None) {
            Answer::Plan(_) => Implication::None,
            Answer::Unknown => Implication::Undecided,
            Answer::Unsat(core) => {
                let fewest = questions.fewest(&always, &all, core);
                let some: Vec<&Residual> = fewest.iter().map(|at| all[*at]).collect();
                match questions.ask(&[&*any_action], &some, None) {
                    Answer::Plan(_) => Implication::By(fewest.into_iter().map(|at| by[at]).collect()),
                    Answer::Unsat(_) => Implication::None,
                    Answer::Unknown => Implication::Undecided,
                }
            }
        };
        questions.budget.restore(before);
        found
    }
}

/// Decides whether some word satisfies these claims.
fn claimed(questions: &mut Questions<'_>, claims: &[&Residual], work: u64) -> Satisfiability {
    let before = questions.budget.limit(work);
    let answer = questions.ask(claims, &[], None);
    questions.budget.restore(before);
    satisfiability(answer, questions.vocabulary)
}

fn satisfiability(answer: Answer, vocabulary: &Vocabulary) -> Satisfiability {
    match answer {
        Answer::Plan(mut word) => {
            if let Some(first) = word.first_mut() {
                *first = Letter::initial(first.observations(vocabulary));
            }
            Satisfiability::Satisfiable { word }
        }
        Answer::Unsat(laws) => Satisfiability::Contradictory { laws },
        Answer::Unknown => Satisfiability::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formulas::formulas_of;
    use crate::letter::PropSet;
    use crate::semantics::satisfies;
    use crate::vocabulary::PropId;

    fn vocabulary() -> Vocabulary {
        let builder = Vocabulary::builder("tiny").observations(["p", "q"]).actions(["a", "b"]);
        builder.axiom(Formula::atom("q").implies(Formula::atom("p"))).build().unwrap()
    }

    fn formula() -> impl Strategy<Value = Formula> {
        let leaf = prop::sample::select(vec!["p", "q", "a", "b", "action_stop"]).prop_map(Formula::atom);
        formulas_of(leaf, 3, 8)
    }

    /// Returns all words that a run of two to four letters can produce.
    fn runs() -> Vec<Vec<Vec<&'static str>>> {
        const STATES: [&[&str]; 3] = [&[], &["p"], &["p", "q"]];
        let mut last: Vec<Vec<Vec<&str>>> = STATES.iter().map(|state| vec![state.to_vec()]).collect();
        let mut runs = Vec::new();
        for _ in 0..3 {
            let mut open = Vec::new();
            for run in &last {
                let mut end: Vec<&str> = run[run.len() - 1].iter().copied().filter(|name| name.len() == 1).collect();
                end.retain(|name| matches!(*name, "p" | "q"));
                end.push("action_stop");
                runs.push([run.clone(), vec![end]].concat());
                for state in STATES {
                    for action in ["a", "b"] {
                        open.push([run.clone(), vec![[state, &[action]].concat()]].concat());
                    }
                }
            }
            runs.extend(open.iter().cloned());
            last = open;
        }
        runs
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

        #[test]
        fn agrees_with_the_definition(laws in prop::collection::vec(formula(), 1..=4), more in any::<bool>()) {
            let vocabulary = vocabulary();
            let beginning = if more { Beginning::MoreThanStopping } else { Beginning::AnyAction };
            let begins = |word: &[Vec<&str>]| !more || !word[1].contains(&"action_stop");
            let short = |laws: &[Formula]| {
                runs().into_iter().find(|word| begins(word) && laws.iter().all(|law| satisfies(law, word)))
            };
            match satisfiable(&vocabulary, &laws, beginning, DEFAULT_WORK).unwrap() {
                Satisfiability::Satisfiable { word } => {
                    let names: Vec<Vec<&str>> = word.iter().map(|letter| vocabulary.names(&letter.0)).collect();
                    prop_assert!(names.len() >= 2 && begins(&names), "{:?}", names);
                    for law in &laws {
                        prop_assert!(satisfies(law, &names), "{} on {:?}", law, names);
                    }
                    for (position, letter) in word.iter().enumerate() {
                        let actions = letter.0.len() - letter.observations(&vocabulary).len();
                        prop_assert_eq!(actions, usize::from(position > 0));
                        prop_assert!(!letter.holds(PropId(1)) || letter.holds(PropId(0)), "the axiom");
                        if letter.action(&vocabulary) == vocabulary.stop() && position > 0 {
                            prop_assert_eq!(position, word.len() - 1);
                            let before: PropSet = word[position - 1].observations(&vocabulary);
                            prop_assert_eq!(letter.observations(&vocabulary), before);
                        }
                    }
                }
                Satisfiability::Contradictory { laws: needed } => {
                    prop_assert_eq!(short(&laws), None);
                    let core: Vec<Formula> = needed.iter().map(|law| laws[*law].clone()).collect();
                    prop_assert_eq!(short(&core), None);
                    for place in 0..core.len() {
                        let mut fewer = core.clone();
                        fewer.remove(place);
                        let without = satisfiable(&vocabulary, &fewer, beginning, DEFAULT_WORK).unwrap();
                        prop_assert!(matches!(without, Satisfiability::Satisfiable { .. }), "{} is superfluous", place);
                    }
                }
                Satisfiability::Undecided => prop_assert!(false, "undecided"),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

        /// A law that no run violates is vacuous, a law that no run satisfies is unsatisfiable, and no law is both.
        #[test]
        fn a_law_is_violable_iff_some_run_violates_it(law in formula()) {
            let vocabulary = vocabulary();
            let mut any = AnyLaws::new(&vocabulary, std::slice::from_ref(&law)).unwrap();
            let satisfiable = any.satisfiable(&[0], Beginning::AnyAction, DEFAULT_WORK);
            let violable = any.violable(0, DEFAULT_WORK);
            match &violable {
                Satisfiability::Satisfiable { word } => {
                    let names: Vec<Vec<&str>> = word.iter().map(|letter| vocabulary.names(&letter.0)).collect();
                    prop_assert!(names.len() >= 2 && !satisfies(&law, &names), "{} on {:?}", law, names);
                }
                Satisfiability::Contradictory { .. } => {
                    prop_assert!(runs().iter().all(|word| satisfies(&law, word)));
                    prop_assert!(matches!(satisfiable, Satisfiability::Satisfiable { .. }), "both for {}", law);
                }
                Satisfiability::Undecided => prop_assert!(false, "undecided"),
            }
            let from_letter_one = any.satisfiable_from_letter_one(0, DEFAULT_WORK);
            let later = runs().into_iter().find(|word| satisfies(&law.clone().strong_next(), word));
            match from_letter_one {
                Satisfiability::Satisfiable { word } => {
                    let names: Vec<Vec<&str>> = word.iter().map(|letter| vocabulary.names(&letter.0)).collect();
                    prop_assert!(satisfies(&law.strong_next(), &names));
                }
                _ => prop_assert_eq!(later, None),
            }
        }
    }

    #[test]
    fn letter_zero_has_no_action() {
        let law = |text: &str| crate::syntax::parse(text).unwrap();
        let vocabulary = vocabulary();
        let laws = [law("G(a | b | action_stop)"), law("X G(a | b | action_stop)"), law("F(p | !p)")];
        let mut any = AnyLaws::new(&vocabulary, &laws).unwrap();
        let none = Satisfiability::Contradictory { laws: vec![0] };
        assert_eq!(any.satisfiable(&[0], Beginning::AnyAction, DEFAULT_WORK), none);
        assert!(
            matches!(any.violable(0, DEFAULT_WORK), Satisfiability::Satisfiable { .. }),
            "it is not vacuous as well"
        );
        assert!(matches!(any.satisfiable_from_letter_one(0, DEFAULT_WORK), Satisfiability::Satisfiable { .. }));
        for valid in [1, 2] {
            assert!(matches!(
                any.satisfiable(&[valid], Beginning::AnyAction, DEFAULT_WORK),
                Satisfiability::Satisfiable { .. }
            ));
            assert!(matches!(any.violable(valid, DEFAULT_WORK), Satisfiability::Contradictory { .. }));
        }
    }

    #[test]
    fn a_promise_that_another_law_forbids_to_keep_is_a_contradiction() {
        let law = |text: &str| crate::syntax::parse(text).unwrap();
        let laws = [law("G(p -> X !a)"), law("F b"), law("G p"), law("G !b")];
        let found = satisfiable(&vocabulary(), &laws, Beginning::AnyAction, DEFAULT_WORK).unwrap();
        assert_eq!(found, Satisfiability::Contradictory { laws: vec![1, 3] });
        let unknown = satisfiable(&vocabulary(), &[law("G z")], Beginning::AnyAction, DEFAULT_WORK).unwrap_err();
        assert_eq!(
            unknown,
            ConsistencyError::UnknownProposition { law: 0, unknown: vocabulary().require("z").unwrap_err() }
        );
    }

    #[test]
    fn no_budget_is_undecided() {
        let law = crate::syntax::parse("F a & F b").unwrap();
        let found = satisfiable(&vocabulary(), &[law], Beginning::AnyAction, 0).unwrap();
        assert_eq!(found, Satisfiability::Undecided);
    }
}
