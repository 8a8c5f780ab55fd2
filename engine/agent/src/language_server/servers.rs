//! Which server is for which files.

use std::path::{Path, PathBuf};

use attractor_exec::{EntryKind, find_program};

use super::rustup;
use crate::workspace::Workspace;

/// Entries of a folder that are looked at to find projects.
const MAX_ENTRIES: usize = 1_000;

/// A language server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerDefinition {
    /// Its name, for messages.
    pub name: String,
    /// The program, found on the path, and its arguments.
    pub command: Vec<String>,
    /// Extensions of its files, each with the identifier of the language in the protocol.
    pub extensions: Vec<(String, String)>,
    /// Files of which one marks a project; none if it needs no project.
    pub project_files: Vec<String>,
}

type Row = (
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

const SERVERS: &[Row] = &[
    (
        "typescript-language-server",
        &["typescript-language-server", "--stdio"],
        &[
            ("ts", "typescript"),
            ("tsx", "typescriptreact"),
            ("js", "javascript"),
            ("jsx", "javascriptreact"),
            ("mjs", "javascript"),
            ("cjs", "javascript"),
        ],
        &["package.json", "tsconfig.json"],
    ),
    (
        "pyright",
        &["pyright-langserver", "--stdio"],
        &[("py", "python"), ("pyi", "python")],
        &["pyproject.toml", "requirements.txt"],
    ),
    (
        "rust-analyzer",
        &["rust-analyzer"],
        &[("rs", "rust")],
        &["Cargo.toml"],
    ),
    ("gopls", &["gopls"], &[("go", "go")], &["go.mod"]),
    (
        "vscode-json-language-server",
        &["vscode-json-language-server", "--stdio"],
        &[("json", "json"), ("jsonc", "jsonc")],
        &[],
    ),
];

/// The servers that are known without configuration.
pub fn built_in_servers() -> Vec<ServerDefinition> {
    let texts = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
    SERVERS
        .iter()
        .map(
            |(name, command, extensions, project_files)| ServerDefinition {
                name: (*name).to_owned(),
                command: texts(command),
                extensions: extensions
                    .iter()
                    .map(|(extension, language)| ((*extension).to_owned(), (*language).to_owned()))
                    .collect(),
                project_files: texts(project_files),
            },
        )
        .collect()
}

/// The servers of use in a workspace: installed on this machine, with a project at the root or in a folder there.
pub fn detected_servers(workspace: &Workspace) -> Vec<ServerDefinition> {
    let mut servers = built_in_servers();
    servers.retain(|server| server.is_installed() && server.has_project(workspace));
    servers
}

impl ServerDefinition {
    /// Whether its program is on the path, and more than a proxy of rustup for a component that no toolchain has.
    pub fn is_installed(&self) -> bool {
        let program = self.command.first();
        program.is_some_and(|name| {
            find_program(name).is_some_and(|program| rustup::is_installed(name, &program))
        })
    }

    /// Whether the root, or a folder in it, has one of its project files; for a server without any, one of its files.
    fn has_project(&self, workspace: &Workspace) -> bool {
        let list = |below: &Path| {
            let listed = workspace.list(below, MAX_ENTRIES);
            listed.map(|(entries, _)| entries).unwrap_or_default()
        };
        let is_of_project = |name: &str| {
            if self.project_files.is_empty() {
                self.language(Path::new(name)).is_some()
            } else {
                self.project_files.iter().any(|file| file == name)
            }
        };
        let has_file = |below: &Path| {
            let entries = list(below);
            let mut names = entries.iter().filter_map(|entry| entry.name.to_str());
            names.any(is_of_project)
        };
        let root = Path::new("");
        let is_folder = |kind: EntryKind| kind == EntryKind::Directory;
        has_file(root)
            || list(root)
                .iter()
                .filter(|entry| is_folder(entry.kind))
                .any(|entry| has_file(Path::new(&entry.name)))
    }

    /// The identifier of the language of a file; none if it is not for the server.
    pub(super) fn language(&self, path: &Path) -> Option<&str> {
        let extension = path.extension()?.to_str()?;
        let mut known = self.extensions.iter();
        let (_, language) = known.find(|(known, _)| known.eq_ignore_ascii_case(extension))?;
        Some(language)
    }

    /// The outermost folder, between a file and the root of the workspace, with a project of the server. Relative to
    /// the root; `exists` says whether there is a file.
    pub(super) fn project(&self, path: &Path, exists: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        if self.project_files.is_empty() {
            return Some(PathBuf::new());
        }
        let folders: Vec<&Path> = path.ancestors().skip(1).collect();
        let has_project = |folder: &&&Path| {
            let mut files = self.project_files.iter();
            files.any(|file| exists(&folder.join(file)))
        };
        folders
            .iter()
            .rev()
            .find(has_project)
            .map(|folder| folder.to_path_buf())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_are_found_at_the_root_and_in_its_folders() {
        let found = |files: &[&str]| {
            let folder = tempfile::tempdir().unwrap();
            for file in files {
                let path = folder.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "").unwrap();
            }
            let workspace = Workspace::open(folder.path()).unwrap();
            let servers = built_in_servers().into_iter();
            let servers = servers.filter(|server| server.has_project(&workspace));
            let names: Vec<String> = servers.map(|server| server.name).collect();
            names.join(" ")
        };
        assert_eq!(found(&["Cargo.toml", "go.mod"]), "rust-analyzer gopls");
        assert_eq!(found(&["api/pyproject.toml"]), "pyright");
        assert_eq!(found(&["a/b/Cargo.toml", "README.md"]), "");
        assert_eq!(found(&["data.json"]), "vscode-json-language-server");
    }

    #[test]
    fn files_have_the_servers_of_their_projects() {
        let servers = built_in_servers();
        let server = |path: &str, projects: &[&str]| {
            let path = Path::new(path);
            let server = servers.iter().find(|one| one.language(path).is_some())?;
            let exists = |file: &Path| projects.iter().any(|one| Path::new(one) == file);
            let project = server.project(path, exists)?;
            Some(format!("{} in `{}`", server.name, project.display()))
        };
        let found = |path, projects: &[&str]| server(path, projects).unwrap_or_default();
        assert_eq!(found("src/a.rs", &["Cargo.toml"]), "rust-analyzer in ``");
        assert_eq!(
            found("x/y/a.rs", &["x/Cargo.toml", "x/y/Cargo.toml"]),
            "rust-analyzer in `x`"
        );
        assert_eq!(found("a.rs", &["go.mod"]), "");
        assert_eq!(found("a.py", &["requirements.txt"]), "pyright in ``");
        assert_eq!(
            found("web/a.tsx", &["web/package.json"]),
            "typescript-language-server in `web`"
        );
        assert_eq!(found("main.go", &["go.mod"]), "gopls in ``");
        assert_eq!(found("a.json", &[]), "vscode-json-language-server in ``");
        assert_eq!(found("a.txt", &["Cargo.toml"]), "");
    }
}
