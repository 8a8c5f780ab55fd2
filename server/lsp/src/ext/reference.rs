//! The tables of `docs/protocol.md`, from the types and their doc comments.
//!
//! `UPDATE_DOCS=1 cargo test -p attractor-lsp --lib are_fresh` writes them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use attractor_tests::schema_tables::{definitions, description, fields, shape};
use lsp_types::notification::Notification;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

pub(super) use attractor_proto::schema::{names, range};

use super::commands::{
    AnswerArgs, AnswerResult, COMMANDS, CancelArgs, CancelResult, Command, CommandRow, ConsentArgs,
    ConsentResult, DiffArgs, DiffResult, EventsArgs, EventsResult, ExplainArgs, ExplainResult,
    ForkArgs, GraphArgs, GraphResult, InputsArgs, InputsResult, LogArgs, LogResult, NewArgs,
    NewResult, ProvidersArgs, ProvidersResult, ReportArgs, ReportResult, ResumeArgs, RevertArgs,
    RevertResult, RunArgs, RunResult, RunsArgs, RunsResult, SemanticDiffArgs, SemanticDiffResult,
    SteerArgs, SteerResult, TestArgs, TestResult, TrustArgs, TrustResult, ValidateArgs,
    ValidateResult, WaysArgs, WaysResult,
};
use super::notifications::{
    EventNotification, EventParams, QuestionClosedNotification, QuestionClosedParams,
    QuestionNotification, QuestionParams, RunStateNotification, RunStateParams, StatusNotification,
    StatusParams,
};
use super::providers::{ApiKeysParams, ServerTokenParams};
use crate::handlers::{api_keys, server_token};
use attractor_proto::client_capabilities::ClientExtensions;

/// A failure, which is documented with the events.
pub(super) fn failure(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "title": "[Failure](reference/events.md#failure)" })
}

/// An entry of a transcript, which is documented with the events.
pub(super) fn transcript_entry(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "title": "[TranscriptEntry](reference/events.md#transcriptentry)" })
}

/// The words for how real a run is.
pub(super) fn words_of_reality(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": attractor_run::Reality::ALL.map(attractor_run::Reality::name) })
}

/// What is read, and what is written.
#[derive(Clone, Copy)]
enum Contract {
    Read,
    Written,
}

/// The types that tables refer to, by name.
type Definitions = BTreeMap<String, Value>;

fn schema<T: JsonSchema>(contract: Contract, definitions: &mut Definitions) -> Value {
    let settings = SchemaSettings::draft2020_12();
    let settings = match contract {
        Contract::Read => settings.for_deserialize(),
        Contract::Written => settings.for_serialize(),
    };
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    let schema = schema.to_value();
    let own = schema["$defs"].as_object().into_iter().flatten();
    definitions.extend(own.map(|(name, schema)| (name.clone(), schema.clone())));
    schema
}

/// What a command takes and what it answers.
fn argument_and_result(command: Command, definitions: &mut Definitions) -> (Value, Value) {
    fn both<A: JsonSchema, R: JsonSchema>(definitions: &mut Definitions) -> (Value, Value) {
        let argument = schema::<A>(Contract::Read, definitions);
        (argument, schema::<R>(Contract::Written, definitions))
    }
    match command {
        Command::Run => both::<RunArgs, RunResult>(definitions),
        Command::Inputs => both::<InputsArgs, InputsResult>(definitions),
        Command::SemanticDiff => both::<SemanticDiffArgs, SemanticDiffResult>(definitions),
        Command::Ways => both::<WaysArgs, WaysResult>(definitions),
        Command::Resume => both::<ResumeArgs, RunResult>(definitions),
        Command::Fork => both::<ForkArgs, RunResult>(definitions),
        Command::Cancel => both::<CancelArgs, CancelResult>(definitions),
        Command::Answer => both::<AnswerArgs, AnswerResult>(definitions),
        Command::Steer => both::<SteerArgs, SteerResult>(definitions),
        Command::Diff => both::<DiffArgs, DiffResult>(definitions),
        Command::Revert => both::<RevertArgs, RevertResult>(definitions),
        Command::Providers => both::<ProvidersArgs, ProvidersResult>(definitions),
        Command::Runs => both::<RunsArgs, RunsResult>(definitions),
        Command::Events => both::<EventsArgs, EventsResult>(definitions),
        Command::Report => both::<ReportArgs, ReportResult>(definitions),
        Command::Log => both::<LogArgs, LogResult>(definitions),
        Command::Graph => both::<GraphArgs, GraphResult>(definitions),
        Command::Consent => both::<ConsentArgs, ConsentResult>(definitions),
        Command::Trust => both::<TrustArgs, TrustResult>(definitions),
        Command::Explain => both::<ExplainArgs, ExplainResult>(definitions),
        Command::Validate => both::<ValidateArgs, ValidateResult>(definitions),
        Command::Test => both::<TestArgs, TestResult>(definitions),
        Command::New => both::<NewArgs, NewResult>(definitions),
    }
}

/// What a command does: its doc comment up to the names of its types.
fn purpose(known: &CommandRow) -> String {
    let commands = schema::<Command>(Contract::Written, &mut Definitions::new());
    let name = format!("{:?}", known.command);
    let described = commands["oneOf"].as_array().into_iter().flatten();
    let row = described
        .into_iter()
        .find(|row| row["const"] == name.as_str());
    let doc = row.map(description).unwrap_or_default();
    doc.split(": [").next().unwrap_or_default().to_owned()
}

fn commands(definitions: &mut Definitions) -> String {
    let mut text = String::new();
    for known in COMMANDS {
        let (argument, result) = argument_and_result(known.command, definitions);
        let _ = write!(
            text,
            "### `{}`\n\n{}.\n\n{}\n{}\n",
            known.name,
            purpose(known),
            fields("argument", &argument),
            fields("result", &result)
        );
    }
    text.trim_end().to_owned() + "\n"
}

fn notifications(definitions: &mut Definitions) -> String {
    let sections = [
        notification::<EventNotification, EventParams>(definitions),
        notification::<RunStateNotification, RunStateParams>(definitions),
        notification::<QuestionNotification, QuestionParams>(definitions),
        notification::<QuestionClosedNotification, QuestionClosedParams>(definitions),
        notification::<StatusNotification, StatusParams>(definitions),
    ];
    sections.join("\n")
}

/// What clients send.
fn client_notifications(definitions: &mut Definitions) -> String {
    let sections = [
        (
            api_keys::METHOD,
            schema::<ApiKeysParams>(Contract::Read, definitions),
        ),
        (
            server_token::METHOD,
            schema::<ServerTokenParams>(Contract::Read, definitions),
        ),
    ];
    let sections = sections.map(|(method, schema)| {
        let table = fields("field", &schema);
        format!("### `{method}`\n\n{}\n\n{table}", description(&schema))
    });
    sections.join("\n")
}

fn notification<N, P>(definitions: &mut Definitions) -> String
where
    N: Notification<Params = P>,
    P: JsonSchema,
{
    let schema = schema::<P>(Contract::Written, definitions);
    let table = fields("field", &schema);
    format!("### `{}`\n\n{}\n\n{table}", N::METHOD, description(&schema))
}

#[test]
fn the_tables_of_the_protocol_are_fresh() {
    let mut used = Definitions::new();
    let announced = schema::<ClientExtensions>(Contract::Read, &mut used);
    let commands = commands(&mut used);
    let notifications = notifications(&mut used);
    let of_clients = client_notifications(&mut used);
    attractor_tests::fresh_parts(
        "docs/protocol.md",
        &[
            ("announced", fields("field", &announced)),
            ("commands", commands),
            ("notifications", notifications),
            ("notifications of clients", of_clients),
            ("types", definitions(&used).trim_end().to_owned() + "\n"),
        ],
    );
}

#[test]
fn error_messages_show_what_a_command_takes() {
    for known in COMMANDS {
        let (argument, _) = argument_and_result(known.command, &mut Definitions::new());
        assert_eq!(known.takes, shape(&argument), "{}", known.name);
    }
}
