//! The rules a new law must pass, in order.

use std::sync::Arc;

use ltlcrit_laws::Evidence;
use ltlcrit_store::RunId;
use ltlcrit_verifier::consistency::{Consistency, ConsistencyError};
use ltlcrit_verifier::guarded::NotGuarded;
use ltlcrit_verifier::{ActionSet, CompiledLaws, Law, PropSet, Proposition, Vocabulary, minimal_subset};

use super::{Gate, Judged, NotMade, Proposal, ProposedFormula, Refusal, Standing};
use crate::change::unknown_name;
use crate::graph::Citation;
use crate::law::Restriction;
use crate::trial::{GoodStep, Trial};

impl Gate<'_> {
    /// Approves a new law: the pieces of it that steps show, as proposed or
    /// [narrowed](Self::narrowed_until_approved) until they leave every state an action and spare good steps.
    pub(super) fn judge(&self, proposal: &Proposal) -> Result<Judged, NotMade> {
        let whole = self.read(&proposal.formula)?;
        let (supported, rest) = self.supported(&whole);
        match self.narrowed_until_approved(&supported, &proposal.evidence) {
            Err(NotMade::Refused(Refusal::Implied { by }, _)) if !rest.is_empty() => {
                self.adds_something(&whole.restriction)?;
                Err(Refusal::RestNotShown { by, rest }.into())
            }
            Ok(approved) => self.without_unshown(approved, &proposal.evidence),
            refused => refused,
        }
    }

    /// An approved law without the pieces that no step shows any more once it was narrowed.
    fn without_unshown(&self, approved: Judged, evidence: &[Evidence]) -> Result<Judged, NotMade> {
        let (supported, rest) = self.supported(&approved);
        if rest.is_empty() {
            return Ok(approved);
        }
        match self.judge_formula(&supported, evidence) {
            Err(NotMade::Refused(Refusal::Implied { by }, _)) => return Err(Refusal::RestNotShown { by, rest }.into()),
            judged => judged?,
        }
        let narrowed = approved.narrowed.into_iter().chain(supported.narrowed).collect();
        Ok(Judged { narrowed, ..supported })
    }

    pub(super) fn judge_formula(&self, judged: &Judged, evidence: &[Evidence]) -> Result<(), NotMade> {
        self.leaves_an_action(&judged.restriction)?;
        self.is_grounded(&judged.restriction, evidence, Self::shown_somewhere)?;
        self.is_shown(&judged.restriction, evidence)?;
        self.fits_the_book(judged)?;
        self.spares_good_steps(&judged.restriction)
    }

    /// The rules that speak of the book: it adds something, did not prove useless, and leaves every state an action.
    pub(super) fn fits_the_book(&self, judged: &Judged) -> Result<(), NotMade> {
        self.adds_something(&judged.restriction)?;
        self.is_not_known_to_be_useless(judged)?;
        self.was_not_withdrawn(judged)?;
        self.is_not_given_up(judged)?;
        self.leaves_every_state_an_action(&judged.restriction)
    }

    /// The formula, if it can be read, has the form and names known propositions only.
    pub(super) fn read(&self, formula: &ProposedFormula) -> Result<Judged, Refusal> {
        let formula = formula.value()?.clone();
        let unknown: Vec<Arc<str>> =
            formula.atoms().into_iter().filter(|atom| self.vocabulary.id(atom).is_none()).collect();
        if unknown.is_empty() {
            let restriction = Restriction::of(&formula, &self.vocabulary).map_err(of_other_form)?;
            let law = Law::soft("proposed", formula.clone(), "");
            if CompiledLaws::check(&law, &self.vocabulary).is_err() {
                return Err(Refusal::Undecided { question: "a shield can watch it within its bounds".to_owned() });
            }
            return Ok(Judged { formula, restriction, narrowed: Vec::new() });
        }
        // The form is checked first, as if the unknown names existed.
        if let Some(wider) = self.vocabulary_with(&unknown) {
            Restriction::of(&formula, &wider).map_err(of_other_form)?;
        }
        let known: Vec<&str> = self.vocabulary.propositions().iter().map(|known| &*known.name).collect();
        Err(Refusal::UnknownPropositions { names: unknown.iter().map(|name| unknown_name(name, &known)).collect() })
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

    /// Each part leaves an action besides stopping.
    pub(super) fn leaves_an_action(&self, restriction: &Restriction) -> Result<(), Refusal> {
        let stop: ActionSet = self.vocabulary.stop().into_iter().collect();
        let but_stopping = ActionSet::first(self.vocabulary.actions().len()).difference(&stop);
        match restriction.parts().iter().find(|(_, blocked)| but_stopping.is_subset(blocked)) {
            Some((part, _)) => Err(Refusal::NoActionLeft { demand: part.demand.to_string() }),
            None => Ok(()),
        }
    }

    /// Every cited step exists, and the condition of some part held before one of them. If not, `better` finds the step to cite.
    pub(super) fn is_grounded(
        &self,
        restriction: &Restriction,
        evidence: &[Evidence],
        better: impl Fn(&Self, &Restriction) -> Option<Evidence>,
    ) -> Result<(), Refusal> {
        let Some(&first) = evidence.first() else {
            return Err(Refusal::NoEvidence { holds_at: better(self, restriction) });
        };
        let mut holds = false;
        for cited in evidence {
            let state = self.before(*cited).ok_or(Refusal::NoSuchStep { cited: *cited })?;
            holds |= restriction.applies(state, &self.vocabulary);
        }
        if holds {
            return Ok(());
        }
        let state = self.before(first).map(|state| self.names(state)).unwrap_or_default();
        Err(Refusal::NotGrounded { cited: first, state, holds_at: better(self, restriction) })
    }

    /// In some cited step an action was taken that it blocks, and failed or was needless.
    fn is_shown(&self, restriction: &Restriction, evidence: &[Evidence]) -> Result<(), Refusal> {
        let trials: Vec<&Trial> = evidence.iter().filter_map(|cited| self.trial(*cited)).collect();
        if trials.iter().any(|trial| self.shows(trial, restriction)) {
            return Ok(());
        }
        let blocks = |trial: &&&Trial| restriction.blocks(&trial.state, trial.action, &self.vocabulary);
        let Some(trial) = trials.iter().find(blocks).or(trials.first()) else {
            return Err(Refusal::NoEvidence { holds_at: self.shown_somewhere(restriction) });
        };
        Err(Refusal::NotShown {
            cited: trial.step.into(),
            action: self.vocabulary.action_name(trial.action).to_owned(),
            blocked: restriction.blocks(&trial.state, trial.action, &self.vocabulary),
            shown_at: self.shown_somewhere(restriction),
        })
    }

    /// The verdict on a cited step.
    pub(super) fn trial(&self, cited: Evidence) -> Option<&Trial> {
        self.runs.trials.of(Citation { run: RunId(cited.run), step: u32::try_from(cited.step).ok()? })
    }

    /// Whether a trial shows that a law is right: it was taken where the law blocks it, and failed or was needless.
    pub(super) fn shows(&self, trial: &Trial, restriction: &Restriction) -> bool {
        trial.is_bad() && restriction.blocks(&trial.state, trial.action, &self.vocabulary)
    }

    /// The first step of all runs that shows that a law is right.
    fn shown_somewhere(&self, restriction: &Restriction) -> Option<Evidence> {
        let shown = self.runs.trials.all.iter().filter(|trial| self.shows(trial, restriction));
        shown.map(|trial| trial.step).min().map(Evidence::from)
    }

    /// What held before a step, where its action was chosen.
    pub(super) fn before(&self, cited: Evidence) -> Option<&PropSet> {
        let path = self.runs.graph.run(RunId(cited.run))?;
        let before = usize::try_from(cited.step.checked_sub(1)?).ok()?;
        (before < path.steps().len()).then(|| self.runs.graph.holds(self.runs.graph.place_after(path, before)))?
    }

    /// The first step of all runs before which the condition of some part held.
    pub(super) fn holds_somewhere(&self, restriction: &Restriction) -> Option<Evidence> {
        let applies = |state: &PropSet| restriction.applies(state, &self.vocabulary);
        let choices =
            self.runs.graph.choices().filter(|(_, state, _)| self.runs.graph.holds(*state).is_some_and(applies));
        let first = choices.flat_map(|(choice, ..)| self.runs.graph.outcomes(choice)).map(|(.., first)| first).min()?;
        Some(first.into())
    }

    /// In some state it blocks an action that no law in force blocks.
    fn adds_something(&self, restriction: &Restriction) -> Result<(), NotMade> {
        let new = self.known.len();
        let by = [self.established(), vec![true]].concat();
        match self.system(&restriction.guarded())?.implied_by(new, &by) {
            Ok(None) => Ok(()),
            Ok(Some(by)) => Err(Refusal::Implied { by: self.ids_of(&by) }.into()),
            Err(ConsistencyError::Budget(_)) => {
                Err(Refusal::Undecided { question: "it adds something to the laws in force".to_owned() }.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn leaves_every_state_an_action(&self, restriction: &Restriction) -> Result<(), NotMade> {
        let undecided = |question: &str| Refusal::Undecided { question: question.to_owned() };
        match &self.standing {
            Standing::Consistent => {}
            Standing::Undecided => return Err(undecided("the laws in force leave every state an action").into()),
            Standing::OverConstrained(conflict) => {
                let (state, laws) = (self.names(&conflict.state), conflict.laws.clone());
                return Err(Refusal::BookOverConstrained { state, laws }.into());
            }
        }
        match self.system(&restriction.guarded())?.check()? {
            Consistency::Consistent => self.leaves_more_than_fruitless(restriction),
            Consistency::Undecided => Err(undecided("with it every state keeps an action").into()),
            Consistency::OverConstrained(conflict) => {
                let (state, laws) = (self.names(&conflict.witness), self.ids_of(&conflict.laws));
                Err(NotMade::Refused(Refusal::OverConstrains { state, laws }, Some(conflict.witness)))
            }
        }
    }

    /// In no state that runs met does it leave only actions that are fruitless there, where the laws in force leave another.
    fn leaves_more_than_fruitless(&self, restriction: &Restriction) -> Result<(), NotMade> {
        for (state, fruitless) in &self.runs.trials.fruitless {
            let blocked = restriction.blocked_at(state, &self.vocabulary);
            if blocked.is_subset(fruitless) {
                continue;
            }
            let left = self.left_at(self.known.iter(), state);
            let still = left.difference(&blocked);
            if still.is_subset(fruitless) && !left.is_subset(fruitless) {
                let laws = self
                    .known
                    .iter()
                    .filter(|law| !law.blocked_at(state, &self.vocabulary).difference(fruitless).is_empty());
                let laws = minimal_subset(laws.collect::<Vec<_>>(), |with| {
                    let still = self.left_at(with.iter().copied(), state).difference(&blocked);
                    still.is_subset(fruitless).then(|| with.to_vec())
                });
                let laws = laws.into_iter().map(|law| law.id.clone()).collect();
                let left = still.names(&self.vocabulary).into_iter().map(str::to_owned).collect();
                let refusal = Refusal::LeavesFruitless { state: self.names(state), left, laws };
                return Err(NotMade::Refused(refusal, Some(*state)));
            }
        }
        Ok(())
    }

    /// Where it blocks a step that a run needed on the way to its goal, it leaves another such step from which the goal is as near.
    pub(super) fn spares_good_steps(&self, restriction: &Restriction) -> Result<(), NotMade> {
        let blocks = |good: &GoodStep| restriction.blocks(&good.state, good.action, &self.vocabulary);
        let in_force = |good: &GoodStep| {
            let mut laws = self.known.iter().filter(|law| !law.on_trial);
            laws.any(|law| law.blocks(&good.state, good.action, &self.vocabulary))
        };
        let good = &self.runs.trials.good;
        let replaced = |lost: &GoodStep| {
            let others = good.iter().filter(|other| other.state == lost.state && other.distance <= lost.distance);
            others.into_iter().any(|other| !blocks(other) && !in_force(other))
        };
        let Some(lost) = good.iter().find(|good| blocks(good) && !replaced(good)) else { return Ok(()) };
        let refusal = Refusal::BlocksGoodStep {
            step: lost.step.into(),
            action: self.vocabulary.action_name(lost.action).to_owned(),
            state: self.names(&lost.state),
        };
        Err(NotMade::Refused(refusal, Some(lost.state)))
    }
}

fn of_other_form(why: NotGuarded) -> Refusal {
    Refusal::NotGuarded { why: why.to_string() }
}
