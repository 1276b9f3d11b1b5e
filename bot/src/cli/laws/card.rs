//! Parts of the description of a law that several subcommands show.

use ltlcrit_critic::hindsight::Moment;
use ltlcrit_critic::law::Restriction;
use ltlcrit_laws::{Entry, Evidence, Origin};
use ltlcrit_store::{LawProposal, Store, Translator};
use serde::Serialize;

use super::stored::{happened, held};
use crate::cli::output::{CliError, DIM, Rows, foreign, plural};

/// A proposal of a critic with the gate's ruling.
#[derive(Serialize)]
pub(super) struct ByProposal {
    /// Its number in the store.
    pub number: u64,
    #[serde(flatten)]
    pub proposal: LawProposal,
}

impl From<(u64, LawProposal)> for ByProposal {
    fn from((number, proposal): (u64, LawProposal)) -> Self {
        Self { number, proposal }
    }
}

/// A step that a law cites.
#[derive(Serialize)]
pub(super) struct Cited {
    #[serde(flatten)]
    pub step: Evidence,
    /// The record of the step; `None` if the store does not have it.
    pub happened: Option<Moment>,
}

/// The steps that a law cites.
pub(super) fn cited(
    store: Option<&Store>,
    entry: &Entry,
    law: Option<&Restriction>,
    translator: &Translator,
) -> Result<Vec<Cited>, CliError> {
    let cited = entry.provenance.evidence.iter().map(|&step| {
        let happened = match store {
            Some(store) => Moment::read(store, step, law, translator)?,
            None => None,
        };
        Ok(Cited { step, happened })
    });
    cited.collect()
}

/// Adds the evidence of a law, one or two lines for each of at most `most` steps.
pub(super) fn evidence(rows: &mut Rows, evidence: &[Cited], has_store: bool, most: usize) {
    for (position, Cited { step, happened: moment }) in evidence.iter().take(most).enumerate() {
        let label = if position == 0 { "evidence" } else { "" };
        match moment {
            Some(moment) => {
                rows.row(label, happened(moment));
                rows.below(held(moment));
                if moment.condition_held == Some(false) {
                    rows.below(format_args!("{DIM}its condition did not hold there{DIM:#}"));
                }
            }
            None if has_store => rows.row(label, format_args!("{step} {DIM}is not in this store{DIM:#}")),
            None => rows.row(label, step),
        }
    }
    if evidence.len() > most {
        let more = plural(evidence.len() - most, "more step");
        rows.below(format_args!("{DIM}and {more} (--json lists all){DIM:#}"));
    }
}

/// A simplified equivalent of a law, which repeated refinement may have made long; `None` if it is as simple.
pub fn in_short(entry: &Entry) -> Option<String> {
    let short = entry.formula.simplified();
    (short != entry.formula).then(|| short.to_string())
}

/// The origin of a law, with the model that wrote it.
pub(super) fn origin(entry: &Entry) -> String {
    let what = match entry.provenance.origin {
        Origin::Hand => "written by hand",
        Origin::Paper => "a paper",
        Origin::Critic => "a critic",
        Origin::Translation => "a translation",
    };
    let reference = entry.provenance.reference.as_deref().map(|reference| format!(": {}", foreign(reference)));
    let model = entry.provenance.model.as_deref().map(|model| format!(", {}", foreign(model)));
    format!("{what}{}{}", reference.unwrap_or_default(), model.unwrap_or_default())
}

/// Adds the origin of a law and what is known of it.
pub(super) fn provenance(rows: &mut Rows, entry: &Entry) {
    let provenance = &entry.provenance;
    rows.row("from", origin(entry));
    rows.optional("sentence", provenance.sentence.as_deref().map(foreign));
    let prompts = provenance.prompts.as_ref().map(|hash| format!(", prompts {}", foreign(hash))).unwrap_or_default();
    let engine = provenance.engine.as_ref();
    rows.optional("translated", engine.map(|engine| format!("by the engine {}{prompts}", foreign(engine))));
    rows.optional("decision", provenance.decision.as_deref().map(foreign));
    rows.optional("trial", provenance.trial.as_deref().map(foreign));
}
