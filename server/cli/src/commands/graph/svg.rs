//! `graph --format svg`: a picture, drawn by Graphviz' own program.
//!
//! It is given the resolved DOT of [`super::dot`], never the text of the file, which Graphviz may reject.

use std::io::{ErrorKind, Seek, Write};
use std::process::{Command, Stdio};

use crate::console;
use crate::error::Error;

/// What `dot` draws of one graph.
pub fn draw(text: &str) -> Result<String, Error> {
    // Through a file: writing to a program that writes back may block.
    let written = || -> std::io::Result<std::fs::File> {
        let mut file = tempfile::tempfile()?;
        file.write_all(text.as_bytes())?;
        file.rewind()?;
        Ok(file)
    };
    let input = written().map_err(|cause| Error::unwritable("a temporary file", cause))?;
    let drawn = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::from(input))
        .output()
        .map_err(|cause| match cause.kind() {
            ErrorKind::NotFound => Error::NoGraphviz,
            _ => Error::GraphvizFailed {
                reason: cause.to_string(),
            },
        })?;
    let message = String::from_utf8_lossy(&drawn.stderr);
    let message = console::plain(message.trim());
    if !drawn.status.success() {
        return Err(Error::GraphvizFailed {
            reason: message.into_owned(),
        });
    }
    if !message.is_empty() {
        console::remark(&message);
    }
    Ok(String::from_utf8_lossy(&drawn.stdout).into_owned())
}
