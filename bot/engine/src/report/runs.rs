//! The document of several runs: groups under the same laws, a learning curve, proposed laws.

use std::collections::BTreeSet;

use ltlcrit_critic::change::GateRuling;
use ltlcrit_critic::graph::Document;
use ltlcrit_laws::Evidence;
use ltlcrit_model::NanoUsd;
use ltlcrit_statistics::{Interval, Resampling, bootstrap, wilson};
use ltlcrit_store::{Change, LawProposal, LawSource, Program, RetireCause, RunId, RunManifest, Store};
use serde::Serialize;

use super::laws::{ConflictFigures, Judged, LawFigures, conflicts, law_figures};
use super::{ReportError, ReportProgress};
use crate::agent::RunSummary;
use crate::batch::CONFIDENCE;
use crate::books::name_at_revision;
use crate::learn::{Comparison, EpisodeFigures};

/// The maximum number of proposed laws in a document.
const MAX_PROPOSALS: usize = 2_000;
/// The maximum number of steps that a proposal cites in a document.
const MAX_EVIDENCE: usize = 8;

/// The document of several runs.
#[derive(Debug, Serialize)]
pub struct RunsReport {
    /// True if some model is a persona, whose metrics are not evidence about language models.
    pub simulated: bool,
    /// Groups of consecutive runs with the same actor, model and books and distinct seeds.
    pub groups: Vec<GroupFigures>,
    /// The runs.
    pub runs: Vec<RunFigures>,
    /// Activations and blocks of laws, by group.
    pub laws: Vec<LawFigures>,
    /// Over-constrained states, by group and conflict.
    pub conflicts: Vec<ConflictFigures>,
    /// The states and choices of these runs, for each vocabulary.
    pub graphs: Vec<Document>,
    /// The critics' proposals for the books of these runs, oldest first.
    pub proposals: Vec<ProposalFigures>,
    /// The number of proposals beyond the maximum of a document.
    pub proposals_left_out: u64,
    /// The programs that ran them.
    pub programs: Vec<Program>,
}

/// Runs under the same laws.
#[derive(Debug, Serialize)]
pub struct GroupFigures {
    /// Its name: the number, from 1, and the books.
    pub group: String,
    /// The first and the last run.
    pub runs: (RunId, RunId),
    /// The actor.
    pub actor: String,
    /// The model.
    pub model: String,
    /// The kind of the world.
    pub world: String,
    /// The books with their revisions.
    pub books: Vec<String>,
    /// The number of laws in force when they began.
    pub laws: usize,
    /// The number of hard laws among them.
    pub hard: usize,
    /// The metrics.
    #[serde(flatten)]
    pub figures: EpisodeFigures,
    /// The Wilson interval of the share of goals.
    pub goal_interval: Option<Interval>,
    /// The bootstrap interval of the mean steps of the runs that reached the goal.
    pub steps_interval: Option<Interval>,
    /// The number of tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` if a price is not known.
    pub cost: Option<NanoUsd>,
    /// The earlier group of the comparison: the last one that shares a seed.
    pub against: Option<String>,
    /// The comparison, paired by seed.
    pub comparison: Option<Comparison>,
    /// The seeds.
    pub seeds: Vec<u64>,
}

/// A run in one line.
#[derive(Debug, Serialize)]
pub struct RunFigures {
    /// Its number.
    pub run: RunId,
    /// Its group, from 0.
    pub group: usize,
    /// Its seed.
    pub seed: u64,
    /// The end of the run, in words; `None` while it is running, or after it was killed.
    pub ended: Option<String>,
    /// True if the goal was reached.
    pub goal: bool,
    /// The number of world actions.
    pub steps: u64,
    /// The step that reached each subgoal.
    pub subgoals: Vec<(String, Option<u64>)>,
    /// The number of the actor's proposals.
    pub proposals: u64,
    /// The number of failed actions, malformed and unknown replies.
    pub failed: u64,
    /// The number of blocked and undecided proposals.
    pub blocked: u64,
    /// The number of steps under the hard laws alone.
    pub fallbacks: u64,
    /// The number of letters that violated a law.
    pub violations: u64,
    /// The number of world actions during which the player died.
    pub deaths: u64,
    /// The number of game ticks.
    pub ticks: u64,
    /// The number of tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` if the price is not known.
    pub cost: Option<NanoUsd>,
}

/// A proposed change of a book with its ruling.
#[derive(Debug, Serialize)]
pub struct ProposalFigures {
    /// Its number in the store.
    pub number: u64,
    /// Name and revision of the book it was proposed for.
    pub book: String,
    /// `add`, `replace` or `retire`.
    pub change: &'static str,
    /// The law that is replaced or retired, or the one that was admitted.
    pub law: Option<String>,
    /// The formula of a new law.
    pub formula: Option<String>,
    /// The evidence of its proposal; `conflict` also for the retirement of a law that leaves a state no action.
    pub source: Option<LawSource>,
    /// The reason, in English.
    pub explanation: Option<String>,
    /// The first cited steps.
    pub evidence: Vec<Evidence>,
    /// The proposer.
    pub proposer: String,
    /// `admitted`, `retired`, or the reason of the refusal.
    pub ruling: &'static str,
}

impl RunsReport {
    /// Reads stored runs, in the order of their numbers.
    ///
    /// # Errors
    /// The records cannot be read, or the runs have several vocabularies.
    pub fn read(store: &Store, runs: &[RunId], progress: &dyn ReportProgress) -> Result<Self, ReportError> {
        progress.begins(runs.len() as u64);
        let mut programs: Vec<Program> = Vec::new();
        let mut read: Vec<(RunManifest, RunSummary)> = Vec::new();
        for run in runs {
            let manifest = store.manifest(*run)?;
            let summary = RunSummary::of(store, *run)?;
            if !programs.contains(&manifest.program) {
                programs.push(manifest.program.clone());
            }
            read.push((manifest, summary));
            progress.step();
        }
        let mut groups: Vec<GroupFigures> = Vec::new();
        let mut rows = Vec::new();
        let members = grouped(read);
        for (index, (_, summaries)) in members.iter().enumerate() {
            rows.extend(summaries.iter().map(|summary| RunFigures::of(summary, index)));
            let group = GroupFigures::of(index, &members, &groups);
            groups.push(group);
        }
        let named: Vec<(String, Vec<RunId>)> = groups
            .iter()
            .zip(&members)
            .map(|(group, (_, summaries))| (group.group.clone(), summaries.iter().map(|it| it.run).collect()))
            .collect();
        let books: BTreeSet<&String> = groups.iter().flat_map(|group| &group.books).collect();
        let (mut proposals, mut proposals_left_out) = (Vec::new(), 0);
        for proposal in store.proposals() {
            let (number, proposal) = proposal?;
            match books.contains(&proposal.book) {
                true if proposals.len() < MAX_PROPOSALS => proposals.push(ProposalFigures::of(number, proposal)),
                true => proposals_left_out += 1,
                false => {}
            }
        }
        let (laws, judged) = law_figures(store, &named, progress)?;
        Ok(Self {
            simulated: members.iter().any(|(manifest, _)| manifest.model.simulated),
            laws,
            graphs: judged.iter().map(Judged::document).collect(),
            conflicts: conflicts(store, &named)?,
            groups,
            runs: rows,
            proposals,
            proposals_left_out,
            programs,
        })
    }

    /// Returns the learned book: the one with several revisions.
    pub fn learned(&self) -> Option<&str> {
        let name = |book: &'_ String| book.rsplit_once('@').map_or(book.len(), |(name, _)| name.len());
        let books: BTreeSet<&String> = self.groups.iter().flat_map(|group| &group.books).collect();
        let books: Vec<&String> = books.into_iter().collect();
        books.windows(2).find_map(|pair| {
            let [one, next] = pair else { return None };
            (one[..name(one)] == next[..name(next)]).then(|| &one[..name(one)])
        })
    }
}

/// A group: the manifest of its first run, and its runs.
type Group = (RunManifest, Vec<RunSummary>);

/// Groups consecutive runs with the same actor, model, world and books and distinct seeds. A group with the seeds of
/// the previous one is complete, because it is another iteration; the runs after it are a test.
fn grouped(runs: Vec<(RunManifest, RunSummary)>) -> Vec<Group> {
    fn seeds(group: &Group) -> BTreeSet<u64> {
        group.1.iter().map(|run| run.seed).collect()
    }
    let mut groups: Vec<Group> = Vec::new();
    for (manifest, summary) in runs {
        let complete = matches!(groups.as_slice(), [.., before, last] if seeds(before) == seeds(last));
        match groups.last_mut() {
            Some((first, summaries))
                if !complete
                    && (&first.actor, &first.model, &first.books)
                        == (&manifest.actor, &manifest.model, &manifest.books)
                    && first.world.kind == manifest.world.kind
                    && summaries.iter().all(|other| other.seed != summary.seed) =>
            {
                summaries.push(summary);
            }
            _ => groups.push((manifest, vec![summary])),
        }
    }
    groups
}

impl GroupFigures {
    fn of(index: usize, members: &[Group], before: &[Self]) -> Self {
        let (manifest, summaries) = &members[index];
        let books: Vec<String> = manifest.books.iter().map(name_at_revision).collect();
        let figures = EpisodeFigures::of(summaries);
        let reached: Vec<f64> =
            summaries.iter().filter(|run| run.reached_goal()).map(|run| run.metrics.steps as f64).collect();
        let middle = |sample: &[&f64]| sample.iter().copied().sum::<f64>() / sample.len().max(1) as f64;
        let interval = bootstrap(&reached, middle, CONFIDENCE, Resampling::default());
        let shares = |other: &Group| other.1.iter().any(|run| summaries.iter().any(|own| own.seed == run.seed));
        let earlier = (0..index).rev().find(|other| shares(&members[*other]));
        let ids = summaries.iter().map(|run| run.run);
        Self {
            group: format!("{}. {}", index + 1, if books.is_empty() { "no laws".to_owned() } else { books.join(", ") }),
            runs: (ids.clone().min().unwrap_or(manifest.run), ids.max().unwrap_or(manifest.run)),
            actor: manifest.actor.clone(),
            model: manifest.model.name.clone(),
            world: manifest.world.kind.clone(),
            books,
            laws: manifest.laws.len(),
            hard: manifest.laws.iter().filter(|law| law.hard).count(),
            goal_interval: wilson(figures.goals as u64, figures.episodes as u64, CONFIDENCE).ok(),
            steps_interval: interval.ok().map(|it| it.interval),
            figures,
            tokens: summaries.iter().map(|run| run.metrics.usage.total()).sum(),
            cost: summaries.iter().map(|run| run.metrics.cost).sum(),
            against: earlier.and_then(|earlier| before.get(earlier)).map(|group| group.group.clone()),
            comparison: earlier.map(|earlier| Comparison::of(&members[earlier].1, summaries)),
            seeds: summaries.iter().map(|run| run.seed).collect(),
        }
    }
}

impl RunFigures {
    fn of(summary: &RunSummary, group: usize) -> Self {
        let metrics = &summary.metrics;
        Self {
            run: summary.run,
            group,
            seed: summary.seed,
            ended: summary.end.as_ref().map(ToString::to_string),
            goal: summary.reached_goal(),
            steps: metrics.steps,
            subgoals: metrics.subgoals.iter().map(|subgoal| (subgoal.name.clone(), subgoal.step)).collect(),
            proposals: metrics.proposals,
            failed: metrics.failed_actions + metrics.malformed + metrics.unknown,
            blocked: metrics.blocked + metrics.undecided,
            fallbacks: metrics.fallbacks,
            violations: metrics.violations,
            deaths: metrics.deaths,
            ticks: metrics.ticks,
            tokens: metrics.usage.total(),
            cost: metrics.cost,
        }
    }
}

impl ProposalFigures {
    fn of(number: u64, proposal: LawProposal) -> Self {
        let ruling = match &proposal.ruling {
            GateRuling::Admitted { .. } => "admitted",
            GateRuling::OnTrial { .. } => "on-trial",
            GateRuling::Retired { .. } => "retired",
            GateRuling::Refused { refusal } => refusal.code(),
        };
        let admitted = match proposal.ruling {
            GateRuling::Admitted { law } | GateRuling::OnTrial { law, .. } => Some(law.to_string()),
            _ => None,
        };
        let (change, law, new) = match proposal.change {
            Change::Add(new) => ("add", admitted, new),
            Change::Replace { law, with, .. } => ("replace", Some(law.to_string()), with),
            Change::Retire { law, cause, proposer, .. } => {
                let source = (cause == RetireCause::Conflict).then_some(LawSource::Conflict);
                let (law, book) = (Some(law.to_string()), proposal.book);
                let (change, formula, explanation, evidence) = ("retire", None, None, Vec::new());
                return Self { number, book, change, law, formula, source, explanation, evidence, proposer, ruling };
            }
        };
        Self {
            number,
            book: proposal.book,
            change,
            law,
            formula: Some(new.formula),
            source: Some(new.source),
            explanation: Some(new.explanation),
            evidence: new.evidence.into_iter().take(MAX_EVIDENCE).collect(),
            proposer: new.proposer,
            ruling,
        }
    }
}
