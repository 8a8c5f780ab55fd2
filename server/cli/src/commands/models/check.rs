//! The catalogue compared with what providers list.

use attractor::Providers;
use attractor_models::Catalogue;
use serde_json::{Value, json};

use crate::commands::{ListFormat, block_on};
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::counted;
use crate::style::{ATTENTION, FAINT, paint};

/// How the catalogue differs from a provider's own list.
#[derive(Debug, PartialEq, Eq)]
struct Difference {
    /// How many models the provider lists.
    listed: usize,
    /// Models of the catalogue that the provider does not list.
    gone: Vec<String>,
    /// Models that the provider lists, with names as those of the catalogue, and the catalogue does not.
    unknown: Vec<String>,
}

/// Compares with the lists of all providers that have a key; asking for them costs nothing.
pub fn run(
    catalogue: &Catalogue,
    providers: &Providers,
    format: ListFormat,
) -> Result<Exit, Error> {
    let statuses = providers.statuses();
    let answers = block_on(async {
        let mut answers = Vec::new();
        for status in statuses {
            let listed = match &status.problem {
                Some(problem) => Err((false, problem.clone())),
                None => providers
                    .models(&status.id)
                    .await
                    .map_err(|problem| (true, problem)),
            };
            let difference = listed.map(|listed| compare(catalogue, &status.id, &listed));
            answers.push((status.id.as_str(), difference));
        }
        Ok::<_, Error>(answers)
    })?;
    let is_current = answers.iter().all(|(_, answer)| match answer {
        Ok(difference) => difference.gone.is_empty(),
        // One without a key was not asked.
        Err((was_asked, _)) => !was_asked,
    });
    // Nothing was compared without a single list.
    let is_compared = answers.iter().any(|(_, answer)| answer.is_ok());
    match format {
        ListFormat::Json => {
            let providers: Vec<Value> = answers
                .iter()
                .map(|(id, answer)| as_json(id, answer))
                .collect();
            let verified = verified(catalogue);
            console::json(&json!({ "verified": verified, "providers": providers }))?;
        }
        ListFormat::Human => {
            for (id, answer) in &answers {
                print(id, answer)?;
            }
            if let Some(date) = verified(catalogue) {
                let line = format!("the catalogue was last compared with price lists on {date}");
                console::line(&paint(FAINT, line))?;
            }
        }
    }
    if !is_compared {
        console::remark("nothing was compared: no provider has listed its models");
    }
    Ok(if is_current && is_compared {
        Exit::Success
    } else {
        Exit::Failed
    })
}

/// The day on which a price of the catalogue was verified last.
fn verified(catalogue: &Catalogue) -> Option<String> {
    let prices = catalogue.models().filter_map(|model| model.price);
    let dates = prices.filter_map(|price| price.verified);
    dates.max().map(|date| date.to_string())
}

fn compare(catalogue: &Catalogue, provider: &str, listed: &[String]) -> Difference {
    let known: Vec<&str> = catalogue
        .models()
        .filter(|model| model.provider == provider)
        .map(|model| model.id.as_str())
        .collect();
    let gone = known
        .iter()
        .filter(|id| !listed.iter().any(|listed| is_named(listed, id)));
    let is_similar = |id: &&String| {
        let guessed = catalogue.provider_of(id);
        guessed.is_some_and(|guessed| guessed.id == provider)
    };
    let unknown = listed
        .iter()
        .filter(|listed| !known.iter().any(|id| is_named(listed, id)))
        .filter(is_similar);
    let mut unknown: Vec<String> = unknown.cloned().collect();
    unknown.sort_unstable();
    Difference {
        listed: listed.len(),
        gone: gone.map(|id| (*id).to_owned()).collect(),
        unknown,
    }
}

/// Whether a listed name is a model's, or that of one of its dated versions.
fn is_named(listed: &str, id: &str) -> bool {
    let Some(rest) = listed.strip_prefix(id) else {
        return false;
    };
    let version = rest.strip_prefix(['-', '@']);
    rest.is_empty()
        || version.is_some_and(|version| {
            version == "latest"
                || version.len() >= 4
                    && version
                        .chars()
                        .all(|letter| letter.is_ascii_digit() || letter == '-')
        })
}

type Answer = Result<Difference, (bool, String)>;

fn print(id: &str, answer: &Answer) -> Result<(), Error> {
    match answer {
        Err((_, problem)) => console::line(&format!("{id}: {}", console::plain(problem))),
        Ok(difference) => {
            console::line(&format!(
                "{id}: lists {}",
                counted(difference.listed, "model")
            ))?;
            if !difference.gone.is_empty() {
                let names = console::plain(&difference.gone.join(", ")).into_owned();
                console::line(&paint(ATTENTION, format!("  no longer listed: {names}")))?;
            }
            if !difference.unknown.is_empty() {
                let names = console::plain(&difference.unknown.join(", ")).into_owned();
                console::line(&format!("  not in the catalogue: {names}"))?;
            }
            Ok(())
        }
    }
}

fn as_json(id: &str, answer: &Answer) -> Value {
    match answer {
        Ok(difference) => json!({
            "provider": id,
            "listed": difference.listed,
            "gone": difference.gone,
            "unknown": difference.unknown,
        }),
        Err((was_asked, problem)) => json!({
            "provider": id,
            "asked": was_asked,
            "problem": problem,
        }),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn dated_versions_are_the_same_model() {
        for (listed, id, expected) in [
            ("a-1", "a-1", true),
            ("a-1-20251101", "a-1", true),
            ("a-1-2025-11-01", "a-1", true),
            ("a-1-latest", "a-1", true),
            ("a-1-5", "a-1", false),
            ("a-1-mini", "a-1", false),
            ("a-10", "a-1", false),
            ("b", "a", false),
        ] {
            assert_eq!(is_named(listed, id), expected, "{listed} {id}");
        }
    }

    #[test]
    fn what_differs_is_named() {
        let catalogue = Catalogue::shipped();
        let ids: Vec<String> = catalogue
            .models()
            .filter(|model| model.provider == "anthropic")
            .map(|model| model.id.clone())
            .collect();
        let (first, rest) = ids.split_first().unwrap();
        let mut listed = rest.to_vec();
        listed.extend(["claude-newest".to_owned(), "embedding".to_owned()]);
        assert_eq!(
            compare(catalogue, "anthropic", &listed),
            Difference {
                listed: ids.len() + 1,
                gone: vec![first.clone()],
                unknown: vec!["claude-newest".to_owned()],
            }
        );
    }
}
