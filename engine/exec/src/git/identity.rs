//! Who the person is that Git is configured for, and which files that person never adds: all that a call takes over from
//! the configuration of the user and the machine.

use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::call::{Git, Silent, text_of};
use crate::isolation::{OwnAccess, contain_own};
use crate::process::{Exit, Job, find_program};

const TIMEOUT: Duration = Duration::from_secs(5);

/// What is read.
const KEYS: &str = r"^(user\.(name|email)|core\.excludesfile)$";

const IGNORED: &str = "core.excludesfile";

impl Git<'_> {
    /// The settings, as Git reads them for this repository; reading them runs nothing.
    pub(super) async fn identity(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = default_ignored().into_iter().collect();
        let text = self.configured().await.unwrap_or_default();
        for entry in text.split('\0') {
            let Some((key, value)) = entry.split_once('\n') else {
                continue;
            };
            if key != IGNORED {
                found.push((key.to_owned(), value.to_owned()));
            } else if let Some(value) = existing(value) {
                found.push((key.to_owned(), value));
            }
        }
        found
    }

    async fn configured(&self) -> Option<String> {
        let place = [
            ("GIT_DIR", self.repository.git_dir()),
            ("GIT_COMMON_DIR", self.repository.common_dir()),
            ("GIT_WORK_TREE", self.repository.work_tree()),
        ];
        let mut argv = vec!["env".to_owned()];
        for (name, path) in place {
            argv.push(format!("{name}={}", text_of(path).ok()?));
        }
        argv.push(text_of(&find_program("git")?).ok()?);
        argv.extend(["config", "-z", "--includes", "--get-regexp", KEYS].map(str::to_owned));
        let job = Job {
            argv,
            directory: self.repository.work_tree().to_owned(),
            timeout: Some(TIMEOUT),
            ..Job::default()
        };
        let job = contain_own(job, OwnAccess::default()).ok()?;
        let stop = CancellationToken::new();
        let done = self.execution.run(job, &Silent, &stop).await.ok()?;
        (done.exit == Exit::Code(0)).then_some(done.stdout.text)
    }
}

/// The file that Git uses where none is configured.
fn default_ignored() -> Option<(String, String)> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| Some(std::env::home_dir()?.join(".config")))?;
    let file = folder.join("git/ignore");
    let file = file.is_file().then_some(file)?;
    Some((IGNORED.to_owned(), file.to_str()?.to_owned()))
}

/// A file of the configuration; not one that could be read forever.
fn existing(value: &str) -> Option<String> {
    let path = match value.strip_prefix("~/") {
        Some(below) => std::env::home_dir()?.join(below),
        None => PathBuf::from(value),
    };
    let path = path.is_file().then_some(path)?;
    Some(path.to_str()?.to_owned())
}
