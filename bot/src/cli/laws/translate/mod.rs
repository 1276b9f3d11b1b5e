//! `ltlcrit laws translate`: English sentences to laws, with what they mean and how they stand to the laws in force.

mod ask;
mod book;
mod report;
mod world;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use ask::{Answer, Person};
use book::Target;
use ltlcrit_engine::model::ModelSpec;
use ltlcrit_engine::setup;
use ltlcrit_files::FileError;
use ltlcrit_laws::{MAX_BOOK, Strength};
use ltlcrit_model::ModelError;
use ltlcrit_translate::sound;
use ltlcrit_translate::{Engine, EngineError, English, Lexical, ModelEngine, Refusal, Segment};
use ltlcrit_verifier::syntax;
use report::{Decision, Document, SegmentReport, SentenceReport};
use serde::Serialize;
use world::World;

use super::blocks::LawWorld;
use crate::cli::args::{LanguageModelFlags, RecordFlags, tell_asked};
use crate::cli::output::{CliError, Context, HEAD, LAW, WARNING, foreign, law_ids, runtime};
use crate::exit::ExitCode;

/// Arguments of `laws translate`.
#[derive(Debug, clap::Args, Serialize)]
#[command(
    after_help = "Without --model, a grammar translates: it refuses what it does not understand and asks about what can be read \
                  in several ways. Exit code 4: a sentence is not translated. 5: a law conflicts with laws in force, blocks \
                  nothing or puts the goal out of reach, and is left out, or no law was added. 7: the model gave no answer."
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
    /// Add the accepted laws to this book, a file, created if missing
    #[arg(long, value_name = "BOOK")]
    #[serde(skip)]
    into: Option<String>,
    /// Translate the sentences of a file, one a line; lines that begin with # are passed over
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    from: Option<PathBuf>,
    /// Accept every law that nothing is to be said against, without asking: it conflicts with none in force, blocks something,
    /// and leaves the goal within reach
    #[arg(long, requires = "into")]
    #[serde(skip)]
    yes: bool,
    /// Keep the laws `proposed` in the book, to be decided by `laws adopt` and `laws reject`
    #[arg(long, requires = "into", conflicts_with = "yes")]
    #[serde(skip)]
    review: bool,
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
    let asks = args.into.is_some() && !args.yes && !args.review;
    if context.json() && asks {
        return Err(
            CliError::usage("with `--json` nobody is asked").help("accept with `--yes`, or decide later: `--review`")
        );
    }
    let world = World::open(args.world.as_ref(), &args.laws, args.into.as_ref(), &config)?;
    let lexical = Lexical::new(&world.lexicon);
    match &args.model {
        None => translate(args, &lexical, &lexical, &world, context),
        Some(ModelSpec::OpenAi(_) | ModelSpec::Cassette(_)) => {
            let recording = args.record.recording(context, |file| vec![file.to_owned()])?;
            let model = setup::model(&config, recording, &setup::meter(&config))?;
            tell_asked([&model], "  ", context);
            translate(args, &ModelEngine::new(&world.lexicon, model), &lexical, &world, context)
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

/// Segments, each with whether a person chose it among several readings, and why the rest of the sentence is missing.
type Parts = (Vec<(Segment, bool)>, Option<Refusal>);

/// The inputs of translating, besides the sentence.
struct Session<'a, E> {
    args: &'a TranslateArgs,
    engine: &'a E,
    english: English<'a>,
    world: &'a World,
    strength: Strength,
    context: &'a Context,
    runtime: tokio::runtime::Runtime,
}

fn translate<E: Engine>(
    args: &TranslateArgs,
    engine: &E,
    lexical: &Lexical<'_>,
    world: &World,
    context: &Context,
) -> Result<ExitCode, CliError> {
    let sentences = sentences(args)?;
    let target = args.into.as_deref().map(|path| Target::open(path, world, context)).transpose()?;
    let runtime = runtime("the model cannot be asked")?;
    let strength = if args.soft { Strength::Soft } else { Strength::Hard };
    let english = English::new(lexical);
    let session = Session { args, engine, english, world, strength, context, runtime };
    let mut person = Person::new(BufReader::new(std::io::stdin()), context);
    let mut reports = Vec::new();
    for sentence in &sentences {
        let report = session.sentence(sentence, &mut person)?;
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
        let what = if args.review { "waiting in" } else { "added to" };
        let (id, ids) = (book.id(), law_ids(kept));
        context.print(format_args!("{HEAD}{id}{HEAD:#} ({}): {what} the book: {ids}", foreign(path)))?;
    }
    session.end(&reports)
}

impl<E: Engine> Session<'_, E> {
    fn ask(&self, sentence: &str) -> Result<Result<Vec<Segment>, Refusal>, CliError> {
        match self.runtime.block_on(self.engine.translate(sentence)) {
            Ok(translation) => Ok(Ok(translation.segments)),
            Err(EngineError::Refused(refusal)) => Ok(Err(refusal)),
            Err(EngineError::Model(error)) => Err(gave_no_answer(&error)),
        }
    }

    /// Returns whether a person is asked.
    fn is_asked(&self) -> bool {
        self.args.into.is_some() && !self.args.yes && !self.args.review
    }

    fn report(&self, segment: Segment) -> Result<SegmentReport, CliError> {
        SegmentReport::new(segment, self.world, &self.english, self.strength)
    }

    fn show(&self, report: &SegmentReport) -> Result<(), CliError> {
        if self.context.json() { Ok(()) } else { self.context.print(report.text(self.args.trace).trim_end()) }
    }

    /// Translates a sentence, shows what became of it, and has it decided.
    fn sentence<R: BufRead>(&self, sentence: &str, person: &mut Person<'_, R>) -> Result<SentenceReport, CliError> {
        let mut report =
            SentenceReport { sentence: sentence.to_owned(), segments: Vec::new(), refusal: None, why: None };
        let (segments, refusal) = self.segments(sentence, person)?;
        for (segment, is_chosen) in segments {
            let shown = self.report(segment)?;
            self.show(&shown)?;
            report.segments.push(self.decided(shown, is_chosen, person)?);
        }
        let is_left_out = |segment: &SegmentReport| segment.decision == Some(Decision::LeftOut);
        if self.args.yes && (refusal.is_some() || report.segments.iter().any(is_left_out)) {
            // A sentence is one law: a part of it alone might say something else.
            let kept = report.segments.iter_mut().filter(|segment| !is_left_out(segment));
            kept.for_each(|segment| segment.decision = Some(Decision::Rejected));
        }
        report.why = refusal.as_ref().map(ToString::to_string);
        report.refusal = refusal;
        Ok(report)
    }

    /// The segments of a sentence.
    fn segments<R: BufRead>(&self, sentence: &str, person: &mut Person<'_, R>) -> Result<Parts, CliError> {
        let plain = |segments: Vec<Segment>| segments.into_iter().map(|it| (it, false)).collect::<Vec<_>>();
        match self.ask(sentence)? {
            Ok(segments) => Ok((plain(segments), None)),
            Err(Refusal::Ambiguous { segment, choices, before, rest }) if self.is_asked() => {
                self.context.print(format_args!(
                    "{LAW}{}{LAW:#} can be read in {} ways",
                    foreign(&segment),
                    choices.len()
                ))?;
                for (at, choice) in choices.iter().enumerate() {
                    let formula = &choice.segment.formula;
                    let reading = self.english.read(formula);
                    self.context.print(format_args!(
                        "  {HEAD}{}{HEAD:#}  {formula}\n     {}",
                        at + 1,
                        foreign(&reading)
                    ))?;
                }
                let mut segments = plain(before);
                if let Some(chosen) = person.choose(choices.len())?.and_then(|at| choices.into_iter().nth(at)) {
                    segments.push((chosen.segment, true));
                }
                if rest.trim().is_empty() {
                    return Ok((segments, None));
                }
                let (more, refusal) = self.segments(&rest, person)?;
                segments.extend(more);
                Ok((segments, refusal))
            }
            Err(refusal) => Ok((Vec::new(), Some(refusal))),
        }
    }

    fn decided<R: BufRead>(
        &self,
        mut report: SegmentReport,
        is_chosen: bool,
        person: &mut Person<'_, R>,
    ) -> Result<SegmentReport, CliError> {
        if self.args.into.is_none() {
            return Ok(report);
        }
        let mut accepted = if is_chosen { Decision::Chosen } else { Decision::Accepted };
        loop {
            let decision = match (self.args.review, self.args.yes) {
                (true, _) => Decision::Unreviewed,
                (_, true) if report.objection().is_some() => Decision::LeftOut,
                (_, true) => Decision::AcceptedUnseen,
                _ => match person.decide(report.relations.conflicts.is_empty())? {
                    Answer::Accept => accepted,
                    Answer::Reject => Decision::Rejected,
                    Answer::Edit(text) => {
                        if let Some(edited) = self.edited(&text)? {
                            report = self.report(edited)?;
                            accepted = Decision::Edited;
                            self.show(&report)?;
                        }
                        continue;
                    }
                },
            };
            report.decision = Some(decision);
            return Ok(report);
        }
    }

    /// Translates what a person wrote instead: a formula, or another sentence.
    fn edited(&self, text: &str) -> Result<Option<Segment>, CliError> {
        let checked = match syntax::parse(text) {
            Ok(formula) => {
                let formula = sound::check(&formula, &self.world.lexicon).map(|()| formula);
                formula.map(|formula| Segment::new(text, &formula, &[], &self.world.lexicon))
            }
            Err(_) => self.ask(text)?.map(|segments| {
                let joined =
                    segments.iter().map(|segment| segment.formula.clone()).reduce(ltlcrit_verifier::Formula::and);
                Segment::new(text, &joined.unwrap_or(ltlcrit_verifier::Formula::True), &[], &self.world.lexicon)
            }),
        };
        match checked {
            Ok(segment) => Ok(Some(segment)),
            Err(refusal) => {
                self.context.note(format_args!("{WARNING}{}{WARNING:#}", foreign(&refusal.to_string())));
                Ok(None)
            }
        }
    }

    /// The exit code, or the first refusal as an error.
    fn end(&self, reports: &[SentenceReport]) -> Result<ExitCode, CliError> {
        let refused: Vec<&SentenceReport> = reports.iter().filter(|report| report.refusal.is_some()).collect();
        let segments = || reports.iter().flat_map(|report| &report.segments);
        let left_out: Vec<&SegmentReport> = segments().filter(|it| it.decision == Some(Decision::LeftOut)).collect();
        match refused.as_slice() {
            [] if !left_out.is_empty() => {
                let message = format!("{} of the laws were left out", left_out.len());
                let why = |it: &&SegmentReport| {
                    format!("{}: {}", foreign(&it.segment.text), it.objection().unwrap_or_default())
                };
                let error = left_out.iter().map(why).fold(CliError::new(ExitCode::Findings, message), CliError::detail);
                Err(error.help("keep them for a decision, `--review`, or answer the questions without `--yes`"))
            }
            [] if self.args.into.is_some() && segments().all(|it| it.law.is_none()) => {
                Err(CliError::new(ExitCode::Findings, "no law was added to the book"))
            }
            [] => Ok(ExitCode::Success),
            [first, ..] => {
                let mut error = match &first.refusal {
                    Some(refusal) => self.refused(refusal),
                    None => CliError::input("a sentence is not translated"),
                };
                if self.args.from.is_some() {
                    for report in &refused[1..] {
                        error = error.detail(report.why.clone().unwrap_or_default());
                    }
                    error =
                        error.detail(format!("{} of {} sentences are not translated", refused.len(), reports.len()));
                }
                Err(error)
            }
        }
    }

    fn refused(&self, refusal: &Refusal) -> CliError {
        let error = CliError::input(foreign(&refusal.to_string()));
        match refusal {
            Refusal::Ambiguous { choices, .. } => {
                let choice = |(at, choice): (usize, &ltlcrit_translate::Choice)| {
                    let formula = &choice.segment.formula;
                    format!("{}  {formula}\n   {}", at + 1, foreign(&self.english.read(formula)))
                };
                let error = choices.iter().enumerate().map(choice).fold(error, CliError::detail);
                error.help("say which one is meant: name the thing in full, or with `--into BOOK` answer the question")
            }
            Refusal::UnknownWords { .. } => {
                let name = self.world.lexicon.name();
                error.help(format!("only what the vocabulary `{name}` has a proposition for can be a law"))
            }
            Refusal::NotUnderstood { .. } => error.help(
                "say it in one sentence of the form \"never …\", \"… before …\", \"whenever …, … later\", \"… at most twice\"",
            ),
            _ => error,
        }
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
