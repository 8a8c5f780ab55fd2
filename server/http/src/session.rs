//! Sessions of the web page: a cookie in place of the token, which a page cannot keep safely.
//!
//! The address that the page is opened with has a one-use ticket in its fragment, which browsers do not send. The page
//! exchanges it for a cookie that its scripts cannot read. A cookie is signed with a key made from the token, so it
//! outlives the process: a page that is open while the server is restarted continues.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use attractor_exec::{is_signature, sha256, signature};

use crate::token::Token;
use attractor_exec::random_hex;

/// How long a session lasts.
pub(crate) const LIFETIME: Duration = Duration::from_hours(24);

/// The sessions of a server.
#[derive(Debug, Clone)]
pub(crate) struct Sessions {
    /// Signs cookies.
    key: String,
    cookie: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The digests of the tickets that have not been used.
    tickets: BTreeSet<String>,
    /// Sessions that were ended before their time, with the time they would have lasted to.
    revoked: BTreeMap<String, u64>,
}

impl Sessions {
    /// The sessions of the server with that token. Cookies are shared by all ports of a host, so their name has the port.
    pub(crate) fn new(token: &Token, port: u16) -> Self {
        Self {
            key: signature(token.as_str(), "session cookies"),
            cookie: format!("attractor-session-{port}"),
            state: Arc::default(),
        }
    }

    /// A new ticket for one session.
    pub(crate) fn ticket(&self) -> std::io::Result<String> {
        let ticket = random_hex()?;
        self.lock().tickets.insert(sha256(&ticket));
        Ok(ticket)
    }

    /// Uses a ticket up: whether it is one.
    pub(crate) fn redeem(&self, ticket: &str) -> bool {
        self.lock().tickets.remove(&sha256(ticket))
    }

    /// The `Set-Cookie` of a new session.
    pub(crate) fn start(&self) -> std::io::Result<String> {
        let signed = format!(
            "{}.{}",
            seconds(SystemTime::now() + LIFETIME),
            random_hex()?
        );
        let mac = signature(&self.key, &signed);
        Ok(self.set_cookie(&format!("{signed}.{mac}"), LIFETIME))
    }

    /// Ends the session of a `Cookie` header. The answer is the `Set-Cookie` that removes it.
    pub(crate) fn end(&self, cookies: &str) -> String {
        let now = seconds(SystemTime::now());
        if let Some(session) = self.read(cookies, now) {
            let mut state = self.lock();
            state.revoked.retain(|_, expiry| *expiry > now);
            state.revoked.insert(session.id.to_owned(), session.expiry);
        }
        self.set_cookie("", Duration::ZERO)
    }

    /// Whether a `Cookie` header has a session.
    pub(crate) fn has(&self, cookies: &str) -> bool {
        self.read(cookies, seconds(SystemTime::now())).is_some()
    }

    /// The session in a `Cookie` header, if it lasts at `now`.
    fn read<'c>(&self, cookies: &'c str, now: u64) -> Option<Session<'c>> {
        let pairs = cookies
            .split(';')
            .filter_map(|pair| pair.trim().split_once('='));
        let mut sessions =
            pairs
                .filter(|(name, _)| *name == self.cookie)
                .filter_map(|(_, value)| {
                    let (signed, mac) = value.rsplit_once('.')?;
                    let (expiry, id) = signed.split_once('.')?;
                    let expiry = expiry.parse().ok()?;
                    is_signature(&self.key, signed, mac).then_some(Session { id, expiry })
                });
        sessions
            .find(|session| session.expiry > now && !self.lock().revoked.contains_key(session.id))
    }

    fn set_cookie(&self, value: &str, age: Duration) -> String {
        let (name, age) = (&self.cookie, age.as_secs());
        format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict")
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a cookie says.
struct Session<'c> {
    id: &'c str,
    /// Seconds since 1970.
    expiry: u64,
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions() -> Sessions {
        Sessions::new(&Token::of("secret"), 8080)
    }

    fn cookie(set: &str) -> &str {
        set.split(';').next().unwrap()
    }

    #[test]
    fn tickets_are_used_once() {
        let sessions = sessions();
        let (first, second) = (sessions.ticket().unwrap(), sessions.ticket().unwrap());
        assert!(!sessions.redeem("other"));
        assert!(sessions.redeem(&first));
        assert!(!sessions.redeem(&first));
        assert!(sessions.redeem(&second));
    }

    #[test]
    fn cookies_survive_a_restart_and_nothing_else_does() {
        let set = sessions().start().unwrap();
        assert!(
            set.ends_with("; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict"),
            "{set}"
        );
        let cookie = cookie(&set);
        assert!(sessions().has(&format!("theme=dark; {cookie}")));
        assert!(!Sessions::new(&Token::of("other"), 8080).has(cookie));
        assert!(!Sessions::new(&Token::of("secret"), 8081).has(cookie));
        let longer = cookie.replacen("session-8080=", "session-8080=9", 1);
        assert!(!sessions().has(&longer), "{longer}");
        for broken in [
            "",
            "attractor-session-8080",
            "attractor-session-8080=",
            "attractor-session-8080=1.2.3",
        ] {
            assert!(!sessions().has(broken), "{broken}");
        }
    }

    #[test]
    fn sessions_expire_and_can_be_ended() {
        let sessions = sessions();
        let set = sessions.start().unwrap();
        let cookie = cookie(&set);
        let now = seconds(SystemTime::now());
        assert!(
            sessions
                .read(cookie, now + LIFETIME.as_secs() - 60)
                .is_some()
        );
        assert!(
            sessions
                .read(cookie, now + LIFETIME.as_secs() + 1)
                .is_none()
        );
        assert!(sessions.end(cookie).contains("=; Path=/; Max-Age=0;"));
        assert!(!sessions.has(cookie));
    }
}
