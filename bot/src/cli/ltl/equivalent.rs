//! `ltlcrit ltl equivalent`: compares two formulas, and shows a word that tells them apart.

use ltlcrit_verifier::{Difference, syntax};
use serde::Serialize;

use super::input::bad_text;
use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `ltl equivalent`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Two formulas are equivalent if the same finite words satisfy them, the empty word `[]` included. If \
                        they are not, a word is shown that satisfies only one of them, and the exit code is 5. On finite \
                        words, `G F a` says that `a` holds at the last letter."
)]
pub struct EquivalentArgs {
    /// A formula, infix (`G(a -> F b)`) or prefix (`G i a F b`)
    #[arg(allow_hyphen_values = true)]
    first: String,
    /// Another one
    #[arg(allow_hyphen_values = true)]
    second: String,
}

#[derive(Serialize)]
struct Compared {
    first: String,
    second: String,
    equivalent: bool,
    /// A word that satisfies one of them only.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<String>,
    /// The formula that the word satisfies.
    #[serde(skip_serializing_if = "Option::is_none")]
    satisfies: Option<&'static str>,
}

/// Compares the formulas.
///
/// # Errors
/// A formula that cannot be read, or a question that exceeds the bounds.
pub fn run(args: &EquivalentArgs, context: &Context) -> Result<ExitCode, CliError> {
    let read = |text: &str, place: &str| syntax::parse(text).map_err(|error| bad_text("formula", place, None, &error));
    let (first, second) = (read(&args.first, "FIRST")?, read(&args.second, "SECOND")?);
    let difference = Difference::between(&first, &second).map_err(|error| CliError::input(error.to_string()))?;
    let (word, by_first) = match difference {
        Difference::Nothing => (None, false),
        Difference::Word { word, by_first } => (Some(word.to_string()), by_first),
        Difference::Undecided => {
            let message = "the formulas are too intricate: comparing them exceeded the bounds";
            return Err(CliError::new(ExitCode::Failure, message));
        }
    };
    let satisfies = word.is_some().then_some(if by_first { "first" } else { "second" });
    let (first, second) = (format!("{first:#}"), format!("{second:#}"));
    let compared = Compared { equivalent: word.is_none(), first, second, word, satisfies };
    context.result(&compared, || text(&compared))?;
    Ok(if compared.equivalent { ExitCode::Success } else { ExitCode::Findings })
}

fn text(compared: &Compared) -> String {
    let Some(word) = &compared.word else { return "equivalent".into() };
    let (satisfied, other) = match compared.satisfies {
        Some("first") => (&compared.first, &compared.second),
        _ => (&compared.second, &compared.first),
    };
    let word = if word.is_empty() { "one letter with nothing".to_owned() } else { format!("`{word}`") };
    format!("not equivalent: {word} satisfies {satisfied} and not {other}")
}
