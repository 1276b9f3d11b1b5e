//! Checks of replacements and retirements of laws of the book.

use ltlcrit_store::LawId;
use ltlcrit_verifier::consistency::ConsistencyError;
use ltlcrit_verifier::minimal_subset;
use ltlcrit_verifier::{ActionSet, PropSet};

use super::{Gate, GateError, Judged, NotMade, Proposal, ProposedState, Refusal, RetireCause};
use crate::law::KnownLaw;

impl Gate<'_> {
    /// Approves a replacement: it is weaker, and leaves an action where the old law left none.
    pub(super) fn judge_replacement(
        &self,
        law: &LawId,
        with: &Proposal,
        state: &ProposedState,
    ) -> Result<Judged, NotMade> {
        let old = self.changeable(law)?;
        let state = self.possible(state)?;
        let others = self.conflict_with(old, &state)?;
        let judged = self.read(&with.formula)?;
        self.leaves_an_action(&judged.restriction)?;
        self.is_grounded(&judged.restriction, &with.evidence)?;
        self.is_weaker(old, &judged)?;
        let replacement = KnownLaw { restriction: Some(judged.restriction.clone()), ..old.clone() };
        if self.left_at(others.iter().copied().chain([&replacement]), &state).is_empty() {
            let laws = others.iter().map(|known| known.id.clone()).collect();
            return Err(Refusal::LiftsNothing { state: self.names(&state), laws }.into());
        }
        self.spares_needed_steps(&judged.restriction)?;
        Ok(judged)
    }

    /// Approves if a law blocks less than an old one, and something that the others do not block.
    fn is_weaker(&self, old: &KnownLaw, judged: &Judged) -> Result<(), NotMade> {
        let place = self.known.iter().position(|known| known.id == old.id).unwrap_or_default();
        let new = self.known.len();
        let mut system = self.system(&judged.restriction.guarded())?;
        let only_old: Vec<bool> = (0..=new).map(|at| at == place).collect();
        if system.implied_by(new, &only_old)?.is_none() {
            return Err(Refusal::NotWeaker { law: old.id.clone() }.into());
        }
        let all_but_old: Vec<bool> = only_old.into_iter().map(|is_old| !is_old).collect();
        match system.implied_by(new, &all_but_old)? {
            Some(by) => Err(Refusal::Implied { by: self.ids_of(&by) }.into()),
            None => Ok(()),
        }
    }

    /// Approves a retirement by a proposer and returns the reason the book gives for it. Laws in a conflict go, laws that
    /// others imply, and laws that their own proposer takes back. Whatever the given cause, laws go that the evidence speaks
    /// against.
    pub(super) fn judge_retirement(
        &self,
        law: &LawId,
        cause: RetireCause,
        state: Option<&ProposedState>,
        proposer: &str,
    ) -> Result<String, NotMade> {
        let old = self.changeable(law)?;
        match cause {
            RetireCause::Conflict => {
                let state = state.map_or(Ok(PropSet::EMPTY), |state| self.possible(state))?;
                let others = self.conflict_with(old, &state)?;
                let others: Vec<String> = others.iter().map(|known| format!("`{}`", known.id)).collect();
                let with = if others.is_empty() { String::new() } else { format!("with {} ", others.join(", ")) };
                Ok(format!("{with}it leaves no action where {} hold", self.names(&state).join(", ")))
            }
            RetireCause::Implied => match self.implied(law)? {
                Some(by) if by.is_empty() => Ok("it forbids nothing".to_owned()),
                Some(by) => {
                    let by: Vec<String> = by.iter().map(|id| format!("`{id}`")).collect();
                    Ok(format!("{} say it already", by.join(", ")))
                }
                None => Err(Refusal::NotDue { why: format!("`{law}` blocks something no other law does") }.into()),
            },
            RetireCause::Withdrawn if old.proposer.as_deref() == Some(proposer) => {
                Ok(format!("{proposer} takes it back: other laws fit the runs better"))
            }
            _ => {
                let support = old.restriction.as_ref().map(|restriction| self.support(restriction)).unwrap_or_default();
                let (bad, good) = (support.bad, support.good);
                if support.odds() < 0.0 {
                    return Ok(format!("what runs show speaks against it: {bad:.1} nats for it, {good:.1} against it"));
                }
                let why = format!(
                    "what runs show does not speak against `{law}`: {bad:.1} nats for it, {good:.1} against it"
                );
                Err(Refusal::NotDue { why }.into())
            }
        }
    }

    /// Returns whether what runs show speaks against a law of the book.
    pub fn is_outweighed(&self, law: &LawId) -> bool {
        let restriction = self.changeable(law).ok().and_then(|law| law.restriction.as_ref());
        restriction.is_some_and(|restriction| self.support(restriction).odds() < 0.0)
    }

    /// Returns whether the other laws imply a law.
    ///
    /// # Errors
    /// A vocabulary without actions.
    pub(crate) fn is_implied(&self, law: &LawId) -> Result<bool, GateError> {
        Ok(self.implied(law)?.is_some())
    }

    /// Other laws that imply a law; `None` if they do not, or if that is not decided within the bounds.
    fn implied(&self, law: &LawId) -> Result<Option<Vec<LawId>>, GateError> {
        let Some(place) = self.known.iter().position(|known| known.id == *law) else { return Ok(None) };
        match self.system(&[])?.implied_by(place, &vec![true; self.known.len()]) {
            Ok(by) => Ok(by.map(|by| self.ids_of(&by))),
            Err(ConsistencyError::Budget(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A soft law of the book, of the form.
    fn changeable(&self, law: &LawId) -> Result<&KnownLaw, Refusal> {
        if let Some(known) = self.known.iter().find(|known| known.id == *law) {
            return if known.changeable { Ok(known) } else { Err(Refusal::NotChangeable { law: law.clone() }) };
        }
        if self.beyond_proof.iter().any(|known| known.id == *law) {
            return Err(Refusal::NotChangeable { law: law.clone() });
        }
        Err(Refusal::NoSuchLaw { law: law.clone() })
    }

    /// A state that satisfies the axioms of the vocabulary.
    fn possible(&self, state: &ProposedState) -> Result<PropSet, Refusal> {
        let state = *state.value()?;
        match self.vocabulary.broken_axiom(&state) {
            Some(axiom) => Err(Refusal::ImpossibleState { axiom: axiom.to_string(), because: axiom.reason.clone() }),
            None => Ok(state),
        }
    }

    /// The other laws that leave no action in a state together with this one and leave one without it.
    fn conflict_with<'k>(&'k self, law: &'k KnownLaw, state: &PropSet) -> Result<Vec<&'k KnownLaw>, Refusal> {
        let leaves_nothing = |with: &[&'k KnownLaw]| {
            self.left_at(with.iter().copied().chain([law]), state).is_empty().then(|| with.to_vec())
        };
        // Then some action is blocked by this law alone.
        for action in law.blocked_at(state, &self.vocabulary).iter() {
            let others = self.known.iter().filter(|known| known.id != law.id);
            let others = others.filter(|known| !known.blocks(state, action, &self.vocabulary));
            if let Some(with) = leaves_nothing(&others.collect::<Vec<_>>()) {
                return Ok(minimal_subset(with, leaves_nothing));
            }
        }
        let left = self.left_at(self.known.iter(), state);
        let left = left.iter().map(|action| self.vocabulary.action_name(action).to_owned()).collect();
        Err(Refusal::NoConflict { law: law.id.clone(), state: self.names(state), left })
    }

    /// The actions but stopping that laws leave in a state.
    fn left_at<'k>(&self, laws: impl Iterator<Item = &'k KnownLaw>, state: &PropSet) -> ActionSet {
        let mut left = ActionSet::first(self.vocabulary.actions().len());
        if let Some(stop) = self.vocabulary.stop() {
            left.remove(stop);
        }
        laws.fold(left, |left, law| left.difference(&law.blocked_at(state, &self.vocabulary)))
    }
}
