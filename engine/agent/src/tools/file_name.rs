//! Names of files in results: one per line, whatever is in the name.

use std::path::Path;

/// A path as a line of a result. One with control characters is in quotes, with escapes.
pub(super) fn shown(path: &Path) -> String {
    let name = path.to_string_lossy();
    if name.is_empty() {
        ".".to_owned()
    } else if name.chars().any(char::is_control) {
        format!("{name:?}")
    } else {
        name.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_line_end_stays_on_its_line() {
        assert_eq!(shown(Path::new("a b.txt")), "a b.txt");
        assert_eq!(shown(Path::new("a\nb.txt")), r#""a\nb.txt""#);
        assert_eq!(shown(Path::new("")), ".");
    }
}
