//! Names in options that nothing has, programs that are missing, and files that cannot be read: said, and never green.

use attractor_tests::Project;

const LEVELS: &str = "digraph levels {
  vars=\"level=3, branch\"
  start [shape=Mdiamond]
  check [shape=parallelogram, command=\"echo {level} {branch} {topic:-none}\"]
  gate [shape=hexagon, prompt=\"Continue?\"]
  done [shape=Msquare]
  start -> check -> gate
  gate -> done [label=\"[Y] Yes\"]
  gate -> check [label=\"[N] No\"]
}
";

#[test]
fn misspelt_names_in_options_are_errors_with_a_guess() {
    let project = Project::with("levels.dot", LEVELS);
    let run = ["run", "levels.dot", "--auto-approve", "--input", "branch=x"];
    for (options, message) in [
        (
            &["--dry-run", "--outcome", "chekc=fail"][..],
            "unknown node `chekc` in --outcome; did you mean `check`?",
        ),
        (
            &["--dry-run", "--outcome", "check=fial"],
            "unknown status `fial` in --outcome; did you mean `fail`?",
        ),
        (
            &["--input", "levl=4"],
            "unknown input `levl` in --input; did you mean `level`?",
        ),
        (
            &["--input", "brnach=x"],
            "unknown input `brnach` in --input; did you mean `branch`?",
        ),
        (
            &["--input", "topc=x"],
            "unknown input `topc` in --input; did you mean `topic`?",
        ),
    ] {
        let output = project.run(run.iter().chain(options));
        assert_eq!(output.code, Some(2), "{output}");
        assert!(output.stderr.contains(message), "{output}");
    }
    let run = ["run", "levels.dot", "--input", "branch=x"];
    let output = project.run(run.iter().chain(&["--answer", "nosuch=yes"]));
    assert_eq!(output.code, Some(2), "{output}");
    assert!(
        output.stderr.contains("unknown node `nosuch` in --answer"),
        "{output}"
    );
    assert!(!project.file(".attractor").exists(), "nothing has started");
    project
        .run(
            run.iter()
                .chain(&["--answer", "gate=Yes", "--input", "topic=x"]),
        )
        .expect_code(0);
}

#[test]
fn files_that_cannot_be_read_fail() {
    let project = Project::with("broken.dot", "digraph { a [label=\"x ; b }\n");
    for arguments in [
        &["fmt", "--check", "broken.dot"][..],
        &["fmt", "broken.dot"],
    ] {
        let output = project.run(arguments);
        assert_eq!(output.code, Some(1), "{output}");
        assert!(output.stderr.contains("error: broken.dot:1:"), "{output}");
    }
    let project = Project::with(".attractor/config.toml", "[agent\n");
    for arguments in [&["config"][..], &["config", "--format", "json"]] {
        let output = project.run(arguments);
        assert_eq!(output.code, Some(1), "{output}");
    }
}

#[test]
fn programs_of_commands_are_looked_for() {
    let project = Project::with(
        "p.dot",
        "digraph {
  start [shape=Mdiamond]
  a [shape=parallelogram, command=\"A=1 nosuch-program --version | cat\"]
  b [shape=parallelogram, command=\"cd . && other-program; build() { true; }; build; test -e x || echo no\"]
  done [shape=Msquare]
  start -> a -> b -> done
}
",
    );
    let checked = project.run(["doctor", "p.dot", "--offline"]).expect_code(1);
    for program in ["nosuch-program", "other-program"] {
        let line = format!("`{program}` is not on PATH");
        assert!(checked.stdout.contains(&line), "{checked}");
    }
    assert!(!checked.stdout.contains("build"), "{checked}");
    let refused = project.run(["run", "p.dot", "--preflight"]);
    assert_eq!(refused.code, Some(1), "{refused}");
}

#[test]
fn a_digraph_that_is_named_to_be_run_is_a_pipeline() {
    let project = Project::with("bare.dot", "digraph { start -> work -> end }\n");
    let run = project.run(["run", "bare.dot", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(run.json()["path"][1], "work");
    let checked = project.run(["validate", "bare.dot", "--notes"]);
    assert!(checked.stdout.contains("implicit_node"), "{checked}");
    // In a folder it is a drawing.
    let folder = project.run(["validate", ".", "--notes"]).expect_code(0);
    assert!(!folder.stdout.contains("implicit_node"), "{folder}");
}
