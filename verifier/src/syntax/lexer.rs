//! Tokens of both notations, and the rule that distinguishes propositions from operators (see [`super`]).

use std::ops::Range;
use std::sync::Arc;

use super::error::SyntaxError;
use super::limits::{MAX_BOUND, MAX_LENGTH, MAX_NAME};
use crate::formula::{Binary, Unary};
use crate::vocabulary::Vocabulary;

/// The notation of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Operators between their operands, as in Spot: `!a W b`.
    Infix,
    /// Operators before their operands, as in LBT and the Safety Chip: `W ! a b`.
    Prefix,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    Unary(Unary),
    Binary(Binary),
    Constant(bool),
    Atom(Arc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// Operators and constants made of symbols; a longer symbol comes before its prefixes.
const SYMBOLS: &[(&str, Kind)] = &[
    ("<->", Kind::Binary(Binary::Iff)),
    ("<=>", Kind::Binary(Binary::Iff)),
    ("->", Kind::Binary(Binary::Implies)),
    ("=>", Kind::Binary(Binary::Implies)),
    ("<>", Kind::Unary(Unary::Finally)),
    ("[]", Kind::Unary(Unary::Globally)),
    ("&&", Kind::Binary(Binary::And)),
    ("/\\", Kind::Binary(Binary::And)),
    ("||", Kind::Binary(Binary::Or)),
    ("\\/", Kind::Binary(Binary::Or)),
    ("!", Kind::Unary(Unary::Not)),
    ("~", Kind::Unary(Unary::Not)),
    ("&", Kind::Binary(Binary::And)),
    ("|", Kind::Binary(Binary::Or)),
    ("^", Kind::Binary(Binary::Xor)),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("¬", Kind::Unary(Unary::Not)),
    ("∧", Kind::Binary(Binary::And)),
    ("∨", Kind::Binary(Binary::Or)),
    ("⊕", Kind::Binary(Binary::Xor)),
    ("→", Kind::Binary(Binary::Implies)),
    ("↔", Kind::Binary(Binary::Iff)),
    ("○", Kind::Unary(Unary::Next)),
    ("□", Kind::Unary(Unary::Globally)),
    ("◇", Kind::Unary(Unary::Finally)),
    ("⊤", Kind::Constant(true)),
    ("⊥", Kind::Constant(false)),
];

const STRONG: &str = "[!]";
const BRACKETS: &str =
    "brackets hold a bound here: `F[<=5] a`, `G[<=5] a`, `X[5] a`, `X[!][5] a`, `at_most[5] a`, `at_least[5] a`";
pub(crate) const AT_LEAST: &str = "at_least";
pub(crate) const AT_MOST: &str = "at_most";

/// Returns the meaning of a reserved word.
fn reserved(word: &str, notation: Notation) -> Option<Kind> {
    let in_prefix = notation == Notation::Prefix;
    Some(match word {
        "G" => Kind::Unary(Unary::Globally),
        "F" => Kind::Unary(Unary::Finally),
        "X" => Kind::Unary(Unary::Next),
        "U" => Kind::Binary(Binary::Until),
        "W" => Kind::Binary(Binary::WeakUntil),
        "R" | "V" => Kind::Binary(Binary::Release),
        "M" => Kind::Binary(Binary::StrongRelease),
        "Y" => Kind::Unary(Unary::Yesterday),
        "Z" => Kind::Unary(Unary::WeakYesterday),
        "O" => Kind::Unary(Unary::Once),
        "H" => Kind::Unary(Unary::Historically),
        "S" => Kind::Binary(Binary::Since),
        "xor" => Kind::Binary(Binary::Xor),
        "i" if in_prefix => Kind::Binary(Binary::Implies),
        "e" if in_prefix => Kind::Binary(Binary::Iff),
        "t" if in_prefix => Kind::Constant(true),
        "f" if in_prefix => Kind::Constant(false),
        _ if word.eq_ignore_ascii_case("true") => Kind::Constant(true),
        _ if word.eq_ignore_ascii_case("false") => Kind::Constant(false),
        _ => return None,
    })
}

/// Returns the number of leading letters of a word that are glued operators: the whole word if it has no other letters,
/// else those before a short name.
fn glued_operators(word: &str) -> usize {
    let tail = word.trim_start_matches(['G', 'F', 'X']);
    let mut rest = tail.chars();
    let short_name =
        rest.next().is_none_or(|first| first.is_ascii_lowercase()) && rest.all(|digit| digit.is_ascii_digit());
    if short_name { word.len() - tail.len() } else { 0 }
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn continues_argument(c: char) -> bool {
    continues_word(c) || matches!(c, '.' | '-')
}

/// Returns whether a name can stand unquoted in this notation and be read as itself in any context.
pub(crate) fn is_plain(name: &str, notation: Notation) -> bool {
    // These two are quoted in infix text so that `parse` never takes them for constants.
    if matches!(name, "t" | "f") {
        return false;
    }
    match lex(name, notation, None).as_deref() {
        Ok([Token { kind: Kind::Atom(atom), span }]) => &**atom == name && *span == (0..name.len()),
        _ => false,
    }
}

pub(super) fn lex(text: &str, notation: Notation, known: Option<&Vocabulary>) -> Result<Vec<Token>, SyntaxError> {
    if text.len() > MAX_LENGTH {
        let message = format!("the formula has {} bytes, at most {MAX_LENGTH} are read", text.len());
        return Err(SyntaxError::new(text, MAX_LENGTH..MAX_LENGTH, message));
    }
    let mut lexer = Lexer { text, notation, known, at: 0, tokens: Vec::new(), bounds: 0 };
    while lexer.token()? {}
    Ok(lexer.tokens)
}

/// Reads the name that begins at a byte, without operators: a word, a predicate or a quoted name.
///
/// Returns it with the byte after it.
pub(crate) fn name_at(text: &str, at: usize) -> Result<(Arc<str>, usize), SyntaxError> {
    let mut lexer = Lexer { text, notation: Notation::Infix, known: None, at, tokens: Vec::new(), bounds: 0 };
    match lexer.peek() {
        Some('"') => lexer.quoted()?,
        Some(c) if begins_word(c) => {
            let span = lexer.skip(continues_word);
            let name = &text[span.clone()];
            match lexer.peek() {
                Some('(') => lexer.predicate(name, span)?,
                _ => lexer.atom(name, span)?,
            }
        }
        _ => {}
    }
    match lexer.tokens.pop() {
        Some(Token { kind: Kind::Atom(name), span }) => Ok((name, span.end)),
        _ => {
            let span = at..at + lexer.peek().map_or(0, char::len_utf8);
            let message = "a proposition begins with a letter or `_`; any other name goes in double quotes";
            Err(SyntaxError::new(text, span, message))
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    notation: Notation,
    known: Option<&'a Vocabulary>,
    at: usize,
    tokens: Vec<Token>,
    /// The sum of the bounds and counts so far.
    bounds: u32,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> Range<usize> {
        let start = self.at;
        self.at += self.rest().find(|c| !wanted(c)).unwrap_or(self.rest().len());
        start..self.at
    }

    /// Adds a token. An operator and the brackets directly after it are one: `X[!]`, `F[<=5]`; `X[3]` is three.
    fn push(&mut self, mut kind: Kind, mut span: Range<usize>) -> Result<(), SyntaxError> {
        let mut times = 1;
        if let Kind::Unary(operator) = &mut kind
            && span.end == self.at
        {
            if *operator == Unary::Next && self.rest().starts_with(STRONG) {
                self.at += STRONG.len();
                *operator = Unary::StrongNext;
            }
            // `X[]a` is `X G a`.
            if self.peek() == Some('[') && !self.rest().starts_with("[]") {
                match operator {
                    Unary::Next | Unary::StrongNext => times = self.bound("")?,
                    Unary::Globally => *operator = Unary::GloballyWithin(self.bound("<=")?),
                    Unary::Finally => *operator = Unary::FinallyWithin(self.bound("<=")?),
                    _ => {}
                }
            }
            span.end = self.at;
        }
        self.tokens.extend((0..times).map(|_| Token { kind: kind.clone(), span: span.clone() }));
        Ok(())
    }

    /// Reads a number in brackets, after a symbol.
    fn bound(&mut self, symbol: &str) -> Result<u32, SyntaxError> {
        let inside = self.rest().split_once(']').map_or("", |(inside, _)| &inside[1..]);
        let end = self.at + inside.len() + 2;
        let number = inside.trim().replace('≤', "<=").strip_prefix(symbol).and_then(|it| it.trim().parse().ok());
        let Some(number) = number else { return Err(self.error(self.at..self.at + 1, BRACKETS)) };
        self.count(number, self.at..end)?;
        self.at = end;
        Ok(number)
    }

    /// Adds a bound or a count to those of the formula.
    fn count(&mut self, number: u32, span: Range<usize>) -> Result<(), SyntaxError> {
        self.bounds = self.bounds.saturating_add(number);
        if self.bounds > MAX_BOUND {
            let message =
                format!("the bounds and counts of a formula add up to at most {MAX_BOUND}, as in `F[<=100] a`");
            return Err(self.error(span, message));
        }
        Ok(())
    }

    /// Reads what follows `at_most` or `at_least`: `[3]`, or `(3,`, after which comes a formula with its `)`.
    fn counting(&mut self, operator: fn(u32) -> Unary, span: Range<usize>) -> Result<bool, SyntaxError> {
        if self.peek() == Some('[') {
            let count = self.bound("")?;
            self.push(Kind::Unary(operator(count)), span.start..self.at)?;
            return Ok(true);
        }
        let inside = self.rest().strip_prefix('(').and_then(|rest| rest.split_once(','));
        let Some((inside, _)) = inside else { return Ok(false) };
        let open = self.at..self.at + inside.len() + 2;
        let Ok(count) = inside.trim().parse() else { return Ok(false) };
        self.count(count, open.clone())?;
        self.at = open.end;
        self.tokens.push(Token { kind: Kind::Unary(operator(count)), span });
        self.tokens.push(Token { kind: Kind::Open, span: open });
        Ok(true)
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.text, span, message)
    }

    fn atom(&mut self, name: &str, span: Range<usize>) -> Result<(), SyntaxError> {
        if name.len() > MAX_NAME {
            let message = format!("a name of {} bytes; a proposition's name has at most {MAX_NAME}", name.len());
            return Err(self.error(span, message));
        }
        self.push(Kind::Atom(name.into()), span)
    }

    /// Reads one token, or several glued ones; returns `false` at the end.
    fn token(&mut self) -> Result<bool, SyntaxError> {
        self.skip(char::is_whitespace);
        let Some(c) = self.peek() else { return Ok(false) };
        if c == '"' {
            self.quoted()?;
        } else if begins_word(c) {
            self.word()?;
        } else if c.is_numeric() {
            self.number()?;
        } else if let Some((symbol, kind)) = SYMBOLS.iter().find(|(symbol, _)| self.rest().starts_with(symbol)) {
            let start = self.at;
            self.at += symbol.len();
            self.push(kind.clone(), start..self.at)?;
        } else {
            return Err(self.unexpected(c));
        }
        Ok(true)
    }

    fn unexpected(&self, c: char) -> SyntaxError {
        let span = self.at..self.at + c.len_utf8();
        let after_operator =
            matches!(self.tokens.last(), Some(Token { kind: Kind::Unary(_), span }) if span.end == self.at);
        match c {
            '[' if after_operator => self.error(span, BRACKETS),
            '=' | '<' => {
                let width = self.rest().len() - self.rest().trim_start_matches(['=', '<']).len();
                let span = self.at..self.at + width;
                let message = format!("`{}` is not an operator", &self.text[span.clone()]);
                self.error(span, message).suggest("<->")
            }
            '-' => self.error(
                span,
                "`-` is not an operator; write `->` for implication, and put a name with `-` in double quotes",
            ),
            ',' => self.error(span, "`,` stands only between the arguments of a predicate; write `&` for and"),
            ';' => self.error(span, "`;` separates the letters of a word and has no meaning in a formula"),
            '#' => self.error(span, "`#` has no meaning in a formula; a comment goes outside it"),
            '\'' | '`' | '“' | '”' => self.error(span, "names are quoted with plain double quotes").suggest("\""),
            _ => self.error(span, format!("`{}` has no meaning in a formula", c.escape_debug())),
        }
    }

    fn quoted(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let mut name = String::new();
        let mut characters = self.text[start..].char_indices().skip(1);
        while let Some((offset, c)) = characters.next() {
            match c {
                '"' if name.is_empty() => return Err(self.error(start..start + offset + 1, "an empty name")),
                '"' => {
                    self.at = start + offset + 1;
                    return self.atom(&name, start..self.at);
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => name.push(escaped),
                    Some((_, 'n')) => name.push('\n'),
                    Some((_, 'r')) => name.push('\r'),
                    Some((_, 't')) => name.push('\t'),
                    _ => {
                        let at = start + offset;
                        return Err(
                            self.error(at..at + 1, "`\\` in a quoted name goes before `\"`, `\\`, `n`, `r` or `t`")
                        );
                    }
                },
                '\n' => break,
                c => name.push(c),
            }
        }
        Err(self.error(start..start + 1, "this quote is never closed on its line"))
    }

    fn number(&mut self) -> Result<(), SyntaxError> {
        let span = self.skip(continues_word);
        let kind = match &self.text[span.clone()] {
            "1" => Kind::Constant(true),
            "0" => Kind::Constant(false),
            word => {
                let message = format!(
                    "`{word}` begins with a digit; only the constants `0` and `1` do, other names go in double quotes"
                );
                return Err(self.error(span.clone(), message).suggest(format!("\"{word}\"")));
            }
        };
        self.push(kind, span)
    }

    fn word(&mut self) -> Result<(), SyntaxError> {
        let text = self.text;
        let span = self.skip(continues_word);
        let word = &text[span.clone()];
        if let Some(kind) = reserved(word, self.notation) {
            return self.push(kind, span);
        }
        let counts = match word {
            AT_MOST => self.counting(Unary::AtMost, span.clone())?,
            AT_LEAST => self.counting(Unary::AtLeast, span.clone())?,
            _ => false,
        };
        if counts {
            return Ok(());
        }
        let glued = glued_operators(word);
        let only_operators = glued == word.len();
        if self.peek() == Some('(') && !only_operators {
            return self.predicate(word, span);
        }
        if glued == 0 || self.known.is_some_and(|vocabulary| vocabulary.id(word).is_some()) {
            return self.atom(word, span);
        }
        if self.notation == Notation::Prefix {
            let spaced = word.char_indices().map(|(at, c)| if at < glued { format!("{c} ") } else { c.to_string() });
            let spaced = spaced.collect::<String>();
            let message = format!(
                "in prefix notation operators are tokens of their own; if `{word}` is a proposition, put it in double quotes"
            );
            return Err(self.error(span, message).suggest(spaced.trim_end()));
        }
        for (at, operator) in (span.start..).zip(word[..glued].chars()) {
            let operator = match operator {
                'G' => Unary::Globally,
                'F' => Unary::Finally,
                _ => Unary::Next,
            };
            self.push(Kind::Unary(operator), at..at + 1)?;
        }
        if !only_operators {
            self.atom(&word[glued..], span.start + glued..span.end)?;
        }
        Ok(())
    }

    /// Reads the arguments of a predicate and normalises their spacing.
    fn predicate(&mut self, name: &str, name_span: Range<usize>) -> Result<(), SyntaxError> {
        let text = self.text;
        let open = self.at;
        self.at += 1;
        let mut normal = format!("{name}(");
        loop {
            self.skip(char::is_whitespace);
            let start = self.at;
            self.at += usize::from(self.peek() == Some('?'));
            let argument = start..self.skip(continues_argument).end;
            if argument.len() == usize::from(text[start..].starts_with('?')) {
                return Err(self.bad_argument(name, &name_span, open));
            }
            normal.push_str(&text[argument]);
            self.skip(char::is_whitespace);
            match self.peek() {
                Some(',') => normal.push_str(", "),
                Some(')') => break,
                _ => return Err(self.bad_argument(name, &name_span, open)),
            }
            self.at += 1;
        }
        self.at += 1;
        normal.push(')');
        self.atom(&normal, name_span.start..self.at)
    }

    fn bad_argument(&self, name: &str, name_span: &Range<usize>, open: usize) -> SyntaxError {
        let operators = name.len() - name.trim_start_matches(['G', 'F', 'X']).len();
        match self.peek() {
            None => self.error(open..open + 1, format!("the arguments of `{name}` are never closed with `)`")),
            Some(c) => {
                let meant = if operators > 0 {
                    "; operators before a name are written apart from it"
                } else {
                    "; if it is not a predicate, an operator is missing before `(`"
                };
                let span = if c == ')' { name_span.start..self.at + 1 } else { self.at..self.at + c.len_utf8() };
                let message =
                    format!("`{name}(` begins a predicate: names separated by commas, such as `{name}(a, b)`{meant}");
                self.error(span, message)
            }
        }
    }
}
