//! The data of the page: records as JSON, without what the page does not show, and bounded.

use ltlcrit_household::scene;
use ltlcrit_minecraft::above::terrain_of;
use ltlcrit_pddl::PddlObservation;
use ltlcrit_store::{InFlight, RunManifest, RunOutcome, StepRecord};
use ltlcrit_verifier::{PropSet, Proposition};
use ltlcrit_worlds::visible;
use serde_json::{Value, json};

/// Maximum length of a text, in characters.
const TEXT: usize = 4000;
/// Maximum length of a name, in characters.
const NAME: usize = 200;
/// Maximum number of entries of a list or an object.
const ENTRIES: usize = 5000;

/// Renders what is known when a run begins.
pub(crate) fn run(manifest: &RunManifest) -> String {
    let named = |it: &Proposition| json!({"name": it.name, "meaning": it.meaning});
    let vocabulary = &manifest.vocabulary;
    let subgoals = manifest.subgoals.iter().map(|it| json!({"name": it.name, "holds": numbers(&it.holds)}));
    rendered(json!({
        "run": manifest.run,
        "created": manifest.created.to_string(),
        "task": manifest.task,
        "actor": manifest.actor,
        "model": manifest.model.name,
        "simulated": manifest.model.simulated,
        "world": manifest.world.kind,
        // A seed may be larger than the integers of JavaScript.
        "seed": manifest.world.seed.map(|seed| seed.to_string()),
        "land": terrain_of(&manifest.world).map(|(kind, seed)| format!("{}/{seed}", kind.name())),
        "observations": vocabulary.observations.iter().map(named).collect::<Vec<_>>(),
        "actions": vocabulary.all_actions().map(named).collect::<Vec<_>>(),
        "subgoals": subgoals.collect::<Vec<_>>(),
        "laws": manifest.laws,
        "price": manifest.price,
        "shielded": manifest.shielded,
        "max_steps": manifest.limits.max_steps,
    }))
}

/// Renders a stored manifest as a row of the list of runs.
pub(crate) fn row(manifest: &Value, outcome: Option<&RunOutcome>) -> Value {
    let [run, created, task, actor] = ["run", "created", "task", "actor"].map(|field| &manifest[field]);
    json!({
        "run": run,
        "created": created,
        "task": task,
        "actor": actor,
        "model": manifest["model"]["name"],
        "world": manifest["world"]["kind"],
        "seed": manifest["seed"].to_string(),
        "end": outcome.map(end),
    })
}

/// Renders a step.
pub(crate) fn step(record: &StepRecord) -> String {
    let executed = record.executed.as_ref();
    let planned: Option<PddlObservation> = record.observation.details.get();
    rendered(json!({
        "n": record.step,
        "holds": numbers(&record.observation.holds),
        "details": record.observation.details,
        "boxes": planned.map(|seen| scene(seen.facts.iter().map(String::as_str))),
        "action": executed.map(|it| it.action),
        "thought": executed.and_then(|it| it.thought.as_deref()),
        "failure": executed.and_then(|it| it.outcome.failure.as_ref()),
        "message": executed.map(|it| it.outcome.message.as_str()),
        "ticks": executed.map(|it| it.outcome.ticks),
        "proposals": record.proposals,
        "force": record.force,
        "violations": record.violations,
        "owed": record.owed,
        "laws": record.new_laws,
    }))
}

/// Renders the step under way.
pub(crate) fn in_flight(step: &InFlight) -> String {
    let thought = step.proposals.last().and_then(|it| it.thought.as_deref());
    rendered(json!({"n": step.step, "action": step.action, "thought": thought, "proposals": step.proposals.len()}))
}

/// Renders the end of a run.
pub(crate) fn outcome(outcome: &RunOutcome) -> String {
    rendered(json!({"end": end(outcome), "last_step": outcome.last_step, "owed": outcome.owed}))
}

fn end(outcome: &RunOutcome) -> Value {
    let kind = serde_json::to_value(&outcome.end).map(|end| end["kind"].clone());
    json!({"kind": kind.unwrap_or_default(), "text": outcome.end.to_string()})
}

fn numbers(holds: &PropSet) -> Vec<u16> {
    holds.iter().map(|id| id.0).collect()
}

/// Renders data in one line.
pub(crate) fn rendered(value: Value) -> String {
    cleaned(value).to_string()
}

/// Cuts long texts and lists, replaces invisible characters, and rounds numbers to two places.
fn cleaned(value: Value) -> Value {
    match value {
        Value::String(text) => shown(&text, TEXT).into(),
        Value::Array(values) => values.into_iter().take(ENTRIES).map(cleaned).collect(),
        Value::Object(map) => {
            map.into_iter().take(ENTRIES).map(|(key, value)| (shown(&key, NAME), cleaned(value))).collect()
        }
        Value::Number(number) if number.is_f64() => {
            number.as_f64().map_or(Value::Null, |number| ((number * 100.0).round() / 100.0).into())
        }
        other => other,
    }
}

fn shown(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).map(|c| visible(c, &['\n'])).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}
