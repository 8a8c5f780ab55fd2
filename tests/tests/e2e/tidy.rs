//! The repository uses the standard terms of its field. Words that made earlier versions hard to read are rejected
//! in identifiers, comments, messages and documentation, with the term to use instead.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A word or phrase, and what to write instead.
const BANNED: &[(&str, &str)] = &[
    ("told", "reported, sent, published"),
    ("tell", "report, notify, show"),
    ("tells", "reports, notifies, shows"),
    ("stands", "is, is defined, follows, precedes"),
    ("stood", "was, was defined, followed, preceded"),
    ("mend", "fix, repair, recover"),
    ("mends", "fixes, repairs, recovers"),
    ("mended", "fixed, repaired, recovered"),
    ("mending", "fixing, repairing, recovering"),
    ("mender", "recovery"),
    ("slip", "typo"),
    ("slips", "typos"),
    ("mistake", "error, problem"),
    ("mistakes", "errors, problems"),
    ("beside", "next to, in addition to"),
    ("anew", "again"),
    ("hardly", "rarely"),
    ("blanks", "spaces, whitespace"),
    ("lane", "frame, branch"),
    ("lanes", "frames, branches"),
    ("wish", "option, directive"),
    ("wishes", "options, directives"),
    ("desk", "environment"),
    ("leash", "watchdog"),
    ("room", "capacity, space, module"),
    ("rooms", "modules"),
    ("floors", "layers"),
    ("lend", "bind"),
    ("lent", "bound, inherited"),
    ("whoever", "the caller, the user"),
    ("rules of the house", "code style"),
    ("goes on", "continues"),
    ("go on", "continue"),
    ("going on", "continuing"),
    ("went on", "continued"),
    ("comes to", "results in, reaches"),
    ("come to", "result in, reach"),
    ("came to", "resulted in, reached"),
    ("coming to", "resulting in, reaching"),
    ("belongs into", "belongs in"),
    ("for ever", "forever"),
    ("is no", "is not a"),
    ("kept nowhere", "not stored"),
];

/// What may follow `is no`.
const AFTER_IS_NO: &[&str] = &["longer", "more", "such"];
/// What may precede `is no`.
const BEFORE_IS_NO: &[&str] = &["there", "it"];

/// Text in which a banned word is right, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("ViewColumn.Beside", "a constant of the VS Code API"),
    ("OverviewRulerLane", "an enum of the VS Code API"),
    ("overviewRulerLane", "a property of the VS Code API"),
];

/// Names of types that say nothing: a type is named by a noun.
const BANNED_TYPES: &[&str] = &[
    "About", "Around", "Asked", "Behind", "Beside", "Found", "Given", "How", "Kept", "Known",
    "Mine", "Only", "Past", "Said", "Seen", "Shown", "Spoken", "Told", "Towards", "Where", "Whose",
    "Written",
];

const EXTENSIONS: &[&str] = &[
    "rs", "ts", "mts", "mjs", "js", "css", "lua", "md", "toml", "json", "dot", "sh", "txt", "scm",
];
/// Files without an extension.
const NAMED: &[&str] = &["justfile", "test"];
/// Folders of generated files and of test data written by others.
const SKIPPED_FOLDERS: &[&str] = &[
    "target",
    "node_modules",
    "dist",
    "sandbox",
    "fixtures",
    "corpus",
    "seeds",
];
const SKIPPED_FILES: &[&str] = &["tidy.rs", "package-lock.json", "Cargo.lock"];

#[test]
fn only_standard_terms_are_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let terms = Terms::new();
    let mut report = String::new();
    let mut files = 0;
    for path in text_files(&root) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        files += 1;
        let path = path.strip_prefix(&root).unwrap_or(&path).display();
        for (line, word, instead) in terms.find(&text) {
            let _ = writeln!(report, "{path}:{line}: `{word}`; write: {instead}");
        }
        for (line, name) in banned_types(&text) {
            let _ = writeln!(report, "{path}:{line}: type `{name}`; name it by a noun");
        }
    }
    assert!(files > 500, "only {files} files were found");
    assert!(report.is_empty(), "{report}");
}

#[test]
fn banned_words_are_found_in_identifiers_comments_and_messages() {
    let terms = Terms::new();
    let words = |text: &str| -> Vec<(usize, &str)> {
        terms
            .find(text)
            .map(|(line, word, _)| (line, word))
            .collect()
    };
    assert_eq!(words("let told_twice = 1;"), [(1, "told")]);
    assert_eq!(words("struct RoomMender;"), [(1, "room"), (1, "mender")]);
    assert_eq!(words("const MISTAKE: u8 = 1;"), [(1, "mistake")]);
    assert_eq!(words("// x\n// a slip\n"), [(2, "slip")]);
    assert_eq!(words("print(\"gone\\nwhoever\")"), [(1, "whoever")]);
    assert_eq!(words("fn goes_on(); // goes on"), [(1, "goes on"); 2]);
    assert_eq!(words("    /// the run goes\n    /// on"), [(1, "goes on")]);
    assert_eq!(words("`x` is no handler"), [(1, "is no")]);
    assert_eq!(words("there is no handler; x is no longer amended"), []);
    assert_eq!(words("is(\"no\"); beside_the_point"), [(1, "beside")]);
    assert_eq!(words("column: ViewColumn.Beside"), []);
    assert_eq!(banned_types("x\npub enum Known {\n}"), [(2, "Known")]);
    assert_eq!(banned_types("struct KnownKeys;\nlet Known = 1;"), []);
}

/// The banned terms by their first word.
struct Terms(HashMap<&'static str, Vec<(Vec<&'static str>, &'static str)>>);

impl Terms {
    fn new() -> Self {
        let mut terms: HashMap<_, Vec<_>> = HashMap::new();
        for (term, instead) in BANNED {
            let words: Vec<_> = term.split(' ').collect();
            terms.entry(words[0]).or_default().push((words, *instead));
        }
        Self(terms)
    }

    /// Line, term and what to write instead of every banned term of a text. Linear in the text.
    fn find(&self, text: &str) -> impl Iterator<Item = (usize, &'static str, &'static str)> {
        let text = EXCEPTIONS.iter().fold(text.to_owned(), |text, (right, _)| {
            text.replace(right, &"_".repeat(right.len()))
        });
        let words = words(&text);
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            for (term, instead) in self.0.get(word.text.as_str()).into_iter().flatten() {
                let Some(window) = words.get(at..at + term.len()) else {
                    continue;
                };
                let is_term = window
                    .iter()
                    .map(|word| word.text.as_str())
                    .eq(term.iter().copied())
                    && window[1..].iter().all(|word| word.continues);
                let before = at.checked_sub(1).and_then(|before| words.get(before));
                let after = words.get(at + term.len());
                let is_allowed = term == &["is", "no"]
                    && (is_one_of(before, BEFORE_IS_NO) || is_one_of(after, AFTER_IS_NO));
                if is_term && !is_allowed {
                    found.push((word.line, name_of(term), *instead));
                }
            }
        }
        found.into_iter()
    }
}

fn is_one_of(word: Option<&Word>, list: &[&str]) -> bool {
    word.is_some_and(|word| list.contains(&word.text.as_str()))
}

/// The entry of the table for these words.
fn name_of(words: &[&str]) -> &'static str {
    let mut terms = BANNED.iter().map(|(term, _)| *term);
    terms
        .find(|term| term.split(' ').eq(words.iter().copied()))
        .unwrap_or_default()
}

/// A word of a text, or of an identifier in it.
struct Word {
    /// In lower case.
    text: String,
    line: usize,
    /// Whether it is in the same sentence or identifier as the word before it.
    continues: bool,
}

/// Words are separated by anything but letters and digits, and by a change from lower to upper case. In strings, the
/// letter after a backslash is part of an escape.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut line = 1;
    let (mut previous, mut in_word, mut continues) = (' ', false, false);
    for letter in text.chars() {
        let is_escape = previous == '\\' && matches!(letter, 'n' | 't' | 'r' | 'l');
        if letter.is_alphanumeric() && !is_escape {
            if !in_word || letter.is_uppercase() && previous.is_lowercase() {
                words.push(Word {
                    text: String::new(),
                    line,
                    continues,
                });
            }
            if let Some(word) = words.last_mut() {
                word.text.extend(letter.to_lowercase());
            }
            (in_word, continues) = (true, true);
        } else {
            let is_gap = letter.is_whitespace() || "_/!*#|\\".contains(letter) || is_escape;
            (in_word, continues) = (false, continues && is_gap);
        }
        if letter == '\n' {
            line += 1;
        }
        previous = if is_escape { ' ' } else { letter };
    }
    words
}

/// Line and name of every type whose name is banned.
fn banned_types(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let declared = words
            .find(|word| matches!(*word, "struct" | "enum" | "type" | "trait" | "interface"))
            .and_then(|_| words.next());
        found.extend(
            declared
                .filter(|name| BANNED_TYPES.contains(name))
                .map(|name| (at + 1, name)),
        );
    }
    found
}

fn text_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            if path.is_dir() {
                if !SKIPPED_FOLDERS.contains(&name.as_str()) {
                    folders.push(path);
                }
                continue;
            }
            let extension = path.extension().and_then(|extension| extension.to_str());
            let is_text = extension.map_or_else(
                || NAMED.contains(&name.as_str()),
                |extension| EXTENSIONS.contains(&extension),
            );
            if is_text && !SKIPPED_FILES.contains(&name.as_str()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
