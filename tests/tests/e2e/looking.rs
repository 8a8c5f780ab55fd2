//! Looking at what was and what counts: `replay`, `config`, `man`.

use attractor_tests::Project;
use expect_test::expect;

const CHOICE: &str = r#"digraph choice {
  start [shape=Mdiamond]
  test [shape=parallelogram, command="exit 3"]
  mend [shape=parallelogram, command="echo mended"]
  done [shape=Msquare]
  start -> test
  test -> done [condition="outcome=success"]
  test -> mend [condition="exit_code=3"]
  mend -> done
}"#;

#[test]
fn a_run_is_replayed_with_why_each_way_was_taken() {
    let project = Project::with("choice.dot", CHOICE);
    project.run(["run", "choice.dot"]).expect_code(0);
    let list = project.run(["runs", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("a run");
    let ended = project.run(["replay", run]).expect_code(0);
    assert!(ended.stdout.contains("exit_code=3"), "{ended}");
    assert!(ended.stdout.contains("mended"), "{ended}");
    let paced = project
        .run(["replay", run, "--speed", "1000x"])
        .expect_code(0);
    assert_eq!(paced.stdout, ended.stdout);
    project.run(["replay", run, "--speed", "0"]).expect_code(2);
    project.run(["replay", "NOPE"]).expect_code(2);
}

#[test]
fn the_configuration_says_where_each_value_comes_from() {
    let project = Project::with(
        ".attractor/config.toml",
        "dialect = 'kilroy'\n[lints]\ncycle = 'allow'\nreachability = 'loud'\n",
    );
    project.write(
        ".config/attractor/config.toml",
        "[lints]\ncycle = 'error'\nprompt_missing = 'error'\n",
    );
    let ended = project.run(["config", "--format", "json"]).expect_code(0);
    let told = ended.json();
    let value = |key: &str| {
        let rows = told["values"].as_array().expect("rows");
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
    let problems = told["files"][0]["problems"].to_string();
    assert!(problems.contains("loud"), "{problems}");
    let ended = project.run(["config"]).expect_code(0);
    assert!(ended.stdout.contains("lints.cycle"), "{ended}");
    assert!(ended.stderr.contains("loud"), "{ended}");
    // What is shown is what is done, once the mistake is gone.
    project.write(
        ".attractor/config.toml",
        "dialect = 'kilroy'\n[lints]\ncycle = 'allow'\n",
    );
    project.write("p.dot", "digraph p { start [shape=Mdiamond]; a [label=\"\"]; done [shape=Msquare]; start -> a -> done }");
    let ended = project.run(["validate", "p.dot"]).expect_code(1);
    assert!(format!("{ended}").contains("error"), "{ended}");
}

#[test]
fn every_command_has_a_manual_page() {
    let project = Project::new();
    let ended = project.run(["man"]).expect_code(0);
    assert!(ended.stdout.contains(".TH attractor 1"), "{ended}");
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
fn the_fields_of_json_are_documented() {
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
            assert!(documented.contains(key), "{row} does not tell of `{key}`");
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
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help");
    let mut seen = 0;
    for command in commands {
        let told = [format!("`{command}`"), format!("`{command} ")];
        assert!(told.iter().any(|name| page.contains(name)), "{command}");
        seen += 1;
    }
    assert!(seen > 12, "{help}");
}
