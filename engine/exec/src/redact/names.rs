//! Names and values that say that a variable is secret.

/// Whether a variable holds a secret: by its name, or because its value is a URL with a password.
pub(crate) fn is_secret_variable(name: &str, value: &str) -> bool {
    is_secret_name(name) || login_of_url(value).is_some()
}

/// The `user:password@` of a URL.
pub(super) fn login_of_url(value: &str) -> Option<&str> {
    let (scheme, rest) = value.trim().split_once("://")?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let end = authority.rfind('@')?;
    let (_, password) = authority.get(..end)?.split_once(':')?;
    (is_scheme && !password.is_empty()).then(|| authority.get(..=end))?
}

/// Whether a variable has the headers of requests that send telemetry: `OTEL_EXPORTER_OTLP_HEADERS` and those of one
/// signal.
fn has_headers(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.starts_with("OTEL_") && name.ends_with("_HEADERS")
}

/// The secrets in the value of a variable that holds more than one: those of its headers, without their names and schemes.
pub(super) fn secret_parts(name: &str, value: &str) -> Vec<String> {
    if !has_headers(name) {
        return Vec::new();
    }
    let headers = value.split(',').filter_map(|header| header.split_once('='));
    headers
        .flat_map(|(_, value)| {
            let spaced = value.trim().replace("%20", " ");
            let token = spaced.split_once(' ').map(|(_, token)| token.to_owned());
            [value.trim().to_owned()].into_iter().chain(token)
        })
        .collect()
}

/// Whether a variable of that name holds a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "_API_KEY",
        "_SECRET",
        "_TOKEN",
        "PASSWORD",
        "PASSWD",
        "_PASSPHRASE",
        "_AUTH",
        "_KEY_ID",
        "_ACCESS_KEY",
    ];
    const WHOLE: &[&str] = &["API_KEY", "SECRET", "TOKEN", "MYSQL_PWD"];
    let name = name.to_ascii_uppercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
        || WHOLE.contains(&name.as_str())
        || name.contains("_CREDENTIAL")
        || has_headers(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_with_a_password() {
        for (value, login) in [
            ("postgres://app:s3cret@db/x", Some("app:s3cret@")),
            ("redis://:pw@localhost:6379", Some(":pw@")),
            ("https://user:p%40ss@host?x=1", Some("user:p%40ss@")),
            ("https://user@host/", None),
            ("https://host:8080/a@b:c", None),
            ("https://host/path", None),
            ("a: b@c", None),
            ("git@host:owner/repo", None),
        ] {
            assert_eq!(login_of_url(value), login, "{value}");
            assert_eq!(is_secret_variable("DATABASE_URL", value), login.is_some());
        }
    }

    #[test]
    fn headers_of_telemetry() {
        let value = "Authorization=Bearer%20abc-123, x-team=blue";
        assert_eq!(
            secret_parts("OTEL_EXPORTER_OTLP_HEADERS", value),
            ["Bearer%20abc-123", "abc-123", "blue"]
        );
        assert!(secret_parts("OTEL_SERVICE_NAME", value).is_empty());
    }

    #[test]
    fn names() {
        for name in [
            "OPENAI_API_KEY",
            "github_token",
            "PGPASSWORD",
            "SMTP_PASSWD",
            "MYSQL_PWD",
            "AWS_SECRET_ACCESS_KEY",
            "GOOGLE_CREDENTIALS",
            "NPM_CONFIG__AUTH",
            "GPG_PASSPHRASE",
            "OTEL_EXPORTER_OTLP_HEADERS",
            "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["PATH", "OLDPWD", "TOKENIZERS_PARALLELISM", "SSH_AUTH_SOCK"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
