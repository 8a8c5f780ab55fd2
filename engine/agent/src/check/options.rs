//! Options with which a check lists, prints, ignores failures or does nothing.

/// Those that no check may have.
const ANYWHERE: &[&str] = &[
    "--co",
    "--collect-only",
    "--dry-run",
    "--exit-zero",
    "--help",
    "--if-present",
    "--ignore-errors",
    "--ignore-scripts",
    "--init",
    "--just-print",
    "--list",
    "--list-tests",
    "--no-run",
    "--pass-with-no-tests",
    "--passWithNoTests",
    "--print-config",
    "--recon",
    "--show-config",
    "--showConfig",
    "--version",
    "--watch",
    "-V",
    "-h",
    "-help",
    "-version",
];

/// Those of some programs.
const OF_PROGRAMS: &[(&[&str], &[&str])] = &[
    (
        &["pytest", "py.test"],
        &[
            "--cache-show",
            "--config-file",
            "--fixtures",
            "--fixtures-per-test",
            "--funcargs",
            "--markers",
            "--override-ini",
            "--setup-only",
            "--setup-plan",
            "--setuponly",
            "--setupplan",
            "-c",
            "-o",
        ],
    ),
    (&["cargo"], &["--cap-lints", "--config", "--explain", "-C"]),
    (
        &[
            "c++", "cc", "clang", "clang++", "g++", "gcc", "ghc", "rustc",
        ],
        &[
            "--cap-lints",
            "--explain",
            "--info",
            "--print",
            "-###",
            "-E",
            "-M",
            "-MM",
            "-dumpmachine",
            "-dumpversion",
            "-v",
            "-vV",
            "-w",
        ],
    ),
    (
        &["go"],
        &[
            "--exec",
            "--list",
            "--toolexec",
            "--vettool",
            "-c",
            "-exec",
            "-list",
            "-n",
            "-overlay",
            "-toolexec",
            "-vettool",
        ],
    ),
    (
        &["gradle", "gradlew"],
        &["--exclude-task", "--init-script", "-I", "-m", "-v", "-x"],
    ),
    (&["mvn", "mvnw"], &["--fail-never", "-fn", "-v"]),
    (&["ctest"], &["--print-labels", "--show-only", "-N"]),
    (
        &["nox", "tox"],
        &[
            "--install-only",
            "--listenvs",
            "--listenvs-all",
            "--notest",
            "--showconfig",
            "-a",
            "-l",
            "-n",
        ],
    ),
    (
        &["tsc"],
        &["--build", "--listFilesOnly", "--noCheck", "-b", "-v"],
    ),
    (
        &["jest", "vitest"],
        &["--clearCache", "--listTests", "-v", "-w", "list"],
    ),
    (
        &["eslint", "oxlint", "stylelint"],
        &["--env-info", "--rules", "-v"],
    ),
    (
        &["bats", "hadolint", "ktlint", "rubocop", "yamllint"],
        &["--count", "--show-cops", "-L", "-c", "-v"],
    ),
    (&["ninja"], &["-n", "-t", "-d"]),
    (
        &["rake"],
        &[
            "--describe",
            "--prereqs",
            "--tasks",
            "--where",
            "-D",
            "-P",
            "-T",
            "-W",
            "-n",
        ],
    ),
    (
        &["just", "task"],
        &[
            "--evaluate",
            "--set",
            "--shell",
            "--show",
            "--status",
            "--summary",
            "-l",
            "-n",
            "-s",
        ],
    ),
    (&["cmake"], &["--", "-N", "clean", "help"]),
    (&["swift", "zig"], &["--list-tests", "list"]),
    (&["perl", "php", "ruby", "node"], &["-c", "-l"]),
];

/// Programs whose options of several letters begin with one `-`.
const ONE_DASH: &[&str] = &[
    "c++", "cc", "clang", "clang++", "g++", "gcc", "ghc", "go", "javac", "kotlinc", "mvn", "mvnw",
    "rustc",
];

/// Those with which `make` still fails where a target does; any other may change what it does.
const OF_MAKE: &[&str] = &[
    "--always-make",
    "--jobs",
    "--keep-going",
    "--no-print-directory",
    "--output-sync",
    "--quiet",
    "--silent",
    "-B",
    "-C",
    "-O",
    "-j",
    "-k",
    "-s",
    "-w",
];

/// Variables that say how much `make` prints.
const OF_MAKE_VARIABLES: &[&str] = &["CI", "V", "VERBOSE"];

/// Variables of the environment that do not change which program runs or what it does with failures.
const ENVIRONMENT: &[&str] = &[
    "CARGO_INCREMENTAL",
    "CARGO_TARGET_DIR",
    "CARGO_TERM_COLOR",
    "CI",
    "DJANGO_SETTINGS_MODULE",
    "FORCE_COLOR",
    "GOCACHE",
    "LANG",
    "LC_ALL",
    "NODE_ENV",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "RAILS_ENV",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "TERM",
    "TZ",
];

/// Whether an assignment before a command leaves the check what it is.
pub(super) fn is_harmless_assignment(name: &str) -> bool {
    ENVIRONMENT.contains(&name)
}

/// Whether the arguments leave a check a check.
pub(super) fn may_fail(program: &str, arguments: &[&str]) -> bool {
    if matches!(program, "make" | "gmake") {
        return arguments.iter().all(|one| is_known_of_make(one));
    }
    let own = OF_PROGRAMS
        .iter()
        .filter(|(names, _)| names.contains(&program));
    let refused: Vec<&str> = own
        .flat_map(|(_, options)| options.iter())
        .chain(ANYWHERE)
        .copied()
        .collect();
    !arguments.iter().any(|argument| {
        is_skipping_property(argument)
            || refused.iter().any(|option| {
                is_option(argument, option)
                    || !ONE_DASH.contains(&program) && has_letter(argument, option)
            })
    })
}

/// Whether an argument is an option: with its value, or shortened as many programs allow.
fn is_option(argument: &str, option: &str) -> bool {
    /// `--` and two letters.
    const SHORTENED: usize = 4;
    let name = argument.split('=').next().unwrap_or_default();
    name == option || name.starts_with("--") && name.len() >= SHORTENED && option.starts_with(name)
}

/// Whether an option of one letter is among several: `-n` in `-nk`.
fn has_letter(argument: &str, option: &str) -> bool {
    /// A longer one is an option of its own.
    const MOST_LETTERS: usize = 3;
    let letter = option.strip_prefix('-').filter(|rest| rest.len() == 1);
    let letters = argument.strip_prefix('-');
    letter.zip(letters).is_some_and(|(letter, letters)| {
        letters.len() <= MOST_LETTERS && !letters.starts_with('-') && letters.contains(letter)
    })
}

/// `-DskipTests`, `-Dmaven.test.failure.ignore=true`, `-PskipTests`
fn is_skipping_property(argument: &str) -> bool {
    let property = argument
        .strip_prefix("-D")
        .or_else(|| argument.strip_prefix("-P"));
    property.is_some_and(|property| {
        let property = property.to_ascii_lowercase();
        property.contains("skip") || property.contains("ignore")
    })
}

fn is_known_of_make(argument: &str) -> bool {
    if argument.starts_with("--") {
        let name = argument.split('=').next().unwrap_or_default();
        return OF_MAKE.contains(&name);
    }
    if argument.starts_with('-') {
        let option = argument.trim_end_matches(|one: char| one.is_ascii_digit());
        return OF_MAKE.contains(&option);
    }
    let variable = argument.split_once('=');
    variable.is_none_or(|(name, _)| OF_MAKE_VARIABLES.contains(&name))
}
