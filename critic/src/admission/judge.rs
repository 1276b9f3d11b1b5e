//! Whether a new law may enter, rule by rule.

use std::sync::Arc;

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::consistency::{Consistency, ConsistencyError};
use ltlcrit_verifier::guarded::{NotGuarded, recognise_all};
use ltlcrit_verifier::{ActionSet, Formula, GuardedLaw, PropSet, Proposition, Vocabulary, syntax};

use super::replay::GoodStep;
use super::{Gate, GateError, MOST_FORMULA, Proposal, Refusal, Standing, UnknownName};
use crate::model::answer::nearest;
use crate::store::RunId;

/// A proposed formula as it was read.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub formula: Formula,
    pub guarded: Vec<GuardedLaw>,
}

impl Gate<'_> {
    /// Whether a proposal may enter, and what it says if so.
    pub(super) fn judge(&self, proposal: &Proposal) -> Result<Result<Judged, Refusal>, GateError> {
        let judged = match self.read(&proposal.formula) {
            Ok(judged) => judged,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let guarded = &judged.guarded;
        let early = self.leaves_an_action(guarded).and_then(|()| self.is_grounded(guarded, &proposal.evidence));
        if let Err(refusal) = early {
            return Ok(Err(refusal));
        }
        if let Err(refusal) = self.adds_something(guarded)? {
            return Ok(Err(refusal));
        }
        if let Err(refusal) = self.is_not_known_to_be_useless(&judged) {
            return Ok(Err(refusal));
        }
        if let Err(refusal) = self.leaves_every_state_an_action(guarded)? {
            return Ok(Err(refusal));
        }
        Ok(self.spares_good_steps(guarded).map(|()| judged))
    }

    pub(super) fn read(&self, text: &str) -> Result<Judged, Refusal> {
        if text.len() > MOST_FORMULA {
            let message = format!("it is longer than {MOST_FORMULA} bytes; say it in less, or in several laws");
            return Err(Refusal::Syntax { message });
        }
        // As books are read: names the vocabulary knows help to tell the notation.
        let formula = syntax::parse_over(text, &self.vocabulary)
            .or_else(|_| syntax::parse(text))
            .map_err(|error| Refusal::Syntax { message: error.to_string() })?;
        let unknown: Vec<Arc<str>> =
            formula.atoms().into_iter().filter(|atom| self.vocabulary.id(atom).is_none()).collect();
        if unknown.is_empty() {
            let guarded = recognise_all(&formula, &self.vocabulary).map_err(of_other_form)?;
            return Ok(Judged { formula, guarded });
        }
        // The form comes first, as if the names existed and were what they are called.
        if let Some(wider) = self.vocabulary_with(&unknown) {
            recognise_all(&formula, &wider).map_err(of_other_form)?;
        }
        let known = || self.vocabulary.propositions().iter().map(|known| &*known.name);
        let names = unknown
            .into_iter()
            .map(|name| UnknownName { suggestion: nearest(&name, known()).map(str::to_owned), name: name.to_string() });
        Err(Refusal::UnknownPropositions { names: names.collect() })
    }

    fn vocabulary_with(&self, unknown: &[Arc<str>]) -> Option<Vocabulary> {
        let (mut observations, mut actions) =
            (self.vocabulary.observations().to_vec(), self.vocabulary.actions().to_vec());
        for name in unknown {
            let list = if name.starts_with("action_") { &mut actions } else { &mut observations };
            list.push(Proposition::new(name.clone(), ""));
        }
        Vocabulary::new(self.vocabulary.name(), observations, actions, Vec::new()).ok()
    }

    /// Some action but stopping satisfies what each part demands.
    pub(super) fn leaves_an_action(&self, guarded: &[GuardedLaw]) -> Result<(), Refusal> {
        let stop: ActionSet = self.vocabulary.stop().into_iter().collect();
        match guarded.iter().find(|law| law.allows(&self.vocabulary).is_subset(&stop)) {
            Some(law) => Err(Refusal::NoActionLeft { demand: law.demand.to_string() }),
            None => Ok(()),
        }
    }

    /// Every cited step exists, and in one the condition of some part held.
    pub(super) fn is_grounded(&self, guarded: &[GuardedLaw], evidence: &[Evidence]) -> Result<(), Refusal> {
        let Some(&first) = evidence.first() else {
            return Err(Refusal::NoEvidence { holds_at: self.holds_somewhere(guarded) });
        };
        let mut holds = false;
        for cited in evidence {
            let state = self.before(*cited).ok_or(Refusal::NoSuchStep { cited: *cited })?;
            holds |= guarded.iter().any(|law| law.applies(&self.vocabulary, state));
        }
        if holds {
            return Ok(());
        }
        let state = self.before(first).map(|state| self.names(state)).unwrap_or_default();
        Err(Refusal::NotGrounded { cited: first, state, holds_at: self.holds_somewhere(guarded) })
    }

    /// What held before a step, where its action was chosen.
    fn before(&self, cited: Evidence) -> Option<&PropSet> {
        let path = self.graph.run(RunId(cited.run))?;
        let before = usize::try_from(cited.step.checked_sub(1)?).ok()?;
        (before < path.steps().len()).then(|| self.graph.holds(self.graph.place_after(path, before)))?
    }

    /// The first step of all in whose state the condition of some part held.
    fn holds_somewhere(&self, guarded: &[GuardedLaw]) -> Option<Evidence> {
        let steps = self.graph.choices().filter(|(_, state, _)| {
            let state = self.graph.holds(*state);
            state.is_some_and(|state| guarded.iter().any(|law| law.applies(&self.vocabulary, state)))
        });
        let first = steps.flat_map(|(choice, ..)| self.graph.outcomes(choice)).map(|(.., first)| first).min()?;
        Some(Evidence { run: first.run.0, step: u64::from(first.step) })
    }

    /// In some state it blocks an action that no law in force blocks.
    pub(super) fn adds_something(&self, guarded: &[GuardedLaw]) -> Result<Result<(), Refusal>, GateError> {
        let mut system = self.system(guarded)?;
        let new = self.known.len();
        match system.implied_by(new, &vec![true; new + 1]) {
            Ok(None) => Ok(Ok(())),
            Ok(Some(by)) => Ok(Err(Refusal::Implied { by: self.ids_of(&by) })),
            Err(ConsistencyError::Budget(_)) => {
                Ok(Err(Refusal::Undecided { question: "it adds something to the laws in force".to_owned() }))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn leaves_every_state_an_action(
        &self,
        guarded: &[GuardedLaw],
    ) -> Result<Result<(), Refusal>, GateError> {
        match &self.standing {
            Standing::Consistent => {}
            Standing::Undecided => {
                let question = "the laws in force leave every state an action".to_owned();
                return Ok(Err(Refusal::Undecided { question }));
            }
            Standing::OverConstrained(conflict) => {
                let (state, laws) = (self.names(&conflict.state), conflict.laws.clone());
                return Ok(Err(Refusal::BookOverConstrained { state, laws }));
            }
        }
        Ok(match self.system(guarded)?.check()? {
            Consistency::Consistent => Ok(()),
            Consistency::Undecided => {
                Err(Refusal::Undecided { question: "with it every state keeps an action".to_owned() })
            }
            Consistency::OverConstrained(conflict) => {
                Err(Refusal::OverConstrains { state: self.names(&conflict.witness), laws: self.ids_of(&conflict.laws) })
            }
        })
    }

    pub(super) fn spares_good_steps(&self, guarded: &[GuardedLaw]) -> Result<(), Refusal> {
        let blocked = |good: &&GoodStep| {
            guarded.iter().any(|law| {
                law.applies(&self.vocabulary, &good.state) && !law.allows(&self.vocabulary).contains(good.action)
            })
        };
        match self.good.iter().find(blocked) {
            None => Ok(()),
            Some(good) => Err(Refusal::BlocksGoodStep {
                step: good.step,
                action: self.vocabulary.action_name(good.action).to_owned(),
                state: self.names(&good.state),
            }),
        }
    }
}

fn of_other_form(why: NotGuarded) -> Refusal {
    Refusal::NotOfTheForm { why: why.to_string() }
}
