//! The prompt of Inner Monologue: asks for a thought and an action, and shows the past steps (LTLCrit section 4.2).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ltlcrit_model::ChatRequest;

use super::super::PastStep;
use super::headings::{FAILED, STEP, STEPS};
use super::{
    Meanings, NotRun, PromptOptions, Situation, action_schema, allowed, one_line, quoted, quoted_to, refusals, request,
    state, system,
};

/// The system message.
const SYSTEM: &str = include_str!("../../../prompts/inner_monologue.md");

/// The maximum number of steps listed one by one.
const LISTED_STEPS: usize = 12;

/// The maximum length of the steps listed one by one, in bytes.
const LISTED_BYTES: usize = 6 * 1024;

/// The maximum number of blocked actions listed for a step.
const LISTED_BLOCKS: usize = 3;

/// The maximum length of the reason for a block, in bytes.
const MAX_REASON: usize = 240;

/// Builds the question for one step.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    let user = format!(
        "{}\n{}{}{}\nWhat do you think, and which action do you take?",
        history(situation),
        state(situation, Meanings::Listed),
        refusals(situation, options.refusal),
        allowed(situation)
    );
    request(system(SYSTEM, situation, "", options), user, action_schema(situation, true), options)
}

/// Lists the last steps one by one, and earlier steps as counts.
fn history(situation: &Situation<'_>) -> String {
    let steps = situation.history;
    let mut told = Vec::new();
    let mut bytes = 0;
    for (index, step) in steps.iter().enumerate().rev().take(LISTED_STEPS) {
        let text = step_text(situation, index + 1, step);
        bytes += text.len();
        if bytes > LISTED_BYTES && !told.is_empty() {
            break;
        }
        told.push(text);
    }
    let (earlier, _) = steps.split_at(steps.len() - told.len());
    let mut text = String::new();
    if !earlier.is_empty() {
        let _ = writeln!(text, "Before that, steps 1 to {}: {}.\n", earlier.len(), counts(situation, earlier));
    }
    if !told.is_empty() {
        let _ = writeln!(text, "{STEPS}");
        text.extend(told.into_iter().rev());
    }
    text
}

fn step_text(situation: &Situation<'_>, number: usize, step: &PastStep) -> String {
    let name = situation.vocabulary.action_name(step.action);
    let mut text = String::new();
    if let Some(thought) = &step.thought {
        let _ = writeln!(text, "You thought: {}", quoted(thought));
    }
    text += &blocks(situation, &step.refused);
    let message = quoted(&step.outcome.message);
    let _ = match &step.outcome.failure {
        None => writeln!(text, "{STEP}{number}: {name} succeeded: {message}"),
        Some(reason) => {
            writeln!(text, "{STEP}{number}: {name} {FAILED} ({}): {message}", one_line(&reason.to_string(), 80))
        }
    };
    text
}

/// Lists the blocked actions of a step, each once, with the reason.
fn blocks(situation: &Situation<'_>, refused: &[NotRun]) -> String {
    let mut blocked: Vec<(&str, &str)> = Vec::new();
    for refusal in refused {
        if let NotRun::Blocked { action, explanation, .. } = refusal {
            let name = situation.vocabulary.action_name(*action);
            if !blocked.iter().any(|(known, _)| *known == name) {
                blocked.push((name, explanation));
            }
        }
    }
    let (listed, others) = blocked.split_at(blocked.len().min(LISTED_BLOCKS));
    let mut text = String::new();
    for (name, reason) in listed {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Blocked before it: {name}: {}", quoted_to(reason, MAX_REASON));
    }
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|(name, _)| *name).collect();
        let _ = writeln!(text, "Also blocked before it: {}", names.join(", "));
    }
    text
}

/// Counts the actions of steps: `action_mine_log 3 times, action_craft_planks 2 times (1 failed)`.
fn counts(situation: &Situation<'_>, steps: &[PastStep]) -> String {
    let mut counts: BTreeMap<u16, (usize, usize)> = BTreeMap::new();
    for step in steps {
        let (done, failed) = counts.entry(step.action.0).or_default();
        *done += 1;
        *failed += usize::from(!step.outcome.succeeded());
    }
    let parts: Vec<String> = counts
        .into_iter()
        .map(|(action, (done, failed))| {
            let name = situation.vocabulary.action_name(ltlcrit_verifier::ActionId(action));
            let failures = if failed > 0 { format!(" ({failed} failed)") } else { String::new() };
            format!("{name} {done} time{}{failures}", if done == 1 { "" } else { "s" })
        })
        .collect();
    parts.join(", ")
}
