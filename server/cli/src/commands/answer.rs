//! `attractor answer`: answers an open question of a run in another process.

use std::time::Duration;

use attractor_client::{AnswerOutcome, Server};
use attractor_run::{
    Answer as QuestionAnswer, ControlRequest, Question, RunSnapshot, load_events, post,
};
use clap_complete::ArgValueCandidates;

use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::question;
use crate::project::{self, RunFilter, check_live, find};
use crate::remote::{self, ServerOption};

/// How long the process of a run may take to reply.
pub const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// Answer an open question of a run (in any process)
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor answer approve              the only open question of the newest run with one
  attractor answer 01KA review approve  the question of the node `review` of that run")]
pub struct Answer {
    /// The answer: an option's key or label, or text. It may follow the question's id or node, required when several
    /// are open, and a run (id, unique prefix or folder) [default: the newest run with an open question]
    #[arg(required_unless_present = "text", num_args = 0..=3, value_names = ["[RUN] [QUESTION] ANSWER"], add = ArgValueCandidates::new(|| RunFilter::WithQuestion.complete()))]
    words: Vec<String>,
    /// Text in addition to a choice, or instead of one
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    server: ServerOption,
}

/// What the arguments refer to.
struct Target<'w> {
    run: Option<&'w str>,
    question: Option<&'w str>,
    answer: &'w str,
}

impl Answer {
    /// What each argument is. Of two, the first is a run when there is one of that name.
    fn target(&self, is_run: impl Fn(&str) -> Result<bool, Error>) -> Result<Target<'_>, Error> {
        let target = |run, question, answer| Target {
            run,
            question,
            answer,
        };
        Ok(match self.words.as_slice() {
            [run, question, answer] => target(Some(run.as_str()), Some(question), answer),
            [first, answer] if is_run(first)? => target(Some(first), None, answer),
            [first, answer] => target(None, Some(first), answer),
            [answer] => target(None, None, answer),
            _ => target(None, None, ""),
        })
    }

    /// Sends the answer and prints whether it was accepted.
    pub fn run(self) -> Result<Exit, Error> {
        if let Some(server) = self.server.open()? {
            return block_on(self.send_to(&server));
        }
        let Target {
            run,
            question,
            answer: choice,
        } = self.target(project::is_run)?;
        let directory = find(run, RunFilter::WithQuestion)?;
        check_live(&directory)?;
        let id = directory.file_name().unwrap_or_default().to_string_lossy();
        let open = RunSnapshot::of(&load_events(&directory)?).questions;
        let question = match question {
            Some(question) => named_question(&open, question)?,
            None => only(&open, &id)?,
        };
        let answer = QuestionAnswer {
            choice: choice.to_owned(),
            text: self.text.clone(),
            by: attractor_run::person_at_terminal(),
        };
        let order = ControlRequest::Answer {
            question: question.id.clone(),
            answer,
        };
        let answered = post(&directory, &order, REPLY_TIMEOUT)?;
        if answered.accepted {
            return self.accepted(&id, question, choice);
        }
        let reason = answered
            .reason
            .or_else(|| answered.by.as_deref().map(answered_first));
        Err(Error::AnswerRejected {
            reason: reason.unwrap_or_else(|| "the question is closed".to_owned()),
        })
    }
}

impl Answer {
    /// Sends the answer to a server.
    async fn send_to(&self, server: &Server) -> Result<Exit, Error> {
        let runs = remote::runs(server).await?;
        let is_run = |word: &str| {
            let word = word.to_ascii_uppercase();
            Ok(runs.iter().any(|run| run.run.starts_with(&word)))
        };
        let Target {
            run,
            question,
            answer: choice,
        } = self.target(is_run)?;
        let run = remote::find(server, run, RunFilter::WithQuestion)
            .await?
            .run;
        let open = RunSnapshot::of(&server.events(&run, 0).await?).questions;
        let question = match question {
            Some(question) => named_question(&open, question)?,
            None => only(&open, &run)?,
        };
        let text = self.text.as_deref();
        match server.answer(&run, &question.id, choice, text).await? {
            AnswerOutcome::Accepted => self.accepted(&run, question, choice),
            AnswerOutcome::Late { by } => Err(Error::AnswerRejected {
                reason: answered_first(&by),
            }),
        }
    }

    fn accepted(&self, run: &str, question: &Question, choice: &str) -> Result<Exit, Error> {
        let sent = [choice, self.text.as_deref().unwrap_or_default()];
        let sent = sent.join(" ");
        console::line(&format!(
            "{}: {} (run {run})",
            question.node,
            console::plain(sent.trim())
        ))?;
        Ok(Exit::Success)
    }
}

fn answered_first(by: &str) -> String {
    format!("{by} answered first")
}

fn named_question<'q>(open: &'q [Question], wanted: &str) -> Result<&'q Question, Error> {
    open.iter()
        .find(|one| one.id == wanted || one.node == wanted)
        .ok_or_else(|| Error::UnknownQuestion {
            wanted: wanted.to_owned(),
            open: drawn(open),
        })
}

fn only<'q>(open: &'q [Question], run: &str) -> Result<&'q Question, Error> {
    match open {
        [one] => Ok(one),
        [] => Err(Error::NoOpenQuestion {
            run: run.to_owned(),
        }),
        _ => Err(Error::AmbiguousQuestion { open: drawn(open) }),
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
