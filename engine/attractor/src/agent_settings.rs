//! What environment and configuration say about agents: what they may do, and the MCP servers that nodes may name.

use attractor_config::{AgentPolicy, Configuration, Owner, SharedStateStore};
use attractor_exec::SandboxMode;
use attractor_exec::{AgentSandbox, Isolation, SandboxSupport, secret_environment};
use attractor_run::ToolHookCommand;

use crate::acp_programs::AcpProgram;
use crate::mcp_servers::{self, ConfiguredServer};

/// What environment and configuration say about agents. The default is for a program without configuration.
#[derive(Debug, Clone, Default)]
pub struct AgentSettings {
    /// What they may do.
    pub(crate) policy: AgentPolicy,
    /// Where the agents of a run keep what they share.
    pub(crate) shared_state: SharedStateStore,
    /// The MCP servers that nodes may name.
    pub(crate) mcp_servers: Vec<ConfiguredServer>,
    /// The agents of other programs that nodes may name.
    pub(crate) acp_agents: Vec<AcpProgram>,
    /// The hooks of the user's own file, for sessions that are not part of a run.
    pub(crate) hooks: Vec<ToolHookCommand>,
    /// Tokens of servers, keys of agents.
    secrets: Vec<String>,
}

impl AgentSettings {
    /// What commands of agents run in on this machine.
    pub fn sandbox(&self) -> AgentSandbox {
        let support = SandboxSupport::of_this_machine();
        AgentSandbox {
            isolation: Isolation::of(self.policy.sandbox, support),
            network: self.policy.network,
            writable_git: self.policy.writable_git,
        }
    }

    /// With another sandbox for the commands of agents than the configuration says.
    #[must_use]
    pub fn with_sandbox(mut self, mode: SandboxMode) -> Self {
        self.policy.sandbox = mode;
        self
    }

    /// The settings of the environment of this process and of the configuration.
    pub fn from_environment(configuration: &Configuration) -> Self {
        Self::configure(configuration, &secret_environment::variable)
    }

    /// The same for the variables of any environment.
    pub fn configure(
        configuration: &Configuration,
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let environment = |name: &str| {
            let value = variables(name).map(|value| value.trim().to_owned());
            value.filter(|value| !value.is_empty())
        };
        let mut secrets = Vec::new();
        let servers = configuration.mcp_servers();
        let mcp_servers = mcp_servers::configured(&servers, &environment, &mut secrets);
        let acp_agents = configuration.acp_agents().into_iter();
        let acp_agents = acp_agents
            .map(|agent| AcpProgram::configured(agent, &environment, &mut secrets))
            .collect();
        Self {
            acp_agents,
            policy: AgentPolicy::of(configuration),
            shared_state: configuration.shared_state(),
            hooks: configuration
                .hooks_of(Owner::User)
                .map(ToolHookCommand::from)
                .collect(),
            mcp_servers,
            secrets,
        }
    }

    /// What must not appear in a file or message.
    pub(crate) fn secrets(&self) -> &[String] {
        &self.secrets
    }
}
