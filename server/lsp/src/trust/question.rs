//! The question before the first run of a pipeline: what it can do, in numbers.

use attractor::Approval;
use attractor_run::{Consent, visible};

use crate::ext::commands::TrustDecision;

/// The answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Show the consent document; the question follows again.
    Show,
    /// Allow it.
    Decide(TrustDecision),
    /// Do not run it.
    Cancel,
}

/// The choices, as buttons. The first one is what some editors press for Enter, so it runs nothing.
pub(crate) const CHOICES: [(&str, Choice); 5] = [
    ("Show what it runs", Choice::Show),
    ("Run once", Choice::Decide(TrustDecision::Once)),
    (
        "Always for this version",
        Choice::Decide(TrustDecision::Version),
    ),
    (
        "Always in this folder",
        Choice::Decide(TrustDecision::Folder),
    ),
    ("Cancel", Choice::Cancel),
];

/// The button that shows the consent document, in a question.
pub(crate) const OFFER: &str = "“Show what it runs” lists everything.";

/// The question; `approval` is what the user has allowed of the pipeline before.
pub(crate) fn text(consent: &Consent, approval: Approval) -> String {
    let counts = consent.counts();
    let mut can = Vec::new();
    if counts.commands > 0 {
        let mut of_them = Vec::new();
        if counts.hooks > 0 {
            of_them.push(count(counts.hooks, "hook"));
        }
        if counts.handlers > 0 {
            of_them.push(count(counts.handlers, "configured handler"));
        }
        let of_them = if of_them.is_empty() {
            String::new()
        } else {
            format!(" (including {})", of_them.join(" and "))
        };
        can.push(format!(
            "run {}{of_them}",
            count(counts.commands, "command")
        ));
    }
    if counts.models > 0 {
        let nodes = count(counts.models, "node");
        can.push(match counts.simulated {
            0 => format!("call models at {nodes}"),
            all if all == counts.models => {
                format!("call models at {nodes} (simulated; no model is called)")
            }
            some => format!("call models at {nodes} ({some} simulated)"),
        });
    }
    if counts.pipelines > 0 {
        can.push(format!("call {}", count(counts.pipelines, "sub-pipeline")));
    }
    if counts.files > 0 {
        can.push(format!("read {}", count(counts.files, "file")));
    }
    let can = if can.is_empty() {
        "It runs no commands and calls no models.".to_owned()
    } else {
        format!("It can {}.", can.join(", "))
    };
    let agents = consent.capabilities();
    let agents = agents.map_or_else(String::new, |agents| format!(" {agents}"));
    let before = match approval {
        Approval::Never => "",
        Approval::ThisVersion => " You have approved exactly this version before.",
        Approval::AnotherVersion => " It has changed since you last approved it.",
    };
    format!(
        "Run the pipeline “{}”? {can}{agents}{before}",
        visible(&consent.pipeline)
    )
}

fn count(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use attractor_ide::model::Pipeline;
    use attractor_run::{Launch, Source};
    use expect_test::expect;

    use super::*;

    fn ask(text_of_file: &str) -> String {
        let pipelines = Pipeline::from_text(text_of_file);
        let pipeline = pipelines.first().expect("a pipeline");
        let launch = Launch::new(pipeline.clone(), Source::default());
        text(&Consent::of(&launch), Approval::Never)
    }

    #[test]
    fn the_numbers_count_everything() {
        let asked = ask(r#"digraph release { tool_hooks.pre="audit.sh"
                start [shape=Mdiamond]; done [shape=Msquare]
                test [type=tool, command="cargo test --workspace"]
                push [type=tool, command="git push", post_hook="notify"]
                write [prompt="Write the notes", model="claude-opus"]
                start -> test -> write -> push -> done
            }"#);
        expect!["Run the pipeline “release”? It can run 6 commands (including 4 hooks), call models at 1 node (simulated; no model is called). Models: all simulated."].assert_eq(&asked);
    }

    #[test]
    fn a_pipeline_that_does_nothing() {
        let asked =
            ask("digraph g { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }");
        expect!["Run the pipeline “g”? It runs no commands and calls no models."].assert_eq(&asked);
    }
}
