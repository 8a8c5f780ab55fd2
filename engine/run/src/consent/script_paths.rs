//! The paths that a text of a command or a script may mean, by its words.

use attractor_model::Files;

use super::program_files::of_program;

/// Words of a text at most that may be names of files.
const MOST_WORDS: usize = 5_000;

/// Files at most that a pattern means.
const MOST_NAMES: usize = 100;

/// Words before the name of a file that is executed.
const BEFORE_SCRIPT: &[&str] = &[
    ".", "Rscript", "bash", "dash", "fish", "ksh", "lua", "node", "perl", "php", "python",
    "python3", "ruby", "sh", "source", "zsh",
];

/// What begins a line that names files to load.
const BEFORE_FILES: &[&str] = &["-include", "import", "include", "sinclude"];

/// Options and commands whose next word is the folder that others are below.
const FOLDER_BEFORE: &[&str] = &[
    "--cwd",
    "--directory",
    "--prefix",
    "-C",
    "-I",
    "cd",
    "pushd",
];

/// A path that a text may mean.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) path: String,
    /// It is executed whatever it contains and is called: `./gradlew`, or what a build tool reads.
    pub(super) is_program: bool,
}

/// The paths that may be meant by the words of a text: below its folder, and below those it changes to.
pub(super) fn paths(folder: &str, text: &str, files: &dyn Files) -> Vec<Candidate> {
    let is_part = |one: char| one.is_alphanumeric() || "_./@+-*?".contains(one);
    let words: Vec<&str> = text
        .split(|one| !is_part(one))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect();
    let mut folders = vec![folder.to_owned()];
    let mut names: Vec<String> = Vec::new();
    let mut programs: Vec<String> = text.lines().flat_map(files_of_line).collect();
    for pair in words.windows(2) {
        match *pair {
            [before, target] if FOLDER_BEFORE.contains(&before) => {
                folders.push(joined(folder, target));
            }
            ["-m", module] => {
                let path = module.replace('.', "/");
                names.extend([format!("{path}.py"), format!("{path}/__main__.py")]);
            }
            ["-r", library] => programs.push(format!("{library}.rb")),
            ["run-parts", target] => {
                programs.extend(matching(folder, &format!("{target}/*"), files));
            }
            ["npx" | "bunx", program] => programs.push(format!("node_modules/.bin/{program}")),
            [before, script] if BEFORE_SCRIPT.contains(&before) && !script.starts_with('-') => {
                programs.push(script.to_owned());
            }
            _ => {}
        }
    }
    for word in &words {
        // `ruby -Ilib -rname`, `perl -Ilib -MName`
        let library_folder = word.strip_prefix("-I").filter(|below| !below.is_empty());
        folders.extend(library_folder.map(|below| joined(folder, below)));
        let library = word.strip_prefix("-r");
        programs.extend(library.map(|library| format!("{library}.rb")));
        let module = word.strip_prefix("-M");
        programs.extend(module.map(|module| format!("{module}.pm")));
        let of_program = of_program(word).flat_map(|name| matching(folder, name, files));
        programs.extend(of_program.filter(|name| !name.ends_with(".sample")));
        if word.rsplit('/').next() == Some("git") {
            programs.extend(configured_hooks(folder, files));
        }
    }
    if text.contains("dotenv-load") {
        programs.push(".env".to_owned());
    }
    for word in words.into_iter().filter(|word| !word.starts_with('-')) {
        if word.contains(['*', '?']) {
            names.extend(matching(folder, word, files));
        } else {
            // After a folder that only the shell knows: `$PWD/x.sh`, `$(pwd)/x.sh`.
            let below = word
                .split_once('/')
                .filter(|(folder, _)| is_variable(folder));
            names.extend(below.map(|(_, below)| below.to_owned()));
            names.push(word.to_owned());
        }
    }
    let mut candidates = Vec::new();
    for search_folder in search_folders(text) {
        let below = joined(folder, search_folder);
        candidates.extend(names.iter().map(|name| Candidate {
            path: joined(&below, name),
            is_program: true,
        }));
    }
    for folder in &folders {
        let written = names.iter().map(|name| (name, name.starts_with("./")));
        let executed = programs.iter().map(|name| (name, true));
        candidates.extend(executed.chain(written).map(|(name, is_program)| Candidate {
            path: joined(folder, name),
            is_program,
        }));
    }
    candidates
}

/// The folders in which programs and libraries are looked for: `PATH=./scripts:$PATH`, `PYTHONPATH=lib`.
fn search_folders(text: &str) -> impl Iterator<Item = &str> {
    let values = text.split("PATH=").skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches(['"', '\'']);
        rest.split(|one: char| one.is_whitespace() || ";&|\"'".contains(one))
            .next()
    });
    let folders = values.flat_map(|value| value.split(':'));
    folders.filter(|folder| !folder.is_empty() && !folder.contains('$'))
}

/// The files that a line of a build tool loads: `include rules/common`, `import 'more.just'`, `mod more`.
fn files_of_line(line: &str) -> Vec<String> {
    let words = line.split([' ', '\t', '\'', '"', '?']);
    let mut words = words.filter(|word| !word.is_empty());
    match words.next() {
        Some("mod") => words
            .flat_map(|name| {
                ["just", "mod.just", "justfile"].map(|end| match end {
                    "just" => format!("{name}.just"),
                    end => format!("{name}/{end}"),
                })
            })
            .collect(),
        Some(first) if BEFORE_FILES.contains(&first) => words.map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The hooks in the folder that the configuration of the repository names.
fn configured_hooks(folder: &str, files: &dyn Files) -> Vec<String> {
    let configuration = files.read(&joined(folder, ".git/config"));
    let configuration = configuration.unwrap_or_default();
    let settings = configuration
        .lines()
        .filter_map(|line| line.split_once('='));
    let folders = settings.filter(|(name, _)| name.trim().eq_ignore_ascii_case("hookspath"));
    let patterns = folders.map(|(_, hooks)| format!("{}/*", hooks.trim().trim_matches('"')));
    patterns
        .flat_map(|pattern| matching(folder, &pattern, files))
        .collect()
}

/// Whether a word may be the name of a variable; nothing is what the output of a command leaves.
fn is_variable(word: &str) -> bool {
    let mut letters = word.bytes();
    letters.all(|one| one.is_ascii_uppercase() || one == b'_')
}

/// The files that a pattern of the shell means, whose last name alone has wildcards; a name without is itself.
fn matching(folder: &str, pattern: &str, files: &dyn Files) -> Vec<String> {
    if !pattern.contains(['*', '?']) {
        return vec![pattern.to_owned()];
    }
    let (within, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let (begin, end) = (
        name.split(['*', '?']).next().unwrap_or_default(),
        name.rsplit(['*', '?']).next().unwrap_or_default(),
    );
    let names = files.list(&joined(folder, within)).into_iter();
    let names =
        names.filter(|one| one.starts_with(begin) && one.ends_with(end) && !one.ends_with('/'));
    names
        .take(MOST_NAMES)
        .map(|one| match within {
            "" => one,
            within => format!("{within}/{one}"),
        })
        .collect()
}

fn joined(folder: &str, path: &str) -> String {
    let path = path.trim_start_matches("./");
    if folder.is_empty() || folder == "." || path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{}/{path}", folder.trim_end_matches('/'))
    }
}
