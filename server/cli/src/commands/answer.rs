//! `attractor answer`: answers a question of a run that another process owns.

use std::time::Duration;

use attractor_run::{Answer as Given, Post, Question, RunSnapshot, load_events, post};
use clap_complete::ArgValueCandidates;

use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::question;
use crate::project::{self, Fits, find};

/// How long the owner of a run may take to reply.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Answer a question of a run, also one that runs elsewhere
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor answer approve              the one open question of the newest run that asks
  attractor answer 01KA review approve  the question of the node `review` of that run")]
pub struct Answer {
    /// The answer: an option's key or label, or text. Before it the question's id or node, when several are open,
    /// and before that a run's id or the beginning of it; the newest run that asks otherwise
    #[arg(required_unless_present = "text", num_args = 0..=3, value_names = ["[RUN] [QUESTION] ANSWER"], add = ArgValueCandidates::new(|| Fits::Asking.complete()))]
    words: Vec<String>,
    /// Text beside a choice, or instead of one
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
}

/// What the words of the command line name.
struct Named<'w> {
    run: Option<&'w str>,
    question: Option<&'w str>,
    answer: &'w str,
}

impl Answer {
    /// What each word is. Of two, the first is a run when there is one of that name.
    fn named(&self) -> Result<Named<'_>, Error> {
        let named = |run, question, answer| Named {
            run,
            question,
            answer,
        };
        Ok(match self.words.as_slice() {
            [run, question, answer] => named(Some(run.as_str()), Some(question), answer),
            [first, answer] if project::is_run(first)? => named(Some(first), None, answer),
            [first, answer] => named(None, Some(first), answer),
            [answer] => named(None, None, answer),
            _ => named(None, None, ""),
        })
    }

    /// Sends the answer and says what became of it.
    pub fn run(self) -> Result<Exit, Error> {
        let Named {
            run,
            question,
            answer: choice,
        } = self.named()?;
        let directory = find(run, Fits::Asking)?;
        let id = directory.file_name().unwrap_or_default().to_string_lossy();
        let open = RunSnapshot::of(&load_events(&directory)?).questions;
        let question = match question {
            Some(question) => named_question(&open, question)?,
            None => only(&open, &id)?,
        };
        let answer = Given {
            choice: choice.to_owned(),
            text: self.text.clone(),
            by: attractor_run::person_at_terminal(),
        };
        let order = Post::Answer {
            question: question.id.clone(),
            answer,
        };
        let answered = post(&directory, &order, PATIENCE)?;
        if answered.accepted {
            let said = [choice, self.text.as_deref().unwrap_or_default()];
            let said = said.join(" ");
            console::line(&format!(
                "{}: {}",
                question.node,
                console::plain(said.trim())
            ))?;
            return Ok(Exit::Success);
        }
        let reason = answered
            .reason
            .or_else(|| answered.by.map(|by| format!("{by} was first")));
        Err(Error::NotAccepted {
            reason: reason.unwrap_or_else(|| "the question is closed".to_owned()),
        })
    }
}

fn named_question<'q>(open: &'q [Question], wanted: &str) -> Result<&'q Question, Error> {
    open.iter()
        .find(|one| one.id == wanted || one.node == wanted)
        .ok_or_else(|| Error::NoQuestion {
            wanted: wanted.to_owned(),
            open: drawn(open),
        })
}

fn only<'q>(open: &'q [Question], run: &str) -> Result<&'q Question, Error> {
    match open {
        [one] => Ok(one),
        [] => Err(Error::NothingAsked {
            run: run.to_owned(),
        }),
        _ => Err(Error::WhichQuestion { open: drawn(open) }),
    }
}

fn drawn(open: &[Question]) -> String {
    let lines = open.iter().map(|one| {
        format!(
            "  {}\n{}",
            one.id,
            question::ask(one, console::width()).join("\n")
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
