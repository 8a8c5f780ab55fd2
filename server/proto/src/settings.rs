//! The settings of the editor about the language: what is analyzed, shown and formatted how.
//!
//! They come as JSON in `initializationOptions` and in answer to `workspace/configuration` (section `attractor`). Each
//! field is read alone: an error in one is reported and the others have an effect.

use attractor_dot::format::settings::FormatSettings;
use attractor_ide::model::messages::{invalid_level, unknown_dialect};
use attractor_ide::model::{DialectChoice, Level, Levels};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The settings about the language, with their defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LanguageSettings {
    /// The dialect of files that do not name one.
    pub dialect: DialectChoice,
    /// Levels of lints.
    pub lints: Levels,
    /// Layout of the formatter.
    pub format: FormatSettings,
    /// Which inlay hints are shown.
    pub inlay_hints: InlayHintSettings,
    /// Which code lenses are shown.
    pub code_lens: CodeLensSettings,
}

/// `attractor.inlayHints.*`: each kind can be switched off.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct InlayHintSettings {
    /// The model a node resolves to.
    pub model: bool,
    /// The order in which edges are tried, where it matters.
    pub routing: bool,
    /// Where a failure stops the run.
    pub failure: bool,
}

impl Default for InlayHintSettings {
    fn default() -> Self {
        Self {
            model: true,
            routing: true,
            failure: false,
        }
    }
}

/// `attractor.codeLens.*`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CodeLensSettings {
    /// Lenses over pipelines.
    pub enable: bool,
    /// `▶ Run from here` over every node.
    pub run_from_here: bool,
}

impl Default for CodeLensSettings {
    fn default() -> Self {
        Self {
            enable: true,
            run_from_here: false,
        }
    }
}

impl LanguageSettings {
    /// Takes over what the settings say, field by field. `null` and unknown fields change nothing.
    pub fn merge(&mut self, reader: &mut SettingsReader<'_>) {
        if let Some(name) = reader.field::<String>("dialect") {
            match DialectChoice::from_name(&name) {
                Some(dialect) => self.dialect = dialect,
                None => reader.report("dialect", &unknown_dialect(&name)),
            }
        }
        if let Some(levels) = reader.field::<Map<String, Value>>("lints") {
            for (rule, level) in levels {
                match level.as_str().and_then(Level::from_name) {
                    Some(level) => self.lints.set(rule, level),
                    None => reader.report("lints", &invalid_level(&rule, &level.to_string())),
                }
            }
        }
        if let Some(asked) = reader.field::<Map<String, Value>>("format") {
            self.format = FormatSettings::default();
            for (name, value) in asked.iter().filter(|(_, value)| !value.is_null()) {
                let value = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                if let Err(error) = self.format.set(name, &value) {
                    reader.report("format", &error);
                }
            }
        }
        reader.replace("inlayHints", &mut self.inlay_hints);
        reader.replace("codeLens", &mut self.code_lens);
    }
}

/// Reads the fields of one JSON object and collects what is wrong with them, one sentence each.
pub struct SettingsReader<'a> {
    value: &'a Value,
    problems: Vec<String>,
}

impl<'a> SettingsReader<'a> {
    /// Reads a section of settings.
    pub fn new(value: &'a Value) -> Self {
        Self {
            value,
            problems: Vec::new(),
        }
    }

    /// What was wrong with the fields read so far.
    pub fn into_problems(self) -> Vec<String> {
        self.problems
    }

    /// The value of a field; `None` when it is missing, `null` or of another type.
    pub fn field<'de, T: Deserialize<'de>>(&mut self, name: &str) -> Option<T>
    where
        Self: 'de,
    {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        match T::deserialize(value.clone()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.report(name, &error);
                None
            }
        }
    }

    /// Puts the value of a field in the place of another one, if there is one.
    pub fn replace<'de, T: Deserialize<'de>>(&mut self, name: &str, slot: &mut T)
    where
        Self: 'de,
    {
        if let Some(value) = self.field(name) {
            *slot = value;
        }
    }

    fn report(&mut self, name: &str, problem: &dyn std::fmt::Display) {
        let problem = format!("Invalid setting attractor.{name}: {problem}");
        self.problems.push(problem);
    }
}
