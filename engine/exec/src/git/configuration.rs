//! The configuration of a repository, of which only data is taken over: keys that say how the repository is stored or
//! where it comes from, and never name a program, or a file that does.

use std::fmt::Write as _;

/// The least that Git needs to see.
const BEGINNING: &str = "[core]\n\tbare = false\n";

/// What Git sees when this program calls it: sections and keys; without keys all of them.
const STORAGE: [(&str, &[&str]); 3] = [
    (
        "core",
        &[
            "abbrev",
            "autocrlf",
            "checkstat",
            "commentchar",
            "eol",
            "filemode",
            "ignorecase",
            "logallrefupdates",
            "precomposeunicode",
            "quotepath",
            "repositoryformatversion",
            "sharedrepository",
            "sparsecheckout",
            "sparsecheckoutcone",
            "symlinks",
            "trustctime",
        ],
    ),
    // A format that Git does not know must be refused, not ignored.
    ("extensions", &[]),
    ("user", &["name", "email"]),
];

/// What a repository keeps that a command of an agent created.
const HISTORY: [(&str, &[&str]); 6] = [
    ("branch", &["remote", "merge", "rebase"]),
    ("core", &["bare"]),
    ("init", &["defaultbranch"]),
    ("remote", &["url", "pushurl", "fetch"]),
    ("submodule", &["url", "active", "branch"]),
    ("status", &[]),
];

/// The extension that adds a file of settings.
const MORE_SETTINGS: &str = "worktreeconfig";

/// A setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) section: String,
    subsection: Option<String>,
    pub(super) name: String,
    pub(super) value: String,
}

/// The text of a configuration for Git as this program calls it.
pub(super) fn storage_of(text: &str) -> String {
    let kept = settings(text).into_iter().filter(is_storage);
    rendered(BEGINNING, kept)
}

/// The text of a configuration without what names programs; none where it has nothing else.
pub(super) fn without_programs(text: &str) -> Option<String> {
    let all = settings(text);
    if all.iter().all(is_history) {
        return None;
    }
    Some(rendered("", all.into_iter().filter(is_history)))
}

/// Whether a setting says where the repository comes from or how it is stored, and names no program.
pub(super) fn is_history(setting: &Setting) -> bool {
    (is_storage(setting) || is_in(&HISTORY, setting)) && !setting.value.contains("::")
}

fn is_storage(setting: &Setting) -> bool {
    setting.subsection.is_none() && is_in(&STORAGE, setting) && setting.name != MORE_SETTINGS
}

fn is_in(table: &[(&str, &[&str])], setting: &Setting) -> bool {
    let known = table
        .iter()
        .find(|(section, _)| *section == setting.section);
    known.is_some_and(|(_, names)| names.is_empty() || names.contains(&&*setting.name))
}

fn rendered(beginning: &str, settings: impl Iterator<Item = Setting>) -> String {
    let mut text = beginning.to_owned();
    for setting in settings {
        let section = match &setting.subsection {
            Some(subsection) => format!("{} {}", setting.section, quoted(subsection)),
            None => setting.section,
        };
        let _ = writeln!(
            text,
            "[{section}]\n\t{} = {}",
            setting.name,
            quoted(&setting.value)
        );
    }
    text
}

fn quoted(value: &str) -> String {
    let mut text = String::from("\"");
    for one in value.chars() {
        match one {
            '"' | '\\' => text.extend(['\\', one]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            one => text.push(one),
        }
    }
    text.push('"');
    text
}

/// The settings of a text. What cannot be read is a setting without a name, which nobody keeps.
pub(super) fn settings(text: &str) -> Vec<Setting> {
    let text = text.replace("\r\n", "\n").replace("\\\n", "");
    let mut section = (String::new(), None);
    let mut settings = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim();
        if rest.starts_with('[') {
            let Some((header, after)) = header(rest) else {
                settings.push(unreadable());
                continue;
            };
            section = header;
            rest = after.trim();
        }
        if rest.is_empty() || rest.starts_with(['#', ';']) {
            continue;
        }
        let (name, value) = rest.split_once('=').unwrap_or((rest, "true"));
        let name = name.trim().to_ascii_lowercase();
        let is_name = |one: u8| one.is_ascii_alphanumeric() || one == b'-';
        let setting = value_of(value).filter(|_| name.bytes().all(is_name) && !name.is_empty());
        settings.push(setting.map_or_else(unreadable, |value| Setting {
            section: section.0.clone(),
            subsection: section.1.clone(),
            name,
            value,
        }));
    }
    settings
}

const fn unreadable() -> Setting {
    Setting {
        section: String::new(),
        subsection: None,
        name: String::new(),
        value: String::new(),
    }
}

/// The section and the subsection of a header, and what follows it on its line.
fn header(line: &str) -> Option<((String, Option<String>), &str)> {
    let inner = line.strip_prefix('[')?;
    let end = inner.find([']', '"'])?;
    let (name, rest) = inner.split_at_checked(end)?;
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|one| one.is_ascii_alphanumeric() || b"-.".contains(&one))
    };
    if let Some(rest) = rest.strip_prefix(']') {
        let name = name.trim().to_ascii_lowercase();
        let (section, subsection) = match name.split_once('.') {
            Some((section, subsection)) => (section.to_owned(), Some(subsection.to_owned())),
            None => (name.clone(), None),
        };
        return is_name(&name).then_some(((section, subsection), rest));
    }
    let rest = rest.strip_prefix('"')?;
    let mut subsection = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, one)) = characters.next() {
        match one {
            '"' => {
                let rest = rest.get(at..)?.strip_prefix("\"]")?;
                let name = name.trim().to_ascii_lowercase();
                return is_name(&name).then_some(((name, Some(subsection)), rest));
            }
            '\\' => subsection.push(characters.next()?.1),
            one => subsection.push(one),
        }
    }
    None
}

/// The value after an equals sign, without quotes and a comment.
fn value_of(text: &str) -> Option<String> {
    let mut value = String::new();
    // What is at the end without quotes and only space is not part of the value.
    let mut length = 0;
    let mut is_quoted = false;
    let mut characters = text.trim().chars();
    while let Some(one) = characters.next() {
        match one {
            '"' => is_quoted = !is_quoted,
            '\\' => value.push(match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'b' => '\u{8}',
                other @ ('"' | '\\') => other,
                _ => return None,
            }),
            '#' | ';' if !is_quoted => break,
            one => value.push(one),
        }
        if is_quoted || !one.is_whitespace() {
            length = value.len();
        }
    }
    value.truncate(length);
    (!is_quoted).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_sees_only_how_a_repository_is_stored() {
        let text = "[core]\n\trepositoryformatversion = 1 ; format\n\tfsmonitor = \"evil\"\n\tbare = true\n\
                    [filter \"x\"]\n\tclean = evil\n[extensions]\n\tobjectFormat = sha256\n\tworktreeConfig\n\
                    [core] ignorecase\n[User]\n\tName = A \\\"B\\\"\\\\ \"C # D\"  \n[user \"x\"]\n\tname = no\n\
                    [hook \"x\"]\n\tcommand = evil\n[alias]\n\tstatus = !evil\n[include]\n\tpath = evil\n";
        let expected = "[core]\n\tbare = false\n[core]\n\trepositoryformatversion = \"1\"\n[extensions]\n\tobjectformat = \"sha256\"\n\
                        [core]\n\tignorecase = \"true\"\n[user]\n\tname = \"A \\\"B\\\"\\\\ C # D\"\n";
        assert_eq!(storage_of(text), expected);
    }

    #[test]
    fn a_repository_keeps_what_names_no_program() {
        let usual = "[core]\n\tbare = false\n\tfilemode = true\n[remote \"origin\"]\n\turl = https://example.org/x.git\n\
                     \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n\
                     [user]\n\temail = a@example.org\n";
        assert_eq!(without_programs(usual), None);
        let evil = [
            "[core]\n\tfsmonitor = evil\n\tfilemode = true\n",
            "[core]\n\tfilemode = true\n\tfsmonitor = ev\\\nil\n",
            "[core]\n\tfilemode = true\n[remote \"x\"]\n\turl = ext::sh -c evil\n",
            "[core]\n\tfilemode = true\n[remote \"x\"\n\tuploadpack = evil\n",
            "[core]\n\tfilemode = true\n[core \"x\"] # x\n[core]fsmonitor=evil\n",
        ];
        for text in evil {
            let kept = without_programs(text);
            assert_eq!(
                kept.as_deref(),
                Some("[core]\n\tfilemode = \"true\"\n"),
                "{text}"
            );
        }
    }
}
