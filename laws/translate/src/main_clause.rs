//! The main clause of a sentence: what must, may or must not be, how often, and when.

use crate::words::Token;

/// What a main clause demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Force {
    Oblige,
    Forbid,
    Permit,
}

/// When, besides what a subordinate clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// "later", "eventually".
    Later,
    /// "immediately", "at the next step".
    Next,
    /// "any more", "after that".
    After,
    /// "always".
    Always,
}

/// How often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Times {
    pub least: u32,
    pub most: Option<u32>,
    /// "2 times", without more.
    pub is_bare: bool,
}

/// A main clause without modal verbs, adverbs and numbers of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MainClause {
    pub tokens: Vec<Token>,
    pub force: Force,
    pub time: Option<Time>,
    pub times: Option<Times>,
    /// "only", of a condition.
    pub is_only: bool,
    /// "must never not be".
    pub is_doubly_denied: bool,
}

/// Adverbs of time, longest first.
const TIMES: [(&str, Time); 44] = [
    ("at some later time , or at the same", Time::Later),
    ("at some later time or at the same", Time::Later),
    ("at that time or later", Time::Later),
    ("at some point in the future", Time::Later),
    ("at some later time", Time::Later),
    ("at some later point", Time::Later),
    ("some time in the future", Time::Later),
    ("some time later", Time::Later),
    ("at some point", Time::Later),
    ("at some time", Time::Later),
    ("in the future", Time::Later),
    ("in the end", Time::Later),
    ("sooner or later", Time::Later),
    ("later on", Time::Later),
    ("some time", Time::Later),
    ("some day", Time::Later),
    ("eventually", Time::Later),
    ("later", Time::Later),
    ("immediately after that", Time::Next),
    ("immediately afterwards", Time::Next),
    ("directly after that", Time::Next),
    ("right after that", Time::Next),
    ("right afterwards", Time::Next),
    ("at the next step", Time::Next),
    ("in the next step", Time::Next),
    ("as the next step", Time::Next),
    ("straight away", Time::Next),
    ("right away", Time::Next),
    ("immediately", Time::Next),
    ("at once", Time::Next),
    ("directly", Time::Next),
    ("next", Time::Next),
    ("from then on", Time::After),
    ("from that moment on", Time::After),
    ("after that", Time::After),
    ("any more", Time::After),
    ("ever again", Time::After),
    ("thereafter", Time::After),
    ("afterwards", Time::After),
    ("any longer", Time::After),
    ("again", Time::After),
    ("at all times", Time::Always),
    ("at any time", Time::Always),
    ("always", Time::Always),
];

/// Words that oblige or permit, and are dropped; longest first.
const MODALS: [(&str, Force); 42] = [
    ("make sure that", Force::Oblige),
    ("make sure to", Force::Oblige),
    ("make sure", Force::Oblige),
    ("see to it that", Force::Oblige),
    ("be sure to", Force::Oblige),
    ("ensure that", Force::Oblige),
    ("ensure", Force::Oblige),
    ("remember to", Force::Oblige),
    ("are allowed to", Force::Permit),
    ("is allowed to", Force::Permit),
    ("be allowed to", Force::Permit),
    ("are permitted to", Force::Permit),
    ("is permitted to", Force::Permit),
    ("it is allowed to", Force::Permit),
    ("it is forbidden to", Force::Forbid),
    ("it is prohibited to", Force::Forbid),
    ("are forbidden to", Force::Forbid),
    ("is forbidden to", Force::Forbid),
    ("refrain from", Force::Forbid),
    ("under no circumstances", Force::Forbid),
    ("on no account", Force::Forbid),
    ("at no time", Force::Forbid),
    ("is forbidden", Force::Forbid),
    ("is prohibited", Force::Forbid),
    ("are forbidden", Force::Forbid),
    ("avoid", Force::Forbid),
    ("stop", Force::Forbid),
    ("is only allowed", Force::Permit),
    ("is allowed", Force::Permit),
    ("have to", Force::Oblige),
    ("has to", Force::Oblige),
    ("need to", Force::Oblige),
    ("needs to", Force::Oblige),
    ("ought to", Force::Oblige),
    ("please", Force::Oblige),
    ("must", Force::Oblige),
    ("should", Force::Oblige),
    ("shall", Force::Oblige),
    ("will", Force::Oblige),
    ("may", Force::Permit),
    ("can", Force::Permit),
    ("could", Force::Permit),
];

/// Takes the words of `phrase` out of a sentence, once.
pub(crate) fn take(tokens: &mut Vec<Token>, phrase: &str) -> Option<usize> {
    let words: Vec<&str> = phrase.split(' ').collect();
    let is = |window: &[Token]| window.iter().zip(&words).all(|(token, word)| token.is(word));
    let at = tokens.windows(words.len()).position(is)?;
    tokens.drain(at..at + words.len());
    Some(at)
}

impl MainClause {
    /// Reads a main clause; `None` if it denies too often or says how often in a way that is not understood.
    pub fn new(tokens: &[Token]) -> Option<Self> {
        let mut tokens = tokens.to_vec();
        while tokens
            .first()
            .is_some_and(|token| token.is(",") || token.is("then") || token.is("and") || token.is("but"))
        {
            tokens.remove(0);
        }
        while tokens.last().is_some_and(|token| token.is(",")) {
            tokens.pop();
        }
        let times = times(&mut tokens)?;
        let mut time = take(&mut tokens, "the next thing to do is to").map(|_| Time::Next);
        let is_always = tokens.iter().any(|token| token.is("always"));
        for (phrase, when) in TIMES {
            // "touch the phone again later": the first one counts, others of its kind are dropped.
            while let Some(at) = take(&mut tokens, phrase) {
                if at > 0 && tokens.get(at - 1).is_some_and(|token| token.is("and") || token.is(",")) {
                    tokens.remove(at - 1);
                }
                time = time.or(Some(when));
            }
        }
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
        // "may not" is what "not" makes of "may": the denial is read before.
        let is_denied = |tokens: &[Token]| tokens.iter().filter(|token| token.is("not") || token.is("never")).count();
        let denials = is_denied(&tokens);
        let adjacent = tokens.windows(2).any(|pair| pair[0].is("never") && pair[1].is("not"));
        let do_not = tokens.windows(3).any(|three| three[0].is("do") && three[1].is("not") && three[2].is("not"));
        if denials > 2 || do_not || (denials == 2 && !adjacent) {
            return None;
        }
        // "You do not have to" forbids nothing, and "not always" is not "never".
        let waived = ["have to", "has to", "need to", "needs to", "need"];
        if denials > 0 && (is_always || waived.iter().any(|phrase| take(&mut tokens.clone(), phrase).is_some())) {
            return None;
        }
        if denials > 0 {
            tokens.retain(|token| !(token.is("not") || token.is("never")));
            denied = denials;
        }
        for (phrase, modal) in MODALS {
            while take(&mut tokens, phrase).is_some() {
                force = Some(match (force, modal) {
                    (None, modal) => modal,
                    (Some(Force::Forbid), Force::Oblige) | (Some(Force::Oblige), Force::Forbid) => Force::Forbid,
                    (Some(first), _) => first,
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
        let is_only = take(&mut tokens, "only").is_some();
        let force = match (denied, force) {
            (0, force) => force.unwrap_or(Force::Oblige),
            // "must not fail", "is not forbidden": said in a way that is easily misread.
            (_, Some(Force::Forbid)) => return None,
            (1, _) => Force::Forbid,
            _ => Force::Oblige,
        };
        if let Some(neither) = tokens.iter().position(|token| token.is("neither")) {
            tokens.remove(neither);
            let force = if force == Force::Forbid { return None } else { Force::Forbid };
            return Some(Self { tokens, force, time, times, is_only, is_doubly_denied: false });
        }
        (!tokens.is_empty()).then_some(Self { tokens, force, time, times, is_only, is_doubly_denied: denied == 2 })
    }
}

/// Takes how often out of a main clause: `Some(None)` if nothing is said of it.
fn times(tokens: &mut Vec<Token>) -> Option<Option<Times>> {
    // "during at most 2 separate visits, the one it starts in included" is "at most 2 times".
    take(tokens, ", the 1 it starts in included");
    for (visits, times) in [("visits", "times"), ("visit", "time"), ("periods", "times"), ("period", "time")] {
        let numbered = tokens.windows(2).position(|pair| {
            let is_number = pair[0].text.parse::<u32>().is_ok() || pair[0].is("separate");
            is_number && pair[1].is(visits)
        });
        if let Some(at) = numbered {
            tokens[at + 1].text = times.to_owned();
            take(tokens, "separate");
            take(tokens, "during");
        }
    }
    // "exactly once" counts; "once you have" does not.
    let counts = [
        "exactly once",
        "precisely once",
        "only once",
        "at most once",
        "at least once",
        "more than once",
        "less than once",
    ];
    for phrase in counts {
        let words: Vec<&str> = phrase.split(' ').collect();
        while let Some(at) =
            tokens.windows(words.len()).position(|it| it.iter().zip(&words).all(|(token, word)| token.is(word)))
        {
            let once = at + words.len() - 1;
            tokens[once].text = "1".to_owned();
            let times = Token { text: "times".to_owned(), ..tokens[once].clone() };
            tokens.insert(once + 1, times);
        }
    }
    let Some(at) = tokens
        .windows(2)
        .position(|pair| pair[0].text.parse::<u32>().is_ok() && (pair[1].is("times") || pair[1].is("time")))
    else {
        return plural(tokens);
    };
    let number: u32 = tokens[at].text.parse().ok()?;
    tokens.drain(at..at + 2);
    take_bound(tokens, at, number).map(Some)
}

/// "N or more times".
fn plural(tokens: &mut Vec<Token>) -> Option<Option<Times>> {
    let is = |window: &[Token]| {
        window[0].text.parse::<u32>().is_ok() && window[1].is("or") && (window[2].is("more")) && window[3].is("times")
    };
    let Some(at) = tokens.windows(4).position(is) else { return Some(None) };
    let least = tokens[at].text.parse().ok()?;
    tokens.drain(at..at + 4);
    Some(Some(Times { least, most: None, is_bare: false }))
}

/// Words before a number that bound it, and how.
const BOUNDS: [(&str, Bound); 16] = [
    ("no more than", Bound::Most),
    ("not more than", Bound::Most),
    ("at most", Bound::Most),
    ("at maximum", Bound::Most),
    ("up to", Bound::Most),
    ("only", Bound::Most),
    ("never more than", Bound::Most),
    ("at least", Bound::Least),
    ("no less than", Bound::Least),
    ("no fewer than", Bound::Least),
    ("not less than", Bound::Least),
    ("exactly", Bound::Exactly),
    ("precisely", Bound::Exactly),
    ("more than", Bound::More),
    ("less than", Bound::Fewer),
    ("fewer than", Bound::Fewer),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Most,
    Least,
    Exactly,
    More,
    Fewer,
}

/// Takes the words that bound a number which stood at `at` out of the sentence.
pub(crate) fn take_bound(tokens: &mut Vec<Token>, at: usize, number: u32) -> Option<Times> {
    let bound = BOUNDS.iter().find_map(|(phrase, bound)| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let from = at.checked_sub(words.len())?;
        let matches = tokens[from..at].iter().zip(&words).all(|(token, word)| token.is(word));
        matches.then_some((from..at, *bound))
    });
    let after = ["at most", "at least", "or more", "or less", "or fewer"].into_iter().find_map(|phrase| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let window = tokens.get(at..at + words.len())?;
        window.iter().zip(&words).all(|(token, word)| token.is(word)).then_some((phrase, at..at + words.len()))
    });
    let (range, bound) = match (bound, after) {
        (Some(_), Some(_)) => return None,
        (Some((range, bound)), None) => (range, bound),
        (None, Some((phrase, range))) => {
            (range, if phrase.ends_with("least") || phrase.ends_with("more") { Bound::Least } else { Bound::Most })
        }
        (None, None) => return Some(Times { least: number, most: Some(number), is_bare: true }),
    };
    let mut denied = false;
    if bound == Bound::More {
        // "never … more than twice" is "at most twice".
        let before = tokens.len();
        let mut position = 0;
        tokens.retain(|token| {
            let drop = position < range.start && (token.is("not") || token.is("never"));
            position += 1;
            !drop
        });
        denied = tokens.len() < before;
        let shift = before - tokens.len();
        tokens.drain(range.start - shift..range.end - shift);
        if shift > 1 {
            return None;
        }
    } else {
        tokens.drain(range);
        // "not at least twice" is not read.
        if tokens.iter().any(|token| token.is("not") || token.is("never")) {
            return None;
        }
    }
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
