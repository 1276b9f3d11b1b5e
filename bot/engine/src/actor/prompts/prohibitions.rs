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
    let condition = Condition::of(&law.guard);
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

/// The condition of a prohibition.
enum Condition {
    Always,
    While(Literals),
    Unless(Literals),
}

impl Condition {
    /// Returns the form with fewer negations. Of two equally simple forms, prefers the conjunction.
    fn of(guard: &Formula) -> Self {
        if *guard == Formula::True {
            return Self::Always;
        }
        let (holds, fails) = (Literals::of(guard, true), Literals::of(guard, false));
        let (one, other) = (holds.negations(), fails.negations());
        if other < one || (other == one && matches!(holds, Literals::Any(_))) {
            Self::Unless(fails)
        } else {
            Self::While(holds)
        }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Always => Ok(()),
            Self::While(condition) => write!(f, " while {condition}"),
            Self::Unless(condition) => write!(f, " unless {condition}"),
        }
    }
}

/// A Boolean formula in negation normal form.
enum Literals {
    Name {
        name: String,
        holds: bool,
    },
    All(Vec<Literals>),
    Any(Vec<Literals>),
    /// A subformula with other operators than and, or, not; in words.
    Other(String),
}

impl Literals {
    /// Converts the formula if `holds`, or else its negation.
    fn of(formula: &Formula, holds: bool) -> Self {
        use Formula::{And, Atom, Implies, Not, Or};
        let pair = |all: bool, parts: [Self; 2]| {
            let mut flat = Vec::new();
            for part in parts {
                match part {
                    Self::All(inner) if all => flat.extend(inner),
                    Self::Any(inner) if !all => flat.extend(inner),
                    part => flat.push(part),
                }
            }
            if all { Self::All(flat) } else { Self::Any(flat) }
        };
        match formula {
            Atom(name) => Self::Name { name: name.to_string(), holds },
            Not(inner) => Self::of(inner, !holds),
            And(a, b) => pair(holds, [Self::of(a, holds), Self::of(b, holds)]),
            Or(a, b) => pair(!holds, [Self::of(a, holds), Self::of(b, holds)]),
            Implies(a, b) => pair(!holds, [Self::of(a, !holds), Self::of(b, holds)]),
            formula if holds => Self::Other(words(formula)),
            formula => Self::Other(format!("not {}", words(formula))),
        }
    }

    fn negations(&self) -> usize {
        match self {
            Self::Name { holds, .. } => usize::from(!holds),
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::negations).sum(),
            Self::Other(text) => usize::from(text.starts_with("not ")),
        }
    }
}

impl std::fmt::Display for Literals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name { name, holds: true } => f.write_str(name),
            Self::Name { name, holds: false } => write!(f, "not {name}"),
            Self::Other(text) => f.write_str(text),
            Self::All(parts) | Self::Any(parts) => {
                let word = if matches!(self, Self::All(_)) { " and " } else { " or " };
                for (position, part) in parts.iter().enumerate() {
                    let space = if position == 0 { "" } else { word };
                    match part {
                        Self::All(_) | Self::Any(_) => write!(f, "{space}({part})")?,
                        part => write!(f, "{space}{part}")?,
                    }
                }
                Ok(())
            }
        }
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
