//! Reading a file named on the command line, or `-` for standard input.
//!
//! Each failure has its own message: not found, a folder, no permission, not text. A file that is not UTF-8 and
//! sets `charset=latin1`, as Graphviz allows, is read as Latin-1.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_dot::text::{self, EncodingNote};
use attractor_run::{files_below, is_dot_file};

use crate::error::Error;

/// A text and where it came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as given, or `<stdin>`.
    pub name: String,
    /// The text, without a byte order mark.
    pub text: Arc<str>,
    /// The path; `None` for standard input.
    pub path: Option<PathBuf>,
    /// The encoding of the file.
    pub encoding: Encoding,
}

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Plain UTF-8.
    Utf8,
    /// UTF-8 after a byte order mark.
    MarkedUtf8,
    /// Latin-1, as the file declares.
    Latin1,
}

/// The largest file that is read. A pipeline of 100,000 nodes has 16 MB.
const MAX_BYTES: u64 = 256 << 20;

const MARK: &str = "\u{feff}";

impl Source {
    /// Reads `path`, or standard input when it is `-`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|cause| Error::unreadable("<stdin>", cause))?;
            return Self::decode("<stdin>".into(), &bytes, None);
        }
        let name = path.display().to_string();
        match read_bounded(path) {
            Ok(bytes) if bytes.len() as u64 > MAX_BYTES => Err(Error::TooLarge { path: name }),
            Ok(bytes) => Self::decode(name, &bytes, Some(path.to_path_buf())),
            Err(_) if path.is_dir() => Err(Error::IsFolder { path: name }),
            Err(cause) if cause.kind() == ErrorKind::NotFound && path.is_symlink() => {
                let target = std::fs::read_link(path).unwrap_or_default();
                Err(Error::DanglingLink {
                    path: name,
                    target: target.display().to_string(),
                })
            }
            Err(cause) if cause.kind() == ErrorKind::NotFound => Err(Error::NotFound {
                near: nearest(path),
                path: name,
            }),
            Err(cause) => Err(Error::unreadable(name, cause)),
        }
    }

    /// A text that has been read before.
    pub fn of_text(path: &Path, text: Arc<str>) -> Self {
        Self {
            name: path.display().to_string(),
            text,
            path: Some(path.to_path_buf()),
            encoding: Encoding::Utf8,
        }
    }

    /// A text as the bytes of this file: with its byte order mark, in its encoding.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::MarkedUtf8 => [MARK, text].concat().into_bytes(),
            Encoding::Latin1 => text
                .chars()
                .map(|c| u8::try_from(c).unwrap_or(b'?'))
                .collect(),
        }
    }

    fn decode(name: String, bytes: &[u8], path: Option<PathBuf>) -> Result<Self, Error> {
        if is_utf16(bytes) {
            return Err(Error::Utf16 { path: name });
        }
        let (text, note) = text::decode(bytes);
        let encoding = match note {
            None if bytes.starts_with(MARK.as_bytes()) => Encoding::MarkedUtf8,
            None => Encoding::Utf8,
            Some(EncodingNote::Latin1) => Encoding::Latin1,
            Some(EncodingNote::Lossy { .. }) if bytes.contains(&0) => {
                return Err(Error::Binary { path: name });
            }
            Some(EncodingNote::Lossy { offset }) => {
                // The note does not count the mark.
                let marked = bytes.strip_prefix(MARK.as_bytes()).unwrap_or(bytes);
                let before = marked.get(..offset).unwrap_or_default();
                let line = before.split(|byte| *byte == b'\n').count();
                let byte = marked.get(offset).copied().unwrap_or_default();
                return Err(Error::NotText {
                    path: name,
                    line,
                    byte,
                });
            }
        };
        Ok(Self {
            name,
            text: text.into(),
            path,
            encoding,
        })
    }
}

/// Whether a text is UTF-16: by its byte order mark, or by zero bytes in every other place of its beginning.
fn is_utf16(bytes: &[u8]) -> bool {
    const BEGINNING: usize = 16;
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return true;
    }
    let beginning = bytes.get(..BEGINNING).unwrap_or_default();
    let zeros_at = |parity: usize| {
        let mut places = beginning.iter().enumerate();
        places.all(|(at, byte)| (*byte == 0) == (at % 2 == parity))
    };
    !beginning.is_empty() && (zeros_at(0) || zeros_at(1))
}

/// The bytes of a file, and one more than may be read of one that is too large or endless.
fn read_bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The path itself, or the DOT files under it if it is a folder; ignored ones are left out.
pub fn under(path: &Path) -> Vec<PathBuf> {
    files_under(path, is_dot_file)
}

/// The path itself, or the files of the project under it that `wanted` accepts if it is a folder.
pub fn files_under(path: &Path, wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_path_buf()];
    }
    files_below(path, wanted)
        .map(|path| {
            path.strip_prefix("./")
                .map(Path::to_path_buf)
                .unwrap_or(path)
        })
        .collect()
}

/// A file in the same folder with a similar name.
fn nearest(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().into_string().ok())
        .map(|name| (strsim::damerau_levenshtein(wanted, &name), name))
        .filter(|(distance, _)| *distance <= 3)
        .min()
        .map(|(_, name)| path.with_file_name(name).display().to_string())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::Source;
    use expect_test::expect;

    fn decoded(bytes: &[u8]) -> String {
        match Source::decode("a.dot".into(), bytes, None) {
            Ok(source) => source.text.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn byte_order_mark_is_removed() {
        assert_eq!(decoded("\u{feff}digraph {}".as_bytes()), "digraph {}");
    }

    #[test]
    fn latin1_is_decoded_when_declared() {
        assert_eq!(
            decoded(b"graph { charset = \"latin1\" caf\xe9 }"),
            "graph { charset = \"latin1\" café }"
        );
    }

    #[test]
    fn encoding_round_trips() {
        for bytes in [
            "digraph {é}".as_bytes(),
            "\u{feff}digraph {é}".as_bytes(),
            b"graph { charset=l1 caf\xe9 }",
        ] {
            let source = Source::decode("a.dot".into(), bytes, None).unwrap();
            assert_eq!(source.encode(&source.text), bytes);
        }
    }

    #[test]
    fn invalid_utf8_is_reported_with_its_line() {
        expect!["a.dot: invalid UTF-8 (byte 0xFF on line 2); save it as UTF-8 or set charset=latin1 in the graph"]
            .assert_eq(&decoded(b"graph {\n\xff }"));
    }

    #[test]
    fn other_encodings_and_programs_are_named() {
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let text: Vec<u8> = utf16("digraph { a -> b }");
        let marked: Vec<u8> = [b"\xff\xfe".as_slice(), &text].concat();
        expect!["a.dot is UTF-16; save it as UTF-8"].assert_eq(&decoded(&text));
        expect!["a.dot is UTF-16; save it as UTF-8"].assert_eq(&decoded(&marked));
        expect!["a.dot is not a text file; expected a DOT file in UTF-8"]
            .assert_eq(&decoded(b"\x7fELF\x02\x01\x01\0\0\0\xff\xfe"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("dd.dot");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        let error = Source::read(&link).unwrap_err().to_string();
        let path = link.display();
        assert_eq!(
            error,
            format!("`{path}` is a link to `nowhere`, which does not exist")
        );
    }

    #[test]
    fn similar_file_name_is_suggested() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("release.dot"), "").unwrap();
        let error = Source::read(&folder.path().join("relaese.dot")).unwrap_err();
        assert!(error.to_string().contains("release.dot"), "{error}");
    }
}
