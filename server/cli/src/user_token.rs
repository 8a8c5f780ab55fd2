//! The token of this user's servers, for those who connect to them.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use attractor_client::token_file;
use attractor_http::Token;

/// The token of this user's servers: kept in a file that only the user reads.
pub fn user_token() -> io::Result<Token> {
    let path =
        token_file().ok_or_else(|| io::Error::other("the environment has no home directory"))?;
    kept_in(&path).map_err(|cause| {
        io::Error::new(
            cause.kind(),
            format!(
                "cannot use {}, where the token of the server is kept: {cause}; make its folder writable, or set \
                 XDG_STATE_HOME to one that is",
                path.display()
            ),
        )
    })
}

fn kept_in(path: &Path) -> io::Result<Token> {
    let folder = path.parent().unwrap_or(path);
    match fs::read_to_string(path) {
        Ok(text) if text.trim().len() >= 64 => return Ok(Token::of(text.trim())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let token = Token::generate()?;
    fs::create_dir_all(folder)?;
    // Readable by the user only (mode 0600) from its first byte.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{}", token.as_str())?;
    file.persist(path)?;
    Ok(token)
}
