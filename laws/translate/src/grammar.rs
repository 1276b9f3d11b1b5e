//! The grammar: finds all readings of one segment.

use crate::clause::{Clause, clauses, so_that};
use crate::combine::{Demand, Reading, alone, conditional};
use crate::condition::{completed, conditions, with_exception};
use crate::connective::{Connective, splits};
use crate::frames::Aspect;
use crate::index::{Index, NounId};
use crate::main_clause::{Force, MainClause, Time, take_bound};
use crate::parse::Parse;
use crate::pattern::Pattern;
use crate::words::{Token, begins, table};

/// A parser over a lexicon.
pub(crate) struct Grammar<'a> {
    pub index: &'a Index<'a>,
}

/// Maximum number of words in a main clause.
const MAX_WORDS: usize = 80;

impl<'a> Grammar<'a> {
    /// Creates a parser for one sentence.
    pub fn new(index: &'a Index<'a>, sentence: &[Token]) -> Self {
        index.begin(sentence);
        Self { index }
    }

    fn is_action(&self) -> impl Fn(&str) -> bool + '_ {
        |name: &str| self.index.lexicon().is_action(name)
    }

    /// Returns all readings of a segment, without duplicate formulas. `before` is the main clause of the previous
    /// segment, whose verb may be omitted.
    pub fn parses(&self, tokens: &[Token], before: Option<&Parse>) -> Vec<Parse> {
        let mentioned = before.map_or(&[][..], |parse| parse.nouns.as_slice());
        let mut found: Vec<Parse> = Vec::new();
        if !self.index.spend(tokens.len()) {
            return found;
        }
        let add = |found: &mut Vec<Parse>, parses: Vec<Parse>| {
            for parse in parses {
                if !found.iter().any(|known| known.formula == parse.formula) {
                    found.push(parse);
                }
            }
        };
        add(&mut found, self.sequences(tokens, mentioned));
        for split in splits(tokens) {
            // Pronouns in the second clause refer to nouns of the first one.
            let is_first = split.subordinate.as_ptr() < split.main.as_ptr();
            let parses = self.conditional(split.main, split.connective, split.subordinate, is_first, mentioned);
            add(&mut found, parses);
        }
        add(&mut found, self.alone(tokens, mentioned));
        if found.is_empty()
            && let Some(before) = before
        {
            for length in 1..=before.main.len() {
                let words = [&before.main[..length], tokens].concat();
                add(&mut found, self.alone(&words, mentioned));
                if !found.is_empty() {
                    break;
                }
            }
        }
        found
    }

    /// Returns the readings of the main clause with those of its content.
    fn mains(&self, tokens: &[Token], mentioned: &[NounId]) -> Vec<(MainClause, Clause)> {
        let mut found = Vec::new();
        if tokens.len() > MAX_WORDS || !self.index.spend(tokens.len()) {
            return found;
        }
        let main = MainClause::new(tokens);
        for main in main.iter() {
            if let Some((holds, rest)) = so_that(&main.tokens) {
                let whole = |when: Clause| Clause {
                    is_perfect: when.is_perfect,
                    nouns: when.nouns.clone(),
                    grounded: when.grounded.clone(),
                    ..Clause::of(if holds { when.formula() } else { when.formula().not() })
                };
                let found_here = conditions(self.index, rest, mentioned, None, None);
                found.extend(found_here.into_iter().map(|when| (main.clone(), whole(when))));
                continue;
            }
            found.extend(clauses(self.index, &main.tokens, mentioned).into_iter().map(|clause| (main.clone(), clause)));
        }
        if found.is_empty() {
            found.extend(self.counted(tokens, mentioned));
        }
        found
    }

    /// Reads the number of a created thing as a number of times: "craft at most 1 furnace".
    fn counted(&self, tokens: &[Token], mentioned: &[NounId]) -> Vec<(MainClause, Clause)> {
        let mut found = Vec::new();
        for at in 0..tokens.len() {
            let mut words = tokens.to_vec();
            let Some(number) = words.remove(at).number() else { continue };
            let Some(times) = take_bound(&mut words, at, number) else { continue };
            let Some(mut main) = MainClause::new(&words).filter(|main| main.times.is_none()) else { continue };
            main.times = Some(times);
            for clause in clauses(self.index, &main.tokens, mentioned) {
                let is_action = self.is_action();
                let actions = clause.items.iter().all(|item| item.atoms().iter().all(|atom| is_action(atom)));
                if actions && !clause.is_negated {
                    found.push((main.clone(), clause));
                }
            }
        }
        found
    }

    fn alone(&self, tokens: &[Token], mentioned: &[NounId]) -> Vec<Parse> {
        let mut found = Vec::new();
        for (main, clause) in self.mains(tokens, mentioned) {
            let Some(demand) = Demand::new(&main, &clause) else { continue };
            let readings = alone(&main, &demand);
            found.extend(readings.into_iter().filter_map(|reading| self.parse(reading, &main, [&clause], &[])));
        }
        found
    }

    fn parse<const N: usize>(
        &self,
        reading: Reading,
        main: &MainClause,
        clauses: [&Clause; N],
        more: &[(String, std::sync::Arc<str>)],
    ) -> Option<Parse> {
        let mut parse = Parse::new(reading, &self.is_action())?;
        // An ellipsis after "never touch the stove" may include "never" or not.
        parse.main = if main.force == Force::Oblige { main.tokens.clone() } else { Vec::new() };
        parse.grounded = more.to_vec();
        for clause in clauses {
            parse.grounded.extend(clause.grounded.iter().cloned());
            parse.nouns.extend(clause.nouns.iter().copied());
        }
        Some(parse)
    }

    fn conditional(
        &self,
        main: &[Token],
        connective: Connective,
        subordinate: &[Token],
        is_first: bool,
        mentioned: &[NounId],
    ) -> Vec<Parse> {
        let mut found = Vec::new();
        if is_first {
            for when in self.subordinate(subordinate, connective, None, mentioned) {
                let known = [mentioned, &when.nouns].concat();
                // Nouns of the condition are nearer than those of another segment.
                for (main, clause) in self.nearest(main, &when.nouns, &known) {
                    found.extend(self.combined(&main, &clause, connective, &when));
                }
            }
            return found;
        }
        for (main, clause) in self.mains(main, mentioned) {
            let known = [mentioned, &clause.nouns].concat();
            let left_out = matches!(
                connective,
                Connective::Before
                    | Connective::Until
                    | Connective::Once
                    | Connective::OnlyAfter
                    | Connective::RightAfter
            );
            let left_out = left_out.then_some(main.tokens.as_slice());
            let mut when = self.subordinate(subordinate, connective, left_out, &clause.nouns);
            if when.is_empty() {
                when = self.subordinate(subordinate, connective, left_out, &known);
            }
            // "Go to b after going to a": visit both in this order, or visit b whenever a.
            let is_sequence = connective == Connective::Once
                && main.force == Force::Oblige
                && subordinate.first().is_some_and(|verb| verb.text.ends_with("ing"));
            for when in when {
                found.extend(self.combined(&main, &clause, connective, &when));
                let both = vec![Pattern::Sequence(vec![when.formula(), clause.formula()])];
                found.extend(is_sequence.then(|| self.parse(both, &main, [&clause], &when.grounded)).flatten());
            }
        }
        found
    }

    /// Parses a subordinate clause.
    fn subordinate(
        &self,
        tokens: &[Token],
        connective: Connective,
        left_out: Option<&[Token]>,
        mentioned: &[NounId],
    ) -> Vec<Clause> {
        let found = conditions(self.index, tokens, mentioned, Some(connective), left_out);
        match connective {
            Connective::If | Connective::While if found.is_empty() => with_exception(self.index, tokens, mentioned),
            Connective::Without if found.is_empty() => {
                // "without fuel" is "without having fuel".
                let verb = Token { text: "have".to_owned(), span: 0..0, is_name: false };
                conditions(self.index, &[&[verb], tokens].concat(), mentioned, Some(connective), None)
            }
            _ => found,
        }
    }

    fn nearest(&self, main: &[Token], near: &[NounId], all: &[NounId]) -> Vec<(MainClause, Clause)> {
        let found = self.mains(main, near);
        if found.is_empty() { self.mains(main, all) } else { found }
    }

    fn combined(&self, main: &MainClause, clause: &Clause, connective: Connective, when: &Clause) -> Vec<Parse> {
        let Some(demand) = Demand::new(main, clause) else { return Vec::new() };
        // "Don't touch it if it is on" is about the moment. The observation of a touch lasts, so a law over it would
        // forbid switching the thing on.
        let is_act = demand.clause.aspect == Aspect::Event;
        let is_forbidden = demand.force == Force::Forbid || main.is_only || connective == Connective::OnlyIf;
        let comes_later = matches!(connective, Connective::Until | Connective::Before | Connective::OnlyAfter);
        if is_act
            && is_forbidden
            && !comes_later
            && clause.nouns.iter().any(|noun| when.nouns.contains(noun))
            && self.index.lasts(&demand.clause.items)
        {
            return Vec::new();
        }
        let readings = conditional(main, &demand, connective, when);
        let parse = |reading| {
            let mut parse = self.parse(reading, main, [clause], &when.grounded)?;
            parse.nouns.extend(when.nouns.iter().copied());
            Some(parse)
        };
        readings.into_iter().filter_map(parse).collect()
    }

    /// Reads sequences such as "visit a and then b".
    fn sequences(&self, tokens: &[Token], mentioned: &[NounId]) -> Vec<Parse> {
        let Some(steps) = steps(tokens) else { return Vec::new() };
        // The steps so far, and the main clause from which the next may take its verb.
        let mut all: Vec<(Vec<Clause>, Vec<Token>)> = vec![Default::default()];
        for (at, step) in steps.iter().enumerate() {
            let is_good = |main: &MainClause, clause: &Clause| {
                main.force == Force::Oblige
                    && main.times.is_none()
                    && !(main.is_only || main.is_again)
                    && (main.time.is_none() || main.time == Some(Time::First) && at == 0)
                    && clause.aspect != Aspect::Maintained
                    && clause.items.len() == 1
            };
            let mut longer = Vec::new();
            for (before, main) in &all {
                let known: Vec<NounId> = before.iter().flat_map(|step| &step.nouns).chain(mentioned).copied().collect();
                let good = self.mains(step, &known).into_iter().filter(|(main, clause)| is_good(main, clause));
                let mut next: Vec<(Clause, Vec<Token>)> = good.map(|(main, clause)| (clause, main.tokens)).collect();
                if next.is_empty() && at > 0 {
                    let left_out = completed(self.index, step, main, &known);
                    next = left_out.into_iter().map(|step| (step, main.clone())).collect();
                }
                longer.extend(next.into_iter().map(|(step, main)| ([before.as_slice(), &[step]].concat(), main)));
            }
            all = longer;
        }
        let parse = |(steps, main): (Vec<Clause>, Vec<Token>)| {
            let formulas = steps.iter().map(Clause::formula).collect();
            let grounded = steps.iter().flat_map(|step| step.grounded.clone()).collect();
            let nouns = steps.iter().flat_map(|step| step.nouns.clone()).collect();
            let parse = Parse::new(vec![Pattern::Sequence(formulas)], &self.is_action())?;
            Some(Parse { grounded, nouns, main, ..parse })
        };
        all.into_iter().filter_map(parse).collect()
    }
}

/// Returns the steps of a sequence, if there are several.
fn steps(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let mut steps = vec![Vec::new()];
    let mut from = 0;
    while from < tokens.len() {
        let step = table("steps").iter().find_map(|(phrase, _)| begins(&tokens[from..], phrase));
        match step.filter(|length| from > 0 && from + length < tokens.len()) {
            Some(length) => {
                if let Some(last) = steps.last_mut() {
                    while last.last().is_some_and(|token: &Token| token.is(",") || token.is("and")) {
                        last.pop();
                    }
                }
                steps.push(Vec::new());
                from += length;
            }
            None => {
                if let Some(last) = steps.last_mut() {
                    last.push(tokens[from].clone());
                }
                from += 1;
            }
        }
    }
    (steps.len() > 1 && steps.iter().all(|step| !step.is_empty())).then_some(steps)
}
