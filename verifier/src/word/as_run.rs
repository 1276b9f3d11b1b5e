//! The check that a word is the word of a run.

use std::sync::Arc;

use thiserror::Error;

use super::Word;
use crate::letter::{Letter, PropSet};
use crate::vocabulary::{ActionId, Axiom, PropId, STOP, UnknownProposition, Vocabulary};

/// The first reason why a word is not the word of a run. Letters are numbered from 0, as in the definition.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunFault {
    /// The empty word.
    #[error("the empty word is not a run: a run has at least letter 0, the state it begins in; write its observations")]
    Empty,
    /// A proposition that is not in the vocabulary.
    #[error("letter {letter}: {unknown}")]
    Unknown {
        /// The letter, from 0.
        letter: usize,
        /// The proposition.
        unknown: UnknownProposition,
    },
    /// Letter 0 has an action.
    #[error(
        "letter 0 has the action `{action}`, but no action leads to the state a run begins in; write the state before \
         `{action}` as letter 0: `;{action}`"
    )]
    ActionAtStart {
        /// The action.
        action: Arc<str>,
    },
    /// A letter after the first has no action.
    #[error("no action leads to letter {letter}; every letter from letter 1 on has exactly one")]
    NoAction {
        /// The letter, from 0.
        letter: usize,
    },
    /// A letter has several actions.
    #[error("{} actions lead to letter {letter}: `{}`; every letter from letter 1 on has exactly one", .actions.len(), .actions.join("`, `"))]
    SeveralActions {
        /// The letter, from 0.
        letter: usize,
        /// The actions.
        actions: Vec<Arc<str>>,
    },
    /// A letter after `action_stop`.
    #[error("letter {letter} comes after `{STOP}` at letter {stop}, which ends the run; leave out what comes after it")]
    AfterStop {
        /// The letter, from 0.
        letter: usize,
        /// The letter that `action_stop` leads to.
        stop: usize,
    },
    /// `action_stop` changes observations.
    #[error(
        "letter {letter}: `{STOP}` leaves the observations as they are, but `{}` changed; repeat those of letter {}",
        .changed.join("`, `"), .letter - 1
    )]
    StopChanges {
        /// The letter, from 0.
        letter: usize,
        /// The observations that differ from those of the letter before.
        changed: Vec<Arc<str>>,
    },
    /// A letter after the end of a run that was finished without `action_stop`.
    #[error("letter {letter} comes after the end of the run, which was finished at letter {}; start another run", .letter - 1)]
    AfterEnd {
        /// The letter, from 0.
        letter: usize,
    },
    /// A step before letter 0.
    #[error("the run has not started: before the first step, give the observations of letter 0")]
    NotStarted,
    /// An action that is not in the vocabulary.
    #[error("letter {letter}: the vocabulary `{vocabulary}` has no action number {}; it has {actions}, numbered from 0", .action.0)]
    UnknownAction {
        /// The letter, from 0.
        letter: usize,
        /// The number.
        action: ActionId,
        /// The number of actions.
        actions: usize,
        /// The vocabulary's name.
        vocabulary: Arc<str>,
    },
    /// A proposition that is not in the vocabulary, given by number.
    #[error("letter {letter}: the vocabulary `{vocabulary}` has no proposition number {}", .proposition.0)]
    NoSuchProposition {
        /// The letter, from 0.
        letter: usize,
        /// The number.
        proposition: PropId,
        /// The vocabulary's name.
        vocabulary: Arc<str>,
    },
    /// Observations that an axiom excludes.
    #[error("letter {letter} breaks the axiom {} of the vocabulary `{vocabulary}`: no real state is like that", .axiom.quoted())]
    BreaksAxiom {
        /// The letter, from 0.
        letter: usize,
        /// The axiom.
        axiom: Axiom,
        /// The vocabulary's name.
        vocabulary: Arc<str>,
    },
}

impl Word {
    /// Returns the letters if the word is the word of a run over a vocabulary. Letter 0 has no action, and each later
    /// one has exactly one. `action_stop` comes last and keeps the observations. Every letter satisfies the axioms.
    ///
    /// Over a vocabulary without actions, only the axioms are checked.
    ///
    /// ```
    /// use ltlcrit_verifier::{Vocabulary, Word};
    ///
    /// let doors = Vocabulary::builder("doors").observation("obs_dark").action("action_open").build()?;
    /// assert_eq!(Word::parse("obs_dark;action_open")?.as_run(&doors)?.len(), 2);
    /// let fault = Word::parse(";action_stop;action_open")?.as_run(&doors).unwrap_err();
    /// assert_eq!(
    ///     fault.to_string(),
    ///     "letter 2 comes after `action_stop` at letter 1, which ends the run; leave out what comes after it"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first fault, from the first letter to the last.
    pub fn as_run(&self, vocabulary: &Vocabulary) -> Result<Vec<Letter>, RunFault> {
        if self.is_empty() {
            return Err(RunFault::Empty);
        }
        let mut run: Vec<Letter> = Vec::with_capacity(self.len());
        for (position, names) in self.letters().iter().enumerate() {
            let set = vocabulary.set(names.iter().map(|name| &**name));
            let letter = Letter(set.map_err(|unknown| RunFault::Unknown { letter: position, unknown })?);
            if !vocabulary.actions().is_empty() {
                check_action(vocabulary, &run, &letter)?;
            }
            if let Some(axiom) = vocabulary.broken_axiom(&letter.0) {
                let (axiom, vocabulary) = (axiom.clone(), vocabulary.name().into());
                return Err(RunFault::BreaksAxiom { letter: position, axiom, vocabulary });
            }
            run.push(letter);
        }
        Ok(run)
    }
}

/// Checks the action of the letter after `before`.
fn check_action(vocabulary: &Vocabulary, before: &[Letter], letter: &Letter) -> Result<(), RunFault> {
    let number = before.len();
    let Some(last) = before.last() else { return first_letter(vocabulary, &letter.0).map(drop) };
    if last.action(vocabulary).is_some_and(|action| Some(action) == vocabulary.stop()) {
        return Err(RunFault::AfterStop { letter: number, stop: number - 1 });
    }
    let (action, observations) = letter.taken(vocabulary).ok_or(RunFault::NoAction { letter: number })?;
    next_letter(vocabulary, number, last, action, &observations).map(drop)
}

/// Returns letter 0 of a run with these observations.
///
/// # Errors
/// There is an action, or a number that is not a proposition, among the observations.
pub(crate) fn first_letter(vocabulary: &Vocabulary, observations: &PropSet) -> Result<Letter, RunFault> {
    match foreign(vocabulary, observations).next() {
        None => Ok(Letter::initial(*observations)),
        Some(id) => Err(match vocabulary.as_action(id) {
            Some(action) => RunFault::ActionAtStart { action: vocabulary.action_name(action).into() },
            None => no_such_proposition(vocabulary, 0, id),
        }),
    }
}

/// Returns the letter with this number, after a step from the letter `before`.
///
/// # Errors
/// The first fault; axioms are not checked.
pub(crate) fn next_letter(
    vocabulary: &Vocabulary,
    number: usize,
    before: &Letter,
    action: ActionId,
    observations: &PropSet,
) -> Result<Letter, RunFault> {
    if !vocabulary.has_action(action) {
        let (actions, vocabulary) = (vocabulary.actions().len(), vocabulary.name().into());
        return Err(RunFault::UnknownAction { letter: number, action, actions, vocabulary });
    }
    if let Some(id) = foreign(vocabulary, observations).next() {
        let other = |id: PropId| vocabulary.as_action(id).map(|other| vocabulary.action_name(other).into());
        return Err(match other(id) {
            Some(_) => {
                let actions = foreign(vocabulary, observations).filter_map(other);
                let actions = std::iter::once(vocabulary.action_name(action).into()).chain(actions).collect();
                RunFault::SeveralActions { letter: number, actions }
            }
            None => no_such_proposition(vocabulary, number, id),
        });
    }
    let earlier = before.observations(vocabulary);
    if vocabulary.stop() == Some(action) && *observations != earlier {
        let changed = observations.difference(&earlier).union(&earlier.difference(observations));
        return Err(RunFault::StopChanges {
            letter: number,
            changed: vocabulary.names(&changed).into_iter().map(Arc::from).collect(),
        });
    }
    Ok(Letter::after(vocabulary, action, *observations))
}

/// Returns the elements of a set of observations that are not observations.
fn foreign(vocabulary: &Vocabulary, observations: &PropSet) -> impl Iterator<Item = PropId> {
    observations.iter_from(vocabulary.observations().len())
}

fn no_such_proposition(vocabulary: &Vocabulary, letter: usize, proposition: PropId) -> RunFault {
    RunFault::NoSuchProposition { letter, proposition, vocabulary: vocabulary.name().into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::semantics::holds_at;

    fn vocabulary() -> Vocabulary {
        let builder = Vocabulary::builder("v").observations(["p", "q"]).actions(["a", "b"]);
        let axiom = Axiom::new("q -> p".parse().unwrap()).because("q is a kind of p.");
        builder.axiom(axiom).build().unwrap()
    }

    #[test]
    fn faults_say_where_and_what_would_be_right() {
        let vocabulary = vocabulary();
        let mut shown = String::new();
        for word in [
            "[]",
            "a",
            "p;q,p",
            "p;a,b",
            "p;a,q",
            "q",
            "p;p,action_stop;p,a",
            "p;action_stop;action_stop",
            "p;action_stop",
            "p,z",
        ] {
            let fault = Word::parse(word).unwrap().as_run(&vocabulary).unwrap_err();
            shown.push_str(&format!("{word}\n  {fault}\n"));
        }
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn words_of_runs_are_taken() {
        let vocabulary = vocabulary();
        for word in ["", "p", "p,q;a;p,b;p,action_stop", "p;action_stop,p"] {
            let run = Word::parse(word).unwrap().as_run(&vocabulary).unwrap();
            assert_eq!(run.len(), Word::parse(word).unwrap().len(), "{word}");
        }
        let plain = Vocabulary::plain("plain", ["x"]).unwrap();
        assert_eq!(Word::parse("x;;x").unwrap().as_run(&plain).unwrap().len(), 3);
    }

    proptest! {
        /// A word is accepted iff each letter has its required number of actions, the axioms hold, and stopping comes
        /// last.
        #[test]
        fn what_is_taken_is_what_the_definition_says(
            letters in prop::collection::vec(
                prop::sample::subsequence(vec!["p", "q", "a", "b", "action_stop"], 0..=3), 0..5),
        ) {
            let vocabulary = vocabulary();
            let word = Word::from_letters(letters.clone());
            let has = |at: usize, name: &str| letters[at].contains(&name);
            let right = |at: usize| {
                let actions = ["a", "b", "action_stop"].iter().filter(|name| has(at, name)).count();
                let stops = has(at, "action_stop");
                let last = at + 1 == letters.len();
                let axiom = holds_at(&vocabulary.axioms()[0].formula, at, letters.len(), &|name, at| has(at, name));
                let kept = !stops || at == 0 || ["p", "q"].iter().all(|name| has(at, name) == has(at - 1, name));
                actions == usize::from(at > 0) && (!stops || last) && axiom && kept
            };
            prop_assert_eq!(word.as_run(&vocabulary).is_ok(), !letters.is_empty() && (0..letters.len()).all(right));
        }
    }
}
