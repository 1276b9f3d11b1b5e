//! The checks that a new law must pass, in order.

use ltlcrit_laws::Evidence;
use ltlcrit_laws::{Entry, Status};
use ltlcrit_store::RunId;
use ltlcrit_verifier::consistency::{Consistency, ConsistencyError};
use ltlcrit_verifier::guarded::NotGuarded;
use ltlcrit_verifier::{ActionId, ActionSet, CompiledLaws, Law, PropSet};

use super::{Gate, Judged, NotMade, Proposal, ProposedFormula, Refusal, Standing};
use crate::change::unknown_name;
use crate::evidence::{GoodStep, Support, Trial};
use crate::graph::Citation;
use crate::law::Restriction;

impl Gate<'_> {
    /// Approves a new law as proposed or [repaired](Self::repaired).
    pub(super) fn judge(&self, proposal: &Proposal) -> Result<Judged, NotMade> {
        let judged = self.read(&proposal.formula)?;
        self.leaves_an_action(&judged.restriction)?;
        self.repaired(&judged, &proposal.evidence)
    }

    /// The checks of a law of the form, in order: that it is grounded, novelty, the proof that every state keeps an action, support,
    /// and that no needed step is lost.
    pub(super) fn judge_formula(&self, judged: &Judged, evidence: &[Evidence]) -> Result<(), NotMade> {
        self.is_grounded(&judged.restriction, evidence)?;
        self.adds_something(&judged.restriction)?;
        self.was_not_given_up(judged)?;
        self.leaves_every_state_an_action(&judged.restriction)?;
        self.is_supported(&judged.restriction, evidence)?;
        self.spares_needed_steps(&judged.restriction)
    }

    /// The formula, if it can be read, names known propositions only and has the form.
    pub(super) fn read(&self, formula: &ProposedFormula) -> Result<Judged, Refusal> {
        let formula = formula.value()?.clone();
        let known: Vec<&str> = self.vocabulary.propositions().iter().map(|known| &*known.name).collect();
        let unknown: Vec<_> = formula.atoms().into_iter().filter(|atom| !known.contains(&&**atom)).collect();
        if !unknown.is_empty() {
            return Err(Refusal::UnknownPropositions {
                names: unknown.iter().map(|name| unknown_name(name, &known)).collect(),
            });
        }
        let of_other_form = |why: NotGuarded| Refusal::NotGuarded { why: why.to_string() };
        let restriction = Restriction::of(&formula, &self.vocabulary).map_err(of_other_form)?;
        let law = Law::soft("proposed", formula.clone(), "");
        if CompiledLaws::check(&law, &self.vocabulary).is_err() {
            return Err(Refusal::Undecided { question: "a shield can watch it within its bounds".to_owned() });
        }
        Ok(Judged { formula, restriction, narrowed: Vec::new() })
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

    /// Every cited step exists, and the condition of some part held before one of them.
    pub(super) fn is_grounded(&self, restriction: &Restriction, evidence: &[Evidence]) -> Result<(), Refusal> {
        let better = || self.shown_somewhere(restriction).or_else(|| self.holds_somewhere(restriction));
        let Some(&first) = evidence.first() else {
            return Err(Refusal::NoEvidence { holds_at: better() });
        };
        let mut holds = false;
        for cited in evidence {
            let state = self.before(*cited).ok_or(Refusal::NoSuchStep { cited: *cited })?;
            holds |= restriction.applies(&state, &self.vocabulary);
        }
        if holds {
            return Ok(());
        }
        let state = self.before(first).map(|state| self.names(&state)).unwrap_or_default();
        Err(Refusal::NotGrounded { cited: first, state, holds_at: better() })
    }

    /// Returns the support of a law by the votes of runs.
    pub(super) fn support(&self, restriction: &Restriction) -> Support {
        self.runs.trials.support(|state, action| restriction.blocks(state, action, &self.vocabulary))
    }

    /// Checks that the bad outweighs the good among the choices that it blocks.
    fn is_supported(&self, restriction: &Restriction, evidence: &[Evidence]) -> Result<(), NotMade> {
        let support = self.support(restriction);
        if support.bad > 0.0 && support.odds() > 0.0 {
            return Ok(());
        }
        let trials = self.runs.trials;
        let blocks = |trial: &&Trial| restriction.blocks(&trial.state, trial.action, &self.vocabulary);
        let weight = |trial: &Trial| trials.weight(&trial.state, trial.action);
        let worst = trials.all.iter().filter(blocks).filter(|trial| trial.brought_something());
        if let Some(worst) = worst.min_by(|one, other| weight(one).total_cmp(&weight(other))) {
            return Err(self.blocks_good_step(worst.step, worst.action, &worst.state));
        }
        let cited =
            |cited: &Evidence| trials.on(Citation { run: RunId(cited.run), step: u32::try_from(cited.step).ok()? });
        let cited = || evidence.iter().filter_map(cited);
        let refusal = match cited().find(blocks).or_else(|| cited().next()) {
            Some(trial) => Refusal::NotShown {
                cited: trial.step.into(),
                action: self.vocabulary.action_name(trial.action).to_owned(),
                blocked: blocks(&trial),
            },
            None => Refusal::NoEvidence { holds_at: self.holds_somewhere(restriction) },
        };
        Err(refusal.into())
    }

    fn blocks_good_step(&self, step: Citation, action: ActionId, state: &PropSet) -> NotMade {
        let refusal = Refusal::BlocksGoodStep {
            step: step.into(),
            action: self.vocabulary.action_name(action).to_owned(),
            state: self.names(state),
        };
        NotMade::Refused(refusal, Some(*state))
    }

    /// The first step of all runs that shows that a law is right: it was taken where the law blocks it, and was bad.
    fn shown_somewhere(&self, restriction: &Restriction) -> Option<Evidence> {
        let bad = self.runs.trials.all.iter().filter(|trial| trial.is_bad());
        let shown = bad.filter(|trial| restriction.blocks(&trial.state, trial.action, &self.vocabulary));
        shown.map(|trial| trial.step).min().map(Evidence::from)
    }

    /// Returns the observations that held where the action of a step was chosen.
    pub(super) fn before(&self, cited: Evidence) -> Option<PropSet> {
        let run = self.runs.graph.run(RunId(cited.run))?;
        let before = usize::try_from(cited.step.checked_sub(1)?).ok()?;
        (before < run.len()).then(|| run.state_before(before))
    }

    /// The first step of all runs before which the condition of some part held.
    pub(super) fn holds_somewhere(&self, restriction: &Restriction) -> Option<Evidence> {
        let applies = |state: &PropSet| restriction.applies(state, &self.vocabulary);
        let choices =
            self.runs.graph.choices().filter(|(_, state, _)| self.runs.graph.holds(*state).is_some_and(applies));
        let first = choices.filter_map(|(choice, ..)| self.runs.graph.first(choice)).min()?;
        Some(first.into())
    }

    /// In some state it blocks an action that no law in force blocks.
    fn adds_something(&self, restriction: &Restriction) -> Result<(), NotMade> {
        let new = self.known.len();
        match self.system(&restriction.guarded())?.implied_by(new, &vec![true; new + 1]) {
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
            Consistency::Consistent => Ok(()),
            Consistency::Undecided => Err(undecided("with it every state keeps an action").into()),
            Consistency::OverConstrained(conflict) => {
                let (state, laws) = (self.names(&conflict.witness), self.ids_of(&conflict.laws));
                Err(NotMade::Refused(Refusal::OverConstrains { state, laws }, Some(conflict.witness)))
            }
        }
    }

    /// Checks that a law spares the steps that runs needed on the way to the goal. A needed step may be blocked if
    /// another one is left that leads to the goal as fast. It may be blocked, too, if runs speak for it all the same.
    pub(super) fn spares_needed_steps(&self, restriction: &Restriction) -> Result<(), NotMade> {
        let trials = self.runs.trials;
        let blocks = |good: &GoodStep| restriction.blocks(&good.state, good.action, &self.vocabulary);
        let in_force =
            |good: &GoodStep| self.known.iter().any(|law| law.blocks(&good.state, good.action, &self.vocabulary));
        let margin = trials.objective.margin;
        let replaced = |lost: &GoodStep| {
            let near =
                |other: &&GoodStep| other.state == lost.state && other.distance <= lost.distance.saturating_add(margin);
            trials.good.iter().filter(near).any(|other| !blocks(other) && !in_force(other))
        };
        let is_lost = |good: &&GoodStep| {
            blocks(good) && !replaced(good) && trials.weight_of_last(&good.state, good.action) <= 0.0
        };
        match trials.good.iter().find(is_lost) {
            Some(lost) => Err(self.blocks_good_step(lost.step, lost.action, &lost.state)),
            None => Ok(()),
        }
    }

    /// Refuses a law that the book had and that was given up because runs were worse with it.
    fn was_not_given_up(&self, judged: &Judged) -> Result<(), Refusal> {
        let given_up = |entry: &&Entry| match &entry.status {
            Status::Retired { reason } => entry.provenance.trial.as_ref() == Some(reason),
            _ => false,
        };
        let mut given_up = self.book.entries().iter().filter(given_up);
        match given_up.find(|entry| entry.formula == judged.formula) {
            Some(entry) => {
                let why = entry.provenance.trial.clone().unwrap_or_default();
                Err(Refusal::ProvedUseless { law: entry.id.clone(), why })
            }
            None => Ok(()),
        }
    }
}
