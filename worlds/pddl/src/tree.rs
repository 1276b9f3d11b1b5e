//! Parenthesised text as a tree of words, with places and limits.

use crate::error::{Place, SyntaxError};

/// Maximum length of a text, in bytes.
pub const MAX_LENGTH: usize = 16 << 20;
/// Maximum nesting depth of parentheses.
pub const MAX_DEPTH: usize = 128;
/// Maximum length of a word, in bytes.
pub const MAX_WORD: usize = 256;

/// A word or a list.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    pub place: Place,
    pub kind: Kind<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind<'a> {
    Word(&'a str),
    List(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    pub fn word(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Word(word) => Some(word),
            Kind::List(_) => None,
        }
    }

    pub fn list(&self) -> Option<&[Node<'a>]> {
        match &self.kind {
            Kind::Word(_) => None,
            Kind::List(items) => Some(items),
        }
    }

    /// Returns the items of a list, or an error with what is expected here.
    pub fn items(&self, wanted: &str) -> Result<&[Node<'a>], SyntaxError> {
        self.list().ok_or_else(|| self.error(format!("found {}", self.shown()), format!("write {wanted}")))
    }

    /// Returns the word, or an error with what is expected here.
    pub fn name(&self, wanted: &str) -> Result<&'a str, SyntaxError> {
        self.word().ok_or_else(|| self.error("found a list", format!("write {wanted}")))
    }

    /// Returns the first word of a list, in lower case, and the rest; `None` for any other node.
    pub(crate) fn headed(&self) -> Option<(String, &[Node<'a>])> {
        let (head, rest) = self.list()?.split_first()?;
        Some((head.word()?.to_ascii_lowercase(), rest))
    }

    pub fn error(&self, message: impl Into<String>, help: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.place, message, help)
    }

    /// Returns a short description for messages.
    pub fn shown(&self) -> String {
        match &self.kind {
            Kind::Word(word) => format!("`{word}`"),
            Kind::List(items) if items.is_empty() => "`()`".to_owned(),
            Kind::List(items) => match items.first().and_then(Node::word) {
                Some(word) => format!("`({word} …)`"),
                None => "a list".to_owned(),
            },
        }
    }
}

/// Parses one parenthesised list; only comments may follow it.
pub(crate) fn read(text: &str) -> Result<Node<'_>, SyntaxError> {
    let mut reader = Reader { rest: text, place: Place { line: 1, column: 1 } };
    if text.len() > MAX_LENGTH {
        let message = format!("the text has {} bytes", text.len());
        return Err(SyntaxError::new(reader.place, message, format!("at most {MAX_LENGTH} bytes are read")));
    }
    // A file may begin with a byte order mark.
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        reader = Reader { rest, place: Place { line: 1, column: 2 } };
    }
    let node = reader.root()?;
    reader.skip_blanks();
    match reader.rest.is_empty() {
        true => Ok(node),
        false => {
            let help = "a file holds one `(define …)`; remove what follows it, or a parenthesis that closes too early";
            Err(SyntaxError::new(reader.place, "there is text after the last parenthesis", help))
        }
    }
}

/// The rest of a text, and its place.
struct Reader<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Reader<'a> {
    /// Returns the longest beginning of such characters, and moves past it.
    fn take(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c: char| !is(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        for c in taken.chars() {
            match c {
                '\n' => self.place = Place { line: self.place.line.saturating_add(1), column: 1 },
                _ => self.place.column = self.place.column.saturating_add(1),
            }
        }
        taken
    }

    /// Moves past a parenthesis.
    fn step(&mut self) {
        self.rest = &self.rest[1..];
        self.place.column = self.place.column.saturating_add(1);
    }

    fn skip_blanks(&mut self) {
        self.take(char::is_whitespace);
        while self.rest.starts_with(';') {
            self.take(|c| c != '\n');
            self.take(char::is_whitespace);
        }
    }

    fn root(&mut self) -> Result<Node<'a>, SyntaxError> {
        self.skip_blanks();
        let start = self.place;
        let mut open: Vec<(Place, Vec<Node<'a>>)> = Vec::new();
        loop {
            self.skip_blanks();
            let place = self.place;
            let node = match self.rest.chars().next() {
                None => {
                    let (unclosed, help) = match open.last() {
                        Some((place, _)) => (format!("the parenthesis of {place} is not closed"), "add `)`"),
                        None => ("the text is empty".to_owned(), "begin with `(define`"),
                    };
                    return Err(SyntaxError::new(place, unclosed, help));
                }
                Some('(') if open.len() == MAX_DEPTH => {
                    let message = format!("parentheses are nested more than {MAX_DEPTH} deep");
                    return Err(SyntaxError::new(place, message, "split the expression"));
                }
                Some('(') => {
                    self.step();
                    open.push((place, Vec::new()));
                    continue;
                }
                Some(')') => {
                    let Some((place, items)) = open.pop() else {
                        return Err(SyntaxError::new(start, "a `)` closes nothing", "begin with `(define`"));
                    };
                    self.step();
                    Node { place, kind: Kind::List(items) }
                }
                Some(_) => Node { place, kind: Kind::Word(self.word()?) },
            };
            match open.last_mut() {
                Some((_, items)) => items.push(node),
                None if node.list().is_some() => return Ok(node),
                None => return Err(node.error(format!("found {}", node.shown()), "begin with `(define`")),
            }
        }
    }

    fn word(&mut self) -> Result<&'a str, SyntaxError> {
        let place = self.place;
        let word = self.take(|c| c.is_ascii_graphic() && !matches!(c, '(' | ')' | ';'));
        match self.rest.chars().next() {
            Some(c) if !c.is_ascii_graphic() && !c.is_whitespace() => {
                let message = format!("the character `{}` is in no PDDL word", c.escape_debug());
                let help = "names are ASCII letters, digits, `-` and `_`";
                Err(SyntaxError::new(self.place, message, help))
            }
            _ if word.len() > MAX_WORD => {
                let message = format!("a word of {} bytes", word.len());
                Err(SyntaxError::new(place, message, format!("a word has at most {MAX_WORD} bytes")))
            }
            _ => Ok(word),
        }
    }
}
