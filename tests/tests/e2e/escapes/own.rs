//! Attacks on what Attractor obeys itself: its configuration and the records of runs, also by the Git that the engine
//! calls for a command.

use std::fs;
use std::os::unix::fs::symlink;

use attractor_tests::Project;

use super::frame::{
    Attack, Attempt,
    Outcome::{Possible, Prevented, Refused, SetAside, Undone},
    Outcomes, check,
};
use super::git::{git, repository};

const ELSE_UNDONE: Outcomes = Outcomes {
    bubblewrap: Prevented,
    landlock: Undone,
    off: Undone,
};
const REFUSED_BY_GIT: Outcomes = Outcomes {
    bubblewrap: Refused,
    landlock: Undone,
    off: Undone,
};
const ELSE_POSSIBLE: Outcomes = Outcomes {
    bubblewrap: Prevented,
    landlock: Possible,
    off: Possible,
};
const EVERYWHERE_SET_ASIDE: Outcomes = Outcomes {
    bubblewrap: SetAside,
    landlock: SetAside,
    off: SetAside,
};

const CONFIGURATION: &str = "work/.attractor/config.toml";
const JOURNAL: &str = "work/.attractor/runs/01EARLIER/journal.jsonl";

/// A repository whose configuration is empty, and was not in the commit `old`.
fn with_history(project: &Project) {
    project.write(CONFIGURATION, "evil");
    project.write("work/.gitignore", ".attractor/runs/\n");
    repository(project);
    git(project, "work", &["tag", "old"]);
    project.write(CONFIGURATION, "");
    git(project, "work", &["commit", "--quiet", "-am", "new"]);
}

/// The records of an earlier run, in a repository.
fn with_run(project: &Project) {
    project.write(JOURNAL, "true\n");
    repository(project);
}

fn is_configured(attempt: &Attempt<'_>) -> bool {
    !fs::read_to_string(attempt.project.file(CONFIGURATION)).is_ok_and(|text| text.is_empty())
}

pub(super) const ATTACKS: &[Attack] = &[
    Attack {
        name: "has Git move a file to the configuration of Attractor",
        prepare: with_history,
        commands: &[
            "ln -s .attractor link; echo evil > c; git add c; git mv -f c .attractor/config.toml || git mv -f c link/config.toml || git mv -f c sub/../.ATTRACTOR/config.toml",
        ],
        is_harmed: is_configured,
        outcomes: REFUSED_BY_GIT,
        ..Attack::NEW
    },
    Attack {
        name: "has Git bring an older configuration of Attractor back",
        prepare: with_history,
        commands: &[
            "git restore --source=old .attractor/config.toml || git restore --source=old . || git restore --source=old '.attr*'; git switch -q -d old",
        ],
        is_harmed: is_configured,
        outcomes: REFUSED_BY_GIT,
        ..Attack::NEW
    },
    Attack {
        name: "has Git remove the configuration of Attractor",
        prepare: with_history,
        commands: &[
            "git rm -qf .attractor/config.toml || git rm -qf '.attr*/*.toml' || git mv .attractor/config.toml x || git mv .attractor x",
        ],
        is_harmed: is_configured,
        outcomes: REFUSED_BY_GIT,
        ..Attack::NEW
    },
    Attack {
        name: "forges the journal of an earlier run",
        prepare: with_run,
        commands: &["echo forged > .attractor/runs/01EARLIER/journal.jsonl"],
        is_harmed: |attempt| attempt.project.read(JOURNAL) != "true\n",
        outcomes: ELSE_POSSIBLE,
        ..Attack::NEW
    },
    Attack {
        name: "has Git forge or remove the journal of an earlier run",
        prepare: with_run,
        commands: &[
            "echo forged > j; git add j; git mv -f j .attractor/runs/01EARLIER/journal.jsonl; git rm -rfq .attractor",
        ],
        is_harmed: |attempt| {
            !fs::read_to_string(attempt.project.file(JOURNAL)).is_ok_and(|text| text == "true\n")
        },
        outcomes: Outcomes {
            bubblewrap: Refused,
            ..ELSE_POSSIBLE
        },
        ..Attack::NEW
    },
    Attack {
        name: "creates a configuration of Attractor in a folder of the project",
        commands: &["mkdir -p sub/.attractor; echo evil > sub/.attractor/config.toml"],
        is_harmed: |attempt| attempt.project.file("work/sub/.attractor").exists(),
        outcomes: EVERYWHERE_SET_ASIDE,
        ..Attack::NEW
    },
    Attack {
        name: "creates it in a folder that it makes unreadable",
        commands: &[
            "mkdir -p a/b/.attractor; echo evil > a/b/.attractor/config.toml; chmod 311 a/b a",
        ],
        is_harmed: |attempt| attempt.project.file("work/a/b/.attractor").exists(),
        outcomes: EVERYWHERE_SET_ASIDE,
        ..Attack::NEW
    },
    Attack {
        name: "changes the configuration of a project in the folder",
        prepare: |project| project.write("work/sub/.attractor/config.toml", ""),
        commands: &[
            "echo evil > sub/.attractor/config.toml; mv sub gone; mkdir -p sub/.attractor; echo evil > sub/.attractor/config.toml",
        ],
        is_harmed: |attempt| {
            !attempt
                .project
                .read("work/sub/.attractor/config.toml")
                .is_empty()
        },
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "changes the file that the configuration of Attractor is a link to",
        prepare: |project| {
            project.write("work/policy.toml", "");
            fs::create_dir_all(project.file("work/.attractor")).expect("a folder");
            symlink("../policy.toml", project.file(CONFIGURATION)).expect("a link");
        },
        commands: &["echo evil > policy.toml; mv policy.toml x; echo evil > policy.toml"],
        is_harmed: is_configured,
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "has Git record a file that shells run",
        prepare: repository,
        commands: &["echo evil > .envrc; git add -f .envrc; git commit -qm x -- .envrc"],
        is_harmed: |attempt| !git(attempt.project, "work", &["log", "--", ".envrc"]).is_empty(),
        outcomes: Outcomes {
            bubblewrap: Refused,
            ..ELSE_POSSIBLE
        },
        ..Attack::NEW
    },
];

#[test]
fn attractor_obeys_nothing_of_an_agent() {
    check(ATTACKS);
}
