//! `[hooks.NAME]`: commands before and after tool calls of agents.

use attractor_model::{HookTime, ToolHook};
use attractor_permissions::{Level, Rule};

use super::reader::{Entry, Reader, string};

/// Keys of a hook.
const KEYS: [&str; 4] = ["when", "command", "tool", "timeout"];

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> Vec<ToolHook> {
    let mut hooks = Vec::new();
    for entry in reader.section(section) {
        let name = &entry.key;
        if entry.value.is_table() {
            hooks.extend(hook(reader, &entry));
        } else {
            let message = format!(
                "`hooks.{name}` is {}; expected a section: [hooks.{name}]",
                entry.value
            );
            reader.report(entry.value_at, message);
        }
    }
    hooks
}

fn hook(reader: &mut Reader<'_>, section: &Entry) -> Option<ToolHook> {
    let path = format!("hooks.{}", section.key);
    let (mut when, mut command, mut tool, mut timeout) = (None, Vec::new(), None, None);
    let mut is_complete = true;
    for entry in reader.section(section) {
        let name = format!("{path}.{}", entry.key);
        match entry.key.as_str() {
            "when" => {
                when = string(&entry.value).and_then(HookTime::parse);
                if when.is_none() {
                    let names = HookTime::ALL.map(HookTime::name).join(" or ");
                    let message = format!("`{name}` is {}; expected {names}", entry.value);
                    reader.report(entry.value_at, message);
                    is_complete = false;
                }
            }
            "command" => command = reader.strings(&entry, &name).unwrap_or_default(),
            // A hook with another pattern than the one that was meant would let calls through.
            "tool" => match reader.text(&entry, &name) {
                Some(text) => match Rule::parse(&text, Level::Deny) {
                    Ok(_) => tool = Some(text),
                    Err(error) => {
                        reader.report(entry.value_at, error.to_string());
                        is_complete = false;
                    }
                },
                None => is_complete = false,
            },
            "timeout" => timeout = reader.duration(&entry, &name),
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    let (Some(when), [_, ..], true) = (when, command.as_slice(), is_complete) else {
        if is_complete {
            let message = format!(
                "`{path}` needs when = \"before\" or \"after\", and command = [\"PROGRAM\", \"ARGUMENT\"]"
            );
            reader.report(section.at, message);
        }
        return None;
    };
    Some(ToolHook {
        name: section.key.clone(),
        when,
        tool,
        command,
        timeout,
        folder: None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::expect;

    use super::*;
    use crate::{ConfigFile, Owner};

    #[test]
    fn hooks_name_a_command_and_the_calls_it_is_for() {
        let text = "[hooks.no-push]\nwhen = \"before\"\ntool = \"shell(git push*)\"\ncommand = [\"python3\", \"check.py\"]\ntimeout = \"5s\"\n[hooks.audit]\nwhen = \"after\"\ncommand = [\"audit\"]\n";
        let (file, problems) = ConfigFile::parse(text, Owner::Project);
        assert!(problems.is_empty(), "{problems:?}");
        let [push, audit] = file.hooks.as_slice() else {
            unreachable!("two hooks");
        };
        assert_eq!((audit.when, &audit.tool), (HookTime::After, &None));
        assert_eq!((audit.name.as_str(), audit.timeout), ("audit", None));
        assert_eq!(push.command, ["python3", "check.py"]);
        assert_eq!(push.tool.as_deref(), Some("shell(git push*)"));
        assert_eq!(push.timeout, Some(Duration::from_secs(5)));
    }

    #[test]
    fn a_hook_that_cannot_be_used_as_it_is_is_a_problem() {
        let text = "[hooks.a]\nwhen = \"befor\"\ncommand = [\"x\"]\n[hooks.b]\nwhen = \"after\"\n[hooks.c]\nwhen = \"after\"\ncommand = [\"x\"]\ntool = \"shell(git\"\n[hooks.d]\nwhen = \"after\"\ncommand = [\"x\"]\ntime = \"3s\"\n[hooks]\ne = \"x\"\n";
        let (file, problems) = ConfigFile::parse(text, Owner::User);
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        expect![[r#"
            2:8: `hooks.a.when` is "befor"; expected before or after
            4:8: `hooks.b` needs when = "before" or "after", and command = ["PROGRAM", "ARGUMENT"]
            9:8: `shell(git` is not a rule; expected a tool, `read`, `write`, `shell`, `web`, `mcp` or `*`, and a pattern in parentheses, such as `shell(cargo test*)`
            13:1: unknown key `time`; expected one of when, command, tool, timeout
            15:5: `hooks.e` is "x"; expected a section: [hooks.e]"#]].assert_eq(&lines.join("\n"));
        let names: Vec<&str> = file.hooks.iter().map(|hook| hook.name.as_str()).collect();
        assert_eq!(names, ["d"]);
    }
}
