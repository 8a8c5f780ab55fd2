//! Attacks on files that commands must not write.

use super::frame::{
    Attack,
    Outcome::{Possible, Prevented, Undone},
    Outcomes, check,
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

#[test]
fn files_are_kept() {
    check(ATTACKS);
}
