//! Invalid and unusual files. Each gets a clear message; none causes a panic or takes long.

use attractor_tests::Project;
use expect_test::expect;

/// What every command that reads a pipeline prints about a file: the last line of standard error, or of
/// standard output where that is where findings go.
fn last_line(content: impl AsRef<[u8]>, command: &str) -> String {
    let ended = Project::with("odd.dot", content).run([command, "odd.dot"]);
    assert!(matches!(ended.code, Some(1 | 2)), "{ended}");
    let all = format!("{}{}", ended.stdout, ended.stderr);
    all.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn empty_file() {
    let project = Project::with("odd.dot", "");
    let ended = project.run(["validate", "odd.dot"]);
    expect![[r#"
        exit code Some(2)
        --- stdout

        --- stderr
        error: no pipeline in odd.dot; a pipeline is a digraph with a start node or a `goal`
    "#]]
    .assert_eq(&ended.to_string());
    expect!["error: no pipeline in odd.dot; a pipeline is a digraph with a start node or a `goal`"]
        .assert_eq(&last_line("", "run"));
}

#[test]
fn invalid_utf8_is_reported() {
    let garbage: Vec<u8> = (0..=255).cycle().take(4096).collect();
    for command in ["validate", "run", "graph", "fmt"] {
        let line = last_line(&garbage, command);
        assert!(
            line.starts_with("error: odd.dot is not a text file"),
            "{line}"
        );
        let line = last_line(b"digraph g {\n\x80 }", command);
        assert!(
            line.starts_with("error: odd.dot: invalid UTF-8 (byte 0x80 on line 2)"),
            "{line}"
        );
    }
}

#[test]
fn files_without_a_pipeline_are_wrong_usage_for_validate() {
    for text in ["", "// only a comment\n", "# Title\n"] {
        let project = Project::with("odd.dot", text);
        let ended = project.run(["validate", "odd.dot"]).expect_code(2);
        assert!(ended.stderr.contains("no pipeline in odd.dot"), "{ended}");
    }
    // Any graph may be there: hooks name every file that has changed.
    let project = Project::with("plain.dot", "digraph { a -> b }");
    project.run(["validate", "plain.dot"]).expect_code(0);
}

#[test]
fn files_that_cannot_be_read_are_in_the_output_for_machines() {
    let project = Project::with("binary.dot", b"\x7fELF\0\0\xff\xfe");
    let message = "binary.dot is not a text file; expected a DOT file in UTF-8";
    let validate = |format: &str| {
        let arguments = ["validate", "binary.dot", "--format", format];
        project.run(arguments).expect_code(1)
    };
    let json = validate("json").json();
    assert_eq!(json["files"][0]["path"], "binary.dot");
    assert_eq!(json["files"][0]["diagnostics"][0]["message"], message);
    let sarif = validate("sarif").json();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["message"]["text"], message);
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "binary.dot");
    let github = validate("github");
    assert!(
        github.stdout.starts_with("::error file=binary.dot,"),
        "{github}"
    );
    for (file, code) in [("binary.dot", 1), ("missing.dot", 2)] {
        let run = project.run(["run", file, "--format", "json"]);
        let report = run.expect_code(code).json();
        assert_eq!(report["status"], "invalid");
        assert_eq!(report["diagnostics"][0]["path"], file);
    }
}

#[test]
fn options_that_cannot_be_met_are_refused_before_the_run() {
    let project = Project::with(
        "gate.dot",
        "digraph gate { start [shape=Mdiamond]; first [shape=parallelogram, command=\"touch ran\"]
         review [shape=hexagon]; done [shape=Msquare]; start -> first -> review
         review -> done [label=Approve]; review -> first [label=Revise] }",
    );
    for (option, message) in [
        (
            ["--report", "junit=/nope/j.xml"],
            "error: could not write /nope/j.xml (--report): there is no folder /nope\n",
        ),
        (
            ["--answer", "review=Zed"],
            "error: `Zed` in --answer is not a choice of `review`; expected Approve, Revise\n",
        ),
    ] {
        let arguments = ["run", "gate.dot"].into_iter().chain(option);
        let ended = project.run(arguments).expect_code(2);
        assert_eq!(ended.stderr, message, "{ended}");
        assert!(!project.file("ran").exists());
    }
}

#[test]
fn text_that_is_not_a_graph() {
    for command in ["validate", "run"] {
        let line = last_line("It was a dark and stormy night.\n", command);
        assert_eq!(line, "odd.dot: 1 error", "{command}");
    }
}

#[test]
fn hundred_thousand_braces() {
    let text = format!("digraph g {}", "{".repeat(100_000));
    let line = last_line(text, "validate");
    expect!["odd.dot: 1 error"].assert_eq(&line);
}

#[test]
fn hundred_thousand_errors() {
    let text = format!("digraph g {{ {} }}", "a -> ; ".repeat(100_000));
    let ended = Project::with("odd.dot", text)
        .run(["validate", "odd.dot"])
        .expect_code(1);
    expect!["odd.dot: 1001 errors"].assert_eq(ended.stdout.lines().last().unwrap_or_default());
    assert!(
        ended.stdout.len() < 100_000,
        "{} bytes are printed",
        ended.stdout.len()
    );
}

#[test]
fn ten_megabytes() {
    let line = |number: u32| {
        let next = number + 1;
        format!("n{number} [label=\"Node number {number}\", color=blue]; n{number} -> n{next};\n")
    };
    let nodes = (0..170_000).map(line).collect::<Vec<_>>().concat();
    assert!(nodes.len() > 10_000_000, "{}", nodes.len());
    let project = Project::with("large.dot", format!("digraph large {{\n{nodes}}}\n"));
    let ended = project.run(["validate", "large.dot"]).expect_code(0);
    expect!["large.dot: no problems found\n"].assert_eq(&ended.stdout);
}

#[test]
fn ten_megabyte_line_with_an_error_at_its_end() {
    let text = format!("digraph large {{ {} a -> }}", "n; ".repeat(3_500_000));
    let ended = Project::with("large.dot", text)
        .run(["validate", "large.dot"])
        .expect_code(1);
    assert!(
        ended.stdout.len() < 10_000,
        "{} bytes are printed",
        ended.stdout.len()
    );
}

#[test]
fn messages_escape_control_characters() {
    let text = "digraph g { start [shape=Mdiamond]; a [type=\"\u{1b}[2Jtool\"]; start -> a }";
    let ended = Project::with("odd.dot", text)
        .run(["validate", "odd.dot"])
        .expect_code(1);
    assert!(!ended.stdout.contains('\u{1b}'), "{:?}", ended.stdout);
}

#[test]
fn closed_stdout_is_not_an_error() {
    let project = Project::with("a.dot", "digraph { a -> b }");
    let mut command = project.command(["lints"]);
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
