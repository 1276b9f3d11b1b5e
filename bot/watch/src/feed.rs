//! Streams of events: one run, and the list of runs.
//!
//! Events of a run, in order: `run` (see [`view::run`]), `steps` (one line of JSON for each step; the id is the number
//! of the last one), `flight` (the step under way), and one of the ends: `end` (the outcome), `gone` (no process
//! writes the store) or `trouble`. The stream ends with them. A client that reconnects names the last id that it saw.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream::unfold;
use ltlcrit_store::{Entry, Follower, InFlight, Position, RunId, RunOutcome, StepRecord, StoreError, Subject};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::spawn_blocking;

use super::shared::{SharedStore, State};
use super::view;

/// Maximum number of steps in an event.
const STEPS: usize = 64;
/// The size at which an event has no further steps, in bytes.
const BYTES: usize = 256 << 10;
/// Maximum number of entries read for an event.
const ENTRIES: usize = 4096;
/// Maximum number of runs in the list.
const LISTED: usize = 200;
/// The shortest time between two lists of runs.
const PAUSE: Duration = Duration::from_secs(1);

/// The result of a blocking read.
type Read<T> = Result<T, StoreError>;

/// Streams the events of a run, from a step on.
pub(crate) fn run(
    shared: Arc<SharedStore>,
    permit: OwnedSemaphorePermit,
    run: RunId,
    from: u64,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let changes = shared.state();
    let lines = None;
    let queue = VecDeque::new();
    let feed = Feed { shared, changes, run, from, lines, queue, is_behind: false, is_over: false, _permit: permit };
    unfold(feed, |mut feed| async move { feed.next().await.map(|event| (Ok(event), feed)) })
}

/// One stream of a run.
struct Feed {
    shared: Arc<SharedStore>,
    changes: watch::Receiver<State>,
    run: RunId,
    from: u64,
    /// The lines of the run; `None` before it begins.
    lines: Option<Lines>,
    /// Events that are ready.
    queue: VecDeque<Event>,
    /// True if entries of other runs fill the last read, and more follow.
    is_behind: bool,
    /// True after the last event was queued.
    is_over: bool,
    _permit: OwnedSemaphorePermit,
}

impl Feed {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            // The state is read before the lines, so that a change in between is not lost.
            let state = self.changes.borrow_and_update().clone();
            if let Err(error) = self.advance(&state).await {
                self.finish("trouble", error.to_string());
            } else if self.queue.is_empty() && !self.is_over && !self.is_behind {
                self.wait(&state).await;
            }
        }
    }

    /// Waits for new entries, unless the stream ends here.
    async fn wait(&mut self, state: &State) {
        if let Some(trouble) = &state.trouble {
            self.finish("trouble", trouble.clone());
        } else if state.is_final {
            self.finish("gone", "The page is no longer served.".to_owned());
        } else if !state.is_live && self.lines.is_some() {
            let why = "The run has no end, and no process writes its store. Reload this page after the run is resumed.";
            self.finish("gone", why.to_owned());
        } else if self.changes.changed().await.is_err() {
            self.is_over = true;
        }
    }

    fn finish(&mut self, event: &str, why: String) {
        self.queue.push_back(Event::default().event(event).data(view::rendered(json!({"text": why}))));
        self.is_over = true;
    }

    /// Queues the next events, if entries are left.
    async fn advance(&mut self, state: &State) -> Read<()> {
        let (shared, run, from) = (self.shared.clone(), self.run, self.from);
        if self.lines.is_none() {
            let Some(places) = shared.index().run(run).cloned() else { return Ok(()) };
            let manifest = blocking(move || shared.manifest(run)).await?;
            if let Some(manifest) = manifest {
                self.queue.push_back(Event::default().event("run").data(view::run(&manifest)));
                let reader = Follower::at(&self.shared.path, places.before(from));
                self.lines = Some(Lines { reader, run, from, flight: None });
            }
            return Ok(());
        }
        // Lines that were taken and not put back would be read again from the first one.
        let Some(end) = state.end else { return Ok(()) };
        let Some(mut lines) = self.lines.take() else { return Ok(()) };
        let outcome = shared.index().run(run).and_then(|places| places.outcome);
        let (lines, events) = blocking(move || lines.events(end, outcome).map(|events| (lines, events))).await?;
        self.lines = Some(lines);
        (self.is_behind, self.is_over) = (events.is_behind, events.is_over);
        self.queue.extend(events.ready);
        Ok(())
    }
}

/// Reads on a thread that may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Read<T> + Send + 'static) -> Read<T> {
    let failed = |_| StoreError::Corrupt { place: "the store".to_owned(), why: "it could not be read".to_owned() };
    spawn_blocking(work).await.map_err(failed)?
}

/// The lines of one run.
struct Lines {
    reader: Follower,
    run: RunId,
    from: u64,
    /// The step under way, if it was not sent.
    flight: Option<String>,
}

/// Events that were read together.
#[derive(Default)]
struct Events {
    ready: Vec<Event>,
    is_behind: bool,
    is_over: bool,
}

impl Lines {
    /// Reads entries before `end` for one event of steps and what follows it.
    fn events(&mut self, end: Position, outcome: Option<Position>) -> Read<Events> {
        let (mut events, mut steps, mut last, mut bytes) = (Events::default(), Vec::new(), 0, 0);
        for _ in 0..ENTRIES {
            events.is_behind = self.reader.position() < end && !events.is_over;
            if !events.is_behind || steps.len() >= STEPS || bytes >= BYTES {
                break;
            }
            let Some(entry) = self.reader.read()? else {
                events.is_behind = false;
                break;
            };
            match entry.subject {
                Subject::Step(run, step) if run == self.run && step >= self.from => {
                    let line = view::step(&entry.decode::<StepRecord>()?);
                    bytes += line.len();
                    last = step;
                    steps.push(line);
                    self.flight = None;
                }
                Subject::InFlight(run) if run == self.run => self.flight = in_flight(&entry)?,
                Subject::Outcome(run) if run == self.run && outcome == Some(entry.position) => {
                    let outcome = view::outcome(&entry.decode::<RunOutcome>()?);
                    events.ready.push(Event::default().event("end").data(outcome));
                    events.is_over = true;
                }
                _ => {}
            }
        }
        if !steps.is_empty() {
            let steps = Event::default().event("steps").id(last.to_string()).data(steps.join("\n"));
            events.ready.insert(0, steps);
        }
        if !events.is_behind && !events.is_over {
            let flight = self.flight.take();
            events.ready.extend(flight.map(|flight| Event::default().event("flight").data(flight)));
        }
        Ok(events)
    }
}

fn in_flight(entry: &Entry) -> Read<Option<String>> {
    if entry.is_removal() {
        return Ok(None);
    }
    entry.decode::<InFlight>().map(|step| Some(view::in_flight(&step)))
}

/// Reads one step of a run again; `None` if the run has no such step.
pub(crate) async fn step(shared: Arc<SharedStore>, run: RunId, step: u64) -> Read<Option<String>> {
    let Some(places) = shared.index().run(run).filter(|places| step <= places.last_step).cloned() else {
        return Ok(None);
    };
    blocking(move || {
        let mut reader = Follower::at(&shared.path, places.before(step));
        while let Some(entry) = reader.read()? {
            if entry.subject == Subject::Step(run, step) {
                return entry.decode::<StepRecord>().map(|record| Some(view::step(&record)));
            }
        }
        Ok(None)
    })
    .await
}

/// Streams the list of runs: a `runs` event at once and after changes, at most one each second.
pub(crate) fn runs(
    shared: Arc<SharedStore>,
    permit: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let mut changes = shared.state();
    changes.mark_changed();
    unfold((shared, changes, Rows::new(), permit), |(shared, mut changes, known, permit)| async move {
        let is_final = changes.borrow().is_final;
        if is_final || changes.changed().await.is_err() {
            return None;
        }
        if !known.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
        let state = changes.borrow_and_update().clone();
        let reader = shared.clone();
        let listed = blocking(move || list(&reader, known)).await;
        let trouble = state.trouble.or_else(|| listed.as_ref().err().map(ToString::to_string));
        let (known, total) = listed.unwrap_or_default();
        let rows: Vec<&Value> = known.values().rev().map(|(_, row)| row).collect();
        let store = shared.path.display().to_string();
        let data = json!({"store": store, "live": state.is_live, "trouble": trouble, "total": total, "runs": rows});
        let event = Event::default().event("runs").data(view::rendered(data));
        Some((Ok(event), (shared, changes, known, permit)))
    })
}

/// The rows of the list, each with the position of the outcome that it shows.
type Rows = BTreeMap<RunId, (Option<Position>, Value)>;

/// Returns the rows of the newest runs, and the number of all runs. Rows that did not change are not read again.
fn list(shared: &SharedStore, mut known: Rows) -> Read<(Rows, usize)> {
    let index = shared.index();
    let newest: Vec<_> = index.newest(LISTED).map(|(run, places)| (run, places.clone())).collect();
    let total = index.len();
    drop(index);
    let mut rows = Rows::new();
    for (run, places) in newest {
        let row = match known.remove(&run) {
            Some((outcome, row)) if outcome == places.outcome => Some(row),
            _ => {
                let outcome = shared.record::<RunOutcome>(places.outcome)?;
                let manifest = shared.record::<Value>(Some(places.manifest))?;
                manifest.map(|manifest| view::row(&manifest, outcome.as_ref()))
            }
        };
        if let Some(mut row) = row {
            row["steps"] = places.last_step.into();
            rows.insert(run, (places.outcome, row));
        }
    }
    Ok((rows, total))
}
