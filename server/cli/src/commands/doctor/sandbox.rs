//! What commands of agents run in, by the configuration and this machine together. Pure.

use attractor_config::{Configuration, Owner};
use attractor_exec::{SandboxMode, SandboxSupport};

/// For people: `bubblewrap (/usr/bin/bwrap)`, or `off (config.toml); bubblewrap is installed`.
pub(super) fn describe(configuration: &Configuration, support: &SandboxSupport) -> String {
    if configuration.agent_permissions().sandbox != SandboxMode::Off {
        return support.describe();
    }
    let installed = match support {
        SandboxSupport::Bubblewrap(_) => "; bubblewrap is installed",
        SandboxSupport::Landlock(_) => "; the kernel has Landlock",
        SandboxSupport::Seatbelt(_) => "; Seatbelt is there",
        SandboxSupport::Nothing(_) => "",
    };
    // Only the file of the user switches it off.
    let mut layers = configuration.layers().iter();
    let file = layers.find(|layer| layer.owner == Owner::User);
    let file = file.map_or_else(String::new, |file| format!(" ({})", file.path.display()));
    format!("off{file}{installed}")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::describe;
    use attractor_config::Configuration;
    use attractor_exec::SandboxSupport;

    #[test]
    fn what_is_used_comes_before_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let user = folder.path().join("config.toml");
        let described = |settings: &str, support: &SandboxSupport| {
            std::fs::write(&user, settings).unwrap();
            let configuration = Configuration::read(&folder.path().join("a.dot"), Some(&user));
            describe(&configuration, support)
        };
        let bubblewrap = SandboxSupport::Bubblewrap("/usr/bin/bwrap".into());
        assert_eq!(described("", &bubblewrap), "bubblewrap (/usr/bin/bwrap)");
        let off = "[agent.sandbox]\nmode = \"off\"\n";
        let file = user.display();
        assert_eq!(
            described(off, &bubblewrap),
            format!("off ({file}); bubblewrap is installed")
        );
        assert_eq!(
            described(off, &SandboxSupport::Nothing("x".to_owned())),
            format!("off ({file})")
        );
    }
}
