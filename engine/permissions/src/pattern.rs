//! The patterns of rules: globs for paths, `*` for the text of commands and names.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::command::UNKNOWN;

/// A pattern in the parentheses of a rule.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    text: String,
    paths: GlobSet,
}

impl Pattern {
    /// Reads a pattern; the error is what is wrong with it as a glob.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let mut paths = GlobSetBuilder::new();
        for glob in globs(text) {
            let glob = GlobBuilder::new(&glob).literal_separator(true).build();
            paths.add(glob.map_err(|error| error.kind().to_string())?);
        }
        Ok(Self {
            text: text.to_owned(),
            paths: paths.build().map_err(|error| error.to_string())?,
        })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// How many characters it fixes: the more, the more specific.
    pub(crate) fn literals(&self) -> usize {
        self.text.chars().filter(|one| *one != '*').count()
    }

    /// Whether it matches a path: relative to the workspace, or absolute outside of it.
    pub(crate) fn matches_path(&self, path: &str) -> bool {
        self.paths.is_match(path)
    }

    /// Whether it matches a whole text; `*` is any number of any characters.
    pub(crate) fn matches_text(&self, text: &str) -> bool {
        let mut parts = self.text.split('*');
        let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        rest.ends_with(last)
    }

    /// Whether it may match a text whose unknown parts ([`UNKNOWN`]) can be anything.
    pub(crate) fn may_match_text(&self, text: &str) -> bool {
        let Some((known, _)) = text.split_once(UNKNOWN) else {
            return self.matches_text(text);
        };
        let prefix = self.text.split('*').next().unwrap_or_default();
        prefix.starts_with(known) || known.starts_with(prefix)
    }
}

/// The globs of a path pattern: one without `/` is for any folder, and a folder is for all in it.
fn globs(text: &str) -> Vec<String> {
    let path = text.trim_start_matches("./").trim_end_matches('/');
    let path = match path {
        "" | "." => "**".to_owned(),
        path if path.contains('/') || path == "**" => path.to_owned(),
        name => format!("**/{name}"),
    };
    vec![format!("{path}/**"), path]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_matched_by_globs() {
        for (pattern, path, expected) in [
            ("src/**", "src/a/b.rs", true),
            ("src", "src/a.rs", true),
            ("src/", "src/a.rs", true),
            ("src/*", "src/a.rs", true),
            ("src/*.rs", "src/a/b.rs", false),
            ("*.md", "docs/a.md", true),
            (".env", "sub/.env", true),
            (".env", "sub/.environment", false),
            ("**", "a", true),
            ("*", "a/b", true),
            ("/etc/**", "/etc/passwd", true),
            ("src/**", "tests/src/a.rs", false),
        ] {
            let matches = Pattern::new(pattern).unwrap().matches_path(path);
            assert_eq!(matches, expected, "{pattern} {path}");
        }
    }

    #[test]
    fn texts_are_matched_as_a_whole() {
        for (pattern, text, expected) in [
            ("cargo test*", "cargo test --lib", true),
            ("cargo test*", "cargo test", true),
            ("cargo test", "cargo test --lib", false),
            ("git * --force", "git push origin --force", true),
            ("git * --force", "git push --force origin", false),
            ("*--force*", "git push --force origin", true),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            let matches = Pattern::new(pattern).unwrap().matches_text(text);
            assert_eq!(matches, expected, "{pattern} {text}");
        }
    }
}
