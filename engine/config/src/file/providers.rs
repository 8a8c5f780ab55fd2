//! `[providers.NAME]`: keys and addresses of providers of models, in the user's own file.

use super::reader::{Entry, Reader};

/// Keys of a provider.
const KEYS: [&str; 6] = [
    "api_key",
    "api_key_variable",
    "base_url",
    "allow_insecure_http",
    "headers",
    "header_variables",
];

/// The settings of one provider.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProviderSettings {
    /// Its id, or a name of the user's own for a server that speaks the Chat Completions.
    pub name: String,
    /// The key itself.
    pub api_key: Option<String>,
    /// The variable of the environment that holds the key.
    pub api_key_variable: Option<String>,
    /// Where its API is.
    pub base_url: Option<String>,
    /// Whether `http://` is allowed to another machine.
    pub allow_insecure_http: bool,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
    /// Headers of every request whose values are in variables of the environment.
    pub header_variables: Vec<(String, String)>,
}

/// Never the key.
impl std::fmt::Debug for ProviderSettings {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ProviderSettings")
            .field("name", &self.name)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> Vec<ProviderSettings> {
    let mut providers = Vec::new();
    for entry in reader.section(section) {
        let mut settings = ProviderSettings {
            name: entry.key.clone(),
            ..ProviderSettings::default()
        };
        if !entry.value.is_table() {
            // The value may be a key, which no message repeats.
            let name = &entry.key;
            reader.report(
                entry.value_at,
                format!("`providers.{name}` is not a section; expected [providers.{name}]"),
            );
            continue;
        }
        for one in reader.section(&entry) {
            let name = format!("providers.{}.{}", entry.key, one.key);
            let target = match one.key.as_str() {
                "allow_insecure_http" => {
                    settings.allow_insecure_http = reader.boolean(&one, &name).unwrap_or_default();
                    continue;
                }
                "headers" => {
                    settings.headers = reader.secret_texts(&one, &name);
                    continue;
                }
                "header_variables" => {
                    settings.header_variables = reader.secret_texts(&one, &name);
                    continue;
                }
                "api_key" => &mut settings.api_key,
                "api_key_variable" => &mut settings.api_key_variable,
                "base_url" => &mut settings.base_url,
                _ => {
                    reader.unknown(&one, "key", KEYS.into_iter());
                    continue;
                }
            };
            match one.value.as_str().map(str::trim) {
                Some(text) if !text.is_empty() => *target = Some(text.to_owned()),
                _ => reader.report(one.value_at, format!("`{name}` is not a text")),
            }
        }
        providers.push(settings);
    }
    providers
}
