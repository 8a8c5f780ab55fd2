//! The token of a server: from the caller, the environment, or, for servers of this machine, the file that they keep.

use std::fmt;
use std::path::PathBuf;

use attractor_exec::secret_environment;

use crate::address::ServerAddress;
use crate::error::TOKEN_VARIABLE;

/// The file of the token in the user's state folder.
const TOKEN_FILE: &str = "serve-token";

/// A token. It is shown nowhere.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// The token for a server: the given one, else that of the environment, else, on this machine, that of the file.
    pub(crate) fn find(given: Option<String>, server: &ServerAddress) -> Option<Self> {
        // The token of this machine's servers is for them only.
        let kept = || server.is_local().then(kept_token).flatten();
        let token = given.or_else(|| secret_environment::variable(TOKEN_VARIABLE));
        token.or_else(kept).map(Self)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Where this user's servers keep their token; `None` in an environment without a home directory.
pub fn token_file() -> Option<PathBuf> {
    Some(attractor_config::state_folder()?.join(TOKEN_FILE))
}

/// The token of this user's servers, if one has been made.
fn kept_token() -> Option<String> {
    let text = std::fs::read_to_string(token_file()?).ok()?;
    Some(text.trim().to_owned())
}
