//! What each path takes and gives, for the description of the server.

use schemars::{Schema, SchemaGenerator};

use super::{checkpoint, event, fields, of};
use crate::routes::changes::{ChangesQuery, ShownChanges};
use crate::routes::control::{Accepted, CancelledRun, Message};
use crate::routes::events::EventsQuery;
use crate::routes::files::{AttemptQuery, StageFiles};
use crate::routes::fork::ForkBody;
use crate::routes::graph::GraphQuery;
use crate::routes::pipelines::{Health, ListQuery, ListedRuns, ShownContext};
use crate::routes::project::ProjectPipelines;
use crate::routes::questions::{AnswerBody, OpenQuestions};
use crate::routes::run_changes::RunChangesQuery;
use crate::routes::session::{Login, NewSession};
use crate::submission::SubmissionBody;
use crate::view::{RunFrame, ShownRun, StartedRun};

type ToSchema = fn(&mut SchemaGenerator) -> Schema;

/// A method of a path.
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) id: &'static str,
    pub(super) summary: &'static str,
    pub(super) tag: &'static str,
    pub(super) query: Option<ToSchema>,
    pub(super) body: Option<ToSchema>,
    pub(super) answers: &'static [(u16, &'static str, Answer)],
    /// What can be asked next about what the answer names.
    pub(super) links: Option<Links>,
    /// Errors beyond those of all paths of its kind.
    pub(super) errors: &'static [(u16, &'static str)],
    /// Whether it needs no token.
    pub(super) open: bool,
    /// Whether the answer depends on `Attractor-Protocol`.
    pub(super) versioned: bool,
}

/// What an answer names.
#[derive(Clone, Copy)]
pub(super) enum Links {
    /// A run: the value of this field of the body.
    Run(&'static str),
    /// The questions of the run in the path.
    Questions,
}

/// The body of an answer.
pub(super) enum Answer {
    Nothing,
    Json(ToSchema),
    /// Server-sent events with such data.
    Events(ToSchema),
    /// A text of one of these media types.
    Text(&'static [&'static str]),
}

/// The error of an unknown version.
const BAD_PROTOCOL: (u16, &str) = (400, "the version in `Attractor-Protocol` is unknown");

/// Paths with the same methods are next to each other.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        open: true,
        ..get(
            "/healthz",
            "health",
            "Whether the server answers",
            "server",
            &[(200, "it does", Answer::Json(of::<Health>))],
        )
    },
    get(
        "/openapi.json",
        "describe",
        "This document",
        "server",
        &[(
            200,
            "an OpenAPI document",
            Answer::Text(&["application/json"]),
        )],
    ),
    Operation {
        body: Some(of::<Login>),
        errors: &[
            (400, "the body is not JSON"),
            (401, "the ticket has been used, or the token is wrong"),
            (422, "invalid request body"),
        ],
        open: true,
        ..post(
            "/session",
            "log_in",
            "Log the web page in",
            "server",
            &[(201, "a cookie", Answer::Json(of::<NewSession>))],
        )
    },
    Operation {
        method: "delete",
        open: true,
        ..get(
            "/session",
            "log_out",
            "End the session of the cookie",
            "server",
            &[(204, "the cookie is removed", Answer::Nothing)],
        )
    },
    Operation {
        query: Some(fields::<RunChangesQuery>),
        errors: &[(400, "the query does not fit")],
        ..get(
            "/events",
            "run_changes",
            "The list of runs and its changes as they happen, or the changes after `Last-Event-ID`",
            "runs",
            &[(200, "server-sent events", Answer::Events(of::<RunFrame>))],
        )
    },
    get(
        "/project/pipelines",
        "project_pipelines",
        "The pipelines of the project, by path",
        "runs",
        &[(200, "pipelines", Answer::Json(of::<ProjectPipelines>))],
    ),
    Operation {
        query: Some(fields::<ListQuery>),
        errors: &[(400, "the query does not fit")],
        ..get(
            "/pipelines",
            "list",
            "Runs, newest first",
            "runs",
            &[(200, "runs", Answer::Json(of::<ListedRuns>))],
        )
    },
    Operation {
        links: Some(Links::Run("/id")),
        body: Some(of::<SubmissionBody>),
        errors: &[
            (400, "the body is not JSON"),
            (404, "no such file in the project"),
            (
                409,
                "nobody has approved what the file runs: `document` shows that, `approve` takes `digest`, and `changes` is the difference from the version that was approved last",
            ),
            (
                422,
                "the pipeline has errors, or the request body is invalid",
            ),
            (503, "the server is stopping"),
        ],
        ..post(
            "/pipelines",
            "submit",
            "Start a run of a pipeline",
            "runs",
            &[(
                201,
                "`Location` is its path",
                Answer::Json(of::<StartedRun>),
            )],
        )
    },
    Operation {
        errors: &[BAD_PROTOCOL],
        versioned: true,
        ..get(
            "/pipelines/{id}",
            "show",
            "A run",
            "runs",
            &[(200, "the run", Answer::Json(of::<ShownRun>))],
        )
    },
    Operation {
        query: Some(fields::<EventsQuery>),
        errors: &[(400, "the number is not one, or the version is unknown")],
        versioned: true,
        ..get(
            "/pipelines/{id}/events",
            "events",
            "Its events, as they happen, after `Last-Event-ID` or `after`",
            "runs",
            &[(200, "server-sent events", Answer::Events(event))],
        )
    },
    Operation {
        errors: &[(409, "it has ended")],
        ..post(
            "/pipelines/{id}/cancel",
            "cancel",
            "Stop it",
            "control",
            &[(
                202,
                "it is being cancelled",
                Answer::Json(of::<CancelledRun>),
            )],
        )
    },
    Operation {
        errors: &[(409, "it is paused already, or has ended")],
        ..post(
            "/pipelines/{id}/pause",
            "pause",
            "Pause it: steps at work end, nothing new starts",
            "control",
            &[(202, "it is paused", Answer::Json(of::<Accepted>))],
        )
    },
    Operation {
        errors: &[(409, "it is not paused, or has ended")],
        ..post(
            "/pipelines/{id}/continue",
            "continue",
            "Let it continue after a pause",
            "control",
            &[(202, "it continues", Answer::Json(of::<Accepted>))],
        )
    },
    Operation {
        links: Some(Links::Run("/id")),
        errors: &[
            (409, "a process works on it, or it has ended well"),
            (503, "the server is stopping"),
        ],
        ..post(
            "/pipelines/{id}/resume",
            "resume",
            "Continue it after its process ended or it failed",
            "control",
            &[(202, "it is running", Answer::Json(of::<StartedRun>))],
        )
    },
    Operation {
        body: Some(of::<Message>),
        errors: &[
            (400, "the body is not JSON"),
            (409, "the node takes no messages, or the run has ended"),
            (422, "invalid request body"),
        ],
        ..post(
            "/pipelines/{id}/steer",
            "steer",
            "Send a message to a node; it is kept for its next prompt",
            "control",
            &[(202, "it is recorded", Answer::Json(of::<Accepted>))],
        )
    },
    Operation {
        links: Some(Links::Run("/id")),
        body: Some(of::<ForkBody>),
        errors: &[
            (400, "the body is not JSON"),
            (
                409,
                "the run cannot be forked there, or files are not as they were then",
            ),
            (422, "invalid request body"),
            (503, "the server is stopping"),
        ],
        ..post(
            "/pipelines/{id}/fork",
            "fork",
            "Start a new run that continues it from the beginning of a visit",
            "control",
            &[(
                201,
                "`Location` is its path",
                Answer::Json(of::<StartedRun>),
            )],
        )
    },
    Operation {
        query: Some(fields::<GraphQuery>),
        errors: &[
            (400, "the format or the version is unknown"),
            (501, "Graphviz is not installed"),
        ],
        versioned: true,
        ..get(
            "/pipelines/{id}/graph",
            "graph",
            "Its graph with the state of the nodes, or the text of its pipeline",
            "runs",
            &[(
                200,
                "a picture, DOT, data, or the text",
                Answer::Text(&["image/svg+xml", "text/vnd.graphviz", "application/json"]),
            )],
        )
    },
    Operation {
        links: Some(Links::Questions),
        ..get(
            "/pipelines/{id}/questions",
            "questions",
            "Its open questions",
            "questions",
            &[(200, "questions", Answer::Json(of::<OpenQuestions>))],
        )
    },
    Operation {
        body: Some(of::<AnswerBody>),
        errors: &[
            (400, "the body is not JSON"),
            (409, "someone was first, or the run has ended"),
            (422, "it is not an answer to the question"),
        ],
        ..post(
            "/pipelines/{id}/questions/{question}/answer",
            "answer",
            "Answer a question",
            "questions",
            &[(200, "it counts", Answer::Json(of::<Accepted>))],
        )
    },
    get(
        "/pipelines/{id}/checkpoint",
        "checkpoint",
        "Where it is",
        "files",
        &[(200, "a checkpoint", Answer::Json(checkpoint))],
    ),
    get(
        "/pipelines/{id}/context",
        "context",
        "Its context, secrets masked",
        "files",
        &[(200, "values by key", Answer::Json(of::<ShownContext>))],
    ),
    Operation {
        query: Some(fields::<ChangesQuery>),
        errors: &[(400, "the query does not fit"), (409, "it is a dry run")],
        ..get(
            "/pipelines/{id}/diff",
            "diff",
            "What it changed in the files",
            "files",
            &[(200, "files", Answer::Json(of::<ShownChanges>))],
        )
    },
    Operation {
        query: Some(fields::<ChangesQuery>),
        errors: &[
            (400, "the query does not fit"),
            (409, "the node has not finished, or it is a dry run"),
        ],
        ..get(
            "/pipelines/{id}/diff/{node}",
            "diff_of_node",
            "What a node changed in the files, or a visit of it: NODE@VISIT",
            "files",
            &[(200, "files", Answer::Json(of::<ShownChanges>))],
        )
    },
    Operation {
        query: Some(fields::<AttemptQuery>),
        errors: &[(400, "the number or the query does not fit")],
        ..get(
            "/pipelines/{id}/stages/{node}/{visit}/{attempt}",
            "stage",
            "The files of an attempt of a node",
            "files",
            &[(200, "names", Answer::Json(of::<StageFiles>))],
        )
    },
    Operation {
        query: Some(fields::<AttemptQuery>),
        errors: &[(400, "the number or the query does not fit")],
        ..get(
            "/pipelines/{id}/stages/{node}/{visit}/{attempt}/{file}",
            "stage_file",
            "A file of an attempt, secrets masked; of a long one the end",
            "files",
            &[(200, "its text", Answer::Text(&["text/plain"]))],
        )
    },
    get(
        "/pipelines/{id}/artifacts/{sha}",
        "artifact",
        "A large value",
        "files",
        &[(200, "a text, or JSON", Answer::Text(&["text/plain"]))],
    ),
];

const fn get(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    tag: &'static str,
    answers: &'static [(u16, &'static str, Answer)],
) -> Operation {
    Operation {
        method: "get",
        path,
        id,
        summary,
        tag,
        query: None,
        body: None,
        answers,
        links: None,
        errors: &[],
        open: false,
        versioned: false,
    }
}

const fn post(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    tag: &'static str,
    answers: &'static [(u16, &'static str, Answer)],
) -> Operation {
    Operation {
        method: "post",
        ..get(path, id, summary, tag, answers)
    }
}
