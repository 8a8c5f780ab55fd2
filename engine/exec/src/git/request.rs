//! What a call of Git by an agent is: a command that Git runs in the sandbox, a request to the engine, or neither.

use std::path::{Component, Path, PathBuf};

use crate::beneath::normalize;

use super::subcommand::{
    Operands, OptionValue, Subcommand, changes_nothing, instead_of, only_reads,
};

/// A call of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) subcommand: &'static Subcommand,
    /// Where it is called.
    pub(super) folder: PathBuf,
    /// Options, as they were.
    pub(super) options: Vec<String>,
    /// Names, and an action.
    pub(super) names: Vec<String>,
    /// Absolute paths.
    pub(super) paths: Vec<PathBuf>,
}

/// What a call of Git is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Git runs it in the sandbox.
    InSandbox,
    /// The engine is asked.
    Handed(Request),
    /// It is refused.
    Refused(String),
}

impl Kind {
    /// What a call is, in a folder of a repository that commands cannot write.
    pub(super) fn of(folder: &Path, arguments: &[String]) -> Self {
        let (folder, rest) = match global_options(folder, arguments) {
            Ok(read) => read,
            Err(Global::None) => return Self::InSandbox,
            Err(Global::Unknown(option)) => {
                // An alias or another place of the repository: harmless where Git only reads.
                return if arguments.iter().any(|one| only_reads(one)) {
                    Self::InSandbox
                } else {
                    Self::Refused(format!("the option `{option}` is not available here"))
                };
            }
        };
        let Some((name, arguments)) = rest.split_first() else {
            return Self::InSandbox;
        };
        if only_reads(name) || changes_nothing(name, arguments) {
            return Self::InSandbox;
        }
        let Some(subcommand) = Subcommand::named(name) else {
            return Self::Refused(format!(
                "`git {name}` is not available here: {}",
                instead_of(name)
            ));
        };
        match parse(subcommand, folder, arguments) {
            Ok(request) => Self::Handed(request),
            Err(reason) => Self::Refused(reason),
        }
    }
}

enum Global {
    /// There is no subcommand.
    None,
    Unknown(String),
}

/// The folder in which a call works, and its arguments from the subcommand on.
fn global_options<'a>(
    folder: &Path,
    arguments: &'a [String],
) -> Result<(PathBuf, &'a [String]), Global> {
    let mut folder = folder.to_owned();
    let mut rest = arguments;
    loop {
        match rest {
            [] => return Err(Global::None),
            [option, value, after @ ..] if option == "-C" => {
                folder = normalize(&folder.join(value));
                rest = after;
            }
            [option, after @ ..] if option == "--no-pager" || option == "-P" => rest = after,
            [option, ..] if option == "--version" || option == "--help" => {
                return Err(Global::None);
            }
            [option, ..] if option.starts_with('-') => {
                return Err(Global::Unknown(option.clone()));
            }
            _ => return Ok((folder, rest)),
        }
    }
}

fn parse(
    subcommand: &'static Subcommand,
    folder: PathBuf,
    arguments: &[String],
) -> Result<Request, String> {
    let mut request = Request {
        subcommand,
        folder,
        options: Vec::new(),
        names: Vec::new(),
        paths: Vec::new(),
    };
    let mut arguments = arguments.iter();
    let mut only_operands = false;
    while let Some(argument) = arguments.next() {
        if only_operands || argument == "-" || !argument.starts_with('-') {
            request.operand(argument, only_operands)?;
        } else if argument == "--" {
            only_operands = true;
        } else {
            for (option, value) in subcommand.options(argument)? {
                request.options.push(option.clone());
                match value {
                    OptionValue::None => {}
                    OptionValue::Own(value) => request.options.push(value),
                    OptionValue::Next => {
                        let value = arguments.next();
                        let value =
                            value.ok_or_else(|| format!("the option `{option}` needs a value"))?;
                        request.options.push(value.clone());
                    }
                }
            }
        }
    }
    if subcommand.name == "commit" && !request.has(&["-m", "--message", "--no-edit"]) {
        return Err("`git commit` needs a message: `-m TEXT`".to_owned());
    }
    Ok(request)
}

impl Request {
    /// Whether it has one of these options.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.options.iter().any(|one| options.contains(&&**one))
    }

    /// The value of the option that is given last.
    pub(super) fn value(&self, options: &[&str]) -> Option<&str> {
        let at = self
            .options
            .iter()
            .rposition(|one| options.contains(&&**one))?;
        self.options.get(at.checked_add(1)?).map(String::as_str)
    }

    /// Whether it takes up changes of files that it does not name.
    pub(super) fn takes_all(&self) -> bool {
        match self.subcommand.name {
            "add" => self.has(&["-A", "--all", "-u", "--update"]) && self.paths.is_empty(),
            "commit" => self.has(&["-a", "--all"]),
            _ => false,
        }
    }

    /// Whether it reads the contents of files, or writes them.
    pub(super) fn touches_contents(&self) -> bool {
        match self.subcommand.name {
            "commit" => self.takes_all() || !self.paths.is_empty(),
            "rm" | "mv" | "tag" | "branch" => false,
            "restore" => !self.has(&["-S", "--staged"]) || self.has(&["-W", "--worktree"]),
            _ => true,
        }
    }

    fn operand(&mut self, text: &str, after_dashes: bool) -> Result<(), String> {
        match self.subcommand.operands {
            Operands::Names if !after_dashes => self.names.push(text.to_owned()),
            Operands::Action(actions) if !after_dashes => {
                if self.names.is_empty() && !actions.contains(&text) {
                    let name = self.subcommand.name;
                    return Err(format!("`git {name} {text}` is not available here"));
                }
                self.names.push(text.to_owned());
            }
            _ => {
                if text.starts_with(':') {
                    return Err(format!(
                        "`{text}` is not available here: name files and folders"
                    ));
                }
                self.paths.push(normalize(&self.folder.join(text)));
            }
        }
        Ok(())
    }

    /// The arguments for Git, with paths relative to the folder that it is called in.
    pub(super) fn arguments(&self, folder: &Path) -> Vec<String> {
        let mut arguments = vec![self.subcommand.name.to_owned()];
        let takes_action = matches!(self.subcommand.operands, Operands::Action(_));
        if takes_action {
            arguments.extend(self.names.iter().take(1).cloned());
        }
        arguments.extend(self.options.iter().cloned());
        arguments.extend(self.names.iter().skip(usize::from(takes_action)).cloned());
        if !self.paths.is_empty() {
            arguments.push("--".to_owned());
            arguments.extend(self.paths.iter().map(|path| literal(folder, path)));
        }
        arguments
    }
}

/// A path for Git. Wildcards stay what they are.
fn literal(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    match below.components().next() {
        None | Some(Component::CurDir) => ".".to_owned(),
        Some(_) => format!("./{}", below.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> String {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match Kind::of(Path::new("/w/sub"), &arguments) {
            Kind::InSandbox => "in the sandbox".to_owned(),
            Kind::Handed(request) => request.arguments(Path::new("/w")).join(" "),
            Kind::Refused(reason) => format!("refused: {reason}"),
        }
    }

    #[test]
    fn what_only_reads_runs_in_the_sandbox() {
        for line in [
            "status --porcelain",
            "-c core.pager=x log -1",
            "diff HEAD",
            "branch",
            "branch --show-current",
            "tag -l",
            "stash list",
            "config --get user.name",
            "--version",
            "init new",
        ] {
            assert_eq!(kind(line), "in the sandbox", "{line}");
        }
    }

    #[test]
    fn what_writes_is_handed_over_with_known_options() {
        for (line, expected) in [
            ("add -A", "add -A"),
            ("add . ../a", "add -- ./sub ./a"),
            ("-C .. add x", "add -- ./x"),
            ("commit -am message", "commit -a -m message"),
            ("commit -mmessage --amend", "commit -m message --amend"),
            ("commit --message=x -- a", "commit --message x -- ./sub/a"),
            ("restore --staged a", "restore --staged -- ./sub/a"),
            ("stash", "stash"),
            ("stash push -m x -- a", "stash push -m x -- ./sub/a"),
            ("switch -c new main", "switch -c new main"),
            ("switch -", "switch -"),
            ("branch -d old", "branch -d old"),
            ("tag v1", "tag v1"),
            ("rm -r --cached a", "rm -r --cached -- ./sub/a"),
        ] {
            assert_eq!(kind(line), expected, "{line}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for line in [
            "commit",
            "commit -m x --template=/etc/passwd",
            "commit -m x -S",
            "commit -m x --gpg-sign=evil",
            "commit -F /etc/passwd",
            "add --pathspec-from-file=/etc/passwd",
            "add -p",
            "add :/",
            "add --chmod=+x:evil",
            "switch --recurse-submodules x",
            "switch --orphan x",
            "stash clear",
            "stash branch x",
            "tag -F x y",
            "tag -s x",
            "branch --edit-description",
            "branch -u origin/x",
            "push",
            "pull",
            "fetch",
            "config user.name x",
            "rebase -i",
            "merge x",
            "checkout main",
            "update-ref refs/heads/x y",
            "evil-alias",
            "-c alias.x=!evil x",
            "--exec-path=/evil commit -m x",
            "--git-dir=/other commit -m x",
            "--git-dir=/other add .",
        ] {
            assert!(
                kind(line).starts_with("refused: "),
                "{line}: {}",
                kind(line)
            );
        }
    }
}
