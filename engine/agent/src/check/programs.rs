//! Programs that check, and what makes their run a check.

use super::options;

/// What a program has to be called with to be a check.
enum When {
    /// Without a target, or with one whose name says so.
    Target,
    /// With a task whose name says so.
    Task,
    /// With `run` and a script whose name says so, or with its name alone.
    Script,
    /// With one of these as its first operand.
    With(&'static [&'static str]),
    /// With a file as its first argument whose name says so.
    File,
    /// After these words, with a program that is a check.
    Runs(&'static [&'static str]),
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
    "cppcheck",
    "ctest",
    "cypress",
    "detekt",
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
    "tox",
    "tsc",
    "vitest",
    "yamllint",
];

const OTHERS: &[(&str, When)] = &[
    ("ant", When::Target),
    ("bash", When::File),
    ("bazel", When::With(&["build", "test"])),
    ("biome", When::With(&["check", "ci", "lint"])),
    ("bun", When::Script),
    ("bundle", When::Runs(&["exec"])),
    ("bunx", When::Runs(&[])),
    (
        "cargo",
        When::With(&["b", "bench", "build", "c", "check", "clippy", "t", "test"]),
    ),
    ("cmake", When::With(&["--build"])),
    ("composer", When::Script),
    ("dart", When::With(&["analyze", "test"])),
    ("deno", When::With(&["check", "lint", "test"])),
    ("dotnet", When::With(&["build", "test"])),
    ("dune", When::With(&["build", "runtest", "test"])),
    ("flutter", When::With(&["analyze", "build", "test"])),
    ("gmake", When::Target),
    ("go", When::With(&["build", "test", "vet"])),
    ("gradle", When::Task),
    ("gradlew", When::Task),
    ("hatch", When::Script),
    ("just", When::Task),
    ("lein", When::With(&["check", "test"])),
    ("make", When::Target),
    ("mix", When::With(&["compile", "credo", "dialyzer", "test"])),
    ("mvn", When::Task),
    ("mvnw", When::Task),
    ("ninja", When::Target),
    ("node", When::File),
    ("npm", When::Script),
    ("npx", When::Runs(&[])),
    ("perl", When::File),
    ("php", When::File),
    ("pipenv", When::Runs(&["run"])),
    ("playwright", When::With(&["test"])),
    ("pnpm", When::Script),
    ("poetry", When::Runs(&["run"])),
    ("rake", When::Target),
    ("ruby", When::File),
    ("ruff", When::With(&["check"])),
    ("sbt", When::Task),
    ("sh", When::File),
    ("swift", When::With(&["build", "test"])),
    ("task", When::Task),
    ("turbo", When::Script),
    ("uv", When::Runs(&["run"])),
    ("uvx", When::Runs(&[])),
    ("yarn", When::Script),
    ("zig", When::With(&["build", "test"])),
];

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
    "tox",
    "unittest",
];

/// Options of `python` that leave a check a check. `-O` removes assertions.
const PYTHON_OPTIONS: &[&str] = &["-B", "-E", "-I", "-b", "-bb", "-s", "-u"];

/// Whether a command is a check that fails where the work does.
pub(super) fn is_check(words: &[&str]) -> bool {
    match words {
        [assignment, rest @ ..] if let Some((name, _)) = assignment.split_once('=') => {
            options::is_harmless_assignment(name) && is_check(rest)
        }
        ["timeout", limit, rest @ ..] => is_duration(limit) && is_check(rest),
        [program, arguments @ ..] => is_check_program(program, arguments),
        [] => false,
    }
}

/// `60`, `0.5`, `2m`
fn is_duration(text: &str) -> bool {
    let number = text.trim_end_matches(['s', 'm', 'h', 'd']);
    number.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_check_program(program: &str, arguments: &[&str]) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    if !options::may_fail(name, arguments) {
        return false;
    }
    if ALWAYS.contains(&name) {
        return true;
    }
    if name.starts_with("python") {
        return is_python_check(arguments);
    }
    let known = OTHERS.iter().find(|(known, _)| *known == name);
    let Some((_, when)) = known else {
        // A program of the project.
        return program.contains('/') && says_check(program);
    };
    let mut operands = arguments
        .iter()
        .filter(|one| !one.starts_with(['-', '+']) || **one == "--build");
    match when {
        When::With(words) => operands.next().is_some_and(|one| words.contains(one)),
        When::Task => operands.any(|one| says_check(one)),
        When::Script => match arguments {
            // `npm ci` installs.
            ["ci", ..] | [] => false,
            ["run" | "run-script", script, ..] | [script, ..] => says_check(script),
        },
        When::Target => {
            let mut targets = operands.filter(|one| !one.contains('=')).peekable();
            targets.peek().is_none() || targets.any(|one| says_check(one))
        }
        When::File => arguments.first().is_some_and(|file| says_check(file)),
        When::Runs(before) => match arguments.strip_prefix(*before) {
            Some([program, arguments @ ..]) => is_check_program(program, arguments),
            _ => false,
        },
    }
}

fn is_python_check(arguments: &[&str]) -> bool {
    match arguments {
        ["-m", module, rest @ ..] => {
            PYTHON_MODULES.contains(module) && options::may_fail(module, rest)
        }
        [option, rest @ ..] if PYTHON_OPTIONS.contains(option) => is_python_check(rest),
        [file, ..] => says_check(file),
        [] => false,
    }
}

/// Whether a name, not an option, has a part that says that it checks: `test`, `check-all`, `lint:css`, `tests/run.py`, `test_a.py`.
fn says_check(name: &str) -> bool {
    if name.starts_with('-') {
        return false;
    }
    let mut parts = name.split(|one: char| !one.is_ascii_alphanumeric());
    parts.any(|part| NAMES.contains(&part.to_ascii_lowercase().as_str()))
}
