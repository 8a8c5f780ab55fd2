//! What requests carry.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request of the client.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) seq: i64,
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) arguments: Value,
}

/// `initialize`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct InitializeArguments {
    pub(crate) lines_start_at1: bool,
    pub(crate) columns_start_at1: bool,
}

impl Default for InitializeArguments {
    fn default() -> Self {
        Self {
            lines_start_at1: true,
            columns_start_at1: true,
        }
    }
}

/// How real a run that is launched is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LaunchMode {
    /// Everything is real.
    #[default]
    Run,
    /// All models are simulated; the rest is real.
    Simulate,
}

/// What to do with files that are not as they were when a visit began that is restarted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RestartFiles {
    /// Use them as they are.
    #[default]
    Keep,
    /// Restore them as they were.
    Restore,
}

/// `launch`
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaunchArguments {
    /// The pipeline file.
    pub program: String,
    /// The pipeline to run, where the file has several.
    #[serde(default)]
    pub graph: Option<String>,
    /// First values of the context.
    #[serde(default)]
    pub inputs: BTreeMap<String, Value>,
    /// Whether the run pauses before its first node.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// How real it is.
    #[serde(default)]
    pub mode: LaunchMode,
    /// What a restarted frame does with files.
    #[serde(default)]
    pub restart_files: RestartFiles,
    /// Whether breakpoints are not used.
    #[serde(default)]
    pub no_debug: bool,
}

/// `attach`
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttachArguments {
    /// A run: id, unique prefix or folder.
    pub(crate) run: String,
    /// What a restarted frame does with files.
    #[serde(default)]
    pub(crate) restart_files: RestartFiles,
}

/// A source, as both sides name it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetBreakpointsArguments {
    pub(crate) source: Source,
    #[serde(default)]
    pub(crate) breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SourceBreakpoint {
    pub(crate) line: i64,
    pub(crate) column: Option<i64>,
    pub(crate) condition: Option<String>,
    pub(crate) hit_condition: Option<String>,
    pub(crate) log_message: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetFunctionBreakpointsArguments {
    pub(crate) breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FunctionBreakpoint {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) condition: Option<String>,
    #[serde(default)]
    pub(crate) hit_condition: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpointInfoArguments {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) variables_reference: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetDataBreakpointsArguments {
    pub(crate) breakpoints: Vec<DataBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpoint {
    pub(crate) data_id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetExceptionBreakpointsArguments {
    pub(crate) filters: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BreakpointLocationsArguments {
    pub(crate) source: Source,
    pub(crate) line: i64,
    #[serde(default)]
    pub(crate) end_line: Option<i64>,
}

/// `continue`, `next`, `stepIn`, `stepOut`, `stepBack`, `reverseContinue`, `pause`, `exceptionInfo`
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ThreadArguments {
    pub(crate) thread_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTraceArguments {
    pub(crate) thread_id: i64,
    #[serde(default)]
    pub(crate) start_frame: Option<usize>,
    #[serde(default)]
    pub(crate) levels: Option<usize>,
}

/// `scopes`, `restartFrame`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameArguments {
    pub(crate) frame_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariablesArguments {
    pub(crate) variables_reference: i64,
    #[serde(default)]
    pub(crate) start: Option<usize>,
    #[serde(default)]
    pub(crate) count: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetVariableArguments {
    pub(crate) variables_reference: i64,
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvaluateArguments {
    pub(crate) expression: String,
    #[serde(default)]
    pub(crate) frame_id: Option<i64>,
    #[serde(default)]
    pub(crate) context: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct GotoTargetsArguments {
    pub(crate) source: Source,
    pub(crate) line: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GotoArguments {
    pub(crate) thread_id: i64,
    pub(crate) target_id: i64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DisconnectArguments {
    pub(crate) terminate_debuggee: Option<bool>,
}
