//! What `[providers.NAME]` of the configuration says of an endpoint besides its key and address.

use attractor_config::ProviderSettings;
use attractor_llm::Endpoint;

/// Reads a variable of the environment.
pub(super) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Adds what the configuration says of an endpoint; the variable that is missing if one is.
pub(super) fn extend(
    endpoint: &mut Endpoint,
    setting: &ProviderSettings,
    environment: Variables<'_>,
) -> Result<(), String> {
    endpoint.allow_insecure_http |= setting.allow_insecure_http;
    endpoint.headers.extend(setting.headers.iter().cloned());
    for (header, variable) in &setting.header_variables {
        let value = environment(variable)
            .ok_or_else(|| format!("set {variable}, the value of its header `{header}`"))?;
        endpoint.headers.push((header.clone(), value));
    }
    Ok(())
}

/// Names of headers whose values are secrets contain one of these.
const SECRET_HEADERS: [&str; 6] = ["auth", "key", "token", "secret", "cookie", "password"];

/// The values of configured headers that may be secrets.
pub(super) fn header_secrets(
    settings: &[&ProviderSettings],
    environment: Variables<'_>,
) -> Vec<String> {
    let is_secret = |name: &str| {
        let name = name.to_lowercase();
        SECRET_HEADERS.iter().any(|word| name.contains(word))
    };
    let of_setting = |setting: &&ProviderSettings| {
        let named = setting.headers.iter().filter(|(name, _)| is_secret(name));
        let named = named.map(|(_, value)| value.clone());
        let variables = setting.header_variables.iter();
        let variables = variables.filter_map(|(_, variable)| environment(variable));
        named.chain(variables).collect::<Vec<_>>()
    };
    settings.iter().flat_map(of_setting).collect()
}
