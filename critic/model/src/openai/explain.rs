//! Explains failures, with their remedies.

use async_openai::config::Config;

use super::endpoint::{Endpoint, OpenAiOptions};
use super::patience::{PATIENCE, is_loading};
use super::transport::{Failure, NO_CREDIT};

/// Explains why there is no answer after some attempts, with a remedy.
pub(super) fn explain(
    failure: &Failure,
    attempts: usize,
    model: &str,
    endpoint: &Endpoint,
    options: &OpenAiOptions,
) -> String {
    let base = endpoint.api_base();
    let tried = if attempts > 1 { format!(" ({attempts} attempts)") } else { String::new() };
    match failure {
        Failure::Connect(why) => format!(
            "no server answers at {base} ({why}); start it, or set `--base-url` to where it runs (Ollama: \
             http://localhost:11434/v1, vLLM: http://localhost:8000/v1, llama.cpp: http://localhost:8080/v1)"
        ),
        Failure::Tls { certificate: true, why } => format!(
            "the certificate of {base} is not trusted ({why}); if the server is yours, add the certificate of its \
             authority to the system's, or name its file in the environment variable SSL_CERT_FILE"
        ),
        Failure::Tls { certificate: false, why } => {
            format!(
                "{base} answers, but not as https does ({why}); check the address, its port, and whether it is http://"
            )
        }
        Failure::Timeout(limit) => format!(
            "{base} gave no complete answer within {} s{tried}; it hangs or is too slow: raise `model.timeout`, or ask \
             a smaller model",
            limit.as_secs()
        ),
        Failure::Cut(why) => format!("the connection to {base} broke off{tried}: {why}; look at the server's log"),
        Failure::Moved(to) => format!("{base} redirects to {to}; set `--base-url` to the address it moved to"),
        Failure::TooLarge => format!("{failure} from {base} was refused; bound the length of answers at the server"),
        Failure::NotJson(_) => {
            format!(
                "{base} gave {failure}{tried}; is it an OpenAI-compatible endpoint, and is `/v1` missing at the end?"
            )
        }
        Failure::NotSent(error) => error.to_string(),
        Failure::Request(why) => format!("the request to {base} could not be sent: {why}"),
        Failure::Status { status, said, .. } => {
            let said = if said.is_empty() { "no explanation" } else { said.as_str() };
            match status {
                401 | 403 => {
                    let variable = &options.key_variable;
                    let remedy = if endpoint.key_withheld() {
                        format!(
                            "the key in {variable} was not sent, because plain http would show it to anyone on the way; use https"
                        )
                    } else if endpoint.has_key() {
                        format!("check the key in the environment variable {variable}")
                    } else {
                        format!("put a key into the environment variable {variable}")
                    };
                    format!("{base} refuses access ({status}: {said}); {remedy}")
                }
                404 => {
                    let slash =
                        if base.ends_with("/v1") { "" } else { ", or is `/v1` missing at the end of the base URL" };
                    format!(
                        "{base} does not know the model `{model}` ({status}: {said}); check the name{slash} (Ollama: \
                         `ollama pull {model}`)"
                    )
                }
                429 if failure.says(NO_CREDIT) => {
                    format!("the account at {base} has no credit left ({said}); add credit or ask another endpoint")
                }
                429 => match failure.asks_to_wait() {
                    Some(wait) if wait > PATIENCE => format!(
                        "{base} limits the rate of requests and asks to wait {} s, longer than the {} s a run waits; \
                         resume it later",
                        wait.as_secs(),
                        PATIENCE.as_secs()
                    ),
                    _ => format!("{base} limits the rate of requests{tried} ({said}); set a rate limit for the run"),
                },
                503 if is_loading(failure) => format!(
                    "{base} still loads its model{tried} ({said}); ask again when it has, or look at the server's log"
                ),
                400 | 422 => format!("{base} refuses the request ({status}: {said})"),
                _ => format!("{base} is in trouble{tried} ({status}: {said}); try later or look at the server's log"),
            }
        }
    }
}
