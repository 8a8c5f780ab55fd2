//! Names that say that a value is secret.

/// Whether a variable of that name holds a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "_API_KEY",
        "_SECRET",
        "_TOKEN",
        "PASSWORD",
        "PASSWD",
        "_KEY_ID",
        "_ACCESS_KEY",
    ];
    const WHOLE: &[&str] = &["API_KEY", "SECRET", "TOKEN", "MYSQL_PWD"];
    let name = name.to_ascii_uppercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
        || WHOLE.contains(&name.as_str())
        || name.contains("_CREDENTIAL")
}

#[cfg(test)]
mod tests {
    use super::is_secret_name;

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
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["PATH", "OLDPWD", "TOKENIZERS_PARALLELISM", "SSH_AUTH_SOCK"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
