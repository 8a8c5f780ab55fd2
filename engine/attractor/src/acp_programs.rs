//! The agents of the configuration that speak the Agent Client Protocol.

use attractor_config::AcpSettings;

/// A program that speaks the Agent Client Protocol.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct AcpProgram {
    /// The name by which nodes choose it.
    pub(crate) name: String,
    /// Its name for people.
    pub(crate) label: String,
    /// The provider of its models, where there is only one.
    pub(crate) provider: Option<&'static str>,
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// Its keys.
    pub(crate) environment: Vec<(String, String)>,
}

/// Never a key.
impl std::fmt::Debug for AcpProgram {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("AcpProgram")
            .field("name", &self.name)
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

impl AcpProgram {
    /// An agent of the configuration. Its keys are put into `secrets`.
    pub(crate) fn configured(
        settings: &AcpSettings,
        variables: &dyn Fn(&str) -> Option<String>,
        secrets: &mut Vec<String>,
    ) -> Self {
        let environment: Vec<(String, String)> = settings
            .env_variables
            .iter()
            .filter_map(|name| Some((name.clone(), variables(name)?)))
            .collect();
        secrets.extend(environment.iter().map(|(_, value)| value.clone()));
        Self {
            name: settings.name.clone(),
            label: format!("the agent `{}`", settings.name),
            provider: None,
            command: settings.command.clone(),
            environment,
        }
    }

    /// The program alone.
    pub(crate) fn program(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }
}
