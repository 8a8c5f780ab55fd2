//! What the name of a model means: a listed model, one of a known family, a typo, or nothing a provider is known for.
//!
//! Digits and dates are never typos: providers add versions faster than any catalogue.

use attractor_models::{Catalogue, DeclaredModel};

use crate::catalogue::{Model, models, nearest, provider};

/// What the name of a model means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelName {
    /// Listed, of the user's own, or of a provider whose models are not listed.
    Known,
    /// It goes to this provider unchanged.
    Unlisted {
        /// The name of the provider for display.
        provider: String,
    },
    /// A typo of a listed name.
    Typo {
        /// That name.
        near: String,
    },
    /// No provider is known for it.
    NoProvider,
}

impl ModelName {
    /// What a name means at a node with this provider; `own` are models of the user's own.
    pub fn of(name: &str, provider_name: Option<&str>, own: &[DeclaredModel]) -> Self {
        let catalogue = Catalogue::shipped();
        let is_own = own
            .iter()
            .flat_map(DeclaredModel::names)
            .any(|known| known == name);
        // A value that is known only in a run is not checked here.
        if name.is_empty() || is_own || name.contains(['{', '$']) {
            return Self::Known;
        }
        if catalogue.model(name).is_some() {
            return Self::Known;
        }
        let named = provider_name.map(str::trim).filter(|name| !name.is_empty());
        if named.is_some_and(|named| provider(named).is_none()) {
            // A server of the user's own, or a typo that is reported at the provider.
            return Self::Known;
        }
        if let Some(near) = typo(name, own) {
            return Self::Typo { near };
        }
        let serving = match named {
            Some(named) => provider(named),
            None => catalogue.provider_of(name),
        };
        match serving {
            Some(provider) => Self::Unlisted {
                provider: provider.name.clone(),
            },
            None => Self::NoProvider,
        }
    }

    /// The same where it is a typo: other names may be those of a server that is asked by default.
    pub fn typo_problem(&self, name: &str) -> Option<String> {
        matches!(self, Self::Typo { .. }).then(|| self.problem(name))?
    }

    /// Why a run cannot use the name, in a sentence; `None` where it can.
    pub fn problem(&self, name: &str) -> Option<String> {
        match self {
            Self::Known | Self::Unlisted { .. } => None,
            Self::Typo { near } => Some(format!("unknown model `{name}`; did you mean `{near}`?")),
            Self::NoProvider => Some(format!(
                "unknown model `{name}`: no provider is known for it; set `provider`"
            )),
        }
    }
}

/// The listed name that a name is a typo of.
fn typo(name: &str, own: &[DeclaredModel]) -> Option<String> {
    let known = models()
        .flat_map(Model::names)
        .map(|name| -> &str { name })
        .chain(own.iter().flat_map(DeclaredModel::names));
    // Another version is another model.
    let near = nearest(name, known).filter(|near| digits(near) == digits(name));
    if let Some(near) = near.filter(|near| is_near(near, name)) {
        return Some(near.to_owned());
    }
    // `google/gemini-3-pro`, as routers between providers spell it.
    let (prefix, rest) = name.split_once('/')?;
    let serving = Catalogue::shipped().provider_of(rest)?;
    serving.is_named(prefix).then(|| rest.to_owned())
}

/// At most two letters are missing, added, replaced or swapped, in short names one. Another word is another model.
fn is_near(near: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let limit = if name.chars().count() < 8 { 1 } else { 2 };
    strsim::osa_distance(&letters(near), &letters(name)) <= limit
}

fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, provider: Option<&str>) -> String {
        let own = DeclaredModel {
            id: "house-1".to_owned(),
            ..DeclaredModel::default()
        };
        match ModelName::of(name, provider, &[own]) {
            ModelName::Known => "known".to_owned(),
            ModelName::Unlisted { provider } => format!("unlisted, {provider}"),
            ModelName::Typo { near } => format!("typo of {near}"),
            ModelName::NoProvider => "no provider".to_owned(),
        }
    }

    #[test]
    fn names_by_what_is_known_of_them() {
        for (name, provider, expected) in [
            ("claude-sonnet-5-5", None, "known"),
            ("house-1", None, "known"),
            ("{model}", None, "known"),
            ("cluade-sonnet-5-5", None, "typo of claude-sonnet-5-5"),
            (
                "claude-sonet-5-5",
                Some("anthropic"),
                "typo of claude-sonnet-5-5",
            ),
            ("sonet", None, "typo of sonnet"),
            ("claude-sonnet-7-1", None, "unlisted, Anthropic"),
            ("claude-sonnet-5-5-20270101", None, "unlisted, Anthropic"),
            ("anything", Some("openai"), "unlisted, OpenAI"),
            ("anything", Some("my-server"), "known"),
            (
                "google/gemini-9-pro-preview",
                None,
                "typo of gemini-9-pro-preview",
            ),
            ("my-own", None, "no provider"),
            ("gpt5-turbo", None, "no provider"),
        ] {
            assert_eq!(of(name, provider), expected, "{name} {provider:?}");
        }
    }
}
