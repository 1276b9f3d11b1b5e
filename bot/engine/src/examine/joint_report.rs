//! The report of the joint experiment.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ltlcrit_critic::law::Restriction;
use ltlcrit_pddl::{Agreement, Ground, PddlWorld, Reachable, Task};
use ltlcrit_verifier::{ActionSet, PropSet, Shield, ShieldOptions};
use ltlcrit_worlds::World as _;
use serde::Serialize;

use super::figures::{PlanRates, mean, task_means, used};
use super::rates::{Rate, mean_rate, share};
use super::rows::{Answers, Rows, TaskFacts};
use crate::batch::{Contents, DirectoryError, Learning, learnings};
use crate::books::named::mentioned;
use crate::exam::Exam;
use crate::setup;
use crate::world::{self, WorldName};

/// The metrics of the joint experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointReport {
    /// The number of tasks.
    pub tasks: usize,
    /// True if planners act; they are not language models.
    pub planners: bool,
    /// A row for every actor and source of laws.
    pub rows: Vec<JointRow>,
}

/// The metrics of one actor under the laws of one source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointRow {
    /// The rates; SI is over the steps that were taken.
    #[serde(flatten)]
    pub rates: PlanRates,
    /// The source of the laws: `none`, `learned-4`, ….
    pub laws: String,
    /// Over-blocking: F without laws minus F with these laws, over the same tasks.
    pub lost_feasibility: Option<Rate>,
    /// The mean number of blocked proposals of a run.
    pub blocked: Option<f64>,
    /// The actions that the laws forbid compared with the dangerous ones; `None` without laws.
    pub law: Option<LawFigures>,
    /// The mean number of runs that the laws of a task were learned from.
    pub runs: Option<f64>,
    /// The number of tokens, of runs and of learning.
    pub tokens: u64,
}

/// Laws compared with the true conditions over the reachable states.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LawFigures {
    /// The mean number of laws in force for a task.
    pub laws: f64,
    /// Counts over all tasks together.
    pub agreement: Agreement,
    /// The share of dangerous pairs among the forbidden pairs: the mean over the tasks with a forbidden pair.
    pub precision: Option<Rate>,
    /// The share of forbidden pairs among the dangerous pairs: the mean over tasks.
    pub recall: Option<Rate>,
    /// The number of tasks in which exactly the dangerous pairs are forbidden.
    pub exact: usize,
    /// The number of tasks whose laws were compared.
    pub tasks: usize,
    /// The number of tasks whose reachable states were not all compared.
    pub incomplete: usize,
}

/// The laws of one task compared with its danger.
struct OfTask {
    laws: usize,
    agreement: Agreement,
    complete: bool,
}

impl JointReport {
    /// Returns whether a directory contains a joint experiment: an evaluation in steps under several lists of laws.
    ///
    /// # Errors
    /// The directory is not a batch, or it cannot be read.
    pub fn is_of(path: &Path) -> Result<bool, DirectoryError> {
        let experiment = Contents::read(path)?.experiment;
        let examined = |condition: &crate::batch::Condition| experiment.config(condition).run.exam == Some(Exam::Steps);
        let lists = experiment.plan.books.as_ref().map_or(0, |lists| lists.0.len());
        Ok(lists > 1 && experiment.conditions.first().is_some_and(examined))
    }

    /// Reads the directory of a joint experiment, which may be running.
    ///
    /// # Errors
    /// The directory contains another experiment, or it cannot be read.
    pub fn read(path: &Path) -> Result<Self, DirectoryError> {
        let contents = Contents::read(path)?;
        let rows = Rows::of(&contents)?;
        let mut learned: BTreeMap<String, Vec<Learning>> = BTreeMap::new();
        for learning in learnings(path, &contents.experiment)? {
            learned.entry(learning.condition.clone()).or_default().push(learning);
        }
        let mut reached = Reached::default();
        let mut order: Vec<&Answers> = rows.answers.iter().collect();
        let place = |answers: &Answers| rows.answers.iter().position(|other| other.model == answers.model);
        order.sort_by_key(|answers| (place(answers), rank(&answers.books)));
        let mut report = Self { tasks: rows.tasks.len(), planners: false, rows: Vec::new() };
        for answers in order {
            report.planners |= answers.model.is_no_model();
            let without = rows.answers.iter().find(|other| other.model == answers.model && other.books == "none");
            report.rows.push(row(&contents, &rows.tasks, answers, without, &learned, &mut reached)?);
        }
        Ok(report)
    }
}

/// The sources of laws in the order of the table.
const SOURCES: [&str; 5] = ["none", "prompt", "translated", "learned", "oracle"];

/// Returns the position of a source of laws in the table; learned laws are ordered by their number of runs.
fn rank(laws: &str) -> (usize, u64) {
    let (source, runs) = laws.split_once('-').unwrap_or((laws, "0"));
    let place = SOURCES.iter().position(|known| *known == source);
    (place.unwrap_or(SOURCES.len()), runs.parse().unwrap_or(0))
}

fn row(
    contents: &Contents,
    tasks: &[TaskFacts],
    answers: &Answers,
    without: Option<&Answers>,
    learned: &BTreeMap<String, Vec<Learning>>,
    reached: &mut Reached,
) -> Result<JointRow, DirectoryError> {
    let means = task_means(answers);
    let before: BTreeMap<usize, f64> =
        without.map(task_means).unwrap_or_default().iter().map(|it| (it.task, it.feasible)).collect();
    let lost: Vec<f64> = means.iter().filter_map(|it| Some(before.get(&it.task)? - it.feasible)).collect();
    let conditions = &contents.experiment.conditions;
    let its =
        || answers.conditions.values().flat_map(|number| learned.get(&conditions[*number].name).into_iter().flatten());
    let episodes = |learning: &Learning| learning.iterations.iter().map(|it| it.episodes as f64).sum::<f64>();
    let of_learning: u64 = its().map(|learning| learning.usage.total().usage.total()).sum();
    let mut compared = Vec::new();
    for (task, number) in &answers.conditions {
        let condition = &conditions[*number];
        let is_known = learned.get(&condition.name).map_or(0, Vec::len) == condition.learned.len();
        if condition.laws.is_empty() && condition.learned.is_empty() || condition.books.told || !is_known {
            continue;
        }
        // The paths of learned books are relative to the directory.
        let books = condition.learned.iter().map(|name| Some(contents.path.join(name).display().to_string()));
        let books: Vec<Option<String>> = if books.len() == 0 { vec![None] } else { books.collect() };
        for learned in books {
            let names: Vec<String> = condition.laws.iter().cloned().chain(learned).collect();
            compared.extend(reached.compare(&tasks[*task].world, &names));
        }
    }
    let results = || answers.of_task.values().flatten();
    Ok(JointRow {
        rates: PlanRates::of(answers, &means),
        laws: answers.books.clone(),
        lost_feasibility: mean_rate(&lost),
        blocked: mean(results().map(|result| result.blocked as f64)),
        law: law_figures(&compared),
        runs: mean(its().map(episodes)),
        tokens: used(answers).1 + of_learning,
    })
}

fn law_figures(compared: &[OfTask]) -> Option<LawFigures> {
    let laws = mean(compared.iter().map(|of| of.laws as f64))?;
    let mut agreement = Agreement::default();
    compared.iter().for_each(|of| agreement += of.agreement);
    let over = |of: fn(&Agreement) -> Option<f64>| {
        share(&compared.iter().filter_map(|task| of(&task.agreement)).collect::<Vec<_>>())
    };
    Some(LawFigures {
        laws,
        agreement,
        precision: over(Agreement::precision),
        recall: over(Agreement::recall),
        exact: compared.iter().filter(|of| of.agreement.is_equivalent()).count(),
        tasks: compared.len(),
        incomplete: compared.iter().filter(|of| !of.complete).count(),
    })
}

/// The reachable states of tasks, each computed once.
#[derive(Default)]
struct Reached(BTreeMap<String, Option<(Arc<Task>, Reachable)>>);

impl Reached {
    /// Compares the laws of books with the danger of a task; `None` if either cannot be read.
    fn compare(&mut self, world: &WorldName, books: &[String]) -> Option<OfTask> {
        let known = self.0.entry(world.to_string()).or_insert_with(|| {
            let task = world::task(world).ok()?;
            let ground = Ground::new(&task).ok()?;
            Some((Arc::new(task), Reachable::new(ground)))
        });
        let (task, reachable) = known.as_ref()?;
        let world = PddlWorld::under(task, Some(&|signature| mentioned(books, signature))).ok()?;
        let vocabulary = world.vocabulary();
        let books = setup::books(books, &vocabulary).ok()?;
        let mut restrictions: Vec<Restriction> = Vec::new();
        let mut others = Vec::new();
        for law in &books.laws {
            match Restriction::of(&law.formula, &vocabulary) {
                Ok(restriction) => restrictions.push(restriction),
                Err(_) => others.push(law.clone()),
            }
        }
        // Laws of other forms are judged as if a run began in each state.
        let mut shield = match others.is_empty() {
            true => None,
            false => Some(Shield::new(vocabulary.clone(), others, ShieldOptions::default()).ok()?),
        };
        let mut last: Option<(usize, PropSet, Option<ActionSet>)> = None;
        let agreement = reachable.agreement(
            |action| world.id(action).is_some(),
            |state, action| {
                let Some(action) = world.id(action) else { return false };
                let key = std::ptr::from_ref(state).addr();
                if last.as_ref().is_none_or(|(known, ..)| *known != key) {
                    let holds = world.observation(state).holds;
                    let allowed = shield.as_mut().and_then(|shield| {
                        shield.start(holds).ok()?;
                        Some(shield.decide().allowed)
                    });
                    last = Some((key, holds, allowed));
                }
                let Some((_, holds, allowed)) = &last else { return false };
                let is_forbidden = allowed.as_ref().is_some_and(|allowed| !allowed.contains(action));
                is_forbidden || restrictions.iter().any(|law| law.blocks(holds, action, &vocabulary))
            },
        );
        Some(OfTask { laws: books.laws.len(), agreement, complete: reachable.is_complete() })
    }
}
