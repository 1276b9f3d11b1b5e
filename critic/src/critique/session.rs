//! A critique under way: the rounds of proposals, and the changes that the critic itself asks for.

use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_store::{LawId, Store};
use ltlcrit_verifier::Vocabulary;

use super::ruled::{CritiqueError, NAME, Ruled};
use crate::admission::Gate;
use crate::change::{Change, GateRuling, Refused, RetireCause};
use crate::evidence::Trials;
use crate::graph::TrajectoryGraph;
use crate::law::{MetConflict, StateConflict};
use crate::notes::RunNotes;
use crate::propose::{Brief, Proposer};

/// Stop asking a proposer after this many rounds in a row without a change.
const PATIENCE: usize = 6;
/// The most conflicts that are resolved in one critique.
const MAX_RESOLUTIONS: usize = 1_000;

/// A critique under way.
pub(super) struct Session<'a> {
    pub vocabulary: &'a Arc<Vocabulary>,
    pub graph: &'a TrajectoryGraph,
    /// Over-constrained states that were met.
    pub met: &'a [MetConflict],
    pub store: &'a Store,
    pub task: &'a str,
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
    pub async fn rounds(
        &mut self,
        proposers: &mut [Box<dyn Proposer>],
        most: usize,
    ) -> Result<Vec<(String, String)>, CritiqueError> {
        let mut parts: Vec<Part> = proposers.iter().map(|_| Part::default()).collect();
        let mut rounds = 0;
        for round in 1..=most + MAX_RESOLUTIONS {
            let conflicts = self.conflicts()?;
            // Resolving conflicts is not counted: every change leaves fewer.
            let over_constrained = !conflicts.is_empty();
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
                let (did, refused) = self.rule_answer(round, changes)?;
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

    /// Rules on the changes of one answer. Returns whether any change was made, and those that were refused.
    fn rule_answer(&mut self, round: usize, changes: Vec<Change>) -> Result<(bool, Vec<Refused>), CritiqueError> {
        let (mut did, mut refused) = (false, Vec::new());
        for change in self.gate.in_order(changes) {
            match self.rule(round, change.clone())? {
                GateRuling::Refused { refusal } => refused.push(Refused { change, refusal }),
                GateRuling::Admitted { .. } | GateRuling::OnTrial { .. } | GateRuling::Retired { .. } => did = true,
            }
        }
        Ok((did, refused))
    }

    fn rule(&mut self, round: usize, change: Change) -> Result<GateRuling, CritiqueError> {
        let ruling = self.gate.admit(self.store, &change, self.now)?;
        self.ruled.push(Ruled { round, change, ruling: ruling.clone() });
        Ok(ruling)
    }

    fn retire(&mut self, law: LawId, cause: RetireCause) -> Result<(), CritiqueError> {
        self.rule(0, Change::Retire { law, cause, state: None, proposer: NAME.to_owned() })?;
        Ok(())
    }

    /// The states in which the laws leave no action now: those that runs met, and one found by proof if there is one.
    pub fn conflicts(&self) -> Result<Vec<StateConflict>, CritiqueError> {
        let mut conflicts = Vec::new();
        if self.gate.is_consistent() {
            return Ok(conflicts);
        }
        for MetConflict { state, at, suspended } in self.met {
            if let Some(laws) = self.gate.conflict_at(state)? {
                let (met_at, suspended) = (Some(*at), suspended.clone());
                conflicts.push(StateConflict { state: *state, laws, met_at, suspended });
            }
        }
        let met = |conflict: &&StateConflict| !conflicts.iter().any(|other| other.state == conflict.state);
        let proved = self.gate.conflict().filter(met).cloned();
        conflicts.extend(proved);
        Ok(conflicts)
    }

    /// Retires laws that the evidence speaks against.
    pub(crate) fn retire_outweighed(&mut self) -> Result<(), CritiqueError> {
        for law in self.gate.laws() {
            if self.gate.is_outweighed(&law.id) {
                self.retire(law.id, RetireCause::BlocksGoodSteps)?;
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
                self.retire(law.id, RetireCause::Implied)?;
            }
        }
        Ok(())
    }
}
