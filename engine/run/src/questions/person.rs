//! Who uses this process: for the record of who answered a question or stopped a run.

use std::fs;

/// The person at this terminal: `ada@laptop (terminal pts/3)`.
pub fn person_at_terminal() -> String {
    match terminal() {
        Some(device) => person_using(&format!("terminal {device}")),
        None => person_using("terminal"),
    }
}

/// The person who uses `program`: `ada@laptop (Neovim)`. The name is that of the account, not of an environment
/// variable that any user can set.
pub fn person_using(program: &str) -> String {
    let user = user();
    match host() {
        Some(host) => format!("{user}@{host} ({program})"),
        None => format!("{user} ({program})"),
    }
}

/// The name of the account this process runs under.
fn user() -> String {
    let id = rustix::process::getuid().as_raw();
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    account(&accounts, id).unwrap_or_else(|| format!("uid {id}"))
}

/// The account with this number in a text like `/etc/passwd`: `NAME:PASSWORD:NUMBER:…` lines.
fn account(accounts: &str, id: u32) -> Option<String> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    })
}

fn host() -> Option<String> {
    let paths = ["/proc/sys/kernel/hostname", "/etc/hostname"];
    let text = paths
        .into_iter()
        .find_map(|path| fs::read_to_string(path).ok())?;
    let name = text.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The device of standard input, when it is a terminal.
fn terminal() -> Option<String> {
    use std::io::IsTerminal;
    if !std::io::stdin().is_terminal() {
        return None;
    }
    let device = fs::read_link("/proc/self/fd/0").ok()?;
    Some(device.strip_prefix("/dev").ok()?.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_found_by_its_number() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\n";
        assert_eq!(account(accounts, 1000).as_deref(), Some("ada"));
        assert_eq!(account(accounts, 100), None);
    }
}
