//! Commands that print what exists: `replay`, `config`, `man`; and that all of it is documented.

use attractor_tests::Project;
use expect_test::expect;

const CHOICE: &str = r#"digraph choice {
  start [shape=Mdiamond]
  test [shape=parallelogram, command="exit 3"]
  fix [shape=parallelogram, command="echo fixed"]
  done [shape=Msquare]
  start -> test
  test -> done [condition="outcome=success"]
  test -> fix [condition="exit_code=3"]
  fix -> done
}"#;

#[test]
fn replay_prints_routing_reasons() {
    let project = Project::with("choice.dot", CHOICE);
    project.run(["run", "choice.dot"]).expect_code(0);
    let list = project.run(["runs", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("a run");
    let output = project.run(["replay", run]).expect_code(0);
    assert!(output.stdout.contains("exit_code=3"), "{output}");
    assert!(output.stdout.contains("fixed"), "{output}");
    let paced = project
        .run(["replay", run, "--speed", "1000x"])
        .expect_code(0);
    assert_eq!(paced.stdout, output.stdout);
    project.run(["replay", run, "--speed", "0"]).expect_code(2);
    project.run(["replay", "NOPE"]).expect_code(2);
}

#[test]
fn config_prints_sources() {
    let project = Project::with(
        ".attractor/config.toml",
        "dialect = 'kilroy'\n[lints]\ncycle = 'allow'\nreachability = 'loud'\n",
    );
    project.write(
        ".config/attractor/config.toml",
        "[lints]\ncycle = 'error'\nprompt_missing = 'error'\n",
    );
    // A problem in a file fails the command; the values are printed all the same.
    let output = project.run(["config", "--format", "json"]).expect_code(1);
    let config = output.json();
    let value = |key: &str| {
        let rows = config["values"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["key"] == key).expect(key);
        let from = row["from"].as_str().map_or("default", |path| {
            let path = path.strip_prefix(project.path().to_str().expect("UTF-8"));
            path.unwrap_or("elsewhere")
        });
        format!("{} from {from}", row["value"])
    };
    expect![[r#"
        "kilroy" from /.attractor/config.toml
        "allow" from /.attractor/config.toml
        "error" from /.config/attractor/config.toml
        [] from default"#]]
    .assert_eq(
        &[
            "dialect",
            "lints.cycle",
            "lints.prompt_missing",
            "pipelines.globs",
        ]
        .map(value)
        .join("\n"),
    );
    let problems = config["files"][0]["problems"].to_string();
    assert!(problems.contains("loud"), "{problems}");
    let output = project.run(["config"]).expect_code(1);
    assert!(output.stdout.contains("lints.cycle"), "{output}");
    assert!(output.stderr.contains("loud"), "{output}");
    // What is shown is what is done, once the error is fixed.
    project.write(
        ".attractor/config.toml",
        "dialect = 'kilroy'\n[lints]\ncycle = 'allow'\n",
    );
    project.write("p.dot", "digraph p { start [shape=Mdiamond]; a [label=\"\"]; done [shape=Msquare]; start -> a -> done }");
    let output = project.run(["validate", "p.dot"]).expect_code(1);
    assert!(format!("{output}").contains("error"), "{output}");
}

#[test]
fn every_command_has_a_manual_page() {
    let project = Project::new();
    let output = project.run(["man"]).expect_code(0);
    assert!(output.stdout.contains(".TH attractor 1"), "{output}");
    project.run(["man", "pages"]).expect_code(0);
    let run = project.read("pages/attractor-run.1");
    assert!(run.contains("auto\\-approve"), "{run}");
    assert!(project.file("pages/attractor-runs-prune.1").exists());
}

/// The names in backticks of the row that begins with these commands.
fn documented(row: &str) -> Vec<String> {
    let page = attractor_tests::repository().join("docs/command-line.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let begins = |line: &&str| line.starts_with(&format!("| {row} |"));
    let line = page.lines().find(begins).expect(row);
    let names = line.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

#[test]
fn json_fields_are_documented() {
    let project = Project::with("choice.dot", CHOICE);
    let run = ["run", "choice.dot", "--format", "json"];
    let report = project.run(run).expect_code(0).json();
    let list = project.run(["runs", "--format", "json"]).json();
    let first = list["runs"][0].clone();
    let id = first["run"].as_str().expect("an id");
    let shown = project.run(["runs", "show", id, "--format", "json"]).json();
    for (row, value) in [
        ("`run`, `resume`", &report),
        ("`runs`", &first),
        ("`runs show`", &shown),
    ] {
        let documented = documented(row);
        for key in value.as_object().expect("an object").keys() {
            assert!(documented.contains(key), "{row} does not document `{key}`");
        }
    }
}

#[test]
fn every_command_is_documented() {
    let help = Project::new().run(["help"]).expect_code(0).stdout;
    let page = attractor_tests::repository().join("docs/command-line.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let commands = help
        .lines()
        .skip(3)
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help");
    let mut seen = 0;
    for command in commands {
        let names = [format!("`{command}`"), format!("`{command} ")];
        assert!(names.iter().any(|name| page.contains(name)), "{command}");
        seen += 1;
    }
    assert!(seen > 12, "{help}");
}

#[test]
fn a_value_that_is_kept_as_an_artifact_is_printed_whole() {
    let project = Project::with(
        "a.dot",
        r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]
          big [command="head -c 200000 /dev/zero | tr '\\0' x", output_key="big"]; s -> big -> e }"#,
    );
    project.run(["run", "a.dot"]).expect_code(0);
    let show = |key: &str| project.run(["runs", "show", "--artifact", key]);
    let whole = "x".repeat(200_000);
    assert_eq!(show("big").expect_code(0).stdout, whole);
    assert_eq!(show("graph.goal").code, Some(2));
    assert_eq!(show("exit_code").expect_code(0).stdout, "0\n");
    let unknown = show("bigg").expect_code(2).stderr;
    assert!(
        unknown.contains("has no key `bigg`; did you mean `big`?"),
        "{unknown}"
    );
}

#[test]
fn runs_are_filtered() {
    let project = Project::with("choice.dot", CHOICE);
    project.run(["run", "choice.dot"]).expect_code(0);
    project.write(
        "broken.dot",
        "digraph broken { a [shape=Mdiamond] b [shape=parallelogram, command=false] c [shape=Msquare] a -> b -> c }",
    );
    project.run(["run", "broken.dot"]).expect_code(1);
    let pipelines = |filters: &[&str]| {
        let options = ["runs", "--format", "json"].iter().chain(filters);
        let list = project.run(options).json();
        let runs = list["runs"].as_array().expect("runs");
        let names = runs
            .iter()
            .map(|run| run["pipeline"].as_str().expect("a name"));
        names.map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    let rows = [
        &["--state", "fail"][..],
        &["--state", "fail", "--state", "success"],
        &["--since", "1h", "--grep", "CHOICE"],
        &["--since", "2999-01-01"],
        &["--min-cost", "0.01"],
    ]
    .map(|filters| format!("{}: {}", filters.join(" "), pipelines(filters)));
    expect![[r#"
        --state fail: broken
        --state fail --state success: broken choice
        --since 1h --grep CHOICE: choice
        --since 2999-01-01: 
        --min-cost 0.01: "#]]
    .assert_eq(&rows.join("\n"));
    let none = project.run(["runs", "--min-cost", "1"]).expect_code(0);
    assert_eq!(none.stdout, "none of 2 runs matches\n");
    project.run(["runs", "--since", "soon"]).expect_code(2);
}
