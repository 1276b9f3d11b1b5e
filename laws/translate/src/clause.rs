//! Clauses: what holds or is done, from its words to propositions.

use std::sync::Arc;

use ltlcrit_verifier::Formula;

use crate::frames::{Aspect, frames};
use crate::index::{Argument, Candidate, Index, NounId, matches, without_subject};
use crate::noun::NounPhrase;
use crate::words::{Token, drop_before, is_form_of, is_participle};

/// How several things in one clause are joined.
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
    /// What holds, one or several.
    pub items: Vec<Formula>,
    pub joined: Joined,
    /// Whether the clause denies it.
    pub is_negated: bool,
    /// The denial is a word of its own: "not", "no".
    pub is_explicit: bool,
    /// It says that something ends: "close the fridge", "the fridge has been closed".
    pub is_end: bool,
    pub aspect: Aspect,
    /// "have been in", "has been touched".
    pub is_perfect: bool,
    pub nouns: Vec<NounId>,
    /// Whether the vocabulary says it with the same words.
    pub is_literal: bool,
    /// What was recognised, and the proposition it was taken for.
    pub grounded: Vec<(String, Arc<str>)>,
}

impl Clause {
    /// The clause as a formula. "Not a or b" denies both.
    pub fn formula(&self) -> Formula {
        let all = self.joined.join(self.items.iter().cloned()).unwrap_or(Formula::True);
        if self.is_negated { all.not() } else { all }
    }

    /// What it denies or says, without the negation.
    pub fn positive(&self) -> Formula {
        self.joined.join(self.items.iter().cloned()).unwrap_or(Formula::True)
    }
}

/// The most words of a clause.
const MOST_WORDS: usize = 20;

/// Words that change nothing.
const FILLERS: [&str; 13] = [
    "ever",
    "already",
    "yet",
    "just",
    "also",
    "still",
    "currently",
    "now",
    "even",
    "really",
    "either",
    "first",
    "ever",
];

/// All readings of a clause.
pub(crate) fn clauses(index: &Index<'_>, tokens: &[Token], mentioned: &[NounId]) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    if tokens.len() > MOST_WORDS || !index.spend() {
        return found;
    }
    let Some(simple) = Simple::new(tokens) else { return found };
    let all = simple.tokens.as_slice();
    let without = without_subject(all);
    for tokens in [Some(all), (without.len() < all.len()).then_some(without)].into_iter().flatten() {
        read(index, tokens, &simple, mentioned, &mut found);
    }
    // "Carry" is what the vocabulary calls carrying, where it does, and not what it calls holding.
    if found.iter().any(|clause| clause.is_literal) {
        found.retain(|clause| clause.is_literal);
    }
    found
}

fn read(index: &Index<'_>, tokens: &[Token], simple: &Simple, mentioned: &[NounId], found: &mut Vec<Clause>) {
    let mut add = |clause: Clause| {
        // The same proposition as a state and as an event is a state.
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
    let text = || tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
    for term in index.phrase(tokens) {
        let term = &index.lexicon().terms()[term];
        add(Clause {
            items: vec![Formula::atom(term.name.clone())],
            joined: Joined::And,
            is_negated: simple.is_negated,
            is_explicit: simple.is_negated,
            is_end: false,
            aspect: if term.is_action { Aspect::Event } else { Aspect::State },
            is_perfect: simple.is_perfect,
            nouns: Vec::new(),
            is_literal: true,
            grounded: vec![(text(), term.name.clone())],
        });
    }
    for frame in frames() {
        for slots in matches(frame, tokens) {
            let Some((lists, joined, is_none)) = arguments(&slots) else { continue };
            let mut choices: Vec<Chosen> = vec![Chosen::default()];
            for list in lists {
                let mut item = vec![Chosen::default()];
                for part in &frame.parts {
                    let arguments: Option<Vec<Argument>> =
                        part.slots.iter().map(|slot| list.get(*slot).cloned().flatten()).collect();
                    let candidates =
                        arguments.map_or_else(Vec::new, |it| index.ground(frame, part.sense, &it, mentioned));
                    let with = |before: &Chosen| {
                        let one = |candidate: &Candidate| {
                            let name = index.lexicon().terms()[candidate.term].name.clone();
                            let atom = Formula::atom(name.clone());
                            let atom = if frame.is_negated { atom.not() } else { atom };
                            let formula = before.items.first().cloned();
                            Chosen {
                                items: vec![formula.map_or(atom.clone(), |formula| formula.and(atom))],
                                nouns: [before.nouns.as_slice(), &candidate.nouns].concat(),
                                names: [before.names.as_slice(), &[name]].concat(),
                                is_free: before.is_free || !candidate.is_literal,
                            }
                        };
                        candidates.iter().map(one).collect::<Vec<_>>()
                    };
                    item = item.iter().flat_map(with).collect();
                }
                let longer = |before: &Chosen| {
                    let one = |more: &Chosen| Chosen {
                        items: [before.items.as_slice(), &more.items].concat(),
                        nouns: [before.nouns.as_slice(), &more.nouns].concat(),
                        names: [before.names.as_slice(), &more.names].concat(),
                        is_free: before.is_free || more.is_free,
                    };
                    item.iter().map(one).collect::<Vec<_>>()
                };
                choices = choices.iter().flat_map(longer).collect();
            }
            for Chosen { items, nouns, names, is_free } in choices.into_iter().filter(|chosen| !chosen.items.is_empty())
            {
                let is_negated = simple.is_negated != is_none;
                // One negation each: "close" is "not open".
                let denies = |formula: &Formula| matches!(formula, Formula::Not(_));
                let (items, is_negated) = match items.as_slice() {
                    [Formula::Not(inner)] => (vec![(**inner).clone()], !is_negated),
                    many if many.iter().all(denies) && !is_negated && joined == Joined::And => {
                        let inner = many.iter().map(|item| match item {
                            Formula::Not(inner) => (**inner).clone(),
                            other => other.clone(),
                        });
                        let inner: Vec<Formula> = inner.collect();
                        add(Clause {
                            items: inner,
                            joined: Joined::Or,
                            is_negated: true,
                            is_explicit: false,
                            is_end: frame.aspect == Aspect::Event || simple.is_perfect,
                            aspect: frame.aspect,
                            is_perfect: simple.is_perfect,
                            nouns: nouns.clone(),
                            is_literal: !is_free,
                            grounded: names.iter().map(|name| (text(), name.clone())).collect(),
                        });
                        continue;
                    }
                    _ => (items, is_negated),
                };
                let grounded = names.iter().map(|name| (text(), name.clone())).collect();
                let (aspect, is_perfect) = (frame.aspect, simple.is_perfect);
                let is_explicit = simple.is_negated != is_none;
                let is_end = frame.is_negated && is_negated && (aspect == Aspect::Event || is_perfect);
                let is_literal = !is_free;
                add(Clause {
                    items,
                    joined,
                    is_negated,
                    is_explicit,
                    is_end,
                    aspect,
                    is_perfect,
                    nouns,
                    is_literal,
                    grounded,
                });
            }
        }
    }
}

/// What follows "it is so that", "it is the case that" or "it is false that", and whether it is so.
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

/// What the slots of a frame were taken for.
#[derive(Clone, Debug, Default)]
struct Chosen {
    items: Vec<Formula>,
    nouns: Vec<NounId>,
    names: Vec<Arc<str>>,
    /// Said with other words than the vocabulary's.
    is_free: bool,
}

type List = Vec<Option<Argument>>;

/// What stands in the slots: one list of arguments for each of the things named in one of them; whether they are joined by
/// "and" or "or"; whether it is "no" thing.
fn arguments(slots: &[&[Token]]) -> Option<(Vec<List>, Joined, bool)> {
    let mut lists: Vec<List> = vec![vec![None; slots.len()]];
    let (mut joined, mut is_none) = (Joined::And, false);
    for (place, tokens) in slots.iter().enumerate().filter(|(_, tokens)| !tokens.is_empty()) {
        let tokens = match tokens {
            [both, rest @ ..] if both.is("both") || both.is("either") => rest,
            all => all,
        };
        let ands = tokens.iter().filter(|token| token.is("and")).count();
        let ors = tokens.iter().filter(|token| token.is("or") || token.is("nor")).count();
        // "3 or more planks"
        let or_more = tokens.windows(2).filter(|pair| pair[0].is("or") && pair[1].is("more")).count();
        let parts: Vec<&[Token]> = match (ands, ors - or_more) {
            (0, 0) => vec![tokens],
            (_, 0) => tokens.split(|token| token.is("and") || token.is(",")).filter(|part| !part.is_empty()).collect(),
            (0, _) => {
                joined = Joined::Or;
                tokens
                    .split(|token| token.is("or") || token.is("nor") || token.is(","))
                    .filter(|part| !part.is_empty())
                    .collect()
            }
            _ => return None,
        };
        if parts.len() > 1 && lists.len() > 1 {
            return None;
        }
        let mut read = Vec::new();
        for part in parts {
            if let [pronoun] = part
                && ["it", "them", "that"].contains(&pronoun.text.as_str())
            {
                read.push(Argument::Pronoun);
                continue;
            }
            let phrase = NounPhrase::read(part)?;
            is_none |= phrase.is_none;
            read.push(Argument::Noun(phrase));
        }
        let with = |list: &List| {
            let one = |argument: &Argument| {
                let mut list = list.clone();
                list[place] = Some(argument.clone());
                list
            };
            read.iter().map(one).collect::<Vec<_>>()
        };
        lists = lists.iter().flat_map(with).collect();
    }
    Some((lists, joined, is_none))
}

/// A clause without auxiliaries, and what they said.
struct Simple {
    tokens: Vec<Token>,
    is_negated: bool,
    is_perfect: bool,
}

impl Simple {
    fn new(tokens: &[Token]) -> Option<Self> {
        let mut tokens: Vec<Token> =
            tokens.iter().filter(|token| !FILLERS.iter().any(|word| token.is(word))).cloned().collect();
        if let Some(first) = tokens.first()
            && (first.is("that") || first.is("then") || first.is("to"))
        {
            tokens.remove(0);
        }
        // "it is so that", "it is false that": what follows holds, or does not.
        let mut is_false = false;
        while let Some((holds, rest)) = so_that(&tokens) {
            is_false ^= !holds;
            tokens = rest.to_vec();
        }
        let before = tokens.len();
        // "neither a nor b" is "not a or b".
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
