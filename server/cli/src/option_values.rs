//! The values of options: `NAME=VALUE`, `junit=FILE`, scripted outcomes, inputs and files of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use attractor_run::{Script, Status, read_input};
use serde_json::Value;

use crate::error::Error;

/// `junit=FILE`.
pub fn junit(text: &str) -> Result<PathBuf, String> {
    match text.split_once('=') {
        Some(("junit", path)) if !path.is_empty() => Ok(PathBuf::from(path)),
        _ => Err("expected junit=FILE".to_owned()),
    }
}

/// Refuses a report that could not be written at the end.
pub fn check_report(path: &Path) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let reason = if path.is_dir() {
        "it is a folder".to_owned()
    } else if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        format!("there is no folder {}", folder.display())
    } else {
        return Ok(());
    };
    Err(Error::NoReport {
        path: path.display().to_string(),
        reason,
    })
}

/// A share: `80`.
pub fn percent(text: &str) -> Result<u8, String> {
    match text.trim().trim_end_matches('%').parse::<u8>() {
        Ok(percent) if percent <= 100 => Ok(percent),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}

/// An amount of USD: `1`, `0.5`, `$2`.
pub fn dollars(text: &str) -> Result<f64, String> {
    let amount = text.trim().trim_start_matches('$').parse::<f64>();
    match amount {
        Ok(amount) if amount.is_finite() && amount >= 0.0 => Ok(amount),
        _ => Err("expected an amount of USD, such as 0.5".to_owned()),
    }
}

/// `NAME=VALUE`.
pub fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("expected a name and a value, such as NAME=VALUE".to_owned()),
    }
}

/// Scripted outcomes: `NODE=fail,success`.
pub fn script(outcomes: &[(String, String)]) -> Script {
    let mut script = Script::default();
    for (node, words) in outcomes {
        let words = words
            .split(',')
            .map(|word| Status::from(word.trim().to_owned()).into());
        script
            .outcomes
            .entry(node.clone())
            .or_default()
            .extend(words);
    }
    script
}

/// The initial values of the context: those of a file with their types, then those of the command line, parsed
/// or kept as `texts`.
pub fn inputs(
    file: Option<&Path>,
    given: &[(String, String)],
    texts: &[(String, String)],
) -> Result<BTreeMap<String, Value>, Error> {
    let mut inputs: BTreeMap<String, Value> = match file {
        Some(path) => table(path)?.into_iter().collect(),
        None => BTreeMap::new(),
    };
    let read = |(name, written): &(String, String)| (name.clone(), read_input(name, written));
    inputs.extend(given.iter().map(read));
    let text = |(name, text): &(String, String)| (name.clone(), Value::from(text.as_str()));
    inputs.extend(texts.iter().map(text));
    Ok(inputs)
}

/// A file with names and values: a JSON object, or TOML.
pub fn table(path: &Path) -> Result<serde_json::Map<String, Value>, Error> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|cause| Error::unreadable(&name, cause))?;
    let read = if text.trim_start().starts_with('{') {
        serde_json::from_str(&text).map_err(|error| error.to_string())
    } else {
        toml::from_str(&text).map_err(|error| error.to_string())
    };
    read.map_err(|reason| Error::NotATable { path: name, reason })
}

/// One answer or a list of them, as text.
pub fn texts(value: Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.into_iter().flat_map(texts).collect(),
        Value::String(text) => vec![text],
        other => vec![other.to_string()],
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{check_report, pair, percent, script, texts};
    use attractor_run::Status;
    use serde_json::json;

    #[test]
    fn values_may_contain_an_equals_sign() {
        assert_eq!(pair("a=b=c"), Ok(("a".into(), "b=c".into())));
        assert!(pair("=b").is_err());
        assert!(pair("a").is_err());
    }

    #[test]
    fn a_report_needs_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| check_report(&folder.path().join(name));
        assert!(inside("j.xml").is_ok());
        assert!(check_report("j.xml".as_ref()).is_ok());
        let refused = inside("nope/j.xml").unwrap_err().to_string();
        assert!(refused.contains("there is no folder"), "{refused}");
        assert!(check_report(folder.path()).is_err());
    }

    #[test]
    fn a_share_is_at_most_all() {
        assert_eq!(percent("100"), Ok(100));
        assert_eq!(percent("80%"), Ok(80));
        assert!(percent("101").is_err() && percent("-1").is_err());
    }

    #[test]
    fn outcomes_are_a_list_per_node() {
        let script = script(&[("test".into(), "fail, success".into())]);
        assert_eq!(
            script.outcomes.get("test"),
            Some(&vec![Status::Fail.into(), Status::Success.into()])
        );
    }

    #[test]
    fn answers_are_one_or_a_list() {
        assert_eq!(texts(json!("yes")), ["yes"]);
        assert_eq!(texts(json!(["no", true])), ["no", "true"]);
    }
}
