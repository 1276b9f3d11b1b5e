//! The book of a guard: which call is which action, and the laws.

use std::hash::BuildHasher as _;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use ltlcrit_laws::{At, BookErrors, Code, Collector, Place, Source};
use ltlcrit_verifier::Law;
use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::objects::{Catalogue, MAX_PATTERNS, ObjectLaw, classes};
use ltlcrit_verifier::vocabulary::STOP;
use rustc_hash::FxBuildHasher;
use toml::de::{DeTable, DeValue};

use crate::example::Example;
use crate::expression::{Expression, Fault, Pattern};
use crate::law::{self, GuardLaw, MAX_LAW, Otherwise};
use crate::letter::OTHER;

/// Maximum length of a book, in bytes.
pub const MAX_BOOK: u64 = 1024 * 1024;
/// Tools that run shell commands, unless the book names others.
const SHELLS: [&str; 4] = ["Bash", "bash", "shell", "run_shell_command"];
/// Keys of a call, which no parameter can have as its name.
const KEYS: [&str; 5] = ["tool", "shell", "action", "when", "after"];
/// Words of the readable forms, which no action can have as its name.
const KEYWORDS: [&str; 11] =
    ["never", "needs", "since", "then", "before", "within", "at", "after", "xor", "true", "false"];
/// Names of the verifier's.
const RESERVED: [&str; 2] = [OTHER, STOP];

/// A table of the book: the calls that are one action.
#[derive(Clone, Debug)]
pub struct CallRule {
    /// Names of tools.
    pub tools: Vec<Pattern>,
    /// Shell commands: the program and the words that follow it, options apart.
    pub commands: Vec<Vec<Pattern>>,
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
    pub shells: Vec<Pattern>,
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

    /// A number that tells the text from others.
    pub fn number(&self) -> u64 {
        FxBuildHasher.hash_one(&self.source.text)
    }

    /// The laws as the verifier takes them.
    pub fn object_laws(&self) -> Vec<&ObjectLaw> {
        self.laws.iter().map(|law| &law.object).collect()
    }

    /// Returns whether some law has a time.
    pub fn has_clock(&self) -> bool {
        self.laws.iter().any(|law| law.clock.is_some())
    }

    /// Reads a book from its text.
    ///
    /// # Errors
    /// All problems of the text, each with its place and what would be right.
    pub fn parse(name: &str, text: &str) -> Result<Self, BookErrors> {
        let source = Source::new(name, text);
        let mut reader = Reader(Collector::new(&source));
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = error.span().unwrap_or(text.len()..text.len());
            reader.0.wrong(span, error.message().trim(), "write TOML: key = \"value\"");
            reader.0.damaged = true;
        }
        let (shells, calls, catalogue) = reader.calls(document.get_ref());
        let laws = reader.laws(document.get_ref(), &catalogue);
        let examples = reader.examples(document.get_ref());
        let Collector { diagnostics, count, .. } = reader.0;
        match count {
            0 => Ok(Self { source, shells, calls, catalogue, laws, examples }),
            count => Err(BookErrors { more: count - diagnostics.len(), diagnostics }),
        }
    }
}

/// A text and the bytes it was read from.
type Text = At<String>;

struct Reader<'a>(Collector<'a>);

impl Reader<'_> {
    /// Reports the faults of a text that is the value of a string.
    fn faults(&mut self, text: &Text, faults: Vec<Fault>) {
        for (span, message, help) in faults {
            let place = self.0.within(text, span);
            self.0.report(Code::Syntax, place, message).help = Some(help);
        }
    }

    fn field(&mut self, table: &DeTable<'_>, key: &str) -> Option<Text> {
        self.0.text(table, key, MAX_LAW).filter(|text| !text.value.trim().is_empty())
    }

    /// A text, or a list of texts.
    fn texts(&mut self, table: &DeTable<'_>, key: &str, example: &str) -> Vec<Text> {
        if !matches!(table.get(key).map(|value| value.get_ref()), Some(DeValue::Array(_))) {
            return self.field(table, key).into_iter().collect();
        }
        let mut texts = Vec::new();
        for item in self.0.array(table, key, example) {
            let DeValue::String(text) = item.get_ref() else {
                let help = format!("write {key} = {example}");
                self.0.wrong(item.span(), format!("an item of `{key}` is not a text"), help);
                continue;
            };
            texts.push(At { value: text.to_string(), span: item.span() });
        }
        texts
    }

    fn tables<'t, 'i>(&mut self, table: &'t DeTable<'i>, key: &str) -> Vec<(&'t DeTable<'i>, Range<usize>)> {
        let mut tables = Vec::new();
        for item in self.0.array(table, key, &format!("[[{key}]] tables")) {
            match item.get_ref() {
                DeValue::Table(inner) => tables.push((inner, item.span())),
                _ => self.0.wrong(item.span(), format!("this is not a table of `{key}`"), format!("write [[{key}]]")),
            }
        }
        tables
    }

    fn pattern(&mut self, text: &Text, part: &str) -> Option<Pattern> {
        match Pattern::new(part) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                let help = "write a name, or `*` for any part of one";
                self.0.wrong(text.span.clone(), format!("the pattern `{part}` cannot be read: {}", error.kind()), help);
                None
            }
        }
    }

    fn expression(&mut self, text: Option<Text>) -> Option<Expression> {
        let text = text?;
        Expression::parse(&text.value).map_err(|fault| self.faults(&text, vec![fault])).ok()
    }

    fn calls(&mut self, document: &DeTable<'_>) -> (Vec<Pattern>, Vec<CallRule>, Catalogue) {
        self.0.only(document, &["shells", "call", "law", "examples"], "a book");
        let shells = self.texts(document, "shells", "[\"Bash\"]");
        let mut shells: Vec<Pattern> = shells.iter().filter_map(|text| self.pattern(text, &text.value)).collect();
        if document.get("shells").is_none() {
            shells.extend(SHELLS.iter().filter_map(|name| Pattern::new(name).ok()));
        }
        let mut catalogue = Catalogue::default();
        let tables = self.tables(document, "call");
        if tables.is_empty() && self.0.count == 0 {
            let help = "add [[call]] with tool = \"Write\" and action = \"write(?file)\"";
            self.0.wrong(0..0, "the book has no calls", help);
        }
        let calls = tables.iter().filter_map(|(table, span)| self.call(table, span, &mut catalogue)).collect();
        (shells, calls, catalogue)
    }

    fn examples(&mut self, document: &DeTable<'_>) -> Vec<(Example, Place)> {
        let mut examples = Vec::new();
        for text in self.texts(document, "examples", "[\"deny: git push\"]") {
            match Example::parse(&text.value) {
                Ok(example) => examples.push((example, self.0.place(text.span))),
                Err((message, help)) => self.0.wrong(text.span, message, help),
            }
        }
        examples
    }

    fn call(&mut self, table: &DeTable<'_>, span: &Range<usize>, catalogue: &mut Catalogue) -> Option<CallRule> {
        let before = self.0.count;
        let text = self.0.required(table, "action", MAX_LAW, span, "the call")?;
        let Some((action, parameters)) = signature(&text.value) else {
            let help = "write a name, or a name with parameters: \"write(?file)\"";
            self.0.wrong(text.span, "this cannot be an action", help);
            return None;
        };
        let action: Arc<str> = action.into();
        if catalogue.actions.get(&action).is_some_and(|known| known.len() != parameters.len()) {
            let message = format!("`{action}` has another number of parameters in another call");
            self.0.wrong(text.span, message, "give an action the same parameters everywhere");
        }
        if *action != *OTHER {
            catalogue.actions.entry(action.clone()).or_insert_with(|| parameters.clone());
        }
        let keys: Vec<&str> = KEYS.into_iter().chain(parameters.iter().map(String::as_str)).collect();
        self.0.only(table, &keys, "a call");
        let tools = self.texts(table, "tool", "\"Write\"");
        let tools: Vec<Pattern> = tools.iter().filter_map(|text| self.pattern(text, &text.value)).collect();
        let shell = self.texts(table, "shell", "\"git push\"");
        let words = |text: &Text| text.value.split_whitespace().filter_map(|part| self.pattern(text, part)).collect();
        let commands: Vec<Vec<Pattern>> = shell.iter().map(words).collect();
        if tools.is_empty() && commands.is_empty() && self.0.count == before {
            let help = "add tool = \"Write\" or shell = \"git push\"";
            self.0.wrong(span.clone(), "the call names neither a tool nor a command", help);
        }
        let mut objects = Vec::new();
        for parameter in &parameters {
            let text = self.0.required(table, parameter, MAX_LAW, span, "the call");
            objects.extend(self.expression(text));
        }
        let when = self.field(table, "when");
        let when = self.expression(when);
        let mut after = Vec::new();
        let facts = self.0.table(table, "after", "after = { green = \"exit_code == 0\" }");
        for (key, _) in facts.iter().flat_map(|facts| facts.value.iter()) {
            let fact: Arc<str> = key.get_ref().as_ref().into();
            if !is_name(&fact) || catalogue.actions.contains_key(&fact) || RESERVED.contains(&&*fact) {
                self.0.wrong(key.span(), format!("`{fact}` cannot be the name of a fact"), "choose another name");
            }
            let actions = catalogue.facts.entry(fact.clone()).or_default();
            if !actions.contains(&action) {
                actions.push(action.clone());
            }
            let text = facts.as_ref().and_then(|facts| self.0.required(facts.value, &fact, MAX_LAW, span, "the fact"));
            after.extend(self.expression(text).map(|expression| (fact, expression)));
        }
        (self.0.count == before).then_some(CallRule { tools, commands, action, objects, when, after })
    }

    fn laws(&mut self, document: &DeTable<'_>, catalogue: &Catalogue) -> Vec<GuardLaw> {
        let mut laws: Vec<GuardLaw> = Vec::new();
        for (table, span) in self.tables(document, "law") {
            let Some(law) = self.law(table, &span, catalogue) else { continue };
            match laws.iter().find(|other| other.id == law.id) {
                Some(other) => {
                    let message = format!("the law on line {} has the id `{}`, too", other.place.line, law.id);
                    self.0.wrong(span, message, "give each law its own id");
                }
                None => laws.push(law),
            }
        }
        let patterns = classes(laws.iter().map(|law| &law.object));
        if patterns.len() > MAX_PATTERNS {
            let message = format!("the laws have {} patterns", patterns.len());
            self.0.wrong(0..0, message, format!("use at most {MAX_PATTERNS}"));
        }
        laws
    }

    fn law(&mut self, table: &DeTable<'_>, span: &Range<usize>, catalogue: &Catalogue) -> Option<GuardLaw> {
        let before = self.0.count;
        self.0.only(table, &["id", "rule", "formula", "otherwise", "strength", "explanation"], "a law");
        let id = self.0.required(table, "id", 64, span, "the law");
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if let Some(id) = id.as_ref().filter(|id| !id.value.chars().all(is_good)) {
            let message = "the id has other characters than letters, digits, `-`, `_` and `.`";
            self.0.wrong(id.span.clone(), message, "write \"no-push\"");
        }
        let (rule, formula) = (self.field(table, "rule"), self.field(table, "formula"));
        let (parsed, text) = match (rule, formula) {
            (Some(text), None) => (law::parse_rule(&text.value, catalogue), text),
            (None, Some(text)) => (law::parse_formula(&text.value, catalogue), text),
            _ => {
                let help = "add rule = \"push needs test\"";
                self.0.wrong(span.clone(), "a law has either a `rule` or a `formula`", help);
                return None;
            }
        };
        let choices = [Otherwise::Block, Otherwise::Ask, Otherwise::Stop, Otherwise::Warn];
        let choices = choices.map(|otherwise| (otherwise.as_str(), otherwise));
        let otherwise = self.choice(table, "otherwise", &choices);
        let strength = self.choice(table, "strength", &[("hard", Strength::Hard), ("soft", Strength::Soft)]);
        let explanation = self.field(table, "explanation");
        let parsed = parsed.map_err(|faults| self.faults(&text, faults)).ok()?;
        let id: Arc<str> = id?.value.into();
        let explanation = explanation.map_or_else(|| text.value.clone(), |one| one.value.trim().to_owned());
        let (mut object, clock) = parsed;
        object.law = Law::new(strength, id.clone(), object.law.formula, explanation);
        if self.0.count == before
            && let Err((message, help)) = object.check()
        {
            self.0.wrong(text.span, message, help);
        }
        let law = GuardLaw { id, written: text.value, object, clock, otherwise, place: self.0.place(span.clone()) };
        (self.0.count == before).then_some(law)
    }

    /// One of some words; the first of them if the key is missing.
    fn choice<T: Copy>(&mut self, table: &DeTable<'_>, key: &str, choices: &[(&str, T)]) -> T {
        let Some(text) = self.field(table, key) else { return choices[0].1 };
        let found = choices.iter().find(|(name, _)| *name == text.value);
        if found.is_none() {
            let names: Vec<String> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
            let help = format!("write {}", names.join(", "));
            self.0.wrong(text.span, format!("`{key}` cannot be `{}`", text.value), help);
        }
        found.unwrap_or(&choices[0]).1
    }
}

/// Returns whether a text can be the name of an action, a parameter or a fact.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.len() <= 64
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// An action with its parameters: `write(?file)`.
pub(crate) fn signature(text: &str) -> Option<(String, Vec<String>)> {
    let (name, rest) = text.split_once('(').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let mut parameters: Vec<String> = Vec::new();
    if let Some(rest) = rest {
        for part in rest.trim().strip_suffix(')')?.split(',') {
            let parameter = part.trim().strip_prefix('?')?;
            if !is_name(parameter) || KEYS.contains(&parameter) || parameters.iter().any(|known| known == parameter) {
                return None;
            }
            parameters.push(parameter.to_owned());
        }
    }
    let name = name.trim();
    let good = is_name(name) && !KEYWORDS.contains(&name) && name != STOP && parameters.len() <= 3;
    good.then(|| (name.to_owned(), parameters))
}

/// The laws by what is done when they forbid a call, the strictest first.
pub fn by_strictness(laws: &[GuardLaw]) -> Vec<(Otherwise, Vec<usize>)> {
    // Blocking and stopping laws are decided together.
    let tiers = [Otherwise::Block, Otherwise::Ask, Otherwise::Warn].into_iter();
    let of = |tier: Otherwise| (0..laws.len()).filter(|law| laws[*law].otherwise >= tier).collect();
    let is_used = |tier: &Otherwise| laws.iter().any(|law| law.otherwise.min(Otherwise::Block) == *tier);
    tiers.filter(is_used).map(|tier| (tier, of(tier))).collect()
}
