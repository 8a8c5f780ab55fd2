//! The errors of the server: one enum, all messages here.
//!
//! On the wire a [`ServerError`] is a JSON-RPC error whose message a user can act on and whose
//! `data.code` a program can match (see `docs/protocol.md`).

use attractor::ApprovalError;
use attractor_client::ClientError;
use attractor_proto::{REQUEST_FAILED, RequestError};
use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode};

/// How many errors of a pipeline a message lists.
const MAX_LISTED: usize = 5;

/// One error of a pipeline that keeps it from running, as sent to the client.
#[derive(Debug, Clone, Serialize)]
pub struct PipelineError {
    /// The lint rule.
    pub rule: &'static str,
    /// The message of the diagnostic.
    pub message: String,
    /// The line, counted from 1.
    pub line: u32,
}

/// Why a command was not carried out.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ServerError {
    /// The editor itself says that this workspace is not trusted.
    #[error("This workspace is not trusted. Trust it in your editor, then run {pipeline} again.")]
    Untrusted {
        /// The pipeline that was to run.
        pipeline: String,
    },
    /// The pipeline has errors.
    #[error("{pipeline} has {}; fix {} before running ({})", count_errors(*.total), pronoun(*.total), listed(.errors, *.total))]
    InvalidPipeline {
        /// The pipeline.
        pipeline: String,
        /// Its errors, the first ten.
        errors: Vec<PipelineError>,
        /// How many errors it has.
        total: usize,
    },
    /// The project's configuration cannot be used as a whole, so what it forbids might be allowed.
    #[error("Invalid configuration: {path}:{problem}")]
    Configuration {
        /// The file.
        path: String,
        /// What is wrong, with line and column.
        problem: String,
    },
    /// No run of that id is known here.
    #[error("Unknown run {run}. Use `attractor.runs` to list runs.")]
    UnknownRun {
        /// The run asked for.
        run: String,
    },
    /// The pipeline is running already.
    #[error("{pipeline} is already running (run {run}). Cancel that run or wait for its end.")]
    AlreadyRunning {
        /// The pipeline.
        pipeline: String,
        /// Its live run.
        run: String,
    },
    /// The run does not wait for this answer.
    #[error("Run {run} is not waiting for an answer to {question}.")]
    NotWaiting {
        /// The run.
        run: String,
        /// The question, or "any question".
        question: String,
    },
    /// The node takes no message.
    #[error("Message to {node} rejected: {reason}.")]
    SteeringRejected {
        /// The node.
        node: String,
        /// Why.
        reason: String,
    },
    /// The process that works on the run does not take the answer.
    #[error("Answer rejected: {reason}.")]
    AnswerRejected {
        /// Why.
        reason: String,
    },
    /// The answer is none of the choices.
    #[error("Invalid answer {answer:?}; expected {choices}.")]
    BadAnswer {
        /// What was answered.
        answer: String,
        /// What may be answered.
        choices: String,
    },
    /// The pipeline is not the one the run began with.
    #[error(
        "The pipeline has changed since run {run} started:\n{diff}\nAccept the changes, or restore the file."
    )]
    Changed {
        /// The run.
        run: String,
        /// What matters of the difference, line by line.
        diff: String,
    },
    /// This user has not recorded the run.
    #[error(
        "Run {run} was not recorded by you here: by somebody else, on another machine, or by an earlier version. Its records \
         decide what runs next, and can say that a person approved a gate."
    )]
    ForeignRun {
        /// The run.
        run: String,
    },
    /// Inputs that the pipeline requires and that were not given.
    #[error(
        "{pipeline} requires {}; enter a value for each when you run it",
        names(missing)
    )]
    MissingInputs {
        /// The pipeline.
        pipeline: String,
        /// Their names.
        missing: Vec<String>,
    },
    /// Secrets of an earlier session that this one does not know.
    #[error(
        "Run {run} needs {} again, because secrets are not stored. Enter a value for each when you resume or fork the run, or set {} in the environment of the editor.",
        names(missing), variables.join(", ")
    )]
    MissingSecrets {
        /// The run.
        run: String,
        /// Their names.
        missing: Vec<String>,
        /// The variables of the environment they are looked for in.
        variables: Vec<String>,
    },
    /// A forked run would work on other files than those of its moment.
    #[error("{detail} {}", if *.recorded {
        "Restore the files of that moment, or use them as they are."
    } else {
        "Use them as they are."
    })]
    FilesDiffer {
        /// Which files, as a sentence.
        detail: String,
        /// Whether the files of that moment were recorded.
        recorded: bool,
    },
    /// The engine would not start or resume the run.
    #[error("{message}")]
    Engine {
        /// Its own code for that.
        code: &'static str,
        /// Its own words.
        message: String,
    },
    /// The file is in no repository.
    #[error("{uri} is not in a Git repository.")]
    NoRepository {
        /// The file.
        uri: String,
    },
    /// No commit of that name.
    #[error("Unknown revision {revision:?}. Expected a commit, branch or tag of the repository.")]
    UnknownRevision {
        /// The name asked for.
        revision: String,
    },
    /// Git cannot be asked.
    #[error("{}", sentence(.0))]
    Git(String),
    /// No template of that name.
    #[error("Unknown template {template:?}; expected one of {known}.")]
    UnknownTemplate {
        /// The name asked for.
        template: String,
        /// The names there are.
        known: String,
    },
    /// A new pipeline would overwrite something.
    #[error("{uri} already exists. Choose a new file or an empty document.")]
    Taken {
        /// The document.
        uri: String,
    },
    /// The trust decision could not be saved.
    #[error(transparent)]
    TrustStore(#[from] ApprovalError),
    /// The files of the run are on another machine.
    #[error("Run {run} is on {server}. {what} is not available for remote runs.")]
    NotHere {
        /// The run.
        run: String,
        /// The server it is on.
        server: String,
        /// What was to be done.
        what: &'static str,
    },
    /// A server elsewhere cannot be asked, or refuses.
    #[error("{message}")]
    Server {
        /// What kind of error it is.
        code: &'static str,
        /// What is wrong, and what to do.
        message: String,
    },
    /// What only reads documents could not be answered.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl ServerError {
    /// The machine-readable name in `data.code`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Untrusted { .. } => "untrusted",
            Self::InvalidPipeline { .. } => "invalidPipeline",
            Self::Configuration { .. } => "configuration",
            Self::UnknownRun { .. } => "unknownRun",
            Self::AlreadyRunning { .. } => "alreadyRunning",
            Self::NotWaiting { .. } => "notWaiting",
            Self::SteeringRejected { .. } => "steeringRejected",
            Self::AnswerRejected { .. } => "answerRejected",
            Self::BadAnswer { .. } => "badAnswer",
            Self::Changed { .. } => "pipelineChanged",
            Self::ForeignRun { .. } => "foreignRun",
            Self::MissingInputs { .. } | Self::MissingSecrets { .. } => "missingInputs",
            Self::FilesDiffer { .. } => "filesDiffer",
            Self::Engine { code, .. } | Self::Server { code, .. } => code,
            Self::NoRepository { .. } => "noRepository",
            Self::UnknownRevision { .. } => "unknownRevision",
            Self::Git(_) => "git",
            Self::UnknownTemplate { .. } => "unknownTemplate",
            Self::Taken { .. } => "taken",
            Self::TrustStore(_) => "trustStore",
            Self::NotHere { .. } => "notHere",
            Self::Request(error) => error.code().unwrap_or("internal"),
        }
    }
}

impl From<ClientError> for ServerError {
    fn from(error: ClientError) -> Self {
        let code = match &error {
            ClientError::InvalidAddress { .. } | ClientError::Insecure { .. } => "serverAddress",
            ClientError::NoToken { .. } | ClientError::WrongToken { .. } => "serverToken",
            ClientError::Disconnected { .. } => "serverUnreachable",
            ClientError::Refused { .. } => "serverRefused",
            ClientError::InvalidAnswer { .. } => "serverAnswer",
        };
        Self::Server {
            code,
            message: sentence(&error.to_string()),
        }
    }
}

/// A message as a sentence of its own.
pub(crate) fn sentence(message: &str) -> String {
    let is_address = message.starts_with("http");
    let (first, rest) = message.split_at(message.chars().next().map_or(0, char::len_utf8));
    if is_address {
        format!("{message}.")
    } else {
        format!("{}{rest}.", first.to_uppercase())
    }
}

impl From<ServerError> for Error {
    fn from(refusal: ServerError) -> Self {
        let code = refusal.code();
        let data = match &refusal {
            ServerError::InvalidPipeline { errors, .. } => {
                json!({ "code": code, "diagnostics": errors })
            }
            ServerError::AlreadyRunning { run, .. } => json!({ "code": code, "run": run }),
            ServerError::MissingInputs { missing, .. }
            | ServerError::MissingSecrets { missing, .. } => {
                json!({ "code": code, "missing": missing })
            }
            ServerError::FilesDiffer { recorded, .. } => {
                json!({ "code": code, "recorded": recorded })
            }
            ServerError::Changed { diff, .. } => json!({ "code": code, "diff": diff }),
            ServerError::Request(error) if error.code().is_none() => Value::Null,
            _ => json!({ "code": code }),
        };
        let number = match &refusal {
            ServerError::Request(error) => error.number(),
            _ => REQUEST_FAILED,
        };
        Self {
            code: ErrorCode::from(number),
            message: refusal.to_string().into(),
            data: Some(data).filter(|data| !data.is_null()),
        }
    }
}

fn count_errors(total: usize) -> String {
    if total == 1 {
        "1 error".to_owned()
    } else {
        format!("{total} errors")
    }
}

fn pronoun(total: usize) -> &'static str {
    if total == 1 { "it" } else { "them" }
}

/// "the input `a`", "the inputs `a` and `b`".
fn names(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => format!("the input {last}"),
        Some((last, others)) => format!("the inputs {} and {last}", others.join(", ")),
        None => "an input".to_owned(),
    }
}

/// The errors in one line, because notifications have no line breaks.
fn listed(errors: &[PipelineError], total: usize) -> String {
    let mut parts: Vec<String> = errors
        .iter()
        .take(MAX_LISTED)
        .map(|error| format!("line {}: {}", error.line, error.message))
        .collect();
    let rest = total.saturating_sub(parts.len());
    if rest > 0 {
        parts.push(format!("and {rest} more"));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn wire(total: usize) -> String {
        let errors = (1..=total).map(|line| PipelineError {
            rule: "start_node",
            message: "no start node".into(),
            line: u32::try_from(line).expect("a small number"),
        });
        let error = Error::from(ServerError::InvalidPipeline {
            pipeline: "release".into(),
            errors: errors.take(10).collect(),
            total,
        });
        serde_json::to_string(&error).expect("errors are plain data")
    }

    #[test]
    fn server_errors_have_a_code_and_data() {
        expect![[r#"{"code":-32803,"message":"release has 1 error; fix it before running (line 1: no start node)","data":{"code":"invalidPipeline","diagnostics":[{"rule":"start_node","message":"no start node","line":1}]}}"#]].assert_eq(&wire(1));
    }

    #[test]
    fn server_errors_list_pipeline_errors() {
        let message = |errors| {
            let wire: serde_json::Value = serde_json::from_str(&wire(errors)).expect("valid JSON");
            wire["message"].as_str().unwrap_or_default().to_owned()
        };
        expect!["release has 2 errors; fix them before running (line 1: no start node; line 2: no start node)"].assert_eq(&message(2));
        expect!["release has 12 errors; fix them before running (line 1: no start node; line 2: no start node; line 3: no start node; line 4: no start node; line 5: no start node; and 7 more)"].assert_eq(&message(12));
    }
}
