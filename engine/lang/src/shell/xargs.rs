//! `xargs`, which makes what it reads arguments of a program: an interpreter may run them as code.

/// Shells and their like: what follows their flag is code.
const INTERPRETERS: [(&str, char); 8] = [
    ("sh", 'c'),
    ("bash", 'c'),
    ("dash", 'c'),
    ("zsh", 'c'),
    ("ksh", 'c'),
    ("python", 'c'),
    ("perl", 'e'),
    ("ruby", 'e'),
];

/// The interpreter that the `xargs` of a simple command gives its input as code: by a placeholder in the code
/// (`xargs -I{} sh -c 'echo {}'`), or because the code is still missing (`xargs sh -c`).
pub(super) fn runs_input(command: &str) -> Option<&'static str> {
    let words = words(command);
    let at = words.iter().position(|word| word.ends_with("xargs"))?;
    let arguments = words.get(at + 1..)?;
    let placeholder = placeholder(arguments);
    let (name, flag, rest) = arguments.iter().enumerate().find_map(|(at, word)| {
        let program = word.rsplit('/').next()?;
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (name, flag) = INTERPRETERS.iter().find(|(name, _)| *name == program)?;
        Some((*name, *flag, arguments.get(at + 1..)?))
    })?;
    let is_flag = |word: &String| {
        let letters = word.strip_prefix('-');
        letters.is_some_and(|letters| !letters.starts_with('-') && letters.ends_with(flag))
    };
    let code = rest.iter().position(is_flag).map(|at| rest.get(at + 1));
    let is_run = match (code?, placeholder) {
        (None, _) => true,
        (Some(code), Some(placeholder)) => code.contains(&placeholder),
        (Some(_), None) => false,
    };
    is_run.then_some(name)
}

/// What `xargs` replaces by a line of its input.
fn placeholder(arguments: &[String]) -> Option<String> {
    let mut arguments = arguments.iter();
    while let Some(word) = arguments.next() {
        if let Some(attached) = word.strip_prefix("-I") {
            let attached = Some(attached.to_owned()).filter(|found| !found.is_empty());
            return attached.or_else(|| arguments.next().cloned());
        }
        if word == "-i" || word == "--replace" {
            return Some("{}".to_owned());
        }
        if let Some(found) = word.strip_prefix("--replace=") {
            return Some(found.to_owned());
        }
        if !word.starts_with('-') && !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
    }
    None
}

/// The words of a simple command without their quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, Some(open)) if c == open => quote = None,
            (_, None) if c.is_whitespace() || c == '|' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
