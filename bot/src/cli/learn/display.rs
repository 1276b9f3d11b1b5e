//! The display of learning: a bar for the episodes, and a row for every iteration.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use ltlcrit_engine::agent::{Event, Observer};
use ltlcrit_engine::learn::{Decision, EpisodeProgress, Iteration, Measured};
use ltlcrit_engine::model::AnyModel;
use ltlcrit_model::Metered;
use ltlcrit_store::LawId;

use super::figures::Table;
use super::summary::WIDTH;
use crate::cli::args::critic_flags;
use crate::cli::output::{BAD, CliError, Context, LAW, Progress, WARNING};
use crate::cli::report::{Live, View, fitting};

/// The number of unreadable parts of a critic's answers shown with an iteration.
const SHOWN_UNREAD: usize = 3;

/// Shows the progress of learning.
pub struct LearnDisplay<'a> {
    context: &'a Context,
    iterations: usize,
    table: Table,
    now: Mutex<Current>,
}

/// The current activity.
#[derive(Default)]
struct Current {
    /// The number of episodes of the kind that is running.
    episodes: u64,
    bar: Option<Progress>,
    /// The text of the bar instead of the iteration.
    what: Option<&'static str>,
    iteration: usize,
    done: u64,
    /// True if the episodes try a law.
    tries: bool,
    /// When the critic began its work, if it is at work.
    critic: Option<Instant>,
}

impl<'a> LearnDisplay<'a> {
    /// A display that shows nothing before the first episode.
    pub fn new(context: &'a Context, iterations: usize, episodes: u64, table: Table) -> Self {
        Self { context, iterations, table, now: Mutex::new(Current { episodes, ..Current::default() }) }
    }

    fn now(&self) -> MutexGuard<'_, Current> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next `episodes` belong to no iteration.
    pub fn testing(&self, what: &'static str, episodes: u64) {
        *self.now() = Current { what: Some(what), episodes, ..Current::default() };
    }

    /// Shows how long the critic has been at work, if it is, and what its models wait for. To be called every second.
    pub fn refresh(&self, models: &[Arc<Metered<AnyModel>>]) {
        let now = &*self.now();
        if let (Some(bar), Some(since)) = (&now.bar, now.critic) {
            bar.now(&critic_flags::at_work(since.elapsed(), models));
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        if let Some(bar) = self.now().bar.take() {
            bar.end();
        }
    }

    /// Prints the row of a finished iteration.
    ///
    /// # Errors
    /// When the output is closed or full.
    pub fn iteration_done(&self, iteration: &Iteration, measured: &Measured) -> Result<(), CliError> {
        self.clear();
        {
            let now = &mut *self.now();
            now.iteration = iteration.number;
            now.done = 0;
            (now.critic, now.tries) = (None, false);
        }
        if self.context.json() {
            return Ok(());
        }
        if iteration.number == 1 {
            self.context.print(self.table.heading())?;
        }
        self.context.print(self.table.iteration(iteration, measured))?;
        let say = |line: String| self.context.note(fitting(&line, WIDTH, 4));
        if let Some(why) = &iteration.critique.nothing {
            say(format!("  {WARNING}nothing was learned:{WARNING:#} {why}"));
        }
        if let Some(Decision { worse: Some(why), given_up, restored, .. }) = &iteration.decision {
            let of = |laws: &[LawId], what: &str| match laws {
                [] => String::new(),
                laws => format!("; {what}: {LAW}{}{LAW:#}", laws.join(", ")),
            };
            let (given_up, restored) = (of(given_up, "given up"), of(restored, "in force again"));
            say(format!("  {BAD}the revision was worse{BAD:#}: {why}{given_up}{restored}"));
        }
        let silent = &iteration.critique.silent;
        let unread = critic_flags::unread(&iteration.unread, silent, SHOWN_UNREAD);
        for line in critic_flags::silent(silent).into_iter().chain(unread) {
            say(format!("  {line}"));
        }
        for conflict in &iteration.critique.unresolved {
            say(format!("  {BAD}unresolved conflict{BAD:#}: {LAW}{}{LAW:#}", conflict.laws.join(", ")));
        }
        Ok(())
    }
}

impl EpisodeProgress for LearnDisplay<'_> {
    fn begins(&self) {
        let now = &mut *self.now();
        if now.done == now.episodes && now.what.is_none() {
            // The next seeds, under the old laws and the new.
            now.bar.take().into_iter().for_each(Progress::end);
            (now.done, now.critic, now.tries) = (0, None, true);
        }
        let what = match (now.what, now.tries) {
            (Some(what), _) => what.to_owned(),
            (None, false) => format!("iteration {} of {}, episodes", now.iteration + 1, self.iterations),
            (None, true) => {
                format!("iteration {} of {}, episodes that decide", now.iteration + 1, self.iterations)
            }
        };
        let (context, episodes) = (self.context, now.episodes);
        now.bar.get_or_insert_with(|| Progress::new(context, what, episodes));
    }

    fn done(&self) {
        let now = &mut *self.now();
        now.done += 1;
        if let Some(bar) = &now.bar {
            bar.step();
            if now.done == now.episodes && now.what.is_none() {
                bar.say(format!("iteration {} of {}, the critic at work", now.iteration + 1, self.iterations));
                now.critic = Some(Instant::now());
            }
        }
    }

    fn observer(&self) -> impl Observer {
        Episode { display: self, shown: None }
    }
}

/// Shows the current activity of an episode beside the bar if it takes longer than a second.
pub struct Episode<'s, 'a> {
    display: &'s LearnDisplay<'a>,
    shown: Option<(Live, View)>,
}

impl Observer for Episode<'_, '_> {
    fn on(&mut self, event: &Event<'_>) {
        if let (Event::Started { manifest, .. }, true) = (event, self.display.context.live()) {
            self.shown = Some((Live::new(manifest), View::new(manifest)));
        }
        let Some((live, view)) = &mut self.shown else { return };
        view.event(event);
        live.on(event, view);
        // An activity of less than a second would only flicker.
        if let (Event::Thinking { .. } | Event::Acting { .. }, Some(bar)) = (event, &self.display.now().bar) {
            bar.now(&live.text(bar.room()));
        }
    }
}
