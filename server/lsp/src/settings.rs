//! The editor's settings. Values of the same names in configuration files have a lower precedence.
//!
//! Settings come as JSON in `initializationOptions` and in answer to `workspace/configuration` (section
//! `attractor`). Each field is read alone: an error in one is reported and the others have an effect.

use std::path::PathBuf;
use std::sync::Arc;

use attractor_proto::LanguageSettings;
use attractor_proto::settings::SettingsReader;
use serde::Deserialize;
use serde_json::Value;

/// The editor's settings, with their defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// Where runs are kept; `None` is `.attractor/runs` in the folder of the workspace.
    pub runs_dir: Option<PathBuf>,
    /// Where choices about trust are kept; `None` is the user's state folder.
    pub state_dir: Option<PathBuf>,
    /// The user's configuration file; `None` reads none. Set by the program that starts the server, since only it knows
    /// the environment.
    pub user_config: Option<PathBuf>,
    /// Whether the editor trusts the workspace; [`WorkspaceTrust::Unsaid`] when it says nothing.
    pub workspace_trust: WorkspaceTrust,
    /// Files whose digraphs are pipelines whatever they hold, as globs relative to the workspace.
    pub pipeline_globs: Vec<String>,
    /// The settings about the language.
    pub language: Arc<LanguageSettings>,
    /// The server program and servers elsewhere.
    pub server: ServerSettings,
}

/// `attractor.server.*`, as far as it is not for the editor's extension only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServerSettings {
    /// The address of an `attractor serve` whose runs are shown, too; empty for none.
    pub remote: String,
}

/// What the editor says about the workspace as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorkspaceTrust {
    /// Nothing: each pipeline is asked about.
    #[default]
    Unsaid,
    /// Trusted: each pipeline is still asked about once.
    Trusted,
    /// Not trusted: nothing runs.
    Restricted,
}

impl Settings {
    /// The folder of what is kept for the user.
    pub(crate) fn state_folder(&self) -> Option<PathBuf> {
        self.state_dir
            .clone()
            .or_else(attractor_config::state_folder)
    }

    /// Takes over what `value` says, field by field, and returns the problems, one sentence
    /// each. `null` and unknown fields change nothing.
    pub fn merge(&mut self, value: &Value) -> Vec<String> {
        let mut reader = SettingsReader::new(value);
        if let Some(trusted) = reader.field("trusted") {
            self.workspace_trust = if trusted {
                WorkspaceTrust::Trusted
            } else {
                WorkspaceTrust::Restricted
            };
        }
        if let Some(path) = reader.field::<PathBuf>("runsDir") {
            self.runs_dir = (!path.as_os_str().is_empty()).then_some(path);
        }
        if let Some(globs) = reader.field("pipelineGlobs") {
            self.pipeline_globs = globs;
        }
        Arc::make_mut(&mut self.language).merge(&mut reader);
        reader.replace("server", &mut self.server);
        reader.into_problems()
    }
}

#[cfg(test)]
mod tests {
    use attractor_dot::format::{Indent, Semicolons};
    use attractor_ide::model::Level;
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    #[test]
    fn each_field_is_read_alone() {
        let mut settings = Settings::default();
        let problems = settings.merge(&json!({
            "trusted": false,
            "dialect": "klingon",
            "lints": { "cycle": "allow", "syntax": 7 },
            "pipelineGlobs": "not a list",
            "format": { "indent": 4, "semicolons": "never", "align": null, "sort": "by length", "tabs": 3 },
            "inlayHints": { "model": false },
            "server": { "path": "for the extension", "remote": "http://127.0.0.1:4123" },
        }));
        assert_eq!(settings.server.remote, "http://127.0.0.1:4123");
        assert_eq!(settings.workspace_trust, WorkspaceTrust::Restricted);
        assert_eq!(settings.language.lints.get("cycle"), Some(Level::Allow));
        assert_eq!(settings.language.format.indent, Some(Indent::Spaces(4)));
        assert_eq!(settings.language.format.semicolons, Some(Semicolons::Never));
        assert!(!settings.language.inlay_hints.model && settings.language.inlay_hints.routing);
        expect![[r#"
            Invalid setting attractor.pipelineGlobs: invalid type: string "not a list", expected a sequence
            Invalid setting attractor.dialect: unknown dialect `klingon`; expected one of auto, attractor, fabro, kilroy, samueljklee, tracker
            Invalid setting attractor.lints: invalid level `7` of rule `syntax`; expected one of allow, hint, info, warn, error
            Invalid setting attractor.format: invalid value `by length` for sort; expected true or false
            Invalid setting attractor.format: unknown option tabs; expected one of indent, width, align, semicolons, sort"#]]
        .assert_eq(&problems.join("\n"));
    }

    #[test]
    fn null_changes_nothing() {
        let mut settings = Settings::default();
        assert!(settings.merge(&Value::Null).is_empty());
        assert!(settings.merge(&json!({ "dialect": null })).is_empty());
        assert_eq!(settings, Settings::default());
    }
}
