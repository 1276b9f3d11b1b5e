//! The address and the key of an endpoint. The key does not leave this module.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use async_openai::config::Config;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

use super::scrub::Scrubber;

/// OpenAI's own endpoint.
pub const OPENAI_BASE_URL: &str = "https://api.openai.com/v1";

/// Address, key, timeout and retries of an endpoint.
#[derive(Clone, Debug)]
pub struct OpenAiOptions {
    /// The URL before `/chat/completions`, such as `http://localhost:11434/v1`.
    pub base_url: String,
    /// The environment variable with the key.
    pub key_variable: String,
    /// The settings among these two that the user did not confirm.
    pub unconfirmed: Unconfirmed,
    /// The maximum time of one attempt, from connecting to the last byte. One second is added for every 20 tokens of
    /// the answer.
    pub timeout: Duration,
    /// The number of retries of a failed attempt; with 0 there is no wait, not even for a loading model.
    pub retries: usize,
    /// The wait before the first retry. It doubles with each retry, up to 30 seconds, plus jitter.
    pub first_delay: Duration,
    /// The seed of the jitter.
    pub seed: u64,
}

impl Default for OpenAiOptions {
    fn default() -> Self {
        Self {
            base_url: OPENAI_BASE_URL.to_owned(),
            key_variable: "OPENAI_API_KEY".to_owned(),
            unconfirmed: Unconfirmed::default(),
            timeout: Duration::from_secs(120),
            retries: 5,
            first_delay: Duration::from_millis(500),
            seed: 0,
        }
    }
}

/// The reason why an endpoint cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpenAiError {
    /// The base URL cannot be used.
    #[error("the base URL {url} cannot be used: {why}; write one such as http://localhost:11434/v1")]
    BaseUrl {
        /// The given URL, without a password.
        url: String,
        /// The problem.
        why: String,
    },
    /// OpenAI needs a key.
    #[error(
        "{host} needs a key: put it into the environment variable {variable}, or ask a local endpoint with `--base-url` \
         (Ollama: http://localhost:11434/v1)"
    )]
    MissingKey {
        /// The endpoint's host.
        host: String,
        /// The environment variable.
        variable: String,
    },
    /// The value is not a key.
    #[error("the environment variable {variable} holds no usable key: {why}")]
    BadKey {
        /// The environment variable.
        variable: String,
        /// The problem, without the key.
        why: &'static str,
    },
    /// A key would go to an endpoint that the user did not confirm.
    #[error("the key in {variable} would be sent to {url}, which the user has not confirmed")]
    Unconfirmed {
        /// The endpoint.
        url: String,
        /// The environment variable.
        variable: String,
    },
    /// The HTTP client cannot be set up.
    #[error(
        "the HTTP client cannot be set up: {0}; https needs the system's root certificates (package `ca-certificates`)"
    )]
    Client(String),
}

/// The settings from a file that somebody else may have written. An unconfirmed endpoint gets no key unless it is on
/// this machine. An unconfirmed variable is not used as a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unconfirmed {
    /// True if the endpoint is unconfirmed.
    pub base_url: bool,
    /// True if the environment variable with the key is unconfirmed.
    pub key_variable: bool,
}

/// The endpoint of the requests, and the variable of the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The endpoint.
    pub base_url: String,
    /// The environment variable whose value is sent as the key; `None` if no key is sent.
    pub key_variable: Option<String>,
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key_variable {
            Some(variable) => write!(f, "{} with the key in {variable}", self.base_url),
            None => write!(f, "{} with no key", self.base_url),
        }
    }
}

/// An endpoint and its key.
pub(super) struct Endpoint {
    base: Url,
    key: Option<SecretString>,
    variable: String,
    /// True if the key is withheld because the connection is not encrypted.
    withheld: bool,
    no_key: SecretString,
}

impl Endpoint {
    pub(super) fn new(options: &OpenAiOptions, key: Option<OsString>) -> Result<Self, OpenAiError> {
        let variable = options.key_variable.clone();
        let base = read_base(&options.base_url)?;
        let key = read_key(&variable, key)?;
        let mut endpoint = Self { base, key, variable, withheld: false, no_key: SecretString::default() };
        if endpoint.key.is_none() && endpoint.is_openai() {
            return Err(OpenAiError::MissingKey { host: endpoint.host().to_owned(), variable: endpoint.variable });
        }
        if !endpoint.is_encrypted() && !endpoint.is_local() {
            // The connection is not encrypted.
            endpoint.withheld = endpoint.key.take().is_some();
        }
        let Unconfirmed { base_url, key_variable } = options.unconfirmed;
        if endpoint.has_key() && (key_variable || base_url && !endpoint.is_local()) {
            let url = endpoint.api_base().to_owned();
            return Err(OpenAiError::Unconfirmed { url, variable: endpoint.variable });
        }
        Ok(endpoint)
    }

    pub(super) fn recipient(&self) -> Recipient {
        let key_variable = self.has_key().then(|| self.variable.clone());
        Recipient { base_url: self.api_base().to_owned(), key_variable }
    }

    pub(super) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    pub(super) fn is_openai(&self) -> bool {
        self.host() == "api.openai.com"
    }

    /// Returns whether the endpoint is on this machine.
    pub(super) fn is_local(&self) -> bool {
        let host = self.host().trim_matches(['[', ']']);
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.base.scheme() == "https"
    }

    pub(super) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    pub(super) fn key_withheld(&self) -> bool {
        self.withheld
    }

    /// Returns a scrubber of the key for texts of the server.
    pub(super) fn scrubber(&self) -> Scrubber {
        Scrubber::new(self.key.clone())
    }
}

fn read_base(text: &str) -> Result<Url, OpenAiError> {
    let bad = |url: String, why: String| OpenAiError::BaseUrl { url, why };
    let trimmed = text.trim().trim_end_matches('/');
    let url = Url::parse(trimmed).map_err(|error| {
        // A text that is not a URL may still contain a password.
        let shown = trimmed.rsplit('@').next().unwrap_or_default();
        bad(format!("`{}`", super::super::answer::cut(shown, 200)), error.to_string())
    })?;
    let why = if !url.username().is_empty() || url.password().is_some() {
        "it holds a name or password; keys come from the environment"
    } else if url.query().is_some() || url.fragment().is_some() {
        "it has a query or fragment"
    } else if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(bad(format!("`{url}`"), "it must begin with http:// or https:// and name a host".to_owned()));
    } else {
        return Ok(url);
    };
    Err(bad(format!("of {}", url.host_str().unwrap_or_default()), why.to_owned()))
}

fn read_key(variable: &str, key: Option<OsString>) -> Result<Option<SecretString>, OpenAiError> {
    let bad = |why: &'static str| OpenAiError::BadKey { variable: variable.to_owned(), why };
    let Some(key) = key else { return Ok(None) };
    let key = key.into_string().map_err(|_| bad("it is not text"))?;
    let key = key.trim();
    if key.is_empty() {
        return Ok(None);
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(bad("a key has no spaces, line breaks or accents"));
    }
    Ok(Some(SecretString::from(key)))
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.key
            && let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret()))
        {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        headers
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.api_base())
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    fn api_key(&self) -> &SecretString {
        self.key.as_ref().unwrap_or(&self.no_key)
    }
}
