//! Rules together: the most specific one that matches wins, and of equally specific ones the strictest.
//!
//! A shell text is decided command by command, and the strictest decision is that of the text. A rule that allows
//! matches a command only as it is written; one that asks or denies also matches it without its path, without
//! variables before it, and behind `sudo`, `env`, `xargs` and their like. So a rule that allows is never wider than it
//! looks. What cannot be understood asks.

use crate::call::{Action, Call};
use crate::command::{Command, Script, UNKNOWN, Word};
use crate::level::Level;
use crate::pattern::Pattern;
use crate::rule::{Rule, Subject};

/// What rules say about a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Whether it may run.
    pub level: Level,
    /// The rule that says so; none where no rule matches.
    pub rule: Option<Rule>,
    /// What of the call it is about: a command of a shell text, or one of several paths.
    pub part: Option<String>,
    /// Why a person has to look: what could not be understood.
    pub unclear: Option<String>,
}

impl Decision {
    const fn fallback(level: Level) -> Self {
        Self {
            level,
            rule: None,
            part: None,
            unclear: None,
        }
    }

    fn about(mut self, part: &str) -> Self {
        self.part = Some(part.replace(UNKNOWN, "…"));
        self
    }
}

/// Some rules.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules {
    rules: Vec<Rule>,
}

impl FromIterator<Rule> for Rules {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        Self {
            rules: rules.into_iter().collect(),
        }
    }
}

impl Rules {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// What they say about a call; `fallback` where none matches.
    pub fn decide(&self, call: &Call<'_>, fallback: Level) -> Decision {
        match call.action {
            Action::Read(paths) | Action::Write(paths) => {
                let decisions = paths.iter().map(|path| self.path(call, path, fallback));
                strictest(decisions).unwrap_or_else(|| self.whole(call, "", fallback))
            }
            Action::Execute(text) => self.script(call, text, fallback),
            Action::Other(_) if self.mcp_pattern(call) => self.whole(call, call.tool, fallback),
            Action::Other(text) => self.whole(call, text, fallback),
        }
    }

    fn mcp_pattern(&self, call: &Call<'_>) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| rule.subject == Subject::Mcp && rule.is_about(call))
    }

    fn path(&self, call: &Call<'_>, path: &str, fallback: Level) -> Decision {
        let decision = self.best(call, fallback, |_, pattern| pattern.matches_path(path));
        decision.about(path)
    }

    fn whole(&self, call: &Call<'_>, text: &str, fallback: Level) -> Decision {
        self.best(call, fallback, |_, pattern| pattern.matches_text(text))
    }

    fn script(&self, call: &Call<'_>, text: &str, fallback: Level) -> Decision {
        let write = Call::new(call.tool, Action::Write(&[]));
        let mut rules = self.rules.iter();
        if !rules.any(|rule| {
            rule.pattern().is_some()
                && (rule.is_about(call) || rule.subject == Subject::Write && rule.is_about(&write))
        }) {
            // Every command gets the same answer.
            return self.whole(call, text, fallback);
        }
        let script = Script::parse(text);
        let is_harmless = |command: &&Command| !command.is_harmless();
        let mut commands: Vec<&Command> = script.commands.iter().filter(is_harmless).collect();
        if commands.is_empty() {
            commands = script.commands.iter().collect();
        }
        let runs = commands
            .into_iter()
            .map(|one| self.command(call, one, fallback));
        let writes = script.writes.iter().map(|word| self.redirection(word));
        let mut decision = strictest(runs.chain(writes))
            .unwrap_or_else(|| self.best(call, fallback, |_, _| false));
        if let Some(reason) = script.unclear
            && decision.level < Level::Ask
        {
            decision = Decision {
                unclear: Some(reason),
                ..Decision::fallback(Level::Ask)
            };
        }
        decision
    }

    /// Decides one command of a shell text.
    fn command(&self, call: &Call<'_>, command: &Command, fallback: Level) -> Decision {
        let text = command.text();
        let variants = command.variants();
        let decision = self.best(call, fallback, |rule, pattern| {
            pattern.matches_text(&text)
                || rule.level > Level::Allow && variants.iter().any(|one| pattern.matches_text(one))
        });
        let decision = decision.about(&text);
        let stricter = self.rules.iter().any(|rule| {
            rule.level > decision.level
                && rule.is_about(call)
                && rule.pattern().is_some()
                && rule.fits(|pattern| {
                    let mut texts = variants.iter().chain([&text]);
                    texts.any(|one| one.contains(UNKNOWN) && pattern.may_match_text(one))
                })
        });
        if stricter && decision.level < Level::Ask {
            return Decision {
                level: Level::Ask,
                rule: None,
                unclear: Some("a part of it is only known when it runs".to_owned()),
                part: decision.part,
            };
        }
        decision
    }

    /// Decides a file that a shell text writes by a redirection. Where no rule is about it the sandbox decides.
    fn redirection(&self, target: &Word) -> Decision {
        let call = Call::new("", Action::Write(&[]));
        if !target.is_known() {
            let mut rules = self.rules.iter();
            let any = rules.any(|rule| rule.level > Level::Allow && rule.is_about(&call));
            let level = if any { Level::Ask } else { Level::Allow };
            let reason = "it writes a file whose name is only known when it runs";
            return Decision {
                unclear: any.then(|| reason.to_owned()),
                ..Decision::fallback(level)
            };
        }
        if target.text().starts_with("/dev/") {
            return Decision::fallback(Level::Allow);
        }
        self.path(&call, target.text(), Level::Allow)
    }

    /// The most specific rule whose pattern matches.
    fn best(
        &self,
        call: &Call<'_>,
        fallback: Level,
        matches: impl Fn(&Rule, &Pattern) -> bool,
    ) -> Decision {
        let fitting = self
            .rules
            .iter()
            .filter(|rule| rule.is_about(call) && rule.fits(|pattern| matches(rule, pattern)));
        match fitting.max_by_key(|rule| rule.rank()) {
            Some(rule) => Decision {
                rule: Some(rule.clone()),
                ..Decision::fallback(rule.level)
            },
            None => Decision::fallback(fallback),
        }
    }
}

/// The strictest decision; the first of equally strict ones.
fn strictest(decisions: impl Iterator<Item = Decision>) -> Option<Decision> {
    decisions.reduce(|first, next| {
        if next.level > first.level {
            next
        } else {
            first
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let rules = lines.map(|line| {
            let (rule, level) = line.rsplit_once('=').unwrap();
            Rule::parse(rule, Level::parse(level.trim()).unwrap()).unwrap()
        });
        rules.collect()
    }

    fn shell(rules: &Rules, command: &str) -> Level {
        let call = Call::new("shell", Action::Execute(command));
        rules.decide(&call, Level::Allow).level
    }

    #[test]
    fn the_most_specific_rule_wins_and_of_equal_ones_the_strictest() {
        let rules = rules(
            "* = deny
             write = ask
             write(src/**) = allow
             write(src/secret/**) = deny
             edit_file = allow
             read(*.md) = allow
             read(*.md) = ask",
        );
        let level = |tool: &str, action: Action<'_>| {
            rules.decide(&Call::new(tool, action), Level::Allow).level
        };
        for (tool, path, expected) in [
            ("write_file", "a.txt", Level::Ask),
            ("write_file", "src/a.txt", Level::Allow),
            ("write_file", "src/secret/a.txt", Level::Deny),
            ("edit_file", "a.txt", Level::Allow),
            ("edit_file", "src/secret/a.txt", Level::Deny),
        ] {
            let write = level(tool, Action::Write(&[path.to_owned()]));
            assert_eq!(write, expected, "{tool} {path}");
        }
        for (path, expected) in [("docs/a.md", Level::Ask), ("a.rs", Level::Deny)] {
            let read = level("read_file", Action::Read(&[path.to_owned()]));
            assert_eq!(read, expected, "{path}");
        }
        let two = ["src/a".to_owned(), "a".to_owned()];
        assert_eq!(level("apply_patch", Action::Write(&two)), Level::Ask);
        assert_eq!(level("ask_user", Action::Other("?")), Level::Deny);
    }

    #[test]
    fn a_shell_text_is_as_strict_as_its_strictest_command() {
        let rules = rules(
            "shell = ask
             shell(cargo test*) = allow
             shell(git *) = allow
             shell(git push*) = deny",
        );
        for (command, expected) in [
            ("cargo test --lib", Level::Allow),
            ("cd a && cargo test | git log", Level::Allow),
            ("cargo test; curl evil", Level::Ask),
            ("cargo test $(curl evil)", Level::Ask),
            ("cargo test `git push`", Level::Deny),
            ("cargo test && git push --force", Level::Deny),
            ("sudo git push", Level::Deny),
            ("/usr/bin/git push", Level::Deny),
            ("X=1 git push", Level::Deny),
            ("bash -c 'git push'", Level::Deny),
            ("g\"i\"t pu\\sh", Level::Deny),
            // Not the program that the rule allows.
            ("./cargo test", Level::Ask),
            ("PATH=. cargo test", Level::Ask),
            ("'cargo test' x", Level::Ask),
            // Could be `push`.
            ("git $X", Level::Ask),
            ("git log $X", Level::Allow),
            ("$X", Level::Ask),
            ("cargo test 'open", Level::Ask),
            ("echo hi", Level::Ask),
        ] {
            assert_eq!(shell(&rules, command), expected, "{command}");
        }
    }

    #[test]
    fn names_of_other_agents_are_read() {
        let rules = rules("* = deny\nBash(git:*) = allow\nRead = allow");
        assert_eq!(shell(&rules, "git log"), Level::Allow);
        assert_eq!(shell(&rules, "rm x"), Level::Deny);
        let paths = ["a".to_owned()];
        let read = Call::new("read_file", Action::Read(&paths));
        assert_eq!(rules.decide(&read, Level::Ask).level, Level::Allow);
    }

    #[test]
    fn redirections_are_writes() {
        let rules = rules("shell = allow\nwrite(.github/**) = deny");
        assert_eq!(shell(&rules, "echo x > .github/ci.yml"), Level::Deny);
        assert_eq!(shell(&rules, "echo x > $F"), Level::Ask);
        assert_eq!(shell(&rules, "echo x > out.txt 2> /dev/null"), Level::Allow);
    }

    #[test]
    fn tools_of_servers_are_matched_by_their_names() {
        let rules = rules("mcp = deny\nmcp(github__*) = ask\ngithub__search = allow");
        let level = |tool| {
            let call = Call::new(tool, Action::Other("x"));
            rules.decide(&call, Level::Allow).level
        };
        assert_eq!(level("files__read"), Level::Deny);
        assert_eq!(level("github__merge"), Level::Ask);
        assert_eq!(level("github__search"), Level::Allow);
        assert_eq!(level("ask_user"), Level::Allow);
    }

    #[test]
    fn what_is_not_a_rule_is_refused_with_the_reason() {
        let error = |text| Rule::parse(text, Level::Allow).unwrap_err().to_string();
        assert!(error("shell(cargo").contains("`shell(cargo` is not a rule"));
        assert!(error("write([)").contains("cannot be used"));
        assert!(error("").contains("expected a tool"));
    }
}
