//! A folder held open. Files in it are read and changed through its handle, so that nothing leads out of it: no `..`,
//! no absolute path, no symbolic link, and no folder that is swapped for a link between the check and the use.
//!
//! [`RootDirectory::resolve`] turns a path as a person or a model writes it into the real path beneath the root. All
//! other functions take such a real path and follow no link at all. A file is replaced by a rename, which breaks hard
//! links: the file that shares its content, possibly outside, keeps its own.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::platform::files;

mod take;

/// A folder, held open.
#[derive(Debug)]
pub struct RootDirectory {
    path: PathBuf,
    handle: OwnedFd,
}

/// Why a path is refused.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// It leads out of the root.
    #[error("it is outside the folder")]
    Outside,
    /// It goes up from a folder that does not exist.
    #[error("it contains `..` after a folder that does not exist")]
    Parent,
    /// It is a symbolic link to something that does not exist.
    #[error("it is a symbolic link to a file that does not exist")]
    Dangling,
    /// The system refuses it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// Its name.
    pub name: OsString,
    /// What it is; a link is not followed.
    pub kind: EntryKind,
    /// Its size in bytes.
    pub size: u64,
}

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link.
    Link,
    /// A device, a FIFO, a socket.
    Special,
}

impl From<FileType> for EntryKind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Link,
            _ => Self::Special,
        }
    }
}

impl RootDirectory {
    /// Opens a folder.
    ///
    /// # Errors
    /// It does not exist or is not a folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let handle = rustix::fs::open(&path, DIRECTORY, Mode::empty())?;
        Ok(Self { path, handle })
    }

    /// Its absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path relative to the root, without links and `..`, of a file that need not exist. A relative path begins at
    /// the root.
    ///
    /// # Errors
    /// It leads out of the root, or cannot be followed.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        // An absolute path replaces the base; what counts is where it really leads.
        let absolute = self.path.join(path);
        let mut existing = absolute.as_path();
        let mut missing = Vec::new();
        let real = loop {
            match fs::canonicalize(existing) {
                Ok(real) => break real,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if fs::symlink_metadata(existing).is_ok_and(|found| found.is_symlink()) {
                        return Err(ResolveError::Dangling);
                    }
                    missing.push(existing.file_name().ok_or(ResolveError::Parent)?);
                    existing = existing.parent().ok_or(ResolveError::Outside)?;
                }
                Err(error) => return Err(error.into()),
            }
        };
        let below = real.strip_prefix(&self.path);
        let mut below = below.map_err(|_| ResolveError::Outside)?.to_owned();
        below.extend(missing.into_iter().rev());
        Ok(below)
    }

    /// Opens a regular file for reading. Never waits for the writer of a FIFO.
    ///
    /// # Errors
    /// It does not exist, or is a folder or a special file.
    pub fn open_file(&self, below: &Path) -> io::Result<File> {
        let (parent, name) = self.parent(below)?;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | STRICT;
        let file = rustix::fs::openat(&parent, name, flags, Mode::empty())?;
        match kind_of(&rustix::fs::fstat(&file)?) {
            EntryKind::File => Ok(File::from(file)),
            EntryKind::Directory => Err(io::ErrorKind::IsADirectory.into()),
            EntryKind::Link | EntryKind::Special => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is not a regular file but a device, a FIFO or a socket",
            )),
        }
    }

    /// What lies at a path; a link is not followed.
    ///
    /// # Errors
    /// It does not exist.
    pub fn kind(&self, below: &Path) -> io::Result<EntryKind> {
        if below.as_os_str().is_empty() {
            return Ok(EntryKind::Directory);
        }
        let (parent, name) = self.parent(below)?;
        let found = rustix::fs::statat(&parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(kind_of(&found))
    }

    /// The entries of a folder, at most `most` of them, in the order of the file system, and whether there are more.
    ///
    /// # Errors
    /// It does not exist or is not a folder.
    pub fn list(&self, below: &Path, most: usize) -> io::Result<(Vec<DirectoryEntry>, bool)> {
        let directory = self.open_directory(below)?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&directory)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            if entries.len() == most {
                return Ok((entries, true));
            }
            // An entry that was removed meanwhile is left out.
            let Ok(found) = rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            entries.push(DirectoryEntry {
                name: name.to_owned(),
                kind: kind_of(&found),
                size: u64::try_from(found.st_size).unwrap_or_default(),
            });
        }
        Ok((entries, false))
    }

    /// Makes a folder and those above it that do not exist.
    ///
    /// # Errors
    /// Something on the way is not a folder.
    pub fn create_directories(&self, below: &Path) -> io::Result<()> {
        let mut directory = self.open_directory(Path::new(""))?;
        for name in names(below)? {
            match rustix::fs::mkdirat(&directory, name, Mode::from(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            directory = rustix::fs::openat(&directory, name, DIRECTORY | STRICT, Mode::empty())?;
        }
        Ok(())
    }

    /// Puts a whole file in place: all of it or, after any failure, what was there before. It has the permissions of the
    /// file it replaces; a new one has those of `mode`, by default those of any new file.
    ///
    /// # Errors
    /// Its folder does not exist, something else than a regular file has its name, or the disk is full.
    pub fn replace(&self, below: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        let (parent, name) = self.parent(below)?;
        let mode = match rustix::fs::statat(&parent, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) if kind_of(&found) == EntryKind::File => {
                Some(Mode::from_raw_mode(found.st_mode))
            }
            Ok(_) => return Err(io::Error::other("it is not a regular file")),
            Err(Errno::NOENT) => mode.map(files::mode),
            Err(error) => return Err(error.into()),
        };
        let temporary = OsString::from(format!(".attractor-{}.tmp", ulid::Ulid::generate()));
        let placed = write_new(&parent, &temporary, content, mode)
            .and_then(|()| Ok(rustix::fs::renameat(&parent, &temporary, &parent, name)?));
        if placed.is_err() {
            // What cannot be removed on a failing disk is a hidden file next to the old one, which is intact.
            let _ = rustix::fs::unlinkat(&parent, &temporary, AtFlags::empty());
        }
        placed
    }

    /// Removes a file or a link.
    ///
    /// # Errors
    /// It does not exist or is a folder.
    pub fn remove_file(&self, below: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(below)?;
        Ok(rustix::fs::unlinkat(&parent, name, AtFlags::empty())?)
    }

    /// The folder of a file, open, and the file's name in it.
    fn parent<'a>(&self, below: &'a Path) -> io::Result<(OwnedFd, &'a OsStr)> {
        let name = names(below)?.last().copied();
        let name = name.ok_or(io::ErrorKind::IsADirectory)?;
        let parent = below.parent().unwrap_or(Path::new(""));
        Ok((self.open_directory(parent)?, name))
    }

    /// Opens a folder without following a link.
    fn open_directory(&self, below: &Path) -> io::Result<OwnedFd> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{ResolveFlags, openat2};
            let path = if below.as_os_str().is_empty() {
                Path::new(".")
            } else {
                below
            };
            let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            match openat2(&self.handle, path, DIRECTORY, Mode::empty(), beneath) {
                Ok(directory) => return Ok(directory),
                // A kernel or a sandbox without `openat2`.
                Err(Errno::NOSYS | Errno::PERM) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.walk_to(below)
    }

    /// Opens a folder step by step, none of which may be a link.
    fn walk_to(&self, below: &Path) -> io::Result<OwnedFd> {
        let mut directory = self.handle.try_clone()?;
        for name in names(below)? {
            directory = rustix::fs::openat(&directory, name, DIRECTORY | STRICT, Mode::empty())?;
        }
        // A handle of its own: the position in the list of entries belongs to it.
        Ok(rustix::fs::openat(
            &directory,
            ".",
            DIRECTORY,
            Mode::empty(),
        )?)
    }
}

const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
const STRICT: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);

/// The names of a real path.
fn names(below: &Path) -> io::Result<Vec<&OsStr>> {
    below
        .components()
        .map(|part| match part {
            Component::Normal(name) => Ok(name),
            _ => Err(io::Error::from(io::ErrorKind::PermissionDenied)),
        })
        .collect()
}

fn kind_of(found: &Stat) -> EntryKind {
    FileType::from_raw_mode(found.st_mode).into()
}

/// Writes a file that must not exist yet, durably.
fn write_new(parent: &OwnedFd, name: &OsStr, content: &[u8], mode: Option<Mode>) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | STRICT;
    let file = rustix::fs::openat(parent, name, flags, Mode::from(0o666))?;
    if let Some(mode) = mode {
        rustix::fs::fchmod(&file, mode)?;
    }
    let mut file = File::from(file);
    file.write_all(content)?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    struct Fixture {
        folder: tempfile::TempDir,
        root: RootDirectory,
    }

    /// `root/` with a file and a folder, next to a file outside.
    fn fixture() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("root");
        fs::create_dir_all(inside.join("src")).unwrap();
        fs::write(inside.join("src/a.txt"), "a").unwrap();
        fs::write(folder.path().join("outside.txt"), "outside").unwrap();
        let root = RootDirectory::open(&inside).unwrap();
        Fixture { folder, root }
    }

    impl Fixture {
        fn resolve(&self, path: &str) -> String {
            match self.root.resolve(Path::new(path)) {
                Ok(path) => path.display().to_string(),
                Err(error) => format!("refused: {error}"),
            }
        }

        fn outside(&self) -> String {
            fs::read_to_string(self.folder.path().join("outside.txt")).unwrap()
        }
    }

    #[test]
    fn paths_resolve_to_where_they_really_lead() {
        let one = fixture();
        let inside = one.root.path().to_owned();
        symlink("src", inside.join("link")).unwrap();
        assert_eq!(one.resolve("src/a.txt"), "src/a.txt");
        assert_eq!(one.resolve("./src/../src/a.txt"), "src/a.txt");
        assert_eq!(one.resolve("link/a.txt"), "src/a.txt");
        assert_eq!(one.resolve("link/new/b.txt"), "src/new/b.txt");
        assert_eq!(
            one.resolve(inside.join("src/a.txt").to_str().unwrap()),
            "src/a.txt"
        );
        assert_eq!(one.resolve("."), "");
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        let one = fixture();
        let inside = one.root.path().to_owned();
        symlink("../outside.txt", inside.join("out")).unwrap();
        symlink("/", inside.join("slash")).unwrap();
        symlink("/proc/self/root", inside.join("magic")).unwrap();
        symlink("/nowhere/at/all", inside.join("dangling")).unwrap();
        let outside = one.folder.path().join("outside.txt");
        for path in [
            "../outside.txt",
            "src/../../outside.txt",
            outside.to_str().unwrap(),
            "/etc/passwd",
            "/proc/self/root/etc/passwd",
            "out",
            "slash/etc/passwd",
            "slash/etc/new-file",
            "magic/etc/passwd",
            "../root-of-another-name/file",
        ] {
            assert_eq!(
                one.resolve(path),
                "refused: it is outside the folder",
                "{path}"
            );
        }
        let dangling = "refused: it is a symbolic link to a file that does not exist";
        assert_eq!(one.resolve("dangling"), dangling);
        assert!(one.resolve("missing/../../x").starts_with("refused"));
    }

    /// What an attacker reaches by swapping a folder for a link after the path was resolved.
    #[test]
    fn a_folder_swapped_for_a_link_is_not_followed() {
        let one = fixture();
        let real = one.root.resolve(Path::new("src/outside.txt")).unwrap();
        let inside = one.root.path();
        fs::rename(inside.join("src"), inside.join("moved")).unwrap();
        symlink("..", inside.join("src")).unwrap();
        assert!(one.root.open_file(&real).is_err());
        assert!(one.root.replace(&real, b"attack", None).is_err());
        assert!(one.root.remove_file(&real).is_err());
        assert!(one.root.create_directories(Path::new("src/x")).is_err());
        assert!(one.root.walk_to(Path::new("src")).is_err());
        assert!(one.root.list(Path::new("src"), 9).is_err());
        assert_eq!(one.outside(), "outside");
    }

    #[test]
    fn a_link_in_place_of_the_file_is_not_followed() {
        let one = fixture();
        let inside = one.root.path();
        symlink("../outside.txt", inside.join("x")).unwrap();
        assert!(one.root.open_file(Path::new("x")).is_err());
        assert!(one.root.replace(Path::new("x"), b"attack", None).is_err());
        for path in ["../outside.txt", "/etc/passwd", "src/../../outside.txt"] {
            assert!(one.root.open_file(Path::new(path)).is_err(), "{path}");
            assert!(one.root.replace(Path::new(path), b"attack", None).is_err());
        }
        assert_eq!(one.outside(), "outside");
    }

    #[test]
    fn a_hard_link_to_a_file_outside_is_not_written_through() {
        let one = fixture();
        let outside = one.folder.path().join("outside.txt");
        fs::hard_link(&outside, one.root.path().join("x")).unwrap();
        one.root.replace(Path::new("x"), b"changed", None).unwrap();
        assert_eq!(one.outside(), "outside");
    }

    #[test]
    fn a_replaced_file_has_the_permissions_of_the_old_one() {
        let one = fixture();
        let file = one.root.path().join("src/a.txt");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o750)).unwrap();
        one.root
            .replace(Path::new("src/a.txt"), b"new", None)
            .unwrap();
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o750
        );
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn a_fifo_is_refused_without_waiting() {
        let one = fixture();
        let fifo = one.root.path().join("fifo");
        assert!(
            Command::new("mkfifo")
                .arg(&fifo)
                .status()
                .unwrap()
                .success()
        );
        let error = one.root.open_file(Path::new("fifo")).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
        assert!(one.root.replace(Path::new("fifo"), b"", None).is_err());
    }

    #[test]
    fn folders_are_made_and_listed() {
        let one = fixture();
        one.root.create_directories(Path::new("src/b/c")).unwrap();
        one.root.create_directories(Path::new("src/b/c")).unwrap();
        let names = |most| {
            let (mut entries, more) = one.root.list(Path::new("src"), most).unwrap();
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            let names: Vec<_> = entries
                .iter()
                .map(|one| (one.name.to_str().unwrap().to_owned(), one.kind, one.size))
                .map(|(name, kind, size)| match kind {
                    EntryKind::File => format!("{name} {size}"),
                    kind => format!("{name} {kind:?}"),
                })
                .collect();
            (names.join(", "), more)
        };
        assert_eq!(names(9), ("a.txt 1, b Directory".to_owned(), false));
        assert!(names(1).1);
    }

    /// The name of the test that writes more than it may.
    const WRITES_TOO_MUCH: &str = "root::tests::writes_more_than_the_disk_takes";

    #[test]
    #[ignore = "runs within the limit that a_full_disk_leaves_the_old_file sets"]
    fn writes_more_than_the_disk_takes() {
        let Some(folder) = std::env::var_os("ATTRACTOR_TEST_FULL_DISK") else {
            return;
        };
        let root = RootDirectory::open(Path::new(&folder)).unwrap();
        let error = root.replace(Path::new("a.txt"), &vec![b'x'; 1 << 20], None);
        assert!(error.is_err());
    }

    #[test]
    fn a_full_disk_leaves_the_old_file() {
        let one = fixture();
        let inside = one.root.path().join("src");
        let script = format!(
            "trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact {WRITES_TOO_MUCH} --ignored --nocapture"
        );
        let run = Command::new("sh")
            .args(["-c", &script])
            .arg(std::env::current_exe().unwrap())
            .env("ATTRACTOR_TEST_FULL_DISK", &inside)
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
        assert!(
            String::from_utf8_lossy(&run.stdout).contains("1 passed"),
            "{run:?}"
        );
        assert_eq!(fs::read_to_string(inside.join("a.txt")).unwrap(), "a");
        assert_eq!(fs::read_dir(&inside).unwrap().count(), 1);
    }
}
