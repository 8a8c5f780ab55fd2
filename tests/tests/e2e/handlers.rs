//! Handlers of the configuration: declared, checked, run; and configurations that cannot be used.

use attractor_tests::{Project, repository};
use expect_test::expect;

const FLOW: &str = r#"digraph flow {
  vars="version=1.2"
  start [shape=Mdiamond]
  roll_out [handler=deploy, image="shop:{version}", replicas=3]
  tell [shape=parallelogram, command="echo at {deploy.url}"]
  done [shape=Msquare]
  start -> roll_out -> tell -> done
}
"#;

/// The fenced block of the documentation in a language.
fn documented(language: &str) -> String {
    let page = std::fs::read_to_string(repository().join("docs/handlers.md")).expect("the page");
    let begin = format!("```{language}\n");
    let (_, rest) = page.split_once(&begin).expect("a block");
    rest.split_once("\n```").expect("its end").0.to_owned()
}

fn project() -> Project {
    let project = Project::with("flow.dot", FLOW);
    project.write(".attractor/config.toml", documented("toml"));
    project.write("deploy.py", documented("python"));
    project
}

#[test]
fn the_documented_handler_runs() {
    let project = project();
    let ended = project
        .run(["run", "flow.dot", "--format", "json"])
        .expect_code(0);
    let report = ended.json();
    assert_eq!(report["status"], "success");
    assert_eq!(
        report["context"]["tool.last_line"],
        "at https://example.org/shop:1.2"
    );
    let listed = project.run(["handlers"]).expect_code(0);
    assert!(
        listed
            .stdout
            .contains("Rolls the image out. (runs python3 deploy.py)"),
        "{}",
        listed.stdout
    );
}

#[test]
fn a_value_of_a_handler_is_refused_as_code_before_the_run() {
    let project = project();
    let text = FLOW.replace("echo at {deploy.url}", "sh -c 'echo {deploy.url}'");
    project.write("flow.dot", text);
    let ended = project.run(["validate", "flow.dot"]).expect_code(1);
    assert!(ended.stdout.contains("unsafe_interpolation"), "{ended}");
    let ended = project.run(["run", "flow.dot"]).expect_code(1);
    assert!(ended.stderr.contains("unsafe_interpolation"), "{ended}");
    assert!(!project.file(".attractor/runs").exists());
}

#[test]
fn a_handler_that_fails_says_why() {
    let project = project();
    for (script, reason) in [
        ("raise SystemExit('no access')", "exit code 1: no access"),
        (
            "print('rolled out')",
            "the handler `deploy` wrote `rolled out`; expected an outcome as a JSON object on standard output, such as {\"outcome\": \"success\"}",
        ),
        (
            "print('{\"outcome\": \"fail\", \"failure_reason\": \"no such image\"}')",
            "no such image",
        ),
    ] {
        project.write("deploy.py", script);
        let ended = project
            .run(["run", "flow.dot", "--format", "json"])
            .expect_code(1);
        assert_eq!(ended.json()["failure"]["reason"], reason);
    }
}

#[test]
fn values_of_declared_attributes_are_checked() {
    let project = project();
    project.write(
        "flow.dot",
        FLOW.replace("image=\"shop:{version}\", replicas=3", "replicas=many"),
    );
    let ended = project.run(["validate", "flow.dot"]).expect_code(1);
    for part in [
        "`replicas` is a whole number, not `many`",
        "`roll_out` has no `image`, which `deploy` needs",
    ] {
        assert!(ended.stdout.contains(part), "{}", ended.stdout);
    }
}

#[test]
fn a_configuration_that_is_not_understood_refuses_the_run() {
    let project = project();
    for config in [
        "[permissions]\nshell = \"deny\"\n",
        "[sandbx]\nmode = \"read-only\"\n",
        "[lints]\nunknwn_key = \"allow\"\n",
        "[handlers.deploy]\ncomand = [\"x\"]\n",
        "lints = ",
    ] {
        project.write(".attractor/config.toml", config);
        let ended = project.run(["run", "flow.dot"]).expect_code(2);
        assert!(
            ended.stderr.contains("error: ") && ended.stderr.contains("invalid configuration in "),
            "{}",
            ended.stderr
        );
        project.run(["validate", "flow.dot"]).expect_code(2);
    }
    expect![[r#"
        error: …/.attractor/config.toml:1:2: `permissions` is not supported by this version and would have no effect; remove it
        error: invalid configuration in …/.attractor/config.toml; nothing runs until it is fixed
    "#]].assert_eq(&{
        project.write(
            ".attractor/config.toml",
            "[permissions]\nshell = \"deny\"\n",
        );
        let ended = project.run(["run", "flow.dot"]).expect_code(2);
        let root = project.path().display().to_string();
        ended.stderr.replace(&root, "…")
    });
}

#[test]
fn the_persons_configuration_is_only_reported() {
    let project = project();
    project.write(
        ".config/attractor/config.toml",
        "[permissions]\nshell = \"deny\"\n",
    );
    let ended = project.run(["run", "flow.dot"]).expect_code(0);
    assert!(
        ended.stderr.contains("warning: ")
            && ended
                .stderr
                .contains("`permissions` is not supported by this version"),
        "{}",
        ended.stderr
    );
}
