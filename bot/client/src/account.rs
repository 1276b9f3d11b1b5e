//! Accounts for joining: `offline:NAME` or `microsoft:EMAIL`.

use std::fmt;
use std::str::FromStr;

use azalea::account::Account as AzaleaAccount;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::erased::erased;
use super::error::JoinError;

/// The maximum length of a player name in the game.
const MAX_NAME: usize = 16;

/// An account for joining a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// A bare name, for servers in offline mode.
    Offline {
        /// The player's name.
        name: String,
    },
    /// A Microsoft account that owns the game. The first login asks for a code in a browser; the session is then stored
    /// where the game stores its own.
    Microsoft {
        /// The account's e-mail address, which distinguishes stored sessions.
        email: String,
    },
}

impl Default for Account {
    fn default() -> Self {
        Self::Offline { name: "ltlcrit".to_owned() }
    }
}

impl Account {
    /// An offline account.
    pub fn offline(name: impl Into<String>) -> Self {
        Self::Offline { name: name.into() }
    }

    /// Returns whether a server in online mode would refuse it.
    pub fn is_offline(&self) -> bool {
        matches!(self, Self::Offline { .. })
    }

    /// Opens azalea's account. A Microsoft account may need a person to log in.
    pub(super) async fn open(&self) -> Result<AzaleaAccount, JoinError> {
        match self {
            Self::Offline { name } => Ok(AzaleaAccount::offline(name)),
            Self::Microsoft { email } => erased(AzaleaAccount::microsoft(email))
                .await
                .map_err(|error| JoinError::Account { email: email.clone(), reason: error.to_string() }),
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offline { name } => write!(f, "offline:{name}"),
            Self::Microsoft { email } => write!(f, "microsoft:{email}"),
        }
    }
}

/// A text that is not an account.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AccountError {
    /// The kind of account is unknown.
    #[error("`{0}` is not an account: write `offline:NAME` or `microsoft:EMAIL`")]
    Kind(String),
    /// The player name is invalid.
    #[error("`{0}` is not a player name: write 1 to 16 letters, digits and underscores")]
    Name(String),
    /// The e-mail address is invalid.
    #[error("`{0}` is not an e-mail address: write NAME@HOST")]
    Email(String),
}

impl FromStr for Account {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            Some(("offline", name)) => {
                let fits = (1..=MAX_NAME).contains(&name.len());
                if !fits || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                    return Err(AccountError::Name(name.to_owned()));
                }
                Ok(Self::offline(name))
            }
            Some(("microsoft", email)) => match email.split_once('@') {
                Some((user, host)) if !user.is_empty() && !host.is_empty() => {
                    Ok(Self::Microsoft { email: email.to_owned() })
                }
                _ => Err(AccountError::Email(email.to_owned())),
            },
            _ => Err(AccountError::Kind(text.to_owned())),
        }
    }
}

impl Serialize for Account {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Account {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in ["offline:ltlcrit", "offline:A_1", "microsoft:someone@example.com"] {
            assert_eq!(text.parse::<Account>().unwrap().to_string(), text);
        }
        assert_eq!(Account::default().to_string().parse(), Ok(Account::default()));
    }

    #[test]
    fn refuses_what_no_server_would_take() {
        let error = |text: &str| text.parse::<Account>().unwrap_err();
        assert_eq!(error("steve"), AccountError::Kind("steve".to_owned()));
        assert_eq!(error("mojang:steve"), AccountError::Kind("mojang:steve".to_owned()));
        for name in ["", "seventeen_letters", "two words", "semi;colon", "ümlaut"] {
            assert_eq!(error(&format!("offline:{name}")), AccountError::Name(name.to_owned()));
        }
        for email in ["", "someone", "@example.com", "someone@"] {
            assert_eq!(error(&format!("microsoft:{email}")), AccountError::Email(email.to_owned()));
        }
    }
}
