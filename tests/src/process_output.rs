//! The result of a process: its exit code and output.

use std::fmt;
use std::process::Output;

use serde_json::Value;

/// The exit code and output of a process.
#[derive(Clone, Debug)]
pub struct ProcessOutput {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl ProcessOutput {
    /// Reads the output; fails the test when the program panicked.
    pub fn new(output: &Output) -> Self {
        let read = Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        for sign in ["panicked at", "stack overflow", "RUST_BACKTRACE"] {
            assert!(!read.stderr.contains(sign), "the program panicked:\n{read}");
        }
        read
    }

    /// Standard output as one JSON value.
    pub fn json(&self) -> Value {
        match serde_json::from_str(&self.stdout) {
            Ok(value) => value,
            Err(error) => unreachable!("standard output is not JSON ({error}):\n{self}"),
        }
    }

    /// Standard output as one JSON value per line.
    pub fn json_lines(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| match serde_json::from_str(line) {
                Ok(value) => value,
                Err(error) => unreachable!("not JSON ({error}): {line}"),
            })
            .collect()
    }

    /// The same, if it ended with this exit code.
    #[expect(clippy::return_self_not_must_use, reason = "the check is the point")]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }
}

impl fmt::Display for ProcessOutput {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        write!(
            out,
            "exit code {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
        )
    }
}
