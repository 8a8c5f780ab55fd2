//! Which server is for which files.

use std::path::{Path, PathBuf};

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

impl ServerDefinition {
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
