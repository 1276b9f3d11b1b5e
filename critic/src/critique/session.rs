//! A critique under way: the rounds of proposals, and the changes that the critic itself asks for.

use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_store::{LawId, Store};
use ltlcrit_verifier::{ActionSet, PropSet, Vocabulary};

use super::ruled::{CritiqueError, NAME, Ruled};
use crate::admission::Gate;
use crate::change::{Answer, Change, GateRuling, ProposedState, Refused, RetireCause};
use crate::graph::{Classes, TrajectoryGraph};
use crate::law::{KnownLaw, MetConflict, StateConflict};
use crate::notes::RunNotes;
use crate::propose::{Brief, Proposer};
use crate::trial::Trials;

/// Stop asking a proposer after this many rounds in a row without a change.
const PATIENCE: usize = 6;
/// The most conflicts that are resolved in one critique.
const MOST_RESOLUTIONS: usize = 1_000;
/// The most conflicts told of in states that keep only fruitless actions.
const MOST_FRUITLESS: usize = 20;

/// A critique under way.
pub(super) struct Session<'a> {
    pub vocabulary: &'a Arc<Vocabulary>,
    pub graph: &'a TrajectoryGraph,
    /// Over-constrained states that were met.
    pub met: &'a [MetConflict],
    pub store: &'a Store,
    pub task: &'a str,
    pub classes: &'a Classes,
    pub trials: &'a Trials,
    pub notes: &'a RunNotes,
    pub gate: Gate<'a>,
    pub ruled: Vec<Ruled>,
    pub now: Timestamp,
}

/// A proposer's part in a critique.
#[derive(Default)]
struct Part {
    refused: Vec<Refused>,
    /// The number of rounds in a row without a change.
    idle: usize,
    silent: Option<String>,
}

impl<'a> Session<'a> {
    /// Asks the proposers until a round changes nothing and leaves nothing to correct, or the rounds are used up.
    pub async fn rounds<P: Proposer>(
        &mut self,
        proposers: &mut [P],
        most: usize,
    ) -> Result<Vec<(String, String)>, CritiqueError> {
        let mut parts: Vec<Part> = proposers.iter().map(|_| Part::default()).collect();
        let mut rounds = 0;
        for round in 1..=most + MOST_RESOLUTIONS {
            let conflicts = self.conflicts()?;
            // Resolving conflicts is not counted: every change leaves fewer.
            let over_constrained = conflicts.iter().any(StateConflict::is_over_constrained);
            rounds += usize::from(!over_constrained);
            if rounds > most {
                break;
            }
            let mut changed = false;
            for (proposer, part) in proposers.iter_mut().zip(&mut parts) {
                if part.silent.is_some() || part.idle >= PATIENCE {
                    continue;
                }
                let (laws, refused) = (self.gate.laws(), std::mem::take(&mut part.refused));
                let brief = Brief {
                    task: self.task,
                    vocabulary: self.vocabulary,
                    graph: self.graph,
                    classes: self.classes,
                    trials: self.trials,
                    notes: self.notes,
                    laws: &laws,
                    conflicts: &conflicts,
                    refused: &refused,
                    round,
                };
                if !proposer.has_more(&brief) {
                    continue;
                }
                let changes = match proposer.propose(&brief).await {
                    Ok(changes) => changes,
                    Err(error) => {
                        part.silent = Some(error.to_string());
                        continue;
                    }
                };
                let (did, refused) = self.rule_answer(round, changes, proposer.wants_trials())?;
                part.refused = refused;
                part.idle = if did { 0 } else { part.idle + 1 };
                changed |= did;
                // The others should see what is left of the conflicts.
                if did && over_constrained {
                    break;
                }
            }
            let more_to_say = parts.iter().any(|part| !part.refused.is_empty() && part.idle < PATIENCE);
            if !changed && !more_to_say {
                break;
            }
        }
        let silent = proposers.iter().zip(parts).filter_map(|(proposer, part)| Some((proposer.name(), part.silent?)));
        Ok(silent.collect())
    }

    /// Rules on the changes of one answer; `tries` tells whether laws may be admitted on trial. Returns whether any change was made,
    /// and those that were refused.
    fn rule_answer(
        &mut self,
        round: usize,
        changes: Vec<Change>,
        tries: bool,
    ) -> Result<(bool, Vec<Refused>), CritiqueError> {
        let (mut did, mut refused) = (false, Vec::new());
        for change in self.gate.in_order(changes) {
            let Answer { ruling, counterexample } = self.rule(round, change.clone(), tries)?;
            match ruling {
                GateRuling::Refused { refusal } => refused.push(Refused { change, refusal, counterexample }),
                GateRuling::Admitted { .. } | GateRuling::OnTrial { .. } | GateRuling::Retired { .. } => did = true,
            }
        }
        while let Some((new, out)) = self.exchange(round, &refused)? {
            refused.retain(|one| one.change != new && one.change != out);
            did = true;
        }
        Ok((did, refused))
    }

    /// Makes two changes of an answer together that were refused one by one: a new law, and the change that lets the law go that
    /// is in its way. Returns them; `None` if there are no such two.
    fn exchange(&mut self, round: usize, refused: &[Refused]) -> Result<Option<(Change, Change)>, CritiqueError> {
        for Refused { change: new, refusal, .. } in refused {
            let in_the_way = refusal.laws_in_the_way();
            for Refused { change: out, .. } in refused {
                let (Change::Retire { law, .. } | Change::Replace { law, .. }) = out else { continue };
                if !in_the_way.contains(law) {
                    continue;
                }
                let Some(exchanged) = self.gate.exchange(self.store, new, out, self.now)? else { continue };
                self.ruled.retain(|ruled| ruled.round != round || ruled.change != *new && ruled.change != *out);
                let ruled = |change: &Change, ruling| Ruled { round, change: change.clone(), ruling };
                self.ruled.extend([ruled(out, exchanged.out), ruled(new, exchanged.new)]);
                return Ok(Some((new.clone(), out.clone())));
            }
        }
        Ok(None)
    }

    fn rule(&mut self, round: usize, change: Change, tries: bool) -> Result<Answer, CritiqueError> {
        let answer = match tries {
            true => self.gate.admit_or_try(self.store, &change, self.now)?,
            false => self.gate.admit(self.store, &change, self.now)?,
        };
        self.ruled.push(Ruled { round, change, ruling: answer.ruling.clone() });
        Ok(answer)
    }

    fn retire(&mut self, law: LawId, cause: RetireCause, state: Option<PropSet>) -> Result<(), CritiqueError> {
        let state = state.and_then(|state| ProposedState::of_retirement(state, self.vocabulary));
        self.rule(0, Change::Retire { law, cause, state, proposer: NAME.to_owned() }, false)?;
        Ok(())
    }

    /// The states in which the laws leave no action now: those that runs met, and one found by proof if there is one. Then those
    /// that runs met in which they leave only fruitless actions.
    pub fn conflicts(&self) -> Result<Vec<StateConflict>, CritiqueError> {
        let mut conflicts = Vec::new();
        if !self.gate.is_consistent() {
            conflicts = self.over_constrained()?;
        }
        conflicts.extend(self.gate.fruitless_conflicts().into_iter().take(MOST_FRUITLESS));
        Ok(conflicts)
    }

    fn over_constrained(&self) -> Result<Vec<StateConflict>, CritiqueError> {
        let mut conflicts = Vec::new();
        for MetConflict { state, at, suspended } in self.met {
            if let Some(laws) = self.gate.conflict_at(state)? {
                let (left, met_at, suspended) = (ActionSet::EMPTY, Some(*at), suspended.clone());
                conflicts.push(StateConflict { state: *state, laws, left, met_at, suspended });
            }
        }
        let met = |conflict: &&StateConflict| !conflicts.iter().any(|other| other.state == conflict.state);
        let proved = self.gate.conflict().filter(met).cloned();
        conflicts.extend(proved);
        Ok(conflicts)
    }

    /// Retires every law for which the gate knows a state that speaks against it. A narrower law may be found again, with that
    /// state as a counterexample.
    pub(crate) fn retire_where(
        &mut self,
        cause: RetireCause,
        shown: impl Fn(&Gate<'a>, &LawId) -> Option<PropSet>,
    ) -> Result<(), CritiqueError> {
        for law in self.gate.laws() {
            if let Some(state) = shown(&self.gate, &law.id) {
                self.retire(law.id, cause, Some(state))?;
            }
        }
        Ok(())
    }

    /// Retires every law that leaves a dead end, and keeps it. A proposer may find a narrower one, with that state as a
    /// counterexample; where none does, [`Self::except_dead_ends`] makes an exception.
    pub(crate) fn retire_dead_ends(&mut self) -> Result<Vec<KnownLaw>, CritiqueError> {
        let mut gone = Vec::new();
        for law in self.gate.laws() {
            if let Some(state) = self.gate.dead_end(&law.id) {
                self.retire(law.id.clone(), RetireCause::LeavesDeadEnd, Some(state))?;
                gone.push(law);
            }
        }
        Ok(gone)
    }

    /// Brings laws back that were retired for dead ends and that no other took the place of, with an exception for the states of
    /// the dead ends. So more dead ends make a law narrower, and end it only when nothing that was bad is left for it to block.
    pub(crate) fn except_dead_ends(&mut self, gone: &[KnownLaw]) -> Result<(), CritiqueError> {
        for law in gone {
            if let Some(proposal) = self.gate.exception(law, NAME) {
                self.rule(0, Change::Add(proposal), false)?;
            }
        }
        Ok(())
    }

    /// Retires laws that never fire or mostly block what would be right.
    pub(crate) fn retire_by_statistics(&mut self) -> Result<(), CritiqueError> {
        for law in self.gate.laws() {
            if let Some(cause) = self.gate.of_no_use(&law.id) {
                self.retire(law.id, cause, None)?;
            }
        }
        Ok(())
    }

    /// Retires laws that others now imply, if a new law was admitted.
    pub(crate) fn retire_implied(&mut self) -> Result<(), CritiqueError> {
        if self.gate.admitted().next().is_none() {
            return Ok(());
        }
        let laws: Vec<_> = self.gate.laws().into_iter().filter(|law| law.changeable).collect();
        for law in laws {
            if self.gate.is_implied(&law.id)? {
                self.retire(law.id, RetireCause::Implied, None)?;
            }
        }
        Ok(())
    }
}
