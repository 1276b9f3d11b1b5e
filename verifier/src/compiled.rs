//! Compiled laws and the caches that belong to them, to be shared by many runs.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::ThreadId;

use crate::engine::Engine;
use crate::law::Law;
use crate::law_set::LawSet;
pub use crate::law_set::ShieldError;
use crate::options::ShieldOptions;
use crate::vocabulary::Vocabulary;

/// An engine, and the thread whose shields use it.
type Owned = (ThreadId, Arc<Mutex<Engine>>);

/// Laws compiled over a vocabulary, without the state of any run.
///
/// Compiling is the expensive part of a [`Shield`](crate::Shield): do it once and put a shield over it for each run, on as
/// many threads as you like. A shield is small: what is found out while runs go on (automata, plans, decisions) belongs to
/// the laws. Shields made on one thread share it; each thread has its own, up to the number of processors.
///
/// ```
/// use std::sync::Arc;
/// use ltlcrit_verifier::{CompiledLaws, Law, PropSet, Shield, ShieldOptions, Vocabulary};
///
/// let doors = Vocabulary::builder("doors").observation("obs_dark").action("action_open").build()?;
/// let law = Law::hard("light", "G(obs_dark -> X !action_open)".parse()?, "Do not open doors in the dark.");
/// let laws = CompiledLaws::new(Arc::new(doors), vec![law], ShieldOptions::default())?;
/// let runs: Vec<_> = (0..4).map(|_| {
///     let laws = laws.clone();
///     std::thread::spawn(move || {
///         let mut shield = Shield::over(laws);
///         shield.start(PropSet::EMPTY).unwrap();
///         shield.decide().allowed.len()
///     })
/// }).collect();
/// assert!(runs.into_iter().all(|run| run.join().unwrap() == 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CompiledLaws {
    laws: Arc<LawSet>,
    engines: Mutex<Vec<Owned>>,
}

/// The laws, their vocabulary, and the bounds of every shield over them.
impl Deref for CompiledLaws {
    type Target = LawSet;

    fn deref(&self) -> &LawSet {
        &self.laws
    }
}

impl CompiledLaws {
    /// Compiles laws.
    ///
    /// # Errors
    /// A law over unknown propositions or too intricate to be watched, two laws of one name, a vocabulary without actions or
    /// with contradictory axioms.
    pub fn new(vocabulary: Arc<Vocabulary>, laws: Vec<Law>, options: ShieldOptions) -> Result<Arc<Self>, ShieldError> {
        LawSet::new(vocabulary, laws, options).map(Self::over)
    }

    fn over(laws: Arc<LawSet>) -> Arc<Self> {
        Arc::new(Self { laws, engines: Mutex::default() })
    }

    /// Other laws over the same vocabulary.
    pub(crate) fn with_laws(&self, laws: Vec<Law>) -> Result<Arc<Self>, ShieldError> {
        LawSet::with_laws(self, laws).map(Self::over)
    }

    /// Checks one law as compiling does, within the same bounds: what this refuses, no shield takes.
    ///
    /// # Errors
    /// A law over unknown propositions or too intricate to be watched, by its name.
    pub fn check(law: &Law, vocabulary: &Vocabulary) -> Result<(), ShieldError> {
        LawSet::check(law, vocabulary)
    }

    /// The engine for another shield of this thread: its own, one that no shield uses, a new one, or, where there is one for
    /// each processor, the one that fewest use.
    pub(crate) fn engine(&self) -> Arc<Mutex<Engine>> {
        static PROCESSORS: OnceLock<usize> = OnceLock::new();
        let thread = std::thread::current().id();
        let mut engines = lock(&self.engines);
        if let Some((_, engine)) = engines.iter().find(|(owner, _)| *owner == thread) {
            return engine.clone();
        }
        let known = engines.len();
        let is_full =
            || known >= *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
        let fewest = engines.iter_mut().min_by_key(|(_, engine)| Arc::strong_count(engine));
        if let Some((owner, engine)) = fewest
            && (Arc::strong_count(engine) == 1 || is_full())
        {
            *owner = thread;
            return engine.clone();
        }
        let engine = Arc::new(Mutex::new(Engine::new(self.laws.clone())));
        engines.push((thread, engine.clone()));
        engine
    }
}

/// Waits for a lock. A thread that panicked left nothing half done that an answer depends on.
pub(crate) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for CompiledLaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.laws.fmt(f)
    }
}
