//! `ltlcrit ltl allowed`: the actions that laws jointly allow after a word.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ltlcrit_engine::world;
use ltlcrit_verifier::vocabulary::{STOP, VocabularyError};
use ltlcrit_verifier::{Enforcement, Judgement, Law, LawId, Shield, ShieldOptions, Verdict, Vocabulary, Word, syntax};
use serde::Serialize;

use super::input::{bad_text, without_comment};
use super::table;
use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// The longest file of laws that is read, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Arguments of `ltl allowed`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "WORD is written as for `ltl judge`. Its first letter, letter 0, is the state a run begins in, to \
                        which no action leads; to each later letter exactly one action leads. `action_stop`, which ends \
                        a run, is always an action.\n\n\
                        An action is allowed iff some finite continuation after it satisfies all laws together. A law that \
                        the word itself violates is reported and starts afresh, as in a run."
)]
pub struct AllowedArgs {
    /// A file with a formula a line (all are hard laws, `#` begins a comment), or a law book: a path that ends in `.toml`
    /// or a shipped book's name
    #[arg(long, value_name = "FILE")]
    laws: String,
    /// The actions of a file of formulas, separated by commas; every other proposition is an observation
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true)]
    actions: String,
    /// The word so far, such as `a;;b,c`
    #[arg(allow_hyphen_values = true)]
    word: String,
}

#[derive(Serialize)]
struct Answer {
    letters: usize,
    /// `all`, `hard_only`, `suspended`, `nothing` or `undecided`, as for runs.
    in_force: String,
    conflict: Vec<String>,
    /// The laws in the searches that ran out, if it could not be decided which laws are in force.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undecided: Vec<String>,
    /// The soft laws that give way, where the others stay in force.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suspended: Vec<String>,
    allowed: Vec<String>,
    blocked: Vec<Blocked>,
    unknown: Vec<Unknown>,
    owed: Vec<String>,
    violations: Vec<Broken>,
    laws: Vec<LawState>,
}

#[derive(Serialize)]
struct Blocked {
    action: String,
    /// Laws that together block the action.
    laws: Vec<String>,
    /// True if none of them can be left out; `false` also if that could not be decided.
    minimal: bool,
}

impl Blocked {
    fn by(&self) -> String {
        let minimal = if self.minimal { "" } else { " (perhaps not all are needed)" };
        format!("by {}{minimal}", self.laws.join(", "))
    }
}

#[derive(Serialize)]
struct Unknown {
    action: String,
    why: String,
}

/// Laws that a letter of the word violates.
#[derive(Serialize)]
struct Broken {
    /// The letter, from 0.
    letter: usize,
    laws: Vec<String>,
}

#[derive(Serialize)]
struct LawState {
    law: String,
    formula: String,
    verdict: Verdict,
}

/// Reads the laws and the word, and prints what is allowed.
///
/// # Errors
/// Laws or a word that cannot be read, with every place.
pub fn run(args: &AllowedArgs, context: &Context) -> Result<ExitCode, CliError> {
    let actions = names(&args.actions)?;
    let is_book = Path::new(&args.laws).extension().is_some_and(|extension| extension == "toml")
        || ltlcrit_laws::shipped_names().any(|name| name == args.laws);
    let (vocabulary, laws) = match is_book {
        true if !actions.is_empty() => {
            return Err(CliError::usage("a law book knows its own actions").help("leave out `--actions`"));
        }
        true => book(&args.laws)?,
        false => plain(&args.laws, &actions, &args.word)?,
    };
    let word = Word::parse_over(&args.word, &vocabulary).map_err(|error| bad_text("word", "WORD", None, &error))?;
    let answer = answer(&vocabulary, laws, &word)?;
    context.result(&answer, || text(&answer))?;
    Ok(ExitCode::Success)
}

/// The names of `--actions`, which are written like a letter of a word.
fn names(text: &str) -> Result<Vec<Arc<str>>, CliError> {
    let word = if text.trim().is_empty() { "[]" } else { text };
    let word = Word::parse(word).map_err(|error| bad_text("actions", "--actions", None, &error))?;
    Ok(word.letters().iter().flatten().cloned().collect())
}

fn book(name: &str) -> Result<(Arc<Vocabulary>, Vec<Law>), CliError> {
    let known: Vec<_> = world::fixed_vocabularies().into_iter().map(|(_, vocabulary)| vocabulary).collect();
    let (book, vocabulary) = ltlcrit_laws::open(name, &known).map_err(|errors| {
        CliError::input(format!("the law book `{name}` cannot be used")).at(name).detail(errors.to_string())
    })?;
    Ok((vocabulary, book.laws_in_force()))
}

/// Laws, one per line. The vocabulary consists of the propositions in the laws, the actions and the word.
fn plain(path: &str, actions: &[Arc<str>], word: &str) -> Result<(Arc<Vocabulary>, Vec<Law>), CliError> {
    if actions.is_empty() {
        let error = CliError::usage("a file of formulas does not tell which propositions are actions");
        return Err(error.help("name them: --actions a,b,c"));
    }
    let (mut laws, mut texts) = (Vec::new(), Vec::new());
    let mut problems: Vec<String> = Vec::new();
    for (number, line) in read(path)?.lines().enumerate() {
        let text = without_comment(line);
        if text.trim().is_empty() {
            continue;
        }
        match syntax::parse(text) {
            Ok(formula) => {
                laws.push(Law::hard(format!("line {}", number + 1), formula, ""));
                texts.push(text.to_owned());
            }
            Err(error) => problems.extend(error.all().map(|error| {
                let excerpt = error.excerpt().replace('\n', "\n  ");
                format!("{path}:{}:{}: {}\n  {excerpt}", number + 1, error.column, error.explanation())
            })),
        }
    }
    let too_many = |error: VocabularyError| CliError::input(error.to_string());
    let word = Word::parse(word).map_err(|error| bad_text("word", "WORD", None, &error))?;
    let known: BTreeSet<Arc<str>> = actions.iter().cloned().chain([Arc::from(STOP)]).collect();
    let mentioned = laws.iter().flat_map(|law| law.formula.atoms()).chain(word.letters().iter().flatten().cloned());
    let observations: BTreeSet<Arc<str>> = mentioned.filter(|name| !known.contains(name)).collect();
    // An action that is not listed would silently become an observation.
    let action_names = Vocabulary::plain("--actions", known.iter().cloned()).map_err(too_many)?;
    for name in observations.iter().filter(|name| name.starts_with("action_")) {
        let near = action_names.nearest(name).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        problems.push(format!("`{name}` is called an action but is not among `--actions`{near}"));
    }
    if !problems.is_empty() {
        let message = match problems.len() {
            1 => "a problem in the laws".to_owned(),
            count => format!("{count} problems in the laws"),
        };
        return Err(problems.into_iter().fold(CliError::input(message).at(path), CliError::detail));
    }
    let builder = Vocabulary::builder("laws").observations(observations).actions(actions.iter().cloned());
    let vocabulary = builder.build().map_err(too_many)?;
    // Parsed again, because it is known only now whether a lone `t` or `f` is a proposition.
    for (law, text) in laws.iter_mut().zip(texts) {
        law.formula = syntax::parse_over(&text, &vocabulary).map_err(|error| bad_text("law", path, Some(0), &error))?;
    }
    Ok((Arc::new(vocabulary), laws))
}

fn read(path: &str) -> Result<String, CliError> {
    ltlcrit_files::read_text(Path::new(path), MAX_BYTES).map_err(|error| {
        let help = error.help().unwrap_or("give a file with a formula a line, or a law book");
        CliError::input(format!("the laws cannot be read: {error}")).at(path).help(help)
    })
}

/// Runs the shield over the word and asks it about every action.
fn answer(vocabulary: &Arc<Vocabulary>, laws: Vec<Law>, word: &Word) -> Result<Answer, CliError> {
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default())
        .map_err(|error| CliError::input(error.to_string()))?;
    let names = |laws: &[LawId]| -> Vec<String> { laws.iter().map(LawId::to_string).collect() };
    let mut violations = Vec::new();
    let run = word.as_run(vocabulary).map_err(|fault| CliError::input(fault.to_string()).at("WORD"))?;
    for (position, letter) in run.iter().enumerate() {
        if vocabulary.stop().is_some_and(|stop| letter.action(vocabulary) == Some(stop)) {
            let error = CliError::input(format!("letter {position} is after `{STOP}`: the run has ended")).at("WORD");
            return Err(error.help("leave that letter out to ask what was allowed instead"));
        }
        let broken = match letter.taken(vocabulary) {
            Some((action, observations)) => shield.step(action, observations),
            None => shield.start(letter.0),
        };
        let broken = broken.map_err(|fault| CliError::input(fault.to_string()).at("WORD"))?;
        if !broken.is_empty() {
            violations.push(Broken { letter: position, laws: names(&broken) });
        }
    }
    let enforcement = shield.decide().enforcement.clone();
    let kind = serde_json::to_value(&enforcement).unwrap_or_default();
    let (mut allowed, mut blocked, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for id in vocabulary.action_ids() {
        let action = vocabulary.action_name(id).to_owned();
        match shield.judge(id) {
            Judgement::Allowed => allowed.push(action),
            Judgement::Blocked { laws, minimal } => blocked.push(Blocked { action, laws: names(&laws), minimal }),
            Judgement::Undecided { why } => unknown.push(Unknown { action, why: why.to_string() }),
            // A word that stops was refused above.
            Judgement::Ended => {}
        }
    }
    let (owed, verdicts) = (names(&shield.obligations()), shield.verdicts());
    let state = |(law, verdict): (&Law, Verdict)| LawState {
        law: law.id.to_string(),
        formula: law.formula.to_string(),
        verdict,
    };
    Ok(Answer {
        letters: word.len(),
        in_force: kind["kind"].as_str().unwrap_or_default().to_owned(),
        conflict: names(enforcement.conflict()),
        undecided: if let Enforcement::Undecided { laws, .. } = &enforcement { names(laws) } else { Vec::new() },
        suspended: if let Enforcement::Suspended { suspended, .. } = &enforcement {
            names(suspended)
        } else {
            Vec::new()
        },
        allowed,
        blocked,
        unknown,
        owed,
        violations,
        laws: shield.laws().iter().zip(verdicts).map(state).collect(),
    })
}

fn text(answer: &Answer) -> String {
    let broken = |broken: &Broken| format!("letter {} violates {}", broken.letter, broken.laws.join(", "));
    let mut lines: Vec<String> = answer.violations.iter().map(broken).collect();
    let conflict = match answer.conflict.as_slice() {
        [] => String::new(),
        laws => format!(" (in conflict: {})", laws.join(", ")),
    };
    let none = "all laws together leave no action";
    lines.extend(match answer.in_force.as_str() {
        "hard_only" => Some(format!("{none}; only the hard ones are in force{conflict}")),
        "suspended" => Some(format!("{none}, so these are suspended: {}{conflict}", answer.suspended.join(", "))),
        "nothing" => Some(format!("the laws leave no action{conflict}")),
        "undecided" => {
            let laws = answer.undecided.join(", ");
            Some(format!("it could not be decided whether the laws leave an action; the search gave up on {laws}"))
        }
        _ => None,
    });
    let allowed = answer.allowed.iter().map(|action| vec!["allowed".to_owned(), action.clone()]);
    let blocked = answer.blocked.iter().map(|blocked| vec!["blocked".to_owned(), blocked.action.clone(), blocked.by()]);
    let unknown = answer.unknown.iter().map(|it| vec!["unknown".to_owned(), it.action.clone(), it.why.clone()]);
    lines.extend(table::lines(&allowed.chain(blocked).chain(unknown).collect::<Vec<_>>()));
    if !answer.owed.is_empty() {
        lines.push(format!("owed before stopping: {}", answer.owed.join(", ")));
    }
    let cited: BTreeSet<&String> =
        answer.blocked.iter().flat_map(|blocked| &blocked.laws).chain(&answer.conflict).chain(&answer.owed).collect();
    let laws = answer.laws.iter().filter(|law| cited.contains(&law.law));
    let rows: Vec<Vec<String>> = laws.map(|law| vec![format!("  {}", law.law), law.formula.clone()]).collect();
    lines.extend(table::lines(&rows));
    lines.join("\n")
}
