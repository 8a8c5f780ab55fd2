//! The sessions of a project on the disk: `.attractor/sessions/ID/`.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attractor_exec::read_regular;
use attractor_run::{ForeignRuns, RecordKey, make_runs_dir, project_root_of_folder};

use super::agent::setup::JOURNAL;
use super::start_agent_error::StartAgentError;

/// The file with the signature of a session's name.
const SIGNATURE: &str = "signature";

/// The sessions of a project.
pub(super) struct SessionFolders {
    root: PathBuf,
    key: Option<RecordKey>,
}

impl SessionFolders {
    /// Those of the project that a folder is part of.
    pub(super) fn of(folder: &Path, key: Option<RecordKey>) -> Self {
        Self {
            root: sessions_of(folder),
            key,
        }
    }

    /// Refuses a session that is not there, or that this user has not begun unless `foreign` accepts it.
    pub(super) fn check(&self, id: &str, foreign: ForeignRuns) -> Result<(), StartAgentError> {
        let known = ids(&self.root);
        if !known.iter().any(|one| one == id) {
            return Err(StartAgentError::UnknownSession {
                id: id.to_owned(),
                known,
                folder: self.root.clone(),
            });
        }
        if foreign == ForeignRuns::Refuse && !self.is_own(id) {
            return Err(StartAgentError::NotSigned { id: id.to_owned() });
        }
        Ok(())
    }

    /// The folder of a session.
    pub(super) fn folder(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }

    /// The ids, the latest first.
    pub(super) fn ids(&self) -> Vec<String> {
        ids(&self.root)
    }

    /// Whether this user has begun it.
    pub(super) fn is_own(&self, id: &str) -> bool {
        let signature = || {
            let bytes = read_regular(&self.root.join(id).join(SIGNATURE)).ok()?;
            String::from_utf8(bytes).ok()
        };
        self.key.as_ref().is_none_or(|key| {
            signature().is_some_and(|signature| key.has_signed(&signed_name(id), signature.trim()))
        })
    }

    /// Makes the folder of a session if it has none; git leaves all of them out. It is signed from now on.
    pub(super) fn create(&self, id: &str) -> Result<PathBuf, String> {
        make_runs_dir(&self.root).map_err(|error| error.to_string())?;
        let folder = self.root.join(id);
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
        if !self.is_own(id) {
            self.sign(id)?;
        }
        Ok(folder)
    }

    /// Takes a session for this process: two that write to one conversation would mix it.
    pub(super) fn lock(&self, id: &str) -> Result<File, String> {
        let path = self.root.join(id).join("lock");
        if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file()) {
            return Err(format!("`{}` is not a regular file", path.display()));
        }
        let mut options = File::options();
        let open = options.create(true).truncate(false).write(true).open(&path);
        let file = open.map_err(|error| format!("cannot open `{}`: {error}", path.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(format!(
                "a process works on the session `{id}`; fork it to continue with a copy"
            )),
            Err(TryLockError::Error(error)) => {
                Err(format!("cannot lock `{}`: {error}", path.display()))
            }
        }
    }

    fn sign(&self, id: &str) -> Result<(), String> {
        let signature = self.key.as_ref().and_then(|key| key.sign(&signed_name(id)));
        let Some(signature) = signature else {
            return Ok(());
        };
        let folder = self.root.join(id);
        let path = folder.join(SIGNATURE);
        let placed = tempfile::NamedTempFile::new_in(&folder).and_then(|mut file| {
            file.write_all(signature.as_bytes())?;
            Ok(file.persist(&path)?)
        });
        let placed = placed.map(drop);
        placed.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    /// Copies the conversation of a session to another one.
    pub(super) fn copy(&self, from: &str, to: &str) -> Result<(), String> {
        let path = |id: &str| self.root.join(id).join(JOURNAL);
        let target = path(to);
        let copied = read_regular(&path(from)).and_then(|bytes| fs::write(&target, bytes));
        copied.map_err(|error| format!("cannot write `{}`: {error}", target.display()))
    }
}

/// What is signed: no name of a run is one of a session.
fn signed_name(id: &str) -> String {
    format!("session {id}")
}

fn sessions_of(folder: &Path) -> PathBuf {
    project_root_of_folder(folder).join(".attractor/sessions")
}

/// The ids of the sessions of a folder, the latest first.
pub fn agent_sessions(folder: &Path) -> Vec<String> {
    ids(&sessions_of(folder))
}

/// Of the sessions of a folder, the latest that this user has begun.
pub fn latest_own_session(folder: &Path, key: &RecordKey) -> Option<String> {
    let folders = SessionFolders::of(folder, Some(key.clone()));
    let mut known = ids(&folders.root).into_iter();
    known.find(|id| folders.is_own(id))
}

/// The sessions, the one that was used last first. Links are not followed: they would lead to files of others.
fn ids(sessions: &Path) -> Vec<String> {
    let entries = fs::read_dir(sessions).into_iter().flatten().flatten();
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let has_journal = |entry: &fs::DirEntry| {
        let journal = entry.path().join(JOURNAL);
        fs::symlink_metadata(journal).is_ok_and(|about| about.is_file())
    };
    let sessions = entries.filter(|entry| is_folder(entry) && has_journal(entry));
    let used = |entry: &fs::DirEntry| {
        let about = fs::symlink_metadata(entry.path().join(JOURNAL)).ok()?;
        about.modified().ok()
    };
    let mut ids: Vec<(Option<SystemTime>, String)> = sessions
        .filter_map(|entry| Some((used(&entry), entry.file_name().into_string().ok()?)))
        .collect();
    ids.sort_unstable_by(|one, other| other.cmp(one));
    ids.into_iter().map(|(_, id)| id).collect()
}

/// The time it begins, and the process: `20261123-101500-1f3a`.
pub(super) fn new_id() -> String {
    let time = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    format!("{time}-{:04x}", std::process::id())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn key(folder: &Path) -> RecordKey {
        RecordKey::of_user(Some(folder))
    }

    #[test]
    fn sessions_of_somebody_else_are_continued_on_request() {
        let (project, mine, theirs) = (
            tempfile::tempdir().unwrap(),
            tempfile::tempdir().unwrap(),
            tempfile::tempdir().unwrap(),
        );
        fs::create_dir(project.path().join(".attractor")).unwrap();
        let foreign = SessionFolders::of(project.path(), Some(key(theirs.path())));
        let folder = foreign.create("20261123-101500-1f3a").unwrap();
        fs::write(folder.join(JOURNAL), "").unwrap();
        let own = SessionFolders::of(project.path(), Some(key(mine.path())));
        let refused = own.check("20261123-101500-1f3a", ForeignRuns::Refuse);
        assert!(matches!(refused, Err(StartAgentError::NotSigned { .. })));
        let mine = key(mine.path());
        assert_eq!(latest_own_session(project.path(), &mine), None);
        own.check("20261123-101500-1f3a", ForeignRuns::Accept)
            .unwrap();
        own.create("20261123-101500-1f3a").unwrap();
        own.check("20261123-101500-1f3a", ForeignRuns::Refuse)
            .unwrap();
        assert!(latest_own_session(project.path(), &mine).is_some());
    }

    #[test]
    fn links_are_not_sessions() {
        let (project, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(elsewhere.path().join(JOURNAL), "").unwrap();
        let sessions = project.path().join(".attractor/sessions");
        fs::create_dir_all(sessions.join("b")).unwrap();
        symlink(elsewhere.path(), sessions.join("a")).unwrap();
        symlink(
            elsewhere.path().join(JOURNAL),
            sessions.join("b").join(JOURNAL),
        )
        .unwrap();
        assert_eq!(agent_sessions(project.path()), Vec::<String>::new());
    }
}
