//! Whether a command checks the work: it runs tests, a compiler or a linter, and its failure is the failure of the
//! command.
//!
//! `pytest -q` is a check. `ls` is none, and neither is `pytest -q | tail -1`, which succeeds whatever `pytest` says.
//! Nothing is guessed: a command that is not known to be a check is none.

mod exit_status;
mod programs;
mod reading;

use attractor_permissions::{Command, Script};

/// What a shell text says about the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandKind {
    /// It checks, and fails where the check fails.
    Check,
    /// It only looks at files.
    Reads,
    /// It may have changed files.
    MayWrite,
}

impl CommandKind {
    /// What a shell text is.
    pub(crate) fn of(text: &str) -> Self {
        let deciding = exit_status::deciding(text);
        if deciding.iter().any(|command| is_check(command)) {
            return Self::Check;
        }
        let script = Script::parse(text);
        let reads = |command: &Command| reading::only_reads(command) || programs::is_check(command);
        if script.unclear.is_none()
            && script.writes.iter().all(reading::is_outside)
            && script.commands.iter().all(reads)
        {
            Self::Reads
        } else {
            Self::MayWrite
        }
    }
}

/// Whether a simple command is a check.
fn is_check(text: &str) -> bool {
    let commands = Script::parse(text).commands;
    // Those of substitutions precede it.
    commands.last().is_some_and(programs::is_check)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn all(kind: CommandKind, texts: &[&str]) {
        for text in texts {
            assert_eq!(CommandKind::of(text), kind, "{text}");
        }
    }

    #[test]
    fn a_check_decides_about_the_exit_status() {
        all(
            CommandKind::Check,
            &[
                "cargo test",
                "cd engine && cargo test --lib 2>&1",
                "RUST_BACKTRACE=1 timeout 60 cargo clippy",
                "python3 -m pytest -q tests",
                "python3 test.py",
                "python3 tests/run.py",
                "npm run lint:all",
                "make",
                "make -j4 check",
                "uv run pytest",
                "./gradlew test",
                "bash -c 'cd x && make test'",
                "(cd x; make test)",
                "ls; make test",
                "set -o pipefail; pytest | tail -1",
                "set -euo pipefail\npytest | tail -1\necho fine",
                "set -e\npytest\nls",
                "make test || exit 1",
                "pytest > log 2>&1; code=$?; tail log; exit $code",
                "diff -u a b",
                "git diff --exit-code",
                "test -f out.txt",
                "grep -q done log",
                "python3 - <<END && pytest\nprint(1) | x\nEND",
            ],
        );
    }

    #[test]
    fn a_hidden_exit_status_proves_nothing() {
        for text in [
            "python3 test.py | tail -1",
            "cargo test || true",
            "cargo test; true",
            "cargo test; echo $?",
            "cargo test\nls",
            "cargo test &",
            "! cargo test",
            "if cargo test; then echo ok; fi",
            "for x in a b; do cargo test; done",
            "pytest && echo ok || echo failed",
            "set -e; pytest && ls; ls",
            "bash -c 'pytest | tail'",
            "echo \"$(pytest)\"",
            "echo pytest",
            "echo 'x' # && pytest",
            "set +e; set -o pipefail; pytest | tail; true",
            "code=3; pytest; exit $code",
        ] {
            assert_ne!(CommandKind::of(text), CommandKind::Check, "{text}");
        }
    }

    #[test]
    fn looking_at_files_changes_none() {
        all(
            CommandKind::Reads,
            &[
                "ls -l",
                "echo hi",
                "git diff",
                "git log --oneline | head -3",
                "grep -rn main src | sort | uniq -c",
                "sed -n 1,20p a.rs",
                "cat a 2>/dev/null; pwd",
                "pytest | tail -1",
            ],
        );
        all(
            CommandKind::MayWrite,
            &[
                "sed -i s/a/b/ x",
                "echo hi > a",
                "rm a",
                "find . -name x -delete",
                "python3 main.py",
                "make clean",
                "npm run format",
                "cargo fmt",
                "git checkout -- a",
                "$UNKNOWN",
            ],
        );
    }
}
