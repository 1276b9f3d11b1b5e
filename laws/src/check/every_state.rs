//! Proves that laws of any form leave an action in every state, or names the laws that the proof leaves out.

use ltlcrit_verifier::Formula;
use ltlcrit_verifier::consistency::{ConsistencyError, EveryState, Open, Stuck, every_state};

use super::options::CheckOptions;
use super::report::{ConflictReport, ConsistencyReport, ConsistencyVerdict, LeftOut};
use super::subjects::Subjects;

/// The laws that a proof covers, by their positions among all laws, and its result.
struct Proof {
    laws: Vec<usize>,
    found: EveryState,
    left_out: Vec<(usize, Open)>,
}

impl Proof {
    /// Returns the combined verdict, given the verdict on the guarded laws.
    fn verdict(&self, guarded: ConsistencyVerdict) -> ConsistencyVerdict {
        if guarded == ConsistencyVerdict::OverConstrained || !self.found.stuck.is_empty() {
            ConsistencyVerdict::OverConstrained
        } else if self.laws.is_empty() {
            guarded
        } else if self.found.is_proved() {
            ConsistencyVerdict::Consistent
        } else {
            ConsistencyVerdict::Undecided
        }
    }
}

impl Subjects<'_> {
    /// Extends a report on the guarded laws to all laws that were not set aside.
    pub(super) fn every_state(
        &self,
        options: &CheckOptions,
        report: &mut ConsistencyReport,
    ) -> Result<(), ConsistencyError> {
        let kept = self.kept();
        let hard: Vec<usize> = kept.iter().copied().filter(|law| self.all[*law].is_hard()).collect();
        let of_hard = self.proof(hard.clone(), options)?;
        let of_all = if hard == kept { None } else { Some(self.proof(kept, options)?) };
        report.hard = of_hard.verdict(report.hard);
        report.all = of_all.as_ref().unwrap_or(&of_hard).verdict(report.all);
        for proof in [Some(&of_hard), of_all.as_ref()].into_iter().flatten() {
            for conflict in self.conflicts(proof) {
                let is_known = report.conflicts.iter().any(|known| known.laws == conflict.laws);
                if !is_known {
                    report.complete = false;
                    if report.conflicts.len() < options.most_conflicts {
                        report.conflicts.push(conflict);
                    }
                }
            }
        }
        let proof = of_all.as_ref().unwrap_or(&of_hard);
        let covers = |law: &usize| self.all[*law].guarded.is_ok() || proof.laws.contains(law);
        report.covered = (0..self.all.len()).filter(covers).count();
        // A planning task has a signature.
        if !options.one_outcome && self.vocabulary.signature().is_none() {
            report.by_outcome = proof.found.by_outcome.iter().map(|at| self.all[proof.laws[*at]].law_ref()).collect();
        }
        report.left_out = (0..self.all.len())
            .filter(|law| !covers(law))
            .map(|law| LeftOut { law: self.all[law].law_ref(), why: self.why_left_out(law, proof) })
            .collect();
        Ok(())
    }

    /// Returns a proof about as many of these laws as the budget allows.
    fn proof(&self, mut laws: Vec<usize>, options: &CheckOptions) -> Result<Proof, ConsistencyError> {
        let mut left_out = Vec::new();
        loop {
            let formulas: Vec<Formula> = laws.iter().map(|law| self.all[*law].formula.clone()).collect();
            let found = every_state(self.vocabulary, &formulas, options.most_conflicts.max(1), options.work)?;
            let Some((why, open)) = found.open.clone() else { return Ok(Proof { laws, found, left_out }) };
            let mut open: Vec<usize> = open.iter().map(|at| laws[*at]).collect();
            if open.is_empty() {
                return Ok(Proof { laws, found, left_out });
            }
            // If several laws are the reason together, the smaller half is tried again.
            open.sort_by_key(|law| (self.all[*law].formula.atoms().len(), *law));
            let dropped = open.split_off(open.len() / 2);
            laws.retain(|law| !dropped.contains(law));
            left_out.extend(dropped.into_iter().map(|law| (law, why.clone())));
        }
    }

    fn conflicts(&self, proof: &Proof) -> Vec<ConflictReport> {
        let report = |stuck: &Stuck| {
            let laws = stuck.laws.iter().map(|at| proof.laws[*at]).collect();
            let last = stuck.letters.last().copied().unwrap_or_default();
            let run = stuck.letters.iter().map(|letter| self.names(&letter.0)).collect();
            self.conflict(laws, last.observations(self.vocabulary), run)
        };
        // Conflicts among guarded laws are already reported.
        let is_guarded = |at: &usize| self.all[proof.laws[*at]].guarded.is_ok();
        proof.found.stuck.iter().filter(|stuck| !stuck.laws.iter().all(is_guarded)).map(report).collect()
    }

    fn why_left_out(&self, law: usize, proof: &Proof) -> String {
        if self.unsatisfiable.contains(&law) {
            return "no run can satisfy it".to_owned();
        }
        if self.contradicting.contains(&law) {
            return "it contradicts others from the first step".to_owned();
        }
        let why = proof.left_out.iter().find(|(left, _)| *left == law).map(|(_, why)| why.to_string());
        why.unwrap_or_else(|| "it was not looked at".to_owned())
    }
}
