//! The answers of personas to prompts.

use ltlcrit_model::ChatRequest;
use rand::{Rng, RngExt};
use serde_json::{Value, json};

use super::inventory::Inventory;
use super::inventory::Item::{Furnace, IronIngot, Plank, Stick};
use super::knowledge;
use super::persona::{Persona, Rate};
use super::prompt::View;

/// Returns the persona's answer to a request.
pub(super) fn answer(persona: &Persona, view: &View, request: &ChatRequest, rng: &mut impl Rng) -> String {
    let rates = &persona.rates;
    let inventory = Inventory::of(view, persona.knows);
    let sensible = knowledge::next(view, &inventory, persona.spare_cobble);
    let struggling =
        view.garbled > 0 || !view.blocked.is_empty() || view.history.last().is_some_and(|past| past.failed);
    let care = rates.after_feedback.filter(|_| struggling).map_or(1.0, |factor| factor.0);
    if rng.random_bool(rates.garbled.0 * care) {
        return garbled(sensible, rng);
    }
    if let Some(rated) = rated_actions(request) {
        return values(view, sensible, &rated, rng);
    }
    let choice = choose(&Moment { persona, view, inventory, sensible, care }, rng);
    let name = if rng.random_bool(rates.invented.0 * care) { invented(&choice) } else { choice };
    let wants_thought =
        request.answer.as_ref().is_some_and(|answer| answer.schema.pointer("/properties/thought").is_some());
    if wants_thought {
        json!({ "thought": thought(&name, view), "action": name }).to_string()
    } else {
        json!({ "action": name }).to_string()
    }
}

/// Returns the actions that the answer must rate, or `None` if it must name one action.
fn rated_actions(request: &ChatRequest) -> Option<Vec<String>> {
    let rated = request.answer.as_ref()?.schema.pointer("/properties/values/properties")?.as_object()?;
    Some(rated.keys().cloned().collect())
}

/// Rates every action, for SayCan. Names that resemble the goal rate high in every state; the sensible action rates
/// lower (LTLCrit section 5.2).
fn values(view: &View, sensible: &str, rated: &[String], rng: &mut impl Rng) -> String {
    let values: serde_json::Map<String, Value> = rated
        .iter()
        .map(|action| {
            let base = match action.as_str() {
                "action_mine_diamond" => 0.86,
                // Exploring sounds like the goal, less so once diamonds are in sight.
                "action_explore_diamond_down" if view.holds("obs_diamond_in_chunk") => 0.74,
                "action_equip_iron_pickaxe" if !view.holds("obs_iron_pickaxe_equipped") => 0.78,
                name if name.contains("explore") => 0.82,
                name if name == sensible => 0.66,
                "action_stop" => f64::from(u8::from(view.goal_reached)),
                _ => 0.30,
            };
            let noise: f64 = rng.random_range(-0.1..0.1);
            let value: f64 = if action == "action_stop" { base } else { (base + noise).clamp(0.0, 1.0) };
            // The values have a finer resolution than requested, so that few are equal.
            (action.clone(), json!((value * 100.0).round() / 10.0))
        })
        .collect();
    json!({ "values": values }).to_string()
}

/// The situation of a persona before a choice.
struct Moment<'a> {
    persona: &'a Persona,
    view: &'a View,
    inventory: Inventory,
    /// The action without any mistake.
    sensible: &'static str,
    /// The factor on all rates.
    care: f64,
}

/// Chooses the sensible action, or a mistake that fits the situation.
fn choose(moment: &Moment<'_>, rng: &mut impl Rng) -> String {
    let Moment { persona, view, sensible, .. } = *moment;
    let choice = match mistake(moment, rng) {
        Some(action) if !heeds(persona.rates.heeds_laws, action, view, rng) => action,
        _ => unstuck(sensible, view),
    };
    if view.open(choice) {
        return choice.to_owned();
    }
    alternative(view, sensible, rng)
}

/// The action of a player that makes no progress in its current position.
const ELSEWHERE: &str = "action_explore_general";

/// Replaces a sensible action that failed twice in a row by exploring.
fn unstuck(sensible: &'static str, view: &View) -> &'static str {
    let failures = view.history.iter().rev().take_while(|past| past.failed && past.action == sensible).count();
    if failures >= 2 { ELSEWHERE } else { sensible }
}

/// Chooses again after a refusal: the sensible action if it is open, else exploring if that did not just fail, else any
/// open action.
fn alternative(view: &View, sensible: &str, rng: &mut impl Rng) -> String {
    let just_failed = view.history.last().is_some_and(|past| past.failed && past.action == ELSEWHERE);
    let elsewhere = (!just_failed).then_some(ELSEWHERE);
    if let Some(other) = [sensible].into_iter().chain(elsewhere).find(|action| view.open(action)) {
        return other.to_owned();
    }
    let open: Vec<&String> =
        view.actions.iter().filter(|action| view.open(action) && *action != "action_stop").collect();
    match open.len() {
        // The persona insists if it knows no other allowed action.
        0 if view.allowed.is_empty() || !view.open("action_stop") => sensible.to_owned(),
        0 => "action_stop".to_owned(),
        count => open[rng.random_range(0..count)].clone(),
    }
}

/// Returns whether a persona remembers a law about this action from its prompt. More laws make it less reliable.
fn heeds(rate: Rate, action: &str, view: &View, rng: &mut impl Rng) -> bool {
    if rate.0 == 0.0 {
        return false;
    }
    // The object of the action: `iron`, `ore`.
    let words: Vec<&str> = action.trim_start_matches("action_").split('_').skip(1).collect();
    let mentioned = view.laws.iter().any(|law| law.contains(action) || words.iter().all(|word| law.contains(word)));
    let reliability = rate.0 * (-(view.laws.len() as f64) / 30.0).exp();
    mentioned && rng.random_bool(reliability)
}

/// Draws a mistake that is possible in this state, or a habit.
fn mistake<'a>(moment: &Moment<'a>, rng: &mut impl Rng) -> Option<&'a str> {
    let Moment { persona, view, inventory, sensible, care } = *moment;
    let rates = &persona.rates;
    let last = view.history.last();
    let mut candidates: Vec<(&str, f64)> = Vec::new();
    match sensible {
        "action_equip_wood_pickaxe" => candidates.push(("action_mine_stone", rates.wrong_tool.0)),
        "action_equip_stone_pickaxe" => candidates.push(("action_mine_iron_ore", rates.wrong_tool.0)),
        "action_equip_iron_pickaxe" => candidates.push(("action_mine_diamond", rates.wrong_tool.0)),
        "action_explore_diamond_down" => candidates.push(("action_mine_diamond", rates.wrong_tool.0 / 2.0)),
        _ => {}
    }
    if matches!(sensible, "action_mine_stone" | "action_mine_log" | "action_craft_planks" | "action_craft_stick") {
        let early = if !view.holds("obs_has_wood_pickaxe") {
            "action_craft_wooden_pickaxe"
        } else if !view.holds("obs_has_stone_pickaxe") {
            "action_craft_stone_pickaxe"
        } else if inventory[Furnace] == 0 && !view.holds("obs_near_furnace") {
            "action_craft_furnace"
        } else {
            "action_craft_iron_pickaxe"
        };
        candidates.push((early, rates.early_craft.0));
    }
    if matches!(sensible, "action_mine_iron_ore" | "action_mine_coal" | "action_place_furnace") {
        candidates.push(("action_smelt_iron", rates.early_smelt.0));
    }
    if matches!(sensible, "action_smelt_iron") && inventory[IronIngot] < 3 {
        candidates.push(("action_craft_iron_pickaxe", rates.early_craft.0));
    }
    if let Some(basic) = last.and_then(|past| basic(&past.action))
        && basic != sensible
    {
        candidates.push((basic, rates.repeats.0));
    }
    if inventory[Plank] >= 2 && inventory[Stick] >= 2 && sensible != "action_craft_stick" {
        candidates.push(("action_craft_stick", rates.redundant.0));
    }
    let habits = persona.habits.iter();
    candidates.extend(habits.filter_map(|habit| Some((habit.action(sensible, view, &inventory)?, habit.rate.0))));
    candidates
        .into_iter()
        .filter(|(action, _)| !last.is_some_and(|past| past.failed && past.action == *action) || care >= 1.0)
        .find(|(_, rate)| rng.random_bool(rate * care))
        .map(|(action, _)| action)
}

/// Returns the actions that a persona tends to repeat.
fn basic(action: &str) -> Option<&'static str> {
    ["action_mine_log", "action_mine_stone", "action_craft_planks", "action_mine_coal"]
        .into_iter()
        .find(|basic| *basic == action)
}

/// Returns a name close to the right one that does not exist.
fn invented(action: &str) -> String {
    match action {
        "action_mine_log" => "action_mine_wood".to_owned(),
        "action_mine_stone" => "action_mine_cobblestone".to_owned(),
        "action_craft_planks" => "action_craft_wooden_planks".to_owned(),
        "action_craft_stick" => "action_make_sticks".to_owned(),
        "action_smelt_iron" => "action_smelt_iron_ore".to_owned(),
        "action_explore_diamond_down" => "action_dig_down".to_owned(),
        other => match other.split_once("_equip_") {
            Some((_, tool)) => format!("action_use_{tool}"),
            None => format!("{other}_now"),
        },
    }
}

/// Returns an answer that is not an action.
fn garbled(action: &str, rng: &mut impl Rng) -> String {
    match rng.random_range(0..3) {
        0 => format!("I think the best way forward is to {}.", plain(action)),
        1 => format!("{{\"thought\": \"I will {}\", \"action\": \"acti", plain(action)),
        _ => String::new(),
    }
}

fn plain(action: &str) -> String {
    action.trim_start_matches("action_").replace('_', " ")
}

/// Writes a sentence of inner monologue.
fn thought(action: &str, view: &View) -> String {
    match view.history.last() {
        Some(past) if past.failed => {
            format!("{} did not work. I will {} now.", capital(&plain(&past.action)), plain(action))
        }
        _ => format!("The next thing to do is to {}.", plain(action)),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
