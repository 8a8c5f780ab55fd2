//! The catalogue: lookups by id, alias and prefix, and what a user's own file changes.

use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

use crate::file::{Entry, File};
use crate::model::Model;
use crate::{CatalogueError, Provider};

/// The file that comes with the program.
const SHIPPED: &str = include_str!("../data/models.toml");

/// Providers and models, in the order of their files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalogue {
    providers: Vec<Provider>,
    models: IndexMap<String, Arc<Model>>,
}

/// A name with the provider that serves it and the rules that apply.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedModel {
    /// What the provider's API is given: the id of a listed model, else the name itself.
    pub id: String,
    /// The id of the provider.
    pub provider: String,
    /// The model's own entry, or that of its provider's newest model.
    pub rules: Arc<Model>,
    /// Whether the model is listed.
    pub is_listed: bool,
}

impl Catalogue {
    /// The catalogue that comes with the program.
    pub fn shipped() -> &'static Self {
        // A test reads the file, so it parses.
        static CATALOGUE: LazyLock<Catalogue> =
            LazyLock::new(|| Catalogue::parse(SHIPPED).unwrap_or_default());
        &CATALOGUE
    }

    /// A catalogue from one file.
    pub fn parse(text: &str) -> Result<Self, CatalogueError> {
        Self::default().merged(text)
    }

    /// This catalogue with a user's file on top. An entry with a known id changes the keys it sets and leaves the
    /// others; an entry with a new id adds a model, with the rules of the model named by `like` or else of its
    /// provider's newest one.
    pub fn merged(&self, text: &str) -> Result<Self, CatalogueError> {
        let file = File::parse(text)?;
        let mut merged = self.clone();
        for provider in file.provider {
            match merged
                .providers
                .iter_mut()
                .find(|known| known.id == provider.id)
            {
                Some(known) => *known = provider,
                None => merged.providers.push(provider),
            }
        }
        for entry in file.model {
            merged.add(entry)?;
        }
        merged.check()?;
        Ok(merged)
    }

    /// The providers.
    pub fn providers(&self) -> &[Provider] {
        &self.providers
    }

    /// The provider of that id or alias.
    pub fn provider(&self, name: &str) -> Option<&Provider> {
        self.providers
            .iter()
            .find(|provider| provider.is_named(name))
    }

    /// The models, by provider, newest and largest first.
    pub fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.models.values()
    }

    /// The model of that id or alias.
    pub fn model(&self, name: &str) -> Option<&Arc<Model>> {
        let by_alias = || {
            self.models
                .values()
                .find(|model| model.aliases.iter().any(|alias| alias == name))
        };
        self.models.get(name).or_else(by_alias)
    }

    /// Who serves a model: by its entry, else by the prefix of its name.
    pub fn provider_of(&self, model: &str) -> Option<&Provider> {
        if let Some(known) = self.model(model) {
            return self.provider(&known.provider);
        }
        let has_prefix = |provider: &&Provider| {
            provider
                .prefixes
                .iter()
                .any(|prefix| is_prefix(model, prefix))
        };
        self.providers.iter().find(has_prefix)
    }

    /// A model name with its provider and rules. `provider`, if given, wins over what the name suggests.
    /// `None` if no provider is given and the name suggests none, or if the given one is unknown.
    pub fn resolve(&self, model: &str, provider: Option<&str>) -> Option<ResolvedModel> {
        let provider = match provider {
            Some(name) => self.provider(name)?,
            None => self.provider_of(model)?,
        };
        let listed = self
            .model(model)
            .filter(|known| known.provider == provider.id);
        if let Some(known) = listed {
            return Some(ResolvedModel {
                id: known.id.clone(),
                provider: provider.id.clone(),
                rules: Arc::clone(known),
                is_listed: true,
            });
        }
        Some(ResolvedModel {
            id: model.to_owned(),
            provider: provider.id.clone(),
            rules: Arc::new(self.unlisted(model, provider)),
            is_listed: false,
        })
    }

    /// A model that is not listed: the rules of its provider's newest one under its own name, and no price.
    fn unlisted(&self, id: &str, provider: &Provider) -> Model {
        let newest = provider.newest.as_ref().and_then(|id| self.models.get(id));
        newest.map_or_else(
            || Model::unspecified(id, &provider.id),
            |newest| rules_of(newest, id),
        )
    }

    pub(crate) fn add_provider(&mut self, provider: Provider) {
        self.providers.push(provider);
    }

    pub(crate) fn add(&mut self, entry: Entry) -> Result<(), CatalogueError> {
        let mut model = match (&entry.like, self.models.get(&entry.id)) {
            (Some(like), _) => {
                let template = self
                    .model(like)
                    .ok_or_else(|| CatalogueError::UnknownModel {
                        owner: entry.id.clone(),
                        key: "like",
                        name: like.clone(),
                    })?;
                rules_of(template, &entry.id)
            }
            (None, Some(known)) => Model::clone(known),
            (None, None) => self.new_model(&entry)?,
        };
        entry.apply(&mut model);
        let Some(provider) = self.provider(&model.provider) else {
            return Err(self.unknown_provider(&model.id, &model.provider));
        };
        model.provider.clone_from(&provider.id);
        self.models.insert(model.id.clone(), Arc::new(model));
        Ok(())
    }

    fn new_model(&self, entry: &Entry) -> Result<Model, CatalogueError> {
        let named = entry.provider.as_deref();
        let provider = match named {
            Some(name) => self
                .provider(name)
                .ok_or_else(|| self.unknown_provider(&entry.id, name))?,
            None => self
                .provider_of(&entry.id)
                .ok_or_else(|| CatalogueError::MissingProvider {
                    model: entry.id.clone(),
                })?,
        };
        Ok(self.unlisted(&entry.id, provider))
    }

    fn unknown_provider(&self, model: &str, provider: &str) -> CatalogueError {
        let known: Vec<&str> = self
            .providers
            .iter()
            .map(|provider| provider.id.as_str())
            .collect();
        CatalogueError::UnknownProvider {
            model: model.to_owned(),
            provider: provider.to_owned(),
            known: known.join(", "),
        }
    }

    /// References between entries, and names that two models share.
    pub(crate) fn check(&self) -> Result<(), CatalogueError> {
        let unknown = |owner: &str, key: &'static str, name: &Option<String>| match name {
            Some(name) if self.model(name).is_none() => Err(CatalogueError::UnknownModel {
                owner: owner.to_owned(),
                key,
                name: name.clone(),
            }),
            _ => Ok(()),
        };
        let mut owners: IndexMap<&str, &str> = IndexMap::new();
        for provider in &self.providers {
            unknown(&provider.id, "newest", &provider.newest)?;
        }
        for model in self.models.values() {
            unknown(&model.id, "successor", &model.successor)?;
            for name in model.names() {
                if let Some(first) = owners.insert(name, &model.id) {
                    return Err(CatalogueError::DuplicateName {
                        name: name.to_owned(),
                        first: first.to_owned(),
                        second: model.id.clone(),
                    });
                }
            }
        }
        Ok(())
    }
}

/// A model with the rules of another one, and nothing that is that model's own.
fn rules_of(template: &Model, id: &str) -> Model {
    Model {
        id: id.to_owned(),
        name: id.to_owned(),
        summary: String::new(),
        aliases: Vec::new(),
        price: None,
        released: None,
        retires: None,
        successor: None,
        ..template.clone()
    }
}

/// `o1` is a prefix of `o1-preview`, not of `o10`; `gpt-` of everything that begins with it.
fn is_prefix(model: &str, prefix: &str) -> bool {
    model.strip_prefix(prefix).is_some_and(|rest| {
        prefix.ends_with('-') || !rest.starts_with(|first: char| first.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests;
