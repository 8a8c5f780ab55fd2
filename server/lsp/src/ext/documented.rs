//! `docs/protocol.md` says what the types say.

use std::collections::BTreeSet;

use lsp_types::notification::Notification;
use serde::de::DeserializeOwned;

use super::commands::{
    AnswerArgs, AnswerResult, COMMANDS, CancelArgs, CancelResult, Command, ConsentArgs,
    ConsentResult, EventsArgs, EventsResult, ExplainArgs, ExplainResult, GraphArgs, GraphResult,
    LogArgs, LogResult, NewArgs, NewResult, ResumeArgs, RunArgs, RunResult, RunsArgs, RunsResult,
    TrustArgs, TrustResult, ValidateArgs, ValidateResult,
};
use super::notifications::{
    EventNotification, QuestionClosedNotification, QuestionNotification, RunStateNotification,
    StatusNotification,
};
use super::shape::{self, EnumStyle};
use crate::capabilities::client::ClientExtensions;

fn page() -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/protocol.md")).expect("the page is there");
    // A bar inside a cell is escaped.
    page.replace("\\|", "|")
}

/// The row of a name in one of the page's tables.
fn row<'p>(page: &'p str, name: &str) -> &'p str {
    let begin = format!("| `{name}` |");
    let mut rows = page.lines().filter(|line| line.starts_with(&begin));
    let row = rows.next();
    assert!(
        row.is_some() && rows.next().is_none(),
        "{name} has no row of its own"
    );
    row.unwrap_or_default()
}

/// The names in the first column that begin so.
fn names(page: &str, prefix: &str) -> BTreeSet<String> {
    let first = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    first
        .filter(|name| name.starts_with(prefix))
        .map(str::to_owned)
        .collect()
}

fn shapes(command: Command) -> (String, String) {
    fn both<A: DeserializeOwned, R: DeserializeOwned>() -> (String, String) {
        (
            shape::of::<A>(EnumStyle::Listed),
            shape::of::<R>(EnumStyle::Omitted),
        )
    }
    match command {
        Command::Run => both::<RunArgs, RunResult>(),
        Command::Resume => both::<ResumeArgs, RunResult>(),
        Command::Cancel => both::<CancelArgs, CancelResult>(),
        Command::Answer => both::<AnswerArgs, AnswerResult>(),
        Command::Runs => both::<RunsArgs, RunsResult>(),
        Command::Events => both::<EventsArgs, EventsResult>(),
        Command::Log => both::<LogArgs, LogResult>(),
        Command::Graph => both::<GraphArgs, GraphResult>(),
        Command::Consent => both::<ConsentArgs, ConsentResult>(),
        Command::Trust => both::<TrustArgs, TrustResult>(),
        Command::Explain => both::<ExplainArgs, ExplainResult>(),
        Command::Validate => both::<ValidateArgs, ValidateResult>(),
        Command::New => both::<NewArgs, NewResult>(),
    }
}

#[test]
fn every_command_with_what_it_takes_and_what_it_answers() {
    let page = page();
    for known in COMMANDS {
        let (takes, gives) = shapes(known.command);
        assert_eq!(
            known.takes, takes,
            "what error messages say of {}",
            known.name
        );
        let row = row(&page, known.name);
        for shape in [takes, gives] {
            assert!(
                row.contains(&format!("`{shape}`")),
                "{} needs `{shape}` in:\n{row}",
                known.name
            );
        }
    }
    let known: BTreeSet<String> = COMMANDS.iter().map(|known| known.name.to_owned()).collect();
    assert_eq!(names(&page, "attractor."), known);
}

#[test]
fn every_notification_with_its_fields() {
    fn check<N: Notification>(page: &str) -> String
    where
        N::Params: DeserializeOwned,
    {
        let shape = shape::of::<N::Params>(EnumStyle::Omitted);
        let row = row(page, N::METHOD);
        assert!(
            row.contains(&format!("`{shape}`")),
            "{} needs `{shape}` in:\n{row}",
            N::METHOD
        );
        N::METHOD.to_owned()
    }
    let page = page();
    let known = BTreeSet::from([
        check::<EventNotification>(&page),
        check::<RunStateNotification>(&page),
        check::<QuestionNotification>(&page),
        check::<QuestionClosedNotification>(&page),
        check::<StatusNotification>(&page),
    ]);
    assert_eq!(names(&page, "attractor/"), known);
}

#[test]
fn everything_a_client_can_announce() {
    let page = page();
    let shape = shape::of::<ClientExtensions>(EnumStyle::Omitted);
    for field in shape.trim_matches(['{', '}']).split(", ") {
        let field = field.trim_end_matches('?');
        assert!(
            page.contains(&format!("`{field}: bool`")),
            "{field} is not documented"
        );
    }
}
