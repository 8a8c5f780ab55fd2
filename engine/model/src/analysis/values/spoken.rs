//! Words that a prompt asks for or a command prints, as far as its text says so.

/// The maximum length of a value.
const LONGEST: usize = 40;

/// The words after a name and a sign: `outcome=WORD`, `"outcome": "WORD"`, `outcome is "WORD"`.
pub(super) fn after<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let places = text.match_indices(name).filter(|_| name.len() > 1);
    places.filter_map(move |(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        if before.is_some_and(is_word_letter) {
            return None;
        }
        let rest = text.get(at + name.len()..)?;
        let word = rest.trim_start_matches([' ', '"', '\'', '`', '\\', '=', ':']);
        let signs = rest.get(..rest.len() - word.len())?;
        if !signs.contains(['=', ':', '"', '\'', '`']) {
            return None;
        }
        let end = word.find(|c| !is_word_letter(c)).unwrap_or(word.len());
        let word = word.get(..end)?.trim_end_matches(['-', '.']);
        (word.len() > 1).then_some(word)
    })
}

/// The words in quotes of their own: `"PASS"`, `` `done` ``.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = &str> {
    ['"', '\'', '`'].into_iter().flat_map(move |quote| {
        let parts = text.split(quote).skip(1).step_by(2);
        parts.filter(|word| (2..=LONGEST).contains(&word.len()) && word.chars().all(is_word_letter))
    })
}

/// What a sentence begins with that asks for an answer.
const ASKS: [&str; 7] = [
    "answer", "end", "output", "reply", "respond", "return", "say",
];

/// The words in capital letters of sentences that ask for an answer: `Respond with PASS or FAIL.` A word after an article
/// names a form: `Return a JSON object.`
pub(super) fn capitals(text: &str) -> impl Iterator<Item = &str> {
    let sentences = text.split(['.', '\n', ';', '!', '?', ':']);
    let asks = sentences.filter(|sentence| {
        let mut words = sentence.split(|c: char| !c.is_alphanumeric());
        words.any(|word| ASKS.iter().any(|ask| word.eq_ignore_ascii_case(ask)))
    });
    asks.flat_map(|sentence| {
        let words = sentence.split(|c: char| !is_word_letter(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let before = std::iter::once("").chain(words.clone());
        before
            .zip(words)
            .filter(|(before, word)| !is_article(before) && is_in_capitals(word))
            .map(|(_, word)| word)
    })
}

fn is_article(word: &str) -> bool {
    ["a", "an", "the", "valid"].contains(&word)
}

fn is_in_capitals(word: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || matches!(c, '_' | '-');
    (2..=LONGEST).contains(&word.len())
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(is_capital)
}

/// The lines that a command prints by `echo`, `printf` or `print(…)`, where they are plain text.
pub(super) fn printed(command: &str) -> impl Iterator<Item = &str> {
    let starts = |name: &'static str| {
        command.match_indices(name).filter_map(move |(at, _)| {
            let before = command.get(..at)?.chars().next_back();
            let is_command = before.is_none_or(|c| !is_word_letter(c) && c != '/');
            is_command.then_some(at + name.len())
        })
    };
    let mut places: Vec<usize> = ["echo ", "printf ", "print("]
        .into_iter()
        .flat_map(starts)
        .collect();
    places.sort_unstable();
    places
        .into_iter()
        .filter_map(|at| printed_text(command.get(at..)?))
}

/// The argument of `echo` or `printf`, if it is all of it, goes to the output and expands nothing.
fn printed_text(rest: &str) -> Option<&str> {
    let mut rest = rest.trim_start();
    while let Some(after) = ["-n ", "-e ", "-- "]
        .iter()
        .find_map(|flag| rest.strip_prefix(flag))
    {
        rest = after.trim_start();
    }
    let quote = rest
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''));
    let (text, after) = match quote {
        Some(quote) => rest.get(1..)?.split_once(quote)?,
        None => rest.split_at(
            rest.find(|c| ";|&<>)\n'\"".contains(c))
                .unwrap_or(rest.len()),
        ),
    };
    let after = after.trim_start_matches([' ', '\t']);
    let is_whole = after.is_empty() || after.starts_with([';', '|', '&', ')', '}', '\n']);
    let text = text.trim();
    let text = text.strip_suffix("\\n").unwrap_or(text);
    let is_plain = !text.contains(['$', '`', '{', '%', '\\', '*', '\n']);
    (is_whole && is_plain && !text.is_empty() && text.len() <= LONGEST).then_some(text)
}

fn is_word_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}
