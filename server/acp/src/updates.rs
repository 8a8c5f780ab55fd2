//! Events of a session as updates for the client. Pure.

use std::path::Path;

use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, Diff, Notice, NoticeSeverity, Plan, PlanEntry, PlanEntryPriority,
    PlanEntryStatus, SessionUpdate, TextContent, ToolCall, ToolCallContent, ToolCallLocation,
    ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields, ToolKind,
};
use attractor_agent::{AgentEventKind, AgentPlan, FileChange, StepStatus};
use serde_json::Value;

/// Files that are shown as a diff, in bytes.
const MAX_DIFF: usize = 512 * 1024;

/// The arguments that say what a call is about, most telling first.
const SUBJECTS: &[&str] = &[
    "command",
    "path",
    "file_path",
    "pattern",
    "question",
    "url",
    "task",
    "symbol",
];

/// How much of it a title shows, in characters.
const TITLE: usize = 120;

/// A message of the agent.
pub(crate) fn message(text: String) -> SessionUpdate {
    SessionUpdate::AgentMessageChunk(chunk(text))
}

/// What a user should know.
pub(crate) fn warning(text: String) -> SessionUpdate {
    notice(NoticeSeverity::Warning, text)
}

/// What one event means to a client; nothing for most. `changes` are those of the event's files.
pub(crate) fn update(
    event: AgentEventKind,
    folder: &Path,
    changes: &[FileChange],
) -> Option<SessionUpdate> {
    Some(match event {
        AgentEventKind::AssistantTextDelta { text } => {
            SessionUpdate::AgentMessageChunk(chunk(text))
        }
        AgentEventKind::ThinkingDelta { text } => SessionUpdate::AgentThoughtChunk(chunk(text)),
        AgentEventKind::ToolCallStart(call) => SessionUpdate::ToolCall(
            started(&call.tool_call_id, &call.tool_name, call.arguments, folder)
                .status(ToolCallStatus::InProgress),
        ),
        AgentEventKind::ToolCallEnd { call, .. } => {
            SessionUpdate::ToolCallUpdate(ended(&call.tool_call_id, call.output, call.is_error))
        }
        AgentEventKind::FilesChanged { tool_call_id, .. } => {
            let content: Vec<ToolCallContent> = changes
                .iter()
                .filter_map(|change| diff(change, folder))
                .collect();
            if content.is_empty() {
                return None;
            }
            let fields = ToolCallUpdateFields::new().content(content);
            SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(tool_call_id, fields))
        }
        AgentEventKind::PlanUpdated(steps) => SessionUpdate::Plan(plan(steps)),
        AgentEventKind::Warning { message } => notice(NoticeSeverity::Warning, message),
        AgentEventKind::LoopDetection { warning } => notice(NoticeSeverity::Warning, warning),
        _ => return None,
    })
}

/// A text.
pub(crate) fn chunk(text: impl Into<String>) -> ContentChunk {
    ContentChunk::new(ContentBlock::Text(TextContent::new(text)))
}

/// The plan of the session; the protocol demands a priority, which a plan here does not have.
fn plan(plan: AgentPlan) -> Plan {
    let entries = plan.steps.into_iter().map(|one| {
        let status = match one.status {
            StepStatus::Pending => PlanEntryStatus::Pending,
            StepStatus::InProgress => PlanEntryStatus::InProgress,
            StepStatus::Completed => PlanEntryStatus::Completed,
        };
        PlanEntry::new(one.step, PlanEntryPriority::Medium, status)
    });
    Plan::new(entries.collect())
}

/// A call that begins.
pub(crate) fn started(id: &str, tool: &str, arguments: Value, folder: &Path) -> ToolCall {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let subject = SUBJECTS.iter().find_map(|name| text(name));
    let mut title = tool.to_owned();
    if let Some(line) = subject.and_then(|subject| subject.lines().next()) {
        title.push(' ');
        title.extend(line.chars().take(TITLE));
    }
    let path = text("path").or_else(|| text("file_path"));
    let location = path.map(|path| ToolCallLocation::new(folder.join(path)));
    ToolCall::new(id.to_owned(), title)
        .name(tool.to_owned())
        .kind(kind(tool))
        .locations(location.into_iter().collect())
        .raw_input(arguments)
}

/// A call that has ended.
pub(crate) fn ended(id: &str, output: String, is_error: bool) -> ToolCallUpdate {
    let status = if is_error {
        ToolCallStatus::Failed
    } else {
        ToolCallStatus::Completed
    };
    let text = ContentBlock::Text(TextContent::new(output));
    let fields = ToolCallUpdateFields::new()
        .status(status)
        .content(vec![ToolCallContent::from(text)]);
    ToolCallUpdate::new(id.to_owned(), fields)
}

fn notice(severity: NoticeSeverity, text: String) -> SessionUpdate {
    SessionUpdate::Notice(Notice::new(severity, text))
}

/// A change of a text file that is not too large.
fn diff(change: &FileChange, folder: &Path) -> Option<ToolCallContent> {
    let text = |content: &Option<Vec<u8>>| {
        let content = content.as_deref().unwrap_or_default();
        (content.len() <= MAX_DIFF).then(|| String::from_utf8(content.to_vec()).ok())?
    };
    let (before, after) = (text(&change.before)?, text(&change.after)?);
    let before = change.before.is_some().then_some(before);
    let diff = Diff::new(folder.join(&change.path), after).old_text(before);
    Some(ToolCallContent::from(diff))
}

fn kind(tool: &str) -> ToolKind {
    match tool {
        "read_file" | "get_hover" | "get_diagnostics" => ToolKind::Read,
        "write_file" | "edit_file" | "apply_patch" => ToolKind::Edit,
        "grep" | "glob" | "list_dir" | "get_definition" | "get_references" | "get_completions" => {
            ToolKind::Search
        }
        "web_fetch" => ToolKind::Fetch,
        "shell" | "shell_output" | "shell_input" | "shell_stop" => ToolKind::Execute,
        _ => ToolKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use attractor_agent::ToolCallStart;
    use serde_json::json;

    use super::*;

    fn shown(event: AgentEventKind, changes: &[FileChange]) -> String {
        let update = update(event, Path::new("/w"), changes);
        serde_json::to_string(&update).unwrap()
    }

    #[test]
    fn calls_have_a_title_a_kind_and_a_place() {
        let start = |tool: &str, arguments| {
            AgentEventKind::ToolCallStart(ToolCallStart {
                tool_name: tool.to_owned(),
                tool_call_id: "c1".to_owned(),
                arguments,
            })
        };
        let lines = [
            shown(start("read_file", json!({"path": "src/a.rs"})), &[]),
            shown(
                start("shell", json!({"command": "cargo test\ncargo doc"})),
                &[],
            ),
            shown(
                start("apply_patch", json!({"input": "*** Begin Patch"})),
                &[],
            ),
        ];
        expect_test::expect![[r#"
            {"sessionUpdate":"tool_call","toolCallId":"c1","title":"read_file src/a.rs","name":"read_file","kind":"read","status":"in_progress","locations":[{"path":"/w/src/a.rs"}],"rawInput":{"path":"src/a.rs"}}
            {"sessionUpdate":"tool_call","toolCallId":"c1","title":"shell cargo test","name":"shell","kind":"execute","status":"in_progress","rawInput":{"command":"cargo test\ncargo doc"}}
            {"sessionUpdate":"tool_call","toolCallId":"c1","title":"apply_patch","name":"apply_patch","kind":"edit","status":"in_progress","rawInput":{"input":"*** Begin Patch"}}"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_plan_is_that_of_the_protocol() {
        let plan = json!({"steps": [
            {"step": "Read", "status": "completed"},
            {"step": "Change", "status": "in_progress"},
        ]});
        let plan = serde_json::from_value(plan).unwrap();
        expect_test::expect![[r#"{"sessionUpdate":"plan","entries":[{"content":"Read","priority":"medium","status":"completed"},{"content":"Change","priority":"medium","status":"in_progress"}]}"#]]
            .assert_eq(&shown(AgentEventKind::PlanUpdated(plan), &[]));
    }

    #[test]
    fn changes_of_text_files_are_diffs() {
        let change = |before: Option<&[u8]>, after: Option<&[u8]>| FileChange {
            path: PathBuf::from("a.txt"),
            before: before.map(<[u8]>::to_vec),
            mode: None,
            after: after.map(<[u8]>::to_vec),
        };
        let event = || AgentEventKind::FilesChanged {
            tool_call_id: "c1".to_owned(),
            paths: vec!["a.txt".to_owned()],
        };
        let lines = [
            shown(event(), &[change(None, Some(b"new"))]),
            shown(event(), &[change(Some(b"old"), Some(b"new"))]),
            shown(event(), &[change(Some(b"\xff"), Some(b"new"))]),
        ];
        expect_test::expect![[r#"
            {"sessionUpdate":"tool_call_update","toolCallId":"c1","content":[{"type":"diff","path":"/w/a.txt","newText":"new"}]}
            {"sessionUpdate":"tool_call_update","toolCallId":"c1","content":[{"type":"diff","path":"/w/a.txt","oldText":"old","newText":"new"}]}
            null"#]]
        .assert_eq(&lines.join("\n"));
    }
}
