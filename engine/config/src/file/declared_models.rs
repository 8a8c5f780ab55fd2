//! `[models.NAME]`: a model that the catalogue does not list, or other limits and prices of a listed one.

use attractor_model::catalogue::{DeclaredModel, declaration_problem, model};

use super::reader::{Entry, Reader};
use crate::owner::Owner;

/// Keys of a model.
const KEYS: [&str; 9] = [
    "provider",
    "like",
    "aliases",
    "context_window",
    "max_output",
    "input_price",
    "output_price",
    "cache_read_price",
    "cache_write_price",
];

/// The model of a section; `known` are those declared before it. What cannot be used is reported and left out.
pub(super) fn read(
    reader: &mut Reader<'_>,
    section: &Entry,
    owner: Owner,
    known: &[DeclaredModel],
) -> Option<DeclaredModel> {
    let id = &section.key;
    if owner == Owner::Project && model(id).is_some() {
        let message = format!(
            "`models.{id}` is a listed model; only the user's configuration file can change its limits and prices"
        );
        reader.report(section.at, message);
        return None;
    }
    let mut found = DeclaredModel {
        id: id.clone(),
        ..DeclaredModel::default()
    };
    let problems = reader.problem_count();
    for entry in reader.section(section) {
        let name = format!("models.{id}.{}", entry.key);
        match entry.key.as_str() {
            "provider" => found.provider = reader.text(&entry, &name),
            "like" => found.like = reader.text(&entry, &name),
            "aliases" => found.aliases = reader.strings(&entry, &name).unwrap_or_default(),
            "context_window" => found.context_window = tokens(reader, &entry, &name),
            "max_output" => found.max_output = tokens(reader, &entry, &name),
            "input_price" => found.input_price = price(reader, &entry, &name),
            "output_price" => found.output_price = price(reader, &entry, &name),
            "cache_read_price" => found.cache_read_price = price(reader, &entry, &name),
            "cache_write_price" => found.cache_write_price = price(reader, &entry, &name),
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    // A value that was not read is not missing, too.
    let is_read = reader.problem_count() == problems;
    if is_read && let Some(problem) = declaration_problem(known, &found) {
        reader.report(section.at, problem);
        return None;
    }
    Some(found)
}

fn tokens(reader: &mut Reader<'_>, entry: &Entry, name: &str) -> Option<u64> {
    reader.number(entry, name, 1, u32::MAX).map(u64::from)
}

/// US dollars per million tokens.
fn price(reader: &mut Reader<'_>, entry: &Entry, name: &str) -> Option<f64> {
    let whole = || u32::try_from(entry.value.as_integer()?).ok();
    let price = entry.value.as_float();
    let price = price.or_else(|| whole().map(f64::from));
    let price = price.filter(|price| price.is_finite() && *price >= 0.0);
    if price.is_none() {
        let message = format!(
            "`{name}` is {}; expected US dollars per million tokens, such as 0.5",
            entry.value
        );
        reader.report(entry.value_at, message);
    }
    price
}
