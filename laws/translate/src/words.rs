//! Words of a sentence: tokens, numbers, and the base forms of verbs and nouns.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

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

    /// Returns the number that it is.
    pub(crate) fn number(&self) -> Option<u32> {
        self.text.parse().ok().filter(|_| !self.is_name)
    }

    /// Returns whether it is an article, which a noun follows.
    pub(crate) fn is_article(&self) -> bool {
        ["the", "a", "an", "your", "my", "its"].iter().any(|word| self.is(word))
    }

    /// Returns whether it denies.
    pub(crate) fn denies(&self) -> bool {
        ["no", "not", "never", "neither", "nor"].iter().any(|word| self.is(word))
    }
}

/// Words without a meaning for laws. Only these are ignored; a sentence has a reading only if every other word is part
/// of it.
pub(crate) const FILLERS: [&str; 6] = ["ever", "already", "yet", "still", "also", "please"];

/// Words of the grammar itself, apart from verb frames.
const GRAMMAR: &str = "the a an any some every each all both no not never do does did you i we it they robot agent bot player actor \
    then and or but nor neither if when whenever once after before until till unless without while as long soon only time times \
    at least most more less fewer than exactly precisely must may can could should shall will have has had to need needs allowed \
    is are be been that there is later eventually immediately right away next step again point future end in on some afterwards \
    forbidden prohibited make sure please always first means implies moment from thereafter avoid stop fail refrain ensure \
    your my its this of into for sooner so on with door open way anything nothing up down off out back hand over them so true false holds happens case under no circumstances account , . ? got was were";

/// Returns whether a word belongs to the grammar rather than to a world.
pub(crate) fn is_grammar(word: &str) -> bool {
    word.parse::<u32>().is_ok() || FILLERS.contains(&word) || GRAMMAR.split_whitespace().any(|known| known == word)
}

/// Returns the phrases of a table, each with its meaning.
pub fn phrases<T: Copy>(table: &'static [(T, &'static str)]) -> impl Iterator<Item = (&'static str, T)> {
    table.iter().flat_map(|(what, all)| all.split('|').map(|phrase| (phrase, *what)))
}

/// Returns the number of words of a phrase, if these words begin with it.
pub fn begins(tokens: &[Token], phrase: &str) -> Option<usize> {
    let mut rest = tokens.iter();
    phrase.split(' ').try_fold(0, |count, word| rest.next().filter(|token| token.is(word)).map(|_| count + 1))
}

/// A table of words with their meanings.
pub(crate) type Words = LazyLock<HashMap<&'static str, &'static str>>;

/// Reads a table of words: each meaning after its words, as in `can not: can't cannot`.
pub(crate) fn table(text: &'static str) -> HashMap<&'static str, &'static str> {
    let meanings = text.split("; ").filter_map(|line| line.split_once(": "));
    meanings.flat_map(|(meaning, words)| words.split(' ').map(move |word| (word, meaning))).collect()
}

/// Contractions with their full forms.
static CONTRACTIONS: Words = LazyLock::new(|| {
    table(
        "do not: don't doesn't; did not: didn't; can not: can't cannot couldn't; must not: mustn't; should not: shouldn't; \
         need not: needn't; will not: won't; shall not: shan't; is not: isn't; are not: aren't; was not: wasn't; \
         were not: weren't; have not: haven't; has not: hasn't; had not: hadn't; you have: you've; you are: you're; \
         it is: it's; there is: there's; that is: that's; 2 times: twice; 3 times: thrice; any more: anymore; \
         off limits: off-limits; some time: sometime; afterwards: afterward",
    )
});

const NUMBERS: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

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
    if let Some(parts) = CONTRACTIONS.get(&*lower) {
        parts.split(' ').for_each(|part| push(tokens, part, span.clone()));
        return;
    }
    // "have got" means "have".
    if lower == "got" && tokens.last().is_some_and(|last| last.is("have") || last.is("has")) {
        return;
    }
    // The possessive adds nothing to a name: "the robot's hand".
    let lower = lower.strip_suffix("'s").map_or(lower.clone(), str::to_owned);
    match NUMBERS.iter().position(|number| *number == lower) {
        Some(number) => push(tokens, &number.to_string(), span),
        None => push(tokens, &lower, span),
    }
}

/// Irregular verb forms, each with its base.
static IRREGULAR: Words = LazyLock::new(|| {
    table(
        "be: is are am was were been being; have: has had having; do: does did done; go: went gone goes; take: took taken; \
         hold: held; keep: kept; make: made; build: built; get: got gotten; dig: dug; leave: left; lay: laid; lie: lying lain; \
         stand: stood; run: ran; come: came; see: saw seen; break: broke broken; bring: brought; throw: threw thrown; \
         begin: begun; forbid: forbade forbidden; drive: driven; wear: worn; die: dying",
    )
});

/// Participles that look like the base form.
const SAME_PARTICIPLES: [&str; 9] = ["put", "shut", "cut", "set", "let", "come", "run", "switched", "turned"];

/// Returns whether a form of a verb can have this base form.
pub(crate) fn is_form_of(form: &str, base: &str) -> bool {
    if form == base {
        return true;
    }
    if let Some(known) = IRREGULAR.get(form) {
        return *known == base;
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
    let irregular = IRREGULAR.contains_key(word) && !word.ends_with("ing");
    let simple = matches!(word, "is" | "are" | "am" | "was" | "were" | "has" | "does" | "did" | "goes" | "went");
    (irregular && !simple) || SAME_PARTICIPLES.contains(&word) || (word.ends_with("ed") && word.len() > 4)
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
