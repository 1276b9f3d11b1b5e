//! `ltlcrit ltl judge`: acceptance and four-valued verdicts of finite words.

use std::sync::Arc;

use ltlcrit_verifier::syntax::{self, MAX_LENGTH};
use ltlcrit_verifier::word::{EMPTY_WORD, MAX_WORD};
use ltlcrit_verifier::{Formula, Monitor, Verdict, Vocabulary, Word};
use serde::Serialize;

use super::input::bad_text;
use super::table;
use crate::cli::input_lines::each_line;
use crate::cli::output::{CliError, Context, word};
use crate::exit::ExitCode;

/// Arguments of `ltl judge`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A word is written as its letters separated by `;`, each the propositions that hold separated by \
                        `,`: `a;;b,c` has three letters, the empty text has one, and \
                        `[]` is the empty word. Letters are numbered from 0, as in a run.\n\n\
                        Without arguments, lines FORMULA<TAB>WORD are read from standard input. Each gives one line: its \
                        number, accepted or rejected, and the verdict after every letter, for `[]` the one verdict. \
                        Empty lines and lines that \
                        begin with `#` are passed over. A line that cannot be judged is reported, the others are judged \
                        all the same, and the exit code tells."
)]
pub struct JudgeArgs {
    /// A formula, infix (`G(a -> F b)`) or prefix (`G i a F b`)
    #[arg(requires = "word", allow_hyphen_values = true)]
    formula: Option<String>,
    /// A finite word, such as `a;;b,c`
    #[arg(allow_hyphen_values = true)]
    word: Option<String>,
}

/// The verdict on one prefix of a word.
#[derive(Serialize)]
struct Prefix<'a> {
    letter: &'a [Arc<str>],
    accepted: bool,
    verdict: Verdict,
    /// True if the verdict is exact; if not, `pending` may be `violated` and `clear` `satisfied`.
    exact: bool,
}

/// The verdicts on one word.
#[derive(Serialize)]
struct Judged<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    formula: String,
    accepted: bool,
    verdict: Verdict,
    /// True if the verdict on the empty word is exact.
    #[serde(skip)]
    begins_exact: bool,
    prefixes: Vec<Prefix<'a>>,
}

impl Judged<'_> {
    fn acceptance(&self) -> &'static str {
        if self.accepted { "accepted" } else { "rejected" }
    }
}

/// A formula with its monitor, kept between lines because words of one formula often follow each other.
struct FormulaMonitor {
    text: String,
    formula: Formula,
    monitor: Monitor,
}

impl FormulaMonitor {
    fn new(text: &str, place: &str, offset: Option<usize>) -> Result<Self, CliError> {
        let formula = syntax::parse(text).map_err(|error| bad_text("formula", place, offset, &error))?;
        let too_large = |error: &dyn std::error::Error| CliError::input(error.to_string()).at(place);
        let vocabulary = Vocabulary::plain("formula", formula.atoms()).map_err(|error| too_large(&error))?;
        let monitor = Monitor::new(&formula, Arc::new(vocabulary)).map_err(|error| too_large(&error))?;
        Ok(Self { text: text.to_owned(), formula, monitor })
    }

    fn judge<'a>(&mut self, word: &'a Word, line: Option<u64>, place: &str) -> Result<Judged<'a>, CliError> {
        self.refuse_constant_named_in(word, place)?;
        let undecided = self.monitor.undecided();
        self.monitor.reset();
        let begins_exact = self.monitor.undecided() == undecided;
        let vocabulary = self.monitor.vocabulary().clone();
        let mut prefixes = Vec::with_capacity(word.len());
        for (names, letter) in word.letters().iter().zip(word.over(&vocabulary)) {
            let undecided = self.monitor.undecided();
            let verdict = self.monitor.advance(&letter);
            if self.monitor.is_lost() {
                let message =
                    format!("the formula is too intricate: judging letter {} exceeded the bounds", prefixes.len());
                return Err(CliError::input(message).at(place));
            }
            let exact = self.monitor.undecided() == undecided;
            prefixes.push(Prefix { letter: names, accepted: self.monitor.accepts(), verdict, exact });
        }
        let (accepted, verdict) = (self.monitor.accepts(), self.monitor.verdict());
        Ok(Judged { line, formula: format!("{:#}", self.formula), accepted, verdict, begins_exact, prefixes })
    }

    /// Refuses a word that mentions `t` or `f` where the formula's lone `t` or `f` was read as a constant.
    fn refuse_constant_named_in(&self, word: &Word, place: &str) -> Result<(), CliError> {
        let name = self.text.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
        let mentioned = word.letters().iter().flatten().any(|proposition| &**proposition == name);
        if !matches!(name, "t" | "f") || !mentioned || !self.formula.atoms().is_empty() {
            return Ok(());
        }
        let constant = if name == "t" { "true" } else { "false" };
        let message =
            format!("`{name}` is read as the constant `{constant}`, but the word mentions a proposition `{name}`");
        Err(CliError::input(message).at(place).help(format!("write `{constant}`, or `\"{name}\"` in double quotes")))
    }
}

/// Judges the word of the command line, or every line of standard input.
///
/// # Errors
/// A formula or word that cannot be read, with the place.
pub fn run(args: &JudgeArgs, context: &Context) -> Result<ExitCode, CliError> {
    let (Some(formula), Some(word)) = (&args.formula, &args.word) else { return stream(context) };
    let mut monitor = FormulaMonitor::new(formula, "FORMULA", None)?;
    let word = Word::parse(word).map_err(|error| bad_text("word", "WORD", None, &error))?;
    let judged = monitor.judge(&word, None, "FORMULA")?;
    context.result(&judged, || text(&judged))?;
    Ok(ExitCode::Success)
}

fn text(judged: &Judged<'_>) -> String {
    let mut rows: Vec<Vec<String>> = judged
        .prefixes
        .iter()
        .enumerate()
        .map(|(position, prefix)| {
            let letter = Word::from_letters([prefix.letter.iter().cloned()]).to_string();
            vec![
                format!("  {position}"),
                if letter.is_empty() { "-".into() } else { letter },
                marked(prefix.verdict, prefix.exact),
            ]
        })
        .collect();
    if rows.is_empty() {
        rows.push(vec![format!("  {EMPTY_WORD}"), marked(judged.verdict, judged.begins_exact)]);
    }
    format!("{}\n{}\n{}", judged.formula, table::lines(&rows).join("\n"), judged.acceptance())
}

/// A verdict, with a question mark if it is not exact.
fn marked(verdict: Verdict, exact: bool) -> String {
    format!("{}{}", word(&verdict), if exact { "" } else { "?" })
}

/// Judges line by line and prints each result before it reads the next line.
fn stream(context: &Context) -> Result<ExitCode, CliError> {
    let mut monitor: Option<FormulaMonitor> = None;
    each_line(context, MAX_LENGTH + MAX_WORD + 1, ("FORMULA<TAB>WORD", "judged"), |line, number, place| {
        judge_line(line, number, place, &mut monitor, context)
    })
}

fn judge_line(
    line: &str,
    number: u64,
    place: &str,
    monitor: &mut Option<FormulaMonitor>,
    context: &Context,
) -> Result<(), CliError> {
    let Some((formula, word_text)) = line.split_once('\t') else {
        let help = "write the formula, one tab, and the word";
        return Err(CliError::input("the line has no tab").at(place).help(help));
    };
    if word_text.contains('\t') {
        let help = "keep the columns of the formula and the word only, for example with `cut -f`";
        return Err(CliError::input("the line has more than two columns").at(place).help(help));
    }
    let monitor = match monitor {
        Some(monitor) if monitor.text == formula => monitor,
        _ => {
            let fresh = FormulaMonitor::new(formula, place, Some(0))?;
            monitor.insert(fresh)
        }
    };
    let offset = formula.chars().count() + 1;
    let word = Word::parse(word_text).map_err(|error| bad_text("word", place, Some(offset), &error))?;
    let judged = monitor.judge(&word, Some(number), place)?;
    if context.json() {
        return context.print_json(&judged);
    }
    let mut verdicts: Vec<String> = judged.prefixes.iter().map(|prefix| marked(prefix.verdict, prefix.exact)).collect();
    if verdicts.is_empty() {
        verdicts.push(marked(judged.verdict, judged.begins_exact));
    }
    context.print(format_args!("{number}\t{}\t{}", judged.acceptance(), verdicts.join(" ")))
}
