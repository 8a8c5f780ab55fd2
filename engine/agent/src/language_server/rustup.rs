//! Programs of rustup: `~/.cargo/bin/rust-analyzer` is a proxy that runs the program of a toolchain, and says "Unknown
//! binary" where the toolchain does not have it. It is not run to find out: it follows files of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether a program is installed, as far as rustup is concerned: it is not a proxy, or a toolchain has it.
pub(super) fn is_installed(name: &str, program: &Path) -> bool {
    !is_proxy(program) || toolchains().is_some_and(|folder| has_component(&folder, name))
}

/// A proxy is a link to rustup, or the same file in the same folder.
fn is_proxy(program: &Path) -> bool {
    let real = fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
    if real.file_stem().is_some_and(|name| name == "rustup") {
        return true;
    }
    let rustup = real.with_file_name("rustup");
    is_same_file(&real, &rustup)
}

/// Whether two files have the same content: rustup links its proxies where it can, else it copies itself.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).map(|file| file.len()).ok();
    length(one).is_some()
        && length(one) == length(other)
        && fs::read(one).ok() == fs::read(other).ok()
}

/// The folder of the toolchains.
fn toolchains() -> Option<PathBuf> {
    let own = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let home = own.or_else(|| Some(std::env::home_dir()?.join(".rustup")))?;
    Some(home.join("toolchains"))
}

fn has_component(toolchains: &Path, name: &str) -> bool {
    let entries = fs::read_dir(toolchains).into_iter().flatten().flatten();
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let mut programs = entries.map(|entry| entry.path().join("bin").join(&file));
    programs.any(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_needs_a_toolchain_with_the_component() {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join("rustup"), "rustup").unwrap();
        fs::write(bin.join("rustc"), "rustup").unwrap();
        fs::write(bin.join("gopls"), "gopls.").unwrap();
        std::os::unix::fs::symlink("rustup", bin.join("rust-analyzer")).unwrap();
        fs::hard_link(bin.join("rustup"), bin.join("cargo")).unwrap();
        assert!(is_proxy(&bin.join("rust-analyzer")));
        assert!(is_proxy(&bin.join("cargo")));
        assert!(is_proxy(&bin.join("rustc")));
        assert!(!is_proxy(&bin.join("gopls")));
        let toolchains = folder.path().join("toolchains");
        let stable = toolchains.join("stable/bin");
        fs::create_dir_all(&stable).unwrap();
        assert!(!has_component(&toolchains, "rust-analyzer"));
        fs::write(stable.join("rust-analyzer"), "").unwrap();
        assert!(has_component(&toolchains, "rust-analyzer"));
    }
}
