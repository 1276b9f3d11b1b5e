//! Parses the main clause of a sentence: its force, number of times, and adverb of time.

use serde::Deserialize;

use crate::frames::begins_a_frame;
use crate::index::without_subject;
use crate::words::{Token, begins, is_form_of, is_in, phrases, table};

/// The force of a main clause: obligation, permission or prohibition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Force {
    Oblige,
    Forbid,
    Permit,
}

/// The adverb of time in a main clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Time {
    /// "later", "eventually".
    Later,
    /// "immediately", "at the next step".
    Next,
    /// "any more", "after that".
    After,
    /// "first".
    First,
    /// "always".
    Always,
}

/// The required or allowed number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Times {
    pub least: u32,
    pub most: Option<u32>,
    /// True for a bare number: "2 times".
    pub is_bare: bool,
}

/// A main clause without modal verbs, adverbs and numbers of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MainClause {
    pub tokens: Vec<Token>,
    pub force: Force,
    pub time: Option<Time>,
    /// True after "again".
    pub is_again: bool,
    pub times: Option<Times>,
    /// True after "only" that refers to the condition.
    pub is_only: bool,
    /// True for "must never not be".
    pub is_doubly_denied: bool,
}

/// Removes the first occurrence of `phrase` from a sentence; returns its position.
pub(crate) fn take(tokens: &mut Vec<Token>, phrase: &str) -> Option<usize> {
    let (at, length) = (0..tokens.len()).find_map(|at| Some((at, begins(&tokens[at..], phrase)?)))?;
    tokens.drain(at..at + length);
    Some(at)
}

impl MainClause {
    /// Parses a main clause. Returns `None` for too many denials, questions, and unknown numbers or adverbs of time.
    pub fn new(tokens: &[Token]) -> Option<Self> {
        let mut tokens = tokens.to_vec();
        while tokens.first().is_some_and(|token| token.is(",") || token.is("and") || token.is("but")) {
            tokens.remove(0);
        }
        // "Should you go" begins a question or a condition.
        if let [verb, rest @ ..] = tokens.as_slice()
            && is_in("inverted", &verb.text)
            && (without_subject(rest).len() < rest.len() || rest.first().is_some_and(|token| token.is("the")))
        {
            return None;
        }
        while tokens.last().is_some_and(|token| token.is(",")) {
            tokens.pop();
        }
        let times = times(&mut tokens)?;
        let mut time = take(&mut tokens, "the next thing to do is to").map(|_| Time::Next);
        let is_always = tokens.iter().any(|token| token.is("always"));
        for (phrase, when) in phrases("times") {
            while let Some(at) = take(&mut tokens, phrase) {
                if at > 0 && tokens[at - 1].is_article() {
                    return None;
                }
                if at > 0 && tokens.get(at - 1).is_some_and(|token| token.is("and") || token.is(",")) {
                    tokens.remove(at - 1);
                }
                time = match time {
                    Some(known) if known != when => return None,
                    _ => Some(when),
                };
            }
        }
        // "Go back" means "go again".
        let is_again = |at: usize, token: &Token| {
            let is_verb = at > 0 && ["go", "come"].iter().any(|verb| is_form_of(&tokens[at - 1].text, verb));
            token.is("again") && !(at > 0 && tokens[at - 1].is_article()) || token.is("back") && is_verb
        };
        let again = tokens.iter().enumerate().position(|(at, token)| is_again(at, token));
        let is_again = again.map(|at| tokens.remove(at)).is_some();
        let fails = ["never fail to", "not fail to", "do not fail to"];
        let mut force = None;
        let mut denied = 0;
        if fails.iter().rev().any(|phrase| take(&mut tokens, phrase).is_some()) {
            force = Some(Force::Oblige);
        }
        // "no putting the towel on the bed" forbids putting it there.
        if let [no, verb, ..] = tokens.as_slice()
            && no.is("no")
            && verb.text.ends_with("ing")
        {
            tokens.remove(0);
            force = Some(Force::Forbid);
        }
        // The denial was read before, so "may not" is "not" with "may".
        let is_denied = |tokens: &[Token]| tokens.iter().filter(|token| token.is("not") || token.is("never")).count();
        let denials = is_denied(&tokens);
        let adjacent = tokens.windows(2).any(|pair| pair[0].is("never") && pair[1].is("not"));
        let do_not = tokens.windows(3).any(|three| three[0].is("do") && three[1].is("not") && three[2].is("not"));
        if denials > 2 || do_not || (denials == 2 && !adjacent) {
            return None;
        }
        // "You do not have to" forbids nothing, and "not always" does not mean "never".
        let waived = ["have to", "has to", "need to", "needs to", "need"];
        if denials > 0 && (is_always || waived.iter().any(|phrase| take(&mut tokens.clone(), phrase).is_some())) {
            return None;
        }
        if denials > 0 {
            tokens.retain(|token| !(token.is("not") || token.is("never")));
            denied = denials;
        }
        for (phrase, modal) in phrases("modals") {
            // A word at the end of a clause is not a modal verb: "in the trash can".
            while let Some(at) =
                tokens.last().is_none_or(|last| !last.is(phrase)).then(|| take(&mut tokens, phrase)).flatten()
            {
                // A modal verb stands between the actor and the verb.
                let before = without_subject(&tokens[..at]);
                if before.last().is_some_and(Token::is_article)
                    || before.first().is_some_and(|first| begins_a_frame(&first.text)) && !phrase.contains(' ')
                {
                    return None;
                }
                let is_of_verb = tokens.get(at).is_some_and(|verb| verb.text.ends_with("ing"));
                force = Some(match (force, modal) {
                    _ if ["avoid", "stop"].contains(&phrase) && !is_of_verb => return None,
                    (None, modal) => modal,
                    (Some(known), modal) if known == modal && known != Force::Permit => known,
                    (Some(Force::Forbid), Force::Oblige) | (Some(Force::Oblige), Force::Forbid) => Force::Forbid,
                    _ => return None,
                });
            }
        }
        if denied > 0 && tokens.first().is_some_and(|token| token.is("do")) {
            tokens.remove(0);
        }
        if denied > 0
            && let Some(at) = tokens.iter().position(|token| token.is("do"))
        {
            tokens.remove(at);
        }
        let only = tokens.iter().position(|token| token.is("only"));
        if let Some(at) = only {
            // "You only mine coal when" refers to the condition, "you mine only coal when" to the coal.
            let is_of_clause = without_subject(&tokens[..=at]).len() == 1
                || tokens.get(at + 1).is_some_and(|verb| is_form_of(&verb.text, "be"));
            is_of_clause.then(|| tokens.remove(at))?;
        }
        let is_only = only.is_some();
        let force = match (denied, force) {
            (0, force) => force.unwrap_or(Force::Oblige),
            // "must not fail" and "is not forbidden" are easily misread.
            (_, Some(Force::Forbid)) => return None,
            (1, _) => Force::Forbid,
            _ => Force::Oblige,
        };
        if let Some(neither) = tokens.iter().position(|token| token.is("neither")) {
            tokens.remove(neither);
            let force = if force == Force::Forbid { return None } else { Force::Forbid };
            return Some(Self { tokens, force, time, is_again, times, is_only, is_doubly_denied: false });
        }
        let is_doubly_denied = denied == 2;
        (!tokens.is_empty()).then_some(Self { tokens, force, time, is_again, times, is_only, is_doubly_denied })
    }
}

/// Removes the number of times from a main clause: `Some(None)` if it has none.
pub(crate) fn times(tokens: &mut Vec<Token>) -> Option<Option<Times>> {
    // "during at most 2 separate visits, the one it starts in included" means "at most 2 times".
    take(tokens, ", the 1 it starts in included");
    let is_visit = |token: &Token| token.is_any(&["visits", "visit", "periods", "period"]);
    let is_numbered = |pair: &[Token]| (pair[0].number().is_some() || pair[0].is("separate")) && is_visit(&pair[1]);
    while let Some(at) = tokens.windows(2).position(is_numbered) {
        tokens[at + 1].text = "times".to_owned();
        take(tokens, "separate");
        take(tokens, "during");
    }
    // "exactly once" counts; "once you have" does not.
    for (phrase, _) in table("counts") {
        // "Only once the window is open" is a condition.
        let is_count = |tokens: &[Token]| {
            let after = tokens.get(begins(tokens, phrase)?);
            let ends = after.is_none_or(|next| next.is(",") || next.is("and"));
            (*phrase != "only once" || ends).then_some(phrase.split(' ').count() - 1)
        };
        while let Some(once) = (0..tokens.len()).find_map(|at| Some(at + is_count(&tokens[at..])?)) {
            tokens[once].text = "1".to_owned();
            let times = Token { text: "times".to_owned(), ..tokens[once].clone() };
            tokens.insert(once + 1, times);
        }
    }
    // "2 or more times" means "2 times or more".
    let is_more =
        |four: &[Token]| four[0].number().is_some() && four[1].is("or") && four[2].is("more") && four[3].is("times");
    if let Some(at) = tokens.windows(4).position(is_more) {
        tokens[at + 1..at + 4].rotate_right(1);
    }
    let is_count = |pair: &[Token]| pair[0].number().is_some() && (pair[1].is("times") || pair[1].is("time"));
    let Some(at) = tokens.windows(2).position(is_count) else { return Some(None) };
    let number = tokens[at].number()?;
    tokens.drain(at..at + 2);
    take_bound(tokens, at, number).map(Some)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Bound {
    Most,
    Least,
    Exactly,
    More,
    Fewer,
}

/// Removes the words that bound the number at position `at`; returns the bounds.
pub(crate) fn take_bound(tokens: &mut Vec<Token>, at: usize, number: u32) -> Option<Times> {
    let bound = phrases("bounds").find_map(|(phrase, bound)| {
        let from = at.checked_sub(phrase.split(' ').count())?;
        begins(&tokens[from..at], phrase).map(|_| (from..at, bound))
    });
    let after = ["at most", "at least", "or more", "or less", "or fewer"].into_iter();
    let after = after.filter_map(|phrase| Some((phrase, at..at + begins(tokens.get(at..)?, phrase)?))).next();
    let (range, bound) = match (bound, after) {
        (Some(_), Some(_)) => return None,
        (Some((range, bound)), None) => (range, bound),
        (None, Some((phrase, range))) => {
            (range, if phrase.ends_with("least") || phrase.ends_with("more") { Bound::Least } else { Bound::Most })
        }
        (None, None) => return Some(Times { least: number, most: Some(number), is_bare: true }),
    };
    let (from, is_more) = (range.start, bound == Bound::More);
    tokens.drain(range);
    let denials = (0..tokens.len()).filter(|at| tokens[*at].is_any(&["not", "never"]));
    let denials: Vec<usize> = denials.filter(|at| !is_more || *at < from).collect();
    // "never … more than twice" means "at most twice"; "not at least twice" is not supported.
    let denied = match denials.as_slice() {
        [] => false,
        [at] if is_more => {
            tokens.remove(*at);
            true
        }
        _ => return None,
    };
    if denied && let Some(at) = tokens.iter().position(|token| token.is("do")) {
        tokens.remove(at);
    }
    let is_bare = false;
    Some(match bound {
        Bound::Most => Times { least: 0, most: Some(number), is_bare },
        Bound::Least => Times { least: number, most: None, is_bare },
        Bound::Exactly => Times { least: number, most: Some(number), is_bare },
        Bound::More if denied => Times { least: 0, most: Some(number), is_bare },
        Bound::More => Times { least: number + 1, most: None, is_bare },
        Bound::Fewer => Times { least: 0, most: Some(number.checked_sub(1)?), is_bare },
    })
}
