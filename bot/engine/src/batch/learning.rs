//! Learns the book of a condition.

use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::Book;
use ltlcrit_model::Meter;
use ltlcrit_store::{BookRecord, End, Store};

use super::condition::Condition;
use super::experiment::Experiment;
use super::learned::{LearnedFolder, Learning, digest};
use super::reason::Stop;
use super::seeds::Seeds;
use crate::agent::{Interrupt, Silent};
use crate::books::keep_revision;
use crate::learn::{
    BookFile, BookFileError, Critics, Ended, EpisodeFigures, Iteration, LearnOptions, Learner, Training,
    critique_options,
};
use crate::setup::{self, SetupError};
use crate::world::{self, OpenWorld};

/// Learns the book of a condition with a schedule, unless its folder has it already. The learning is given by its index. With
/// personas, planners and the trial critic, doing the same learning again gives the same book. `meter` is the meter of the
/// condition.
///
/// # Errors
/// An interrupt, or the reason why it cannot be learned.
pub(super) fn learn<W: OpenWorld>(
    experiment: &Experiment,
    (condition, learning): (&Condition, u64),
    folder: &LearnedFolder,
    worlds: &W,
    interrupt: &Interrupt,
    meter: &Arc<Meter>,
) -> Result<Learning, Stop> {
    if let Some(known) = folder.read()? {
        return Ok(known);
    }
    let Some(schedule) = &condition.books.learn else {
        return Err(Stop::Condition("the condition learns nothing".to_owned()));
    };
    let mut config = schedule.config(&experiment.config(condition));
    config.run.laws = Some(condition.books.books.clone());
    config.run.model = config.run.model.pinned().map_err(SetupError::Input)?;
    let others = setup::books(&condition.books.books, &world::vocabulary(&config)?)?;
    folder.clear()?;
    let (mut file, book, vocabulary) = BookFile::open(&folder.book(), &others)?;
    let model = setup::model(&config, None, meter)?;
    let Critics { proposers, models } = Critics::new(&config, |_| None, meter)?;
    let store = Store::open(folder.store())?;
    file.save(&book)?;
    keep_revision(&store, &BookRecord::of(&book, folder.name()), Timestamp::now())?;
    let task = world::open(&config)?.task().to_owned();
    let mut options = LearnOptions {
        iterations: schedule.iterations,
        seeds: schedule.seeds.as_slice().to_vec(),
        reserved: experiment.plan.seeds.as_slice().iter().copied().collect(),
        stop_when_stable: schedule.stop_when_stable,
        critique: critique_options(&config.learn),
    };
    // The rounds of all learnings are one series, so none shares a seed with another.
    let before = usize::try_from(learning).unwrap_or(usize::MAX).saturating_mul(options.most_rounds());
    options.seeds = options.fresh(before.saturating_add(1));
    let seeds = Seeds::shown(options.seeds.iter().copied()).unwrap_or_default();
    let mut learner = Learner::new(&store, vocabulary, &task, book, options);
    learner.others.clone_from(&others.books);
    learner.proposers = proposers;
    let sources = others.records.iter().map(|record| record.source.clone()).chain([folder.name().to_owned()]);
    let mut training = Training {
        sources: sources.collect(),
        live: Some(&store),
        interrupt: interrupt.clone(),
        ..Training::new(config, worlds, &Silent).asking(model)
    };
    let mut iterations: Vec<EpisodeFigures> = Vec::new();
    let on = |iteration: &Iteration, book: &Book| {
        iterations.push(iteration.figures.clone());
        file.save(book)
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let learned = runtime.block_on(learner.learn::<_, BookFileError>(&mut training, on))?;
    let stopped = training.stopped.take().map(|stopped| stopped.end);
    match (learned.ended, stopped) {
        (_, Some(end)) if end != End::Interrupted => return Err(Stop::Condition(format!("learning ended: {end}"))),
        (Ended::Interrupted, _) | (_, Some(_)) => return Err(Stop::Interrupted),
        _ => {}
    }
    let mut usage = training.used.clone();
    for model in &models {
        usage += &model.usage();
    }
    let learning = Learning {
        condition: condition.name.clone(),
        book: learned.book.id(),
        sha256: digest(&learned.book),
        laws: learned.book.laws_in_force().len(),
        seeds,
        iterations,
        ended: learned.ended,
        usage,
    };
    folder.write(&learning)?;
    if !schedule.keep {
        drop(training);
        drop(store);
        folder.forget_runs()?;
    }
    Ok(learning)
}
