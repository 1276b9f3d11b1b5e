//! How learning is shown while it goes on: a bar for the episodes, and a row for every iteration.

use std::cell::RefCell;

use super::figures::Table;
use super::summary::WIDTH;
use super::yardstick::Measured;
use crate::cli::critic_flags;
use crate::cli::progress::Progress;
use crate::cli::report::fitting;
use crate::cli::style::{BAD, LAW};
use crate::cli::{CliError, Context};
use crate::learn::Iteration;

/// So many of the pieces of a critic's answers that could not be read are shown with an iteration.
const SHOWN_UNREAD: usize = 3;

/// Shows learning.
pub struct Screen<'a> {
    context: &'a Context,
    iterations: usize,
    table: Table,
    now: RefCell<Now>,
}

/// What is going on.
#[derive(Default)]
struct Now {
    /// How many episodes there are of the kind that is running.
    episodes: u64,
    bar: Option<Progress>,
    /// What the bar says instead of the iteration.
    what: Option<&'static str>,
    iteration: usize,
    done: u64,
}

impl<'a> Screen<'a> {
    /// Nothing is shown before the first episode.
    pub fn new(context: &'a Context, iterations: usize, episodes: u64, table: Table) -> Self {
        Self { context, iterations, table, now: RefCell::new(Now { episodes, ..Now::default() }) }
    }

    /// From here on episodes are no iteration's; there are so many of them.
    pub fn testing(&self, what: &'static str, episodes: u64) {
        *self.now.borrow_mut() = Now { what: Some(what), episodes, ..Now::default() };
    }

    /// An episode begins.
    pub fn episode_begins(&self) {
        let now = &mut *self.now.borrow_mut();
        let what = match now.what {
            Some(what) => what.to_owned(),
            None => format!("iteration {} of {}, episodes", now.iteration + 1, self.iterations),
        };
        let (context, episodes) = (self.context, now.episodes);
        now.bar.get_or_insert_with(|| Progress::new(context, what, episodes));
    }

    /// An episode is done.
    pub fn episode_done(&self) {
        let now = &mut *self.now.borrow_mut();
        now.done += 1;
        if let Some(bar) = &now.bar {
            bar.step();
            if now.done == now.episodes && now.what.is_none() {
                bar.say(format!("iteration {} of {}, the critic at work", now.iteration + 1, self.iterations));
            }
        }
    }

    /// No bar is left on the screen.
    pub fn clear(&self) {
        if let Some(bar) = self.now.borrow_mut().bar.take() {
            bar.end();
        }
    }

    /// An iteration is done: its row.
    ///
    /// # Errors
    /// When the output is closed or full.
    pub fn iteration_done(&self, iteration: &Iteration, measured: &Measured) -> Result<(), CliError> {
        self.clear();
        {
            let now = &mut *self.now.borrow_mut();
            now.iteration = iteration.number;
            now.done = 0;
        }
        if self.context.json() {
            return Ok(());
        }
        if iteration.number == 1 {
            self.context.print(self.table.heading())?;
        }
        self.context.print(self.table.iteration(iteration, measured))?;
        let say = |line: String| self.context.note(fitting(&line, WIDTH, 4));
        for (who, why) in &iteration.critique.silent {
            say(format!("  {BAD}{who} proposed nothing{BAD:#}: {why}"));
        }
        for line in critic_flags::unread(&iteration.unread, &iteration.critique.silent, SHOWN_UNREAD) {
            say(format!("  {line}"));
        }
        for conflict in &iteration.critique.unresolved {
            let laws: Vec<&str> = conflict.laws.iter().map(|law| &**law).collect();
            say(format!("  {BAD}unresolved conflict{BAD:#}: {LAW}{}{LAW:#}", laws.join(", ")));
        }
        Ok(())
    }
}
