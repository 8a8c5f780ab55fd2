//! Git for agents whose commands cannot write `.git`: the engine is asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use attractor_tests::Project;

use super::{attacked, project, skip};
use crate::git::{commit_all, git};

/// A repository of Ada, whose agent works in a sandbox that protects `.git`; none without bubblewrap.
fn repository() -> Option<Project> {
    let project = project("sonnet");
    let doctor = project.run(["doctor", "--offline"]);
    if !doctor.stdout.contains("sandbox of agents: bubblewrap") {
        skip("Git of agents", "this machine has no bubblewrap");
        return None;
    }
    project.write(
        ".gitconfig",
        "[user]\n\tname = Ada\n\temail = ada@example.org\n",
    );
    commit_all(&project);
    Some(project)
}

/// A hook of the person.
fn hook(project: &Project, command: &str) {
    project.write(".git/hooks/pre-commit", format!("#!/bin/sh\n{command}\n"));
    let path = project.file(".git/hooks/pre-commit");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
}

#[test]
fn an_agent_commits_its_work() {
    let Some(project) = repository() else { return };
    hook(
        &project,
        &format!("touch {}", project.file("pwned").display()),
    );
    let (output, sent) = attacked(
        &project,
        &[
            "git switch -c topic && echo new > new.txt && git add -A && git status --short",
            "git commit -q -F - <<'END'\nAdd a file\n\nBecause.\nEND",
            "mkdir src && git mv new.txt src/new.txt && cd src && git commit -qam 'Move it' && git tag -m one v1",
            "echo x >> greeting.txt && git stash && cat greeting.txt && git stash pop && git restore greeting.txt && git diff --stat",
            "git log --format='%an %ae %s'; git rev-parse --abbrev-ref HEAD; /usr/bin/env git branch -d main; git config user.name",
        ],
    );
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        sent.contains("Ada ada@example.org Move it\\nAda ada@example.org Add a file"),
        "{sent}"
    );
    assert!(sent.contains("A  new.txt"), "{sent}");
    assert!(
        sent.contains("[hooks of the repository did not run: pre-commit]"),
        "{sent}"
    );
    assert!(!project.file("pwned").exists());
    assert_eq!(project.read("greeting.txt"), "Hello.\n", "{sent}");
    assert_eq!(git(&project, &["branch", "--show-current"]), "topic\n");
    assert_eq!(git(&project, &["branch", "--list", "main"]), "");
    assert_eq!(git(&project, &["tag"]), "v1\n");
    assert_eq!(git(&project, &["ls-files", "src"]), "src/new.txt\n");
    // A person's Git finds nothing to repair.
    assert_eq!(git(&project, &["status", "--porcelain"]), "");
    git(&project, &["fsck", "--strict"]);
}

#[test]
fn what_an_agent_may_not_ask_git_for_is_refused_with_the_reason() {
    let Some(project) = repository() else { return };
    project.write("outside/README", "");
    project.write(
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    );
    let touch = format!("touch {}; cat", project.file("pwned").display());
    git(&project, &["config", "filter.lfs.clean", &touch]);
    let cases = [
        ("git push origin main", "`git push` is not available here"),
        ("git checkout -b x", "use `git switch`"),
        (
            "git config core.fsmonitor evil",
            "`git config` is not available here",
        ),
        ("git commit --allow-empty", "needs a message"),
        (
            "git commit --allow-empty -m x --template=/etc/passwd",
            "is not available here",
        ),
        ("git add ../outside.txt", "is outside the working folder"),
        (
            "git mv greeting.txt .envrc",
            "`.envrc` is write-protected, and so not for `git mv`",
        ),
        (
            "mkdir app; git mv greeting.txt app/.VSCode",
            "`app/.VSCode` is write-protected",
        ),
        (
            "git add --pathspec-from-file=/etc/passwd",
            "is not available here",
        ),
        ("echo x > a.bin; git add -A", "has the filter `lfs`"),
        ("rm a.bin; echo x > .git/index", "Read-only file system"),
        (
            "/usr/bin/git commit --allow-empty -m x || $(ls /usr/local/bin/git) commit --allow-empty -m x",
            "Read-only file system",
        ),
    ];
    let commands = cases.map(|(command, _)| command);
    let (output, sent) = attacked(&project, &commands);
    assert_eq!(output.code, Some(0), "{output}");
    for (command, expected) in cases {
        assert!(sent.contains(expected), "{command}: {sent}");
    }
    assert!(!project.file("pwned").exists());
    assert_eq!(git(&project, &["log", "--format=%s"]), "begin\n");
}

/// What arrives at the socket is judged by the engine: a command can write to it without the program `git`.
#[test]
fn the_engine_judges_what_arrives_at_the_socket() {
    let Some(project) = repository() else { return };
    let script = "python3 - <<'END'
import json, os, socket
for folder, arguments in [('/', ['commit', '-m', 'x']), ('.', ['push']), ('.', ['-c', 'alias.x=!touch pwned', 'x']),
        ('.', ['status']), ('.', ['commit', '-m', 'x', '--exec=x']), ('.', ['add', '/etc/passwd'])]:
    one = socket.socket(socket.AF_UNIX)
    one.connect(os.environ['ATTRACTOR_GIT_SOCKET'])
    call = {'folder': os.path.abspath(folder), 'arguments': arguments}
    one.sendall(json.dumps(call).encode())
    one.shutdown(socket.SHUT_WR)
    print('answer', json.loads(one.makefile().read())['code'])
END";
    let (output, sent) = attacked(&project, &[script]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(sent.matches("answer 128").count(), 6, "{sent}");
    assert_eq!(git(&project, &["log", "--format=%s"]), "begin\n");
}

#[test]
fn rules_decide_about_git() {
    let Some(project) = repository() else { return };
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\n\"git(commit)\" = \"deny\"\n",
    );
    let (output, sent) = attacked(
        &project,
        &["echo x > new.txt; git add new.txt && git commit -m x"],
    );
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        sent.contains("`git(commit) = deny` in the user's configuration"),
        "{sent}"
    );
    assert_eq!(git(&project, &["log", "--format=%s"]), "begin\n");
    assert_eq!(
        git(&project, &["diff", "--cached", "--name-only"]),
        "new.txt\n"
    );
}

#[test]
fn a_person_may_let_commands_write_git() {
    let Some(project) = repository() else { return };
    project.write(
        ".config/attractor/config.toml",
        "[agent.sandbox]\nwritable_git = true\n",
    );
    let (output, sent) = attacked(
        &project,
        &[
            "git commit --allow-empty -qm direct && git update-ref refs/heads/other HEAD",
            "git config core.fsmonitor evil; echo evil > .git/hooks/pre-commit",
        ],
    );
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(
        git(&project, &["log", "-1", "--format=%s", "other"]),
        "direct\n",
        "{sent}"
    );
    assert!(!project.file(".git/hooks/pre-commit").exists());
    assert!(!project.read(".git/config").contains("evil"), "{sent}");
}

#[test]
fn hooks_run_where_a_person_allows_them() {
    let Some(project) = repository() else { return };
    project.write(
        ".config/attractor/config.toml",
        "[agent.sandbox]\ngit_hooks = true\n",
    );
    hook(
        &project,
        "echo checked > checked.txt; echo evil >> .git/config; echo evil > .git/hooks/x; true",
    );
    let (output, sent) = attacked(&project, &["git commit --allow-empty -qm x"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        sent.contains("[hooks of the repository may have run: pre-commit]"),
        "{sent}"
    );
    assert_eq!(project.read("checked.txt"), "checked\n", "{sent}");
    assert!(!project.file(".git/hooks/x").exists());
    assert!(!project.read(".git/config").contains("evil"));
}
