//! `attractor.answer`.

use std::sync::Arc;

use attractor_run::{Answer, Question, bare_label};

use super::find_run::find;
use crate::errors::ServerError;
use crate::ext::commands::{AnswerArgs, AnswerResult};
use crate::session::Session;

/// Answers a human gate. Whether this answer is the first is for the engine to say.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: AnswerArgs,
) -> Result<AnswerResult, ServerError> {
    let source = find(session, &args.run).await?;
    let answer = Answer {
        choice: args.answer.clone().unwrap_or_default(),
        text: args.text.clone(),
        by: session.notifier.person(),
    };
    // A run that is not followed has its questions where it is; it refuses what does not fit.
    let open = session.runs.get(&args.run).map(|run| run.questions());
    let open = open.unwrap_or_default();
    if let Some(question) = open.iter().find(|open| open.id == args.question) {
        check(question, &args, &answer)?;
    }
    let answered = source.answer(&args.question, answer).await?;
    if !answered.accepted && answered.by.is_none() {
        // Of another process: who may answer, for one.
        if let Some(reason) = answered.reason {
            return Err(ServerError::AnswerRejected { reason });
        }
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
