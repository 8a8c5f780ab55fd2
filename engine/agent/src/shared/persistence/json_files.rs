//! A JSON file per key, in one folder. A file is replaced as a whole.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use super::adapter::{PersistenceAdapter, PersistenceError, parse};

const ENDING: &str = "json";

/// Keeps values in the files of a folder, which is made with the first one.
#[derive(Debug)]
pub struct JsonFilePersistenceAdapter {
    folder: PathBuf,
    /// Makes the names of temporary files different.
    saved: AtomicU64,
}

impl JsonFilePersistenceAdapter {
    /// An adapter for a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            saved: AtomicU64::new(0),
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{}.{ENDING}", encoded(key)))
    }

    fn replace(&self, path: &Path, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let number = self.saved.fetch_add(1, Ordering::Relaxed);
        let draft = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
        fs::write(&draft, text)?;
        fs::rename(&draft, path)
    }
}

impl PersistenceAdapter for JsonFilePersistenceAdapter {
    fn save(&self, key: &str, value: &Value) -> Result<(), PersistenceError> {
        let path = self.path(key);
        self.replace(&path, &format!("{value:#}\n"))
            .map_err(failed("write", &path))
    }

    fn load(&self, key: &str) -> Result<Option<Value>, PersistenceError> {
        let path = self.path(key);
        match fs::read_to_string(&path) {
            Ok(text) => parse(key, &text).map(Some),
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(failed("read", &path)(cause)),
        }
    }

    fn list_keys(&self) -> Result<Vec<String>, PersistenceError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(failed("read", &self.folder)(cause)),
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let is_value = |path: &PathBuf| path.extension().is_some_and(|ending| ending == ENDING);
        let mut keys: Vec<String> = paths
            .filter(is_value)
            .filter_map(|path| decoded(path.file_stem()?.to_str()?))
            .collect();
        keys.sort();
        Ok(keys)
    }

    fn delete(&self, key: &str) -> Result<bool, PersistenceError> {
        let path = self.path(key);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(false),
            Err(cause) => Err(failed("remove", &path)(cause)),
        }
    }

    fn exists(&self, key: &str) -> Result<bool, PersistenceError> {
        let path = self.path(key);
        path.try_exists().map_err(failed("read", &path))
    }
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> PersistenceError {
    let path = path.display().to_string();
    move |cause| PersistenceError::File { what, path, cause }
}

/// A key as the name of a file: letters, digits, `_` and `-`, other bytes as `%2F`.
fn encoded(key: &str) -> String {
    let mut name = String::new();
    for byte in key.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => name.push(char::from(byte)),
            _ => {
                let _ = write!(name, "%{byte:02X}");
            }
        }
    }
    name
}

fn decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}
