//! What rules say of a shell text.
//!
//! A shell text is decided command by command, and the strictest decision is that of the text. A rule that allows
//! matches a command only as it is written; one that asks or denies also matches it without its path, without
//! variables before it, and behind `sudo`, `env`, `xargs` and their like. So a rule that allows is never wider than it
//! looks. What cannot be understood asks.

use crate::call::Call;
use crate::command::{Command, Script, UNKNOWN};
use crate::files::ScriptFiles;
use crate::level::Level;
use crate::rule::{Rule, Subject};
use crate::rules::{Decision, Rules, strictest};

impl Rules {
    pub(crate) fn script(&self, call: &Call<'_>, text: &str, fallback: Level) -> Decision {
        let differs = |rule: &Rule| match rule.subject {
            Subject::Read | Subject::Write => rule.pattern().is_some() || rule.level > Level::Allow,
            _ => rule.pattern().is_some() && rule.is_about(call),
        };
        if !self.rules.iter().any(differs) {
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
        // Writing elsewhere is as much as a command that no pattern is about.
        let outside = self.best(call, fallback, |_, _| false).level;
        let inside = if fallback == Level::Deny {
            outside
        } else {
            Level::Allow
        };
        let files = ScriptFiles::new(self, call.folder, &script, (inside, outside));
        let mut decision = strictest(runs.chain(files.decisions(&script)))
            .unwrap_or_else(|| Decision::fallback(outside));
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
}
