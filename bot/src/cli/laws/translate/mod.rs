//! `ltlcrit laws translate`: English sentences to laws, with what they mean and how they stand to the laws in force.

mod book;
mod report;
mod world;

use std::path::PathBuf;

use book::Target;
use ltlcrit_engine::model::ModelSpec;
use ltlcrit_engine::setup;
use ltlcrit_files::FileError;
use ltlcrit_laws::{MAX_BOOK, Strength};
use ltlcrit_model::ModelError;
use ltlcrit_translate::{Choice, Engine, EngineError, English, Lexical, ModelEngine, Refusal};
use report::{Decision, Document, SegmentReport, SentenceReport};
use serde::Serialize;
use world::World;

use super::blocks::LawWorld;
use crate::cli::args::{LanguageModelFlags, RecordFlags, tell_asked};
use crate::cli::output::{CliError, Context, HEAD, foreign, law_ids, runtime};
use crate::exit::ExitCode;

/// Arguments of `laws translate`.
#[derive(Debug, clap::Args, Serialize)]
#[command(
    after_help = "Without --model, a grammar translates: it refuses what it does not understand and names the readings of what \
                  can be read in several ways. Exit code 4: a sentence is not translated. 5: with --yes, a law conflicts with \
                  laws in force, blocks nothing or leaves no way to the goal, and is left out. 7: the model gave no answer."
)]
pub struct TranslateArgs {
    /// The sentence
    #[arg(required_unless_present = "from", conflicts_with = "from")]
    #[serde(skip)]
    sentence: Option<String>,
    /// The world it speaks of: `minecraft`, `household:TASK` or `pddl:DIR` [default: that of the books named, or `minecraft`]
    #[arg(long, value_name = "WORLD")]
    #[serde(skip)]
    world: Option<LawWorld>,
    /// Add the laws to this book, a file, created if missing; they wait for `laws adopt` or `laws reject`
    #[arg(long, value_name = "BOOK")]
    #[serde(skip)]
    into: Option<String>,
    /// Translate the sentences of a file, one a line; lines that begin with # are passed over
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    from: Option<PathBuf>,
    /// Put every law in force at once that conflicts with none in force, blocks something, and leaves a way to the goal
    #[arg(long, requires = "into")]
    #[serde(skip)]
    yes: bool,
    /// Make soft laws, which give way where the laws together leave no action
    #[arg(long)]
    #[serde(skip)]
    soft: bool,
    /// Show each stage: what was recognised, what it was grounded to, and the formula with placeholders
    #[arg(long)]
    #[serde(skip)]
    trace: bool,
    /// A book in force that laws are compared with; may be repeated [default: those of the world]
    #[arg(long, value_name = "BOOK")]
    #[serde(skip)]
    laws: Vec<String>,
    /// Ask this model instead of the grammar: `openai:MODEL` or `cassette:FILE`
    #[arg(long, value_name = "MODEL")]
    #[serde(rename = "run.model")]
    model: Option<ModelSpec>,
    #[command(flatten)]
    #[serde(flatten)]
    models: LanguageModelFlags,
    #[command(flatten)]
    #[serde(skip)]
    record: RecordFlags,
}

/// Translates.
///
/// # Errors
/// A sentence that is not translated, a book that cannot be read or written, or a model that gives no answer.
pub fn run(args: &TranslateArgs, context: &Context) -> Result<ExitCode, CliError> {
    let config = context.config_with(args)?;
    let world = World::open(args.world.as_ref(), &args.laws, args.into.as_ref(), &config)?;
    let lexical = Lexical::new(&world.lexicon);
    let english = English::new(&lexical);
    match &args.model {
        None => translate(args, &lexical, &english, &world, context),
        Some(ModelSpec::OpenAi(_) | ModelSpec::Cassette(_)) => {
            let recording = args.record.recording(|file| vec![file.to_owned()])?;
            let model = setup::model(&config, recording, &setup::meter(&config))?;
            tell_asked([&model], "  ", context);
            translate(args, &ModelEngine::new(&world.lexicon, model), &english, &world, context)
        }
        Some(other) => Err(CliError::usage(format!("`{other}` does not translate"))
            .help("name a language model, `--model openai:MODEL`, or leave it out")),
    }
}

fn sentences(args: &TranslateArgs) -> Result<Vec<String>, CliError> {
    let Some(path) = &args.from else { return Ok(args.sentence.iter().cloned().collect()) };
    let unreadable = |error: FileError| {
        CliError::from_error(ExitCode::Input, "the sentences cannot be read", &error).at(path.display().to_string())
    };
    let text = ltlcrit_files::read_text(path, MAX_BOOK).map_err(unreadable)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

fn translate(
    args: &TranslateArgs,
    engine: &impl Engine,
    english: &English<'_>,
    world: &World,
    context: &Context,
) -> Result<ExitCode, CliError> {
    let sentences = sentences(args)?;
    let target = args.into.as_deref().map(|path| Target::open(path, world, context)).transpose()?;
    let runtime = runtime("the model cannot be asked")?;
    let strength = if args.soft { Strength::Soft } else { Strength::Hard };
    let mut reports = Vec::new();
    for sentence in sentences {
        let (segments, refusal) = match runtime.block_on(engine.translate(&sentence)) {
            Ok(translation) => (translation.segments, None),
            Err(EngineError::Refused(refusal)) => (Vec::new(), Some(refusal)),
            Err(EngineError::Model(error)) => return Err(gave_no_answer(&error)),
        };
        let segments = segments.into_iter().map(|segment| SegmentReport::new(segment, world, english, strength));
        let mut report = SentenceReport::new(sentence, segments.collect::<Result<_, _>>()?, refusal);
        if args.into.is_some() {
            report.decide(args.yes);
        }
        if !context.json() {
            report.segments.iter().try_for_each(|segment| context.print(segment.text(args.trace).trim_end()))?;
        }
        reports.push(report);
    }
    let info = engine.info();
    let book = match target {
        Some(target) => target.add(&mut reports, &info, strength, world)?,
        None => None,
    };
    if context.json() {
        let book = book.as_ref().map(ltlcrit_laws::Book::id);
        let world = world.to_string();
        context.print_json(&Document { world, engine: info, sentences: &reports, book })?;
    } else if let (Some(book), Some(path)) = (&book, &args.into) {
        let kept: Vec<&str> = reports.iter().flat_map(|it| &it.segments).filter_map(|it| it.law.as_deref()).collect();
        let what = if args.yes { "added to" } else { "waiting in" };
        let (id, ids) = (book.id(), law_ids(kept));
        context.print(format_args!("{HEAD}{id}{HEAD:#} ({}): {what} the book: {ids}", foreign(path)))?;
    }
    end(args, &reports, english, world)
}

/// The exit code, or the first refusal as an error.
fn end(
    args: &TranslateArgs,
    reports: &[SentenceReport],
    english: &English<'_>,
    world: &World,
) -> Result<ExitCode, CliError> {
    let mut refusals = reports.iter().filter_map(|report| report.refusal.as_ref());
    if let Some(first) = refusals.next() {
        let mut error = refused(first, english, world);
        if args.from.is_some() {
            let rest: Vec<String> = refusals.map(Refusal::to_string).collect();
            let count = format!("{} of {} sentences are not translated", rest.len() + 1, reports.len());
            error = rest.into_iter().chain([count]).fold(error, CliError::detail);
        }
        return Err(error);
    }
    let left_out = reports.iter().flat_map(|report| &report.segments);
    let left_out = left_out.filter(|it| it.decision == Some(Decision::LeftOut));
    let why = |it: &SegmentReport| Some(format!("{}: {}", foreign(&it.segment.text), it.objection()?));
    let objections: Vec<String> = left_out.clone().filter_map(why).collect();
    if !objections.is_empty() {
        let error = CliError::new(ExitCode::Findings, format!("{} of the laws were left out", left_out.count()));
        let error = objections.into_iter().fold(error, CliError::detail);
        return Err(error.help("keep them for a decision: leave out `--yes`"));
    }
    Ok(ExitCode::Success)
}

fn refused(refusal: &Refusal, english: &English<'_>, world: &World) -> CliError {
    let error = CliError::input(foreign(&refusal.to_string()));
    match refusal {
        Refusal::Ambiguous { choices, .. } => {
            let choice = |(at, choice): (usize, &Choice)| {
                let formula = &choice.segment.formula;
                format!("{}  {formula}\n   {}", at + 1, foreign(&english.read(formula)))
            };
            let error = choices.iter().enumerate().map(choice).fold(error, CliError::detail);
            error.help("say which one is meant: name the thing in full")
        }
        Refusal::UnknownWords { .. } => {
            let name = world.lexicon.name();
            error.help(format!("only what the vocabulary `{name}` has a proposition for can be a law"))
        }
        Refusal::NotUnderstood { .. } => error.help(
            "say it in one sentence of the form \"never …\", \"… before …\", \"whenever …, … later\", \"… at most twice\"",
        ),
        _ => error,
    }
}

fn gave_no_answer(error: &ModelError) -> CliError {
    let code = match error {
        ModelError::Cap { .. } => ExitCode::Cap,
        ModelError::Cassette(_) => ExitCode::Input,
        ModelError::Unavailable { .. } | ModelError::GaveUp(_) => ExitCode::Model,
    };
    CliError::from_error(code, "the model gave no answer", error)
}
