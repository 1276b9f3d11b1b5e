//! The shield: which actions all the laws together leave, before any of them runs.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::actions::ActionSet;
pub use crate::compiled::ShieldError;
use crate::compiled::{CompiledLaws, lock};
use crate::engine::Engine;
pub use crate::engine::{Lift, ShieldStats};
use crate::explain::Explanation;
pub use crate::judgement::{Decision, Enforcement, Judgement, Undecided};
use crate::law::{Law, LawId};
use crate::letter::{Letter, PropSet};
pub use crate::options::{Fallback, ShieldOptions};
use crate::prediction::{Prediction, Way};
use crate::run::Run;
use crate::verdict::Verdict;
use crate::vocabulary::{ActionId, Vocabulary};
use crate::word::RunFault;

/// Laws, enforced jointly along one run.
///
/// Judging laws one by one is not enough. `G(a -> F b)` allows `a`, and `G !b` has nothing against `a` either; yet after
/// `a` the first law owes a `b` that the second forbids. So the shield asks whether *one* continuation satisfies them all:
///
/// ```
/// use std::sync::Arc;
/// use ltlcrit_verifier::{Formula, Judgement, Law, PropSet, Shield, ShieldOptions, Vocabulary};
///
/// let doors = Vocabulary::builder("doors").observation("obs_dark").actions(["action_open", "action_close"]).build()?;
/// let vocabulary = Arc::new(doors);
/// let (open, close) = (Formula::atom("action_open"), Formula::atom("action_close"));
/// let laws = vec![
///     Law::hard("close-behind-you", open.implies(close.clone().finally()).globally(), "Close what you open."),
///     Law::hard("never-close", close.not().globally(), "The handle is broken."),
/// ];
/// let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default())?;
/// shield.start(PropSet::EMPTY)?;
/// let decision = shield.decide();
/// assert_eq!(decision.allowed.names(&vocabulary), ["action_stop"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Shield {
    laws: Arc<CompiledLaws>,
    engine: Arc<Mutex<Engine>>,
    /// The number of the run in the engine.
    run: usize,
    letter: Option<Letter>,
}

impl Drop for Shield {
    fn drop(&mut self) {
        lock(&self.engine).dismiss(self.run);
    }
}

impl Shield {
    /// Compiles laws and puts a shield over them, before the first letter. Laws that judge an action only after it ran are
    /// those of [`same_letter`](crate::before_and_after).
    ///
    /// # Errors
    /// As [`CompiledLaws::new`].
    pub fn new(vocabulary: Arc<Vocabulary>, laws: Vec<Law>, options: ShieldOptions) -> Result<Self, ShieldError> {
        Ok(Self::over(CompiledLaws::new(vocabulary, laws, options)?))
    }

    /// A shield over compiled laws, before the first letter. It is small: see [`CompiledLaws`].
    pub fn over(laws: Arc<CompiledLaws>) -> Self {
        let engine = laws.engine();
        let run = lock(&engine).admit(Run::default());
        Self { laws, engine, run, letter: None }
    }

    /// The engine, asked about this run.
    #[inline]
    fn engine(&self) -> MutexGuard<'_, Engine> {
        let mut engine = lock(&self.engine);
        engine.enter(self.run);
        engine
    }

    /// Puts other laws in force from the current letter on. A law with the same name and formula as before keeps its
    /// monitor; a new one begins with the current letter, as if the run began there. Gives the laws that the current letter
    /// breaks.
    ///
    /// # Errors
    /// As [`Shield::new`]; then the laws stay as they were.
    pub fn replace_laws(&mut self, laws: Vec<Law>) -> Result<Vec<LawId>, ShieldError> {
        let laws = self.laws.with_laws(laws)?;
        let residuals = self.engine().residuals();
        let state = lock(&self.engine).dismiss(self.run);
        let engine = laws.engine();
        self.run = lock(&engine).admit(state);
        self.engine = engine;
        let broken = self.engine().take_over(&self.laws, &residuals);
        self.laws = laws;
        Ok(broken)
    }

    /// Begins a run: letter 0, with the observations that hold and no action. Gives the laws that it breaks.
    ///
    /// Later judgements rely on states that satisfy the vocabulary's axioms. Observations that break one show that such
    /// judgements may be wrong: ask [`Vocabulary::broken_axiom`] before.
    ///
    /// # Errors
    /// An action among the observations, or a proposition that the vocabulary does not have; then nothing has changed.
    pub fn start(&mut self, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        self.read(|engine| engine.start(observations))
    }

    /// Reads what really happened: the action that ran, and the observations that hold now. Gives the laws that it breaks,
    /// which go on or begin afresh as their [`AfterBreak`](crate::AfterBreak) says. `action_stop` ends the run, and breaks
    /// every law that is owed something. For axioms, see [`Shield::start`].
    ///
    /// # Errors
    /// A step that no run takes: see [`RunFault`]. Then nothing was read.
    #[inline]
    pub fn step(&mut self, action: ActionId, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        self.read(|engine| engine.step(action, observations))
    }

    /// Reads a letter that an action passes through before its [step](Self::step) ends: see [`Shield::predict_ways`]. Gives the laws
    /// that it breaks. Explanations count it as part of the step.
    ///
    /// # Errors
    /// As [`Shield::step`]; `action_stop` passes through nothing.
    pub fn go_through(&mut self, action: ActionId, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        self.read(|engine| engine.go_through(action, observations))
    }

    /// Reads a letter.
    #[inline]
    fn read<R>(&mut self, read: impl FnOnce(&mut Engine) -> R) -> R {
        let mut engine = self.engine();
        let broken = read(&mut engine);
        let letter = engine.run.letter().copied();
        drop(engine);
        self.letter = letter;
        broken
    }

    /// Ends the run where it is, as from outside: gives the laws that do not hold of it because they are owed something. After
    /// `action_stop` these are the laws that it broke.
    ///
    /// # Errors
    /// The run has not started.
    pub fn finish(&mut self) -> Result<Vec<LawId>, RunFault> {
        self.engine().finish()
    }

    /// Returns the allowed actions, decided once per letter.
    pub fn decide(&mut self) -> Decision {
        self.engine().decide()
    }

    /// Decides whether an action may run now, by the laws enforced.
    pub fn judge(&mut self, action: ActionId) -> Judgement {
        self.engine().judge(action)
    }

    /// Decides whether an action may run now by the hard laws alone, whatever laws are enforced.
    pub fn judge_by_hard_laws(&mut self, action: ActionId) -> Judgement {
        self.engine().judge_by(action, true)
    }

    /// Judges an action and gathers the reasons. The run does not change.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ltlcrit_verifier::{Law, Shield, ShieldOptions, Vocabulary};
    ///
    /// let doors = Arc::new(Vocabulary::builder("doors").observation("obs_dark").action("action_open").build()?);
    /// let law = Law::hard("light", "G(obs_dark -> X !action_open)".parse()?, "Do not open doors in the dark.");
    /// let mut shield = Shield::new(doors.clone(), vec![law], ShieldOptions::default())?;
    /// shield.start(doors.set(["obs_dark"])?)?;
    /// let why = shield.explain(doors.action("action_open").unwrap()).reasons();
    /// assert_eq!(why, "Law light: Do not open doors in the dark. It applies because now: obs_dark.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&mut self, action: ActionId) -> Explanation {
        Explanation::new(&mut self.engine(), action, false)
    }

    /// The same by the hard laws alone, whatever laws are enforced; only what they are owed is listed.
    pub fn explain_by_hard_laws(&mut self, action: ActionId) -> Explanation {
        Explanation::new(&mut self.engine(), action, true)
    }

    /// The same for an action that goes a way of its own: see [`Shield::judge_way`].
    pub fn explain_way(&mut self, action: ActionId, way: &Way, by_hard_laws: bool) -> Explanation {
        self.engine().on_way(action, way, |engine| Explanation::new(engine, action, by_hard_laws))
    }

    /// All minimal sets of enforced laws that block an action, but at most this many, within the budget of an explanation, the
    /// smallest first; and whether these are all. Without any if the action is not blocked.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ltlcrit_verifier::{Law, PropSet, Shield, ShieldOptions, Vocabulary};
    /// let doors = Arc::new(Vocabulary::builder("doors").actions(["action_open", "action_close"]).build()?);
    /// let law = |id, formula: &str| Ok::<_, ltlcrit_verifier::SyntaxError>(Law::hard(id, formula.parse()?, ""));
    /// let laws = vec![
    ///     law("answer", "G(action_open -> F action_close)")?,
    ///     law("shut", "G !action_open")?,
    ///     law("stuck", "G !action_close")?,
    /// ];
    /// let mut shield = Shield::new(doors.clone(), laws, ShieldOptions::default())?;
    /// shield.start(PropSet::EMPTY)?;
    /// let (reasons, complete) = shield.reasons(doors.action("action_open").unwrap(), 10);
    /// assert_eq!((reasons, complete), (vec![vec!["shut".into()], vec!["answer".into(), "stuck".into()]], true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reasons(&mut self, action: ActionId, most: usize) -> (Vec<Vec<LawId>>, bool) {
        self.engine().reasons(action, most)
    }

    /// The nearest letters after which a blocked action is allowed, within the budget of an explanation. Predictions say
    /// nothing about later letters and are not used.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ltlcrit_verifier::{Law, Lift, PropSet, Shield, ShieldOptions, Vocabulary};
    ///
    /// let code = Arc::new(Vocabulary::builder("code").observation("green").actions(["write", "test", "push"]).build()?);
    /// let law = Law::hard("tested", "!push W (test & green)".parse()?, "Test before you push.");
    /// let mut shield = Shield::new(code.clone(), vec![law], ShieldOptions::default())?;
    /// shield.start(PropSet::EMPTY)?;
    /// let Lift::By(letters) = shield.lifted_by(code.action("push").unwrap()) else { panic!() };
    /// assert_eq!(code.names(&letters[0].0), ["green", "test"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lifted_by(&mut self, action: ActionId) -> Lift {
        self.engine().lifted_by(action)
    }

    /// Says what each action, by number, may lead to from the current letter: until the next one, an action is allowed only
    /// if *every* letter predicted of it leaves the hard laws a continuation. Continuations stay cooperative, and so do soft
    /// laws and actions without a prediction. Hard laws that so leave no action in the current state are
    /// [relaxed](Decision::relaxed), unless every prediction that refuses an action is exact.
    ///
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ltlcrit_verifier::{ActionSet, Law, Prediction, PropSet, Shield, ShieldOptions, Vocabulary};
    ///
    /// let doors = Arc::new(Vocabulary::builder("doors").observation("obs_dark").actions(["action_open", "action_close"]).build()?);
    /// let law = Law::hard("light", "G !obs_dark".parse()?, "Never stand in the dark.");
    /// let mut shield = Shield::new(doors.clone(), vec![law], ShieldOptions::default())?;
    /// shield.start(PropSet::EMPTY)?;
    /// assert_eq!(shield.decide().allowed.len(), 3);
    /// let [safe, unsafe_] = [PropSet::EMPTY, doors.set(["obs_dark"])?].map(|may| Prediction { must: PropSet::EMPTY, may });
    /// shield.predict(vec![Some(safe), Some(unsafe_)]);
    /// assert_eq!(shield.decide().allowed.names(&doors), ["action_open", "action_stop"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predict(&mut self, by_action: Vec<Option<Prediction>>) {
        self.engine().predict(by_action);
    }

    /// [Predicts](Self::predict) one action anew; what is known of the others stays. It goes one of these ways, and is allowed
    /// only if the whole of one of them is. On a way it passes through observations, one after the other, before what it leads
    /// to `then` (Safety Chip, appendix F: who walks to the bedside table may pass the hallway). Each is a letter of its own,
    /// with the same action. When it runs, [`Shield::go_through`] reads each of them, and then [`Shield::step`] the last letter.
    /// Several ways are for an action that stands for [further ones](crate::Vocabulary::with_further), which
    /// [`Shield::judge_way`] judges one by one.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ltlcrit_verifier::{Law, Prediction, PropSet, Shield, ShieldOptions, Vocabulary, Way};
    ///
    /// let flat = Arc::new(Vocabulary::builder("flat").observations(["hall", "bath"]).actions(["to_bath"]).build()?);
    /// let law = Law::hard("no-hall", "G !hall".parse()?, "Stay out of the hall.");
    /// let mut shield = Shield::new(flat.clone(), vec![law], ShieldOptions::default())?;
    /// let to_bath = flat.action("to_bath").unwrap();
    /// shield.start(PropSet::EMPTY)?;
    /// let in_bath = Prediction::exactly(flat.set(["bath"])?);
    /// shield.predict(vec![Some(in_bath), None]);
    /// assert!(shield.judge(to_bath).is_allowed());
    /// shield.predict_ways(to_bath, vec![Way { through: vec![flat.set(["hall"])?], then: Some(in_bath) }]);
    /// assert!(!shield.judge(to_bath).is_allowed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predict_ways(&mut self, action: ActionId, ways: Vec<Way>) {
        self.engine().predict_ways(action, ways);
    }

    /// Decides whether an action that goes this way may run now, by the laws enforced: see [`Shield::predict_ways`].
    pub fn judge_way(&mut self, action: ActionId, way: &Way) -> Judgement {
        self.engine().on_way(action, way, |engine| engine.judge(action))
    }

    /// The same by the hard laws alone.
    pub fn judge_way_by_hard_laws(&mut self, action: ActionId, way: &Way) -> Judgement {
        self.engine().on_way(action, way, |engine| engine.judge_by(action, true))
    }

    /// Decides whether an action that goes this way is allowed, by the laws enforced or by the hard laws alone. It does
    /// not name the laws that block it.
    pub fn allows_way(&mut self, action: ActionId, way: &Way, by_hard_laws: bool) -> bool {
        self.engine().allows_way(action, way, by_hard_laws)
    }

    /// Returns whether predictions make a difference: some hard law is not of the form `G(phi_s -> X phi_a)`, which
    /// reads nothing after the action.
    pub fn takes_predictions(&self) -> bool {
        self.engine().takes_predictions()
    }

    /// The number of the letter the run is at: 0 for the initial one, `n` after `n` steps if no action passed through others.
    pub fn letter_number(&self) -> usize {
        self.engine().letter_number()
    }

    /// The actions the hard laws alone allow now: SayCan's affordances.
    pub fn hard_allowed(&mut self) -> ActionSet {
        self.engine().hard_allowed()
    }

    /// The verdict of every law on the run so far (since it was last [re-armed](crate::AfterBreak::Rearm)), in the order of [`Shield::laws`].
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        self.engine().verdicts()
    }

    /// The verdict of one law on the run so far (since it was last [re-armed](crate::AfterBreak::Rearm)); `None` if there is no law of this name.
    pub fn verdict(&mut self, law: &str) -> Option<Verdict> {
        self.engine().verdict(law)
    }

    /// The laws that would not hold if the run stopped here.
    pub fn obligations(&mut self) -> Vec<LawId> {
        self.engine().obligations()
    }

    /// Counts and sizes, for benches and reports.
    pub fn stats(&self) -> ShieldStats {
        self.engine().stats()
    }

    /// The laws in force.
    pub fn laws(&self) -> &[Law] {
        self.laws.laws()
    }

    /// The laws in force, compiled: for more shields over the same laws.
    pub fn compiled(&self) -> &Arc<CompiledLaws> {
        &self.laws
    }

    /// The vocabulary the laws are over.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.laws.vocabulary()
    }

    /// The letter the run is at; `None` before it started.
    pub fn letter(&self) -> Option<&Letter> {
        self.letter.as_ref()
    }

    /// The observations an action leads to, where they are known: stopping changes none, for the rest a
    /// [prediction](Self::predict) must tell.
    pub fn predicted(&self, action: ActionId) -> Option<PropSet> {
        self.engine().predicted(action)
    }

    /// The number of times an action could not be decided within the bounds since the shield was made.
    pub fn unknowns(&self) -> u64 {
        self.engine().run.unknowns
    }
}

impl fmt::Debug for Shield {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shield")
            .field("laws", &self.laws)
            .field("letter", &self.letter)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

/// Shields and compiled laws go from thread to thread.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync + fmt::Debug>() {}
    is_send_and_sync::<Shield>();
    is_send_and_sync::<CompiledLaws>();
    is_send_and_sync::<crate::Monitor>();
};

#[cfg(test)]
mod tests;
