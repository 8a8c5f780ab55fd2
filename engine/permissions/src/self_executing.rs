//! Files that other programs execute or obey on their own: when a folder is opened in an editor or by another agent, when
//! a shell, a debugger or a build starts in it. What an agent writes there runs later, and outside of its sandbox.

/// Folders, at any depth.
const FOLDERS: [&str; 9] = [
    ".agents",
    ".claude",
    ".cursor",
    ".devcontainer",
    ".fleet",
    ".idea",
    ".vscode",
    ".windsurf",
    ".zed",
];

/// Files in a folder of this name, at any depth.
const IN_FOLDERS: [(&str, &str); 4] = [
    (".cargo", "config"),
    (".cargo", "config.toml"),
    ("fish", "config.fish"),
    ("git", "config"),
];

/// Files, at any depth.
const FILES: [&str; 26] = [
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".cshrc",
    ".dir-locals.el",
    ".envrc",
    ".exrc",
    ".gdbinit",
    ".gitconfig",
    ".kshrc",
    ".lldbinit",
    ".login",
    ".mcp.json",
    ".mise.toml",
    ".mkshrc",
    ".nvim.lua",
    ".nvimrc",
    ".profile",
    ".tcshrc",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

const ENDING: &str = ".code-workspace";

/// Whether a program executes or obeys the file at a path, with `/` between names, on its own. Upper case does not help:
/// some file systems ignore it.
pub fn is_self_executing(path: &str) -> bool {
    let mut names = path.split('/').filter(|name| !name.is_empty()).peekable();
    let mut folder = "";
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        if is_folder(name) || is_last && (is_file(name) || is_file_in(folder, name)) {
            return true;
        }
        folder = name;
    }
    false
}

fn is_file_in(folder: &str, name: &str) -> bool {
    let mut known = IN_FOLDERS.iter();
    known.any(|(within, file)| {
        folder.eq_ignore_ascii_case(within) && name.eq_ignore_ascii_case(file)
    })
}

fn is_folder(name: &str) -> bool {
    FOLDERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn is_file(name: &str) -> bool {
    let ending = name.len().checked_sub(ENDING.len());
    FILES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || ending
            .and_then(|at| name.get(at..))
            .is_some_and(|end| end.eq_ignore_ascii_case(ENDING))
}

#[cfg(test)]
mod tests {
    use super::is_self_executing;

    #[test]
    fn editors_and_shells_run_them_at_any_depth() {
        for path in [
            ".vscode/tasks.json",
            ".vscode",
            "sub/.VSCode/settings.json",
            ".idea/workspace.xml",
            ".envrc",
            "a/b/.bashrc",
            "x.code-workspace",
            "/home/ada/.profile",
            ".claude/settings.json",
            "sub/.mcp.json",
            ".cargo/config.toml",
            ".config/fish/config.fish",
        ] {
            assert!(is_self_executing(path), "{path}");
        }
        for path in [
            "vscode/tasks.json",
            "src/.envrc.rs",
            ".envrc/readme",
            "code-workspace",
            ".github/workflows/ci.yml",
            "config.toml",
            "src/git/config.rs",
            "",
        ] {
            assert!(!is_self_executing(path), "{path}");
        }
    }
}
