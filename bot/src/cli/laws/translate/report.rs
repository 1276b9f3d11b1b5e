//! The report of a segment: its formula, its reading back, example runs, and its relation to the laws in force.

use ltlcrit_laws::{Code, Diagnostic, LawRef, Strength};
use ltlcrit_translate::{EngineInfo, English, ExampleRun, Examples, Refusal, Relations, Segment};
use ltlcrit_verifier::Word;
use serde::Serialize;

use super::world::World;
use crate::cli::output::{BAD, CliError, DIM, ERROR, GOOD, LAW, Rows, WARNING, foreign};

/// The decision on a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Decision {
    /// Put in force by `--yes`.
    AcceptedUnseen,
    /// To be decided later.
    Unreviewed,
    /// Left out with `--yes`, because of an objection to it or to another part of the sentence.
    LeftOut,
}

impl Decision {
    /// The word that provenance keeps.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AcceptedUnseen => "accepted with --yes",
            Self::Unreviewed => "unreviewed",
            Self::LeftOut => "left out",
        }
    }
}

/// Example runs in the world's own words, a line for each letter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Runs {
    allowed: Option<Vec<String>>,
    forbidden: Option<Vec<String>>,
    /// Both as the words that `ltl judge` takes.
    words: [Option<String>; 2],
}

/// The report of a segment.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SegmentReport {
    #[serde(flatten)]
    pub segment: Segment,
    /// The formula in English, without a model.
    pub reading: String,
    pub runs: Runs,
    pub relations: Relations,
    /// The objections of the world, and what is not decided there.
    pub findings: Vec<Diagnostic>,
    /// The decision, if there is one.
    pub decision: Option<Decision>,
    /// The id in the book, if it was kept.
    pub law: Option<String>,
}

/// The report of a sentence.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SentenceReport {
    pub sentence: String,
    pub segments: Vec<SegmentReport>,
    /// The reason why it, or a part of it, is not translated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The result as `--json` prints it.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    pub world: String,
    #[serde(flatten)]
    pub engine: EngineInfo,
    pub sentences: &'a [SentenceReport],
    /// Name and revision of the book that was written.
    pub book: Option<String>,
}

impl SentenceReport {
    /// A sentence with the segments that it was translated to, or with the reason why it was not.
    pub fn new(sentence: String, segments: Vec<SegmentReport>, refusal: Option<Refusal>) -> Self {
        Self { sentence, segments, why: refusal.as_ref().map(ToString::to_string), refusal }
    }

    /// Decides on the segments: they wait for a person, or with `yes` are put in force unless there is an objection.
    pub fn decide(&mut self, yes: bool) {
        // A sentence is one law: a part of it alone might say something else.
        let is_good = self.segments.iter().all(|segment| segment.objection().is_none());
        let decision = match (yes, is_good) {
            (false, _) => Decision::Unreviewed,
            (true, true) => Decision::AcceptedUnseen,
            (true, false) => Decision::LeftOut,
        };
        self.segments.iter_mut().for_each(|segment| segment.decision = Some(decision));
    }
}

impl SegmentReport {
    /// Finds out what is to be said of a segment.
    ///
    /// # Errors
    /// A book in force that cannot be read.
    pub fn new(segment: Segment, world: &World, english: &English<'_>, strength: Strength) -> Result<Self, CliError> {
        let examples = Examples::of(&segment.formula, &world.lexicon);
        let (allowed, forbidden) = (examples.allowed_with_all.or(examples.allowed), examples.forbidden);
        let word = |run: &ExampleRun| Word::from_letters(run.letters.clone()).to_string();
        let words = [&allowed, &forbidden].map(|run| run.as_ref().map(word));
        let in_words = |run: Option<ExampleRun>| run.map(|run| run.in_words(english));
        let runs = Runs { allowed: in_words(allowed), forbidden: in_words(forbidden), words };
        let (in_force, draft) = world.beside(&segment.formula, strength)?;
        let relations = Relations::of(&draft, &in_force);
        let findings = world.findings(draft, in_force)?;
        let reading = english.read(&segment.formula);
        Ok(Self { segment, reading, runs, relations, findings, decision: None, law: None })
    }

    /// Returns the objection to the law, if there is one: a person must then see it.
    pub fn objection(&self) -> Option<String> {
        let conflict = self.relations.conflicts.first();
        let conflict = conflict.map(|conflict| format!("it conflicts with laws in force: {}", conflict.message));
        let finding = self.findings.iter().find(|finding| finding.code != Code::Undecided);
        conflict.or_else(|| finding.map(|finding| finding.message.clone()))
    }

    /// The report for people.
    pub fn text(&self, trace: bool) -> String {
        let mut rows = Rows::new(12);
        rows.line(format_args!("{LAW}{}{LAW:#}", foreign(&self.segment.text)));
        if trace {
            for one in &self.segment.grounded {
                let (letter, words, name) = (&one.placeholder, foreign(&one.words), &one.proposition);
                rows.row("refers", format!("{letter} = \"{words}\" {DIM}->{DIM:#} {name}"));
            }
            rows.optional("lifted", self.segment.lifted_text.as_deref().map(foreign));
            rows.row("", &self.segment.lifted);
        }
        rows.row("formula", &self.segment.formula);
        if let Some(over) = &self.segment.over {
            let parameters = over.parameters.as_ref().map_or_else(String::new, |text| format!("  ({text})"));
            rows.row("as a law", format!("{}{parameters}", over.formula));
        }
        rows.row("says", foreign(&self.reading));
        let runs = [("allowed", GOOD, &self.runs.allowed), ("forbidden", BAD, &self.runs.forbidden)];
        for ((label, style, run), word) in runs.into_iter().zip(&self.runs.words) {
            match run {
                Some(run) => rows.row(label, format!("{style}{}{style:#}", foreign(&run.join("; ")))),
                None => rows.row(label, format!("{DIM}no run was found within the bounds{DIM:#}")),
            }
            rows.optional("", word.as_deref().filter(|_| trace).map(foreign));
        }
        let ids = |laws: &[LawRef]| -> Vec<String> {
            laws.iter().map(|law| format!("{LAW}{}{LAW:#} ({})", law.id, law.book)).collect()
        };
        let relations = &self.relations;
        for conflict in &relations.conflicts {
            rows.row("conflict", format!("{ERROR}{}{ERROR:#}: {}", conflict.message, ids(&conflict.laws).join(", ")));
        }
        for (label, laws) in [("implied by", &relations.implied_by), ("replaces", &relations.makes_redundant)] {
            rows.optional(label, (!laws.is_empty()).then(|| ids(laws).join(", ")));
        }
        for why in &relations.not_compared {
            rows.row("unknown", format!("{WARNING}{}{WARNING:#}", foreign(why)));
        }
        for Diagnostic { code, message, help, .. } in &self.findings {
            let help = help.as_ref().map_or(String::new(), |help| format!("; {help}"));
            let label = if *code == Code::Undecided { "unknown" } else { "warning" };
            rows.row(label, format!("{WARNING}{}{WARNING:#}", foreign(&format!("{message}{help}"))));
        }
        rows.text()
    }
}
