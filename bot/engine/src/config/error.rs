//! Errors of the configuration.

use thiserror::Error;

use crate::toml_error::TomlError;

/// Why a configuration cannot be used, with place and advice.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct ConfigError {
    /// One sentence, in lower case and without a full stop.
    pub message: String,
    /// The place of the error: `ltlcrit.toml:3:12`.
    pub place: Option<String>,
    /// Further blocks of text, such as the line with a caret.
    pub details: Vec<String>,
    /// Advice on the correction.
    pub help: Option<String>,
}

impl ConfigError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, details: Vec::new(), help: None }
    }

    pub(super) fn at(self, place: impl Into<String>) -> Self {
        Self { place: Some(place.into()), ..self }
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.details.push(detail.into());
        self
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl From<TomlError> for ConfigError {
    fn from(error: TomlError) -> Self {
        Self {
            message: format!("the configuration is wrong: {}", error.message),
            place: Some(error.place),
            details: error.excerpt.into_iter().collect(),
            help: Some(match error.meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "`ltlcrit config show --defaults` documents every key and its form".to_owned(),
            }),
        }
    }
}
