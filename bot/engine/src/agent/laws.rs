//! Conversion of laws to and from stored records.

use ltlcrit_store::{LawRecord, RunId};
use ltlcrit_verifier::syntax;
use ltlcrit_verifier::{Law, Strength};

use super::AgentError;

/// Laws as the store keeps them.
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

/// Laws from stored records.
///
/// # Errors
/// A formula that does not parse.
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
