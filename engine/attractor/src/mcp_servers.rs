//! The MCP servers of the configuration.

use attractor_agent::mcp::{McpServer, McpTransport};
use attractor_config::McpSettings;

/// A server of the configuration: its name, and how it is reached or why it cannot be.
pub(crate) type ConfiguredServer = (String, Result<McpServer, String>);

/// The servers of the configuration. Values that may be secrets are put into `secrets`.
pub(crate) fn configured(
    settings: &[&McpSettings],
    variables: &dyn Fn(&str) -> Option<String>,
    secrets: &mut Vec<String>,
) -> Vec<ConfiguredServer> {
    settings
        .iter()
        .map(|one| (one.name.clone(), server(one, variables, secrets)))
        .collect()
}

fn server(
    settings: &McpSettings,
    variables: &dyn Fn(&str) -> Option<String>,
    secrets: &mut Vec<String>,
) -> Result<McpServer, String> {
    let mut secret = |name: &String| {
        let value = variables(name).ok_or_else(|| {
            format!(
                "the MCP server `{}` needs the variable {name}, which is not set",
                settings.name
            )
        })?;
        secrets.push(value.clone());
        Ok::<_, String>(value)
    };
    let transport = if let Some(url) = &settings.url {
        let mut headers = settings.headers.clone();
        if let Some(name) = &settings.bearer_token_variable {
            let token = format!("Bearer {}", secret(name)?);
            headers.push(("Authorization".to_owned(), token));
        }
        McpTransport::Http {
            url: url.clone(),
            headers,
        }
    } else {
        let mut environment = settings.env.clone();
        for name in &settings.env_variables {
            environment.push((name.clone(), secret(name)?));
        }
        McpTransport::Stdio {
            command: settings.command.clone(),
            environment,
        }
    };
    let mut server = McpServer::new(&settings.name, transport);
    server.start_timeout = settings.start_timeout.unwrap_or(server.start_timeout);
    server.call_timeout = settings.call_timeout.unwrap_or(server.call_timeout);
    Ok(server)
}

/// Why a server that a node names cannot be used.
pub(crate) fn unknown(name: &str, configured: &[ConfiguredServer]) -> String {
    let names: Vec<&str> = configured.iter().map(|(name, _)| name.as_str()).collect();
    let known = if names.is_empty() {
        "none is configured".to_owned()
    } else {
        format!("configured are {}", names.join(", "))
    };
    format!(
        "unknown MCP server `{name}`: {known}; add [mcp.{name}] to the user's configuration file"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(name: &str) -> McpSettings {
        McpSettings {
            name: name.to_owned(),
            ..McpSettings::default()
        }
    }

    #[test]
    fn tokens_come_from_variables_and_are_secrets() {
        let web = McpSettings {
            url: Some("https://example.com/mcp".to_owned()),
            bearer_token_variable: Some("WEB_TOKEN".to_owned()),
            ..settings("web")
        };
        let files = McpSettings {
            command: vec!["files".to_owned()],
            env_variables: vec!["FILES_TOKEN".to_owned()],
            ..settings("files")
        };
        let variables = |name: &str| (name == "WEB_TOKEN").then(|| "t0ken".to_owned());
        let mut secrets = Vec::new();
        let configured = configured(&[&web, &files], &variables, &mut secrets);
        assert_eq!(secrets, ["t0ken"]);
        let web = configured[0].1.as_ref().unwrap();
        let headers = vec![("Authorization".to_owned(), "Bearer t0ken".to_owned())];
        let url = "https://example.com/mcp".to_owned();
        assert_eq!(web.transport, McpTransport::Http { url, headers });
        assert_eq!(
            configured[1].1,
            Err(
                "the MCP server `files` needs the variable FILES_TOKEN, which is not set"
                    .to_owned()
            )
        );
        assert_eq!(
            unknown("x", &configured),
            "unknown MCP server `x`: configured are web, files; add [mcp.x] to the user's configuration file"
        );
    }
}
