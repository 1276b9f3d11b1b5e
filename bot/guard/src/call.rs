//! Tool calls as letters: which action a call is, of which objects, and what its result makes true.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::book::{Book, CallRule};
use crate::expression::{Expression, Pattern, Scope};
use crate::letter::{Letter, OTHER};
use crate::shell::{self, Command, Link, Ran, WRAPPERS, base_name};

/// The result of a tool call.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// True if the tool says that it did what it was asked for.
    pub succeeded: bool,
    /// True if the end of the call is known: it was not interrupted and does not go on in the background.
    pub ended: bool,
    /// The tool's result.
    pub response: &'a Value,
}

/// A tool call as the book reads it: one action, or those of a shell command.
#[derive(Debug)]
pub struct Calls<'a> {
    book: &'a Book,
    input: &'a Value,
    root: &'a Path,
    commands: Option<Vec<Command>>,
    /// By command: the table that it falls under, and its objects.
    actions: Vec<(Option<usize>, Vec<String>)>,
    folder: PathBuf,
}

impl<'a> Calls<'a> {
    /// Reads a tool call that is made in `folder`, in a project at `root`.
    ///
    /// # Errors
    /// Why it cannot be told what the call does, in a sentence.
    pub fn read(book: &'a Book, tool: &str, input: &'a Value, folder: &Path, root: &'a Path) -> Result<Self, String> {
        let mut calls = Self { book, input, root, commands: None, actions: Vec::new(), folder: folder.to_path_buf() };
        let names = names(tool);
        let for_tool = calls.tool_rule(&names)?;
        if !is_named(&book.shells, &names) {
            let rule = for_tool.ok_or_else(|| format!("no [[call]] of the book names the tool `{tool}`"))?;
            let objects = calls.objects(rule, &[], Some(folder))?;
            calls.actions.push((Some(rule), objects));
            return Ok(calls);
        }
        let commands = shell::commands(&script(input)?, folder)?;
        for command in &commands {
            let rule = calls.command_rule(command)?.or(for_tool);
            let objects = match rule {
                Some(rule) => calls.objects(rule, &command.words, command.folder.as_deref())?,
                None => Vec::new(),
            };
            if let Some(rule) = rule
                && command.repeats
                && *book.calls[rule].action != *OTHER
            {
                return Err(format!(
                    "`{}` may run any number of times, in a loop or a function",
                    book.calls[rule].action
                ));
            }
            calls.actions.push((rule, objects));
        }
        calls.commands = Some(commands);
        Ok(calls)
    }

    fn scope<'s>(&'s self, words: &'s [Option<String>], folder: Option<&'s Path>) -> Scope<'s> {
        Scope { input: self.input, response: None, exit_code: None, words, folder, root: self.root }
    }

    /// The first table that names a tool.
    fn tool_rule(&self, names: &[String]) -> Result<Option<usize>, String> {
        let scope = self.scope(&[], Some(&self.folder));
        for (at, rule) in self.book.calls.iter().enumerate() {
            if is_named(&rule.tools, names) && self.applies(rule, &scope)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn applies(&self, rule: &CallRule, scope: &Scope<'_>) -> Result<bool, String> {
        let Some(when) = &rule.when else { return Ok(true) };
        when.holds(scope).ok_or_else(|| format!("it cannot be told whether this is `{}`", rule.action))
    }

    /// The first table that names a command.
    fn command_rule(&self, command: &Command) -> Result<Option<usize>, String> {
        let scope = self.scope(&command.words, command.folder.as_deref());
        for (at, rule) in self.book.calls.iter().enumerate() {
            for pattern in &rule.commands {
                match fits(pattern, &command.words) {
                    Some(false) => {}
                    Some(true) if !self.applies(rule, &scope)? => {}
                    Some(true) => return Ok(Some(at)),
                    None => {
                        return Err(format!("the shell computes a word, and this may be `{}`", rule.action));
                    }
                }
            }
        }
        Ok(None)
    }

    fn objects(&self, rule: usize, words: &[Option<String>], folder: Option<&Path>) -> Result<Vec<String>, String> {
        let rule = &self.book.calls[rule];
        let parameters = self.book.catalogue.actions.get(&rule.action);
        let scope = self.scope(words, folder);
        let object = |(at, expression): (usize, &Expression)| match expression.value(&scope) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(value.to_string()),
            _ => {
                let name = parameters.and_then(|names| names.get(at)).map_or("object", |name| name);
                Err(format!("the `{name}` of this `{}` cannot be told", rule.action))
            }
        };
        rule.objects.iter().enumerate().map(object).collect()
    }

    fn letter(&self, at: usize, ran: Ran, response: Option<&Value>) -> Letter {
        let (rule, objects) = &self.actions[at];
        let command = self.commands.as_ref().map(|commands| &commands[at]);
        let words = command.map_or(&[][..], |command| &command.words);
        let folder = command.map_or(Some(self.folder.as_path()), |command| command.folder.as_deref());
        let scope = Scope { response, exit_code: ran.exit_code, ..self.scope(words, folder) };
        let rule = rule.map(|rule| &self.book.calls[rule]);
        let mut letter = Letter {
            action: rule.map_or(OTHER, |rule| &rule.action).to_owned(),
            objects: objects.clone(),
            surely: ran.surely,
            ..Letter::default()
        };
        for (fact, holds) in rule.iter().flat_map(|rule| &rule.after) {
            match holds.holds(&scope) {
                Some(true) if ran.surely => letter.facts.push(fact.to_string()),
                Some(false) => {}
                _ => letter.perhaps.push(fact.to_string()),
            }
        }
        letter
    }

    /// The calls, before any of them runs.
    pub fn coming(&self) -> Vec<Letter> {
        let unknown = Ran { surely: false, exit_code: None };
        (0..self.actions.len()).map(|at| self.letter(at, unknown, None)).collect()
    }

    /// The calls before one of them, at the moment it begins.
    pub fn before(&self, next: usize) -> Vec<Letter> {
        let commands = self.commands.as_deref().unwrap_or_default();
        (0..next).map(|at| self.letter(at, shell::before(commands, at, next), None)).collect()
    }

    /// The calls after a result.
    pub fn after(&self, outcome: Outcome<'_>) -> Vec<Letter> {
        if !outcome.ended {
            return self.coming();
        }
        let told = ["exit_code", "exitCode"].iter().find_map(|field| outcome.response.get(field)?.as_i64());
        let exit_code = told.unwrap_or(i64::from(!outcome.succeeded));
        let Some(commands) = &self.commands else {
            // A tool that failed may have done its work.
            let ran = Ran { surely: outcome.succeeded, exit_code: Some(exit_code) };
            return vec![self.letter(0, ran, Some(outcome.response))];
        };
        let last = commands.len().saturating_sub(1);
        let response = |at: usize| (at == last && commands[at].link == Link::Begins).then_some(outcome.response);
        (0..commands.len())
            .map(|at| self.letter(at, shell::after(commands, at, Some(exit_code)), response(at)))
            .collect()
    }
}

/// The names of a tool: `mcp__server__tool` is `server/tool`, too.
fn names(tool: &str) -> Vec<String> {
    let of_server = tool.strip_prefix("mcp__").map(|rest| rest.replacen("__", "/", 1));
    std::iter::once(tool.to_owned()).chain(of_server).collect()
}

/// Returns whether some pattern fits a name of a tool.
fn is_named(patterns: &[Pattern], names: &[String]) -> bool {
    patterns.iter().any(|pattern| names.iter().any(|name| pattern.is_match(name)))
}

/// The script of a shell tool: a text, or the words of one command.
fn script(input: &Value) -> Result<String, String> {
    match input.get("command") {
        Some(Value::String(script)) => Ok(script.clone()),
        Some(Value::Array(words)) => {
            let quoted = |word: &Value| word.as_str().map(|word| format!("'{}'", word.replace('\'', r"'\''")));
            let quoted: Option<Vec<String>> = words.iter().map(quoted).collect();
            quoted.map(|words| words.join(" ")).ok_or_else(|| "a word of the command is no text".to_owned())
        }
        _ => Err("the shell tool has no `command`".to_owned()),
    }
}

/// Returns whether a command is one of a pattern; `None` if that depends on words that the shell computes.
fn fits(pattern: &[Pattern], words: &[Option<String>]) -> Option<bool> {
    let is_wrapper = words.first().and_then(Option::as_deref).is_some_and(|name| WRAPPERS.contains(&base_name(name)));
    let starts = if is_wrapper { words.len() } else { 1 };
    let mut found = Some(false);
    for start in 0..starts {
        match fits_from(pattern, &words[start..]) {
            Some(true) => return Some(true),
            None => found = None,
            Some(false) => {}
        }
    }
    found
}

fn fits_from(pattern: &[Pattern], words: &[Option<String>]) -> Option<bool> {
    let (Some(program), Some(name)) = (pattern.first(), words.first()) else { return Some(false) };
    if !program.is_match(base_name(name.as_deref()?)) {
        return Some(false);
    }
    let (mut wanted, mut after_option) = (pattern[1..].iter().peekable(), false);
    for word in &words[1..] {
        let Some(next) = wanted.peek() else { return Some(true) };
        let word = word.as_deref()?;
        if next.is_match(word) {
            wanted.next();
            after_option = false;
        } else {
            let is_option = word.starts_with(['-', '+']);
            if !is_option && !after_option {
                return Some(false);
            }
            after_option = is_option && !word.contains('=');
        }
    }
    Some(wanted.peek().is_none())
}
