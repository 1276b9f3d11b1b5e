//! The engine: azalea's game client, without graphics, on a thread of its own.
//!
//! azalea keeps everything about a client in an ECS and advances it by two schedules: *updates*, which read packets, and
//! *game ticks*, which move the player. Its own runner lives on the runtime of whoever uses it, so that a moment's
//! computing there delays the game. This one has a thread, so that keep-alives are answered and steps are taken in time
//! whatever the rest of the program does; and its clock can run faster than the game's.
//!
//! A panic inside azalea, on that thread or on one that looks into the ECS, stops the engine: every player in it has lost
//! its connection. Whoever joins again has it started anew.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use azalea::accept_resource_packs::AcceptResourcePacksPlugin;
use azalea::app::{App, PluginGroup, PluginsState, Update};
use azalea::core::tick::GameTick;
use azalea::ecs::error::{DefaultErrorHandler, warn};
use azalea::ecs::schedule::{ExecutorKind, InternedScheduleLabel, ScheduleBuildSettings, Schedules};
use azalea::ecs::world::World as Ecs;
use azalea::task_pool::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use tokio::sync::watch;

use super::error::Gone;
use super::events::Settled;
use super::fault;

/// Game ticks a second at speed 1.
const TICKS_A_SECOND: f64 = 20.0;
/// How long to wait between two updates when nobody waits for the server's word.
const FRAME: Duration = Duration::from_millis(16);
/// How long to wait between two updates when somebody does.
const HURRIED: Duration = Duration::from_millis(2);
/// How long when it is an answer that comes at once.
const RUSHED: Duration = Duration::from_micros(400);
/// How many ticks behind time the clock may be before it gives up on catching up.
const MOST_BEHIND: u32 = 10;

/// How far the engine has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Beat {
    /// Updates since it started.
    pub updates: u64,
    /// Game ticks since it started.
    pub ticks: u64,
}

/// An engine. It stops when it is dropped.
pub struct Engine {
    /// How long a game tick takes.
    tick: Duration,
    running: Mutex<Running>,
}

/// An engine's thread; it ends when this is dropped.
struct Running {
    core: Arc<Core>,
    thread: Option<JoinHandle<()>>,
}

/// What the engine's thread and its users share.
pub(super) struct Core {
    ecs: Mutex<Ecs>,
    beat: watch::Sender<Beat>,
    stop: AtomicBool,
    /// What azalea said when it panicked.
    fault: OnceLock<String>,
    /// How many are waiting for the server's word, and how many of them for an answer that comes at once.
    waiting: AtomicUsize,
    rushing: AtomicUsize,
    /// Whether an update was asked for since the last one began to be waited for.
    woken: AtomicBool,
    runner: Mutex<Option<Thread>>,
}

impl Engine {
    /// Starts an engine whose clock runs `speed` times as fast as the game's.
    ///
    /// # Errors
    /// When the operating system has no thread left.
    pub fn start(speed: f64) -> io::Result<Self> {
        let tick = Duration::from_secs_f64(1.0 / (TICKS_A_SECOND * speed.clamp(0.05, 100.0)));
        Ok(Self { tick, running: Mutex::new(Running::start(tick, Beat::default())?) })
    }

    /// What its users share with it. An engine that has stopped is started anew, without its players; its clock goes on.
    pub(super) fn core(&self) -> io::Result<Arc<Core>> {
        let mut running = lock(&self.running);
        if running.core.stopped() {
            let beat = *running.core.beats().borrow();
            *running = Running::start(self.tick, beat)?;
        }
        Ok(running.core.clone())
    }
}

impl Running {
    fn start(tick: Duration, beat: Beat) -> io::Result<Self> {
        let (ecs, schedule) = fault::catch(build).map_err(io::Error::other)?;
        let core = Arc::new(Core {
            ecs: Mutex::new(ecs),
            beat: watch::Sender::new(beat),
            stop: AtomicBool::new(false),
            fault: OnceLock::new(),
            waiting: AtomicUsize::new(0),
            rushing: AtomicUsize::new(0),
            woken: AtomicBool::new(false),
            runner: Mutex::new(None),
        });
        let running = core.clone();
        let thread = thread::Builder::new().name("minecraft client".to_owned()).spawn(move || {
            let stop = StopOnDrop(&running);
            running.run(schedule, tick);
            drop(stop);
        })?;
        *lock(&core.runner) = Some(thread.thread().clone());
        Ok(Self { core, thread: Some(thread) })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.core.stop.store(true, Ordering::Release);
        self.core.wake();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Marks the engine as stopped, however its thread ends, and wakes everyone who waits for it.
struct StopOnDrop<'a>(&'a Core);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Release);
        self.0.beat.send_modify(|_| {});
    }
}

impl Core {
    /// Runs schedules until told to stop.
    fn run(&self, schedule: InternedScheduleLabel, tick: Duration) {
        let mut next_tick = Instant::now();
        while !self.stop.load(Ordering::Acquire) {
            let began = Instant::now();
            let due = began >= next_tick;
            let updated = self.with(|ecs| {
                ecs.run_schedule(schedule);
                if due {
                    ecs.run_schedule(GameTick);
                }
                ecs.run_schedule(Settled);
                ecs.clear_trackers();
            });
            if updated.is_err() {
                return;
            }
            if due {
                next_tick += tick;
                if began > next_tick + tick * MOST_BEHIND {
                    next_tick = began + tick;
                }
            }
            self.beat.send_modify(|beat| {
                beat.updates += 1;
                beat.ticks += u64::from(due);
            });
            self.rest(began, next_tick);
        }
    }

    /// Waits until the update after one that began then is due, or asked for.
    fn rest(&self, began: Instant, next_tick: Instant) {
        let some = |count: &AtomicUsize| count.load(Ordering::Relaxed) > 0;
        while !self.woken.swap(false, Ordering::AcqRel) {
            let frame = match (some(&self.rushing), some(&self.waiting)) {
                (true, _) => RUSHED,
                (_, true) => HURRIED,
                _ => FRAME,
            };
            // Who was in a hurry may be no more by then: nobody needs the update that it would have got.
            let pause = (began + frame).min(next_tick).saturating_duration_since(Instant::now());
            if pause.is_zero() {
                return;
            }
            thread::park_timeout(pause);
        }
    }

    /// Does something to the ECS, between two updates.
    ///
    /// # Errors
    /// When the engine has stopped. It does if `act` panics: what it left of the ECS is not used again.
    pub fn with<R>(&self, act: impl FnOnce(&mut Ecs) -> R) -> Result<R, Gone> {
        if self.stopped() {
            return Err(self.gone());
        }
        let mut ecs = lock(&self.ecs);
        // It may have stopped while it was waited for.
        if self.stopped() {
            return Err(self.gone());
        }
        fault::catch(|| act(&mut ecs)).map_err(|fault| {
            let _ = self.fault.set(fault);
            self.stop.store(true, Ordering::Release);
            // Its connections end with it.
            let broken = std::mem::take(&mut *ecs);
            let _ = fault::catch(|| drop(broken));
            drop(ecs);
            self.beat.send_modify(|_| {});
            self.wake();
            self.gone()
        })
    }

    /// Why it has stopped.
    pub fn gone(&self) -> Gone {
        self.fault.get().map_or(Gone::Stopped, |fault| Gone::Failed(fault.clone()))
    }

    /// Told of every update. The receiver is behind at once if an update has passed since it was last looked at.
    pub fn beats(&self) -> watch::Receiver<Beat> {
        self.beat.subscribe()
    }

    /// Whether the engine has stopped.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Has an update done at once.
    pub fn wake(&self) {
        self.woken.store(true, Ordering::Release);
        if let Some(thread) = lock(&self.runner).as_ref() {
            thread.unpark();
        }
    }

    /// Makes updates more frequent for as long as the answer is kept.
    pub fn hurry(self: &Arc<Self>) -> Hurry {
        self.more_often(|core| &core.waiting)
    }

    /// Makes updates as frequent as they can be for as long as the answer is kept.
    pub fn rush(self: &Arc<Self>) -> Hurry {
        self.more_often(|core| &core.rushing)
    }

    fn more_often(self: &Arc<Self>, count: fn(&Self) -> &AtomicUsize) -> Hurry {
        count(self).fetch_add(1, Ordering::Relaxed);
        self.wake();
        Hurry { core: self.clone(), count }
    }
}

/// Somebody waits for the server's word.
pub(super) struct Hurry {
    core: Arc<Core>,
    count: fn(&Core) -> &AtomicUsize,
}

impl Drop for Hurry {
    fn drop(&mut self) {
        (self.count)(&self.core).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Locks what cannot be left half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The ECS with everything in it that a client needs, and the schedule of its updates.
fn build() -> (Ecs, InternedScheduleLabel) {
    let none = || TaskPoolThreadAssignmentPolicy { min_threads: 0, max_threads: 0, percent: 0.0 };
    let mut app = App::new();
    app.add_plugins(azalea::DefaultPlugins.build().set(TaskPoolPlugin {
        // One thread that writes to sockets; everything else runs on the engine's own.
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
        super::events::EventsPlugin,
        super::walk::WalkPlugin,
        super::dig::DigPlugin,
    ));
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

/// `intern` under a name that does not clash.
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
