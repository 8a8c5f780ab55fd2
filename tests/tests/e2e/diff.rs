//! `attractor diff`: what a change of pipelines changes in meaning, of files, folders, commits, and for Git.

use std::fs;

use attractor_tests::{Project, program, repository};
use expect_test::expect;
use serde_json::Value;

use crate::git::{commit_all, git};

const OLD: &str = r#"digraph release {
  goal="Ship it"
  start  [shape=Mdiamond]
  build  [shape=parallelogram, command="make all"]
  review [prompt="Review the diff for bugs"]
  done   [shape=Msquare]
  start -> build -> review -> done
}
"#;

/// Two changes, and another layout.
fn new() -> String {
    OLD.replace("\"make all\"", "\"make all install\", timeout=10m")
        .replace("  done   [shape=Msquare]\n", "")
        .replace("-> review", "->  /* then */ review")
        .replace("diff for bugs", "whole diff for bugs")
        .replace("}\n", "  done [shape=\"Msquare\"]\n}\n")
}

const CHANGES: &str = "  pipeline release
  What it may do
    ~ build: command
        make all{+ install+}
    ~ build: timeout 5m → 10m
  Nodes
    ~ review: prompt
        Review the {+whole +}diff for bugs
";

#[test]
fn two_files_are_compared_by_meaning() {
    let project = Project::with("old.dot", OLD);
    project.write("new.dot", new());
    let output = project.run(["diff", "old.dot", "new.dot"]).expect_code(0);
    assert_eq!(output.stdout, format!("new.dot (was old.dot)\n{CHANGES}"));
    assert_eq!(output.stderr, "");
    let arguments = ["diff", "--exit-code", "old.dot", "new.dot"];
    project.run(arguments).expect_code(1);

    project
        .run(["fmt", "--sort", "--indent", "2", "old.dot"])
        .expect_code(0);
    project.write(
        "sorted.dot",
        OLD.replace("goal=\"Ship it\"", "")
            .replace("}\n", "graph [\"goal\"=\"Ship\" + \" it\"]}"),
    );
    let arguments = ["diff", "--exit-code", "old.dot", "sorted.dot"];
    let output = project.run(arguments).expect_code(0);
    assert_eq!(
        output.stdout,
        "sorted.dot (was old.dot): no change in meaning\n"
    );
    let output = project.run(["diff", "old.dot", "old.dot"]).expect_code(0);
    assert_eq!(output.stdout, "");
}

#[test]
fn colours_replace_the_marks_of_words() {
    let project = Project::with("old.dot", OLD);
    project.write("new.dot", new());
    let arguments = ["--color", "always", "diff", "old.dot", "new.dot"];
    let output = project.run(arguments).expect_code(0).stdout;
    assert!(
        output.contains("make all\u{1b}[32m install\u{1b}[0m"),
        "{output:?}"
    );
    assert!(!output.contains("{+"), "{output:?}");
}

#[test]
fn folders_are_compared_file_by_file() {
    let project = Project::with("old/release.dot", OLD);
    project.write("old/same.dot", OLD);
    project.write("old/sub/gone.dot", OLD);
    project.write("old/plain.dot", "graph { a -- b }\n");
    project.write("new/release.dot", new());
    project.write("new/same.dot", OLD);
    project.write("new/plain.dot", "graph { a -- c }\n");
    project.write(
        "new/more.dot",
        "digraph more { start [shape=Mdiamond]; t [shape=parallelogram, command=\"rm -r build\"]; start -> t }",
    );
    let output = project.run(["diff", "old", "new"]).expect_code(0);
    expect![[r#"
        new/more.dot: added
          pipeline more: added
          What it may do
            + t: command rm -r build
          Nodes
            + start (start)
            + t (tool)
          Routes
            + start -> t

        new/plain.dot
        --- new/plain.dot
        +++ new/plain.dot
        @@ -1 +1 @@
        -graph { a -- b }
        +graph { a -- c }

        new/release.dot
          pipeline release
          What it may do
            ~ build: command
                make all{+ install+}
            ~ build: timeout 5m → 10m
          Nodes
            ~ review: prompt
                Review the {+whole +}diff for bugs

        old/sub/gone.dot: removed
          pipeline release: removed
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn a_commit_is_compared_with_the_working_tree() {
    let project = Project::with("flows/release.dot", OLD);
    project.write("flows/moved.dot", OLD.replace("release", "moved"));
    project.write("notes.md", "x");
    // Nothing that the repository configures is run.
    let pwned = project.file("pwned");
    commit_all(&project);
    let evil = format!("touch {}", pwned.display());
    git(&project, &["config", "diff.external", &evil]);
    git(&project, &["config", "core.fsmonitor", &evil]);
    project.write("flows/release.dot", new());
    project.write("notes.md", "y");
    fs::rename(
        project.file("flows/moved.dot"),
        project.file("flows/there.dot"),
    )
    .expect("renamed");
    git(&project, &["add", "--all"]);
    let _ = fs::remove_file(&pwned);

    // A file that only has another name means the same.
    let expected = format!("flows/release.dot\n{CHANGES}");
    let output = project.run(["diff", "--git", "HEAD"]).expect_code(0);
    assert_eq!(output.stdout, expected);
    let arguments = ["diff", "--git", "main", "flows/release.dot"];
    let output = project.run(arguments).expect_code(0);
    assert_eq!(output.stdout, expected);
    let arguments = ["diff", "--git", "main", "--exit-code", "flows"];
    project.run(arguments).expect_code(1);
    project.write("flows/untracked.dot", OLD);
    let arguments = ["diff", "--git", "main", "flows/untracked.dot"];
    let output = project.run(arguments).expect_code(0);
    assert!(
        output.stdout.starts_with("flows/untracked.dot: added\n"),
        "{output}"
    );
    fs::remove_file(project.file("flows/release.dot")).expect("removed");
    let output = project.run(["diff", "--git", "HEAD"]).expect_code(0);
    assert!(
        output.stdout.contains("flows/release.dot: removed\n"),
        "{output}"
    );
    assert!(!pwned.exists(), "a program of the configuration was run");
}

#[test]
fn wrong_usage_is_reported() {
    let project = Project::with("old.dot", OLD);
    for (arguments, expected) in [
        (
            vec!["diff", "old.dot", "missing-file.dot"],
            "error: missing-file.dot: no such file\n",
        ),
        (
            vec!["diff", "old.dot"],
            "error: expected two files or folders: attractor diff OLD NEW; or a commit: attractor diff --git REV\n",
        ),
        (
            vec!["diff", "old.dot", "old.dot", "--flowchart"],
            "error: `--flowchart` needs Markdown; add `--format markdown`\n",
        ),
        (
            vec!["diff", "--git", "HEAD"],
            "error: this folder is not in a Git repository; compare files instead: attractor diff OLD NEW\n",
        ),
    ] {
        let output = project.run(arguments).expect_code(2);
        assert_eq!(
            (output.stdout.as_str(), output.stderr.as_str()),
            ("", expected)
        );
    }
    commit_all(&project);
    for (revision, file, expected) in [
        (
            "mian",
            "old.dot",
            "error: unknown revision `mian`; expected a commit, a branch or a tag\n",
        ),
        (
            "--output=pwned",
            "old.dot",
            "error: unknown revision `--output=pwned`; expected a commit, a branch or a tag\n",
        ),
        (
            "HEAD",
            "missing-file.dot",
            "error: missing-file.dot: no such file\n",
        ),
    ] {
        let git = format!("--git={revision}");
        let output = project.run(["diff", &git, file]).expect_code(2);
        assert_eq!(output.stderr, expected);
    }
    let outside = Project::with("other.dot", OLD);
    let path = outside.file("other.dot").display().to_string();
    let output = project.run(["diff", "--git", "HEAD", &path]).expect_code(2);
    assert!(
        output.stderr.contains("is not in the repository"),
        "{output}"
    );
}

#[test]
fn broken_and_binary_files_are_reported() {
    let project = Project::with("old.dot", OLD);
    project.write("broken.dot", new().replace("[prompt=", "[prompt"));
    let output = project
        .run(["diff", "old.dot", "broken.dot"])
        .expect_code(1);
    assert!(output.stdout.contains("in the new version: "), "{output}");
    assert!(output.stdout.contains("~ build: command\n"), "{output}");
    project.write("binary.dot", b"\x7fELF\0\0\xff\xfe");
    let output = project
        .run(["diff", "old.dot", "binary.dot"])
        .expect_code(1);
    assert_eq!(
        output.stderr,
        "error: binary.dot is not a text file; expected a DOT file in UTF-8\n"
    );
}

#[test]
fn git_shows_differences_by_it() {
    let project = Project::with("release.dot", OLD);
    project.write("binary.dot", b"\0\xff");
    project.write("gone.dot", OLD);
    project.write(".gitattributes", "*.dot diff=attractor\n");
    commit_all(&project);
    let command = format!("'{}' diff", program().display());
    git(&project, &["config", "diff.attractor.command", &command]);
    project.write("release.dot", new());
    project.write("binary.dot", b"\0\xff\0");
    fs::remove_file(project.file("gone.dot")).expect("removed");
    project.write("notes.txt", "x\n");
    git(&project, &["add", "--all"]);
    let shown = git(&project, &["diff", "--cached"]);
    assert!(
        shown.contains(&format!("release.dot\n{CHANGES}")),
        "{shown}"
    );
    assert!(shown.contains("gone.dot: removed\n"), "{shown}");
    // Files of other kinds are shown by Git itself.
    assert!(shown.contains("+++ b/notes.txt"), "{shown}");

    project.write("more.dot", OLD);
    git(&project, &["add", "more.dot"]);
    let shown = git(&project, &["diff", "--cached", "--", "more.dot"]);
    assert!(shown.starts_with("more.dot: added\n"), "{shown}");
    git(&project, &["commit", "--quiet", "-m", "more"]);
    git(&project, &["mv", "more.dot", "moved.dot"]);
    project.write("moved.dot", OLD.replace("make all", "make some"));
    let shown = git(&project, &["diff", "-M", "HEAD"]);
    assert!(shown.contains("moved.dot (was more.dot)\n"), "{shown}");
    assert!(shown.contains("command make all → make some"), "{shown}");
}

#[test]
fn json_matches_its_schema() {
    let schema = repository().join("docs/reference/schemas/diff.schema.json");
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(schema).expect("a schema")).expect("JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema that can be used");
    let project = Project::with("a/release.dot", OLD);
    project.write(
        "b/release.dot",
        new().replace("[prompt=", "[model=\"claude-sonnet-4-5\" prompt"),
    );
    project.write("a/gone.dot", OLD);
    project.write("b/new.dot", OLD);
    project.write("a/plain.dot", "graph { a -- b }");
    project.write("b/plain.dot", "graph { a -- c }");
    let arguments = ["diff", "a", "b", "--format", "json"];
    let mut report = project.run(arguments).expect_code(1).json();
    let errors: Vec<String> = schema
        .iter_errors(&report)
        .map(|one| one.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{report:#}");
    let statuses: Vec<&str> = report["files"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|file| file["status"].as_str())
        .collect();
    assert_eq!(statuses, ["removed", "added", "changed", "changed"]);
    let changes = report["files"][3]["pipelines"][0]["changes"].as_array();
    let command = changes.into_iter().flatten().next().expect("a change");
    assert_eq!(command["topic"], "commands");
    assert_eq!(command["nodes"][0], "build");
    assert_eq!(command["old"], "make all");
    report["files"][0]["status"] = "gone".into();
    assert!(!schema.is_valid(&report));
}

#[test]
fn a_flowchart_has_the_changes_marked() {
    let project = Project::with("old.dot", OLD);
    project.write("new.dot", new());
    let arguments = [
        "diff",
        "old.dot",
        "new.dot",
        "--format=markdown",
        "--flowchart",
    ];
    let output = project.run(arguments).expect_code(0);
    let flowchart = output
        .stdout
        .split_once("<details open><summary>Flowchart</summary>\n\n```mermaid\nflowchart ");
    let (changes, flowchart) = flowchart.expect("a flowchart");
    assert!(changes.contains("build: command"), "{output}");
    assert!(
        flowchart.contains("review (changed)") && flowchart.ends_with("\n```\n\n</details>\n"),
        "{output}"
    );
}

#[test]
fn markdown_is_safe_in_a_comment() {
    let project = Project::with("old.dot", OLD);
    let text = new()
        .replace("make all install", "make `all` <b> && @everyone")
        .replace(
            "for bugs\"",
            "for bugs</pre><script>\", allowed_tools=\"a|b\"",
        );
    project.write("new.dot", text);
    let arguments = ["diff", "old.dot", "new.dot", "--format", "markdown"];
    let output = project.run(arguments).expect_code(0);
    expect![[r#"
        ### `new.dot`

        was `old.dot`

        #### pipeline release

        **What it may do**

        - `~` build: command
          <pre>
          make <del>all</del><ins>`all` &lt;b&gt; &amp;&amp; @everyone</ins>
          </pre>
        - `+` review: allowed\_tools `a|b`
        - `~` build: timeout `5m` → `10m`

        **Nodes**

        - `~` review: prompt
          <pre>
          Review the <ins>whole </ins>diff for <del>bugs</del><ins>bugs&lt;/pre&gt;&lt;script&gt;</ins>
          </pre>
    "#]]
    .assert_eq(&output.stdout);
}
