//! Handlers of the configuration: declared, checked, run; and configurations that cannot be used.

use attractor_tests::{Project, repository};
use expect_test::expect;

const FLOW: &str = r#"digraph flow {
  vars="version=1.2"
  start [shape=Mdiamond]
  roll_out [handler=deploy, image="shop:{version}", replicas=3]
  notify [shape=parallelogram, command="echo at {deploy.url}"]
  done [shape=Msquare]
  start -> roll_out -> notify -> done
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
fn documented_handler_runs() {
    let project = project();
    let output = project
        .run(["run", "flow.dot", "--format", "json"])
        .expect_code(0);
    let report = output.json();
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
fn handler_values_are_not_interpolated_as_code() {
    let project = project();
    let text = FLOW.replace("echo at {deploy.url}", "sh -c 'echo {deploy.url}'");
    project.write("flow.dot", text);
    let output = project.run(["validate", "flow.dot"]).expect_code(1);
    assert!(output.stdout.contains("unsafe_interpolation"), "{output}");
    let output = project.run(["run", "flow.dot"]).expect_code(1);
    assert!(output.stderr.contains("unsafe_interpolation"), "{output}");
    assert!(!project.file(".attractor/runs").exists());
}

#[test]
fn handler_failure_has_a_reason() {
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
        let output = project
            .run(["run", "flow.dot", "--format", "json"])
            .expect_code(1);
        assert_eq!(output.json()["failure"]["reason"], reason);
    }
}

#[test]
fn declared_attribute_values_are_checked() {
    let project = project();
    project.write(
        "flow.dot",
        FLOW.replace("image=\"shop:{version}\", replicas=3", "replicas=many"),
    );
    let output = project.run(["validate", "flow.dot"]).expect_code(1);
    for part in [
        "invalid integer `many` for `replicas`",
        "`roll_out` is missing `image`, which handler `deploy` requires",
    ] {
        assert!(output.stdout.contains(part), "{}", output.stdout);
    }
}

#[test]
fn invalid_project_configuration_refuses_the_run() {
    let project = project();
    for config in [
        "[permissions]\nshell = \"deny\"\n",
        "[sandbx]\nmode = \"read-only\"\n",
        "[lints]\nunknwn_key = \"allow\"\n",
        "[handlers.deploy]\ncomand = [\"x\"]\n",
        "lints = ",
    ] {
        project.write(".attractor/config.toml", config);
        let output = project.run(["run", "flow.dot"]).expect_code(2);
        assert!(
            output.stderr.contains("error: ")
                && output.stderr.contains("invalid configuration in "),
            "{}",
            output.stderr
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
        let output = project.run(["run", "flow.dot"]).expect_code(2);
        let root = project.path().display().to_string();
        output.stderr.replace(&root, "…")
    });
}

#[test]
fn policy_of_the_user_in_an_unsupported_section_refuses_runs() {
    let project = project();
    project.write(
        ".config/attractor/config.toml",
        "[permissions]\nshell = \"deny\"\n",
    );
    let output = project.run(["run", "flow.dot"]);
    assert_ne!(output.code, Some(0), "{output}");
    assert!(
        output.stderr.contains("error: ")
            && output
                .stderr
                .contains("`permissions` is not supported by this version"),
        "{}",
        output.stderr
    );
}
