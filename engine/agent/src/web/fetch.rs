//! One fetch: addresses checked, redirects on the same host followed, size and time limited.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use attractor_llm::http_client;
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};
use tokio::net::lookup_host;
use tokio::time::timeout;
use url::{Host, Url};

use super::is_public;

/// How long a fetch may take, redirects included.
const TIME: Duration = Duration::from_secs(30);

/// How long a name may take to look up.
const LOOKUP: Duration = Duration::from_secs(10);

/// Bytes of a page that are read.
const SIZE: usize = 5 * 1024 * 1024;

/// How many redirects are followed.
const REDIRECTS: usize = 5;

/// What servers get as the name of the client.
const AGENT: &str = concat!("attractor/", env!("CARGO_PKG_VERSION"));

/// What kinds of content are wanted.
const WANTED: &str = "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1";

/// Fetches pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fetcher {
    /// Which addresses may be connected to.
    pub(crate) permits: fn(IpAddr) -> bool,
    /// How long a fetch may take.
    pub(crate) time: Duration,
}

impl Default for Fetcher {
    fn default() -> Self {
        Self {
            permits: is_public,
            time: TIME,
        }
    }
}

/// What a server sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fetched {
    /// Where it was found, after redirects.
    pub(crate) url: Url,
    /// Its status.
    pub(crate) status: StatusCode,
    /// Its type, as the server names it, in lower case.
    pub(crate) content_type: String,
    /// The bytes.
    pub(crate) body: Vec<u8>,
    /// Whether there are more.
    pub(crate) is_cut: bool,
}

/// The host of an address that can be fetched; the problem otherwise.
pub(crate) fn host_of(text: &str) -> Result<(Url, String), String> {
    let url = Url::parse(text.trim()).map_err(|error| {
        format!("`{text}` is not an address such as `https://example.org/page`: {error}")
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!(
            "`{}` cannot be fetched; only `https` and `http` can",
            url.scheme()
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address with a user name or a password is not fetched".to_owned());
    }
    let Some(host) = url.host_str() else {
        return Err(format!("`{text}` names no host"));
    };
    let host = host.trim_end_matches('.').to_owned();
    Ok((url, host))
}

impl Fetcher {
    /// Fetches a page.
    ///
    /// # Errors
    /// The address is not public, cannot be reached, or redirects elsewhere; the text says what to do.
    pub(crate) async fn fetch(&self, url: Url) -> Result<Fetched, String> {
        let limit = self.time;
        match timeout(limit, self.follow(url)).await {
            Ok(result) => result,
            Err(_) => Err(format!(
                "the page was not complete after {} s",
                limit.as_secs()
            )),
        }
    }

    async fn follow(&self, mut url: Url) -> Result<Fetched, String> {
        for _ in 0..=REDIRECTS {
            let response = self.get(&url).await?;
            match redirect(&url, &response)? {
                Some(next) => url = next,
                None => return read(url, response).await,
            }
        }
        Err(format!("more than {REDIRECTS} redirects"))
    }

    /// Connects to a checked address of the host.
    async fn get(&self, url: &Url) -> Result<Response, String> {
        let client = http_client(url)
            .redirect(Policy::none())
            .no_proxy()
            .user_agent(AGENT);
        let client = match url.host() {
            Some(Host::Domain(name)) => {
                let addresses = self.lookup(name, url).await?;
                client.resolve_to_addrs(name, &addresses)
            }
            Some(Host::Ipv4(address)) => {
                self.check(url, address.into())?;
                client
            }
            Some(Host::Ipv6(address)) => {
                self.check(url, address.into())?;
                client
            }
            None => return Err(format!("`{url}` names no host")),
        };
        let client = client.build().map_err(|error| problem(&error))?;
        let response = client.get(url.clone()).header(ACCEPT, WANTED).send().await;
        response.map_err(|error| problem(&error))
    }

    /// The addresses of a name; all of them have to be public.
    async fn lookup(&self, name: &str, url: &Url) -> Result<Vec<SocketAddr>, String> {
        let port = url.port_or_known_default().unwrap_or(443);
        let found = match timeout(LOOKUP, lookup_host((name, port))).await {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => return Err(format!("the host `{name}` cannot be found: {error}")),
            Err(_) => return Err(format!("the host `{name}` was not found in time")),
        };
        let addresses: Vec<SocketAddr> = found.collect();
        for address in &addresses {
            self.check(url, address.ip())?;
        }
        if addresses.is_empty() {
            return Err(format!("the host `{name}` has no address"));
        }
        Ok(addresses)
    }

    fn check(&self, url: &Url, address: IpAddr) -> Result<(), String> {
        if (self.permits)(address) {
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        Err(format!(
            "`{host}` is at {address}, which is not a public address: this machine, its network and services of a cloud are not \
             fetched from"
        ))
    }
}

/// Where a response leads on the same host.
fn redirect(from: &Url, response: &Response) -> Result<Option<Url>, String> {
    if !response.status().is_redirection() {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION);
    let Some(location) = location.and_then(|value| value.to_str().ok()) else {
        return Ok(None);
    };
    let next = from
        .join(location)
        .map_err(|error| format!("it redirects to an address that cannot be used: {error}"))?;
    let (next, host) = host_of(next.as_str())?;
    let is_same = from
        .host_str()
        .is_some_and(|from| from.trim_end_matches('.') == host);
    let is_weaker = from.scheme() == "https" && next.scheme() == "http";
    if !is_same || is_weaker {
        return Err(format!(
            "it redirects to {next}; fetch that, if it is what you look for"
        ));
    }
    Ok(Some(next))
}

async fn read(url: Url, mut response: Response) -> Result<Fetched, String> {
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let mut fetched = Fetched {
        url,
        status: response.status(),
        content_type: content_type.unwrap_or_default().to_ascii_lowercase(),
        body: Vec::new(),
        is_cut: false,
    };
    while let Some(chunk) = response.chunk().await.map_err(|error| problem(&error))? {
        let left = SIZE.saturating_sub(fetched.body.len());
        let part = chunk.get(..left).unwrap_or(&chunk);
        fetched.body.extend_from_slice(part);
        if part.len() < chunk.len() {
            fetched.is_cut = true;
            break;
        }
    }
    Ok(fetched)
}

/// An error of HTTP with its causes.
fn problem(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests;
