//! File paths of documents: URIs and relative paths, on their text alone.

use std::path::{Component, Path, PathBuf};

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What RFC 3986 allows in a path is not encoded.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// The path of a `file:` URI.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    if !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    Some(uri.to_file_path()?.into_owned())
}

/// The URI of an absolute path.
pub fn file_uri(path: &Path) -> Option<Uri> {
    if path.is_absolute() {
        return Uri::from_file_path(path);
    }
    // In WebAssembly no path counts as absolute.
    let text = path.to_str().filter(|_| path.has_root())?;
    let uri = format!("file://{}", utf8_percent_encode(text, ENCODED));
    uri.parse().ok()
}

/// Whether two URIs name the same file, although they are written differently.
pub fn same_uri(one: &Uri, other: &Uri) -> bool {
    one == other || path_of(one) == path_of(other)
}

/// A path relative to `folder`, with `.` and `..` resolved on the text alone.
pub fn resolve(folder: &Path, path: &str) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            part => resolved.push(part),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_uris_have_a_path() {
        assert_eq!(
            path_of(&"untitled:Untitled-1".parse().expect("a URI")),
            None
        );
        let uri = "file:///a%20b.dot".parse().expect("a URI");
        assert_eq!(path_of(&uri), Some("/a b.dot".into()));
        assert_eq!(file_uri(Path::new("/a b.dot")), Some(uri));
        assert_eq!(file_uri(Path::new("a.dot")), None);
    }
}
