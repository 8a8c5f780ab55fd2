//! Paths in a shell text, as rules see them, without looking at files.

/// A path without `.` and `..`, relative to `folder` where it is in it. `None` where it depends on more than the text.
pub(crate) fn resolved(path: &str, folder: &str, base: Option<&str>) -> Option<String> {
    if path.starts_with('~') {
        return Some(path.to_owned());
    }
    if path.starts_with('/') {
        let path = joined("/", path);
        let inside = path.strip_prefix(folder).filter(|_| !folder.is_empty());
        return Some(match inside {
            Some("") => ".".to_owned(),
            Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/').to_owned(),
            _ => path,
        });
    }
    Some(joined(base?, path))
}

/// Whether a resolved path is outside of the folder.
pub(crate) fn is_outside(path: &str) -> bool {
    path.starts_with(['/', '~']) || path == ".." || path.starts_with("../")
}

fn joined(base: &str, path: &str) -> String {
    let is_absolute = base.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if is_absolute || parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let text = parts.join("/");
    match (is_absolute, text.is_empty()) {
        (true, _) => format!("/{text}"),
        (false, true) => ".".to_owned(),
        (false, false) => text,
    }
}

/// Whether a shell pattern may stand for a file that a rule's pattern matches: their fixed beginnings and ends agree.
pub(crate) fn may_meet(shell: &str, rule: &str) -> bool {
    let is_special = |one: char| matches!(one, '*' | '?' | '[' | '{' | ']' | '}');
    let beginning = |text: &str| text.split(is_special).next().unwrap_or_default().to_owned();
    let ending = |text: &str| {
        text.rsplit(is_special)
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let agree = |left: &str, right: &str| left.starts_with(right) || right.starts_with(left);
    let end_agrees = |left: &str, right: &str| left.ends_with(right) || right.ends_with(left);
    // A rule without a slash is about any folder.
    let is_anywhere = !rule.trim_end_matches('/').contains('/');
    // What is below a folder ends in any way.
    let covers_folders = rule.ends_with("**") || rule.ends_with('/') || !rule.contains(is_special);
    (is_anywhere || agree(&beginning(shell), &beginning(rule)))
        && (covers_folders && !is_anywhere || end_agrees(&ending(shell), &ending(rule)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_path() {
        for (path, expected) in [
            ("./secrets/c", Some("secrets/c")),
            ("a/../secrets//c", Some("secrets/c")),
            ("/w/secrets/c", Some("secrets/c")),
            ("/w/../w/./secrets/c", Some("secrets/c")),
            ("/world/c", Some("/world/c")),
            ("../w2/c", Some("../w2/c")),
            ("~/.bashrc", Some("~/.bashrc")),
            ("/", Some("/")),
            (".", Some(".")),
        ] {
            let found = resolved(path, "/w", Some(""));
            assert_eq!(found.as_deref(), expected, "{path}");
        }
        assert_eq!(resolved("c", "/w", Some("a/b")).as_deref(), Some("a/b/c"));
        assert_eq!(resolved("c", "/w", None), None);
    }

    #[test]
    fn patterns_that_may_stand_for_the_same_file() {
        for (shell, rule, expected) in [
            ("*", "*.pem", true),
            ("keys/*", "*.pem", true),
            ("*.rs", "*.pem", false),
            ("src/*", "secrets/**", false),
            ("sec*/x", "secrets/**", true),
            ("secrets/*.txt", "secrets/**", true),
            (".e*", ".env", true),
        ] {
            assert_eq!(may_meet(shell, rule), expected, "{shell} {rule}");
        }
    }
}
