//! The end of a run for people and for continuous integration, and where runs are kept.

use std::process::Command;

use attractor_tests::Project;
use expect_test::expect;

const FAILS: &str = r#"digraph release {
  start [shape=Mdiamond]
  notes [shape=parallelogram, command="echo 'notes <written> & read'"]
  test  [shape=parallelogram, command="
    echo 3 of 4 passed
    exit 3
  "]
  fin   [shape=Msquare]
  start -> notes -> test -> fin
}"#;

/// Text without ids and times.
fn steady(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n', '/', '"']).map(|word| {
        let bare = word.trim_end_matches([' ', '\n', '/', '"']);
        let is_id = bare.len() == 26 && bare.starts_with("01");
        word.replace(bare, if is_id { "RUN" } else { bare })
    });
    let text = words.collect::<String>();
    let lines = text.lines().map(|line| match line.rsplit_once(" in ") {
        Some((before, _)) if line.contains("steps") => format!("{before} in TIME"),
        _ => line.trim_end().to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The lines after the last empty one.
fn closing(text: &str) -> String {
    let text = text.trim_end();
    steady(text.rsplit("\n\n").next().unwrap_or_default())
}

#[test]
fn summary_has_three_lines() {
    let project = Project::with("release.dot", FAILS);
    let ended = project.run(["run", "release.dot"]).expect_code(1);
    expect![[r#"
        ✗ release failed · 3 steps in TIME
          test: exit code 3: 3 of 4 passed
          log: .attractor/runs/RUN/test/1-1 · to resume: attractor resume RUN"#]]
    .assert_eq(&closing(&ended.stdout));
    project.write("release.dot", FAILS.replace("exit 3", "exit 0"));
    let ended = project.run(["run", "release.dot"]).expect_code(0);
    expect![[r#"
        ✓ release success · 4 steps in TIME
          test: 3 of 4 passed
          log: .attractor/runs/RUN"#]]
    .assert_eq(&closing(&ended.stdout));
    assert!(!ended.stdout.contains("tool.exit_code"), "{ended}");
    let ended = project.run(["run", "release.dot", "-v"]).expect_code(0);
    assert!(ended.stdout.contains("tool.exit_code"), "{ended}");
}

#[test]
fn quiet_prints_only_failures() {
    let project = Project::with("release.dot", FAILS);
    let ended = project.run(["run", "release.dot", "-q"]).expect_code(1);
    assert_eq!(ended.stdout, "");
    assert_eq!(
        ended.stderr,
        "✗ release failed: test: exit code 3: 3 of 4 passed\n"
    );
    project.write("release.dot", FAILS.replace("exit 3", "exit 0"));
    let ended = project.run(["run", "release.dot", "-q"]).expect_code(0);
    assert_eq!((&*ended.stdout, &*ended.stderr), ("", ""));
}

#[test]
fn quiet_prints_errors_without_lints() {
    let broken = FAILS.replace(
        "fin   [shape=Msquare]",
        "fin   [shape=Msquare]\n  lone [shape=parallelogram]",
    );
    let project = Project::with("release.dot", broken);
    let loud = project.run(["run", "release.dot"]).expect_code(1);
    assert!(loud.stderr.contains("warning["), "{loud}");
    let quiet = project.run(["run", "release.dot", "-q"]).expect_code(1);
    assert!(quiet.stderr.contains("error["), "{quiet}");
    assert!(!quiet.stderr.contains("warning["), "{quiet}");
    let output = project
        .run(["run", "release.dot", "-q", "--format", "json"])
        .expect_code(1);
    assert!(output.stdout.contains("warning"), "{output}");
}

#[test]
fn a_shown_run_has_results_time_and_the_next_step() {
    let project = Project::with("release.dot", FAILS);
    project.run(["run", "release.dot"]).expect_code(1);
    let shown = project.run(["runs", "show"]).expect_code(0).stdout;
    let mut lines = shown.lines();
    let heading = lines.next().unwrap_or_default();
    assert!(
        heading.starts_with("release · fail · 3 steps in "),
        "{shown}"
    );
    let path = lines.next().unwrap_or_default();
    assert_eq!(path, "path: start → notes → test (3 of 4 nodes done)");
    let row = |node: &str| {
        let row = shown.lines().find(|line| line.starts_with(node));
        row.expect(node).split_whitespace().collect::<Vec<_>>()
    };
    let test = row("test ");
    assert_eq!(test[..3], ["test", "fail", "1"], "{shown}");
    assert!(["ms", "s"].contains(&test[4]), "{shown}");
    assert_eq!(row("NODE"), ["NODE", "STATE", "VISITS", "TIME", "SUMMARY"]);
    let json = project.run(["runs", "show", "--format", "json"]).json();
    let run = json["run"].as_str().expect("an id");
    let end = format!("log: .attractor/runs/{run}\nnext: attractor resume {run}\n");
    assert!(shown.ends_with(&end), "{shown}");
    assert_eq!(json["next"], format!("attractor resume {run}"));
    assert!(json["duration_ms"].is_u64(), "{json}");
    assert!(json["nodes"]["test"]["duration_ms"].is_u64(), "{json}");
    project.write("release.dot", FAILS.replace("exit 3", "exit 0"));
    project.run(["run", "release.dot"]).expect_code(0);
    let shown = project.run(["runs", "show"]).expect_code(0).stdout;
    assert!(!shown.contains("next:"), "{shown}");
}

#[test]
fn a_resumed_run_begins_with_where_and_how_real_it_is() {
    let dot = FAILS.replace("exit 3", "test -e ready || exit 3");
    let project = Project::with("release.dot", dot);
    project.run(["run", "release.dot"]).expect_code(1);
    project.write("ready", "");
    let resumed = project.run(["resume"]).expect_code(0);
    let first = resumed.stdout.lines().next();
    assert_eq!(first, Some("release · resumed at test · real"), "{resumed}");
    // What it failed of before is over.
    let shown = project.run(["runs", "show"]).expect_code(0).stdout;
    assert!(!shown.contains("exit code 3"), "{shown}");
}

#[test]
fn options_of_doctor_are_its_own() {
    let project = Project::with("release.dot", FAILS);
    let help = project.run(["doctor", "--help"]).expect_code(0).stdout;
    for option in [
        "--model",
        "--provider",
        "--stylesheet",
        "--offline",
        "--format",
    ] {
        assert!(help.contains(option), "{help}");
    }
    for option in ["--answer", "--max-steps", "--record", "--report", "--quiet"] {
        assert!(!help.contains(option), "{help}");
    }
    project
        .run(["doctor", "--offline", "release.dot"])
        .expect_code(0);
    project
        .run(["run", "release.dot", "--preflight"])
        .expect_code(1);
}

#[test]
fn dry_run_prints_each_step() {
    let project = Project::with("release.dot", FAILS);
    let ended = project
        .run(["run", "release.dot", "--dry-run"])
        .expect_code(0);
    assert!(
        ended.stdout.contains("Dry run: nothing is executed."),
        "{ended}"
    );
    assert!(
        ended.stdout.contains("would run: echo 3 of 4 passed …"),
        "{ended}"
    );
    let ended = project.run(["run", "release.dot"]).expect_code(1);
    assert!(
        !ended.stdout.contains("imulated"),
        "there is no model: {ended}"
    );
    project.write("model.dot", "digraph m { start [shape=Mdiamond]; a [prompt=\"Say hi\"]; fin [shape=Msquare]; start -> a -> fin }");
    let ended = project.run(["run", "model.dot"]).expect_code(0);
    assert!(
        ended
            .stdout
            .contains("Models are simulated; everything else is real."),
        "{ended}"
    );
    let ended = project.run(["replay"]).expect_code(0);
    assert!(ended.stdout.contains("Models are simulated"), "{ended}");
}

#[test]
fn failures_appear_in_github_and_junit_output() {
    let project = Project::with("release.dot", FAILS);
    let arguments = [
        "run",
        "release.dot",
        "--format",
        "github",
        "--report",
        "junit=report.xml",
    ];
    let ended = project.run(arguments).expect_code(1);
    let annotation = ended.stdout.lines().find(|line| line.starts_with("::"));
    expect!["::error file=release.dot,line=4,title=test::exit code 3: 3 of 4 passed"]
        .assert_eq(annotation.unwrap_or_default());
    let report = project.read("report.xml");
    let mut times = report.split("time=\"");
    let mut text = times.next().unwrap_or_default().to_owned();
    for part in times {
        text += "time=\"";
        text += &part[part.find('"').unwrap_or(0)..];
    }
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="4" failures="1" errors="0" skipped="1" time="">
          <testsuite name="release" tests="4" failures="1" errors="0" skipped="1" time="">
            <properties>
              <property name="state" value="fail"/>
              <property name="reality" value="real"/>
            </properties>
            <testcase name="start" classname="release" time=""/>
            <testcase name="notes" classname="release" time=""/>
            <testcase name="test" classname="release" time=""><failure message="exit code 3: 3 of 4 passed"/></testcase>
            <testcase name="fin" classname="release" time=""><skipped/></testcase>
            <system-err>exit code 3: 3 of 4 passed</system-err>
          </testsuite>
        </testsuites>
    "#]].assert_eq(&text);
}

/// Test cases, failures, errors and skipped ones of a report, by its attributes and by its elements.
fn counts(report: &str) -> [[usize; 4]; 2] {
    let head = report.lines().find(|line| line.starts_with("<testsuites"));
    let attributes = ["tests", "failures", "errors", "skipped"].map(|name| {
        let (_, rest) = head?.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()?.parse().ok()
    });
    let elements = ["<testcase ", "<failure", "<error", "<skipped"];
    [
        attributes.map(|number: Option<usize>| number.expect("a number")),
        elements.map(|name| report.matches(name).count()),
    ]
}

#[test]
fn a_junit_report_is_red_exactly_where_the_run_failed() {
    let with = |test: &str, edges: &str| {
        format!(
            "digraph p {{ start [shape=Mdiamond]; test [shape=parallelogram, command=\"{test}\"]
             fix [shape=parallelogram, command=true]; done [shape=Msquare]; start -> test; fix -> done; {edges} }}"
        )
    };
    let handled = with(
        "exit 3",
        "test -> done [condition=\"outcome=success\"]; test -> fix [condition=\"outcome=fail\"]",
    );
    let no_way_on = with("true", "test -> fix [condition=\"outcome=fail\"]");
    for (text, code, expected, part) in [
        (
            handled,
            0,
            [4, 0, 0, 0],
            "<system-out>failed (exit code 3), handled by fix</system-out>",
        ),
        (no_way_on, 1, [4, 0, 1, 2], "<testcase name=\"test\""),
    ] {
        let project = Project::with("p.dot", text);
        let arguments = ["run", "p.dot", "--report", "junit=report.xml"];
        project.run(arguments).expect_code(code);
        let report = project.read("report.xml");
        let [attributes, elements] = counts(&report);
        assert_eq!(attributes, elements, "{report}");
        assert_eq!(attributes, expected, "{report}");
        assert!(report.contains(part), "{report}");
    }
}

#[test]
fn the_log_is_that_of_the_node_the_run_failed_at() {
    // `probe` fails and is handled; `test` has no way on.
    let project = Project::with(
        "p.dot",
        "digraph p { start [shape=Mdiamond]; probe [shape=parallelogram, command=\"exit 3\"]
         test [shape=parallelogram, command=\"echo here\"]; done [shape=Msquare]; start -> probe
         probe -> test [condition=\"outcome=fail\"]; probe -> done [condition=\"outcome=success\"]
         test -> done [condition=\"outcome=fail\"] }",
    );
    let ended = project.run(["run", "p.dot"]).expect_code(1);
    let log = closing(&ended.stdout);
    assert!(log.contains("log: .attractor/runs/RUN/test/1-1"), "{log}");
}

#[test]
fn runs_are_stored_at_the_project_root() {
    let project = Project::new();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(project.path())
            .output();
        String::from_utf8_lossy(&output.expect("git").stdout).into_owned()
    };
    git(&["init", "--quiet", "."]);
    // The home folder of these tests is in the project.
    project.write(".git/info/exclude", ".local/\n");
    project.write("flows/release.dot", FAILS);
    project.run(["run", "flows/release.dot"]).expect_code(1);
    let list = project
        .run(["runs", "--format", "json"])
        .expect_code(0)
        .json();
    let id = list["runs"][0]["run"].as_str().expect("a run");
    assert!(project.file(&format!(".attractor/runs/{id}")).is_dir());
    assert_eq!(git(&["status", "--porcelain"]), "?? flows/\n");
    // From everywhere in it; the newest one needs no name.
    let mut command = project.command(["runs", "show"]);
    command.current_dir(project.file("flows"));
    let output = command.output().expect("the program starts");
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("release"),
        "{output:?}"
    );
    let shown = project.run(["runs"]).expect_code(0);
    assert!(shown.stdout.contains("just now"), "{shown}");
    project.write("flows/release.dot", FAILS.replace("exit 3", "exit 0"));
    project.run(["resume", "--accept-changes"]).expect_code(0);
    let ended = project.run(["resume"]).expect_code(2);
    assert_eq!(ended.stderr, "error: no resumable run in .attractor/runs\n");
}

#[test]
fn runs_without_a_project_are_stored_next_to_the_pipeline() {
    let project = Project::with("flows/release.dot", FAILS);
    let ended = project.run(["run", "flows/release.dot"]).expect_code(1);
    assert!(
        ended
            .stdout
            .contains("attractor resume flows/.attractor/runs/01"),
        "{ended}"
    );
    assert!(project.file("flows/.attractor/runs").is_dir());
    assert!(!project.file(".attractor").exists());
}

#[test]
fn shell_completes_runs_templates_rules_and_nodes() {
    let project = Project::with("release.dot", FAILS);
    project.run(["run", "release.dot"]).expect_code(1);
    let list = project.run(["runs", "--format", "json"]).json();
    let id = list["runs"][0]["run"].as_str().expect("a run");
    let complete = |words: &[&str]| {
        let mut command = project.command(["--"]);
        command.args(words).env("ATTRACTOR_COMPLETE", "bash");
        command.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
        command
            .env("_CLAP_COMPLETE_COMP_TYPE", "9")
            .env("_CLAP_COMPLETE_SPACE", "true")
            .env("_CLAP_IFS", "\n");
        let output = command.output().expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (words, wanted) in [
        (&["attractor", "resume", ""][..], id),
        (&["attractor", "runs", "show", &id[..5]], id),
        (&["attractor", "new", "bug"], "bugfix_workflow"),
        (&["attractor", "explain", "unknown_h"], "unknown_handler"),
        (
            &["attractor", "run", "release.dot", "--from", "no"],
            "notes",
        ),
    ] {
        let offered = complete(words);
        assert!(
            offered.lines().any(|line| line == wanted),
            "{words:?}: {offered}"
        );
    }
    let script = project.run(["completions", "bash"]).expect_code(0).stdout;
    assert!(script.contains("ATTRACTOR_COMPLETE"), "{script}");
}

/// One branch fails, and the run continues.
const FAILING_BRANCH: &str = r#"digraph release {
  start [shape=Mdiamond]
  fork  [shape=component, error_policy=continue]
  a     [shape=parallelogram, command="true"]
  b     [shape=parallelogram, command="false"]
  join  [shape=tripleoctagon]
  fin   [shape=Msquare]
  start -> fork -> {a b} -> join -> fin
}"#;

#[test]
fn a_branch_that_failed_is_in_the_summary_of_a_success() {
    let project = Project::with("release.dot", FAILING_BRANCH);
    let run = project.run(["run", "release.dot"]).expect_code(0);
    let is_heading = |line: &&str| line.starts_with("✓ release success");
    let heading = run.stdout.lines().find(is_heading);
    let is_named = heading.is_some_and(|line| line.ends_with(" · 1 branch failed (b)"));
    assert!(is_named, "{run}");
    let quiet = project.run(["run", "-q", "release.dot"]).expect_code(0);
    assert_eq!(quiet.stderr, "! release success, 1 branch failed (b)\n");
}
