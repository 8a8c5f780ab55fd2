//! The files that apply to a path, and the values that result from them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use attractor_lint::LINTS;
use attractor_model::catalogue::DeclaredModel;
use attractor_model::{CustomHandler, DialectChoice, FileKind, Level, Options, ToolHook};
use attractor_permissions::{ConfiguredPermissions, SandboxMode};
use globset::Glob;

use crate::file::{
    AcpSettings, AgentSettings, ConfigFile, McpSettings, ModelSettings, NotifySettings, Problem,
    ProviderSettings, ServeSettings,
};
use crate::format::FormatSettings;
use crate::locations::{project_files, project_root};
use crate::owner::Owner;
use crate::shared_state_store::SharedStateStore;
use crate::text;

/// The configuration of a path: the project's file and the user's.
///
/// A value of the project's file takes precedence, since it is about the project's own pipelines; a handler that both
/// declare is the user's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration {
    layers: Vec<Layer>,
}

/// One file of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Where it is.
    pub path: PathBuf,
    /// The folder its globs are relative to.
    pub root: PathBuf,
    /// Its values.
    pub values: ConfigFile,
    /// What in it cannot be used.
    pub problems: Vec<Problem>,
    /// Whose it is.
    pub owner: Owner,
}

impl Configuration {
    /// Reads the nearest project file at or above `path`, which is absolute, and the user's file.
    pub fn read(path: &Path, user_file: Option<&Path>) -> Self {
        let project = project_files(path).find_map(|file| {
            let root = file.parent()?.parent()?.to_owned();
            Layer::read(file, root, Owner::Project)
        });
        let user = user_file.and_then(|file| {
            let root = project_root(path).to_owned();
            Layer::read(file.to_owned(), root, Owner::User)
        });
        Self {
            layers: project.into_iter().chain(user).collect(),
        }
    }

    /// The files, that of the highest precedence first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The first value that a file sets, and the file.
    pub fn first<T>(&self, value: impl Fn(&ConfigFile) -> Option<T>) -> Option<(T, &Layer)> {
        self.layers
            .iter()
            .find_map(|layer| Some((value(&layer.values)?, layer)))
    }

    /// The dialect of files that do not name one.
    pub fn dialect(&self) -> Option<(DialectChoice, &Layer)> {
        self.first(|file| file.dialect)
    }

    /// The level of a rule.
    pub fn level(&self, rule: &str) -> Option<(Level, &Layer)> {
        self.first(|file| file.lints.get(rule))
    }

    /// The layout of the formatter.
    pub fn format(&self) -> FormatSettings {
        let files = self.layers.iter().map(|layer| layer.values.format);
        files.fold(FormatSettings::default(), FormatSettings::or)
    }

    /// The custom handlers, one of each name.
    pub fn handlers(&self) -> Vec<&CustomHandler> {
        let mut handlers: Vec<&CustomHandler> = Vec::new();
        for handler in self
            .layers
            .iter()
            .rev()
            .flat_map(|layer| &layer.values.handlers)
        {
            if !handlers.iter().any(|known| known.name == handler.name) {
                handlers.push(handler);
            }
        }
        handlers
    }

    /// The hooks of tool calls: the user's, then the project's.
    pub fn hooks(&self) -> Vec<&ToolHook> {
        let layers = self.layers.iter().rev();
        layers.flat_map(|layer| &layer.values.hooks).collect()
    }

    /// The hooks that one of the files declares.
    pub fn hooks_of(&self, owner: Owner) -> impl Iterator<Item = &ToolHook> {
        let layers = self.layers.iter().filter(move |layer| layer.owner == owner);
        layers.flat_map(|layer| &layer.values.hooks)
    }

    /// The plans a role may use, and the file that says so: the user's over the project's.
    pub fn role(&self, name: &str) -> Option<(&[String], &Layer)> {
        let mut layers = self.layers.iter().rev();
        layers.find_map(|layer| Some((layer.values.roles.get(name)?.as_slice(), layer)))
    }

    /// The names of all roles, sorted.
    pub fn roles(&self) -> BTreeSet<&str> {
        let files = self.layers.iter().map(|layer| &layer.values);
        files
            .flat_map(|file| file.roles.keys())
            .map(String::as_str)
            .collect()
    }

    /// The settings of providers, which only the user's file has.
    pub fn providers(&self) -> Vec<&ProviderSettings> {
        let layers = self.layers.iter();
        layers.flat_map(|layer| &layer.values.providers).collect()
    }

    /// The agents that speak the Agent Client Protocol, which only the user's file has.
    pub fn acp_agents(&self) -> Vec<&AcpSettings> {
        let layers = self.layers.iter();
        layers.flat_map(|layer| &layer.values.acp).collect()
    }

    /// The servers of the Model Context Protocol, which only the user's file has.
    pub fn mcp_servers(&self) -> Vec<&McpSettings> {
        let layers = self.layers.iter();
        layers.flat_map(|layer| &layer.values.mcp).collect()
    }

    /// How `attractor serve` is set up, which only the user's file says.
    pub fn serve(&self) -> ServeSettings {
        let settings = self.first(|file| file.serve.clone());
        settings.map(|(settings, _)| settings).unwrap_or_default()
    }

    /// What is called when a run asks or ends, which only the user's file says.
    pub fn notify(&self) -> Option<NotifySettings> {
        let settings = self.first(|file| file.notify.clone());
        settings.map(|(settings, _)| settings)
    }

    /// What one of the files says about agents.
    pub fn agent_settings(&self, owner: Owner) -> AgentSettings {
        let mut layers = self.layers.iter();
        let layer = layers.find(|layer| layer.owner == owner);
        layer.map_or_else(AgentSettings::default, |layer| layer.values.agent.clone())
    }

    /// Where the agents of a run keep what they share.
    pub fn shared_state(&self) -> SharedStateStore {
        let store = self.first(|file| file.agent.shared_state);
        store.map(|(store, _)| store).unwrap_or_default()
    }

    /// What agents may do by both files.
    pub fn agent_permissions(&self) -> ConfiguredPermissions {
        let user = self.agent_settings(Owner::User);
        let project = self.agent_settings(Owner::Project);
        let narrowed = project.sandbox.unwrap_or(SandboxMode::Off);
        ConfiguredPermissions {
            user: user.permissions.into_iter().collect(),
            project: project.permissions.into_iter().collect(),
            sandbox: user.sandbox.unwrap_or_default().max(narrowed),
        }
    }

    /// How models are called, each setting by the first file that has it.
    pub fn models(&self) -> ModelSettings {
        ModelSettings {
            fallback_models: first_of(self.first(|file| file.models.fallback_models.clone())),
            request_timeout: first_of(self.first(|file| file.models.request_timeout)),
            idle_timeout: first_of(self.first(|file| file.models.idle_timeout)),
            max_retries: first_of(self.first(|file| file.models.max_retries)),
            max_wait: first_of(self.first(|file| file.models.max_wait)),
            on_rate_limit: first_of(self.first(|file| file.models.on_rate_limit)),
            declared: self.declared_models(),
        }
    }

    /// The models that the files declare; the user's declaration of a model replaces the project's.
    fn declared_models(&self) -> Vec<DeclaredModel> {
        let of = |owner: Owner| {
            let layers = self.layers.iter().filter(move |layer| layer.owner == owner);
            layers.flat_map(|layer| &layer.values.models.declared)
        };
        let mut models: Vec<DeclaredModel> = of(Owner::User).cloned().collect();
        for model in of(Owner::Project) {
            if !models.iter().any(|own| own.id == model.id) {
                models.push(model.clone());
            }
        }
        models
    }

    /// Whether a glob declares that the digraphs of `file` are pipelines.
    pub fn declares_pipelines(&self, file: &Path) -> bool {
        self.layers.iter().any(|layer| {
            let relative = file.strip_prefix(&layer.root).unwrap_or(file);
            layer.values.pipeline_globs.iter().any(|glob| {
                Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(relative))
            })
        })
    }

    /// How `file` is read.
    pub fn options(&self, file: &Path) -> Options {
        let mut options = Options::default();
        if let Some((dialect, _)) = self.dialect() {
            options.dialect = dialect;
        }
        for lint in LINTS {
            if let Some((level, _)) = self.level(lint.rule) {
                options.levels.set(lint.rule, level);
            }
        }
        if self.declares_pipelines(file) {
            options.kind = FileKind::Pipelines;
        }
        options.custom_handlers = self.handlers().into_iter().cloned().collect();
        options.tool_hooks = self.hooks().into_iter().cloned().collect();
        options.agent_permissions = self.agent_permissions();
        options.models = self.declared_models();
        options
    }

    /// The first problem that refuses runs: every one of the project's file, and of the user's file those by which a policy
    /// may be lost.
    pub fn fatal_problem(&self) -> Option<(&Path, &Problem)> {
        self.layers.iter().find_map(|layer| {
            let mut problems = layer.problems.iter();
            let found = problems.find(|problem| layer.refuses(problem))?;
            Some((&*layer.path, found))
        })
    }
}

/// A value without the file that sets it.
fn first_of<T>(found: Option<(T, &Layer)>) -> Option<T> {
    found.map(|(value, _)| value)
}

impl Layer {
    /// Whether nothing runs because of a problem of the file.
    pub fn refuses(&self, problem: &Problem) -> bool {
        self.owner == Owner::Project || problem.loses_policy
    }

    fn read(path: PathBuf, root: PathBuf, owner: Owner) -> Option<Self> {
        let text = match text::read(&path)? {
            Ok(text) => text,
            Err(reason) => {
                let problem = Problem {
                    line: 1,
                    column: 1,
                    message: format!("cannot use this file: {reason}; correct or remove it"),
                    loses_policy: true,
                };
                return Some(Self {
                    path,
                    root,
                    values: ConfigFile::default(),
                    problems: vec![problem],
                    owner,
                });
            }
        };
        let (mut values, problems) = ConfigFile::parse(&text, owner);
        if owner == Owner::Project {
            let folder = root.display().to_string();
            for handler in &mut values.handlers {
                handler.folder = Some(folder.clone());
            }
            for hook in &mut values.hooks {
                hook.folder = Some(folder.clone());
            }
        }
        Some(Self {
            path,
            root,
            values,
            problems,
            owner,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::PROJECT_FILE;

    struct Fixture {
        folder: tempfile::TempDir,
    }

    impl Fixture {
        fn new(files: &[(&str, &str)]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            for (path, text) in files {
                let path = folder.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self { folder }
        }

        fn read(&self, file: &str) -> Configuration {
            let root = self.folder.path();
            Configuration::read(&root.join(file), Some(&root.join("home/config.toml")))
        }
    }

    #[test]
    fn the_project_takes_precedence_over_the_user_except_for_handlers() {
        let fixture = Fixture::new(&[
            (
                "p/.attractor/config.toml",
                "[lints]\ncycle = \"allow\"\n[format]\nindent = 2\n[handlers.deploy]\ncommand = [\"project\"]",
            ),
            (
                "home/config.toml",
                "dialect = \"kilroy\"\n[lints]\ncycle = \"error\"\nreachability = \"hint\"\n[format]\nindent = 8\nsort = true\n[handlers.deploy]\ncommand = [\"user\"]",
            ),
        ]);
        let configuration = fixture.read("p/flows/a.dot");
        let (level, layer) = configuration.level("cycle").unwrap();
        assert_eq!((level, layer.owner), (Level::Allow, Owner::Project));
        let (level, layer) = configuration.level("reachability").unwrap();
        assert_eq!((level, layer.owner), (Level::Hint, Owner::User));
        let format = configuration.format();
        assert_eq!(
            format.options().indent,
            attractor_dot::format::Indent::Spaces(2)
        );
        assert!(format.sort.is_some());
        let commands: Vec<_> = configuration
            .handlers()
            .iter()
            .map(|one| &one.command[0])
            .collect();
        assert_eq!(commands, ["user"]);
        assert_ne!(configuration.dialect().unwrap().0, DialectChoice::Auto);
    }

    #[test]
    fn roles_of_the_user_take_precedence() {
        let fixture = Fixture::new(&[
            (
                "p/.attractor/config.toml",
                "[roles]\nsupport = [\"bugfix\", \"logs\"]\nbuild = [\"docker\"]",
            ),
            ("home/config.toml", "[roles]\nsupport = [\"bugfix\"]"),
        ]);
        let configuration = fixture.read("p/a.dot");
        let plans = |role: &str| configuration.role(role).map(|(plans, _)| plans.join(" "));
        assert_eq!(plans("support").as_deref(), Some("bugfix"));
        assert_eq!(plans("build").as_deref(), Some("docker"));
        assert_eq!(plans("other"), None);
        let roles: Vec<&str> = configuration.roles().into_iter().collect();
        assert_eq!(roles, ["build", "support"]);
    }

    #[test]
    fn the_nearest_project_file_applies() {
        let fixture = Fixture::new(&[
            (PROJECT_FILE, "dialect = \"kilroy\""),
            (
                "inner/.attractor/config.toml",
                "dialect = \"fabro\"\n[typo]",
            ),
        ]);
        let path = |file: &str| fixture.read(file).layers()[0].path.clone();
        assert!(path("inner/deep/a.dot").ends_with("inner/.attractor/config.toml"));
        assert_eq!(path("a.dot"), fixture.folder.path().join(PROJECT_FILE));
        assert!(fixture.read("inner/a.dot").fatal_problem().is_some());
        assert!(fixture.read("a.dot").fatal_problem().is_none());
    }

    #[test]
    fn globs_are_relative_to_the_project() {
        let fixture = Fixture::new(&[
            ("p/.git/HEAD", ""),
            (
                "p/.attractor/config.toml",
                "[pipelines]\nglobs = [\"flows/*.gv\"]",
            ),
            ("home/config.toml", "[pipelines]\nglobs = [\"mine/*.gv\"]"),
        ]);
        let root = fixture.folder.path().join("p");
        let is = |file: &str| {
            let path = root.join(file);
            fixture.read(&format!("p/{file}")).declares_pipelines(&path)
        };
        assert!(is("flows/a.gv") && is("mine/a.gv"));
        assert!(!is("a.gv") && !is("other/flows/a.gv"));
    }
}
