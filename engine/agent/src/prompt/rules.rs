//! Rules of the project and the user, in Markdown files. Those with the higher priority come last.

use std::fs;
use std::path::Path;

use attractor_exec::open_beneath;

/// Rules of the project below its folder, by priority: the lowest first.
const LEGACY: &[&str] = &[".agent/rules.md"];
const USER: &[&str] = &[".attocode/rules.md", ".attractor/rules.md"];
const PROJECT: &[&str] = &[".attocode/rules.md", ".attractor/rules.md"];

/// How much of a file is read, in bytes.
const LIMIT: u64 = 32 * 1024;

/// Reads the rules. Empty files and files that cannot be read are left out.
pub fn load_rules(root: &Path, home: Option<&Path>) -> String {
    let legacy = LEGACY.iter().filter_map(|path| read(root, path));
    let user = USER.iter().filter_map(|path| read(home?, path));
    let project = PROJECT.iter().filter_map(|path| read(root, path));
    let rules: Vec<String> = legacy.chain(user).chain(project).collect();
    rules.join("\n\n---\n\n")
}

/// The rules of the project in that order: path below its folder, and text.
pub fn project_rules(root: &Path) -> Vec<(String, String)> {
    let paths = LEGACY.iter().chain(PROJECT);
    let read = paths.filter_map(|path| Some(((*path).to_owned(), read(root, path)?)));
    read.collect()
}

fn read(folder: &Path, path: &str) -> Option<String> {
    use std::io::Read;

    let file = open_beneath(folder, Path::new(path)).ok()?;
    if !file.metadata().as_ref().is_ok_and(fs::Metadata::is_file) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LIMIT).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_the_project_come_last() {
        let (project, user) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |folder: &tempfile::TempDir, path: &str, text: &[u8]| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(load_rules(project.path(), Some(user.path())), "");
        write(&project, ".attractor/rules.md", b"project\n");
        write(&project, ".agent/rules.md", b"legacy");
        write(&project, ".attocode/rules.md", b" \n");
        write(&user, ".attractor/rules.md", b"user \xff");
        assert_eq!(
            load_rules(project.path(), Some(user.path())),
            "legacy\n\n---\n\nuser \u{fffd}\n\n---\n\nproject"
        );
        assert_eq!(load_rules(project.path(), None), "legacy\n\n---\n\nproject");
    }
}
