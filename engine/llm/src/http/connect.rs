//! HTTP clients that carry keys: where they connect to, and where they follow.

/// Sets up a client for one address: TLS, redirects to the same server only, and no proxy to this machine.
pub fn http_client(url: &url::Url) -> reqwest::ClientBuilder {
    // One process has one default; another part of the program may have set it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::custom(redirect));
    if is_loopback(url) {
        builder.no_proxy()
    } else {
        builder
    }
}

/// Redirects are followed only where method, body and key go to the same server.
fn redirect(attempt: reqwest::redirect::Attempt<'_>) -> reqwest::redirect::Action {
    let keeps_method = matches!(attempt.status().as_u16(), 307 | 308);
    let origin = |url: &url::Url| url.origin();
    let is_same = attempt
        .previous()
        .last()
        .is_some_and(|from| origin(from) == origin(attempt.url()));
    if keeps_method && is_same && attempt.previous().len() <= 5 {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// Whether an address is that of this machine.
pub fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
