//! `attractor.answer`.

use std::sync::Arc;

use attractor_run::{Answer, Question, bare_label};

use crate::errors::ServerError;
use crate::ext::commands::{AnswerArgs, AnswerResult};
use crate::session::Session;

/// Answers a human gate. Whether this answer is the first is for the engine to say.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: AnswerArgs,
) -> Result<AnswerResult, ServerError> {
    let run = session.runs.get(&args.run)?;
    let answer = Answer {
        choice: args.answer.clone().unwrap_or_default(),
        text: args.text.clone(),
        by: session.notifier.person(),
    };
    if let Some(question) = run
        .handle
        .questions()
        .iter()
        .find(|question| question.id == args.question)
    {
        check(question, &args, &answer)?;
    }
    let answered = run.handle.answer(&args.question, answer).await;
    if !answered.accepted && answered.by.is_none() {
        return Err(ServerError::NotWaiting {
            run: args.run,
            question: args.question,
        });
    }
    Ok(AnswerResult {
        accepted: answered.accepted,
        by: answered.by,
    })
}

/// An answer that is none is refused with the choices; `✎ answer…` of clients that cannot ask for text ends
/// here too.
fn check(question: &Question, args: &AnswerArgs, answer: &Answer) -> Result<(), ServerError> {
    let given = args.answer.as_ref().or(args.text.as_ref());
    if given.is_some() && question.read(answer).is_ok() {
        return Ok(());
    }
    let options = question
        .options
        .iter()
        .map(|option| format!("{} ({})", option.key, bare_label(&option.label)));
    let choices = options.collect::<Vec<_>>().join(", ");
    let choices = if choices.is_empty() {
        "any text, in `answer`".to_owned()
    } else {
        choices
    };
    Err(ServerError::BadAnswer {
        answer: given.cloned().unwrap_or_default(),
        choices,
    })
}
