//! Credentials for a proxy.

use std::fmt;

/// A user name and password for a proxy.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct UserKey {
    /// The user's name.
    pub username: String,
    /// The user's password.
    pub password: String,
}

impl UserKey {
    /// A user with this name and password.
    pub fn new(username: impl Into<String>, password: impl Into<String>) -> Self {
        Self { username: username.into(), password: password.into() }
    }
}

/// `user:password`, as in a URL: azalea builds the proxy's URL from it.
impl fmt::Display for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.username, self.password)
    }
}

/// Passwords do not belong in a log.
impl fmt::Debug for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserKey").field("username", &self.username).finish_non_exhaustive()
    }
}
