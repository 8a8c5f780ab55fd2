//! The table of ways to install the program: the place of the executable, the name, the command that updates it.

use super::local_files::LocalFiles;

/// A way to install the program.
pub struct Method {
    /// What it is called.
    pub name: &'static str,
    /// Whether an executable at this path was installed so.
    pub is_at: fn(&str, &dyn LocalFiles) -> bool,
    /// The command or the step that updates it.
    pub update: &'static str,
    /// The command that asks for a newer version.
    pub ask: Option<&'static str>,
    /// The versions that this machine knows of without asking.
    pub versions: fn(&str, &dyn LocalFiles) -> Vec<String>,
}

/// The ways, the more specific ones first.
pub const METHODS: &[Method] = &[
    Method {
        name: "VS Code extension",
        is_at: |path, _| extension_folder(path).is_some(),
        update: "update the extension in VS Code, which brings its own copy",
        ask: Some("code --list-extensions --show-versions"),
        versions: versions_of_extension,
    },
    Method {
        name: "mason.nvim",
        is_at: |path, _| path.contains("/mason/packages/attractor/"),
        update: ":MasonInstall attractor",
        ask: Some(":MasonUpdate"),
        versions: |_, _| Vec::new(),
    },
    Method {
        name: "Nix",
        is_at: |path, _| path.starts_with("/nix/store/"),
        update: "nix profile upgrade attractor",
        ask: Some("nix profile upgrade --dry-run attractor"),
        versions: |_, _| Vec::new(),
    },
    Method {
        name: "Homebrew",
        is_at: |path, _| path.contains("/Cellar/attractor/"),
        update: "brew upgrade attractor",
        ask: Some("brew outdated attractor"),
        versions: versions_of_homebrew,
    },
    Method {
        name: "cargo install, from a clone",
        is_at: |path, files| source_of_crate(path, files).is_some_and(|it| it.starts_with("path+")),
        update: "git pull && cargo install --locked --path server/cli, in the clone",
        ask: Some("git fetch && git log HEAD..@{upstream}"),
        versions: |_, _| Vec::new(),
    },
    Method {
        name: "cargo install",
        is_at: |path, files| source_of_crate(path, files).is_some(),
        update: "cargo install --locked attractor-cli",
        ask: Some("cargo info attractor-cli"),
        versions: |_, _| Vec::new(),
    },
    Method {
        name: "build folder of cargo",
        is_at: is_build,
        update: "git pull && cargo build, in the clone",
        ask: Some("git fetch && git log HEAD..@{upstream}"),
        versions: |_, _| Vec::new(),
    },
    Method {
        name: "pacman package",
        is_at: |path, files| {
            let packages = files.names("/var/lib/pacman/local");
            is_system(path) && packages.iter().any(|name| name.starts_with("attractor-"))
        },
        update: "update attractor-bin with the helper that installed it, or by makepkg -si in its folder",
        ask: Some("git pull, in the folder of its PKGBUILD"),
        versions: |_, _| Vec::new(),
    },
    Method {
        name: "package of the system",
        is_at: |path, _| is_system(path),
        update: "update it with the package manager of the system",
        ask: None,
        versions: |_, _| Vec::new(),
    },
];

/// What no row of the table matches: the program was copied from an archive.
pub const ARCHIVE: Method = Method {
    name: "archive",
    is_at: |_, _| true,
    update: "replace it with the program of a newer archive",
    ask: None,
    versions: |_, _| Vec::new(),
};

fn is_system(path: &str) -> bool {
    path == "/usr/bin/attractor"
}

/// The folder of the folder of a path, `/a` of `/a/bin/attractor`.
fn prefix(path: &str) -> Option<&str> {
    path.rsplitn(3, '/').nth(2)
}

/// Where the crate came from that `cargo install` or `cargo binstall` has put here, by the list that they keep:
/// `"attractor-cli 0.1.0 (path+file:///src/attractor/server/cli)" = ["attractor"]`.
fn source_of_crate(path: &str, files: &dyn LocalFiles) -> Option<String> {
    let list = files.text(&format!("{}/.crates.toml", prefix(path)?))?;
    let line = list
        .lines()
        .find(|line| line.starts_with("\"attractor-cli "))?;
    let (_, source) = line.split_once('(')?;
    Some(source.to_owned())
}

/// Cargo marks its folder of builds; with a target or without one between it and the profile.
fn is_build(path: &str, files: &dyn LocalFiles) -> bool {
    let is_marked = |folder: &str| files.text(&format!("{folder}/CACHEDIR.TAG")).is_some();
    let folder = prefix(path);
    let above = folder.and_then(|folder| folder.rsplit_once('/'));
    folder.is_some_and(is_marked) || above.is_some_and(|(above, _)| is_marked(above))
}

/// The folder of extensions and the name of the extension: `…/extensions/attractor-dot.attractor-0.1.0-linux-x64`.
fn extension_folder(path: &str) -> Option<(&str, &str)> {
    let extension = path.strip_suffix("/server/attractor")?;
    let (folder, name) = extension.rsplit_once('/')?;
    name.starts_with(EXTENSION).then_some((folder, name))
}

const EXTENSION: &str = "attractor-dot.attractor-";

/// VS Code keeps each version in a folder of its own, until it starts again.
fn versions_of_extension(path: &str, files: &dyn LocalFiles) -> Vec<String> {
    let Some((folder, _)) = extension_folder(path) else {
        return Vec::new();
    };
    let names = files.names(folder).into_iter();
    names
        .filter_map(|name| {
            let version = name.strip_prefix(EXTENSION)?;
            version.split('-').next().map(str::to_owned)
        })
        .collect()
}

/// The versions in the cellar, and that of the formula in each tap.
fn versions_of_homebrew(path: &str, files: &dyn LocalFiles) -> Vec<String> {
    let Some((prefix, _)) = path.split_once("/Cellar/attractor/") else {
        return Vec::new();
    };
    let mut versions = files.names(&format!("{prefix}/Cellar/attractor"));
    let taps = format!("{prefix}/Library/Taps");
    // On Linux and on Intel, the taps are in the folder of Homebrew itself.
    for taps in [taps, format!("{prefix}/Homebrew/Library/Taps")] {
        for user in files.names(&taps) {
            for tap in files.names(&format!("{taps}/{user}")) {
                let formula = format!("{taps}/{user}/{tap}/Formula/attractor.rb");
                versions.extend(files.text(&formula).as_deref().and_then(version_of_formula));
            }
        }
    }
    versions
}

/// `version "0.2.0"`
fn version_of_formula(text: &str) -> Option<String> {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("version \""))?;
    Some(line.trim_end_matches('"').to_owned())
}
