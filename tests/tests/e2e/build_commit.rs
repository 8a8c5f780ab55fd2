//! Which commit a build records: the build script, compiled alone and run in clones, archives and published crates.

use std::path::Path;
use std::process::Command;

use attractor_tests::{Project, git, repository};

/// The build script as a program of its own.
fn build_script(project: &Project) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc)
        .args(["--edition", "2024", "-o"])
        .arg(project.file("script"))
        .arg(repository().join("server/cli/build.rs"))
        .status()
        .expect("rustc starts");
    assert!(status.success());
}

/// What the script records as the commit of a crate in a folder.
fn commit(project: &Project, folder: &Path, variables: &[(&str, &str)]) -> String {
    let output = project
        .other_command(project.file("script"))
        .current_dir(folder)
        .env("CARGO_MANIFEST_DIR", folder)
        .env("PROFILE", "release")
        .envs(variables.iter().copied())
        .output()
        .expect("the script starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("cargo::rustc-env=BUILD_COMMIT="));
    line.expect("a commit").to_owned()
}

#[test]
fn the_commit_is_that_of_the_clone_the_crate_or_the_package() {
    let project = Project::new();
    build_script(&project);
    let unknown = "not known, built without Git";
    project.write("archive/Cargo.toml", "");
    assert_eq!(commit(&project, &project.file("archive"), &[]), unknown);

    project.write("clone/Cargo.toml", "");
    let clone = project.file("clone");
    git(&clone, &["init", "--quiet"]);
    git(&clone, &["add", "."]);
    git(&clone, &["commit", "--quiet", "--message", "first"]);
    let head = git(&clone, &["rev-parse", "HEAD"]);
    let short = head.get(..12).expect("a commit");
    assert_eq!(commit(&project, &clone, &[]), short);

    // An archive in a repository of something else is not of its commit.
    project.write("clone/vendor/attractor/Cargo.toml", "");
    assert_eq!(
        commit(&project, &clone.join("vendor/attractor"), &[]),
        unknown
    );

    let given = [("ATTRACTOR_COMMIT", "0123456789abcdef")];
    assert_eq!(
        commit(&project, &project.file("archive"), &given),
        "0123456789ab"
    );

    project.write(
        "archive/.cargo_vcs_info.json",
        "{\n  \"git\": {\n    \"sha1\": \"fedcba9876543210\"\n  }\n}",
    );
    assert_eq!(
        commit(&project, &project.file("archive"), &[]),
        "fedcba987654"
    );

    let debug = [("PROFILE", "debug")];
    assert_eq!(
        commit(&project, &clone, &debug),
        "not recorded in a debug build"
    );
}
