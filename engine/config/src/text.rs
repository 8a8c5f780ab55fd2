//! The text of a configuration file. A file that is there and cannot be read is not the same as none: a policy would be
//! silently gone.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Larger files are not read.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a file, or why it cannot be read; `None` where there is no file. Never waits, as a pipe would have it.
pub(crate) fn read(path: &Path) -> Option<Result<String, String>> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if is_absent(&error) => return dangling(path).map(Err),
        Err(error) => return Some(Err(error.to_string())),
    };
    if !found.is_file() {
        return Some(Err("it is not a regular file".to_owned()));
    }
    Some(text(path).map_err(|error| error.to_string()))
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    // It may have grown since it was looked at.
    let most = MAX_BYTES.saturating_add(1);
    let read = File::open(path)?.take(most).read_to_string(&mut text)?;
    if u64::try_from(read).is_ok_and(|read| read > MAX_BYTES) {
        return Err(io::Error::other("it has more than 1 MiB"));
    }
    Ok(text)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Why a file that cannot be found is not just absent.
fn dangling(path: &Path) -> Option<String> {
    if path.is_symlink() {
        return Some("it is a link that leads nowhere".to_owned());
    }
    let folder = path.parent()?;
    let is_there = fs::symlink_metadata(folder).is_ok();
    (is_there && !folder.is_dir()).then(|| format!("`{}` is not a folder", folder.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn a_file_that_is_there_is_read_or_a_problem() {
        type Make = fn(&Path);
        let cases: [(&str, Make); 8] = [
            ("none", |_| {}),
            ("text x", |path| fs::write(path, "x").unwrap()),
            ("it is a link that leads nowhere", |path| {
                symlink("nowhere", path).unwrap();
            }),
            ("it is not a regular file", |path| {
                fs::create_dir(path).unwrap();
            }),
            ("it is not a regular file", |path| {
                symlink("/dev/zero", path).unwrap();
            }),
            ("it is not a regular file", |path| {
                assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
            }),
            ("it has more than 1 MiB", |path| {
                fs::write(path, vec![b'#'; (1 << 20) + 1]).unwrap();
            }),
            ("stream did not contain valid UTF-8", |path| {
                fs::write(path, [0xff]).unwrap();
            }),
        ];
        for (expected, make) in cases {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("config.toml");
            make(&path);
            let found = match read(&path) {
                None => "none".to_owned(),
                Some(Ok(text)) => format!("text {text}"),
                Some(Err(reason)) => reason,
            };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_folder_that_leads_nowhere_or_is_a_file_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(".attractor");
        symlink("nowhere", &own).unwrap();
        assert!(read(&own.join("config.toml")).unwrap().is_err());
        fs::remove_file(&own).unwrap();
        fs::write(&own, "").unwrap();
        assert!(read(&own.join("config.toml")).unwrap().is_err());
        // A pipeline is not a folder with a configuration.
        assert_eq!(read(&own.join(".attractor/config.toml")), None);
    }

    #[test]
    fn permissions_are_no_reason_to_have_no_policy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, "x").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
        // Root reads it all the same.
        let is_root = File::open(&path).is_ok();
        assert_eq!(read(&path).unwrap().is_ok(), is_root);
    }
}
