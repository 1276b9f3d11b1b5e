//! Expressions over a tool call: its input, its result, the words of a shell command.
//!
//! `path(input.file_path)`, `exit_code == 0`, `response.text contains 'secret' and not input.dry_run`. A value that is not
//! known, such as the exit code of a command that still runs, makes what depends on it unknown.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use globset::{Glob, GlobSet};
use ltlcrit_verifier::objects::Like;
use ltlcrit_verifier::syntax::nearest_name;
use serde_json::Value;

/// Maximum nesting of parentheses and `not`.
const MAX_DEPTH: usize = 40;

const ROOTS: [&str; 4] = ["input", "response", "exit_code", "words"];
const FUNCTIONS: [&str; 2] = ["path", "length"];

/// A pattern of names, paths or texts. Most of a book are not asked in a call, and compiling one takes long: it is compiled
/// when it is first needed.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As the book writes it.
    pub text: String,
    /// `None` for a text without signs such as `*`.
    glob: Option<(Glob, Arc<OnceLock<GlobSet>>)>,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A pattern with a fault.
    pub fn new(text: &str) -> Result<Self, globset::Error> {
        let is_plain = !text.contains(['*', '?', '[', ']', '{', '}', '\\']);
        let glob = if is_plain { None } else { Some((Glob::new(text)?, Arc::default())) };
        Ok(Self { text: text.to_owned(), glob })
    }

    /// Returns whether a text fits.
    pub fn is_match(&self, text: &str) -> bool {
        match &self.glob {
            None => self.text == text,
            Some(_) if self.text == "*" => true,
            // A set needs no automaton for patterns such as `*.env`.
            Some((glob, set)) => set.get_or_init(|| GlobSet::new([glob]).unwrap_or_default()).is_match(text),
        }
    }
}

impl Like for Pattern {
    fn text(&self) -> &str {
        &self.text
    }

    fn is_match(&self, object: &str) -> bool {
        Self::is_match(self, object)
    }
}

/// An expression, parsed.
#[derive(Clone, Debug)]
pub struct Expression(Node);

#[derive(Clone, Debug)]
enum Node {
    Literal(Value),
    Input,
    Response,
    ExitCode,
    Words,
    Field(Box<Node>, String),
    Index(Box<Node>, usize),
    Path(Box<Node>),
    Length(Box<Node>),
    Not(Box<Node>),
    Both(Box<Node>, Box<Node>),
    Either(Box<Node>, Box<Node>),
    /// Two values and the sign between them.
    Compare(Box<Node>, &'static str, Box<Node>),
    Matches(Box<Node>, Pattern),
}

/// The values that an expression speaks of; `None` is a value that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The tool's input.
    pub input: &'a Value,
    /// The tool's result.
    pub response: Option<&'a Value>,
    /// The exit code of the command, or 0 and 1 for success and failure of a tool without one.
    pub exit_code: Option<i64>,
    /// The words of the shell command, the program first.
    pub words: &'a [Option<String>],
    /// The folder that relative paths begin at.
    pub folder: Option<&'a Path>,
    /// The project's folder: paths in it are written without it.
    pub root: &'a Path,
}

/// An error in an expression: the bytes, the fault, and what would be right.
pub type Fault = (Range<usize>, String, String);

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// The place where it stops making sense.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let node = parser.either()?;
        parser.space();
        match parser.at == text.len() {
            true => Ok(Self(node)),
            false => Err(parser.fault(
                "an operator is missing before this",
                "write `and`, `or`, `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains` or `matches`",
            )),
        }
    }

    /// The value; `None` if it is not known.
    pub fn value(&self, scope: &Scope<'_>) -> Option<Value> {
        value(&self.0, scope)
    }

    /// Returns whether it holds; `None` if that is not known.
    pub fn holds(&self, scope: &Scope<'_>) -> Option<bool> {
        self.value(scope).map(|value| is_true(&value))
    }
}

fn is_true(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

fn value(node: &Node, scope: &Scope<'_>) -> Option<Value> {
    Some(match node {
        Node::Literal(value) => value.clone(),
        Node::Input => scope.input.clone(),
        Node::Response => scope.response?.clone(),
        Node::ExitCode => scope.exit_code?.into(),
        Node::Words => scope.words.iter().cloned().collect::<Option<Vec<_>>>()?.into(),
        Node::Field(of, name) => match &**of {
            Node::Input => scope.input.get(name).cloned().unwrap_or_default(),
            Node::Response => scope.response?.get(name).cloned().unwrap_or_default(),
            of => value(of, scope)?.get(name).cloned().unwrap_or_default(),
        },
        Node::Index(of, index) => match &**of {
            Node::Words => match scope.words.get(*index) {
                Some(word) => word.clone()?.into(),
                None => Value::Null,
            },
            of => value(of, scope)?.get(index).cloned().unwrap_or_default(),
        },
        Node::Path(of) => match value(of, scope)? {
            Value::String(text) => real_path(&text, scope.folder, scope.root)?.into(),
            _ => Value::Null,
        },
        Node::Length(of) => match value(of, scope)? {
            Value::String(text) => text.chars().count().into(),
            Value::Array(items) => items.len().into(),
            Value::Object(fields) => fields.len().into(),
            _ => 0.into(),
        },
        Node::Not(of) => (!is_true(&value(of, scope)?)).into(),
        Node::Both(a, b) => both(value(a, scope), value(b, scope))?.into(),
        Node::Either(a, b) => {
            let negated = |node| value(node, scope).map(|value| (!is_true(&value)).into());
            (!both(negated(a), negated(b))?).into()
        }
        Node::Compare(a, sign, b) => compare(&value(a, scope)?, sign, &value(b, scope)?).into(),
        Node::Matches(of, glob) => value(of, scope)?.as_str().is_some_and(|text| glob.is_match(text)).into(),
    })
}

/// Both hold; known as soon as one does not.
fn both(a: Option<Value>, b: Option<Value>) -> Option<bool> {
    match (a.as_ref().map(is_true), b.as_ref().map(is_true)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn compare(a: &Value, sign: &str, b: &Value) -> bool {
    let equal = || match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    };
    let order = || match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.partial_cmp(&b),
        _ => a.as_str().zip(b.as_str()).map(|(a, b)| a.cmp(b)),
    };
    match sign {
        "==" => equal(),
        "!=" => !equal(),
        "<" => order().is_some_and(|order| order.is_lt()),
        "<=" => order().is_some_and(|order| order.is_le()),
        ">" => order().is_some_and(|order| order.is_gt()),
        ">=" => order().is_some_and(|order| order.is_ge()),
        // `contains`.
        _ => match (a, b) {
            (Value::Array(items), b) => items.contains(b),
            (Value::String(a), Value::String(b)) => a.contains(b.as_str()),
            (Value::Object(_) | Value::Null, Value::String(b)) => a.to_string().contains(b.as_str()),
            _ => false,
        },
    }
}

/// The real path of a file that need not exist: links are followed, `.` and `..` are resolved. Within `root` it is relative.
/// `None` if it begins at a folder that is not known.
pub fn real_path(text: &str, folder: Option<&Path>, root: &Path) -> Option<String> {
    let home = text.strip_prefix("~/").and_then(|rest| Some(PathBuf::from(std::env::var_os("HOME")?).join(rest)));
    let path = home.unwrap_or_else(|| PathBuf::from(text));
    let path = if path.is_absolute() { path } else { folder?.join(path) };
    let (real, root) = (resolved(&path), resolved(root));
    let real = match real.strip_prefix(&root) {
        Ok(inside) if !inside.as_os_str().is_empty() => inside.to_path_buf(),
        _ => real,
    };
    Some(real.to_string_lossy().into_owned())
}

/// The path with the longest part that exists made canonical.
fn resolved(path: &Path) -> PathBuf {
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            part => {
                real.push(part);
                if real.is_symlink()
                    && let Ok(followed) = real.canonicalize()
                {
                    real = followed;
                }
            }
        }
    }
    real
}

/// A method that reads a part of an expression.
type Read = fn(&mut Parser<'_>) -> Result<Node, Fault>;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn fault(&self, message: &str, help: &str) -> Fault {
        let end = self.text[self.at..].chars().next().map_or(self.at, |c| self.at + c.len_utf8());
        (self.at..end, message.to_owned(), help.to_owned())
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Reads a sign or a whole word.
    fn takes(&mut self, token: &str) -> bool {
        self.space();
        let Some(rest) = self.text[self.at..].strip_prefix(token) else { return false };
        let is_word = token.ends_with(char::is_alphanumeric);
        if is_word && rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return false;
        }
        self.at += token.len();
        true
    }

    /// Reads operands that a word joins.
    fn joined(&mut self, word: &str, read: Read, join: fn(Box<Node>, Box<Node>) -> Node) -> Result<Node, Fault> {
        let mut node = read(self)?;
        while self.takes(word) {
            node = join(Box::new(node), Box::new(read(self)?));
        }
        Ok(node)
    }

    fn either(&mut self) -> Result<Node, Fault> {
        self.joined("or", |parser| parser.both(), Node::Either)
    }

    fn both(&mut self) -> Result<Node, Fault> {
        self.joined("and", |parser| parser.comparison(), Node::Both)
    }

    fn comparison(&mut self) -> Result<Node, Fault> {
        if self.takes("not") {
            return Ok(Node::Not(Box::new(self.deeper(|parser| parser.comparison())?)));
        }
        let left = self.operand()?;
        let signs = ["==", "!=", "<=", ">=", "<", ">", "contains", "matches"];
        let Some(sign) = signs.into_iter().find(|sign| self.takes(sign)) else { return Ok(left) };
        self.space();
        let start = self.at;
        let right = self.operand()?;
        if sign != "matches" {
            return Ok(Node::Compare(Box::new(left), sign, Box::new(right)));
        }
        let fault = |message: String, help: &str| (start..self.at, message, help.to_owned());
        let Node::Literal(Value::String(glob)) = right else {
            return Err(fault("a pattern is text".to_owned(), "write matches '*.env'"));
        };
        let wrong =
            |error: globset::Error| fault(format!("this pattern cannot be read: {}", error.kind()), "write '*.env'");
        Ok(Node::Matches(Box::new(left), Pattern::new(&glob).map_err(wrong)?))
    }

    fn deeper(&mut self, read: Read) -> Result<Node, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault("the expression is nested too deeply", "split it into several facts"));
        }
        let node = read(self);
        self.depth -= 1;
        node
    }

    fn operand(&mut self) -> Result<Node, Fault> {
        self.space();
        let mut node = self.primary()?;
        loop {
            if self.text[self.at..].starts_with('.') {
                self.at += 1;
                let name = self.word();
                if name.is_empty() {
                    return Err(self.fault("a field's name is missing", "write input.file_path"));
                }
                node = Node::Field(Box::new(node), name);
            } else if self.text[self.at..].starts_with('[') {
                self.at += 1;
                let digits = self.word();
                let Ok(index) = digits.parse() else {
                    return Err(self.fault("a position is a number", "write words[1]"));
                };
                if !self.takes("]") {
                    return Err(self.fault("`]` is missing", "write words[1]"));
                }
                node = Node::Index(Box::new(node), index);
            } else {
                return Ok(node);
            }
        }
    }

    /// Reads an expression that a parenthesis closes.
    fn closed(&mut self) -> Result<Node, Fault> {
        let node = self.deeper(|parser| parser.either())?;
        match self.takes(")") {
            true => Ok(node),
            false => Err(self.fault("`)` is missing", "close each `(`")),
        }
    }

    fn word(&mut self) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }

    fn primary(&mut self) -> Result<Node, Fault> {
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else {
            return Err(self.fault("a value is missing", "write input.file_path, exit_code, words[1], 'text' or 0"));
        };
        if let Some(quoted) = rest.strip_prefix('\'') {
            let Some(end) = quoted.find('\'') else {
                return Err(self.fault("the text has no end", "close it with '"));
            };
            self.at += end + 2;
            return Ok(Node::Literal(quoted[..end].into()));
        }
        if self.takes("(") {
            return self.closed();
        }
        if first.is_ascii_digit() || first == '-' {
            self.at += 1;
            let digits = self.word();
            let number = format!("{first}{digits}");
            return match number.parse::<i64>() {
                Ok(number) => Ok(Node::Literal(number.into())),
                Err(_) => Err((start..self.at, "this is not a whole number".into(), "write 0 or -1".into())),
            };
        }
        let word = self.word();
        match word.as_str() {
            "input" => Ok(Node::Input),
            "response" => Ok(Node::Response),
            "exit_code" => Ok(Node::ExitCode),
            "words" => Ok(Node::Words),
            "true" => Ok(Node::Literal(true.into())),
            "false" => Ok(Node::Literal(false.into())),
            "null" => Ok(Node::Literal(Value::Null)),
            "path" | "length" => {
                if !self.takes("(") {
                    return Err(self.fault(&format!("`(` is missing after `{word}`"), "write path(input.file_path)"));
                }
                let of = Box::new(self.closed()?);
                Ok(if word == "path" { Node::Path(of) } else { Node::Length(of) })
            }
            _ => {
                let known = ROOTS.into_iter().chain(FUNCTIONS);
                let help = match nearest_name(&word, known) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "an expression speaks of `input`, `response`, `exit_code` and `words`".to_owned(),
                };
                let end = if word.is_empty() { start + first.len_utf8() } else { self.at };
                Err((start..end, format!("`{}` is not known", &self.text[start..end]), help))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn scope<'a>(input: &'a Value, words: &'a [Option<String>]) -> Scope<'a> {
        let (folder, root) = (Some(Path::new("/project/sub")), Path::new("/project"));
        Scope { input, response: None, exit_code: None, words, folder, root }
    }

    #[test]
    fn values() {
        let input = json!({ "file_path": "./a/../b.rs", "n": 3, "list": ["x", { "y": 1 }], "on": true });
        let words = ["git", "push"].map(|word| Some(word.to_owned()));
        for (text, expected) in [
            ("path(input.file_path)", json!("sub/b.rs")),
            ("path('../../etc/passwd')", json!("/etc/passwd")),
            ("path(input.missing)", Value::Null),
            ("input.list[1].y == 1 and not input.off", json!(true)),
            ("input.n >= 3 or false", json!(true)),
            ("words[1]", json!("push")),
            ("words[9]", Value::Null),
            ("length(words) == 2", json!(true)),
            ("input.file_path matches '*.rs' and input.list contains 'x'", json!(true)),
            ("exit_code == 0 and false", json!(false)),
            ("exit_code == 0 or input.on", json!(true)),
        ] {
            let parsed = Expression::parse(text).unwrap();
            assert_eq!(parsed.value(&scope(&input, &words)), Some(expected), "{text}");
        }
        for unknown in ["exit_code == 0", "not (response.ok)", "exit_code == 0 and input.on"] {
            assert_eq!(Expression::parse(unknown).unwrap().holds(&scope(&input, &words)), None, "{unknown}");
        }
    }

    #[test]
    fn errors_tell_what_would_be_right() {
        for (text, at, help) in [
            ("inptu.file", 0..5, "did you mean `input`?"),
            ("exit_code = 0", 10..11, "write `and`"),
            ("path input", 5..6, "write path(input.file_path)"),
            ("input.x matches '[a'", 16..20, "write '*.env'"),
            ("'open", 0..1, "close it with '"),
            ("", 0..0, "write input.file_path"),
        ] {
            let (span, _, found) = Expression::parse(text).unwrap_err();
            assert!(found.starts_with(help), "{text}: {found}");
            assert_eq!(span, at, "{text}");
        }
        assert!(Expression::parse(&"not ".repeat(400)).is_err());
        assert!(Expression::parse(&"(".repeat(1999)).is_err());
    }
}
