//! The endpoint and key variable that the user confirmed; no other endpoint gets a key.

use ltlcrit_model::openai::Unconfirmed;

use super::{File, ModelConfig};
use crate::user_error::UserError;

/// The endpoint and the key variable from all sources other than the project file. A file that comes with a project or
/// a stored run must not send the user's keys anywhere. A confirmation is not stored, so it holds for one run only.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    base_url: String,
    key_env: String,
    /// The places that may name another endpoint and another key variable, such as `ltlcrit.toml:3:12`.
    named: (String, String),
    /// The section of these settings, and of the flags that confirm them: `model` or `critic`.
    section: &'static str,
}

impl Confirmed {
    /// Creates the confirmation by defaults, the user's own file, the environment and flags.
    pub fn new(base_url: String, key_env: String) -> Self {
        Self { base_url, key_env, named: Default::default(), section: "model" }
    }

    /// Applies the same confirmation to the critics, in `[critic]`.
    pub(super) fn of_critic(self) -> Self {
        Self { section: "critic", ..self }
    }

    /// Adds a project file, which may name other settings. Settings that `[critic]` lacks are named in `[model]`.
    pub(super) fn against(mut self, file: &File) -> Self {
        let section = |key| if file.has(&[self.section, key]) { self.section } else { "model" };
        let place = |key| file.place(&[section(key), key]);
        self.named = (place("base_url"), place("key_env"));
        self
    }

    /// Adds a stored configuration, which may name other settings.
    pub fn against_stored(mut self, run: &str) -> Self {
        self.named = (run.to_owned(), run.to_owned());
        self
    }
}

impl ModelConfig {
    /// Returns which settings the user did not confirm.
    pub fn unconfirmed(&self) -> Unconfirmed {
        Unconfirmed {
            base_url: self.base_url != self.confirmed.base_url,
            key_variable: self.key_env != self.confirmed.key_env,
        }
    }

    /// Returns the error of sending a key to an endpoint when one or both are not confirmed.
    pub fn refusal(&self, url: &str, variable: &str) -> UserError {
        let Confirmed { base_url, key_env, named, section } = &self.confirmed;
        let unconfirmed = self.unconfirmed();
        let others = [
            (unconfirmed.base_url, &named.0, "base_url", &self.base_url, base_url),
            (unconfirmed.key_variable, &named.1, "key_env", &self.key_env, key_env),
        ];
        let others: Vec<_> = others.into_iter().filter(|other| other.0).collect();
        let message = format!(
            "the key in {variable} is not sent to {url}: you have not said so, only a file that may be somebody else's"
        );
        let mut error = UserError::new(message);
        if let Some((_, place, ..)) = others.first() {
            error = error.at(place.as_str());
        }
        for (_, place, key, value, own) in others {
            error = error.detail(format!("{place}: `{key}` is `{value}`, by your own settings it is `{own}`"));
        }
        let prefix = if *section == "model" { "--" } else { "--critic-" };
        error.help(format!(
            "if you want this, say so: {prefix}base-url {} {prefix}key-env {variable}\n\
             or set both under [{section}] in your own configuration file, {}",
            shell_word(url),
            super::USER_FILE
        ))
    }
}

/// Quotes a URL for a shell if necessary.
fn shell_word(url: &str) -> String {
    if url.chars().all(|c| c.is_ascii_alphanumeric() || ":/._-%".contains(c)) {
        url.to_owned()
    } else {
        format!("'{}'", url.replace('\'', "%27"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_type_is_one_word_to_a_shell() {
        assert_eq!(shell_word("http://127.0.0.1:8000/v1"), "http://127.0.0.1:8000/v1");
        assert_eq!(shell_word("http://[::1]/v1"), "'http://[::1]/v1'");
        assert_eq!(shell_word("http://x/$(rm)';b"), "'http://x/$(rm)%27;b'");
    }

    #[test]
    fn a_stored_configuration_confirms_nothing_but_the_defaults() {
        let mut config = ModelConfig::default();
        assert_eq!(config.unconfirmed(), Unconfirmed::default());
        config.base_url = "https://models.example/v1".to_owned();
        config.confirmed = Confirmed::new(config.base_url.clone(), config.key_env.clone());
        assert_eq!(config.unconfirmed(), Unconfirmed::default());
        let stored: ModelConfig = serde_json::from_value(serde_json::to_value(&config).unwrap()).unwrap();
        assert_eq!(stored.unconfirmed(), Unconfirmed { base_url: true, key_variable: false });
    }
}
