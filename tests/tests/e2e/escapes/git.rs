//! Attacks on what Git executes, and on files that editors and shells execute.

use std::fs;
use std::process::Command;

use attractor_tests::Project;

use super::frame::{
    Attack, Attempt,
    Outcome::{Possible, Prevented, SetAside, Undone},
    Outcomes, check,
};

const EVERYWHERE_SET_ASIDE: Outcomes = Outcomes {
    bubblewrap: SetAside,
    landlock: SetAside,
    off: SetAside,
};
const ELSE_UNDONE: Outcomes = Outcomes {
    bubblewrap: Prevented,
    landlock: Undone,
    off: Undone,
};
const EVERYWHERE_UNDONE: Outcomes = Outcomes {
    bubblewrap: Undone,
    landlock: Undone,
    off: Undone,
};

/// After the agent, the engine itself calls Git.
const WITH_BRANCHES: &str = "digraph attack {
  start [shape=Mdiamond]
  agent [shape=box, prompt=\"Work.\", model=sonnet, working_dir=work]
  fork  [shape=component, isolation=worktree]
  left  [shape=parallelogram, command=\"true\"]
  right [shape=parallelogram, command=\"true\"]
  join  [shape=tripleoctagon]
  done  [shape=Msquare]
  start -> agent -> fork -> {left right} -> join -> done
}
";

/// A repository in `work` with a commit.
pub(super) fn repository(project: &Project) {
    git(project, "work", &["init", "--quiet", "-b", "main"]);
    git(project, "work", &["add", "."]);
    git(project, "work", &["commit", "--quiet", "-m", "begin"]);
    project.write(
        ".gitconfig",
        "[user]\n\tname = Ada\n\temail = ada@example.org\n",
    );
}

/// The same, with a repository in a folder of it, and one of a submodule.
fn with_others(project: &Project) {
    repository(project);
    project.write("work/nested/file", "x\n");
    git(project, "work/nested", &["init", "--quiet"]);
    project.write("work/.git/modules/sub/HEAD", "ref: refs/heads/main\n");
    project.write("work/.git/modules/sub/config", "[core]\n");
    for folder in ["objects", "refs"] {
        fs::create_dir_all(project.file("work/.git/modules/sub").join(folder)).expect("a folder");
    }
    project.write("work/sub/.git", "gitdir: ../.git/modules/sub\n");
}

pub(super) fn git(project: &Project, folder: &str, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(project.file(folder))
        .env("HOME", project.path())
        .output()
        .expect("git");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn exists(attempt: &Attempt<'_>, path: &str) -> bool {
    fs::symlink_metadata(attempt.project.file(path)).is_ok()
}

/// Whether what a person does next runs something of the attacker.
fn status_runs_it(attempt: &Attempt<'_>) -> bool {
    git(attempt.project, "work", &["status"]);
    exists(attempt, "work/pwned") || exists(attempt, "pwned")
}

pub(super) const ATTACKS: &[Attack] = &[
    Attack {
        name: "writes a hook of the repository",
        prepare: repository,
        commands: &["echo evil > .git/hooks/pre-commit"],
        is_harmed: |attempt| exists(attempt, "work/.git/hooks/pre-commit"),
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "names a program in the configuration of the repository",
        prepare: repository,
        commands: &["git config core.fsmonitor 'touch pwned'"],
        is_harmed: status_runs_it,
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "leads Git to another repository by `commondir`",
        prepare: repository,
        commands: &[
            "cp -r .git e; git config --file e/config core.fsmonitor 'touch pwned'; echo ../e > .git/commondir",
        ],
        is_harmed: status_runs_it,
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "replaces `.git` by a pointer to a copy",
        prepare: repository,
        commands: &[
            "cp -r .git e; git config --file e/config core.fsmonitor 'touch pwned'; mv .git .git2; echo 'gitdir: ./e' > .git",
        ],
        is_harmed: |attempt| status_runs_it(attempt) || !attempt.project.file("work/.git").is_dir(),
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "replaces `.git` by a link to a copy",
        prepare: repository,
        commands: &[
            "cp -r .git e; git config --file e/config core.fsmonitor 'touch pwned'; mv .git .git2; ln -s e .git",
        ],
        is_harmed: |attempt| status_runs_it(attempt) || !attempt.project.file("work/.git").is_dir(),
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "lets Git take objects from elsewhere",
        prepare: repository,
        commands: &["mkdir -p e; echo $PWD/e > .git/objects/info/alternates"],
        is_harmed: |attempt| exists(attempt, "work/.git/objects/info/alternates"),
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "lets the next branch in a worktree run a hook",
        pipeline: WITH_BRANCHES,
        prepare: repository,
        commands: &[
            "mkdir -p e/hooks; cp -r .git/objects .git/refs .git/HEAD .git/config e/; printf '#!/bin/sh\ntouch \"$(dirname \"$0\")/../../pwned\"\n' > e/hooks/reference-transaction; chmod +x e/hooks/*; echo ../e > .git/commondir",
        ],
        is_harmed: |attempt| exists(attempt, "work/pwned") || exists(attempt, "pwned"),
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "removes the history of the repository",
        prepare: repository,
        commands: &["rm -rf .git"],
        is_harmed: |attempt| git(attempt.project, "work", &["log", "--oneline"]).is_empty(),
        outcomes: Outcomes {
            bubblewrap: Prevented,
            landlock: Possible,
            off: Possible,
        },
        ..Attack::NEW
    },
    Attack {
        name: "names a program in the configuration of a submodule",
        prepare: with_others,
        commands: &["printf '[core]\\n\\tfsmonitor = evil\\n' > .git/modules/sub/config"],
        is_harmed: |attempt| {
            attempt
                .project
                .read("work/.git/modules/sub/config")
                .contains("evil")
        },
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "leads a submodule to another repository",
        prepare: with_others,
        commands: &["echo 'gitdir: ../evil' > sub/.git"],
        is_harmed: |attempt| attempt.project.read("work/sub/.git").contains("evil"),
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "writes a hook of a repository in the folder",
        prepare: with_others,
        commands: &["mkdir -p nested/.git/hooks; echo evil > nested/.git/hooks/pre-commit"],
        is_harmed: |attempt| exists(attempt, "work/nested/.git/hooks/pre-commit"),
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "creates a repository with a hook",
        commands: &["git init --quiet; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit"],
        is_harmed: |attempt| {
            exists(attempt, "work/.git/hooks/pre-commit") || !exists(attempt, "work/.git/HEAD")
        },
        outcomes: EVERYWHERE_SET_ASIDE,
        ..Attack::NEW
    },
    Attack {
        name: "creates a repository in the repository that runs a program",
        prepare: repository,
        commands: &[
            "git init --quiet lib && cd lib && echo x > x && git add x && git -c user.name=x -c user.email=x commit --quiet -m x && git config core.fsmonitor 'touch ../pwned'",
        ],
        is_harmed: |attempt| {
            git(attempt.project, "work/lib", &["status"]);
            exists(attempt, "work/pwned") || !exists(attempt, "work/lib/.git/HEAD")
        },
        outcomes: EVERYWHERE_SET_ASIDE,
        ..Attack::NEW
    },
    Attack {
        name: "creates a bare repository that runs a program",
        commands: &[
            "git init --quiet --bare docs && git config --file docs/config core.fsmonitor 'touch pwned'",
        ],
        is_harmed: |attempt| {
            attempt
                .project
                .read("work/docs/config")
                .contains("fsmonitor")
        },
        outcomes: EVERYWHERE_SET_ASIDE,
        ..Attack::NEW
    },
    Attack {
        name: "changes tasks of an editor",
        prepare: |project| project.write("work/.vscode/tasks.json", "{}"),
        commands: &["echo evil > .vscode/tasks.json"],
        is_harmed: |attempt| attempt.project.read("work/.vscode/tasks.json") != "{}",
        outcomes: ELSE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "creates files that editors and shells run",
        commands: &[
            "mkdir -p .vscode .idea; for file in .vscode/tasks.json .idea/workspace.xml .envrc .bashrc evil.code-workspace; do echo evil > $file; done",
        ],
        is_harmed: |attempt| {
            [
                ".vscode/tasks.json",
                ".idea/workspace.xml",
                ".envrc",
                ".bashrc",
                "evil.code-workspace",
            ]
            .iter()
            .any(|path| exists(attempt, &format!("work/{path}")))
        },
        outcomes: EVERYWHERE_UNDONE,
        ..Attack::NEW
    },
    Attack {
        name: "creates such files in a folder of the project",
        commands: &[
            "mkdir -p app/.vscode; echo evil > app/.vscode/tasks.json; echo evil > app/.envrc",
        ],
        is_harmed: |attempt| {
            exists(attempt, "work/app/.vscode/tasks.json") || exists(attempt, "work/app/.envrc")
        },
        outcomes: EVERYWHERE_SET_ASIDE,
        ..Attack::NEW
    },
];

#[test]
fn git_runs_nothing_of_an_agent() {
    check(ATTACKS);
}
