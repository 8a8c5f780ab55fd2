//! `attractor answer`: answers a question of a run that another process owns.

use std::path::Path;
use std::time::Duration;

use attractor_run::{
    Answer as Given, Post, Question, RunSnapshot, find_run, load_events, post, runs_dir,
};

use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::question;

/// How long the owner of a run may take to reply.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Answer a question of a run, also one that runs elsewhere
#[derive(Debug, clap::Args)]
pub struct Answer {
    /// A run's id or the beginning of it, or its folder
    run: String,
    /// The question's id, when several are open, and the answer: an option's key or label, or text
    #[arg(required = true, num_args = 1..=2, value_names = ["[QUESTION] ANSWER"])]
    words: Vec<String>,
    /// Text beside a choice
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
}

impl Answer {
    /// Sends the answer and says what became of it.
    pub fn run(self) -> Result<Exit, Error> {
        let directory = find_run(&runs_dir(Path::new(".")), &self.run)?;
        let open = RunSnapshot::of(&load_events(&directory)?).questions;
        let (question, choice) = match self.words.as_slice() {
            [question, choice] => (find(&open, question)?, choice),
            [choice] => (only(&open, &self.run)?, choice),
            _ => return Ok(Exit::Usage),
        };
        let answer = Given {
            choice: choice.clone(),
            text: self.text,
            by: attractor_run::person_at_terminal(),
        };
        let order = Post::Answer {
            question: question.id.clone(),
            answer,
        };
        let answered = post(&directory, &order, PATIENCE)?;
        if answered.accepted {
            console::line(&format!("{}: {}", question.node, console::plain(choice)))?;
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

fn find<'q>(open: &'q [Question], wanted: &str) -> Result<&'q Question, Error> {
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
    let lines = open
        .iter()
        .map(|one| format!("  {}\n{}", one.id, question::ask(one).join("\n")));
    lines.collect::<Vec<_>>().join("\n")
}
