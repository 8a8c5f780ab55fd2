//! Taking files and folders out of a root directory, and putting links and files back.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rustix::fs::{AtFlags, CWD};
use rustix::io::Errno;

use super::{EntryKind, RootDirectory};

impl RootDirectory {
    /// Moves a file, a link or a folder to an absolute path, whose folder is made. On another file system a regular file
    /// is copied.
    ///
    /// # Errors
    /// It does not exist, or is neither a regular file nor on the file system of the target.
    pub fn move_out(&self, below: &Path, target: &Path) -> io::Result<()> {
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        let (parent, name) = self.parent(below)?;
        match rustix::fs::renameat(&parent, name, CWD, target) {
            Err(Errno::XDEV) => {
                io::copy(&mut self.open_file(below)?, &mut File::create_new(target)?)?;
                self.remove_file(below)
            }
            moved => Ok(moved?),
        }
    }

    /// Moves a file, a link or a folder to a path of another root, or of this one.
    ///
    /// # Errors
    /// It does not exist, or the folder of the target does not.
    pub fn rename(&self, below: &Path, other: &Self, target: &Path) -> io::Result<()> {
        let (from, name) = self.parent(below)?;
        let (to, new_name) = other.parent(target)?;
        Ok(rustix::fs::renameat(&from, name, &to, new_name)?)
    }

    /// Removes a file, a link, or a folder with all that is in it.
    ///
    /// # Errors
    /// It does not exist, or something in it cannot be removed.
    pub fn remove_all(&self, below: &Path) -> io::Result<()> {
        if self.kind(below)? != EntryKind::Directory {
            return self.remove_file(below);
        }
        let (entries, _) = self.list(below, usize::MAX)?;
        for entry in entries {
            self.remove_all(&below.join(entry.name))?;
        }
        let (parent, name) = self.parent(below)?;
        Ok(rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR)?)
    }

    /// Makes a symbolic link.
    ///
    /// # Errors
    /// Its folder does not exist, or something has its name.
    pub fn create_link(&self, below: &Path, target: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(below)?;
        Ok(rustix::fs::symlinkat(target, &parent, name)?)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// `root/` with a folder, a link in it, and `root/out`, a link to a folder next to it.
    fn fixture() -> (tempfile::TempDir, RootDirectory) {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("root");
        fs::create_dir_all(inside.join("src/deep")).unwrap();
        fs::create_dir(folder.path().join("outside")).unwrap();
        fs::write(folder.path().join("outside/kept.txt"), "kept").unwrap();
        fs::write(inside.join("src/deep/a.txt"), "a").unwrap();
        symlink("../../outside", inside.join("src/link")).unwrap();
        symlink("../outside", inside.join("out")).unwrap();
        let root = RootDirectory::open(&inside).unwrap();
        (folder, root)
    }

    #[test]
    fn what_a_link_leads_to_stays() {
        let (folder, root) = fixture();
        let kept = folder.path().join("outside/kept.txt");
        let aside = folder.path().join("aside/kept.txt");
        let through_link = Path::new("out/kept.txt");
        assert!(root.move_out(through_link, &aside).is_err());
        assert!(root.remove_all(through_link).is_err());
        assert!(
            root.create_link(Path::new("out/x"), Path::new("y"))
                .is_err()
        );
        assert!(root.rename(through_link, &root, Path::new("x")).is_err());
        assert!(
            root.rename(Path::new("src"), &root, Path::new("out/src"))
                .is_err()
        );
        root.remove_all(Path::new("src")).unwrap();
        assert!(!root.path().join("src").exists());
        assert_eq!(fs::read_to_string(kept).unwrap(), "kept");
    }

    #[test]
    fn folders_and_links_are_moved_as_they_are() {
        let (folder, root) = fixture();
        let aside = folder.path().join("aside");
        root.move_out(Path::new("src/deep"), &aside.join("src/deep"))
            .unwrap();
        root.move_out(Path::new("src/link"), &aside.join("src/link"))
            .unwrap();
        assert_eq!(
            fs::read_to_string(aside.join("src/deep/a.txt")).unwrap(),
            "a"
        );
        assert_eq!(
            fs::read_link(aside.join("src/link")).unwrap(),
            Path::new("../../outside")
        );
        assert_eq!(fs::read_dir(root.path().join("src")).unwrap().count(), 0);
    }
}
