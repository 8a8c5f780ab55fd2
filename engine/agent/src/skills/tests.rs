use std::fs;

use expect_test::expect;

use super::*;

fn write(folder: &tempfile::TempDir, path: &str, text: &str) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} is for\n---\nDo {name}.\n")
}

fn drawn(found: &Skills) -> String {
    let skills = found.skills.iter();
    let skills = skills.map(|one| format!("{} {:?}: {}\n", one.name, one.owner, one.text));
    let problems = found
        .problems
        .iter()
        .map(|problem| format!("! {problem}\n"));
    skills.chain(problems).collect()
}

#[test]
fn those_of_the_user_win_and_all_are_sorted() {
    let (project, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&project, ".git/HEAD", "");
    write(&project, ".agents/skills/zeta/SKILL.md", &skill("zeta"));
    write(&project, "sub/.claude/skills/beta/SKILL.md", &skill("beta"));
    write(&project, ".claude/skills/deploy/SKILL.md", &skill("deploy"));
    write(&home, ".claude/skills/deploy/SKILL.md", &skill("deploy"));
    write(&home, ".agents/skills/README.md", "not a skill");
    let found = find_skills(&project.path().join("sub"), Some(home.path()));
    expect![[r#"
        beta Project: Do beta.
        deploy User: Do deploy.
        zeta Project: Do zeta.
    "#]]
    .assert_eq(&drawn(&found));
    expect![[r#"
        Instructions for certain kinds of work. Where a task fits a description, load that skill by the tool `skill` before you begin, and follow it.

        - beta: What beta is for
        - deploy: What deploy is for
        - zeta: What zeta is for
    "#]]
    .assert_eq(&found.listed());
    assert_eq!(Skills::default().listed(), "");
    let files = project_skill_files(&project.path().join("sub"));
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        [
            ".agents/skills/zeta/SKILL.md",
            ".claude/skills/beta/SKILL.md",
            ".claude/skills/deploy/SKILL.md"
        ]
    );
}

#[test]
fn bad_input_has_a_reason_and_is_not_followed() {
    let (project, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&outside, "evil/SKILL.md", &skill("evil"));
    write(&outside, "key", "secret");
    let at = |name: &str| project.path().join(".agents/skills").join(name);
    write(&project, ".agents/skills/good/SKILL.md", &skill("good"));
    write(
        &project,
        ".agents/skills/large/SKILL.md",
        &"x".repeat(10 * 1024 * 1024),
    );
    write(
        &project,
        ".agents/skills/broken/SKILL.md",
        "---\nname: [\n---\n",
    );
    write(
        &project,
        ".agents/skills/rules/SKILL.md",
        "---\nname: r\ndescription: d\nallowed-tools: \"rm -rf(\"\n---\n",
    );
    std::os::unix::fs::symlink(outside.path().join("evil"), at("evil")).unwrap();
    fs::create_dir(at("linked")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("evil/SKILL.md"), at("linked/SKILL.md"))
        .unwrap();
    std::os::unix::fs::symlink("good", at("inside")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("key"), at("good/key")).unwrap();
    std::os::unix::fs::symlink(outside.path(), project.path().join(".claude")).unwrap();
    let found = find_skills(project.path(), None);
    expect![[r#"
        good Project: Do good.
        ! the skill `.agents/skills/broken` is not used: its beginning is not YAML: while parsing a node, did not find expected node content at byte 8 line 2 column 1
        ! the skill `.agents/skills/evil` is not used: it is outside the folder
        ! the skill `.agents/skills/large` is not used: `SKILL.md` has 10485760 bytes; files of skills have at most 65536
        ! the skill `.agents/skills/linked` is not used: `SKILL.md` leads out of the folder of the skill, or may not be read
        ! the skill `.agents/skills/rules` is not used: its `allowed-tools`: `-rf(` is not a rule; expected a tool, `read`, `write`, `shell`, `web`, `mcp` or `*`, and a pattern in parentheses, such as `shell(cargo test*)`
        ! `.claude/skills` leads out of the folder; its skills are not used
    "#]].assert_eq(&drawn(&found));
    let good = found.get("good").unwrap();
    for file in ["../large/SKILL.md", "/etc/passwd", "key", "none"] {
        assert!(good.read(file).is_err(), "{file}");
    }
}

#[test]
fn thousands_are_bounded() {
    let home = tempfile::tempdir().unwrap();
    for number in 0..3_000 {
        write(
            &home,
            &format!(".agents/skills/s{number:04}/SKILL.md"),
            &skill(&format!("s{number:04}")),
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let found = find_skills(folder.path(), Some(home.path()));
    assert_eq!(found.skills.len(), 200);
    assert_eq!(found.skills.last().unwrap().name, "s0199");
    assert_eq!(
        found.problems,
        ["there are 3000 skills; the first 200 by name are used"]
    );
}
