//! The engine: azalea's game client, without graphics, on a thread of its own.
//!
//! azalea keeps the whole state of a client in an ECS and advances it by two schedules: *updates*, which read packets,
//! and *game ticks*, which move the player. azalea's own runner shares the user's runtime, so computing there delays
//! the game. This engine has its own thread, so it answers keep-alives and takes steps in time while the rest of the
//! program is busy. Its clock can run faster than the game's, or, in tests, tick by tick.
//!
//! A panic inside azalea, on that thread or on one that accesses the ECS, stops the engine: every player in it loses
//! its connection. The next player that joins restarts it.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use azalea::accept_resource_packs::AcceptResourcePacksPlugin;
use azalea::app::{App, PluginGroup, PluginsState, Update};
use azalea::core::tick::GameTick;
use azalea::ecs::error::{DefaultErrorHandler, warn};
use azalea::ecs::schedule::{ExecutorKind, InternedScheduleLabel, ScheduleBuildSettings, Schedules};
use azalea::ecs::world::World as Ecs;
use azalea::task_pool::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};

use super::clock::{Clock, TICK};
use super::engine_core::{EngineCore, Progress, catch, lock};

/// The time between two updates when no user waits for the server.
const FRAME: Duration = Duration::from_millis(16);
/// The time between two updates while a user waits for the server.
const FRAME_WHILE_WAITING: Duration = Duration::from_millis(2);
/// The time between two updates while a user waits for an answer that the server sends at once.
const MIN_FRAME: Duration = Duration::from_micros(400);
/// The maximum number of ticks that the clock catches up on when it is late.
const MAX_BEHIND: u32 = 10;

/// An engine. It stops when it is dropped.
pub struct Engine {
    clock: Clock,
    running: Mutex<Running>,
}

/// A running core and its thread, which ends when this is dropped.
struct Running {
    core: Arc<EngineCore>,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    /// Starts an engine whose clock runs `speed` times as fast as the game's.
    ///
    /// # Errors
    /// The operating system has no thread left.
    pub fn start(speed: f64) -> io::Result<Self> {
        Self::with_clock(Clock::Wall { since: Instant::now(), tick: TICK.div_f64(speed.clamp(0.05, 100.0)) })
    }

    /// An engine that [`Lockstep`](crate::Lockstep) advances.
    #[cfg(feature = "test-support")]
    pub(super) fn stepped() -> io::Result<Self> {
        Self::with_clock(Clock::Stepped)
    }

    fn with_clock(clock: Clock) -> io::Result<Self> {
        Ok(Self { clock, running: Mutex::new(Running::start(clock, Progress::default())?) })
    }

    /// The core that its users share. A stopped engine is restarted without its players; its clock continues.
    pub(super) fn core(&self) -> io::Result<Arc<EngineCore>> {
        let mut running = lock(&self.running);
        if running.core.stopped() {
            let progress = running.core.progress();
            *running = Running::start(self.clock, progress)?;
        }
        Ok(running.core.clone())
    }

    /// The core; `None` if it has stopped.
    #[cfg(feature = "test-support")]
    pub(super) fn running(&self) -> Option<Arc<EngineCore>> {
        let running = lock(&self.running);
        (!running.core.stopped()).then(|| running.core.clone())
    }
}

impl Running {
    fn start(clock: Clock, progress: Progress) -> io::Result<Self> {
        let (ecs, schedule) = catch(build).map_err(io::Error::other)?;
        let core = Arc::new(EngineCore::new(ecs, schedule, clock, progress));
        let Clock::Wall { tick, .. } = clock else { return Ok(Self { core, thread: None }) };
        let running = core.clone();
        let thread = thread::Builder::new().name("minecraft client".to_owned()).spawn(move || {
            let stop = StopOnDrop(&running);
            run(&running, tick);
            drop(stop);
        })?;
        core.run_by(thread.thread().clone());
        Ok(Self { core, thread: Some(thread) })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.core.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A guard that marks the engine as stopped when its thread ends, even by a panic.
struct StopOnDrop<'a>(&'a EngineCore);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Updates a core until it is stopped, with one game tick per `tick`.
fn run(core: &EngineCore, tick: Duration) {
    let mut next_tick = Instant::now();
    while !core.stopped() {
        let began = Instant::now();
        let due = began >= next_tick;
        if core.update(due).is_err() {
            return;
        }
        if due {
            next_tick += tick;
            if began > next_tick + tick * MAX_BEHIND {
                next_tick = began + tick;
            }
        }
        core.publish(due);
        rest(core, began, next_tick);
    }
}

/// Waits until the next update is due or requested; the last one began at `began`.
fn rest(core: &EngineCore, began: Instant, next_tick: Instant) {
    while !core.was_woken() {
        let frame = match (core.wants_fastest_updates(), core.wants_frequent_updates()) {
            (true, _) => MIN_FRAME,
            (_, true) => FRAME_WHILE_WAITING,
            _ => FRAME,
        };
        // The user that requested frequent updates may have stopped waiting, so the pause is computed again.
        let pause = (began + frame).min(next_tick).saturating_duration_since(Instant::now());
        if pause.is_zero() {
            return;
        }
        thread::park_timeout(pause);
    }
}

/// An ECS with every plugin that a client needs, and the schedule of its updates.
fn build() -> (Ecs, InternedScheduleLabel) {
    let none = || TaskPoolThreadAssignmentPolicy { min_threads: 0, max_threads: 0, percent: 0.0 };
    let mut app = App::new();
    app.add_plugins(azalea::DefaultPlugins.build().set(TaskPoolPlugin {
        // One thread writes to sockets; everything else runs on the engine's own thread.
        task_pool_options: TaskPoolOptions {
            min_total_threads: 1,
            max_total_threads: 1,
            io: TaskPoolThreadAssignmentPolicy { min_threads: 1, max_threads: 1, percent: 1.0 },
            async_compute: none(),
            compute: none(),
        },
    }))
    .add_plugins((
        AcceptResourcePacksPlugin,
        super::connection::ConnectionPlugin,
        super::events::EventsPlugin,
        super::walk::WalkPlugin,
        super::afloat::AfloatPlugin,
        super::dig::DigPlugin,
    ));
    #[cfg(feature = "test-support")]
    app.add_plugins(super::sent_packets::LockstepPlugin);
    for label in [Update.intern_label(), GameTick.intern_label()] {
        app.edit_schedule(label, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings::default());
        });
    }
    while app.plugins_state() == PluginsState::Adding {
        thread::yield_now();
    }
    app.finish();
    app.cleanup();
    let main = app.main_mut();
    let schedule = main.update_schedule.unwrap_or_else(|| azalea::app::Main.intern_label());
    let mut ecs = std::mem::take(main.world_mut());
    ecs.insert_resource(DefaultErrorHandler(warn));
    if let Some(mut schedules) = ecs.get_resource_mut::<Schedules>() {
        for (_, each) in schedules.iter_mut() {
            each.set_executor_kind(ExecutorKind::SingleThreaded);
        }
    }
    (ecs, schedule)
}

/// The function `intern` under a name that does not clash.
trait Intern {
    fn intern_label(self) -> InternedScheduleLabel;
}

impl<L: azalea::ecs::schedule::ScheduleLabel> Intern for L {
    fn intern_label(self) -> InternedScheduleLabel {
        self.intern()
    }
}

#[cfg(test)]
mod tests;
