//! The book of a guard: which call is which action, and the laws.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use globset::{Glob, GlobMatcher};
use ltlcrit_laws::{BookErrors, Code, Diagnostic, MAX_DIAGNOSTICS, Place, Source};
use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::syntax::nearest_name;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::example::Example;
use crate::expression::{Expression, Fault};
use crate::ground::{MOST_ATOMS, MOST_PATTERNS, holds_at_rest};
use crate::law::{self, Argument, Atom, Catalogue, GuardLaw, MAX_LAW, Otherwise};
use crate::letter::OTHER;

/// The longest book that is read, in bytes.
pub const MAX_BOOK: u64 = 1024 * 1024;
/// Tools that run shell commands, unless the book names others.
const SHELLS: [&str; 4] = ["Bash", "bash", "shell", "run_shell_command"];
/// Names of the verifier's.
const RESERVED: [&str; 2] = [OTHER, "action_stop"];

/// A table of the book: the calls that are one action.
#[derive(Clone, Debug)]
pub struct CallRule {
    /// Names of tools.
    pub tools: Vec<GlobMatcher>,
    /// Shell commands: the program and the words that follow it, options apart.
    pub commands: Vec<Vec<GlobMatcher>>,
    /// The action.
    pub action: Arc<str>,
    /// The objects, in the order of the action's parameters.
    pub objects: Vec<Expression>,
    /// A further condition.
    pub when: Option<Expression>,
    /// The facts that a result may make true, each with its condition.
    pub after: Vec<(Arc<str>, Expression)>,
}

/// A book, without errors.
#[derive(Clone, Debug)]
pub struct Book {
    /// Its text, with its name.
    pub source: Source,
    /// Names of tools that run shell commands.
    pub shells: Vec<GlobMatcher>,
    /// The calls.
    pub calls: Vec<CallRule>,
    /// The actions and facts of the calls.
    pub catalogue: Catalogue,
    /// The laws.
    pub laws: Vec<GuardLaw>,
    /// The examples, each with its place.
    pub examples: Vec<(Example, Place)>,
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// All problems of the file.
    pub fn load(path: &Path) -> Result<Self, BookErrors> {
        let name = path.display().to_string();
        let text = ltlcrit_files::read_text(path, MAX_BOOK).map_err(|error| {
            BookErrors::whole(
                &name,
                format!("the book cannot be read: {error}"),
                Some("`guard init --for claude-code` writes one"),
            )
        })?;
        Self::parse(&name, &text)
    }

    /// Reads a book from its text.
    ///
    /// # Errors
    /// All problems of the text, each with its place and what would be right.
    pub fn parse(name: &str, text: &str) -> Result<Self, BookErrors> {
        let mut reader = Reader { source: Source::new(name, text), diagnostics: Vec::new(), count: 0 };
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = error.span().unwrap_or(text.len()..text.len());
            reader.report(Code::Book, span, error.message().trim(), "write TOML: key = \"value\"");
        }
        let book = reader.book(document.get_ref());
        match reader.count {
            0 => Ok(Self { source: reader.source, ..book }),
            count => Err(BookErrors { more: count - reader.diagnostics.len(), diagnostics: reader.diagnostics }),
        }
    }
}

struct Reader {
    source: Source,
    diagnostics: Vec<Diagnostic>,
    count: usize,
}

/// A text and the bytes of its value.
struct Text {
    text: String,
    span: Range<usize>,
}

impl Reader {
    fn report(&mut self, code: Code, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.count += 1;
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let diagnostic = Diagnostic::error(code, message).help(help);
            self.diagnostics.push(diagnostic.at(&self.source, self.source.place(span)));
        }
    }

    fn wrong(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.report(Code::Book, span, message, help);
    }

    /// Reports the faults of a text that is the value of a string.
    fn faults(&mut self, code: Code, text: &Text, faults: Vec<Fault>) {
        let raw = self.source.text.get(text.span.clone()).unwrap_or_default();
        let start = raw.find(text.text.as_str()).filter(|_| !text.text.is_empty()).map(|at| text.span.start + at);
        for (span, message, help) in faults {
            let place = start.map_or(text.span.clone(), |start| start + span.start..start + span.end);
            self.report(code, place, message, help);
        }
    }

    fn only(&mut self, table: &DeTable<'_>, known: &[&str], what: &str) {
        for (key, _) in table.iter() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let help = match nearest_name(name, known.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("{what} has the keys {}", known.join(", ")),
                };
                self.wrong(key.span(), format!("{what} has no key `{name}`"), help);
            }
        }
    }

    fn text(&mut self, value: &Spanned<DeValue<'_>>, key: &str, example: &str) -> Option<Text> {
        match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() && text.len() <= MAX_LAW => {
                Some(Text { text: text.to_string(), span: value.span() })
            }
            _ => {
                let help = format!("write {key} = {example}");
                self.wrong(value.span(), format!("`{key}` is a text of 1 to {MAX_LAW} bytes"), help);
                None
            }
        }
    }

    fn field(&mut self, table: &DeTable<'_>, key: &str, example: &str) -> Option<Text> {
        table.get(key).and_then(|value| self.text(value, key, example))
    }

    fn required(
        &mut self,
        table: &DeTable<'_>,
        span: &Range<usize>,
        key: &str,
        what: &str,
        example: &str,
    ) -> Option<Text> {
        if table.get(key).is_none() {
            self.wrong(span.clone(), format!("{what} has no `{key}`"), format!("add {key} = {example}"));
        }
        self.field(table, key, example)
    }

    /// A text, or a list of texts.
    fn texts(&mut self, table: &DeTable<'_>, key: &str, example: &str) -> Vec<Text> {
        let Some(value) = table.get(key) else { return Vec::new() };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| self.text(item, key, example)).collect(),
            _ => self.text(value, key, example).into_iter().collect(),
        }
    }

    fn tables<'t, 'i>(&mut self, table: &'t DeTable<'i>, key: &str) -> Vec<(&'t DeTable<'i>, Range<usize>)> {
        let Some(value) = table.get(key) else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong(value.span(), format!("`{key}` is not a list of tables"), format!("write [[{key}]]"));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::Table(inner) => tables.push((inner, item.span())),
                _ => self.wrong(item.span(), format!("this is not a table of `{key}`"), format!("write [[{key}]]")),
            }
        }
        tables
    }

    fn glob(&mut self, text: &Text, part: &str) -> Option<GlobMatcher> {
        match Glob::new(part) {
            Ok(glob) => Some(glob.compile_matcher()),
            Err(error) => {
                let help = "write a name, or `*` for any part of one";
                self.wrong(text.span.clone(), format!("the pattern `{part}` cannot be read: {}", error.kind()), help);
                None
            }
        }
    }

    fn expression(&mut self, text: &Text) -> Option<Expression> {
        match Expression::parse(&text.text) {
            Ok(expression) => Some(expression),
            Err(fault) => {
                self.faults(Code::Syntax, text, vec![fault]);
                None
            }
        }
    }

    fn book(&mut self, document: &DeTable<'_>) -> Book {
        self.only(document, &["shells", "call", "law", "examples"], "a book");
        let shells = self.texts(document, "shells", "[\"Bash\"]");
        let mut shells: Vec<GlobMatcher> = shells.iter().filter_map(|text| self.glob(text, &text.text)).collect();
        if document.get("shells").is_none() {
            shells.extend(SHELLS.iter().filter_map(|name| Glob::new(name).ok()).map(|glob| glob.compile_matcher()));
        }
        let mut catalogue = Catalogue::default();
        let tables = self.tables(document, "call");
        if tables.is_empty() && self.count == 0 {
            self.wrong(
                0..0,
                "the book has no calls",
                "add [[call]] with tool = \"Write\" and action = \"write(?file)\"",
            );
        }
        let calls = tables.iter().filter_map(|(table, span)| self.call(table, span, &mut catalogue)).collect();
        let mut laws: Vec<GuardLaw> = Vec::new();
        for (table, span) in self.tables(document, "law") {
            let Some(law) = self.law(table, &span, &catalogue) else { continue };
            match laws.iter().find(|other| other.id == law.id) {
                Some(other) => {
                    let message = format!("the law on line {} has the id `{}`, too", other.place.line, law.id);
                    self.wrong(span, message, "give each law its own id");
                }
                None => laws.push(law),
            }
        }
        let mut patterns: Vec<&str> = Vec::new();
        for atom in laws.iter().flat_map(|law| law.atoms.values()) {
            if let Atom::Call { arguments, .. } = atom {
                patterns.extend(arguments.iter().filter_map(|argument| match argument {
                    Argument::Pattern(pattern) => Some(pattern.glob().glob()),
                    _ => None,
                }));
            }
        }
        patterns.sort_unstable();
        patterns.dedup();
        if patterns.len() > MOST_PATTERNS {
            let message = format!("the laws have {} patterns", patterns.len());
            self.wrong(0..0, message, format!("use at most {MOST_PATTERNS}"));
        }
        let mut examples = Vec::new();
        for text in self.texts(document, "examples", "[\"deny: git push\"]") {
            match Example::parse(&text.text) {
                Ok(example) => examples.push((example, self.source.place(text.span))),
                Err((message, help)) => self.wrong(text.span, message, help),
            }
        }
        Book { source: self.source.clone(), shells, calls, catalogue, laws, examples }
    }

    fn call(&mut self, table: &DeTable<'_>, span: &Range<usize>, catalogue: &mut Catalogue) -> Option<CallRule> {
        let before = self.count;
        let text = self.required(table, span, "action", "the call", "\"write(?file)\"")?;
        let Some((action, parameters)) = signature(&text.text) else {
            self.wrong(text.span, "this is not an action", "write a name, or a name with parameters: \"write(?file)\"");
            return None;
        };
        if RESERVED.contains(&action.as_str()) && action != OTHER || action.contains('~') {
            self.wrong(text.span.clone(), format!("`{action}` is a name of the verifier's"), "choose another name");
        }
        let (action, known): (Arc<str>, _) = (action.into(), catalogue.actions.get(action_key(&text.text)));
        if known.is_some_and(|known| known.len() != parameters.len()) {
            let message = format!("`{action}` has another number of parameters in another call");
            self.wrong(text.span.clone(), message, "give an action the same parameters everywhere");
        }
        if *action != *OTHER {
            catalogue.actions.entry(action.clone()).or_insert_with(|| parameters.clone());
        }
        let mut keys = vec!["tool", "shell", "action", "when", "after"];
        keys.extend(parameters.iter().map(String::as_str));
        self.only(table, &keys, "a call");
        let tools = self.texts(table, "tool", "\"Write\"");
        let tools: Vec<GlobMatcher> = tools.iter().filter_map(|text| self.glob(text, &text.text)).collect();
        let shell = self.texts(table, "shell", "\"git push\"");
        let mut commands = Vec::new();
        for text in &shell {
            commands.push(text.text.split_whitespace().filter_map(|part| self.glob(text, part)).collect::<Vec<_>>());
        }
        if tools.is_empty() && commands.is_empty() && self.count == before {
            self.wrong(
                span.clone(),
                "the call names neither a tool nor a command",
                "add tool = \"Write\" or shell = \"git push\"",
            );
        }
        let mut objects = Vec::new();
        for parameter in &parameters {
            let text = self.required(table, span, parameter, "the call", "\"path(input.file_path)\"");
            objects.extend(text.and_then(|text| self.expression(&text)));
        }
        let when = self.field(table, "when", "\"input.force\"").and_then(|text| self.expression(&text));
        let mut after = Vec::new();
        match table.get("after").map(|value| (value.get_ref(), value.span())) {
            None => {}
            Some((DeValue::Table(facts), _)) => {
                for (key, value) in facts.iter() {
                    let fact: Arc<str> = key.get_ref().as_ref().into();
                    let expression =
                        self.text(value, &fact, "\"exit_code == 0\"").and_then(|text| self.expression(&text));
                    if !is_name(&fact) || catalogue.actions.contains_key(&fact) || RESERVED.contains(&&*fact) {
                        self.wrong(key.span(), format!("`{fact}` cannot be the name of a fact"), "choose another name");
                    }
                    let actions = catalogue.facts.entry(fact.clone()).or_default();
                    if !actions.contains(&action) {
                        actions.push(action.clone());
                    }
                    after.extend(expression.map(|expression| (fact, expression)));
                }
            }
            Some((_, span)) => {
                self.wrong(span, "`after` is not a table", "write after = { green = \"exit_code == 0\" }");
            }
        }
        (self.count == before).then_some(CallRule { tools, commands, action, objects, when, after })
    }

    fn law(&mut self, table: &DeTable<'_>, span: &Range<usize>, catalogue: &Catalogue) -> Option<GuardLaw> {
        let before = self.count;
        self.only(table, &["id", "rule", "formula", "otherwise", "strength", "explanation"], "a law");
        let id = self.required(table, span, "id", "the law", "\"tests-before-push\"");
        if let Some(id) = &id
            && !id.text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        {
            self.wrong(
                id.span.clone(),
                "the id has other characters than letters, digits, `-`, `_` and `.`",
                "write \"no-push\"",
            );
        }
        let rule = self.field(table, "rule", "\"push needs test\"");
        let formula = self.field(table, "formula", "\"G !push\"");
        let (text, parsed) = match (rule, formula) {
            (Some(text), None) => {
                let parsed = law::parse_rule(&text.text, catalogue);
                (text, parsed)
            }
            (None, Some(text)) => {
                let parsed = law::parse_formula(&text.text, catalogue);
                (text, parsed)
            }
            _ => {
                if self.count == before {
                    self.wrong(
                        span.clone(),
                        "a law has either a `rule` or a `formula`",
                        "add rule = \"push needs test\"",
                    );
                }
                return None;
            }
        };
        let choices = [
            ("block", Otherwise::Block),
            ("ask", Otherwise::Ask),
            ("stop", Otherwise::Stop),
            ("warn", Otherwise::Warn),
        ];
        let otherwise = self.choice(table, "otherwise", &choices, Otherwise::Block);
        let strengths = [("hard", Strength::Hard), ("soft", Strength::Soft)];
        let strength = self.choice(table, "strength", &strengths, Strength::Hard);
        let explanation = self.field(table, "explanation", "\"Test before you push.\"");
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(faults) => {
                self.faults(Code::Syntax, &text, faults);
                return None;
            }
        };
        let law = GuardLaw {
            id: id?.text.into(),
            explanation: explanation.map_or_else(|| text.text.clone(), |one| one.text.trim().to_owned()).into(),
            written: text.text,
            formula: parsed.formula,
            atoms: parsed.atoms,
            parameter: parsed.parameter,
            counts: parsed.counts,
            otherwise,
            strength,
            place: self.source.place(span.clone()),
        };
        if law.atoms.len() > MOST_ATOMS {
            self.wrong(text.span.clone(), "the law speaks of too many calls", format!("use at most {MOST_ATOMS}"));
        }
        if law.parameter.is_some() && self.count == before && !holds_at_rest(&law).unwrap_or(false) {
            let message = "the law asks something of objects to which nothing happened";
            self.wrong(text.span, message, "begin with a call of the object: `write(?file) then …`");
        }
        (self.count == before).then_some(law)
    }

    fn choice<T: Copy>(&mut self, table: &DeTable<'_>, key: &str, choices: &[(&str, T)], default: T) -> T {
        let Some(text) = self.field(table, key, &format!("{:?}", choices[0].0)) else { return default };
        match choices.iter().find(|(name, _)| *name == text.text) {
            Some((_, choice)) => *choice,
            None => {
                let names: Vec<String> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
                self.wrong(
                    text.span,
                    format!("`{key}` cannot be `{}`", text.text),
                    format!("write {}", names.join(", ")),
                );
                default
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.len() <= 64
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn action_key(text: &str) -> &str {
    text.split('(').next().unwrap_or_default().trim()
}

/// An action with its parameters: `write(?file)`.
fn signature(text: &str) -> Option<(String, Vec<String>)> {
    let name = action_key(text);
    let rest = text.trim().strip_prefix(name)?.trim();
    let mut parameters = Vec::new();
    if !rest.is_empty() {
        for part in rest.strip_prefix('(')?.strip_suffix(')')?.split(',') {
            let parameter = part.trim().strip_prefix('?')?;
            let is_key = ["tool", "shell", "action", "when", "after"].contains(&parameter);
            if !is_name(parameter) || is_key || parameters.iter().any(|known| known == parameter) {
                return None;
            }
            parameters.push(parameter.to_owned());
        }
    }
    let is_keyword = ["never", "needs", "since", "then", "before", "within", "at", "after", "xor", "true", "false"];
    (is_name(name) && !is_keyword.contains(&name) && parameters.len() <= 3).then(|| (name.to_owned(), parameters))
}

/// The laws by what is done when they forbid a call, the strictest first.
pub fn by_strictness(laws: &[GuardLaw]) -> Vec<(Otherwise, Vec<usize>)> {
    let mut tiers: BTreeMap<Otherwise, Vec<usize>> = BTreeMap::new();
    for (number, law) in laws.iter().enumerate() {
        // Blocking and stopping laws are decided together.
        tiers.entry(law.otherwise.min(Otherwise::Block)).or_default().push(number);
    }
    let mut all = Vec::new();
    let mut found = Vec::new();
    for (otherwise, laws) in tiers.into_iter().rev() {
        all.extend(laws);
        found.push((otherwise, all.clone()));
    }
    found
}
