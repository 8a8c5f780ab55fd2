//! The program of an agent: of the configuration, or known without it.

use attractor_exec::secret_environment;
use attractor_run::CodergenRequest;

use crate::acp_programs::AcpProgram;
use crate::cli_agent::program as known;

/// The agent of a node: the one of the configuration that it names, else the one of its `agent_tool`, provider or model.
pub(super) fn of(
    request: &CodergenRequest,
    configured: &[AcpProgram],
) -> Result<AcpProgram, String> {
    if let Some(name) = request.option("acp_agent") {
        let found = configured.iter().find(|agent| agent.name == name);
        return found.cloned().ok_or_else(|| unknown(name, configured));
    }
    let agent = known::of(request).map_err(|_| {
        let names = known::names(" or ");
        format!("no agent is chosen; set `acp_agent` to an agent of the configuration, or `agent_tool` to {names}")
    })?;
    let keys = agent.key_variables.iter();
    Ok(AcpProgram {
        name: agent.program.to_owned(),
        label: agent.label.to_owned(),
        provider: agent.provider,
        command: agent.acp.iter().map(|word| (*word).to_owned()).collect(),
        environment: keys
            .filter_map(|name| Some(((*name).to_owned(), secret_environment::variable(name)?)))
            .collect(),
    })
}

fn unknown(name: &str, configured: &[AcpProgram]) -> String {
    let names: Vec<&str> = configured.iter().map(|agent| agent.name.as_str()).collect();
    let known = if names.is_empty() {
        "none is configured".to_owned()
    } else {
        format!("configured are {}", names.join(", "))
    };
    format!("unknown agent `{name}`: {known}; add [acp.{name}] to the user's configuration file")
}

#[cfg(test)]
mod tests {
    use attractor_config::AcpSettings;

    use super::*;

    #[test]
    fn a_node_names_an_agent_of_the_configuration_or_a_known_one() {
        let settings = AcpSettings {
            name: "mine".to_owned(),
            command: vec!["my-agent".to_owned()],
            env_variables: vec!["MY_KEY".to_owned(), "NOT_SET".to_owned()],
        };
        let mut secrets = Vec::new();
        let variables = |name: &str| (name == "MY_KEY").then(|| "s3cret".to_owned());
        let mine = AcpProgram::configured(&settings, &variables, &mut secrets);
        assert_eq!(secrets, ["s3cret"]);
        let command = |name: &str, value: &str| {
            let request = CodergenRequest {
                options: vec![(name.to_owned(), value.to_owned())],
                ..CodergenRequest::default()
            };
            let found = of(&request, std::slice::from_ref(&mine));
            found.map_or_else(|reason| reason, |agent| agent.command.join(" "))
        };
        let lines = [
            command("acp_agent", "mine"),
            command("acp_agent", "other"),
            command("agent_tool", "gemini"),
            command("x", "y"),
        ];
        expect_test::expect![[r"
            my-agent
            unknown agent `other`: configured are mine; add [acp.other] to the user's configuration file
            gemini --acp
            no agent is chosen; set `acp_agent` to an agent of the configuration, or `agent_tool` to `claude`, `codex`, `gemini` or `opencode`"]]
        .assert_eq(&lines.join("\n"));
    }
}
