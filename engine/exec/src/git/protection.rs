//! Files that Git does not touch for an agent: what this program, editors and shells obey. Which files a call would
//! change is found out before it is made, since a part of a call cannot be taken back.
//!
//! What exists of these files is also mounted so that the call cannot write it, and what a call creates nevertheless is
//! undone or set aside as if the command had written it itself.

use std::fs;
use std::path::{Path, PathBuf};

use attractor_permissions::{is_protected, is_self_executing};

use super::call::{Call, Git};
use super::request::Request;

/// What of a workspace is protected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Protection<'p> {
    pub(super) root: &'p Path,
    /// What is there already, and no command can write.
    pub(super) kept: &'p [PathBuf],
}

/// Calls that list the paths that another one is about.
type Lists = Vec<Vec<String>>;

impl Protection<'_> {
    /// Refuses a call that would change a protected file, or record one that a command may have written.
    pub(super) async fn check(&self, request: &Request, git: &Git<'_>) -> Result<(), String> {
        let top = git.repository.work_tree();
        let only_records = matches!(request.subcommand.name, "add" | "commit");
        // A folder that is moved takes all with it that it has.
        let moves = request.subcommand.name == "mv";
        let mut named = request.paths.iter().filter(|_| !only_records);
        if let Some(path) = named.find(|path| self.keeps(path) || moves && self.has_kept(path)) {
            return Err(self.refusal(path, request));
        }
        for list in lists(request, git).await? {
            let listed = git.text(Call::read(top, list)).await;
            let listed = listed.map_err(|error| error.to_string())?;
            let mut paths = listed.split('\0').filter(|path| !path.is_empty());
            let refused = paths.find_map(|path| {
                let path = top.join(path);
                let is_refused = if only_records {
                    self.is_of_a_command(&path)
                } else {
                    // A file may replace a folder.
                    self.keeps(&path) || self.has_kept(&path)
                };
                is_refused.then_some(path)
            });
            if let Some(path) = refused {
                return Err(self.refusal(&path, request));
            }
        }
        Ok(())
    }

    fn refusal(&self, path: &Path, request: &Request) -> String {
        format!(
            "`{}` is write-protected, and so not for `git {}`; name other files, or leave it to a person",
            path.strip_prefix(self.root).unwrap_or(path).display(),
            request.subcommand.name
        )
    }

    /// Whether a path, or where links lead it, is protected.
    fn keeps(&self, path: &Path) -> bool {
        let real = real_path(path);
        self.is_protected(path)
            || self.is_protected(&real)
            || self.kept.iter().any(|kept| real.starts_with(kept))
    }

    /// Whether something in a folder is protected.
    fn has_kept(&self, path: &Path) -> bool {
        self.kept.iter().any(|kept| kept.starts_with(path))
    }

    /// Whether a protected file is there that was not from the beginning.
    fn is_of_a_command(&self, path: &Path) -> bool {
        let is_kept = self.kept.iter().any(|kept| path.starts_with(kept));
        self.is_protected(path) && !is_kept && fs::symlink_metadata(path).is_ok()
    }

    fn is_protected(&self, path: &Path) -> bool {
        let Ok(below) = path.strip_prefix(self.root) else {
            return false;
        };
        is_protected(below) || is_self_executing(&below.to_string_lossy())
    }
}

/// Where a path leads, as far as it exists.
fn real_path(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        if let Ok(real) = fs::canonicalize(existing) {
            let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
            // An empty path would add a separator.
            let has_rest = rest.components().next().is_some();
            return if has_rest { real.join(rest) } else { real };
        }
    }
    path.to_owned()
}

/// What lists the paths that a call is about.
async fn lists(request: &Request, git: &Git<'_>) -> Result<Lists, String> {
    let named = |arguments: &[&str]| with_paths(arguments, &request.paths);
    Ok(match request.subcommand.name {
        "add" => {
            let mut arguments = vec!["ls-files", "-z", "-m"];
            if !request.has(&["-u", "--update"]) {
                arguments.push("-o");
            }
            if !request.has(&["-f", "--force"]) {
                arguments.push("--exclude-standard");
            }
            vec![named(&arguments)]
        }
        "commit" if request.touches_contents() => vec![named(&["ls-files", "-z", "-m"])],
        "rm" | "mv" => vec![named(&["ls-files", "-z", "-c"])],
        "restore" => restored(request, git).await?,
        "stash" => stashed(request, git).await?,
        "switch" => switched(request, git).await?,
        _ => Lists::new(),
    })
}

/// With the paths that a call names; all without any.
fn with_paths(arguments: &[&str], paths: &[PathBuf]) -> Vec<String> {
    let arguments = arguments.iter().copied().chain(["--"]).map(str::to_owned);
    let mut paths: Vec<String> = paths
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    if paths.is_empty() {
        paths.push(".".to_owned());
    }
    arguments.chain(paths).collect()
}

/// The arguments of `git diff` that list paths.
fn diff<'a>(of: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["diff", "--name-only", "--no-renames", "-z"];
    fixed.into_iter().chain(of.iter().copied()).collect()
}

async fn restored(request: &Request, git: &Git<'_>) -> Result<Lists, String> {
    let source = match request.value(&["-s", "--source"]) {
        Some(name) => Some(tree(name, git).await.ok_or_else(|| unknown(name))?),
        None => None,
    };
    let source = source.as_deref();
    let is_staged = request.has(&["-S", "--staged"]);
    let mut all = Lists::new();
    if !is_staged || request.has(&["-W", "--worktree"]) {
        let of: Vec<&str> = source.into_iter().collect();
        all.push(with_paths(&diff(&of), &request.paths));
    }
    if is_staged {
        let of: Vec<&str> = ["--cached"].into_iter().chain(source).collect();
        all.push(with_paths(&diff(&of), &request.paths));
    }
    Ok(all)
}

async fn stashed(request: &Request, git: &Git<'_>) -> Result<Lists, String> {
    let action = request.names.first().map_or("push", String::as_str);
    if action == "push" {
        let mut all = vec![
            with_paths(&diff(&["HEAD"]), &request.paths),
            with_paths(&diff(&["--cached", "HEAD"]), &request.paths),
        ];
        if request.has(&["-u", "--include-untracked"]) {
            let untracked = ["ls-files", "-z", "-o", "--exclude-standard"];
            all.push(with_paths(&untracked, &request.paths));
        }
        return Ok(all);
    }
    if action == "drop" {
        return Ok(Lists::new());
    }
    let named = request.names.get(1).map_or("0", String::as_str);
    let name = if named.chars().all(|c| c.is_ascii_digit()) {
        format!("stash@{{{named}}}")
    } else {
        named.to_owned()
    };
    let base = tree(&format!("{name}^1"), git)
        .await
        .ok_or_else(|| unknown(&name))?;
    let mut all = Lists::new();
    for part in [name.clone(), format!("{name}^2")] {
        if let Some(changed) = tree(&part, git).await {
            all.push(with_paths(&diff(&[&base, &changed]), &[]));
        }
    }
    if let Some(untracked) = tree(&format!("{name}^3"), git).await {
        all.push(files_of(&untracked));
    }
    Ok(all)
}

async fn switched(request: &Request, git: &Git<'_>) -> Result<Lists, String> {
    let creates = request.has(&["-c", "--create", "-C", "--force-create"]);
    let name = match request.names.first().map(String::as_str) {
        Some("-") => "@{-1}",
        Some(name) => name,
        None if creates => return Ok(Lists::new()),
        None => return Err("name a branch".to_owned()),
    };
    let mut targets: Vec<String> = tree(name, git).await.into_iter().collect();
    if targets.is_empty() && !creates {
        // Git creates a branch that a remote has.
        let list = ["for-each-ref", "--format=%(tree)"].map(str::to_owned);
        let list = list.into_iter().chain([format!("refs/remotes/*/{name}")]);
        let found = git.text(Call::read(git.repository.work_tree(), list)).await;
        let found = found.map_err(|error| error.to_string())?;
        targets.extend(found.lines().filter(|line| is_id(line)).map(str::to_owned));
    }
    if targets.is_empty() {
        return Err(unknown(name));
    }
    let head = tree("HEAD", git).await;
    let lists = targets.iter().map(|target| match &head {
        Some(head) => with_paths(&diff(&[head, target]), &[]),
        None => files_of(target),
    });
    Ok(lists.collect())
}

fn files_of(tree: &str) -> Vec<String> {
    ["ls-tree", "-r", "--name-only", "--full-tree", "-z", tree]
        .map(str::to_owned)
        .to_vec()
}

fn unknown(name: &str) -> String {
    format!("`{name}` is not a branch, tag or commit")
}

/// The tree of a commit, branch or tag.
async fn tree(name: &str, git: &Git<'_>) -> Option<String> {
    if name.starts_with('-') {
        return None;
    }
    let call = ["rev-parse", "--verify", "--quiet"].map(str::to_owned);
    let call = call.into_iter().chain([format!("{name}^{{tree}}")]);
    let found = git
        .text(Call::read(git.repository.work_tree(), call))
        .await
        .ok()?;
    let found = found.trim();
    is_id(found).then(|| found.to_owned())
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_hexdigit())
}
