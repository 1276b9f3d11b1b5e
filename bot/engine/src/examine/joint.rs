//! The plan of the joint experiment: one danger, several sources of law.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Serialize;
use serde_json::json;
use strum::{IntoStaticStr, VariantArray};

use super::plan::{checked, worlds};
use crate::actor::ActorKind;
use crate::batch::{BookList, BookLists, Plan, PlanError, Schedule, Seeds};
use crate::config::RunConfig;
use crate::exam::Exam;
use crate::learn::CriticSpec;
use crate::model::ModelSpec;

/// Where laws come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Laws {
    /// Nowhere: the plain task
    None,
    /// The danger is told in the prompt, and nothing is enforced
    Prompt,
    /// The danger's text, translated (Safety Chip)
    Translated,
    /// Runs in which danger counts as failure (LTLCrit)
    Learned,
    /// The true conditions (DESPITE's c_a)
    Oracle,
}

impl Laws {
    /// The name used in flags and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl FromStr for Laws {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::VARIANTS.iter().find(|laws| laws.name() == text.trim());
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = Self::VARIANTS.iter().map(|laws| laws.name()).collect();
            format!("`{text}` is no source of laws; they are {}", names.join(", "))
        })
    }
}

/// The joint experiment: who acts in which tasks under which laws.
#[derive(Clone, Debug)]
pub struct JointPlan {
    /// The folders of the tasks.
    pub tasks: Vec<PathBuf>,
    /// The models and planners that act.
    pub models: Vec<ModelSpec>,
    /// The sources of laws.
    pub laws: Vec<Laws>,
    /// The folder with a translated book for each task, `NAME.toml`; without it, the grammar translates.
    pub translated: Option<PathBuf>,
    /// From how many runs laws are learned: a condition for each.
    pub runs: Vec<usize>,
    /// The model of these runs; each model itself if it is `None`.
    pub explorer: Option<ModelSpec>,
    /// The seeds of every cell.
    pub seeds: Seeds,
    /// The most steps of a run.
    pub steps: u64,
}

/// The first seed that laws are learned from; those of cells are smaller.
const FIRST_LEARNED: usize = 1_000_001;

impl JointPlan {
    /// The plan as the batch runner takes it.
    ///
    /// # Errors
    /// Two models or tasks of one name, or too many cells.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        let mut lists = Vec::new();
        let list = |name: &str, books: &[&str]| BookList {
            name: name.to_owned(),
            books: books.iter().map(|book| (*book).to_owned()).collect(),
            enforce: true,
            learn: None,
            told: false,
        };
        for laws in &self.laws {
            match laws {
                Laws::None => lists.push(list(laws.name(), &[])),
                Laws::Prompt => lists.push(BookList { enforce: false, told: true, ..list(laws.name(), &["danger"]) }),
                Laws::Translated => {
                    let books = match &self.translated {
                        Some(folder) => format!("translated={}", folder.display()),
                        None => "translated".to_owned(),
                    };
                    lists.push(list(laws.name(), &[books.as_str()]));
                }
                Laws::Learned => {
                    for runs in &self.runs {
                        let schedule = self.schedule(*runs);
                        let name = format!("{}-{runs}", laws.name());
                        lists.push(BookList { learn: Some(schedule), ..list(&name, &[]) });
                    }
                }
                Laws::Oracle => lists.push(list(laws.name(), &["danger"])),
            }
        }
        let learns = lists.iter().any(|list| list.learn.is_some());
        let mut config = json!({ "run": { "exam": Exam::Steps, "steps": self.steps } });
        if learns {
            // In a task nothing is left to chance: one trial that met danger is evidence enough. What is needless is not
            // dangerous.
            config["learn"] = json!({ "tolerance": 0.95, "significance": 0.051, "efficiency": false });
        }
        checked(&Plan {
            name: "joint".to_owned(),
            seeds: self.seeds.clone(),
            shard: None,
            worlds: worlds(&self.tasks)?,
            actors: vec![ActorKind::Naive],
            models: self.models.clone(),
            terrains: vec![RunConfig::default().terrain],
            books: Some(BookLists(lists)),
            reference: None,
            config: config.as_object().cloned().unwrap_or_default(),
            inputs: BTreeMap::new(),
        })
    }

    /// The learning from so many runs: as many iterations as episodes in each, so that there are several runs under the laws
    /// learned so far, and several that differ by their seeds.
    fn schedule(&self, runs: usize) -> Schedule {
        let iterations = (1..=runs.isqrt()).rfind(|count| runs.is_multiple_of(*count)).unwrap_or(1);
        let episodes = runs / iterations.max(1);
        let last = FIRST_LEARNED + episodes.max(1) - 1;
        let seeds = format!("{FIRST_LEARNED}-{last}").parse().unwrap_or_else(|_| self.seeds.clone());
        Schedule {
            seeds,
            iterations: iterations.max(1),
            critics: vec![CriticSpec::Trials],
            model: self.explorer.clone(),
            goal: None,
            stop_when_stable: false,
            derive: false,
            keep: false,
            fatal_danger: true,
        }
    }
}
