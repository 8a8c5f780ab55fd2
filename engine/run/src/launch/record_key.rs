//! The difference between the runs of this user and those that came with a project: a run's name is signed with a key of
//! the user.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use attractor_exec::{is_signature, random_hex, read_regular, signature};

/// The file of the key.
const FILE: &str = "records.key";
/// The letters of a key: 256 bits, hexadecimal.
const LETTERS: usize = 64;

/// The key that the runs of a user are signed with. Nothing is read before it is needed.
///
/// A folder of runs can come with a project, from somebody else. What it says of a run is not followed unless the run was
/// started with the same key, or a person accepts it.
#[derive(Debug, Clone)]
pub struct RecordKey {
    /// The folder that keeps it, which only the user can read.
    folder: Option<PathBuf>,
    /// That of this process, where none can be kept.
    temporary: Arc<OnceLock<Option<String>>>,
}

impl RecordKey {
    /// The key in a folder that only the user can read; made on its first use. Without a folder that can be written, each
    /// process has a key of its own.
    pub fn of_user(folder: Option<&Path>) -> Self {
        Self {
            folder: folder.map(Path::to_owned),
            temporary: Arc::default(),
        }
    }

    /// The signature of the name of a run, or of something else; none where the system has no random numbers.
    pub fn sign(&self, run: &str) -> Option<String> {
        Some(signature(&self.key()?, run))
    }

    /// Whether this name was signed with this key.
    pub fn has_signed(&self, run: &str, signed: &str) -> bool {
        self.key()
            .is_some_and(|key| is_signature(&key, run, signed))
    }

    fn key(&self) -> Option<String> {
        let folder = self.folder.as_deref();
        let kept = folder.and_then(|folder| read(folder).or_else(|| make(folder).ok()));
        kept.or_else(|| self.temporary.get_or_init(|| random_hex().ok()).clone())
    }
}

fn read(folder: &Path) -> Option<String> {
    let text = String::from_utf8(read_regular(&folder.join(FILE)).ok()?).ok()?;
    let is_key = text.len() == LETTERS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_key.then_some(text)
}

/// Makes the key. Of several processes that do so at the same time one wins.
fn make(folder: &Path) -> io::Result<String> {
    fs::create_dir_all(folder)?;
    let path = folder.join(FILE);
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(random_hex()?.as_bytes())?;
    file.as_file().sync_all()?;
    let made = match file.persist_noclobber(&path) {
        // A damaged file signs nothing.
        Err(taken) if read(folder).is_none() => taken.file.persist(&path).map(drop),
        Ok(_) | Err(_) => Ok(()),
    };
    made.map_err(|error| error.error)?;
    read(folder).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_only_its_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let signed = RecordKey::of_user(Some(&state)).sign("01KA").unwrap();
        let key = RecordKey::of_user(Some(&state));
        assert!(key.has_signed("01KA", &signed));
        assert!(!key.has_signed("01KB", &signed));
        let mode = fs::metadata(state.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(&state).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_key_has_signed_nothing_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let key = RecordKey::of_user(Some(folder.path()));
        let signed = key.sign("01KA").unwrap();
        for damaged in [String::new(), "\0".repeat(LETTERS)] {
            fs::write(folder.path().join(FILE), damaged).unwrap();
            assert!(!key.has_signed("01KA", &signed));
        }
        assert!(key.has_signed("01KA", &key.sign("01KA").unwrap()));
    }

    #[test]
    fn without_a_folder_a_key_is_that_of_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for place in [None, Some(file.as_path())] {
            let key = RecordKey::of_user(place);
            let signed = key.clone().sign("01KA").unwrap();
            assert!(key.has_signed("01KA", &signed));
            assert!(!RecordKey::of_user(place).has_signed("01KA", &signed));
        }
    }
}
