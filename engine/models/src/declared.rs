//! A model that a configuration declares: one of the user's own, or another price for a listed one.

use crate::file::Entry;
use crate::{Catalogue, CatalogueError, Model, Price, Provider};

/// What a configuration says about a model. What it leaves out is as for the model named by `like`, else for the newest
/// one of its provider.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeclaredModel {
    /// The id the provider's API takes.
    pub id: String,
    /// Who serves it: a provider of the catalogue, or a server of the user's own.
    pub provider: Option<String>,
    /// The model whose rules it has.
    pub like: Option<String>,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// Tokens of input and output together.
    pub context_window: Option<u64>,
    /// Tokens of output, reasoning included.
    pub max_output: Option<u64>,
    /// US dollars per million tokens of input.
    pub input_price: Option<f64>,
    /// US dollars per million tokens of output.
    pub output_price: Option<f64>,
    /// US dollars per million tokens of input read from a cache.
    pub cache_read_price: Option<f64>,
    /// US dollars per million tokens of input written to a cache.
    pub cache_write_price: Option<f64>,
}

impl DeclaredModel {
    /// Its id and aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.aliases.iter().map(String::as_str))
    }

    /// The price, with what is known of a listed model where it says nothing.
    fn price(&self, known: Option<Price>) -> Result<Option<Price>, CatalogueError> {
        let input = self.input_price.or(known.map(|price| price.input));
        let output = self.output_price.or(known.map(|price| price.output));
        let says_nothing = self.input_price.is_none()
            && self.output_price.is_none()
            && self.cache_read_price.is_none()
            && self.cache_write_price.is_none();
        match (input, output) {
            _ if says_nothing => Ok(known),
            (Some(input), Some(output)) => Ok(Some(Price {
                input,
                output,
                cache_read: self.cache_read_price,
                cache_write: self.cache_write_price,
                cache_write_1h: None,
                above: None,
                verified: None,
            })),
            _ => Err(CatalogueError::HalfPrice {
                model: self.id.clone(),
            }),
        }
    }
}

impl Catalogue {
    /// This catalogue with a declared model. A server of the user's own becomes a provider without other models.
    pub fn with(&self, declared: &DeclaredModel) -> Result<Self, CatalogueError> {
        let mut catalogue = self.clone();
        if let Some(name) = &declared.provider
            && catalogue.provider(name).is_none()
        {
            catalogue.add_provider(Provider::unlisted(name));
        }
        let known = catalogue.model(&declared.id);
        let known = known.filter(|model| model.id == declared.id && declared.like.is_none());
        let price = declared.price(known.and_then(|model| model.price))?;
        catalogue.add(entry(declared, price))?;
        catalogue.check()?;
        Ok(catalogue)
    }

    /// This catalogue with all declared models that can be used. The first one of a name counts.
    #[must_use]
    pub fn with_all(&self, declared: &[DeclaredModel]) -> Self {
        declared.iter().fold(self.clone(), |catalogue, model| {
            catalogue.with(model).unwrap_or(catalogue)
        })
    }

    /// The entry of a declared model.
    pub fn declared(&self, model: &DeclaredModel) -> Option<Model> {
        let catalogue = self.with(model).ok()?;
        catalogue.model(&model.id).map(|found| Model::clone(found))
    }
}

/// The entry of a model, as a catalogue file would have it.
fn entry(declared: &DeclaredModel, price: Option<Price>) -> Entry {
    let declared = declared.clone();
    Entry {
        id: declared.id,
        like: declared.like,
        provider: declared.provider,
        aliases: Some(declared.aliases).filter(|aliases| !aliases.is_empty()),
        context_window: declared.context_window,
        max_output: declared.max_output,
        price,
        ..Entry::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> DeclaredModel {
        DeclaredModel {
            id: "my-model".into(),
            provider: Some("my-server".into()),
            aliases: vec!["mine".into()],
            context_window: Some(32_000),
            max_output: Some(4_000),
            input_price: Some(0.5),
            output_price: Some(2.0),
            ..DeclaredModel::default()
        }
    }

    #[test]
    fn a_model_of_a_server_of_ones_own() {
        let catalogue = Catalogue::shipped().with(&own()).unwrap();
        let found = catalogue.resolve("mine", None).unwrap();
        assert_eq!(
            (found.id.as_str(), found.provider.as_str(), found.is_listed),
            ("my-model", "my-server", true)
        );
        assert_eq!(found.rules.context_window, Some(32_000));
        assert_eq!(found.rules.max_output, Some(4_000));
        let price = found.rules.price.unwrap();
        assert_eq!((price.input, price.output), (0.5, 2.0));
    }

    #[test]
    fn another_price_for_a_listed_model() {
        let changed = DeclaredModel {
            id: "claude-opus-5-5".into(),
            input_price: Some(1.0),
            ..DeclaredModel::default()
        };
        let shipped = Catalogue::shipped();
        let before = shipped.model("opus").unwrap();
        let catalogue = shipped.with(&changed).unwrap();
        let after = catalogue.model("opus").unwrap();
        let (before_price, price) = (before.price.unwrap(), after.price.unwrap());
        assert_eq!((price.input, price.output), (1.0, before_price.output));
        assert_eq!(after.context_window, before.context_window);
    }

    #[test]
    fn what_cannot_be_used_is_an_error() {
        let shipped = Catalogue::shipped();
        let problem = |model: DeclaredModel| shipped.with(&model).unwrap_err().to_string();
        assert_eq!(
            problem(DeclaredModel {
                provider: None,
                ..own()
            }),
            "model `my-model` has no provider; set `provider` or `like`"
        );
        assert_eq!(
            problem(DeclaredModel {
                output_price: None,
                ..own()
            }),
            "model `my-model` has a price for input or output only; set `input_price` and `output_price`"
        );
        assert_eq!(
            problem(DeclaredModel {
                aliases: vec!["opus".into()],
                ..own()
            }),
            "the name `opus` belongs to both `claude-opus-5-5` and `my-model`; names of models must be unique"
        );
        let all = [
            own(),
            DeclaredModel {
                max_output: Some(1),
                ..own()
            },
        ];
        assert!(shipped.with_all(&all).model("mine").is_some());
    }
}
