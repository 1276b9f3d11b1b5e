//! Flags of commands that ask critics, and the critics they name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ltlcrit_engine::config::{Config, LearnConfig};
use ltlcrit_engine::learn::{CriticSpec, Critics, UnreadBy};
use ltlcrit_engine::model::AnyModel;
use ltlcrit_engine::setup;
use ltlcrit_model::cassette::Recording;
use ltlcrit_model::{ChatModel as _, Meter, Metered};
use serde::Serialize;

use crate::cli::args::actor_flags::{BookFlags, CriticEndpointFlags};
use crate::cli::args::numbers;
use crate::cli::output::{BAD, CliError, Context, DIM, WARNING, clock, foreign};

/// The critics and the book they change, as flags; what is not given comes from the configuration.
#[derive(Debug, Default, clap::Args, Serialize)]
#[command(
    mut_arg("laws", |laws| laws.help(
        "A law book in force beside the learned one: a shipped name or a file; may be repeated [default: minecraft-hard]"
    )),
    mut_arg("no_laws", |no_laws| no_laws.help("Use no other law book than the learned one"))
)]
pub struct CriticFlags {
    /// The book to learn: a file, created if missing [default: learned.toml]
    #[arg(long, value_name = "FILE")]
    #[serde(rename = "learn.book")]
    book: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    books: BookFlags,
    /// A critic, which proposes laws: `trials`, which needs no model, `openai:MODEL` or `cassette:FILE`; may be repeated
    /// [default: trials]
    #[arg(long = "critic", value_name = "CRITIC")]
    #[serde(rename = "learn.critics", skip_serializing_if = "Vec::is_empty")]
    critics: Vec<CriticSpec>,
    #[command(flatten)]
    #[serde(flatten)]
    endpoint: CriticEndpointFlags,
    /// Keep admitted laws `proposed` until a person adopts them
    #[arg(long)]
    #[serde(rename = "learn.review")]
    review: bool,
    /// The steps that an efficient choice may be worse than the best known one [default: 0.5]
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true, value_parser = numbers::amount)]
    #[serde(rename = "learn.margin")]
    margin: Option<f64>,
}

/// Sets up the critics of a configuration. The first model is recorded in `record`, the others beside it, in `record-2` and
/// so on.
///
/// # Errors
/// A model that cannot be set up.
pub fn critics(config: &Config, record: Option<&Recording>, meter: &Arc<Meter>) -> Result<Critics, CliError> {
    let recording = |number| record.map(|first| Recording { path: cassette(&first.path, number), anew: first.anew });
    Ok(Critics::new(config, recording, meter)?)
}

/// Reports the models that are asked, with endpoint and key variable, each once.
pub fn tell_asked<'a>(models: impl IntoIterator<Item = &'a Arc<Metered<AnyModel>>>, gap: &str, context: &Context) {
    let asked: BTreeSet<String> = models.into_iter().filter_map(|model| setup::asked(model)).collect();
    for asked in asked {
        context.note(format_args!("{DIM}model{DIM:#}{gap}{}", foreign(&asked)));
    }
}

/// The progress of critics at work: the time so far, and the wait of one of their models.
pub fn at_work(elapsed: Duration, models: &[Arc<Metered<AnyModel>>]) -> String {
    let wait = models.iter().find_map(|model| model.waits().now());
    wait.map_or_else(|| clock(elapsed), |wait| format!("{}  {wait}", clock(elapsed)))
}

/// The cassettes of a configuration's critics, derived from the first one.
pub fn cassettes(config: &LearnConfig, first: &Path) -> Vec<PathBuf> {
    let models = config.critics.iter().filter(|critic| matches!(critic, CriticSpec::Model(_)));
    (1..=models.count()).map(|number| cassette(first, number)).collect()
}

/// The cassette of the model of this number, from 1.
fn cassette(record: &Path, number: usize) -> PathBuf {
    match number {
        1 => record.to_owned(),
        _ => with_ending(record, &format!("-{number}")),
    }
}

/// A path with this ending appended.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The critics that proposed nothing, and why.
pub fn silent(silent: &[(String, String)]) -> Vec<String> {
    let line =
        |(who, why): &(String, String)| format!("{BAD}{} proposed nothing{BAD:#}: {}", foreign(who), foreign(why));
    silent.iter().map(line).collect()
}

/// The unreadable parts of the critics' answers: their number for each critic, and at most `most` of them, each once.
/// Parts that are already the reason why a critic proposed nothing are left out.
pub fn unread(unread: &[UnreadBy], silent: &[(String, String)], most: usize) -> Vec<String> {
    let mut critics: BTreeMap<&str, (usize, BTreeSet<String>)> = BTreeMap::new();
    for UnreadBy { critic, piece } in unread {
        let text = piece.to_string();
        if !silent.iter().any(|(who, why)| who == critic && why.contains(&text)) {
            let (count, pieces) = critics.entry(critic).or_default();
            *count += 1;
            pieces.insert(text);
        }
    }
    let mut lines = Vec::new();
    for (critic, (count, pieces)) in critics {
        let count = match count {
            1 => "a part of its answers could not be read".to_owned(),
            count => format!("{count} parts of its answers could not be read"),
        };
        lines.push(format!("{WARNING}{}{WARNING:#}: {count}", foreign(critic)));
        lines.extend(pieces.iter().take(most).map(|piece| format!("  {DIM}{}{DIM:#}", foreign(piece))));
        if pieces.len() > most {
            lines.push(format!("  {DIM}and {} others (--json lists all){DIM:#}", pieces.len() - most));
        }
    }
    lines
}

/// The critics' names as a list.
pub fn names(config: &LearnConfig) -> String {
    config.critics.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
