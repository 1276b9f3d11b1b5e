//! `ltlcrit doctor`: checks that everything a run needs is in place.

mod finding;
#[cfg(feature = "client")]
mod server;

use std::path::Path;

use finding::{Finding, Health};
use ltlcrit_engine::config::{self, Config, FILE_NAME};
use ltlcrit_engine::model::{AnyModel, ModelSpec};
use ltlcrit_engine::probe::{Probe, probe};
use ltlcrit_engine::setup;
use ltlcrit_model::{Caps, ChatModel as _, Meter, Metered};
use ltlcrit_store::{Store, StoreError};
use ltlcrit_verifier::consistency::{Consistency, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{GuardedLaw, Vocabulary};
use serde::Serialize;

use crate::cli::args::{BookFlags, EndpointFlags, ModelFlag, WorldFlags};
use crate::cli::output::{CliError, Context, plural, runtime};
use crate::exit::ExitCode;

/// Arguments of `doctor`: those of the run that is to be checked.
#[derive(Debug, clap::Args, Serialize)]
pub struct DoctorArgs {
    /// Do not ask the model anything
    #[arg(long, display_order = 4)]
    #[serde(skip)]
    offline: bool,
    #[command(flatten)]
    #[serde(flatten)]
    model: ModelFlag,
    #[command(flatten)]
    #[serde(flatten)]
    books: BookFlags,
    #[command(flatten)]
    #[serde(flatten)]
    world: WorldFlags,
    #[command(flatten)]
    #[serde(flatten)]
    endpoint: EndpointFlags,
}

/// Checks and reports every part. The exit code shows whether all parts are in order.
///
/// # Errors
/// The findings cannot be printed.
pub fn run(args: &DoctorArgs, context: &Context) -> Result<ExitCode, CliError> {
    let mut findings = Vec::new();
    let config = match context.config_with(args) {
        Ok(config) => {
            findings.push(Finding::ok("configuration", files(context.config_file())));
            config
        }
        Err(error) => {
            findings.push(Finding::problem("configuration", &error));
            // The other parts are checked with the default configuration.
            context.with_store(Config::default())
        }
    };
    findings.push(store(&config.store.path));
    match ltlcrit_engine::world::vocabulary(&config) {
        Ok(vocabulary) => findings.extend(config.run.books().iter().map(|book| laws(book, &vocabulary))),
        Err(error) => findings.push(Finding::problem("world", &error.into())),
    }
    findings.extend(model(&config, args.offline));
    #[cfg(feature = "client")]
    if config.run.world == ltlcrit_engine::world::WorldName::SERVER {
        findings.extend(server::findings(&config));
    }
    let sick = findings.iter().any(|finding| finding.health == Health::Problem);
    #[derive(Serialize)]
    struct Document<'a> {
        healthy: bool,
        findings: &'a [Finding],
    }
    context.result(&Document { healthy: !sick, findings: &findings }, || {
        findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    })?;
    Ok(if sick { ExitCode::Findings } else { ExitCode::Success })
}

/// The configuration files in force.
fn files(named: Option<&Path>) -> String {
    match (config::project_file(named), config::user_file()) {
        (Some(project), Some(user)) => format!("{} over {}", project.display(), user.display()),
        (Some(project), None) => project.display().to_string(),
        (None, Some(user)) => format!("{} (there is no {FILE_NAME} here)", user.display()),
        (None, None) => format!("the defaults (there is no {FILE_NAME} here)"),
    }
}

fn store(path: &Path) -> Finding {
    match Store::open_existing(path) {
        Ok(store) => match store.flush().and_then(|()| store.stats()) {
            Ok(stats) => Finding::ok("store", format!("{}: {}", path.display(), plural(stats.runs, "run"))),
            Err(error) => Finding::problem("store", &error.into()),
        },
        Err(StoreError::Missing { .. }) => creatable(path),
        Err(error) => Finding::problem("store", &error.into()),
    }
}

/// Checks that the first run can make the store. Does not make it.
fn creatable(path: &Path) -> Finding {
    let existing = path.ancestors().find(|ancestor| ancestor.is_dir()).unwrap_or(Path::new("."));
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    let probe = existing.join(format!(".ltlcrit-doctor-{}", std::process::id()));
    match ltlcrit_files::replace(&probe, b"").and_then(|()| std::fs::remove_file(&probe)) {
        Ok(()) => Finding::ok("store", format!("{}: the first run makes it", path.display())),
        Err(error) => Finding::problem(
            "store",
            &CliError::new(ExitCode::Store, format!("{} cannot be made: {error}", path.display()))
                .help("name a directory that can be written with --store"),
        ),
    }
}

fn laws(name: &str, vocabulary: &std::sync::Arc<Vocabulary>) -> Finding {
    let book = match setup::book(name, vocabulary) {
        Ok(book) => book,
        Err(error) => return Finding::problem("laws", &error.into()),
    };
    let laws = book.laws_in_force();
    let count = plural(laws.len(), "law");
    let guarded: Result<Vec<Vec<GuardedLaw>>, _> =
        laws.iter().map(|law| recognise_all(&law.formula, vocabulary)).collect();
    let Ok(guarded) = guarded else {
        return Finding::ok("laws", format!("{name}: {count}"));
    };
    let checked = LawSystem::new(vocabulary, &guarded, 1_000_000).and_then(|mut system| system.check());
    match checked {
        Ok(Consistency::Consistent) => Finding::ok("laws", format!("{name}: {count}; no state is over-constrained")),
        Ok(_) => Finding::warning(
            "laws",
            format!("{name}: {count}; some states are over-constrained: `ltlcrit laws check {name}` shows one"),
        ),
        Err(error) => Finding::warning("laws", format!("{name}: {count}; its consistency is not known: {error}")),
    }
}

/// The model, and what came back on the first question of every actor.
fn model(config: &Config, offline: bool) -> Vec<Finding> {
    let spec = &config.run.model;
    let opened = setup::options(config, None).and_then(|mut options| {
        // The doctor waits less than a run.
        options.openai.retries = 0;
        setup::open(config, &options)
    });
    let model = match opened {
        Ok(model) => model,
        Err(error) => return vec![Finding::problem("model", &error.into())],
    };
    let name = model.info().to_string();
    let recipient = model.recipient().map_or_else(String::new, |recipient| recipient.to_string());
    vec![match spec {
        ModelSpec::Simulated(_) => Finding::ok("model", format!("{name}: simulated, needs no endpoint")),
        ModelSpec::Cassette(_) => Finding::ok("model", format!("{name}: recorded, needs no endpoint")),
        ModelSpec::Planner(_) | ModelSpec::Plan(_) => {
            Finding::ok("model", format!("{name}: no model, needs no endpoint"))
        }
        ModelSpec::OpenAi(_) if offline => {
            Finding::warning("model", format!("{name} at {recipient}: not asked (--offline)"))
        }
        ModelSpec::OpenAi(_) => match asked(config, &model) {
            Err(error) => Finding::problem("model", &error),
            Ok(probes) => {
                let form = model.form().unwrap_or_default();
                let answers = Finding::ok("model", format!("{name} answers at {recipient}; it is asked for {form}"));
                return [answers].into_iter().chain(probes.into_iter().map(answer)).collect();
            }
        },
    }]
}

/// The answers to the first question of every actor, at least one.
fn asked(config: &Config, model: &AnyModel) -> Result<Vec<Probe>, CliError> {
    let failed = |why: String| CliError::new(ExitCode::Model, why);
    let runtime = runtime("the model cannot be asked")?;
    let mut world = ltlcrit_engine::world::open(config)?;
    let model = Metered::new(model, &Meter::new(Caps::default()), None).map_err(|error| failed(error.to_string()))?;
    let model = model.with_body(config.model.body.clone());
    let probes = runtime.block_on(probe(world.as_mut(), &model, config.prompts()));
    let probes = probes.map_err(|error| failed(error.to_string()))?;
    match probes.first() {
        Some(Probe { reply: None, action: Err(why), .. }) => Err(failed(why.clone())),
        _ => Ok(probes),
    }
}

/// Reports the answer to the first question of an actor.
fn answer(Probe { actor, action, reply, took }: Probe) -> Finding {
    let Some(reply) = reply else {
        return Finding::problem(actor.name(), &CliError::new(ExitCode::Model, action.err().unwrap_or_default()));
    };
    let reasoning = if reply.reasons() { ", with reasoning" } else { "" };
    let (prompt, completion) = (reply.usage.prompt, reply.usage.completion);
    let cost = format!("{prompt} + {completion} tokens in {:.1} s{reasoning}", took.as_secs_f64());
    match action {
        Ok(action) => Finding::ok(actor.name(), format!("its answer is read as {action}; {cost}")),
        Err(why) => {
            let why = crate::cli::output::terminal::plain(&why);
            Finding::warning(actor.name(), format!("its answer cannot be read: {why}; {cost}"))
        }
    }
}
