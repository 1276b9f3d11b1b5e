//! `ltlcrit store import`: runs of the store from an agent's logs.
//!
//! The actions of a run are those of the guard's book, without objects. An observation says whether an action was called
//! before, or whether the last call that can make a fact true did.

use std::path::PathBuf;

use jiff::Timestamp;
use ltlcrit_engine::agent::program;
use ltlcrit_guard::Book;
use ltlcrit_guard::letter::{Letter, OTHER};
use ltlcrit_guard::log::{self, Session};
use ltlcrit_model::ModelInfo;
use ltlcrit_store::{
    Configuration, End, Episode, Executed, Limits, RunId, RunManifest, RunOutcome, StepRecord, Store, Timing,
    VocabularyRecord,
};
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{Enforcement, Fallback, PropSet, Proposition, Vocabulary};
use ltlcrit_worlds::{Details, Facts, Observation, Outcome, Reason, WorldInfo};
use serde::Serialize;
use serde_json::json;

use crate::cli::output::{CliError, Context, plural};
use crate::exit::ExitCode;

/// Arguments of `store import`.
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// The guard's book: its calls are the actions
    #[arg(long, value_name = "BOOK", default_value = "guard.toml")]
    book: PathBuf,
    /// The form of the logs
    #[arg(long, value_enum)]
    from: log::From,
    /// The outcome of all sessions or of one, `safe` or `unsafe`: a safe one reached its goal, and the last call of an
    /// unsafe one failed; may be repeated
    #[arg(long, value_name = "[SESSION=]MARK", value_parser = mark)]
    mark: Vec<(Option<String>, Mark)>,
    /// The logs
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Mark {
    Safe,
    Unsafe,
}

/// Reads a mark, and the session that it is for.
fn mark(text: &str) -> Result<(Option<String>, Mark), String> {
    let (session, mark) =
        text.rsplit_once('=').map_or((None, text), |(session, mark)| (Some(session.to_owned()), mark));
    Ok((session, <Mark as clap::ValueEnum>::from_str(mark, false)?))
}

#[derive(Default, Serialize)]
struct Imported {
    runs: usize,
    steps: usize,
    /// Calls that the book cannot read.
    unread: usize,
}

/// Runs the command.
///
/// # Errors
/// A book or a log that cannot be read, or a failed write.
pub fn run(args: &ImportArgs, context: &Context) -> Result<ExitCode, CliError> {
    let book = Book::load(&args.book).map_err(|errors| CliError::input(errors.to_string()))?;
    let vocabulary = vocabulary(&book).map_err(|why| CliError::input(why.to_string()))?;
    let mut sessions = Vec::new();
    for file in &args.files {
        sessions.extend(log::sessions(&book, args.from, file).map_err(CliError::input)?);
    }
    let known = |session: &str| sessions.iter().any(|known| known.0 == session);
    if let Some(session) = args.mark.iter().filter_map(|(session, _)| session.as_deref()).find(|one| !known(one)) {
        return Err(CliError::input(format!("--mark {session}=: no session of these logs has this name")));
    }
    let store = Store::open(&context.config()?.store.path)?;
    for remark in store.remarks() {
        context.note(format_args!("the store `{}` {remark}", store.path().display()));
    }
    let mut imported = Imported::default();
    for session in &sessions {
        // A mark for the session goes before one for all.
        let own = args.mark.iter().rfind(|(of, _)| of.as_ref() == Some(&session.0));
        let mark = own.or_else(|| args.mark.iter().rfind(|(of, _)| of.is_none())).map(|(_, mark)| *mark);
        let episode = episode(session, &book, &vocabulary, mark);
        imported.runs += 1;
        imported.steps += episode.steps.len() - 1;
        imported.unread += session.1.iter().filter(|call| call.is_none()).count();
        store.commit(episode)?;
    }
    context.result(&imported, || {
        let unread = match imported.unread {
            0 => String::new(),
            unread => format!("; the book cannot read {}", plural(unread, "call")),
        };
        format!("{} with {}{unread}", plural(imported.runs, "run"), plural(imported.steps, "step"))
    })?;
    Ok(ExitCode::Success)
}

/// The observation that an action was called.
fn called(action: &str) -> String {
    format!("called_{action}")
}

fn vocabulary(book: &Book) -> Result<Vocabulary, VocabularyError> {
    let actions: Vec<&str> = book.catalogue.actions.keys().map(|action| &**action).collect();
    let calls = actions.iter().map(|action| Proposition::new(called(action), format!("`{action}` was called")));
    let facts = book.catalogue.facts.keys();
    let facts = facts.map(|fact| Proposition::new(fact.clone(), "The last call that can make it true did"));
    let observations = calls.chain(facts).collect();
    let calls = actions.iter().map(|action| Proposition::new(*action, format!("Call `{action}`")));
    let other = Proposition::new(OTHER, "Call something else");
    Vocabulary::new("guard", observations, calls.chain([other]).collect(), Vec::new())
}

/// A session as a run.
fn episode(session: &Session, book: &Book, vocabulary: &Vocabulary, mark: Option<Mark>) -> Episode {
    let mut episode = Episode::new(manifest(session, vocabulary));
    let mut holds = PropSet::EMPTY;
    episode.steps.push(step(0, holds, None, vocabulary));
    for (letters, succeeded) in session.1.iter().flatten() {
        for (at, letter) in letters.iter().enumerate() {
            let failed = !succeeded && at + 1 == letters.len();
            // A call that may not have run is no step, unless it failed.
            let action = vocabulary.action(&letter.action).filter(|_| letter.surely || failed && letters.len() == 1);
            let Some(action) = action else { continue };
            observe(&mut holds, letter, book, vocabulary);
            let outcome = Outcome::new(failed.then(|| Reason("failed".into())), letter.to_string(), 0);
            let executed = Executed { action, thought: None, outcome, trace: Vec::new() };
            episode.steps.push(step(episode.steps.len() as u64, holds, Some(executed), vocabulary));
        }
    }
    if mark == Some(Mark::Unsafe)
        && let Some(last) = episode.steps.last_mut().and_then(|step| step.executed.as_mut())
    {
        last.outcome.failure = Some(Reason("unsafe".into()));
    }
    let end = if mark == Some(Mark::Safe) { End::Goal } else { End::Stopped };
    let last_step = episode.steps.len() as u64 - 1;
    episode.outcome = Some(RunOutcome { end, last_step, owed: Vec::new(), in_flight: None });
    episode.timings = vec![Timing::default(); episode.steps.len()];
    episode
}

/// Changes the observations by a call.
fn observe(holds: &mut PropSet, letter: &Letter, book: &Book, vocabulary: &Vocabulary) {
    if let Some(id) = vocabulary.id(&called(&letter.action)) {
        holds.insert(id);
    }
    let facts = book.catalogue.facts.iter().filter(|(_, actions)| actions.iter().any(|one| **one == *letter.action));
    for (fact, _) in facts {
        let Some(id) = vocabulary.id(fact) else { continue };
        match letter.facts.iter().any(|known| **known == **fact) {
            true => holds.insert(id),
            false => holds.remove(id),
        }
    }
}

fn step(number: u64, holds: PropSet, executed: Option<Executed>, vocabulary: &Vocabulary) -> StepRecord {
    let letter = match &executed {
        Some(executed) => ltlcrit_verifier::Letter::after(vocabulary, executed.action, holds),
        None => ltlcrit_verifier::Letter::initial(holds),
    };
    StepRecord {
        step: number,
        observation: Observation { holds, details: Details::new(Facts { facts: Vec::new() }) },
        letter,
        proposals: Vec::new(),
        executed,
        force: Enforcement::All,
        raised: false,
        relaxed: Vec::new(),
        violations: Vec::new(),
        owed: Vec::new(),
        new_laws: None,
        new_books: Vec::new(),
        first_seen: None,
    }
}

fn manifest(session: &Session, vocabulary: &Vocabulary) -> RunManifest {
    let options = json!({ "session": session.0 });
    RunManifest {
        run: RunId(0),
        created: Timestamp::now(),
        program: program(),
        configuration: Configuration::new(json!({})),
        world: WorldInfo { kind: "log".into(), seed: None, options, deterministic: false },
        task: "A session of an agent.".into(),
        vocabulary: VocabularyRecord::of(vocabulary),
        subgoals: Vec::new(),
        actor: "imported".into(),
        model: ModelInfo::real("imported"),
        seed: 0,
        price: None,
        shielded: false,
        robust: false,
        fallback: Fallback::All,
        limits: Limits::default(),
        books: Vec::new(),
        laws: Vec::new(),
    }
}
