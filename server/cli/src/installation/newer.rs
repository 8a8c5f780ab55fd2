//! The newest of some versions.

/// The greatest of `versions` that is greater than `version`. What is not a version is left out.
pub fn newest_above(version: &str, versions: Vec<String>) -> Option<String> {
    let current = numbers(version)?;
    versions
        .into_iter()
        .filter_map(|text| Some((numbers(&text)?, text)))
        .filter(|(numbers, _)| *numbers > current)
        .max()
        .map(|(_, text)| text)
}

/// The three numbers of a released version; a pre-release is not one.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = version.split('.').map(|part| part.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::newest_above;

    #[test]
    fn versions_are_compared_as_numbers() {
        let newest = |versions: &[&str]| {
            newest_above(
                "0.9.1",
                versions.iter().map(|&one| one.to_owned()).collect(),
            )
        };
        assert_eq!(
            newest(&["0.9.0", "0.10.0", "0.9.2"]).as_deref(),
            Some("0.10.0")
        );
        assert_eq!(newest(&["0.9.1", "0.8.12", "1.0.0-rc.1", "x", ""]), None);
    }
}
