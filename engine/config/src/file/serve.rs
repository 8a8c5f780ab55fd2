//! `[serve]`: the HTTP server of the user, in their own file.

use super::reader::{Entry, Reader};

/// Keys of the section.
const KEYS: [&str; 9] = [
    "host",
    "port",
    "allow_hosts",
    "allow",
    "environment",
    "max_connections",
    "max_streams",
    "max_runs",
    "requests_per_second",
];

/// How `attractor serve` is set up where its options do not say it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServeSettings {
    /// The address to listen on.
    pub host: Option<String>,
    /// The port.
    pub port: Option<u16>,
    /// Further names of the server that requests may have in `Host`.
    pub allow_hosts: Vec<String>,
    /// The handlers that submitted pipelines may use.
    pub allow: Option<Vec<String>>,
    /// Variables of the server's environment that the commands of submitted pipelines see.
    pub environment: Vec<String>,
    /// Connections that are open at once.
    pub max_connections: Option<u32>,
    /// Streams of events that are open at once.
    pub max_streams: Option<u32>,
    /// Runs of the server that have not ended.
    pub max_runs: Option<u32>,
    /// Requests in a second.
    pub requests_per_second: Option<u32>,
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> ServeSettings {
    let mut settings = ServeSettings::default();
    for entry in reader.section(section) {
        let name = format!("serve.{}", entry.key);
        match entry.key.as_str() {
            "host" => settings.host = reader.text(&entry, &name),
            "port" => {
                let port = reader.number(&entry, &name, 0, u32::from(u16::MAX));
                settings.port = port.and_then(|port| port.try_into().ok());
            }
            "allow_hosts" => {
                settings.allow_hosts = reader.strings(&entry, &name).unwrap_or_default();
            }
            "allow" => settings.allow = reader.strings(&entry, &name),
            "environment" => {
                settings.environment = reader.strings(&entry, &name).unwrap_or_default();
            }
            "max_connections" => settings.max_connections = reader.number(&entry, &name, 1, MOST),
            "max_streams" => settings.max_streams = reader.number(&entry, &name, 1, MOST),
            "max_runs" => settings.max_runs = reader.number(&entry, &name, 1, MOST),
            "requests_per_second" => {
                settings.requests_per_second = reader.number(&entry, &name, 1, MOST);
            }
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    settings
}

/// The highest limit.
const MOST: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::{ConfigFile, Owner};

    #[test]
    fn settings_of_the_server_are_the_users() {
        let text = "[serve]\nhost = \"::1\"\nport = 8080\nallow_hosts = [\"box.example\"]\nallow = [\"tool\"]\nenvironment = [\"CARGO_HOME\"]\nmax_streams = 10\n";
        let (user, problems) = ConfigFile::parse(text, Owner::User);
        assert!(problems.is_empty(), "{problems:?}");
        let serve = user.serve.unwrap();
        assert_eq!(serve.host.as_deref(), Some("::1"));
        assert_eq!((serve.port, serve.max_streams), (Some(8080), Some(10)));
        assert_eq!(serve.allow.as_deref(), Some(&["tool".to_owned()][..]));
        assert_eq!(serve.environment, ["CARGO_HOME"]);
        let (project, problems) = ConfigFile::parse(text, Owner::Project);
        assert_eq!(project.serve, None);
        expect!["1:2: `serve` can only be set in the user's configuration file, since it decides what others may run on this machine; move it there (`attractor config` shows the path)"]
            .assert_eq(&problems[0].to_string());
    }

    #[test]
    fn limits_are_numbers() {
        let text = "[serve]\nport = 70000\nmax_runs = 0\nmax_streams = \"many\"\nalow = []\n";
        let (_, problems) = ConfigFile::parse(text, Owner::User);
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        expect![[r#"
            2:8: `serve.port` is 70000; expected a number from 0 to 65535
            3:12: `serve.max_runs` is 0; expected a number from 1 to 1000000
            4:15: `serve.max_streams` is "many"; expected a number from 1 to 1000000
            5:1: unknown key `alow`; did you mean `allow`?"#]]
        .assert_eq(&lines.join("\n"));
    }
}
