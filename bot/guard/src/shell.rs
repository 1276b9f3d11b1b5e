//! The simple commands of a shell script, in the order they run, each with what is known of its running.
//!
//! `cd src && cargo test; git push` is three commands; the second begins in `src` and runs only if the first succeeds, the
//! third runs in any case. A word that the shell would expand is not known. What cannot be read is an error: the guard asks.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use brush_parser::ast::{
    AndOr, AndOrList, AssignmentValue, Command as Node, CommandPrefixOrSuffixItem as Item, CompoundCommand,
    CompoundList, ExtendedTestExpr, IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, Pipeline, Program,
    RedirectList, SeparatorOperator, SimpleCommand, Word,
};
use brush_parser::word::{TildeExpr, WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions, unquote_str, word};

/// Maximum length of a script, in bytes.
const MAX_SCRIPT: usize = 32 * 1024;
/// Maximum length of a script that is read without a thread, in bytes.
const MAX_PLAIN: usize = 80;
/// Maximum number of brackets, and of commands, of one script.
const MAX_COMMANDS: usize = 200;
/// Maximum nesting of scripts in scripts: `sh -c '…'`, `$(…)`.
const MAX_DEPTH: usize = 6;
/// Maximum time that reading takes.
const PATIENCE: Duration = Duration::from_secs(1);

/// Commands after which nothing is sure to run.
const BREAKERS: [&str; 9] = ["exit", "return", "exec", "set", "shopt", "trap", "break", "continue", "kill"];
/// Shells: the script after `-c` is read, too.
const SHELLS: [&str; 8] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "su", "script"];
/// Programs that run the program that their arguments name.
pub const WRAPPERS: [&str; 20] = [
    "sudo", "doas", "env", "command", "builtin", "nohup", "time", "nice", "ionice", "timeout", "stdbuf", "setsid",
    "xargs", "parallel", "watch", "find", "exec", "strace", "busybox", "flock",
];
/// Those of them that take a program with its arguments as one word.
const SPLITTERS: [&str; 5] = ["env", "watch", "parallel", "xargs", "flock"];

/// The condition of a command's running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It runs for sure.
    Begins,
    /// It runs if all commands of its list before it succeed: `a && b`.
    IfAllBefore,
    /// It may run.
    Perhaps,
}

/// A simple command, or a redirection: `>` and `<` are commands with the file as their only argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments, `None` for a word that the shell expands; empty for a command without a program, such
    /// as `[[ x ]]` or `x=1`.
    pub words: Vec<Option<String>>,
    /// The folder it runs in, if that is known.
    pub folder: Option<PathBuf>,
    /// The condition of its running.
    pub link: Link,
    /// The number of its list; commands of one list are joined by `&&`.
    pub list: usize,
    /// The number of its pipeline; commands of one pipeline run at the same time.
    pub pipeline: usize,
    /// True if its list goes on with its exit code.
    pub exits: bool,
    /// True if it may run more than once, in a loop or a function.
    pub repeats: bool,
}

/// The knowledge of a command when its script has run, or when a later command is about to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// True if the command ran for sure.
    pub surely: bool,
    /// Its exit code.
    pub exit_code: Option<i64>,
}

/// Returns what is known of command `at` when the command `next` begins.
pub fn before(commands: &[Command], at: usize, next: usize) -> Ran {
    let (command, next) = (&commands[at], &commands[next]);
    let is_before = command.list == next.list && command.pipeline != next.pipeline;
    let led_here = is_before && next.link == Link::IfAllBefore && command.link != Link::Perhaps;
    let exit_code = (led_here && command.exits).then_some(0);
    Ran { surely: led_here || command.link == Link::Begins, exit_code }
}

/// Returns what is known of command `at` when the whole script has ended with an exit code.
pub fn after(commands: &[Command], at: usize, exit_code: Option<i64>) -> Ran {
    let command = &commands[at];
    let last = commands.last().map(|last| last.list);
    let of_last: Vec<&Command> = commands.iter().filter(|one| Some(one.list) == last).collect();
    let ends = Some(command.list) == last && of_last.iter().all(|one| one.link != Link::Perhaps);
    match exit_code {
        Some(0) if ends => Ran { surely: true, exit_code: command.exits.then_some(0) },
        Some(code) if ends && of_last.len() == 1 && command.exits => Ran { surely: true, exit_code: Some(code) },
        _ => Ran { surely: command.link == Link::Begins, exit_code: None },
    }
}

/// The commands of a script that begins in `folder`.
///
/// # Errors
/// Why it cannot be read, in a sentence.
pub fn commands(script: &str, folder: &Path) -> Result<Vec<Command>, String> {
    let mut walk = Walk { folder: Some(folder.to_path_buf()), ..Walk::default() };
    walk.script(script, None)?;
    Ok(walk.commands)
}

fn program(script: &str) -> Result<Program, String> {
    if script.len() > MAX_SCRIPT {
        return Err(format!("the command has {} bytes, at most {MAX_SCRIPT} are read", script.len()));
    }
    if script.chars().filter(|c| matches!(c, '(' | '{' | '`')).count() > MAX_COMMANDS {
        return Err(format!("the command has more than {MAX_COMMANDS} brackets"));
    }
    let parse = |text: &str| {
        let program = Parser::new(text.as_bytes(), &ParserOptions::default()).parse_program();
        program.map_err(|error| error.to_string())
    };
    let no_answer = "the shell parser gave no answer";
    // A thread takes longer than reading such a script.
    if script.len() <= MAX_PLAIN && script.chars().all(|c| c.is_ascii_alphanumeric() || " -_./:=,@+&".contains(c)) {
        return catch_unwind(|| parse(script)).unwrap_or_else(|_| Err(no_answer.into()));
    }
    let (sender, receiver) = mpsc::channel();
    let text = script.to_owned();
    // A parser that panics or does not end leaves the channel empty.
    let reading = thread::Builder::new().stack_size(64 << 20).spawn(move || sender.send(parse(&text)));
    reading.map_err(|error| error.to_string())?;
    receiver.recv_timeout(PATIENCE).map_err(|_| no_answer.to_owned())?
}

#[derive(Default)]
struct Walk {
    commands: Vec<Command>,
    folder: Option<PathBuf>,
    lists: usize,
    pipelines: usize,
    depth: usize,
    /// The script that is walked through.
    source: Vec<char>,
    /// A command came after which nothing is sure to run.
    broken: bool,
    /// A pipeline fails if one of its commands does: `set -o pipefail` came.
    pipefail: bool,
}

/// The properties that all commands of a part of the script share.
#[derive(Clone, Copy)]
struct Part {
    link: Link,
    list: usize,
    pipeline: usize,
    exits: bool,
    repeats: bool,
    /// It is all of a pipeline, so that a chain in it goes on with the chain around it.
    whole: bool,
}

impl Part {
    /// Parts of it may run, and their exit codes say nothing.
    fn perhaps(self) -> Self {
        Self { link: Link::Perhaps, exits: false, whole: false, ..self }
    }

    /// It runs for sure only if its list succeeds.
    fn if_possible(self) -> Self {
        let link = if self.link == Link::Begins { Link::IfAllBefore } else { self.link };
        Self { link, ..self }
    }

    fn looped(self) -> Self {
        Self { repeats: true, ..self.perhaps() }
    }
}

impl Walk {
    fn script(&mut self, script: &str, outer: Option<Part>) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("scripts are nested too deeply in scripts".into());
        }
        let lists = program(script)?.complete_commands;
        let outer = outer.map(|outer| Part { whole: outer.whole && lists.len() == 1, ..outer });
        let around = std::mem::replace(&mut self.source, script.chars().collect());
        for list in &lists {
            self.list(list, outer)?;
        }
        self.source = around;
        self.depth -= 1;
        Ok(())
    }

    /// Walks through a list. Within another command it is a part of its chain, `(a && b) && c`, or may run.
    fn list(&mut self, list: &CompoundList, outer: Option<Part>) -> Result<(), String> {
        let is_and = |one: &AndOr| matches!(one, AndOr::And(_));
        let is_chain = match list.0.as_slice() {
            [one] => matches!(one.1, SeparatorOperator::Sequence) && one.0.additional.iter().all(is_and),
            _ => false,
        };
        let outer = outer.map(|outer| if outer.whole && is_chain { outer } else { outer.perhaps() });
        for item in &list.0 {
            let in_background = matches!(item.1, SeparatorOperator::Async);
            self.and_or(&item.0, in_background, outer)?;
        }
        Ok(())
    }

    fn and_or(&mut self, list: &AndOrList, in_background: bool, outer: Option<Part>) -> Result<(), String> {
        self.lists += 1;
        let number = outer.map_or(self.lists, |outer| outer.list);
        let is_sure = outer.is_none() && !in_background;
        let only_and = list.additional.iter().all(|one| matches!(one, AndOr::And(_)));
        let alone = is_sure && list.additional.is_empty();
        let (before, known) = (self.folder.clone(), self.commands.len());
        let mut link = match outer {
            Some(outer) => outer.link,
            None if is_sure => Link::Begins,
            None => Link::Perhaps,
        };
        let repeats = outer.is_some_and(|outer| outer.repeats);
        let mut pipelines = vec![(&list.first, link)];
        for one in &list.additional {
            link = match one {
                AndOr::And(_) if link != Link::Perhaps => Link::IfAllBefore,
                _ => Link::Perhaps,
            };
            let (AndOr::And(pipeline) | AndOr::Or(pipeline)) = one;
            pipelines.push((pipeline, link));
        }
        let mut pipefail = None;
        for (pipeline, link) in pipelines {
            let link = if self.broken { Link::Perhaps } else { link };
            let exits = outer.map_or(is_sure && only_and, |outer| outer.exits) && !pipeline.bang && !self.broken;
            let whole = pipeline.seq.len() == 1 && !pipeline.bang;
            self.pipelines += 1;
            let part = Part { link, list: number, pipeline: self.pipelines, exits, repeats, whole };
            self.pipeline(pipeline, part, alone)?;
            pipefail.get_or_insert(self.pipefail);
        }
        // The list may have stopped before another command than its first.
        self.pipefail = pipefail.unwrap_or(self.pipefail);
        // The list may have stopped before its `cd`, or a `cd` to a folder that does not exist failed.
        let surely = alone && !self.has_redirect(known);
        if self.folder != before && !(surely && self.folder.as_ref().is_some_and(|folder| folder.is_dir())) {
            self.folder = None;
        }
        Ok(())
    }

    fn pipeline(&mut self, pipeline: &Pipeline, part: Part, alone: bool) -> Result<(), String> {
        let last = pipeline.seq.len().saturating_sub(1);
        let before = self.folder.clone();
        for (at, command) in pipeline.seq.iter().enumerate() {
            let part = Part { exits: part.exits && (at == last || self.pipefail), ..part };
            let known = self.commands.len();
            self.command(command, part, alone && last == 0 && !pipeline.bang)?;
            // A test or an assignment: the script's exit code may be its own.
            if self.commands.len() == known {
                self.push(Vec::new(), part)?;
            }
            if last > 0 {
                self.folder.clone_from(&before);
            }
        }
        Ok(())
    }

    fn command(&mut self, command: &Node, part: Part, alone: bool) -> Result<(), String> {
        match command {
            Node::Simple(command) => self.simple(command, part, alone),
            Node::Compound(command, redirects) => {
                let known = self.commands.len();
                self.redirects(redirects.as_ref(), part)?;
                let behind = self.behind_redirects(known, part);
                self.compound(command, behind, alone && behind.link == part.link)
            }
            Node::Function(function) => {
                self.redirects(function.body.1.as_ref(), part.looped())?;
                self.compound(&function.body.0, part.looped(), false)
            }
            Node::ExtendedTest(test, redirects) => {
                self.redirects(redirects.as_ref(), part)?;
                self.test(&test.expr, part)
            }
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>, part: Part) -> Result<(), String> {
        redirects.iter().flat_map(|list| &list.0).try_for_each(|redirect| self.redirect(redirect, part))
    }

    fn compound(&mut self, command: &CompoundCommand, part: Part, alone: bool) -> Result<(), String> {
        let (inner, looped) = ((!alone || self.broken).then_some(part), Some(part.looped()));
        match command {
            CompoundCommand::BraceGroup(group) => self.list(&group.list, inner),
            CompoundCommand::Subshell(shell) => {
                let before = (self.folder.clone(), self.pipefail);
                self.list(&shell.list, inner)?;
                (self.folder, self.pipefail) = before;
                Ok(())
            }
            CompoundCommand::ForClause(clause) => {
                self.words(clause.values.iter().flatten(), part)?;
                self.list(&clause.body.list, looped)
            }
            CompoundCommand::ArithmeticForClause(clause) => {
                for expression in [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten() {
                    arithmetic(&expression.value)?;
                }
                self.list(&clause.body.list, looped)
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0, looped)?;
                self.list(&clause.1.list, looped)
            }
            CompoundCommand::IfClause(clause) => {
                let elses = clause.elses.iter().flatten();
                let elses = elses.flat_map(|branch| branch.condition.iter().chain([&branch.body]));
                let mut lists = [&clause.condition, &clause.then].into_iter().chain(elses);
                lists.try_for_each(|list| self.list(list, Some(part.perhaps())))
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value, part)?;
                self.words(clause.cases.iter().flat_map(|case| &case.patterns), part)?;
                let mut lists = clause.cases.iter().filter_map(|case| case.cmd.as_ref());
                lists.try_for_each(|list| self.list(list, Some(part.perhaps())))
            }
            CompoundCommand::Coprocess(process) => self.command(&process.body, part.perhaps(), false),
            CompoundCommand::Arithmetic(command) => arithmetic(&command.expr.value),
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr, part: Part) -> Result<(), String> {
        match test {
            ExtendedTestExpr::And(a, b) | ExtendedTestExpr::Or(a, b) => {
                self.test(a, part)?;
                self.test(b, part)
            }
            ExtendedTestExpr::Not(a) | ExtendedTestExpr::Parenthesized(a) => self.test(a, part),
            ExtendedTestExpr::UnaryTest(_, a) => self.words([a], part),
            ExtendedTestExpr::BinaryTest(_, a, b) => self.words([a, b], part),
        }
    }

    fn simple(&mut self, command: &SimpleCommand, part: Part, alone: bool) -> Result<(), String> {
        let (mut words, known) = (Vec::new(), self.commands.len());
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, part, &mut words)?;
        }
        if let Some(word) = &command.word_or_name {
            words.push(self.word(word, part)?);
        }
        for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, part, &mut words)?;
        }
        let part = self.behind_redirects(known, part);
        let Some(name) = words.first() else { return Ok(()) };
        let Some(name) = name else { return Err("the program's name is computed by the shell".into()) };
        let name = base_name(name).to_owned();
        match name.as_str() {
            "alias" => return Err("an alias changes what later commands mean".into()),
            "cd" => self.change_folder(&words, part),
            "pushd" | "popd" => self.folder = None,
            _ => {}
        }
        // A program that runs others may run a shell, too.
        let wrapped = WRAPPERS.contains(&name.as_str());
        let is_splitter =
            |word: &Option<String>| word.as_ref().is_some_and(|word| SPLITTERS.contains(&base_name(word)));
        let splits = wrapped && words.iter().any(is_splitter);
        for start in 0..if wrapped { words.len() } else { 1 } {
            let part = if wrapped { part.perhaps() } else { part };
            if self.runs_script(splits, &words[start..], part, alone && !wrapped)? && !wrapped {
                return Ok(());
            }
        }
        let sets_pipefail = name == "set" && words.len() == 3 && is_pipefail(&words);
        let is_breaker = |word: &Option<String>| word.as_ref().is_some_and(|word| BREAKERS.contains(&base_name(word)));
        match sets_pipefail && part.whole && part.link != Link::Perhaps {
            true => self.pipefail = true,
            false => {
                self.broken |= !sets_pipefail && words[..if wrapped { words.len() } else { 1 }].iter().any(is_breaker)
            }
        }
        self.push(words, part)
    }

    /// Walks through the script that a command runs; `false` if it runs none.
    fn runs_script(&mut self, splits: bool, words: &[Option<String>], part: Part, alone: bool) -> Result<bool, String> {
        let Some(word) = words.first().cloned().flatten() else { return Ok(false) };
        let name = base_name(&word);
        let is_eval = name == "eval";
        let mut only_reads = false;
        let script = if is_eval {
            words[1..].iter().cloned().collect::<Option<Vec<String>>>().map(|words| words.join(" "))
        } else if SHELLS.contains(&name) {
            let is_flag = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
            let Some(at) = words.iter().position(|word| word.as_ref().is_some_and(is_flag)) else { return Ok(false) };
            only_reads = words[1..=at].iter().any(|word| word.as_deref().is_none_or(is_no_execution));
            words.get(at + 1).cloned().flatten()
        } else if splits && word.contains([' ', '\t', '\n', '\\', '\'', '"']) {
            Some(word)
        } else {
            return Ok(false);
        };
        let script = script.ok_or("a shell runs a text that is computed by the shell")?;
        let before = (self.folder.clone(), self.pipefail);
        if !is_eval {
            self.pipefail = is_pipefail(words);
        }
        let part = if only_reads { part.perhaps() } else { part };
        self.script(&script, (!alone || self.broken || only_reads).then_some(part))?;
        if !is_eval {
            (self.folder, self.pipefail) = before;
        }
        Ok(true)
    }

    fn push(&mut self, words: Vec<Option<String>>, part: Part) -> Result<(), String> {
        if self.commands.len() >= MAX_COMMANDS {
            return Err(format!("the script has more than {MAX_COMMANDS} commands"));
        }
        let Part { link, list, pipeline, exits, repeats, .. } = part;
        self.commands.push(Command { words, folder: self.folder.clone(), link, list, pipeline, exits, repeats });
        Ok(())
    }

    fn change_folder(&mut self, words: &[Option<String>], part: Part) {
        let home = || std::env::var_os("HOME").map(PathBuf::from);
        let target = match words.get(1) {
            None => home(),
            Some(Some(target)) if words.len() == 2 && !target.starts_with('-') => match target.strip_prefix('~') {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                    home().map(|home| home.join(rest.trim_start_matches('/')))
                }
                Some(_) => None,
                None => match (&self.folder, Path::new(target)) {
                    (_, target) if target.is_absolute() => Some(target.to_path_buf()),
                    (Some(folder), target) => Some(folder.join(target)),
                    (None, _) => None,
                },
            },
            Some(_) => None,
        };
        self.folder = if part.link == Link::Perhaps { None } else { target };
    }

    fn item(&mut self, item: &Item, part: Part, words: &mut Vec<Option<String>>) -> Result<(), String> {
        match item {
            Item::IoRedirect(redirect) => self.redirect(redirect, part),
            Item::Word(word) => {
                words.push(self.word(word, part)?);
                Ok(())
            }
            Item::AssignmentWord(assignment, word) => {
                let after_name = !words.is_empty();
                let known = match &assignment.value {
                    AssignmentValue::Scalar(value) => self.word(value, part)?,
                    AssignmentValue::Array(items) => {
                        self.words(items.iter().flat_map(|(key, value)| key.iter().chain([value])), part)?;
                        None
                    }
                };
                // After the program's name it is an argument: `env A=1`, `make CC=gcc`.
                if after_name {
                    words.push(known.map(|_| unquote_str(&word.value)));
                }
                Ok(())
            }
            Item::ProcessSubstitution(_, shell) => {
                words.push(None);
                self.list(&shell.list, Some(part.perhaps()))
            }
        }
    }

    fn redirect(&mut self, redirect: &IoRedirect, part: Part) -> Result<(), String> {
        let (sign, target) = match redirect {
            IoRedirect::File(_, kind, target) => {
                let sign = match kind {
                    IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput => "<",
                    _ => ">",
                };
                match target {
                    IoFileRedirectTarget::Filename(word) => (sign, word),
                    IoFileRedirectTarget::Duplicate(word) => {
                        let is_number = word.value.chars().all(|c| c.is_ascii_digit() || c == '-');
                        if is_number {
                            return Ok(());
                        }
                        (sign, word)
                    }
                    IoFileRedirectTarget::Fd(_) => return Ok(()),
                    IoFileRedirectTarget::ProcessSubstitution(_, shell) => {
                        return self.list(&shell.list, Some(part.perhaps()));
                    }
                }
            }
            IoRedirect::HereDocument(_, document) => {
                return if document.requires_expansion { plain(&document.doc.value) } else { Ok(()) };
            }
            IoRedirect::HereString(_, word) => return self.words([word], part),
            IoRedirect::OutputAndError(word, _) => (">", word),
        };
        let target = self.word(target, part)?;
        // Nothing becomes of what is written there.
        if target.as_deref() == Some("/dev/null") {
            return Ok(());
        }
        self.push(vec![Some(sign.to_owned()), target], Part { exits: false, ..part.if_possible() })
    }

    /// The part of a command whose redirections are among the commands since `known`: one that fails keeps it from running.
    fn behind_redirects(&self, known: usize, part: Part) -> Part {
        if self.has_redirect(known) { part.if_possible() } else { part }
    }

    /// Returns whether one of the commands since `known` is a redirection, which may fail.
    fn has_redirect(&self, known: usize) -> bool {
        let is_redirect = |one: &Command| matches!(one.words.first(), Some(Some(sign)) if sign == ">" || sign == "<");
        self.commands[known..].iter().any(is_redirect)
    }

    /// Walks through the commands in words.
    fn words<'a>(&mut self, words: impl IntoIterator<Item = &'a Word>, part: Part) -> Result<(), String> {
        words.into_iter().try_for_each(|word| self.word(word, part).map(drop))
    }

    /// The text of a word; `None` if the shell expands it. Commands in it are walked through.
    fn word(&mut self, word: &Word, part: Part) -> Result<Option<String>, String> {
        if let Some(place) = &word.loc {
            let written = self.source.get(place.start.index..place.end.index);
            if written.is_none_or(|written| !written.iter().copied().eq(word.value.chars())) {
                return Err("the shell parser lost a part of a word".into());
            }
        }
        let pieces = word::parse(&word.value, &ParserOptions::default()).map_err(|error| error.to_string())?;
        let mut text = Some(String::new());
        self.pieces(&pieces, &word.value, part, false, &mut text)?;
        Ok(text)
    }

    fn pieces(
        &mut self,
        pieces: &[WordPieceWithSource],
        source: &str,
        part: Part,
        quoted: bool,
        text: &mut Option<String>,
    ) -> Result<(), String> {
        for piece in pieces {
            let known = match &piece.piece {
                WordPiece::Text(plain) => {
                    let expands = !quoted && plain.contains(['*', '?', '[', '{']);
                    (!expands || plain == "[" || plain == "{}").then(|| plain.clone())
                }
                WordPiece::SingleQuotedText(plain) => Some(plain.clone()),
                WordPiece::AnsiCQuotedText(plain) => (!plain.contains('\\')).then(|| plain.clone()),
                WordPiece::EscapeSequence(escape) => Some(unquote_str(escape)),
                WordPiece::TildeExpansion(TildeExpr::Home) => std::env::var("HOME").ok(),
                WordPiece::TildeExpansion(_) => None,
                WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                    self.pieces(inner, source, part, true, text)?;
                    continue;
                }
                WordPiece::CommandSubstitution(script) | WordPiece::BackquotedCommandSubstitution(script) => {
                    let folder = self.folder.clone();
                    self.script(script, Some(part.perhaps()))?;
                    self.folder = folder;
                    None
                }
                WordPiece::ArithmeticExpression(expression) => {
                    arithmetic(&expression.value)?;
                    None
                }
                WordPiece::ParameterExpansion(_) => {
                    plain(source.get(piece.start_index + 1..piece.end_index).unwrap_or(source))?;
                    None
                }
            };
            match (known, text.as_mut()) {
                (Some(known), Some(text)) => text.push_str(&known),
                _ => *text = None,
            }
        }
        Ok(())
    }
}

/// Refuses an expression that runs commands.
fn plain(text: &str) -> Result<(), String> {
    match text.contains("$(") || text.contains('`') {
        true => Err("an expansion runs commands of its own".into()),
        false => Ok(()),
    }
}

/// Refuses what only looks like arithmetic: of `$((cd x; ls))` a shell makes commands.
fn arithmetic(text: &str) -> Result<(), String> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || " _+-*/%()<>=!&|^~?:,$".contains(c);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_operand = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let adjacent = words.windows(2).any(|two| two[0].ends_with(is_operand) && two[1].starts_with(is_operand));
    match text.contains("$(") || adjacent || !text.chars().all(is_sign) {
        true => Err("an arithmetic expression cannot be read".into()),
        false => Ok(()),
    }
}

/// Returns whether a shell with this option may only read its script.
fn is_no_execution(option: &str) -> bool {
    let short = option.strip_prefix('-').filter(|short| !short.starts_with('-'));
    ["noexec", "--dump-strings", "--dump-po-strings"].contains(&option)
        || short.is_some_and(|short| short.contains(['n', 'D']))
}

/// Returns whether a command is `set -o pipefail` or `bash -o pipefail -c …`, but for the program's name.
fn is_pipefail(words: &[Option<String>]) -> bool {
    let options: Vec<&str> = words.iter().skip(1).take(3).map(|word| word.as_deref().unwrap_or_default()).collect();
    matches!(options[..], ["-o", "pipefail"] | ["-o", "pipefail", "-c"])
}

/// The name of a program without its folder.
pub fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(script: &str) -> Vec<String> {
        let commands = commands(script, Path::new("/")).unwrap();
        let word = |word: &Option<String>| word.clone().unwrap_or_else(|| "…".into());
        let shown = |one: &Command| {
            let words: Vec<String> = one.words.iter().map(word).collect();
            let link = match one.link {
                Link::Begins => "",
                Link::IfAllBefore => "&& ",
                Link::Perhaps => "? ",
            };
            format!("{link}{}{}", words.join(" "), if one.repeats { " (repeats)" } else { "" })
        };
        commands.iter().map(shown).collect()
    }

    #[test]
    fn chains_groups_and_substitutions_are_taken_apart() {
        for (script, expected) in [
            ("cargo test && git push origin 'a b'", &["cargo test", "&& git push origin a b"][..]),
            ("a || b && c; d", &["a", "? b", "? c", "d"]),
            ("(cd tmp && make \"all\")", &["cd tmp", "&& make all"]),
            ("X=1 git push > out.txt 2>&1 < in", &["&& > out.txt", "&& < in", "&& git push"]),
            ("{ a; } > b; c", &["&& > b", "&& a", "c"]),
            ("{ a; b; } > c", &["&& > c", "? a", "? b"]),
            ("echo $(git push) \"$HOME/x\"", &["? git push", "echo … …"]),
            ("if a; then b; fi", &["? a", "? b"]),
            ("for i in 1 2; do git push; done", &["? git push (repeats)"]),
            ("f() { rm x; }; f", &["? rm x (repeats)", "f"]),
            ("bash -c 'git push; ls' ", &["git push", "ls"]),
            ("eval git push", &["git push"]),
            ("sudo -n bash -c 'git push'", &["? git push", "sudo -n bash -c git push"]),
            ("env -S 'git push'", &["? git push", "env -S git push"]),
            ("sh -c 'a && b' && (c) && { d; e; }", &["a", "&& b", "&& c", "? d", "? e"]),
            ("(a && b) | c", &["? a", "? b", "c"]),
            ("sleep 1 & ls *.rs", &["? sleep 1", "ls …"]),
            ("exit 1; cargo test", &["exit 1", "? cargo test"]),
            ("g\\it pu''sh $'a'", &["git push a"]),
            ("a >/dev/null; cat <(b)", &["a", "? b", "cat …"]),
            ("git commit -m \"$(cat <<'E'\nit's (a) $(git push)\nE\n)\" && a", &["? cat", "git commit -m …", "&& a"]),
            ("[[ -n $x ]] && a", &["", "&& a"]),
        ] {
            assert_eq!(shown(script), expected, "{script}");
        }
    }

    #[test]
    fn unreadable_scripts_are_errors() {
        for script in [
            "git push 'a",
            "$X push",
            "eval \"$X\"",
            "sh -c \"$X\"",
            "alias g=git",
            "a &&",
            "x=${y:-$(git push)}",
            "$((a; b))",
        ] {
            assert!(commands(script, Path::new("/")).is_err(), "{script}");
        }
        for word in ["if ", "while ", "! ", "case x in ", "for x in ", "a && ", "{ ", "time "] {
            // Read without a thread, and soon.
            let _ = commands(&word.repeat(MAX_PLAIN / word.len()), Path::new("/"));
        }
        assert!(commands(&"(".repeat(5000), Path::new("/")).is_err());
        assert!(commands(&"a;".repeat(500), Path::new("/")).is_err());
    }

    #[test]
    fn folders_follow_cd() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        let last = |script: &str| commands(script, folder.path()).unwrap().pop().unwrap().folder;
        assert_eq!(last("cd sub && ls"), Some(folder.path().join("sub")));
        assert_eq!(last("cd sub; ls"), Some(folder.path().join("sub")));
        assert_eq!(last("(cd sub); ls"), Some(folder.path().to_path_buf()));
        for unknown in
            ["cd missing; ls", "cd $X; ls", "cd -; ls", "a && cd sub; ls", "cd sub || true; ls", "cd sub > x; ls"]
        {
            assert_eq!(last(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn exit_codes_are_known_where_the_shell_gives_them() {
        let known = |script: &str, code| {
            let commands = commands(script, Path::new("/")).unwrap();
            (0..commands.len())
                .map(|at| after(&commands, at, code))
                .map(|ran| (ran.surely, ran.exit_code))
                .collect::<Vec<_>>()
        };
        assert_eq!(known("a && b", Some(0)), [(true, Some(0)), (true, Some(0))]);
        assert_eq!(known("a && b", Some(1)), [(true, None), (false, None)]);
        // A command does not run if its redirection fails.
        assert_eq!(known("a > x", Some(0)), [(true, None), (true, Some(0))]);
        assert_eq!(known("a > x", Some(1)), [(false, None), (false, None)]);
        assert_eq!(known("a > x; b", Some(0))[..2], [(false, None), (false, None)]);
        assert_eq!(known("a; b", Some(0)), [(true, None), (true, Some(0))]);
        assert_eq!(known("a | b", Some(0)), [(true, None), (true, Some(0))]);
        // The code is that of the last command that ran, which may have no program.
        for blank in ["[[ x ]]", "((x))", "x=1", "case x in esac", "> /dev/null"] {
            assert_eq!(known(&format!("a && {blank}"), Some(1)), [(true, None), (false, None)], "{blank}");
            assert_eq!(known(&format!("{blank} && a"), Some(1)), [(true, None), (false, None)], "{blank}");
            assert_eq!(known(&format!("a; {blank}"), Some(0))[0], (true, None), "{blank}");
            assert_eq!(known(&format!("a && {blank}"), Some(0))[0], (true, Some(0)), "{blank}");
        }
        for script in [
            "set -o pipefail; a | b",
            "set -o pipefail && a | b",
            "set -o pipefail\na | b",
            "eval 'set -o pipefail'; a | b",
            "bash -o pipefail -c 'true; a | b'",
        ] {
            assert_eq!(known(script, Some(0))[1..], [(true, Some(0)), (true, Some(0))], "{script}");
            assert_eq!(known(script, Some(1))[1].1, None, "{script}");
        }
        for script in [
            "set -o pipefail | x; a | b",
            "x || set -o pipefail; a | b",
            "x && set -o pipefail; a | b",
            "(x; set -o pipefail); a | b",
            "bash -c 'x; set -o pipefail'; a | b",
            "set -o pipefail; bash -c 'a | b'",
            "set -o pipefail; set +o pipefail; a | b",
            "set -o pipefail; command set +o pipefail; a | b",
            "set -o pipefail; shopt -uo pipefail; a | b",
            "set -o pipefail; ! a | b",
        ] {
            let commands = known(script, Some(0));
            assert_eq!(commands[commands.len() - 2].1, None, "{script}");
        }
        for script in ["bash -nc a", "bash -n -c a", "sh -o noexec -c a", "bash $X -c a", "set -n; a"] {
            assert_eq!(known(script, Some(0)).last(), Some(&(false, None)), "{script}");
        }
        assert_eq!(known("bash -lc a", Some(0)), [(true, Some(0))]);
        assert_eq!(known("a || b", Some(0)), [(true, None), (false, None)]);
        assert_eq!(known("! a", Some(0)), [(true, None)]);
        assert_eq!(known("a", Some(7)), [(true, Some(7))]);
        assert_eq!(known("a", None), [(true, None)]);
        let chain = commands("a; b && c", Path::new("/")).unwrap();
        assert_eq!(before(&chain, 1, 2), Ran { surely: true, exit_code: Some(0) });
        assert_eq!(before(&chain, 0, 2), Ran { surely: true, exit_code: None });
        // The commands of one pipeline run at the same time, whatever its exit code will be.
        let pipe = commands("set -o pipefail && a | b && c", Path::new("/")).unwrap();
        assert_eq!(before(&pipe, 1, 2).exit_code, None);
        assert_eq!(before(&pipe, 1, 3).exit_code, Some(0));
    }
}
