//! The address of a server: one whose connection does not show the token to others.

use std::fmt;

use attractor_llm::is_loopback;
use url::Url;

use crate::error::ClientError;

/// The address of a server: `https://`, or `http://` on this machine. Paths are appended to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress(Url);

impl ServerAddress {
    /// Reads an address.
    ///
    /// # Errors
    /// It is not an address, names a user, or would send the token over the network in the clear.
    pub fn read(text: &str) -> Result<Self, ClientError> {
        let invalid = |reason: String| ClientError::InvalidAddress {
            address: text.to_owned(),
            reason,
        };
        let mut url: Url = text
            .trim()
            .parse()
            .map_err(|error: url::ParseError| invalid(error.to_string()))?;
        if !url.username().is_empty() || url.password().is_some() {
            // Such an address would be shown in messages. So it is not shown in this one either.
            return Err(ClientError::InvalidAddress {
                address: url.host_str().unwrap_or_default().to_owned(),
                reason: "it holds a user name or a password; use the token instead".to_owned(),
            });
        }
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => {
                return Err(ClientError::Insecure {
                    address: url.to_string(),
                });
            }
            _ => return Err(invalid("expected http:// or https://".to_owned())),
        }
        url.set_query(None);
        url.set_fragment(None);
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(Self(url))
    }

    /// Whether the server is on this machine.
    pub fn is_local(&self) -> bool {
        is_loopback(&self.0)
    }

    /// What people call the server: its host, with the port where one is named.
    pub fn name(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// The address of a path of the server.
    pub(crate) fn join(&self, path: &[&str]) -> Url {
        let mut url = self.0.clone();
        // An address with `http` or `https` has a path.
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().extend(path);
        }
        url
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn read(text: &str) -> String {
        match ServerAddress::read(text) {
            Ok(address) => format!("{address} ({})", address.name()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn addresses_keep_the_token_from_the_network() {
        let addresses = [
            "http://127.0.0.1:4123",
            "http://localhost:4123/#ticket=1",
            "https://box.example/attractor?x=1",
            "http://box.example:4123",
            "https://me:secret@box.example",
            "ftp://box.example",
            "box",
        ];
        expect![[r"
            http://127.0.0.1:4123/ (127.0.0.1:4123)
            http://localhost:4123/ (localhost:4123)
            https://box.example/attractor/ (box.example)
            http://box.example:4123/ would send the token in the clear; use https://, or a tunnel to this machine
            invalid address `box.example`: it holds a user name or a password; use the token instead
            invalid address `ftp://box.example`: expected http:// or https://
            invalid address `box`: relative URL without a base"]]
        .assert_eq(&addresses.map(read).join("\n"));
    }

    #[test]
    fn parts_of_a_path_are_escaped() {
        let address = ServerAddress::read("https://box.example/base").unwrap();
        let joined = address.join(&["pipelines", "../x", "a/b"]);
        assert_eq!(
            joined.as_str(),
            "https://box.example/base/pipelines/..%2Fx/a%2Fb"
        );
    }
}
