//! Whether a command checks the work: it runs tests, a compiler or a linter, and its failure is the failure of the
//! command.
//!
//! `pytest -q` and `cd app && make -j4 test` are checks. `ls` is none, and neither is `pytest -q | tail -1`, which
//! succeeds whatever `pytest` says, nor `make -n test`, which runs nothing. Nothing is guessed: a command that is not
//! known to be a check is none.

mod options;
mod programs;
mod reading;
mod sequence;

use attractor_permissions::{Command, Script, Word};

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
        if is_check(text) {
            return Self::Check;
        }
        let script = Script::parse(text);
        let reads = |command: &Command| reading::only_reads(command) || checks(command);
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

/// Whether a text is one or more checks in folders of their own: `cd a && make test && cd b && make test`.
fn is_check(text: &str) -> bool {
    let commands = sequence::commands(text).unwrap_or_default();
    let mut is_last_check = false;
    commands.iter().all(|words| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        is_last_check = programs::is_check(&words);
        is_last_check || matches!(words.as_slice(), ["cd", folder] if !folder.starts_with('-'))
    }) && is_last_check
}

/// Whether a command of a text is a check by itself.
fn checks(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().map(Word::text).collect();
    command.assignments.is_empty() && programs::is_check(&words)
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

    #[track_caller]
    fn none(texts: &[&str]) {
        for text in texts {
            assert_ne!(CommandKind::of(text), CommandKind::Check, "{text}");
        }
    }

    #[test]
    fn a_simple_command_that_fails_where_the_work_does_is_a_check() {
        all(
            CommandKind::Check,
            &[
                "cargo test",
                "cargo +nightly test -p a --lib",
                "cd engine && cargo test --lib 2>&1",
                "RUST_BACKTRACE=1 timeout 60 cargo clippy",
                "cargo check && cargo test",
                "python3 -m pytest -q tests",
                "python3 -u -m unittest -v",
                "PYTHONPATH=src pytest -x --tb=short -p no:cacheprovider tests/test_*.py",
                "python3 test.py",
                "python3 tests/run.py",
                "npm run lint:all",
                "npm test -- --run",
                "make",
                "make -j4 check",
                "make -C app -k V=1 test",
                "uv run pytest",
                "bundle exec rspec",
                "npx tsc --noEmit -p .",
                "gcc -Wall -c a.c -lm",
                "go test -run TestA ./...",
                "mvn -q -Dtest=A test",
                "./gradlew test",
                "sh test.sh",
                "pytest -q > /tmp/out 2>&1",
                "cmake --build build -j 4",
            ],
        );
    }

    #[test]
    fn a_hidden_exit_status_proves_nothing() {
        none(&[
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
            "bash -c 'pytest; true'",
            "echo \"$(pytest)\"",
            "echo pytest",
            "echo 'x' # && pytest",
            "set +e; set -o pipefail; pytest | tail; true",
            "code=3; pytest; exit $code",
            "true || python3 -m unittest bad",
            "exit 0; make test",
            "exec true; pytest",
            "trap 'exit 0' EXIT; python3 -m unittest bad",
            "pytest() { true; }; pytest",
            "alias make=true\nmake test",
            "(pytest; true)",
            "eval 'pytest' || true",
            "pytest $OPTIONS",
            "pytest `echo --help`",
            "pytest *",
            "coproc make test",
            "pytest 'open",
            "",
        ]);
    }

    #[test]
    fn a_check_that_cannot_fail_proves_nothing() {
        none(&[
            "make -n test",
            "make -i test",
            "make test -i",
            "make -t test",
            "make -nk test",
            "make -q test",
            "make --dry test",
            "make --ignore-errors test",
            "make -f /dev/null test",
            "make --eval 'test:;' test",
            "make test SHELL=/bin/true",
            "make test CC=true",
            "make -v",
            "python3 -m unittest --help",
            "python3 -m unittest --hel",
            "python3 -O test.py",
            "python3 -c 'import unittest'",
            "pytest --version",
            "pytest --collect-only",
            "pytest --co",
            "pytest -h",
            "pytest -qh",
            "python3 -m pytest --fixtures",
            "cargo test --no-run",
            "cargo test --help",
            "cargo test -- --list",
            "cargo run -- test",
            "cargo --list test",
            "npm test --if-present",
            "npm install test",
            "npm ci",
            "npx jest --passWithNoTests",
            "go test -list . ./...",
            "go test -n ./...",
            "mvn -DskipTests verify",
            "mvn -fn test",
            "gradle build -x test",
            "node --check test.js",
            "bash -n test.sh",
            "gcc --version",
            "gcc -E a.c",
            "just",
            "ninja -n",
            "pylint --exit-zero a.py",
            "cmake --build build --target help",
            "test -f a.txt",
            "[ -f a.txt ]",
            "grep -q done log",
            "git diff --check",
            "diff a a",
        ]);
    }

    #[test]
    fn another_tool_by_the_same_name_proves_nothing() {
        none(&[
            "PATH=.:$PATH pytest",
            "PATH=. pytest",
            "SHELL=/bin/true make test",
            "MAKEFLAGS=-n make test",
            "PYTEST_ADDOPTS=--co pytest",
            "RUSTC_WRAPPER=true cargo test",
            "env -i /bin/true make test",
            "nohup make -i test",
            "command make -n test",
            "timeout -k 1 5 true make test",
            "xargs make test",
            "python3 -m unittest > test_a.py",
            "make test > /tmp/../Makefile",
        ]);
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
