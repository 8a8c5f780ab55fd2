//! The sockets of services outside of the folders that every sandbox replaces: a file system that cannot be written does
//! not keep a command from connecting to them.

use std::fs;
use std::path::{Path, PathBuf};

/// What is different in every sandbox anyway.
const REPLACED: [&str; 4] = ["/dev", "/run", "/tmp", "/var/tmp"];

/// The sockets with a path that there are now, other than in replaced folders.
pub(super) fn sockets() -> impl Iterator<Item = PathBuf> {
    let table = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let found: Vec<PathBuf> = table.lines().filter_map(path).filter_map(resolve).collect();
    found.into_iter()
}

/// The path in a line of the kernel's table: the eighth field; it may contain spaces.
fn path(line: &str) -> Option<&Path> {
    let (_, path) = line.split_once(" /")?;
    let start = line.len() - path.len() - 1;
    line.get(start..).map(Path::new)
}

/// A socket without links in its path; none if the path leads to nothing, as those of other mount namespaces do.
fn resolve(path: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(path.parent()?)
        .ok()?
        .join(path.file_name()?);
    let is_replaced = REPLACED.iter().any(|folder| path.starts_with(folder));
    (!is_replaced && is_socket(&path)).then_some(path)
}

fn is_socket(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_path_or_none() {
        let cases = [
            (
                "ffff0000: 00000002 00000000 00010000 0001 01 25 /var/lib/my service/socket",
                Some("/var/lib/my service/socket"),
            ),
            ("ffff0000: 00000003 00000000 00000000 0001 03 26", None),
            (
                "ffff0000: 00000002 00000000 00010000 0001 01 27 @/abstract",
                None,
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(path(line), expected.map(Path::new), "{line}");
        }
    }

    #[test]
    fn sockets_of_services_are_found() {
        let target = std::env::current_dir().unwrap().join("../../target");
        let folder = tempfile::tempdir_in(target.canonicalize().unwrap()).unwrap();
        let socket = folder.path().join("service");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let is_replaced = REPLACED.iter().any(|folder| socket.starts_with(folder));
        assert_eq!(sockets().any(|found| found == socket), !is_replaced);
    }
}
