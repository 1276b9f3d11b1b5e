//! Grounding: maps a sense and nouns to the propositions of a lexicon.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use ltlcrit_verifier::Formula;

use crate::choices::choices;
use crate::frames::{Frame, Piece, frames};
use crate::lexicon::Lexicon;
use crate::noun::{Fit, NounPhrase, fit};
use crate::words::{Token, drop_before, is_form_of, is_in, is_participle, tokens};

/// A noun of the lexicon, by number.
pub(crate) type NounId = usize;

/// The content of a slot in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A noun.
    Noun(NounPhrase),
    /// "it" or "them": a thing mentioned before.
    Pronoun,
}

/// A possible proposition for a sense and nouns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    /// Its position in the lexicon.
    pub term: usize,
    /// The nouns it is about.
    pub nouns: Vec<NounId>,
    /// True if the vocabulary uses the words of the sentence.
    pub is_literal: bool,
}

#[derive(Debug)]
struct Entry {
    number: Option<u32>,
    term: usize,
    /// The frame of its meaning.
    frame: &'static Frame,
}

/// An index of the propositions of a lexicon by meaning.
#[derive(Debug)]
pub struct Index<'a> {
    lexicon: &'a Lexicon,
    /// All ways to name each noun.
    nouns: Vec<Vec<Vec<String>>>,
    /// The nouns of each slot of each sense.
    slots: HashMap<(&'static str, usize), Vec<NounId>>,
    /// The propositions of each sense with its nouns.
    entries: HashMap<(&'static str, Vec<NounId>), Vec<Entry>>,
    /// Phrases without nouns, such as "dig straight down".
    phrases: BTreeMap<Vec<String>, Vec<usize>>,
    /// Propositions about the past: once true, they stay true.
    lasting: BTreeSet<usize>,
    /// The number of words read for the current sentence, including repetitions.
    work: Cell<usize>,
    /// True if the current sentence names the actor.
    names_actor: Cell<bool>,
}

/// Maximum number of words read for one sentence; each reading that is tried counts anew.
pub(crate) const MAX_WORK: usize = 10_000;

impl<'a> Index<'a> {
    /// Indexes the propositions of a lexicon by their meanings.
    pub fn new(lexicon: &'a Lexicon) -> Self {
        let words = |text: &str| tokens(text).into_iter().map(|token| token.text).collect::<Vec<_>>();
        let nouns =
            lexicon.objects().iter().map(|object| object.nouns.iter().map(|noun| words(noun)).collect()).collect();
        let mut index = Self {
            lexicon,
            nouns,
            slots: HashMap::new(),
            entries: HashMap::new(),
            phrases: BTreeMap::new(),
            lasting: BTreeSet::new(),
            work: Cell::new(0),
            names_actor: Cell::new(false),
        };
        for (at, term) in lexicon.terms().iter().enumerate() {
            // A meaning that no frame matches is a fixed phrase: "push".
            if !index.read(&term.meaning, at) {
                index.add_phrase(&term.meaning, at);
            }
            for phrase in &term.phrases {
                index.read(phrase, at);
                index.add_phrase(phrase, at);
            }
            let name = term.name.strip_prefix("obs_").or_else(|| term.name.strip_prefix("action_"));
            if let Some(name) = name.filter(|name| !name.contains('(')) {
                let words = name.replace('_', " ");
                // A number in a name is written 3x.
                let number =
                    |word: &str| word.strip_suffix('x').filter(|n| n.parse::<u32>().is_ok()).map(str::to_owned);
                let words: Vec<String> = words.split(' ').map(|word| number(word).unwrap_or(word.to_owned())).collect();
                index.read(&words.join(" "), at);
                index.add_phrase(&words.join(" "), at);
            }
        }
        index
    }

    /// Begins a sentence.
    pub(crate) fn begin(&self, sentence: &[Token]) {
        self.work.set(0);
        self.names_actor.set(sentence.iter().any(|token| is_in("actors", &token.text)));
    }

    /// Returns whether "it" may be the actor: if nothing else was mentioned, or if the sentence names the robot.
    pub(crate) fn may_act(&self, mentioned: &[NounId]) -> bool {
        mentioned.is_empty() || self.names_actor.get()
    }

    /// Returns the work spent on the current sentence, in words.
    #[cfg(test)]
    pub(crate) fn work(&self) -> usize {
        self.work.get()
    }

    /// Counts the words of a reading; returns `false` once the sentence exceeds its budget.
    pub(crate) fn spend(&self, words: usize) -> bool {
        self.work.set(self.work.get().saturating_add(words));
        !self.is_out_of_work()
    }

    /// Returns whether the sentence exceeded its budget.
    pub(crate) fn is_out_of_work(&self) -> bool {
        self.work.get() >= MAX_WORK
    }

    /// Returns the lexicon.
    pub fn lexicon(&self) -> &'a Lexicon {
        self.lexicon
    }

    fn add_phrase(&mut self, phrase: &str, term: usize) {
        let known = self.phrases.entry(plain(&tokens(phrase))).or_default();
        if !known.contains(&term) {
            known.push(term);
        }
    }

    fn noun(&mut self, words: &[String]) -> NounId {
        // Two objects may differ only by the plural ending.
        let worst = if self.lexicon.objects().is_empty() { Fit::Form } else { Fit::Exact };
        let is = |way: &Vec<String>| fit(words, way).is_some_and(|fit| fit <= worst);
        let known = self.nouns.iter().position(|ways| ways.iter().any(is));
        known.unwrap_or_else(|| {
            self.nouns.push(vec![words.to_vec()]);
            self.nouns.len() - 1
        })
    }

    /// Returns whether a formula mentions a proposition about the past, such as `touched`.
    pub(crate) fn lasts(&self, formulas: &[Formula]) -> bool {
        let lasts = |at: &usize| formulas.iter().any(|formula| formula.mentions(&self.lexicon.terms()[*at].name));
        self.lasting.iter().any(lasts)
    }

    /// Reads one wording of a proposition; returns whether some frame matched.
    fn read(&mut self, text: &str, term: usize) -> bool {
        let mut is_read = false;
        let mut all = tokens(text);
        if drop_before(&mut all, "have", is_participle) {
            self.lasting.insert(term);
        }
        let is_end = |token: &Token| matches!(token.text.as_str(), "," | ":" | ";" | ".");
        let end = all.iter().position(is_end).unwrap_or(all.len());
        let all = &all[..end];
        let without = without_subject(all);
        for frame in frames().iter().filter(|frame| frame.parts.len() == 1 && !frame.is_negated) {
            for tokens in [Some(all), (without.len() < all.len()).then_some(without)].into_iter().flatten() {
                for slots in matches(frame, tokens) {
                    self.add(frame, &slots, term);
                    is_read = true;
                }
            }
        }
        is_read
    }

    fn add(&mut self, frame: &'static Frame, slots: &[&[Token]], term: usize) {
        // "raw iron or iron ore" matches either noun.
        let ways = |tokens: &[Token]| -> Vec<NounPhrase> {
            let parts = tokens.split(|token| token.is("or"));
            parts.filter_map(|part| NounPhrase::read(part).map(NounPhrase::head)).collect()
        };
        let [part] = frame.parts.as_slice() else { return };
        let (mut nouns, mut number) = (Vec::new(), None);
        for slot in &part.slots {
            let Some(tokens) = slots.get(*slot) else { return };
            let read = ways(tokens);
            number = number.or_else(|| read.iter().find_map(|phrase| phrase.number));
            let named = read.iter().filter(|it| !it.is_none && !it.words.is_empty());
            nouns.push(named.map(|it| self.noun(&it.words)).collect());
        }
        for nouns in choices(nouns, usize::MAX) {
            for (place, noun) in nouns.iter().enumerate() {
                let there = self.slots.entry((part.sense, place)).or_default();
                if !there.contains(noun) {
                    there.push(*noun);
                }
            }
            let entries = self.entries.entry((part.sense, nouns)).or_default();
            if !entries.iter().any(|entry| entry.term == term && entry.number == number && entry.frame == frame) {
                entries.push(Entry { number, term, frame });
            }
        }
    }

    /// Returns the propositions with this sense and these nouns. A pronoun may stand for any noun in `mentioned`.
    pub(crate) fn ground(
        &self,
        frame: &Frame,
        sense: &'static str,
        arguments: &[Argument],
        mentioned: &[NounId],
    ) -> Vec<Candidate> {
        let fitting = |(place, argument): (usize, &Argument)| -> Vec<NounId> {
            let there = self.slots.get(&(sense, place)).map_or(&[][..], Vec::as_slice);
            match argument {
                Argument::Pronoun => there.iter().copied().filter(|noun| mentioned.contains(noun)).collect(),
                Argument::Noun(phrase) => {
                    let fits: Vec<(Fit, NounId)> =
                        there.iter().filter_map(|noun| Some((self.fit(&phrase.words, *noun)?, *noun))).collect();
                    let best = fits.iter().map(|(fit, _)| *fit).min();
                    fits.into_iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, noun)| noun).collect()
                }
            }
        };
        let given = arguments.iter().find_map(|argument| match argument {
            Argument::Noun(phrase) => phrase.number,
            Argument::Pronoun => None,
        });
        let mut found = Vec::new();
        for nouns in choices(arguments.iter().enumerate().map(fitting), usize::MAX) {
            for entry in self.entries.get(&(sense, nouns.clone())).into_iter().flatten() {
                if entry.number.unwrap_or(1) == given.unwrap_or(1) {
                    let is_literal = entry.frame == frame;
                    match found.iter_mut().find(|one: &&mut Candidate| one.term == entry.term && one.nouns == nouns) {
                        Some(known) => known.is_literal |= is_literal,
                        None => found.push(Candidate { term: entry.term, nouns: nouns.clone(), is_literal }),
                    }
                }
            }
        }
        found
    }

    fn fit(&self, said: &[String], noun: NounId) -> Option<Fit> {
        let best = self.nouns[noun].iter().filter_map(|known| fit(said, known)).min();
        // "The room" does not name a particular room.
        best.filter(|fit| *fit < Fit::Part || !self.is_kind(said))
    }

    fn is_kind(&self, said: &[String]) -> bool {
        let words = |kind: &str| kind.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let is = |kind: &std::sync::Arc<str>| matches!(fit(said, &words(kind)), Some(Fit::Exact | Fit::Form));
        self.lexicon.objects().iter().flat_map(|object| &object.kinds).any(is)
    }

    /// Returns the propositions that match a phrase without nouns, or that it names.
    pub(crate) fn phrase(&self, tokens: &[Token]) -> Vec<usize> {
        match tokens {
            [name] | [name, _] if name.is_name => {
                let is_verb = tokens
                    .get(1)
                    .is_none_or(|verb| matches!(verb.text.as_str(), "holds" | "hold" | "happens" | "happen"));
                let known = self.lexicon.terms().iter().position(|term| *term.name == *name.text);
                known.filter(|_| is_verb).into_iter().collect()
            }
            _ => {
                let said = plain(tokens);
                let is = |known: &[String]| {
                    known.len() == said.len()
                        && known.iter().zip(&said).all(|(known, said)| said == known || is_form_of(said, known))
                };
                self.phrases
                    .iter()
                    .filter(|(known, _)| is(known))
                    .flat_map(|(_, terms)| terms.iter().copied())
                    .collect()
            }
        }
    }

    /// Returns whether a word occurs in a noun or phrase of the lexicon.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        let said = [word.to_owned()];
        let in_noun = |noun: &Vec<String>| noun.iter().any(|known| fit(&said, std::slice::from_ref(known)).is_some());
        self.nouns.iter().flatten().any(in_noun)
            || self.phrases.keys().flatten().any(|known| is_form_of(word, known))
            || self
                .lexicon
                .objects()
                .iter()
                .flat_map(|object| &object.kinds)
                .any(|kind| fit(&said, &[kind.to_string()]).is_some())
    }
}

/// Returns the words of a phrase, without articles.
fn plain(tokens: &[Token]) -> Vec<String> {
    let is_article = |token: &&Token| ["the", "a", "an", "your"].contains(&token.text.as_str());
    tokens.iter().filter(|token| !is_article(token)).map(|token| token.text.clone()).collect()
}

/// Drops the actor from the beginning: "you", "the robot".
pub(crate) fn without_subject(tokens: &[Token]) -> &[Token] {
    match tokens {
        [one, rest @ ..]
            if ["you", "i", "we", "one", "it", "they"].contains(&one.text.as_str()) && !rest.is_empty() =>
        {
            rest
        }
        [the, who, rest @ ..] if the.is("the") && is_in("actors", &who.text) => rest,
        [who, rest @ ..] if is_in("actors", &who.text) => rest,
        _ => tokens,
    }
}

/// Returns all matches of words with a frame: the words in each slot.
pub(crate) fn matches<'t>(frame: &Frame, tokens: &'t [Token]) -> Vec<Vec<&'t [Token]>> {
    fn go<'t>(pieces: &[Piece], rest: &'t [Token], slots: &mut [&'t [Token]; 2], found: &mut Vec<Vec<&'t [Token]>>) {
        match pieces {
            [] if rest.is_empty() => found.push(slots.to_vec()),
            [] => {}
            [Piece::Word(word), more @ ..] => {
                if let Some((first, rest)) =
                    rest.split_first().filter(|(first, _)| !first.is_name && is_form_of(&first.text, word))
                {
                    let _ = first;
                    go(more, rest, slots, found);
                }
            }
            [Piece::Slot(slot), more @ ..] => {
                // Each remaining piece of the frame needs at least one word.
                let most = rest.len().saturating_sub(more.len());
                for length in 1..=most {
                    let (words, rest) = rest.split_at(length);
                    if let Some(place) = slots.get_mut(*slot) {
                        *place = words;
                    }
                    go(more, rest, slots, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    if frame.pieces.len() <= tokens.len() {
        go(&frame.pieces, tokens, &mut [&[], &[]], &mut found);
    }
    found
}
