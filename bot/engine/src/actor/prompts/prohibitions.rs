//! Writes laws as prohibitions in English, for prompts with laws (Safety Chip's `NL constraints` baseline).
//!
//! A sentence comes from the law's formula. The law's explanation may state a fact that implies no action ("Planks are
//! made of logs.").

use ltlcrit_model::answer::cut;
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{Formula, GuardedLaw, Law, Vocabulary};

use super::{MAX_QUOTE, one_line, quoted};

/// The maximum length of a prohibition, in bytes.
const MAX_PROHIBITION: usize = 2 * MAX_QUOTE;

/// Writes a law as a prohibition, with its explanation as the reason.
///
/// `G(!(obs_a | obs_b) -> X !action_c)` becomes "Never take action_c unless obs_a or obs_b."
pub(super) fn prohibition(law: &Law, vocabulary: &Vocabulary) -> String {
    let sentences = match recognise_all(&law.formula, vocabulary) {
        Ok(laws) => laws.iter().map(|law| guarded(law, vocabulary)).collect::<Vec<_>>().join(" "),
        Err(_) => other(&law.formula),
    };
    let sentences = one_line(&sentences, MAX_PROHIBITION);
    match law.explanation.trim() {
        "" => sentences,
        reason => format!("{sentences} Reason: {}", quoted(reason)),
    }
}

/// Writes a law about the next action.
fn guarded(law: &GuardedLaw, vocabulary: &Vocabulary) -> String {
    let allowed = law.allows(vocabulary);
    let (may, must_not): (Vec<&str>, Vec<&str>) = {
        let (may, must_not): (Vec<_>, Vec<_>) = vocabulary.action_ids().partition(|action| allowed.contains(*action));
        let names = |actions: Vec<_>| actions.into_iter().map(|action| vocabulary.action_name(action)).collect();
        (names(may), names(must_not))
    };
    let condition = condition(&law.guard);
    if may.is_empty() {
        return format!("Never take any action{condition}.");
    }
    if must_not.len() <= may.len() {
        return format!("Never take {}{condition}.", listed(&must_not));
    }
    format!("Never take any other action than {}{condition}.", listed(&may))
}

/// Joins names: `a`, `a or b`, `a, b or c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

/// Writes the condition of a prohibition, in the form with fewer negations. Of two equally simple forms, prefers the
/// conjunction.
fn condition(guard: &Formula) -> String {
    if *guard == Formula::True {
        return String::new();
    }
    let (holds, fails) = (normal(guard, true), normal(guard, false));
    let (one, other) = (negations(&holds), negations(&fails));
    if other < one || (other == one && matches!(holds, Formula::Or(..))) {
        format!(" unless {}", literals(&fails))
    } else {
        format!(" while {}", literals(&holds))
    }
}

/// Returns the negation normal form of a formula if `holds`, or else of its negation. Subformulas with other operators
/// than and, or, not stay as they are.
fn normal(formula: &Formula, holds: bool) -> Formula {
    use Formula::{And, Implies, Not, Or};
    match formula {
        Not(a) => normal(a, !holds),
        And(a, b) if holds => normal(a, true).and(normal(b, true)),
        And(a, b) => normal(a, false).or(normal(b, false)),
        Or(a, b) if holds => normal(a, true).or(normal(b, true)),
        Or(a, b) => normal(a, false).and(normal(b, false)),
        Implies(a, b) if holds => normal(a, false).or(normal(b, true)),
        Implies(a, b) => normal(a, true).and(normal(b, false)),
        other if holds => other.clone(),
        other => other.clone().not(),
    }
}

fn negations(formula: &Formula) -> usize {
    match formula {
        Formula::Not(_) => 1,
        Formula::And(a, b) | Formula::Or(a, b) => negations(a) + negations(b),
        _ => 0,
    }
}

/// Writes a formula in negation normal form.
fn literals(formula: &Formula) -> String {
    use Formula::{And, Not, Or};
    let part = |part: &Formula, is_alike: bool| match part {
        And(..) | Or(..) if !is_alike => format!("({})", literals(part)),
        part => literals(part),
    };
    match formula {
        And(a, b) => [a, b].map(|it| part(it.as_ref(), matches!(**it, And(..)))).join(" and "),
        Or(a, b) => [a, b].map(|it| part(it.as_ref(), matches!(**it, Or(..)))).join(" or "),
        Not(a) => format!("not {}", words(a)),
        other => words(other),
    }
}

/// Writes a law that is not about the next action alone.
fn other(formula: &Formula) -> String {
    use Formula::{Finally, Globally, Implies, Not, WeakUntil};
    match formula {
        Globally(inner) => match &**inner {
            Not(never) => return format!("Never let this happen: {}.", words(never)),
            Implies(when, then) => {
                if let Finally(owed) = &**then {
                    let (when, owed) = (words(when), words(owed));
                    return format!("Never end the run without {owed} after (or together with) {when}.");
                }
            }
            _ => {}
        },
        Finally(owed) => return format!("Never end the run before this has happened: {}.", words(owed)),
        WeakUntil(before, after) => {
            if let Not(never) = &**before {
                return format!("Never let this happen before {}: {}.", words(after), words(never));
            }
        }
        _ => {}
    }
    format!("Never break this rule: {}.", words(formula))
}

/// Writes a formula in words. The length is bounded, because a law may come from anywhere.
fn words(formula: &Formula) -> String {
    use Formula::*;
    let text = match formula {
        True => "true".to_owned(),
        False => "false".to_owned(),
        Atom(name) => name.to_string(),
        Not(a) => format!("not {}", grouped(a)),
        And(a, b) => format!("{} and {}", grouped(a), grouped(b)),
        Or(a, b) => format!("{} or {}", grouped(a), grouped(b)),
        Implies(a, b) => format!("if {} then {}", grouped(a), grouped(b)),
        Iff(a, b) => format!("{} exactly if {}", grouped(a), grouped(b)),
        Xor(a, b) => format!("either {} or {}, not both", grouped(a), grouped(b)),
        Next(a) => format!("after the next action, if there is one, {}", grouped(a)),
        StrongNext(a) => format!("there is a next action and after it {}", grouped(a)),
        Globally(a) => format!("from now on always {}", grouped(a)),
        Finally(a) => format!("now or later {}", grouped(a)),
        Until(a, b) => format!("{} until {}, which must come", grouped(a), grouped(b)),
        WeakUntil(a, b) => format!("{} until {}, or for ever", grouped(a), grouped(b)),
        Release(a, b) => format!("{} up to and including {}, or for ever", grouped(b), grouped(a)),
        StrongRelease(a, b) => format!("{} up to and including {}, which must come", grouped(b), grouped(a)),
        FinallyWithin(bound, a) => format!("now or within {bound} actions {}", grouped(a)),
        GloballyWithin(bound, a) => format!("now and for {bound} actions {}", grouped(a)),
        AtLeast(count, a) => format!("from now on at least {count} times {}", grouped(a)),
        AtMost(count, a) => format!("from now on at most {count} times {}", grouped(a)),
        Yesterday(a) => format!("there was an action before and before it {}", grouped(a)),
        WeakYesterday(a) => format!("before the last action, if there was one, {}", grouped(a)),
        Once(a) => format!("now or earlier {}", grouped(a)),
        Historically(a) => format!("up to now always {}", grouped(a)),
        Since(a, b) => format!("{} since {}, which must have come", grouped(a), grouped(b)),
    };
    cut(&text, MAX_PROHIBITION)
}

/// Writes a part of a formula in words, in parentheses unless it is a name.
fn grouped(formula: &Formula) -> String {
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => words(formula),
        formula => format!("({})", words(formula)),
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::vocabulary;

    use super::*;

    fn told(formula: &str, explanation: &str) -> String {
        prohibition(&Law::hard("law", formula.parse().unwrap(), explanation), &vocabulary())
    }

    #[test]
    fn facts_become_prohibitions() {
        for (formula, expected) in [
            ("G(!obs_has_log -> X !action_craft_planks)", "Never take action_craft_planks unless obs_has_log."),
            (
                "G(!(obs_wood_pickaxe_equipped | obs_stone_pickaxe_equipped) -> X !action_mine_stone)",
                "Never take action_mine_stone unless obs_wood_pickaxe_equipped or obs_stone_pickaxe_equipped.",
            ),
            (
                "G(!(obs_coal_in_chunk & (obs_has_log | obs_has_plank)) -> X !action_mine_coal)",
                "Never take action_mine_coal unless obs_coal_in_chunk and (obs_has_log or obs_has_plank).",
            ),
            (
                "G(!obs_has_wood_pickaxe | obs_wood_pickaxe_equipped -> X !action_equip_wood_pickaxe)",
                "Never take action_equip_wood_pickaxe unless obs_has_wood_pickaxe and not obs_wood_pickaxe_equipped.",
            ),
            (
                "G(obs_low_health & obs_lava_near -> X(!action_mine_coal & !action_mine_stone))",
                "Never take action_mine_stone or action_mine_coal while obs_low_health and obs_lava_near.",
            ),
            (
                "G(obs_has_log & !obs_has_plank -> X action_craft_planks)",
                "Never take any other action than action_craft_planks while obs_has_log and not obs_has_plank.",
            ),
            ("G X !action_mine_coal", "Never take action_mine_coal."),
            ("G(obs_has_log -> X false)", "Never take any action while obs_has_log."),
        ] {
            assert_eq!(told(formula, ""), expected, "{formula}");
        }
        assert_eq!(
            told("G(!obs_has_log -> X !action_craft_planks)", "Planks are \"made\"\nof logs."),
            "Never take action_craft_planks unless obs_has_log. Reason: \"Planks are \\\"made\\\"\\nof logs.\""
        );
    }

    #[test]
    fn other_laws_are_put_into_words() {
        for (formula, expected) in [
            ("G !obs_lava_near", "Never let this happen: obs_lava_near."),
            (
                "G(obs_has_log -> F obs_has_plank)",
                "Never end the run without obs_has_plank after (or together with) obs_has_log.",
            ),
            ("F obs_has_plank", "Never end the run before this has happened: obs_has_plank."),
            ("!obs_has_plank W obs_has_log", "Never let this happen before obs_has_log: obs_has_plank."),
            (
                "G(obs_has_log -> X[!] (obs_has_plank & !obs_has_fuel))",
                "Never break this rule: from now on always (if obs_has_log then (there is a next action and after it \
                 (obs_has_plank and (not obs_has_fuel)))).",
            ),
            ("obs_has_log U obs_has_fuel", "Never break this rule: obs_has_log until obs_has_fuel, which must come."),
        ] {
            assert_eq!(told(formula, ""), expected, "{formula}");
        }
    }

    #[test]
    fn every_shipped_law_is_a_bounded_prohibition() {
        for name in ltlcrit_laws::shipped_names() {
            let book = ltlcrit_laws::shipped(name).unwrap();
            for law in book.laws_in_force() {
                let told = prohibition(&law, &vocabulary());
                assert!(told.starts_with("Never ") && told.len() < 3 * MAX_QUOTE + 20, "{told}");
            }
        }
        let long = format!("G({} -> F obs_has_log)", vec!["(obs_has_log xor obs_has_plank)"; 200].join(" xor "));
        assert!(told(&long, &"x\n".repeat(10_000)).len() < 5 * MAX_QUOTE);
    }
}
