//! `ltlcrit laws ask`: whether an action may come next in a stored run, and what would lift a block (Safety Chip, section III-B).

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_engine::replay::{self, Permission};
use ltlcrit_store::RunSelector;
use ltlcrit_translate::{Lexical, Lexicon, Term};
use ltlcrit_verifier::{ActionId, Explanation, Implied, Letter, Lift, PropSet, Vocabulary, syntax};
use serde::Serialize;

use crate::cli::output::{CliError, Context, HEAD, foreign};
use crate::cli::replay::{other_laws, stored_vocabulary};
use crate::exit::ExitCode;

/// Arguments of `laws ask`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The answer is the shield's judgement in that state. No language model is asked: the question names an action, or says \
                  it in words that the grammar of `laws translate` reads."
)]
pub struct AskArgs {
    /// The question, such as "may I craft a furnace?", or the name of an action
    question: String,
    /// The run that the action would continue: its number, or `last`
    #[arg(long, value_name = "RUN", default_value = "last")]
    run: RunSelector,
    /// The step after which it would come; 0 is the first state [default: the last step before the run stopped]
    #[arg(long, value_name = "K")]
    step: Option<u64>,
    /// A law book to judge by: a shipped name or a file; may be repeated [default: the run's own laws]
    #[arg(long, value_name = "BOOK")]
    laws: Vec<String>,
}

/// The answer as `--json` prints it.
#[derive(Serialize)]
struct Answer {
    run: u64,
    step: u64,
    /// The judgement with its reasons.
    explanation: Explanation,
    /// The letters that have to come first, in order, if the action is blocked; `null` if none were found.
    lifted_by: Option<Vec<String>>,
    /// True if nothing lifts the block.
    never: bool,
}

/// Answers.
///
/// # Errors
/// No such run or step, a question that names no action, or books that cannot be used.
pub fn run(args: &AskArgs, context: &Context) -> Result<ExitCode, CliError> {
    let store = crate::cli::store::open_to_read(context)?;
    let run = store.resolve(args.run)?;
    let stored = stored_vocabulary(&store.manifest(run)?)?;
    let laws = other_laws(&args.laws, &stored, context)?;
    let vocabulary = laws.as_ref().and_then(|laws| laws.vocabulary.clone()).unwrap_or_else(|| Arc::new(stored));
    let action = asked(&args.question, &vocabulary)?;
    let Permission { step, now, explanation, lift } = replay::ask(&store, run, laws, args.step, action)?;
    let mut mentioned = BTreeSet::new();
    for law in &explanation.laws {
        mentioned.extend(syntax::parse_over(&law.formula, &vocabulary).map(|it| it.atoms()).unwrap_or_default());
    }
    let never = lift == Lift::Never;
    let lifted_by = match lift {
        Lift::By(letters) => {
            let before = [Letter::initial(now)].into_iter().chain(letters.iter().copied());
            Some(before.zip(&letters).map(|(before, after)| needed(&before, after, &mentioned, &vocabulary)).collect())
        }
        Lift::Never | Lift::NotFound => None,
    };
    let answer = Answer { run: run.0, step, explanation, lifted_by, never };
    context.result(&answer, || text(&answer))?;
    Ok(ExitCode::Success)
}

/// Finds the action of a question: by its name, or as what a sentence about it forbids.
fn asked(question: &str, vocabulary: &Vocabulary) -> Result<ActionId, CliError> {
    let named = |name: &str| vocabulary.action(name).or_else(|| vocabulary.action(&format!("action_{name}")));
    let words = question.trim().trim_end_matches(['?', '.', '!']).trim();
    let lower = words.to_lowercase();
    let openings = ["may i ", "can i ", "may the robot ", "can the robot ", "am i allowed to ", "is it allowed to "];
    let wanted = openings.iter().find_map(|opening| lower.strip_prefix(opening)).unwrap_or(&lower).trim();
    if let Some(action) = named(words).or_else(|| named(wanted)).or_else(|| named(&wanted.replace(' ', "_"))) {
        return Ok(action);
    }
    let terms = vocabulary.catalogue().map(|(_, action)| Term::new(action, true)).collect();
    let lexicon = Lexicon::new(vocabulary.name(), terms, Vec::new(), Vec::new());
    let unknown = |why: String| {
        let error = CliError::input(format!("the question names no action: {}", foreign(&why)));
        error.help("ask \"may I craft a furnace?\", or give an action's name; `ltlcrit laws words` lists them")
    };
    let law = Lexical::new(&lexicon).translate(&format!("Never {wanted}.")).map_err(|why| unknown(why.to_string()))?;
    let actions: Vec<ActionId> = law.formula().atoms().iter().filter_map(|name| vocabulary.action(name)).collect();
    match actions.as_slice() {
        [action] => Ok(*action),
        several => {
            let names: Vec<&str> = several.iter().map(|action| vocabulary.action_name(*action)).collect();
            Err(unknown(format!("`{wanted}` may mean {}", names.join(", "))))
        }
    }
}

/// Says what a letter on the way needs: the observations that it changes, and its action if the laws mention it.
fn needed(before: &Letter, after: &Letter, mentioned: &BTreeSet<Arc<str>>, vocabulary: &Vocabulary) -> String {
    let names = |set: PropSet, sign: &str| -> Vec<String> {
        let observations = set.iter().filter(|id| vocabulary.is_observation(*id));
        observations.map(|id| format!("{sign}{}", vocabulary.name_of(id))).collect()
    };
    let implied = Implied::new(vocabulary);
    let gained = implied.strongest_holding(&after.0.difference(&before.0));
    let lost = implied.strongest_failing(&before.0.difference(&after.0));
    let changed = [names(gained, ""), names(lost, "!")].concat().join(" & ");
    let action = after.action(vocabulary).map_or("", |action| vocabulary.action_name(action));
    match (changed.is_empty(), mentioned.contains(action)) {
        (true, _) => action.to_owned(),
        (false, true) => format!("{action} with {changed}"),
        (false, false) => changed,
    }
}

fn text(answer: &Answer) -> String {
    let word = if answer.explanation.judgement.is_allowed() { "yes" } else { "no" };
    let place = format!("after step {} of run {}", answer.step, answer.run);
    let explanation = answer.explanation.to_string();
    let explanation: Vec<String> = explanation.lines().map(foreign).collect();
    let mut lines = vec![format!("{HEAD}{word}{HEAD:#}, {place}: {}", explanation.join("\n"))];
    if !answer.explanation.judgement.is_allowed() {
        lines.push(match (&answer.lifted_by, answer.never) {
            (Some(needed), _) => format!("lifted by: {}", needed.join(", then ")),
            (None, true) => "lifted by: nothing".to_owned(),
            (None, false) => "lifted by: not found within the bounds".to_owned(),
        });
    }
    lines.join("\n")
}
