//! `[notify]`: what is called when a run asks or ends, in the user's own file.

use super::reader::{Entry, Reader};

/// Keys of the section.
const KEYS: [&str; 5] = ["command", "url", "events", "runs", "secret_variable"];

/// When somebody is notified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotifyEvent {
    /// A run asks a question.
    Question,
    /// A run ends.
    End,
}

impl NotifyEvent {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Question, Self::End];

    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::End => "end",
        }
    }
}

/// Whose runs somebody is notified of, by where they are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotifiedRuns {
    /// Those of `attractor serve` and `attractor mcp`.
    Serve,
    /// Those of `attractor run`, `resume` and `fork`.
    Terminal,
    /// Those of an editor.
    Editor,
}

impl NotifiedRuns {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Serve, Self::Terminal, Self::Editor];

    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Serve => "serve",
            Self::Terminal => "terminal",
            Self::Editor => "editor",
        }
    }
}

/// What is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotifySettings {
    /// A program with its arguments, which reads the notification as JSON; or an address.
    pub target: NotifyTarget,
    /// When.
    pub events: Vec<NotifyEvent>,
    /// Of which runs.
    pub runs: Vec<NotifiedRuns>,
}

/// Where notifications go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotifyTarget {
    /// A program with its arguments. It reads the notification as JSON from its standard input.
    Command(Vec<String>),
    /// An address that gets the notification as the JSON body of a POST.
    Webhook {
        /// The address.
        url: String,
        /// The variable of the environment with the key of the signature.
        secret_variable: String,
    },
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> Option<NotifySettings> {
    let (mut command, mut url, mut secret_variable) = (None, None, None);
    let mut events = NotifyEvent::ALL.to_vec();
    let mut runs = NotifiedRuns::ALL.to_vec();
    for entry in reader.section(section) {
        let name = format!("notify.{}", entry.key);
        match entry.key.as_str() {
            "command" => {
                command = reader
                    .strings(&entry, &name)
                    .filter(|argv| !argv.is_empty());
            }
            "url" => url = address(reader, &entry),
            "secret_variable" => secret_variable = reader.text(&entry, &name),
            "events" => {
                let known = NotifyEvent::ALL.map(|event| (event.name(), event));
                events = names(reader, &entry, "event", known);
            }
            "runs" => {
                let known = NotifiedRuns::ALL.map(|runs| (runs.name(), runs));
                runs = names(reader, &entry, "place", known);
            }
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    let target = match (command, url, secret_variable) {
        (Some(command), None, None) => NotifyTarget::Command(command),
        (None, Some(url), Some(secret_variable)) => NotifyTarget::Webhook {
            url,
            secret_variable,
        },
        _ => {
            let message = "`notify` needs either command = [\"PROGRAM\", \"ARGUMENT\"], or url = \"https://…\" and secret_variable = \"NAME\" with the key of its signature";
            reader.report(section.at, message.to_owned());
            return None;
        }
    };
    Some(NotifySettings {
        target,
        events,
        runs,
    })
}

/// An address that nobody between can read along: `https`, or this machine.
fn address(reader: &mut Reader<'_>, entry: &Entry) -> Option<String> {
    let url = reader.text(entry, "notify.url")?;
    let local = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    let is_local = local.into_iter().any(|start| {
        let rest = url.strip_prefix(start);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/', '?']))
    });
    if url.starts_with("https://") || is_local {
        return Some(url);
    }
    let message =
        "`notify.url` has to begin with https://; http:// is for addresses of this machine";
    reader.report(entry.value_at, message.to_owned());
    None
}

/// The values of the names in a list; `what` is a name of it in a message.
fn names<T: Copy, const N: usize>(
    reader: &mut Reader<'_>,
    entry: &Entry,
    what: &str,
    known: [(&'static str, T); N],
) -> Vec<T> {
    let key = format!("notify.{}", entry.key);
    let mut values = Vec::new();
    for text in reader.strings(entry, &key).unwrap_or_default() {
        if let Some((_, value)) = known.iter().find(|(name, _)| *name == text) {
            values.push(*value);
        } else {
            let names = known.map(|(name, _)| name).join(", ");
            let message = format!("unknown {what} `{text}` in `{key}`; expected one of {names}");
            reader.report(entry.value_at, message);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::{ConfigFile, Owner};

    fn check(text: &str, expected: &expect_test::Expect) {
        let (_, problems) = ConfigFile::parse(text, Owner::User);
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn notifications_are_the_users() {
        let text = "[notify]\nurl = \"https://hooks.example/x\"\nevents = [\"end\"]\nsecret_variable = \"HOOK_KEY\"\n";
        let (user, problems) = ConfigFile::parse(text, Owner::User);
        assert!(problems.is_empty(), "{problems:?}");
        let notify = user.notify.unwrap();
        assert_eq!(notify.events, [NotifyEvent::End]);
        assert_eq!(notify.runs, NotifiedRuns::ALL);
        assert!(matches!(notify.target, NotifyTarget::Webhook { .. }));
        let (project, problems) = ConfigFile::parse(text, Owner::Project);
        assert_eq!((project.notify, problems.len()), (None, 1));
    }

    #[test]
    fn notifications_are_checked() {
        check(
            "[notify]\nurl = \"http://localhost.evil.example/\"\n",
            &expect![[r#"
                1:2: `notify` needs either command = ["PROGRAM", "ARGUMENT"], or url = "https://…" and secret_variable = "NAME" with the key of its signature
                2:7: `notify.url` has to begin with https://; http:// is for addresses of this machine"#]],
        );
        check(
            "[notify]\ncommand = [\"notify-send\"]\nevents = [\"ends\"]\nruns = [\"cli\"]\ncomand = 1\n",
            &expect![[r#"
                3:10: unknown event `ends` in `notify.events`; expected one of question, end
                4:8: unknown place `cli` in `notify.runs`; expected one of serve, terminal, editor
                5:1: unknown key `comand`; did you mean `command`?"#]],
        );
    }
}
