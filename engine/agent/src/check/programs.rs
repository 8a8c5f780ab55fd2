//! Programs that check, and what makes their run a check.

use attractor_permissions::{Command, Script, Word};

/// What a program has to be called with to be a check.
enum When {
    /// Without a target, or with one whose name says so.
    Target,
    /// With a task whose name says so.
    Task,
    /// With one of these arguments.
    With(&'static [&'static str]),
    /// With a file whose name says so.
    File,
    /// What it runs is a check: the arguments after so many words.
    Runs(usize),
}

/// Parts of names that say that something is a check.
const NAMES: &[&str] = &[
    "all",
    "build",
    "check",
    "checks",
    "ci",
    "clippy",
    "compile",
    "e2e",
    "lint",
    "spec",
    "specs",
    "test",
    "tests",
    "typecheck",
    "types",
    "validate",
    "verify",
    "vet",
];

const ALWAYS: &[&str] = &[
    "[",
    "[[",
    "ava",
    "basedpyright",
    "bats",
    "behave",
    "busted",
    "c++",
    "cc",
    "clang",
    "clang++",
    "clang-tidy",
    "cmp",
    "cppcheck",
    "ctest",
    "cypress",
    "detekt",
    "diff",
    "eslint",
    "flake8",
    "g++",
    "gcc",
    "ghc",
    "golangci-lint",
    "hadolint",
    "javac",
    "jest",
    "kotlinc",
    "ktlint",
    "luacheck",
    "mocha",
    "mypy",
    "nose2",
    "nox",
    "oxlint",
    "pest",
    "phpstan",
    "phpunit",
    "py.test",
    "pylint",
    "pyright",
    "pytest",
    "rspec",
    "rubocop",
    "rustc",
    "shellcheck",
    "staticcheck",
    "stylelint",
    "swiftlint",
    "test",
    "tox",
    "tsc",
    "vitest",
    "yamllint",
];

const OTHERS: &[(&str, When)] = &[
    ("ant", When::Target),
    ("bash", When::File),
    ("bazel", When::Task),
    ("biome", When::With(&["check", "ci", "lint"])),
    ("bun", When::Task),
    ("bundle", When::Runs(1)),
    ("bunx", When::Runs(0)),
    (
        "cargo",
        When::With(&[
            "b", "bench", "build", "c", "check", "clippy", "nextest", "t", "test",
        ]),
    ),
    ("cmake", When::With(&["--build"])),
    ("composer", When::Task),
    ("dart", When::With(&["analyze", "test"])),
    ("deno", When::With(&["check", "lint", "test"])),
    ("dotnet", When::With(&["build", "test"])),
    ("dune", When::With(&["build", "runtest", "test"])),
    ("flutter", When::With(&["analyze", "build", "test"])),
    ("gmake", When::Target),
    ("go", When::With(&["build", "test", "vet"])),
    ("gradle", When::Task),
    ("gradlew", When::Task),
    (
        "grep",
        When::With(&["-q", "--quiet", "-Eq", "-Fq", "-qE", "-qF", "-rq", "-qr"]),
    ),
    ("hatch", When::Task),
    ("just", When::Target),
    ("lein", When::Task),
    ("make", When::Target),
    ("mix", When::With(&["compile", "credo", "dialyzer", "test"])),
    ("mvn", When::Task),
    ("mvnw", When::Task),
    ("ninja", When::Target),
    ("node", When::File),
    ("npm", When::Task),
    ("npx", When::Runs(0)),
    ("perl", When::File),
    ("php", When::File),
    ("pipenv", When::Runs(1)),
    ("playwright", When::With(&["test"])),
    ("pnpm", When::Task),
    ("poetry", When::Runs(1)),
    ("rake", When::Target),
    ("ruby", When::File),
    ("ruff", When::With(&["check"])),
    ("sbt", When::Task),
    ("sh", When::File),
    ("swift", When::With(&["build", "test"])),
    ("task", When::Target),
    ("turbo", When::Task),
    ("uv", When::Runs(1)),
    ("uvx", When::Runs(0)),
    ("yarn", When::Task),
    ("zig", When::With(&["build", "test"])),
];

/// Options of `git diff` that make it fail where there is a difference.
const DIFF_STATUS: &[&str] = &["--check", "--exit-code", "--quiet"];

/// Modules that `python -m` runs as checks.
const PYTHON_MODULES: &[&str] = &[
    "compileall",
    "doctest",
    "flake8",
    "mypy",
    "nose2",
    "nox",
    "py_compile",
    "pylint",
    "pyright",
    "pytest",
    "ruff",
    "tox",
    "unittest",
];

/// Whether a command is a check.
pub(super) fn is_check(command: &Command) -> bool {
    // The program itself, without `env`, `timeout` and their like; the last variant may lack its folder.
    let variants = command.variants();
    let innermost = match variants.as_slice() {
        [.., with_folder, last] if with_folder.ends_with(&format!("/{last}")) => with_folder,
        [.., last] => last,
        [] => return false,
    };
    let script = Script::parse(innermost);
    let words = script.commands.last().map(|command| &command.words);
    let words: Vec<&str> = words.into_iter().flatten().map(Word::text).collect();
    let [program, arguments @ ..] = words.as_slice() else {
        return false;
    };
    is_check_program(program, arguments)
}

fn is_check_program(program: &str, arguments: &[&str]) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    if ALWAYS.contains(&name) {
        return !arguments
            .iter()
            .any(|one| matches!(*one, "--version" | "--help"));
    }
    if name.starts_with("python") {
        return is_python_check(arguments);
    }
    if name == "git" {
        return arguments.contains(&"diff")
            && arguments.iter().any(|one| DIFF_STATUS.contains(one));
    }
    let known = OTHERS.iter().find(|(known, _)| *known == name);
    let Some((_, when)) = known else {
        // A program of the project.
        return program.contains('/') && says_check(program);
    };
    let mut operands = arguments.iter().filter(|one| !one.starts_with('-'));
    match when {
        When::With(words) => arguments.iter().any(|one| words.contains(one)),
        When::Task => operands.any(|one| says_check(one)),
        When::Target => {
            let mut targets = operands.filter(|one| !one.contains('=')).peekable();
            targets.peek().is_none() || targets.any(|one| says_check(one))
        }
        When::File => operands.next().is_some_and(|file| says_check(file)),
        When::Runs(skipped) => match arguments.get(*skipped..) {
            Some([program, arguments @ ..]) => is_check_program(program, arguments),
            _ => false,
        },
    }
}

fn is_python_check(arguments: &[&str]) -> bool {
    match arguments {
        ["-m", module, ..] => PYTHON_MODULES.contains(module),
        ["-c" | "-", ..] | [] => false,
        [option, rest @ ..] if option.starts_with('-') => is_python_check(rest),
        [file, ..] => says_check(file),
    }
}

/// Whether a name has a part that says that it checks: `test`, `check-all`, `lint:css`, `tests/run.py`, `test_a.py`.
fn says_check(name: &str) -> bool {
    let mut parts = name.split(|one: char| !one.is_ascii_alphanumeric());
    parts.any(|part| NAMES.contains(&part.to_ascii_lowercase().as_str()))
}
