//! The ECS of all players, shared by the engine that advances it and the actions that read it.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use azalea::core::tick::GameTick;
use azalea::ecs::resource::Resource;
use azalea::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use azalea::ecs::world::World as Ecs;
use tokio::sync::watch;

use super::clock::Clock;
use super::error::EngineStopped;
use super::text::plain;

/// The schedule at the end of an update, after the game tick if there was one.
#[derive(Clone, Debug, Eq, Hash, PartialEq, ScheduleLabel)]
pub(super) struct AfterUpdate;

/// The engine's time at the beginning of the current update.
#[derive(Clone, Copy, Debug, Default, Resource)]
pub(super) struct Now(pub Duration);

/// The numbers of updates and game ticks of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Updates since it started.
    pub updates: u64,
    /// Game ticks since it started.
    pub ticks: u64,
}

/// A receiver of an engine's updates. It returns copies, never a guard. If a thread held a guard while it asked for the
/// time, it would block the engine and itself forever: the engine's next update already waits to write.
pub(super) struct ProgressReceiver(watch::Receiver<Progress>);

impl ProgressReceiver {
    /// The current numbers. [`Self::changed`] then waits for a later update.
    pub fn read(&mut self) -> Progress {
        *self.0.borrow_and_update()
    }

    /// Waits for an update since the last reading; `None` if the engine is gone.
    pub async fn changed(&mut self) -> Option<()> {
        self.0.changed().await.ok()
    }
}

/// An ECS with its schedules, clock and progress.
pub(super) struct EngineCore {
    ecs: Mutex<Ecs>,
    schedule: InternedScheduleLabel,
    pub clock: Clock,
    progress: watch::Sender<Progress>,
    stop: AtomicBool,
    /// The time of its clock when it stopped.
    ended: OnceLock<Duration>,
    /// The message of azalea's panic, if a panic stopped it.
    fault: OnceLock<String>,
    /// The number of users that wait for the server.
    waiting: AtomicUsize,
    /// The number of users that wait for an answer that the server sends at once.
    wanting_fastest: AtomicUsize,
    /// The number of connections being made, during which no game tick may pass.
    holding: AtomicUsize,
    /// True if an update was requested since the last call of [`Self::was_woken`].
    woken: AtomicBool,
    runner: Mutex<Option<Thread>>,
}

impl EngineCore {
    /// A core that continues at the given progress.
    pub fn new(ecs: Ecs, schedule: InternedScheduleLabel, clock: Clock, progress: Progress) -> Self {
        Self {
            ecs: Mutex::new(ecs),
            schedule,
            clock,
            progress: watch::Sender::new(progress),
            stop: AtomicBool::new(false),
            ended: OnceLock::new(),
            fault: OnceLock::new(),
            waiting: AtomicUsize::new(0),
            wanting_fastest: AtomicUsize::new(0),
            holding: AtomicUsize::new(0),
            woken: AtomicBool::new(false),
            runner: Mutex::new(None),
        }
    }

    /// Reads packets, then runs a game tick if `tick` is set. [`Self::publish`] reports it to users.
    ///
    /// # Errors
    /// The engine has stopped.
    pub fn update(&self, tick: bool) -> Result<(), EngineStopped> {
        let now = Now(self.now());
        self.with(|ecs| {
            ecs.insert_resource(now);
            ecs.run_schedule(self.schedule);
            if tick {
                ecs.run_schedule(GameTick);
            }
            ecs.run_schedule(AfterUpdate);
            ecs.clear_trackers();
        })
    }

    /// Announces an update to all users.
    pub(crate) fn publish(&self, tick: bool) {
        self.progress.send_modify(|progress| {
            progress.updates += 1;
            progress.ticks += u64::from(tick);
        });
    }

    /// Runs an action on the ECS, between two updates.
    ///
    /// # Errors
    /// The engine has stopped. A panic in `act` stops it: the ECS may be left half changed and is dropped.
    pub fn with<R>(&self, act: impl FnOnce(&mut Ecs) -> R) -> Result<R, EngineStopped> {
        if self.stopped() {
            return Err(self.stop_reason());
        }
        let mut ecs = lock(&self.ecs);
        // The engine may have stopped during the wait for the lock.
        if self.stopped() {
            return Err(self.stop_reason());
        }
        catch(|| act(&mut ecs)).map_err(|fault| {
            let _ = self.fault.set(fault);
            self.stop.store(true, Ordering::Release);
            // The connections of the engine end with it.
            let broken = std::mem::take(&mut *ecs);
            let _ = catch(|| drop(broken));
            drop(ecs);
            self.stop();
            self.stop_reason()
        })
    }

    /// The reason that it has stopped.
    pub(crate) fn stop_reason(&self) -> EngineStopped {
        self.fault.get().map_or(EngineStopped::Stopped, |fault| EngineStopped::Failed(fault.clone()))
    }

    /// The numbers of updates and ticks so far.
    pub fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    /// A receiver of every update.
    pub fn subscribe(&self) -> ProgressReceiver {
        ProgressReceiver(self.progress.subscribe())
    }

    /// The time since the engine was started.
    pub fn now(&self) -> Duration {
        self.clock.now(self.progress().ticks)
    }

    /// Waits for a time of the engine's clock, or until the engine has stopped.
    pub async fn sleep(&self, time: Duration) {
        if !self.clock.is_stepped() {
            return tokio::time::sleep(time).await;
        }
        let (end, mut progress) = (self.now() + time, self.subscribe());
        while self.now() < end && !self.stopped() && progress.changed().await.is_some() {}
    }

    /// Returns whether the engine has stopped.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// The time of its clock when it stopped, if it has.
    pub fn ended(&self) -> Option<Duration> {
        self.ended.get().copied()
    }

    /// Stops the engine and wakes all its waiters.
    pub fn stop(&self) {
        let _ = self.ended.set(self.now());
        self.stop.store(true, Ordering::Release);
        self.progress.send_modify(|_| {});
        self.wake();
    }

    /// Sets the thread to wake when an update is requested.
    pub(crate) fn run_by(&self, thread: Thread) {
        *lock(&self.runner) = Some(thread);
    }

    /// Requests an update at once.
    pub(crate) fn wake(&self) {
        self.woken.store(true, Ordering::Release);
        if let Some(thread) = lock(&self.runner).as_ref() {
            thread.unpark();
        }
    }

    /// Returns whether an update was requested since the last call.
    pub(crate) fn was_woken(&self) -> bool {
        self.woken.swap(false, Ordering::AcqRel)
    }

    /// Makes updates more frequent while the guard lives.
    pub(crate) fn update_often(self: &Arc<Self>) -> CountGuard {
        self.count(|core| &core.waiting)
    }

    /// Makes updates as frequent as they can be while the guard lives.
    pub(crate) fn update_fastest(self: &Arc<Self>) -> CountGuard {
        self.count(|core| &core.wanting_fastest)
    }

    /// Holds a stepped clock while the guard lives, for a wait that takes real time.
    pub(crate) fn hold_clock(self: &Arc<Self>) -> CountGuard {
        self.count(|core| &core.holding)
    }

    /// Returns whether a user waits for the server.
    pub(crate) fn wants_frequent_updates(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Returns whether a user waits for an answer that the server sends at once.
    pub(crate) fn wants_fastest_updates(&self) -> bool {
        self.wanting_fastest.load(Ordering::Relaxed) > 0
    }

    /// Returns whether a stepped clock is held.
    #[cfg(feature = "test-support")]
    pub(crate) fn is_clock_held(&self) -> bool {
        self.holding.load(Ordering::Relaxed) > 0
    }

    fn count(self: &Arc<Self>, count: fn(&Self) -> &AtomicUsize) -> CountGuard {
        count(self).fetch_add(1, Ordering::Relaxed);
        self.wake();
        CountGuard { core: self.clone(), count }
    }
}

/// A guard that counts as one user of a core until it is dropped.
pub(super) struct CountGuard {
    core: Arc<EngineCore>,
    count: fn(&EngineCore) -> &AtomicUsize,
}

impl Drop for CountGuard {
    fn drop(&mut self) {
        (self.count)(&self.core).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs code of azalea's, which can panic.
///
/// # Errors
/// The message of its panic, as one line that is safe to print.
pub(super) fn catch<R>(act: impl FnOnce() -> R) -> Result<R, String> {
    panic::catch_unwind(AssertUnwindSafe(act)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        plain(text.unwrap_or("it did not say why"))
    })
}

/// Locks a value that is never left in an inconsistent state.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
