//! Renders formulas in English, without a model.
//!
//! Instances of the [patterns](crate::pattern) become sentences that the lexical engine reads as the same law. Every
//! other formula is rendered operator by operator.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use ltlcrit_verifier::Formula;

use crate::lexical::Lexical;
use crate::pattern::Pattern;
use crate::recognise::recognise;
use crate::words::{is_in, tokens};

/// Renders formulas in English over the lexicon of an engine.
pub struct English<'a> {
    engine: &'a Lexical<'a>,
    known: RefCell<HashMap<Arc<str>, String>>,
}

impl<'a> English<'a> {
    /// Creates a renderer.
    pub fn new(engine: &'a Lexical<'a>) -> Self {
        Self { engine, known: RefCell::default() }
    }

    /// Renders a formula, with one sentence for each law in its conjunction.
    pub fn read(&self, formula: &Formula) -> String {
        let is_action = |name: &str| self.engine.lexicon().is_action(name);
        let sentences: Option<Vec<String>> =
            recognise(formula, &is_action).and_then(|all| all.iter().map(|pattern| self.pattern(pattern)).collect());
        let text = sentences.map_or_else(|| self.general(formula), |all| all.join("; "));
        let mut letters = text.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", letters.as_str())
    }

    fn pattern(&self, pattern: &Pattern) -> Option<String> {
        let say = |condition: &Formula| self.condition(condition);
        let so = |condition: &Formula| self.so_that(condition);
        Some(match pattern {
            Pattern::Never(c) => format!("it must never {}", so(c)?),
            Pattern::Always(c) => format!("it must always {}", so(c)?),
            Pattern::Eventually(c) => format!("at some time it must {}", so(c)?),
            Pattern::Sequence(all) => {
                let steps: Option<Vec<String>> = all.iter().map(|one| Some(format!("it must {}", so(one)?))).collect();
                format!("first {}", steps?.join(", and then "))
            }
            Pattern::Count { of, least, most } => {
                let times = |bound: &str, n: u32| {
                    let times = if n == 1 { "once".to_owned() } else { format!("{n} times") };
                    Some(format!("it must {} {bound} {times}", so(of)?))
                };
                match (*least, *most) {
                    (least, None) => times("at least", least)?,
                    (0, Some(most)) => times("at most", most)?,
                    (least, Some(most)) if least == most => times("exactly", most)?,
                    (least, Some(most)) => format!("{}; {}", times("at least", least)?, times("at most", most)?),
                }
            }
            Pattern::Precedence { late, first } => format!("it must not {} until {}", so(late)?, say(first)?),
            Pattern::Until { holds, end } => format!("it must {} until {}", so(holds)?, say(end)?),
            Pattern::Response { trigger, answer, once } => {
                let when = if *once { "once" } else { "whenever" };
                format!("{when} {}, it must at that time or later {}", say(trigger)?, so(answer)?)
            }
            Pattern::Next { trigger, answer, is_forbidden } => {
                let not = if *is_forbidden { " not" } else { "" };
                format!("whenever {}, it must{not} at the next step {}", say(trigger)?, so(answer)?)
            }
            Pattern::After { trigger, never } => {
                format!("once {}, it must never {} from then on", say(trigger)?, so(never)?)
            }
            Pattern::While { state, what, is_forbidden } => {
                let not = if *is_forbidden { " not" } else { "" };
                format!("while {}, it must{not} {}", say(state)?, so(what)?)
            }
        })
    }

    /// Renders an embedded clause: "be so that the door is open", "be false that the door is open".
    fn so_that(&self, formula: &Formula) -> Option<String> {
        match formula {
            Formula::Not(inner) if matches!(**inner, Formula::Atom(_)) => {
                Some(format!("be false that {}", self.condition(inner)?))
            }
            other => Some(format!("be so that {}", self.condition(other)?)),
        }
    }

    /// Renders a condition as clauses; `None` if a mix of "and" and "or" is ambiguous.
    fn condition(&self, formula: &Formula) -> Option<String> {
        match formula {
            Formula::Or(..) if self.engine.lexicon().class(formula).is_some() => self.literal(formula),
            Formula::And(..) => self.several(formula, true),
            Formula::Or(..) => self.several(formula, false),
            _ => self.literal(formula),
        }
    }

    fn several(&self, formula: &Formula, and: bool) -> Option<String> {
        fn parts<'f>(formula: &'f Formula, and: bool, into: &mut Vec<&'f Formula>) {
            match formula {
                Formula::And(a, b) if and => [a, b].into_iter().for_each(|part| parts(part, and, into)),
                Formula::Or(a, b) if !and => [a, b].into_iter().for_each(|part| parts(part, and, into)),
                other => into.push(other),
            }
        }
        let mut all = Vec::new();
        parts(formula, and, &mut all);
        // Denied parts come last, so that the denial does not seem to extend to the others.
        all.sort_by_key(|part| matches!(part, Formula::Not(_)));
        let said: Option<Vec<String>> = all.into_iter().map(|part| self.literal(part)).collect();
        let said = said.filter(|said| said.len() <= 4)?;
        Some(said.join(if and { " and " } else { " or " }))
    }

    fn literal(&self, formula: &Formula) -> Option<String> {
        let named = |formula: &Formula| match formula {
            Formula::Atom(name) => Some(self.clause(name)),
            other => self.engine.lexicon().class(other).map(|name| self.clause(name)),
        };
        match formula {
            Formula::Not(inner) => Some(format!("it is false that {}", named(inner)?)),
            other => named(other),
        }
    }

    /// Renders a proposition as a clause that the engine grounds only to it.
    pub fn clause(&self, name: &Arc<str>) -> String {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let clause = self.find_clause(name);
        self.known.borrow_mut().insert(name.clone(), clause.clone());
        clause
    }

    fn find_clause(&self, name: &Arc<str>) -> String {
        let Some(term) = self.engine.lexicon().term(name) else { return format!("`{name}` holds") };
        let cut = |text: &str, marks: &[&str]| {
            let end = marks.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
            text[..end].trim().to_owned()
        };
        let marks = [",", ":", ";", "."];
        let ends = [",", ":", ";", ".", " of ", " in sight", " beside ", " or "];
        let words =
            name.strip_prefix("obs_").or_else(|| name.strip_prefix("action_")).unwrap_or(name).replace('_', " ");
        let words = words.strip_prefix("has ").map_or(words.clone(), |rest| format!("you have {rest}"));
        let mut texts = vec![cut(&term.meaning, &marks)];
        texts.extend(term.phrases.iter().map(ToString::to_string));
        texts.push(cut(&term.meaning, &ends));
        texts.push(words);
        for text in texts {
            let mut letters = text.chars();
            let lower =
                letters.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default() + letters.as_str();
            let clause = if term.is_action { format!("you {lower}") } else { lower };
            let is_plain = !tokens(&clause).iter().any(|token| is_in("unclear", &token.text) || token.is("."));
            if is_plain && self.engine.clause(&clause) == [Formula::Atom(name.clone())] {
                return clause;
            }
        }
        format!("`{name}` {}", if term.is_action { "happens" } else { "holds" })
    }

    /// Renders any formula, operator by operator.
    fn general(&self, formula: &Formula) -> String {
        use Formula::*;
        let one = |inner: &Formula| match inner {
            Atom(_) | True | False => self.general(inner),
            Not(not) if matches!(**not, Atom(_)) => self.general(inner),
            _ => format!("({})", self.general(inner)),
        };
        match formula {
            True => "anything".to_owned(),
            False => "nothing at all".to_owned(),
            Atom(name) => self.clause(name),
            Not(a) => format!("it is false that {}", one(a)),
            And(a, b) => format!("{} and {}", one(a), one(b)),
            Or(a, b) => format!("{} or {}", one(a), one(b)),
            Implies(a, b) => format!("if {}, then {}", one(a), one(b)),
            Iff(a, b) => format!("{} exactly if {}", one(a), one(b)),
            Xor(a, b) => format!("either {} or {}, not both", one(a), one(b)),
            Next(a) => format!("at the next step, if there is one, {}", one(a)),
            StrongNext(a) => format!("there is a next step, and there {}", one(a)),
            Globally(a) => format!("from now on always {}", one(a)),
            Finally(a) => format!("now or later {}", one(a)),
            Until(a, b) => format!("{} until {}, which comes", one(a), one(b)),
            WeakUntil(a, b) => format!("{} until {}, or to the end", one(a), one(b)),
            Release(a, b) => format!("{} up to and including when {}, or to the end", one(b), one(a)),
            StrongRelease(a, b) => format!("{} up to and including when {}, which comes", one(b), one(a)),
            FinallyWithin(bound, a) => format!("now or within {bound} steps {}", one(a)),
            GloballyWithin(bound, a) => format!("now and for {bound} steps {}", one(a)),
            AtLeast(count, a) => format!("from now on at least {count} times {}", one(a)),
            AtMost(count, a) => format!("from now on at most {count} times {}", one(a)),
            Yesterday(a) => format!("there was a step before, and there {}", one(a)),
            WeakYesterday(a) => format!("at the step before, if there was one, {}", one(a)),
            Once(a) => format!("now or earlier {}", one(a)),
            Historically(a) => format!("up to now always {}", one(a)),
            Since(a, b) => format!("{} since {}, which came", one(a), one(b)),
        }
    }
}
