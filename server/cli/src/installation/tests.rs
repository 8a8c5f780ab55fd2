//! Each row of the table, with the executable and the files of a machine that does not exist.

use std::collections::BTreeMap;

use super::{LocalFiles, installation, methods::METHODS};

/// Files by path.
struct FakeFiles(BTreeMap<&'static str, &'static str>);

impl LocalFiles for FakeFiles {
    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).map(|text| (*text).to_owned())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let below = self.0.keys().filter_map(|path| {
            let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
            rest.split('/').next().map(str::to_owned)
        });
        below.collect()
    }
}

/// Executable, files of the machine, the name of the method, the newer version that is known.
type Case = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
    Option<&'static str>,
);

const CASES: &[Case] = &[
    (
        "/home/ada/.vscode/extensions/attractor-dot.attractor-0.1.0-linux-x64/server/attractor",
        &[
            (
                "/home/ada/.vscode/extensions/attractor-dot.attractor-0.1.0-linux-x64/package.json",
                "",
            ),
            (
                "/home/ada/.vscode/extensions/attractor-dot.attractor-0.3.0-linux-x64/package.json",
                "",
            ),
            (
                "/home/ada/.vscode/extensions/other.attractor-dot-9.0.0/package.json",
                "",
            ),
        ],
        "VS Code extension",
        Some("0.3.0"),
    ),
    (
        "/home/ada/.local/share/nvim/mason/packages/attractor/attractor-x86_64-unknown-linux-gnu/attractor",
        &[],
        "mason.nvim",
        None,
    ),
    (
        "/nix/store/0c9p1x-attractor-0.1.0/bin/attractor",
        &[],
        "Nix",
        None,
    ),
    (
        "/opt/homebrew/Cellar/attractor/0.1.0/bin/attractor",
        &[(
            "/opt/homebrew/Library/Taps/attractor-dot/homebrew-tap/Formula/attractor.rb",
            "class Attractor < Formula\n  version \"0.2.0\"\n",
        )],
        "Homebrew",
        Some("0.2.0"),
    ),
    (
        "/home/linuxbrew/.linuxbrew/Cellar/attractor/0.1.0/bin/attractor",
        &[(
            "/home/linuxbrew/.linuxbrew/Homebrew/Library/Taps/attractor-dot/homebrew-tap/Formula/attractor.rb",
            "class Attractor < Formula\n  version \"0.1.0\"\n",
        )],
        "Homebrew",
        None,
    ),
    (
        "/home/ada/.cargo/bin/attractor",
        &[(
            "/home/ada/.cargo/.crates.toml",
            "[v1]\n\"attractor-cli 0.1.0 (path+file:///src/attractor/server/cli)\" = [\"attractor\"]\n",
        )],
        "cargo install, from a clone",
        None,
    ),
    (
        "/home/ada/.cargo/bin/attractor",
        &[(
            "/home/ada/.cargo/.crates.toml",
            "[v1]\n\"attractor-cli 0.1.0 (registry+https://registry.example/index)\" = [\"attractor\"]\n",
        )],
        "cargo install",
        None,
    ),
    (
        "/src/attractor/target/debug/attractor",
        &[("/src/attractor/target/CACHEDIR.TAG", "")],
        "build folder of cargo",
        None,
    ),
    (
        "/build/x86_64-unknown-linux-musl/dist/attractor",
        &[("/build/CACHEDIR.TAG", "")],
        "build folder of cargo",
        None,
    ),
    (
        "/usr/bin/attractor",
        &[("/var/lib/pacman/local/attractor-bin-0.1.0-1/desc", "")],
        "pacman package",
        None,
    ),
    ("/usr/bin/attractor", &[], "package of the system", None),
    // A program of that name in the folder of cargo, which has not installed it.
    (
        "/home/ada/.cargo/bin/attractor",
        &[(
            "/home/ada/.cargo/.crates.toml",
            "[v1]\n\"ripgrep 14.0.0 (x)\" = [\"rg\"]\n",
        )],
        "archive",
        None,
    ),
    ("/home/ada/.local/bin/attractor", &[], "archive", None),
];

#[test]
fn each_place_has_its_method() {
    for (path, files, method, newer) in CASES {
        let files = FakeFiles(files.iter().copied().collect());
        let found = installation(path, "0.1.0", &files);
        assert_eq!(found.method, *method, "{path}");
        assert_eq!(found.newer.as_deref(), *newer, "{path}");
        assert!(!found.update.is_empty(), "{path}");
    }
}

#[test]
fn every_row_has_a_case() {
    for method in METHODS {
        let is_tested = CASES.iter().any(|(_, _, name, _)| *name == method.name);
        assert!(is_tested, "{}", method.name);
    }
}
