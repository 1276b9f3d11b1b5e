//! Whether a law of the book may be replaced by a weaker one, or retired.

use ltlcrit_verifier::consistency::ConsistencyError;
use ltlcrit_verifier::{ActionId, ActionSet, PropSet};

use super::judge::Judged;
use super::{Gate, GateError, Known, Proposal, Refusal, RetireCause};
use crate::graph::stuck::dead_ends;
use crate::merit::Merit;
use crate::model::answer::nearest;
use crate::store::LawId;

/// A law that never fired is retired when it was in force in at least so many finished runs.
pub const ENOUGH_RUNS: u32 = 20;
/// A law that leaves at most so many actions demands them; one that leaves more forbids the others.
pub const MOST_DEMANDED: usize = 3;
/// A law is judged by what it blocked when at least so much of it is known to have been right or wrong.
pub const ENOUGH_RATED: u32 = 5;

impl Gate<'_> {
    /// A replacement resolves a conflict: it is weaker, and leaves an action where the old law left none.
    pub(super) fn judge_replacement(
        &self,
        law: &LawId,
        with: &Proposal,
        state: &[String],
    ) -> Result<Result<Judged, Refusal>, GateError> {
        let prepared = self.changeable(law).and_then(|old| {
            let state = self.state(state)?;
            let others = self.conflict_with(old, &state)?;
            let judged = self.read(&with.formula)?;
            self.leaves_an_action(&judged.guarded)?;
            self.is_grounded(&judged.guarded, &with.evidence)?;
            Ok((old, state, others, judged))
        });
        let (old, state, others, judged) = match prepared {
            Ok(prepared) => prepared,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let place = self.known.iter().position(|known| known.law.id == old.law.id).unwrap_or_default();
        let new = self.known.len();
        let mut system = self.system(&judged.guarded)?;
        let only_old: Vec<bool> = (0..=new).map(|at| at == place).collect();
        if system.implied_by(new, &only_old)?.is_none() {
            return Ok(Err(Refusal::NotWeaker { law: law.clone() }));
        }
        let all_but_old: Vec<bool> = (0..=new).map(|at| at != place).collect();
        if let Some(by) = system.implied_by(new, &all_but_old)? {
            return Ok(Err(Refusal::Implied { by: self.ids_of(&by) }));
        }
        let replacement = Known { guarded: judged.guarded.clone(), ..old.clone() };
        if self.left_at(others.iter().copied().chain([&replacement]), &state).is_empty() {
            let laws = others.iter().map(|known| known.law.id.clone()).collect();
            return Ok(Err(Refusal::LiftsNothing { state: self.names(&state), laws }));
        }
        Ok(self.spares_good_steps(&judged.guarded).map(|()| judged))
    }

    /// Whether a law is to go for this cause; the reason for the book if so.
    pub(super) fn judge_retirement(
        &self,
        law: &LawId,
        cause: RetireCause,
        state: &[String],
    ) -> Result<Result<String, Refusal>, GateError> {
        let old = match self.changeable(law) {
            Ok(old) => old,
            Err(refusal) => return Ok(Err(refusal)),
        };
        Ok(match cause {
            RetireCause::Conflict => self.state(state).and_then(|state| {
                let others = self.conflict_with(old, &state)?;
                let others: Vec<String> = others.iter().map(|known| format!("`{}`", known.law.id)).collect();
                Ok(format!(
                    "with {} it leaves no action where {} hold",
                    others.join(", "),
                    self.names(&state).join(", ")
                ))
            }),
            RetireCause::DemandsWhatFails => self.state(state).and_then(|state| self.demands_what_fails(old, &state)),
            RetireCause::LeavesDeadEnd => self.state(state).and_then(|state| self.leaves_dead_end(old, &state)),
            RetireCause::NeverFires => self.merit(law, |merit| {
                let (runs, fired) = (merit.runs, merit.fired);
                match (fired, runs >= ENOUGH_RUNS) {
                    (0, true) => Ok(format!("its condition never held in the {runs} runs it was in force")),
                    (0, false) => {
                        Err(format!("`{law}` was in force in {runs} runs only; {ENOUGH_RUNS} are needed to tell"))
                    }
                    _ => Err(format!("the condition of `{law}` held {fired} times")),
                }
            }),
            RetireCause::BlocksGoodSteps => self.merit(law, |merit| {
                let (right, wrong) = (merit.right, merit.wrong);
                match (right + wrong >= ENOUGH_RATED, wrong > right) {
                    (true, true) => Ok(format!("it blocked {wrong} good choices and {right} bad ones")),
                    (true, false) => Err(format!("`{law}` blocked {right} bad choices and {wrong} good ones")),
                    (false, _) => {
                        Err(format!("of what `{law}` blocked, only {} is known to be good or bad", right + wrong))
                    }
                }
            }),
            RetireCause::Implied => match self.implied(law)? {
                Some(by) => {
                    let by: Vec<String> = by.iter().map(|id| format!("`{id}`")).collect();
                    Ok(if by.is_empty() {
                        "it forbids nothing".into()
                    } else {
                        format!("{} say it already", by.join(", "))
                    })
                }
                None => Err(Refusal::NotDue { why: format!("`{law}` blocks something no other law does") }),
            },
        })
    }

    /// The law leaves few actions in a state; those of them that runs tried there always failed.
    fn demands_what_fails(&self, law: &Known, state: &PropSet) -> Result<String, Refusal> {
        let why = |why: &str| Refusal::NotDue {
            why: format!("`{}` {why} where {} hold", law.law.id, self.names(state).join(", ")),
        };
        let left = self.left_at(std::iter::once(law), state);
        if left.len() > MOST_DEMANDED {
            return Err(why("demands nothing in particular"));
        }
        let place = self.graph.state(state).ok_or_else(|| why("was never tried"))?;
        let (mut made, mut failed) = (0, 0);
        for choice in left.iter().filter_map(|action| self.graph.choice(place, action)) {
            let (tried, in_vain) = self.graph.made(choice);
            made += tried;
            failed += in_vain;
        }
        match (made, made == failed) {
            (0, _) => Err(why("demands what nobody tried")),
            (_, true) => {
                Ok(format!("what it demands failed all {made} times where {} hold", self.names(state).join(", ")))
            }
            (_, false) => Err(why("demands what worked")),
        }
    }

    /// The law blocks something that is no failure in a state from which no run got to its goal.
    fn leaves_dead_end(&self, law: &Known, state: &PropSet) -> Result<String, Refusal> {
        let why = |why: &str| Refusal::NotDue { why: format!("{why} where {} hold", self.names(state).join(", ")) };
        if !dead_ends(self.graph).contains(state) {
            return Err(why("no run got stuck, or one that reached its goal was,"));
        }
        let worked = |action: ActionId| {
            self.graph.choices().any(|(choice, place, made)| {
                let (tried, failed) = self.graph.made(choice);
                let here =
                    || self.graph.holds(place).is_some_and(|at| law.blocks_at(at, &self.vocabulary).contains(action));
                made == action && failed < tried && here()
            })
        };
        let place = self.graph.state(state);
        let untried = |action: &ActionId| place.is_none_or(|place| self.graph.choice(place, *action).is_none());
        match law.blocks_at(state, &self.vocabulary).iter().filter(untried).find(|action| worked(*action)) {
            Some(action) => Ok(format!(
                "it blocks {} where {} hold, and no run that was there got to its goal",
                self.vocabulary.action_name(action),
                self.names(state).join(", ")
            )),
            None => Err(why(&format!("`{}` blocks nothing untried that ever worked", law.law.id))),
        }
    }

    /// Whether the other laws that count say what a law says.
    ///
    /// # Errors
    /// A vocabulary without actions.
    pub fn is_implied(&self, law: &LawId) -> Result<bool, GateError> {
        Ok(self.implied(law)?.is_some())
    }

    /// Other laws that say what a law says; `None` if it says something new, or if that is not decided within the bounds.
    fn implied(&self, law: &LawId) -> Result<Option<Vec<LawId>>, GateError> {
        let Some(place) = self.known.iter().position(|known| known.law.id == *law) else { return Ok(None) };
        match self.system(&[])?.implied_by(place, &vec![true; self.known.len()]) {
            Ok(by) => Ok(by.map(|by| self.ids_of(&by))),
            Err(ConsistencyError::Budget(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn merit(&self, law: &LawId, judge: impl Fn(&Merit) -> Result<String, String>) -> Result<String, Refusal> {
        let merit = self.merits.and_then(|merits| merits.of(law));
        let merit = merit.ok_or_else(|| Refusal::NotDue { why: format!("nothing is known of what `{law}` did") })?;
        judge(merit).map_err(|why| Refusal::NotDue { why })
    }

    /// A soft law of the book, of the form.
    fn changeable(&self, law: &LawId) -> Result<&Known, Refusal> {
        if let Some(known) = self.known.iter().find(|known| known.law.id == *law) {
            return if known.law.changeable { Ok(known) } else { Err(Refusal::NotChangeable { law: law.clone() }) };
        }
        if self.beyond_proof.iter().any(|known| known.id == *law) {
            return Err(Refusal::NotChangeable { law: law.clone() });
        }
        Err(Refusal::NoSuchLaw { law: law.clone() })
    }

    /// A state by the names of what holds in it, if there can be such a state.
    fn state(&self, names: &[String]) -> Result<PropSet, Refusal> {
        let known = || self.vocabulary.observations().iter().map(|known| &*known.name);
        let unknown: Vec<super::UnknownName> = names
            .iter()
            .filter(|name| !known().any(|known| known == name.as_str()))
            .map(|name| super::UnknownName {
                name: name.clone(),
                suggestion: nearest(name, known()).map(str::to_owned),
            })
            .collect();
        if !unknown.is_empty() {
            return Err(Refusal::UnknownPropositions { names: unknown });
        }
        let state: PropSet = names.iter().filter_map(|name| self.vocabulary.id(name)).collect();
        let holds = |name: &str| self.vocabulary.id(name).is_some_and(|id| state.contains(id));
        match self.vocabulary.axioms().iter().find(|axiom| !axiom.holds_where(&holds)) {
            Some(axiom) => Err(Refusal::ImpossibleState { axiom: axiom.to_string() }),
            None => Ok(state),
        }
    }

    /// Other laws that leave nothing in a state together with this one, and leave something without it.
    fn conflict_with(&self, law: &Known, state: &PropSet) -> Result<Vec<&Known>, Refusal> {
        let others = || self.known.iter().filter(|known| known.law.id != law.law.id);
        let blocked = law.blocks_at(state, &self.vocabulary);
        // Some action is then blocked by it alone.
        for action in blocked.iter() {
            let mut with: Vec<&Known> =
                others().filter(|known| !known.blocks_at(state, &self.vocabulary).contains(action)).collect();
            if self.left_at(with.iter().copied().chain([law]), state).is_empty() {
                let mut place = 0;
                while place < with.len() {
                    let one = with.remove(place);
                    if !self.left_at(with.iter().copied().chain([law]), state).is_empty() {
                        with.insert(place, one);
                        place += 1;
                    }
                }
                return Ok(with);
            }
        }
        let left = self.left_at(self.known.iter(), state);
        let left = left.iter().map(|action| self.vocabulary.action_name(action).to_owned()).collect();
        Err(Refusal::NoConflict { law: law.law.id.clone(), state: self.names(state), left })
    }

    /// The actions but stopping that laws leave in a state.
    fn left_at<'k>(&self, laws: impl Iterator<Item = &'k Known>, state: &PropSet) -> ActionSet {
        let mut left = ActionSet::first(self.vocabulary.actions().len());
        if let Some(stop) = self.vocabulary.stop() {
            left.remove(stop);
        }
        laws.fold(left, |left, law| left.difference(&law.blocks_at(state, &self.vocabulary)))
    }
}
