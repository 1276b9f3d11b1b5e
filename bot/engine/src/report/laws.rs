//! Activations, blocks and conflicts of laws in groups of runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use ltlcrit_critic::evidence::{Objective, Trials};
use ltlcrit_critic::graph::{ClassOptions, Classes, Document, Drawing, GraphError, Target, TrajectoryGraph};
use ltlcrit_critic::statistics::{ActivationLog, LawStatistics};
use ltlcrit_store::{LawId, LawRecord, RunId, Store, StoreError, Translator, VocabularyRecord};
use ltlcrit_translate::recognise;
use ltlcrit_verifier::{Enforcement, Vocabulary, syntax};
use serde::Serialize;

use super::ReportProgress;

/// The maximum number of states in a drawing, and of choices in each.
const DRAWN: (usize, usize) = (30, 6);

/// The metrics of a law in a group of runs.
#[derive(Debug, Serialize)]
pub struct LawFigures {
    /// The group: a condition, or an iteration.
    pub group: String,
    /// Its id.
    pub law: LawId,
    /// True if it is hard. Hard laws protect; soft laws save steps.
    pub hard: bool,
    /// Its formula.
    pub formula: String,
    /// The kind of the pattern that it is an instance of, such as `precedence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<&'static str>,
    /// Its explanation.
    pub explanation: Arc<str>,
    /// Its activations and blocks in the finished runs.
    #[serde(flatten)]
    pub statistics: LawStatistics,
    /// The share of right blocks among those known to be right or wrong.
    pub precision: Option<f64>,
}

/// The outcomes of laws of one kind of pattern, in conditions.
#[derive(Debug, Serialize)]
pub struct PatternFigures {
    /// The conditions that differ in their world and the number of laws alone.
    pub group: String,
    /// The kind, such as `precedence`.
    pub pattern: &'static str,
    /// The number of laws.
    pub laws: u64,
    /// The number of runs that a law of them was in force in, once for each law.
    pub runs: u64,
    /// The number of steps that violated one of them.
    pub violated: u64,
    /// The number of proposals that one of them blocked.
    pub blocked: u64,
}

impl PatternFigures {
    /// Sums the metrics of laws up by pattern and by what `shared` makes of a condition's name.
    pub fn of<'a>(laws: &'a [LawFigures], shared: impl Fn(&'a str) -> &'a str) -> Vec<Self> {
        let mut sums: IndexMap<&str, IndexMap<&str, Self>> = IndexMap::new();
        for law in laws {
            let (group, pattern) = (shared(&law.group), law.pattern.unwrap_or("other"));
            let new = || Self { group: group.to_owned(), pattern, laws: 0, runs: 0, violated: 0, blocked: 0 };
            let sum = sums.entry(group).or_default().entry(pattern).or_insert_with(new);
            sum.laws += 1;
            sum.runs += u64::from(law.statistics.runs);
            sum.violated += law.statistics.violated;
            sum.blocked += law.statistics.blocked;
        }
        sums.into_values().flat_map(IndexMap::into_values).collect()
    }
}

/// A set of laws that left no action, in a group of runs.
#[derive(Debug, Serialize)]
pub struct ConflictFigures {
    /// The group: a condition, or an iteration.
    pub group: String,
    /// The laws.
    pub laws: Vec<LawId>,
    /// The enforcement in the step: `hard-only`, `suspended`, `nothing` or `undecided`.
    pub then: &'static str,
    /// The soft laws that were suspended in the step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suspended: Vec<LawId>,
    /// The number of steps at which they left no action.
    pub steps: u64,
    /// The number of runs with such steps.
    pub runs: u64,
    /// The first such step: its run and its number.
    pub first: (RunId, u64),
}

/// The graph of all runs over a vocabulary, with its classified choices.
pub struct Judged {
    record: VocabularyRecord,
    translator: Translator,
    graph: TrajectoryGraph,
    classes: Classes,
    trials: Trials,
}

impl Judged {
    /// Returns the most visited states of the graph, with the most frequent choices in them.
    pub fn document(&self) -> Document {
        let (vocabulary, (most_states, most_choices)) = (self.translator.vocabulary(), DRAWN);
        let drawing = Drawing { graph: &self.graph, classes: &self.classes, vocabulary, most_states };
        let mut document = drawing.document();
        for state in &mut document.states {
            state.choices.sort_by_key(|choice| std::cmp::Reverse(choice.report.made));
            state.choices.truncate(most_choices);
        }
        document
    }
}

/// Computes the metrics of the laws of every group, in the order of the laws' ids, and the graph of each vocabulary. All the
/// runs together decide whether a block was right.
///
/// # Errors
/// The runs cannot be read or compared.
pub fn law_figures(
    store: &Store,
    groups: &[(String, Vec<RunId>)],
    progress: &dyn ReportProgress,
) -> Result<(Vec<LawFigures>, Vec<Judged>), GraphError> {
    let all: Vec<RunId> = groups.iter().flat_map(|(_, runs)| runs.iter().copied()).collect();
    progress.begins(2 * all.len() as u64);
    let mut judged: Vec<Judged> = Vec::new();
    let mut figures = Vec::new();
    for (group, runs) in groups {
        let Some(first) = runs.first() else { continue };
        let record = store.manifest(*first)?.vocabulary;
        if !judged.iter().any(|it| it.record == record) {
            judged.push(judge(store, *first, record.clone(), &all, progress)?);
        }
        let Some(judged) = judged.iter().find(|it| it.record == record) else { continue };
        let mut log = ActivationLog::new();
        let mut records: BTreeMap<LawId, LawRecord> = BTreeMap::new();
        let mut last: Option<Vec<LawRecord>> = None;
        for run in runs {
            log.add_stored(store, *run, &judged.translator)?;
            let laws = store.manifest(*run)?.laws;
            if last.as_ref() != Some(&laws) {
                records.extend(laws.iter().map(|law| (law.id.clone(), law.clone())));
                last = Some(laws);
            }
            progress.step();
        }
        let statistics = log.rate(&judged.graph, &judged.classes, &judged.trials);
        if statistics.iter().any(|(law, _)| !records.contains_key(law)) {
            // Includes laws that came into force during a run.
            for run in runs {
                for step in store.steps(*run) {
                    let new = step?.new_laws.into_iter().flatten();
                    records.extend(new.map(|law| (law.id.clone(), law)));
                }
            }
        }
        for (law, statistics) in statistics.iter() {
            let record = records.get(law);
            let formula = record.map_or_else(String::new, |record| record.formula.clone());
            figures.push(LawFigures {
                group: group.clone(),
                law: law.clone(),
                hard: record.is_some_and(|record| record.hard),
                pattern: pattern(&formula, judged.translator.vocabulary()),
                formula,
                explanation: record.map_or_else(|| "".into(), |record| record.explanation.clone()),
                statistics: statistics.clone(),
                precision: statistics.precision(),
            });
        }
    }
    Ok((figures, judged))
}

fn judge(
    store: &Store,
    run: RunId,
    record: VocabularyRecord,
    all: &[RunId],
    progress: &dyn ReportProgress,
) -> Result<Judged, GraphError> {
    let vocabulary = record.restore().map_err(|why| GraphError::BadVocabulary { run, why })?;
    let vocabulary = Arc::new(vocabulary);
    let mut graph = TrajectoryGraph::new().over(vocabulary.clone());
    for run in all {
        // Runs of other worlds are irrelevant here, and runs with other observations cannot be compared.
        if store.manifest(*run)?.vocabulary.name == record.name {
            match graph.add_stored(store, *run) {
                Ok(()) | Err(GraphError::Vocabulary { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        progress.step();
    }
    let target = graph.farthest_target().unwrap_or(Target::Goal);
    let classes = graph.classify(target, ClassOptions::default());
    let trials = Trials::of(graph.runs(), &vocabulary, &[], Objective::default());
    Ok(Judged { record, translator: Translator::new(vocabulary), graph, classes, trials })
}

/// Returns the kind of the pattern that a formula is an instance of.
fn pattern(formula: &str, vocabulary: &Vocabulary) -> Option<&'static str> {
    let formula = syntax::parse_infix(formula).ok()?;
    match recognise(&formula, &|name| vocabulary.action(name).is_some())?.as_slice() {
        [one] => Some(one.kind()),
        _ => None,
    }
}

/// Counts the over-constrained states in the runs of every group, most frequent first.
///
/// # Errors
/// The records cannot be read.
pub fn conflicts(store: &Store, groups: &[(String, Vec<RunId>)]) -> Result<Vec<ConflictFigures>, StoreError> {
    let mut all = Vec::new();
    for (group, runs) in groups {
        let mut met: BTreeMap<(Vec<LawId>, &'static str, Vec<LawId>), ConflictFigures> = BTreeMap::new();
        for run in runs {
            let mut here = Vec::new();
            for record in store.conflicts(*run) {
                let record = record?;
                let Some((laws, then)) = conflict(&record.force) else { continue };
                let key = (laws.to_vec(), then, suspended(&record.force).to_vec());
                let figures = met.entry(key.clone()).or_insert_with(|| ConflictFigures {
                    group: group.clone(),
                    laws: laws.to_vec(),
                    then,
                    suspended: key.2.clone(),
                    steps: 0,
                    runs: 0,
                    first: (*run, record.step),
                });
                figures.steps += 1;
                if !here.contains(&key) {
                    figures.runs += 1;
                    here.push(key);
                }
            }
        }
        let mut met: Vec<ConflictFigures> = met.into_values().collect();
        met.sort_by_key(|figures| std::cmp::Reverse(figures.steps));
        all.extend(met);
    }
    Ok(all)
}

/// Returns the laws of a conflict, and the name of the enforcement in that step.
pub fn conflict(force: &Enforcement) -> Option<(&[LawId], &'static str)> {
    match force {
        Enforcement::All | Enforcement::Ended => None,
        Enforcement::HardOnly { conflict, .. } => Some((conflict, "hard-only")),
        Enforcement::Suspended { conflict, .. } => Some((conflict, "suspended")),
        Enforcement::Nothing { conflict, .. } => Some((conflict, "nothing")),
        Enforcement::Undecided { laws, .. } => Some((laws, "undecided")),
    }
}

/// Returns the soft laws that are suspended individually in the step.
pub fn suspended(force: &Enforcement) -> &[LawId] {
    match force {
        Enforcement::Suspended { suspended, .. } => suspended,
        _ => &[],
    }
}
