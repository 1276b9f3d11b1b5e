//! Words of a sentence: tokens, numbers, and the base forms of verbs and nouns.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};

/// Maximum length of a sentence, in bytes.
pub const MAX_SENTENCE: usize = 2_000;
/// Maximum number of words in a sentence.
pub const MAX_WORDS: usize = 120;

/// A word or punctuation mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Lower case, contractions written out, numbers as digits.
    pub text: String,
    /// Its position in the sentence, in bytes.
    pub span: Range<usize>,
    /// True if it is written in backticks: the name of a proposition.
    pub is_name: bool,
}

impl Token {
    /// Returns whether it is this word.
    pub fn is(&self, word: &str) -> bool {
        !self.is_name && self.text == word
    }

    /// Returns whether it is one of these words.
    pub(crate) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// Returns the number that it is.
    pub(crate) fn number(&self) -> Option<u32> {
        self.text.parse().ok().filter(|_| !self.is_name)
    }

    /// Returns whether it is an article, which a noun follows.
    pub(crate) fn is_article(&self) -> bool {
        self.is_any(&["the", "a", "an", "your", "my", "its"])
    }

    /// Returns whether it denies.
    pub(crate) fn denies(&self) -> bool {
        self.is_any(&["no", "not", "never", "neither", "nor"])
    }
}

/// The tables of `words.txt` by name: phrases in order, each with its meaning.
type Tables = HashMap<&'static str, Vec<(&'static str, &'static str)>>;

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let phrases = |line: &'static str| {
        let (meaning, phrases) = line.split_once(": ").unwrap_or(("", line));
        phrases.split(" | ").map(move |phrase| (phrase, meaning))
    };
    let read = |table: &'static str| {
        let (name, lines) = table.split_once("]\n")?;
        let lines = lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Some((name, lines.flat_map(phrases).collect()))
    };
    include_str!("../words.txt").split("\n[").filter_map(read).collect()
});

/// The meanings of phrases, by table and phrase.
static MEANINGS: LazyLock<HashMap<(&'static str, &'static str), &'static str>> = LazyLock::new(|| {
    let of_table = |(name, table): (&&'static str, &Vec<_>)| {
        let name = *name;
        table.iter().map(move |(phrase, meaning)| ((name, *phrase), *meaning)).collect::<Vec<_>>()
    };
    TABLES.iter().flat_map(of_table).collect()
});

/// Returns the phrases of a table in order, each with its meaning.
pub(crate) fn table(name: &str) -> &'static [(&'static str, &'static str)] {
    TABLES.get(name).map_or(&[], Vec::as_slice)
}

/// Returns the phrases of a table in order, each with its meaning as a value.
pub(crate) fn phrases<T: DeserializeOwned>(name: &str) -> impl Iterator<Item = (&'static str, T)> {
    table(name).iter().filter_map(|(phrase, meaning)| Some((*phrase, value(meaning)?)))
}

/// Returns the value of an enumeration that is written like this.
pub(crate) fn value<T: DeserializeOwned>(written: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<Error>::new(written)).ok()
}

/// Returns the meaning of a phrase in a table.
pub(crate) fn meaning(table: &str, phrase: &str) -> Option<&'static str> {
    MEANINGS.get(&(table, phrase)).copied()
}

/// Returns whether a table has a phrase.
pub(crate) fn is_in(table: &str, phrase: &str) -> bool {
    meaning(table, phrase).is_some()
}

/// Returns whether a word belongs to the grammar rather than to a world.
pub(crate) fn is_grammar(word: &str) -> bool {
    word.parse::<u32>().is_ok() || is_in("fillers", word) || is_in("grammar", word)
}

/// Returns the number of words of a phrase, if these words begin with it.
pub fn begins(tokens: &[Token], phrase: &str) -> Option<usize> {
    let mut rest = tokens.iter();
    phrase.split(' ').try_fold(0, |count, word| rest.next().filter(|token| token.is(word)).map(|_| count + 1))
}

/// Splits a sentence into words and the marks `,` `.` `;` `:`. A text in backticks is one token, the name of a
/// proposition.
pub fn tokens(sentence: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = sentence[at..].chars().next() {
        let start = at;
        if c == '`' {
            let inner = &sentence[at + 1..];
            let length = inner.find('`').unwrap_or(inner.len());
            at = (at + length + 2).min(sentence.len());
            tokens.push(Token { text: inner[..length].to_owned(), span: start..at, is_name: true });
            continue;
        }
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '_' | '-');
        if is_part(c) {
            let rest = &sentence[at..];
            at += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            word(&sentence[start..at], start..at, &mut tokens);
            continue;
        }
        at += c.len_utf8();
        match c {
            c if c == '\n' || c == '\r' => push(&mut tokens, ".", start..at),
            c if c.is_whitespace() => {}
            '!' => push(&mut tokens, ".", start..at),
            c => push(&mut tokens, &c.to_string(), start..at),
        }
    }
    tokens
}

fn push(tokens: &mut Vec<Token>, text: &str, span: Range<usize>) {
    tokens.push(Token { text: text.to_owned(), span, is_name: false });
}

fn word(word: &str, span: Range<usize>, tokens: &mut Vec<Token>) {
    let lower = word.to_lowercase().replace('’', "'");
    // "have got" means "have".
    if lower == "got" && tokens.last().is_some_and(|last| last.is("have") || last.is("has")) {
        return;
    }
    // The possessive adds nothing to a name: "the robot's hand".
    let plain = lower.strip_suffix("'s").unwrap_or(&lower);
    let parts = meaning("contractions", &lower).or_else(|| meaning("contractions", plain));
    parts.unwrap_or(plain).split(' ').for_each(|part| push(tokens, part, span.clone()));
}

/// Returns whether a form of a verb can have this base form.
pub(crate) fn is_form_of(form: &str, base: &str) -> bool {
    if form == base {
        return true;
    }
    if let Some(known) = meaning("irregular", form) {
        return known == base;
    }
    let last = base.chars().next_back().unwrap_or(' ');
    let doubled = |ending: &str| {
        form.len() == base.len() + 1 + ending.len() && {
            form.starts_with(base) && form[base.len()..] == format!("{last}{ending}")
        }
    };
    let without_e = base.strip_suffix('e').unwrap_or(base);
    let without_y = base.strip_suffix('y');
    form.strip_suffix("ing").is_some_and(|stem| stem == base || stem == without_e)
        || form.strip_suffix("ed").is_some_and(|stem| stem == base || stem == without_e)
        || form.strip_suffix('s').is_some_and(|stem| stem == base)
        || form.strip_suffix("es").is_some_and(|stem| stem == base)
        || doubled("ing")
        || doubled("ed")
        || without_y.is_some_and(|stem| {
            form.strip_suffix("ied").is_some_and(|it| it == stem)
                || form.strip_suffix("ies").is_some_and(|it| it == stem)
        })
}

/// Returns whether a word can be a participle of the perfect: "been", "opened", "put".
pub(crate) fn is_participle(word: &str) -> bool {
    let irregular = is_in("irregular", word) && !word.ends_with("ing");
    let simple = matches!(word, "is" | "are" | "am" | "was" | "were" | "has" | "does" | "did" | "goes" | "went");
    (irregular && !simple) || is_in("participles", word) || (word.ends_with("ed") && word.len() > 4)
}

/// Drops an auxiliary before a form of a verb; returns whether there was one.
pub(crate) fn drop_before(tokens: &mut Vec<Token>, auxiliary: &str, is_verb: impl Fn(&str) -> bool) -> bool {
    let is = |pair: &[Token]| !pair[0].is_name && is_form_of(&pair[0].text, auxiliary) && is_verb(&pair[1].text);
    let at = tokens.windows(2).position(is);
    if let Some(at) = at {
        tokens.remove(at);
    }
    at.is_some()
}

/// Returns a noun without its plural ending.
pub fn singular(noun: &str) -> String {
    for (ending, instead) in
        [("ies", "y"), ("shelves", "shelf"), ("ches", "ch"), ("shes", "sh"), ("oxes", "ox"), ("sses", "ss")]
    {
        if let Some(stem) = noun.strip_suffix(ending) {
            return format!("{stem}{instead}");
        }
    }
    match noun.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') && !stem.ends_with('u') => stem.to_owned(),
        _ => noun.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sentence: &str) -> Vec<String> {
        tokens(sentence).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_are_lower_case_and_written_out() {
        assert_eq!(texts("Don't go, twice!"), ["do", "not", "go", ",", "2", "times", "."]);
        assert_eq!(texts("the robot's hand; `agent_at(kitchen)`"), ["the", "robot", "hand", ";", "agent_at(kitchen)"]);
    }

    #[test]
    fn forms_of_verbs() {
        for (form, base) in [
            ("digging", "dig"),
            ("mined", "mine"),
            ("carries", "carry"),
            ("touches", "touch"),
            ("taken", "take"),
            ("putting", "put"),
        ] {
            assert!(is_form_of(form, base), "{form} {base}");
        }
        assert!(!is_form_of("minus", "mine") && !is_form_of("on", "one"));
        assert!(is_participle("been") && is_participle("opened") && !is_participle("bed") && !is_participle("open"));
    }

    #[test]
    fn nouns() {
        for (many, one) in [("boxes", "box"), ("logs", "log"), ("glasses", "glass"), ("glass", "glass")] {
            assert_eq!(singular(many), one);
        }
    }
}
