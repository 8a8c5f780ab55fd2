//! Pipelines to test fixes with: the files of a folder, and what they are after one error.

use std::path::{Path, PathBuf};

use attractor_dot::{Edit, TextRange, Token, TokenKind, apply, parse};

/// Errors of one keystroke or two: a letter or `=` lost, letters swapped, a word or a line written twice.
pub(crate) fn of(text: &str, seed: &mut u64) -> Vec<String> {
    let mut next = |below: usize| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).unwrap() % below.max(1)
    };
    let tokens: Vec<Token> = parse(text)
        .tokens
        .solid()
        .filter(|token| !token.kind.is_comment())
        .collect();
    let names: Vec<TextRange> = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Name && token.range.len() > 3)
        .map(|token| token.range)
        .collect();
    let equals: Vec<TextRange> = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Equals)
        .map(|token| token.range)
        .collect();
    let mut edits = Vec::new();
    for _ in 0..4 {
        if let Some(name) = names.get(next(names.len())) {
            let at = name.start() + 1 + next(name.len() - 2);
            edits.push(Edit::delete(TextRange::new(at, at + 1)));
            let pair = TextRange::new(at, at + 2);
            let swapped: String = pair.text(text).chars().rev().collect();
            edits.push(Edit::replace(pair, swapped));
        }
    }
    if let Some(range) = equals.get(next(equals.len())) {
        edits.push(Edit::delete(*range));
    }
    let lines: Vec<&str> = text.lines().collect();
    if let Some(line) = lines
        .get(next(lines.len()))
        .filter(|line| line.contains("->"))
    {
        let at = text.find(line).unwrap();
        edits.push(Edit::insert(at, format!("{line}\n")));
    }
    edits.into_iter().map(|edit| apply(text, &[edit])).collect()
}

/// The texts of the pipeline files in a folder and below, sorted by path. Large files are left out: they are slow and
/// show nothing that small ones do not.
pub(crate) fn texts(folder: &Path) -> Vec<String> {
    let texts = files_in(folder).into_iter();
    texts
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .filter(|text| text.len() <= 20_000)
        .collect()
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(files_in(&path));
        } else if path.extension().is_some_and(|ending| ending == "dot") {
            files.push(path);
        }
    }
    files
}
