//! `@path`: a value that is the content of a file.

/// The path of a value that is `@path` as a whole: the value is the content of that file.
///
/// A path contains no blank and has a `.` or a `/`, so that `@team please look` and `@alice` are text.
///
/// ```
/// use attractor_lang::referred_file;
/// assert_eq!(referred_file(" @prompts/plan.md\n"), Some("prompts/plan.md"));
/// assert_eq!(referred_file("@alice"), None);
/// ```
pub fn referred_file(value: &str) -> Option<&str> {
    let path = value.trim().strip_prefix('@')?;
    let is_path = path.contains(['.', '/'])
        && !path.contains(|c: char| c.is_whitespace() || matches!(c, '@' | '{' | '}'));
    is_path.then_some(path)
}
