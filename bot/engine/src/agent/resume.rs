//! Resuming a run. In a deterministic world the stored actions are executed again and must have the stored outcomes.
//! Any other world has changed meanwhile: the run continues from its present state, and with the action that was cut
//! off.
//!
//! The shield reads the stored letters and is asked about nothing on the way: what it decides depends on where the run is
//! alone.

use std::sync::Arc;

use ltlcrit_store::{
    Durability, End, LawId, Limits, RunId, RunManifest, RunOutcome, StepRecord, Store, Translator, VocabularyRecord,
};
use ltlcrit_verifier::{Letter, PropSet, RunFault, Vocabulary};
use ltlcrit_worlds::Progress;
use ltlcrit_worlds::{Observation, Outcome, World};
use serde_json::Value;

use super::laws::restore_laws;
use super::log::Log;
use super::metrics::RunSummary;
use super::observe::observe;
use super::run::Session;
use super::shielding::{read, shield};
use super::{Agent, AgentError, Event};

impl<'a> Agent<'a> {
    /// Resumes a run.
    ///
    /// # Errors
    /// The run ended by itself, belongs to another world or actor, cannot be read, or its world diverges from the
    /// stored steps; the store then stays as it was. Or the steps cannot be stored.
    pub(super) async fn resume<W: World>(
        self,
        world: &'a mut W,
        store: &'a Store,
        durability: Durability,
        run: RunId,
        limits: Option<Limits>,
    ) -> Result<RunSummary, AgentError> {
        let manifest = store.manifest(run)?;
        let end = store.outcome(run)?.map(|outcome| outcome.end);
        let stalled = matches!(end, Some(End::Stalled { .. }));
        if let Some(end) = end.filter(|end| !end.resumable()) {
            return Err(AgentError::Ended { run, end });
        }
        let info = world.info();
        let vocabulary = world.vocabulary();
        let same = |what, then: String, now: String| match then == now {
            true => Ok(()),
            false => Err(AgentError::Mismatch { run, what, then, now }),
        };
        same("world", describe(&manifest.world), describe(&info))?;
        same("actor", manifest.actor.clone(), self.actor.name().to_owned())?;
        let now = VocabularyRecord::of(&vocabulary);
        if manifest.vocabulary != now {
            same("vocabulary", describe(&manifest.vocabulary), describe(&now))?;
        }
        let laws = restore_laws(run, &manifest.laws)?;
        let shield = shield(&vocabulary, laws, manifest.fallback)?;
        let limits = limits.unwrap_or(manifest.limits);
        let steps: Vec<StepRecord> = stored_steps(store, &manifest, &vocabulary)?;
        if let (false, Some(last)) = (info.deterministic, steps.last())
            && let Some(live) = world.live()
        {
            live.recall(&last.observation);
        }
        let last_step = steps.last().map_or(0, |record| record.step);
        let observation = observe(world, if info.deterministic { 0 } else { last_step }).await?;
        let resumed_after = Some(last_step);
        self.observer.on(&Event::Started { manifest: &manifest, resumed_after });
        let log = Log::Stored { store, run, durability };
        let mut session = Session::new(self, world, log, manifest, limits, shield, observation);
        let Some((last, before)) = steps.split_last() else {
            store.reopen(run)?;
            session.initial_step()?;
            return session.run_to_end().await;
        };
        for record in before {
            if info.deterministic {
                session.repeat(record).await?
            } else {
                session.restore_step(record)?
            }
            session.agent.observer.on(&Event::Restored { record, of: last.step });
        }
        let ended = session.ended_by(last);
        if info.deterministic {
            session.repeat(last).await?;
            store.reopen(run)?;
        } else {
            store.reopen(run)?;
            let is_midway = session.restore_progress(last)?;
            if ended.is_some() || is_midway { session.restore_step(last)? } else { session.resync_last_step(last)? }
        }
        session.agent.observer.on(&Event::Restored { record: last, of: last.step });
        if stalled {
            session.stall.forgive();
        }
        // The process was killed between the last step and the outcome.
        if let Some(end) = ended {
            let (last_step, owed) = (session.last_step, session.owed.clone());
            return session.end(&RunOutcome { end, last_step, owed, in_flight: None });
        }
        session.run_to_end().await
    }
}

impl<W: World> Session<'_, W> {
    /// Tells the world what an earlier process left behind, and keeps the action that was cut off after this last
    /// stored step. Returns whether that action left belongings in the world: the world is then in the middle of an action,
    /// and its observation must not be judged by.
    fn restore_progress(&mut self, last: &StepRecord) -> Result<bool, AgentError> {
        let Some(in_flight) = self.in_flight.resume()? else { return Ok(false) };
        let Some(progress) = &in_flight.progress else { return Ok(false) };
        let left_behind = progress.left_behind.clone();
        let cut_off = progress.action.is_some() && in_flight.step == last.step + 1;
        let is_midway = cut_off && left_behind.is_some();
        if let Some(live) = self.world.live() {
            live.restore_progress(Progress { action: None, left_behind })?;
        }
        self.cut_off = cut_off.then_some(in_flight);
        Ok(is_midway)
    }

    /// Applies a stored step without executing it.
    fn restore_step(&mut self, record: &StepRecord) -> Result<(), AgentError> {
        self.apply_laws(record)?;
        self.read(record, record.letter)?;
        self.apply(record);
        Ok(())
    }

    /// Applies the last stored step with the current observation. If that differs in anything, the stored step is amended:
    /// the shield must judge the next action, and predict what it leads to, by the current state, and the run's word must
    /// be the one the shield has read.
    fn resync_last_step(&mut self, record: &StepRecord) -> Result<(), AgentError> {
        if self.observation == record.observation {
            return self.restore_step(record);
        }
        let holds = self.observation.holds;
        self.apply_laws(record)?;
        let letter = match &record.executed {
            Some(executed) => Letter::after(&self.vocabulary, executed.action, holds),
            None => Letter::initial(holds),
        };
        let (violations, owed) = self.read(record, letter)?;
        let amended = StepRecord {
            observation: self.observation.clone(),
            letter,
            violations,
            owed,
            first_seen: Some(record.first_seen.clone().unwrap_or_else(|| record.observation.clone())),
            ..record.clone()
        };
        if let Some(store) = self.log.store() {
            store.amend_last_step(self.manifest.run, &amended)?;
        }
        self.apply(&amended);
        Ok(())
    }

    /// Puts the laws in force that a step brought.
    fn apply_laws(&mut self, record: &StepRecord) -> Result<(), AgentError> {
        if let Some(laws) = &record.new_laws {
            self.shield.replace_laws(restore_laws(self.manifest.run, laws)?)?;
            self.in_force.apply(record);
        }
        Ok(())
    }

    /// Reads the letter of a step, and those passed through before it: the laws they violate, and those that owe something after it.
    fn read(&mut self, record: &StepRecord, letter: Letter) -> Result<(Vec<LawId>, Vec<LawId>), RunFault> {
        match letter.taken(&self.vocabulary) {
            Some((action, observations)) if record.step > 0 => {
                read(&mut self.shield, action, record.passed(), observations)
            }
            _ => Ok((self.shield.start(letter.0)?, self.shield.obligations())),
        }
    }

    /// Executes a stored step again.
    async fn repeat(&mut self, record: &StepRecord) -> Result<(), AgentError> {
        let run = self.manifest.run;
        let diverged = |difference| AgentError::Diverged { run, step: record.step, difference };
        self.apply_laws(record)?;
        let Some(executed) = &record.executed else {
            compare_observations(&self.vocabulary, &record.observation, &self.observation).map_err(diverged)?;
            self.read(record, Letter::initial(self.observation.holds))?;
            self.apply(record);
            return Ok(());
        };
        if self.vocabulary.stop() != Some(executed.action) {
            let outcome = self.world.execute(executed.action).await.map_err(|error| diverged(error.to_string()))?;
            self.observation = observe(self.world, record.step).await.map_err(|error| diverged(error.to_string()))?;
            compare_outcomes(&executed.outcome, &outcome).map_err(diverged)?;
        }
        compare_observations(&self.vocabulary, &record.observation, &self.observation).map_err(diverged)?;
        let letter = Letter::after(&self.vocabulary, executed.action, self.observation.holds);
        if letter != record.letter {
            return Err(diverged("the letter is another one".to_owned()));
        }
        self.read(record, letter)?;
        self.apply(record);
        Ok(())
    }
}

/// The stored steps of a run, whose states satisfy the axioms of the vocabulary.
fn stored_steps(
    store: &Store,
    manifest: &RunManifest,
    vocabulary: &Arc<Vocabulary>,
) -> Result<Vec<StepRecord>, AgentError> {
    let translation = Translator::new(vocabulary.clone()).translation(&manifest.vocabulary).unwrap_or_default();
    let steps = store.steps(manifest.run).map(|step| translation.step(manifest.run, step?));
    Ok(steps.collect::<Result<_, _>>()?)
}

fn describe<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn compare_outcomes(then: &Outcome, now: &Outcome) -> Result<(), String> {
    let code = |outcome: &Outcome| outcome.failure.as_ref().map_or("success".to_owned(), |reason| reason.to_string());
    if then.failure != now.failure {
        return Err(format!("the action's outcome was {} and is {} now", code(then), code(now)));
    }
    if then.ticks != now.ticks {
        return Err(format!("the action took {} ticks and takes {} now", then.ticks, now.ticks));
    }
    if then.message != now.message {
        return Err(format!("the world said \"{}\" and says \"{}\" now", then.message, now.message));
    }
    Ok(())
}

fn compare_observations(vocabulary: &Vocabulary, then: &Observation, now: &Observation) -> Result<(), String> {
    let names = |set: PropSet| vocabulary.names(&set).join(", ");
    let (gone, come) = (then.holds.difference(&now.holds), now.holds.difference(&then.holds));
    match (gone.is_empty(), come.is_empty()) {
        (true, true) => {}
        (false, true) => return Err(format!("{} held then and does not now", names(gone))),
        (true, false) => return Err(format!("{} holds now and did not then", names(come))),
        (false, false) => return Err(format!("{} held then, {} now", names(gone), names(come))),
    }
    if then.details == now.details {
        return Ok(());
    }
    let json = |observation: &Observation| serde_json::to_value(&observation.details).unwrap_or_default();
    let (then, mut now) = (json(then), json(now));
    // An earlier program did not record every field of today.
    if let (Value::Object(then), Value::Object(now)) = (&then, &mut now) {
        now.retain(|field, _| then.contains_key(field));
    }
    match first_difference("details", &then, &now) {
        None => Ok(()),
        Some((path, then, now)) => Err(format!("{path} was {then} and is {now} now")),
    }
}

/// The first difference of two values, and both values there.
fn first_difference(path: &str, then: &Value, now: &Value) -> Option<(String, String, String)> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => {
            let keys = then.keys().chain(now.keys().filter(|key| !then.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                let (then, now) = (then.get(key).unwrap_or(&Value::Null), now.get(key).unwrap_or(&Value::Null));
                first_difference(&format!("{path}.{key}"), then, now)
            })
        }
        (Value::Array(then), Value::Array(now)) => {
            let length = then.len().max(now.len());
            (0..length).find_map(|position| {
                let at = |items: &[Value]| items.get(position).cloned().unwrap_or_default();
                first_difference(&format!("{path}[{position}]"), &at(then), &at(now))
            })
        }
        _ => (then != now).then(|| (path.to_owned(), then.to_string(), now.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_an_earlier_program_did_not_record_are_no_difference() {
        let vocabulary = Vocabulary::builder("v").observation("p").action("a").build().unwrap();
        let observation = |details: &str| Observation {
            holds: PropSet::EMPTY,
            details: serde_json::from_str(&format!(r#"{{"kind":"room",{details}}}"#)).unwrap(),
        };
        let compare = |then: &str, now: &str| compare_observations(&vocabulary, &observation(then), &observation(now));
        assert_eq!(compare(r#""door":1"#, r#""door":1,"placed":[2]"#), Ok(()));
        assert_eq!(
            compare(r#""door":1"#, r#""door":3,"placed":[2]"#),
            Err("details.door was 1 and is 3 now".to_owned())
        );
        assert_eq!(
            compare(r#""door":1,"placed":[2]"#, r#""door":1"#),
            Err("details.placed was [2] and is null now".to_owned())
        );
    }
}
