//! Grounds clauses: from words to a state or an action over propositions.

use std::sync::Arc;

use ltlcrit_verifier::Formula;

use crate::choices::choices;
use crate::frames::{Aspect, Part, frames};
use crate::index::{Argument, Index, NounId, matches, without_subject};
use crate::noun::NounPhrase;
use crate::words::{Token, drop_before, is_form_of, is_in, is_participle};

/// The conjunction of several items in one clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Joined {
    And,
    Or,
}

impl Joined {
    pub fn join(self, parts: impl IntoIterator<Item = Formula>) -> Option<Formula> {
        parts.into_iter().reduce(|a, b| match self {
            Self::And => a.and(b),
            Self::Or => a.or(b),
        })
    }
}

/// A clause with its grounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// The states or actions, one or several.
    pub items: Vec<Formula>,
    pub joined: Joined,
    /// True if the clause denies them.
    pub is_negated: bool,
    /// True if the denial is a word of its own: "not", "no".
    pub is_explicit: bool,
    /// True if the clause describes an end: "close the fridge", "the fridge has been closed".
    pub is_end: bool,
    pub aspect: Aspect,
    /// True for a perfect: "have been in", "has been touched".
    pub is_perfect: bool,
    /// True if it lasts; "while you touch the phone" is momentary.
    pub lasts: bool,
    pub nouns: Vec<NounId>,
    /// True if the vocabulary uses the same words.
    pub is_literal: bool,
    /// Recognised expressions, each with its proposition.
    pub grounded: Vec<(String, Arc<str>)>,
}

impl Clause {
    /// Creates a state that one formula describes.
    pub fn of(formula: Formula) -> Self {
        Self {
            items: vec![formula],
            joined: Joined::And,
            is_negated: false,
            is_explicit: false,
            is_end: false,
            aspect: Aspect::State,
            is_perfect: false,
            lasts: true,
            nouns: Vec::new(),
            is_literal: true,
            grounded: Vec::new(),
        }
    }

    /// Returns the clause as a formula. "Not a or b" denies both.
    pub fn formula(&self) -> Formula {
        if self.is_negated { self.positive().not() } else { self.positive() }
    }

    /// Returns the formula without the denial, if the denial is a word of its own.
    pub fn denied(&self) -> Option<Formula> {
        (self.is_negated && self.is_explicit).then(|| self.positive())
    }

    /// Returns the formula without the negation.
    pub fn positive(&self) -> Formula {
        self.joined.join(self.items.iter().cloned()).unwrap_or(Formula::True)
    }
}

/// Maximum number of words in a clause.
const MAX_WORDS: usize = 20;
/// Maximum number of readings of a clause in one frame.
const MAX_CHOICES: usize = 64;

/// Returns all readings of a clause.
pub(crate) fn clauses(index: &Index<'_>, tokens: &[Token], mentioned: &[NounId]) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    if tokens.len() > MAX_WORDS || !index.spend(tokens.len()) {
        return found;
    }
    let Some(simple) = Simple::new(tokens) else { return found };
    let all = simple.tokens.as_slice();
    let is_actor = !all.first().is_some_and(|first| first.is("it") || first.is("they")) || index.may_act(mentioned);
    let without = if is_actor { without_subject(all) } else { all };
    for tokens in [Some(all), (without.len() < all.len()).then_some(without)].into_iter().flatten() {
        read(index, tokens, &simple, mentioned, &mut found);
    }
    // If the vocabulary has a term of its own for carrying, "carry" does not also match holding.
    if found.iter().any(|clause| clause.is_literal) {
        found.retain(|clause| clause.is_literal);
    }
    found
}

fn read(index: &Index<'_>, tokens: &[Token], simple: &Simple, mentioned: &[NounId], found: &mut Vec<Clause>) {
    let mut add = |clause: Clause| {
        // A proposition that is read as a state and as an event counts as a state.
        match found.iter_mut().find(|other| other.items == clause.items && other.is_negated == clause.is_negated) {
            Some(other) => {
                other.is_literal |= clause.is_literal;
                if other.nouns.is_empty() {
                    other.nouns.clone_from(&clause.nouns);
                }
                if clause.aspect == Aspect::State && other.aspect == Aspect::Event {
                    *other = Clause { is_literal: other.is_literal, ..clause };
                }
            }
            None => found.push(clause),
        }
    };
    let text = tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
    let clause = |joined: Joined, aspect: Aspect, is_none: bool| Clause {
        items: Vec::new(),
        joined,
        is_negated: simple.is_negated != is_none,
        is_explicit: simple.is_negated != is_none,
        aspect,
        is_perfect: simple.is_perfect,
        lasts: aspect != Aspect::Event || simple.is_perfect,
        ..Clause::of(Formula::True)
    };
    for term in index.phrase(tokens) {
        let term = &index.lexicon().terms()[term];
        let aspect = if term.is_action { Aspect::Event } else { Aspect::State };
        let (items, grounded) = (vec![Formula::Atom(term.name.clone())], vec![(text.clone(), term.name.clone())]);
        add(Clause { items, grounded, ..clause(Joined::And, aspect, false) });
    }
    for frame in frames() {
        for slots in matches(frame, tokens) {
            let Some((lists, joined, is_none)) = arguments(&slots) else { continue };
            let parts = lists.iter().flat_map(|list| frame.parts.iter().map(move |part| (list, part)));
            let candidates = |(list, part): (&List, &Part)| {
                let arguments: Option<Vec<Argument>> =
                    part.slots.iter().map(|slot| list.get(*slot).cloned().flatten()).collect();
                arguments.map_or_else(Vec::new, |it| index.ground(frame, part.sense, &it, mentioned))
            };
            let chosen = choices(parts.map(candidates), MAX_CHOICES + 1);
            // This number of readings exceeds the limit for a question to a person.
            if chosen.len() > MAX_CHOICES {
                return;
            }
            for candidates in chosen {
                let mut choice = clause(joined, frame.aspect, is_none);
                for (at, candidate) in candidates.iter().enumerate() {
                    let name = index.lexicon().terms()[candidate.term].name.clone();
                    let atom = Formula::Atom(name.clone());
                    let atom = if frame.is_negated { atom.not() } else { atom };
                    // Several parts of one frame hold at once.
                    let said = choice.items.pop_if(|_| at % frame.parts.len() > 0);
                    choice.items.push(said.map_or(atom.clone(), |said| said.and(atom)));
                    choice.nouns.extend(&candidate.nouns);
                    choice.grounded.push((text.clone(), name));
                    choice.is_literal &= candidate.is_literal;
                }
                // A single negation remains: "close" is "not open".
                let denied =
                    |item: &Formula| if let Formula::Not(inner) = item { Some((**inner).clone()) } else { None };
                if let Some(inner) = choice.items.iter().map(denied).collect::<Option<Vec<Formula>>>()
                    && (inner.len() == 1 || !choice.is_negated && joined == Joined::And)
                {
                    choice.joined = if inner.len() == 1 { joined } else { Joined::Or };
                    (choice.items, choice.is_negated) = (inner, !choice.is_negated);
                }
                let is_event = frame.aspect == Aspect::Event || simple.is_perfect;
                choice.is_end = frame.is_negated && choice.is_negated && is_event;
                add(choice);
            }
        }
    }
}

/// Splits off "it is so that", "it is the case that" or "it is false that". Returns its truth value and the remaining
/// words.
pub(crate) fn so_that(tokens: &[Token]) -> Option<(bool, &[Token])> {
    match tokens {
        [it, be, the, case, that, rest @ ..]
            if it.is("it") && is_form_of(&be.text, "be") && the.is("the") && case.is("case") && that.is("that") =>
        {
            Some((true, rest))
        }
        [it, be, so, that, rest @ ..] if it.is("it") && is_form_of(&be.text, "be") && that.is("that") => {
            let holds = so.is("so") || so.is("true");
            (holds || so.is("false")).then_some((holds, rest))
        }
        _ => None,
    }
}

type List = Vec<Option<Argument>>;

/// Parses the slots of a frame. Returns one argument list for each of several joined nouns, their conjunction, and true
/// if a noun is negated by "no".
fn arguments(slots: &[&[Token]]) -> Option<(Vec<List>, Joined, bool)> {
    let mut lists: Vec<List> = Vec::new();
    let (mut joined, mut is_none) = (Joined::And, false);
    for tokens in slots {
        if tokens.is_empty() {
            lists.push(vec![None]);
            continue;
        }
        let (pair, tokens) = match tokens {
            [both, rest @ ..] if both.is("both") => (Some(Joined::And), rest),
            [either, rest @ ..] if either.is("either") => (Some(Joined::Or), rest),
            _ => (None, *tokens),
        };
        let ands = tokens.iter().filter(|token| token.is("and")).count();
        let ors = tokens.iter().filter(|token| token.is("or") || token.is("nor")).count();
        // "3 or more planks"
        let or_more = tokens.windows(2).filter(|pair| pair[0].is("or") && pair[1].is("more")).count();
        let joins = |token: &Token| token.is("and") || token.is("or") || token.is("nor");
        let parts: Vec<&[Token]> = match (ands, ors - or_more) {
            (0, 0) => vec![tokens],
            (0, _) | (_, 0) => {
                joined = if ands == 0 { Joined::Or } else { Joined::And };
                tokens.split(joins).map(without_comma).flat_map(|part| part.split(|token| token.is(","))).collect()
            }
            _ => return None,
        };
        if parts.iter().any(|part| part.is_empty()) {
            return None;
        }
        if parts.len() > 1 && lists.iter().any(|other| other.len() > 1)
            || pair.is_some_and(|pair| parts.len() < 2 || pair != joined)
        {
            return None;
        }
        let mut read = Vec::new();
        for part in parts {
            if let [pronoun] = part
                && ["it", "them", "that"].contains(&pronoun.text.as_str())
            {
                read.push(Some(Argument::Pronoun));
                continue;
            }
            let phrase = NounPhrase::read(part)?;
            is_none |= phrase.is_none;
            read.push(Some(Argument::Noun(phrase)));
        }
        lists.push(read);
    }
    Some((choices(lists, usize::MAX), joined, is_none))
}

/// Returns words without a comma at their end.
pub(crate) fn without_comma(words: &[Token]) -> &[Token] {
    words.split_last().filter(|(last, _)| last.is(",")).map_or(words, |(_, rest)| rest)
}

/// A clause without auxiliaries, and their meaning.
struct Simple {
    tokens: Vec<Token>,
    is_negated: bool,
    is_perfect: bool,
}

impl Simple {
    fn new(tokens: &[Token]) -> Option<Self> {
        let mut tokens: Vec<Token> =
            tokens.iter().filter(|token| token.is_name || !is_in("fillers", &token.text)).cloned().collect();
        if let Some(first) = tokens.first()
            && (first.is("that") || first.is("to"))
        {
            tokens.remove(0);
        }
        // "it is so that", "it is false that": the following clause holds, or does not hold.
        let mut is_false = false;
        while let Some((holds, rest)) = so_that(&tokens) {
            is_false ^= !holds;
            tokens = rest.to_vec();
        }
        // A letter holds the present only, so the past tense has no formula.
        let is_past = |at: usize, token: &Token| {
            let is_perfect = at > 0 && is_form_of(&tokens[at - 1].text, "have");
            token.is("was") || token.is("were") || token.is("had") && !is_perfect
        };
        if tokens.iter().enumerate().any(|(at, token)| is_past(at, token)) {
            return None;
        }
        let before = tokens.len();
        // "neither a nor b" means "not a or b".
        tokens.retain(|token| !(token.is("not") || token.is("never") || token.is("neither")));
        let negations = before - tokens.len();
        if negations > 1 {
            return None;
        }
        if let Some(at) = tokens.iter().position(|token| token.is("do") || token.is("does"))
            && negations == 1
            && at <= 2
        {
            tokens.remove(at);
        }
        let is_perfect = drop_before(&mut tokens, "have", is_participle);
        drop_before(&mut tokens, "be", |word: &str| {
            word.ends_with("ing") && !["being", "nothing", "anything"].contains(&word)
        });
        (!tokens.is_empty()).then_some(Self { tokens, is_negated: (negations == 1) != is_false, is_perfect })
    }
}
