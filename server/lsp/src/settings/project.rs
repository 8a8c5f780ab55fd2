//! The project's own file, `.attractor/config.toml`: how its DOT files are to be read.
//!
//! Pure: text in, values and problems out. Nothing in this file can widen what a run may do; it holds
//! levels of lints, globs, a dialect, the layout and the declarations of custom handlers, and what else stands in it
//! is none of this module's business.
//!
//! ```toml
//! dialect = "auto"
//! [lints]
//! cycle = "allow"
//! [pipelines]
//! globs = ["pipelines/**/*.gv"]
//! [format]
//! sort = true
//! [handlers.deploy]
//! doc = "Rolls the image out."
//! ```

use attractor_ide::format::Wanted;
use attractor_ide::model::{CustomHandler, DialectChoice, Level, Levels};
use serde::Deserialize as _;

/// Where the file is, relative to a folder of the workspace.
pub const PATH: &str = ".attractor/config.toml";

/// What a project asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Project {
    /// The dialect of files that do not name one.
    pub dialect: Option<DialectChoice>,
    /// Levels of lints.
    pub lints: Levels,
    /// Files whose digraphs are pipelines whatever they hold.
    pub pipeline_globs: Vec<String>,
    /// Layout of the formatter.
    pub format: Wanted,
    /// Handlers a run of this project has beyond the built-in ones.
    pub handlers: Vec<CustomHandler>,
}

/// Reads the file. Each entry stands alone: a mistake is told in a sentence and the rest still counts.
pub fn parse(text: &str) -> (Project, Vec<String>) {
    let mut project = Project::default();
    let mut problems = Vec::new();
    let table = match text.parse::<toml::Table>() {
        Ok(table) => table,
        Err(error) => {
            return (
                project,
                vec![format!("{PATH} is not TOML: {}.", error.message())],
            );
        }
    };
    if let Some(dialect) = table.get("dialect") {
        project.dialect = dialect.as_str().and_then(DialectChoice::from_name);
        if project.dialect.is_none() {
            problems.push(super::unknown_dialect(&dialect.to_string()));
        }
    }
    for (rule, level) in section(&table, "lints", &mut problems) {
        match level.as_str().and_then(Level::from_name) {
            Some(level) => project.lints.set(rule, level),
            None => problems.push(super::unknown_level(rule, &level.to_string())),
        }
    }
    for (key, value) in section(&table, "pipelines", &mut problems) {
        if key == "globs" {
            match Vec::<String>::deserialize(value.clone()) {
                Ok(globs) => project.pipeline_globs = globs,
                Err(_) => problems.push(format!(
                    "{PATH}: pipelines.globs is a list of texts, not {value}."
                )),
            }
        }
    }
    for (name, value) in section(&table, "format", &mut problems) {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        if let Err(mistake) = project.format.set(name, &value) {
            problems.push(format!("{PATH}: [format] {mistake}."));
        }
    }
    for (name, value) in section(&table, "handlers", &mut problems) {
        let mut named = value.clone();
        if let Some(handler) = named.as_table_mut() {
            handler.insert("name".to_owned(), name.as_str().into());
        }
        match CustomHandler::deserialize(named) {
            Ok(handler) => project.handlers.push(handler),
            Err(error) => problems.push(format!(
                "{PATH}: handlers.{name} is not understood: {}.",
                error.message()
            )),
        }
    }
    (project, problems)
}

fn section<'t>(
    table: &'t toml::Table,
    name: &str,
    problems: &mut Vec<String>,
) -> impl Iterator<Item = (&'t String, &'t toml::Value)> + use<'t> {
    let value = table.get(name);
    let section = value.and_then(toml::Value::as_table);
    if let (Some(value), None) = (value, section) {
        problems.push(format!(
            "{PATH}: {name} is a section ([{name}]), not {value}."
        ));
    }
    section.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use attractor_ide::format::{Align, Indent};
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_project_says_how_its_files_are_read() {
        let (project, problems) = parse(
            r#"
            dialect = "kilroy"
            [lints]
            cycle = "allow"
            [pipelines]
            globs = ["flows/*.gv"]
            [format]
            indent = 2
            align = false
            [handlers.deploy]
            doc = "Rolls the image out."
            [providers.x]
            key = "none of our business"
            "#,
        );
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(project.lints.get("cycle"), Some(Level::Allow));
        assert_eq!(project.pipeline_globs, ["flows/*.gv"]);
        assert_eq!(project.format.indent, Some(Indent::Spaces(2)));
        assert_eq!(project.format.align, Some(Align::Nothing));
        assert_eq!(
            project
                .handlers
                .first()
                .map(|handler| handler.name.as_str()),
            Some("deploy")
        );
    }

    #[test]
    fn a_mistake_is_told_and_the_rest_counts() {
        let (project, problems) =
            parse("lints = 3\n[pipelines]\nglobs = 1\n[format]\nwidth = 1\n[handlers]\ndeploy = 1");
        assert_eq!(project, Project::default());
        expect![[r"
            .attractor/config.toml: lints is a section ([lints]), not 3.
            .attractor/config.toml: pipelines.globs is a list of texts, not 1.
            .attractor/config.toml: [format] width is a number of columns from 20 to 1000; not 1.
            .attractor/config.toml: handlers.deploy is not understood: invalid type: integer `1`, expected struct CustomHandler."]]
        .assert_eq(&problems.join("\n"));
        let (_, problems) = parse("= nonsense");
        assert_eq!(problems.len(), 1);
    }
}
