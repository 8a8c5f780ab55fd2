//! Attacks on files that commands must not write.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use attractor_tests::Project;

use super::frame::{
    Attack,
    Outcome::{Possible, Prevented, Undone},
    Outcomes, Start, check,
};

pub(super) const ATTACKS: &[Attack] = &[
    Attack {
        name: "writes outside of the folder",
        commands: &["echo x > ../outside.txt"],
        is_harmed: |attempt| attempt.project.file("outside.txt").exists(),
        outcomes: Outcomes {
            bubblewrap: Prevented,
            landlock: Prevented,
            off: Possible,
        },
        ..Attack::NEW
    },
    Attack {
        name: "changes the mode of a file outside of the folder",
        prepare: |project| {
            project.write("outside.txt", "");
            let private = fs::Permissions::from_mode(0o600);
            fs::set_permissions(project.file("outside.txt"), private).expect("its mode");
        },
        commands: &["chmod 666 ../outside.txt"],
        is_harmed: |attempt| {
            let file = fs::metadata(attempt.project.file("outside.txt")).expect("the file");
            file.permissions().mode() & 0o777 == 0o666
        },
        outcomes: Outcomes {
            bubblewrap: Prevented,
            landlock: Possible,
            off: Possible,
        },
        ..Attack::NEW
    },
    Attack {
        name: "leaves a file in the memory that programs share",
        commands: &["echo x > \"/dev/shm/$(basename \"$(dirname \"$PWD\")\")\""],
        is_harmed: |attempt| fs::remove_file(in_shared_memory(attempt.project)).is_ok(),
        outcomes: Outcomes {
            bubblewrap: Prevented,
            landlock: Prevented,
            off: Possible,
        },
        ..Attack::NEW
    },
    Attack {
        name: "writes a file that was open when the run was started",
        start: Start::WithOpenFile,
        prepare: |project| project.write("opened", ""),
        commands: &["echo x >&7", "echo x > /proc/self/fd/7"],
        is_harmed: |attempt| !attempt.project.read("opened").is_empty(),
        ..Attack::NEW
    },
    Attack {
        name: "writes the configuration of Attractor in the folder",
        prepare: |project| project.write("work/.attractor/config.toml", ""),
        commands: &["echo '[agent]' > .attractor/config.toml"],
        is_harmed: |attempt| {
            !attempt
                .project
                .read("work/.attractor/config.toml")
                .is_empty()
        },
        outcomes: Outcomes {
            bubblewrap: Prevented,
            landlock: Undone,
            off: Undone,
        },
        ..Attack::NEW
    },
];

/// A file with the name of the project.
fn in_shared_memory(project: &Project) -> PathBuf {
    let folder = fs::canonicalize(project.path()).expect("the project");
    PathBuf::from("/dev/shm").join(folder.file_name().expect("its name"))
}

#[test]
fn files_are_kept() {
    check(ATTACKS);
}
