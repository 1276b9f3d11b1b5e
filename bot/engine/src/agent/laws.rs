//! Conversion of laws to and from stored records.

use ltlcrit_store::{LawRecord, RunId};
use ltlcrit_verifier::syntax;
use ltlcrit_verifier::{Law, Strength};

use super::AgentError;

/// Converts laws to the records that the store keeps.
pub fn law_records(laws: &[Law]) -> Vec<LawRecord> {
    let record = |law: &Law| LawRecord {
        id: law.id.clone(),
        formula: law.formula.to_string(),
        hard: law.strength == Strength::Hard,
        explanation: law.explanation.clone(),
        weight: law.weight,
    };
    laws.iter().map(record).collect()
}

/// Parses laws from stored records.
///
/// # Errors
/// Returns an error if a formula does not parse.
pub fn restore_laws(run: RunId, records: &[LawRecord]) -> Result<Vec<Law>, AgentError> {
    let restore = |record: &LawRecord| {
        let formula = syntax::parse_infix(&record.formula).map_err(|error| AgentError::StoredLaw {
            run,
            id: record.id.to_string(),
            why: error.to_string(),
        })?;
        let strength = if record.hard { Strength::Hard } else { Strength::Soft };
        let law = Law::new(strength, record.id.clone(), formula, record.explanation.clone());
        Ok(Law { weight: record.weight, ..law })
    };
    records.iter().map(restore).collect()
}
