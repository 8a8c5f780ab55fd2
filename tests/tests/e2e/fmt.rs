//! `attractor fmt`: layout without change of meaning, and never a lost file.

use std::fs;

use attractor_tests::{Project, repository};
use expect_test::expect;

const RAGGED: &str =
    "digraph g{start[shape=Mdiamond];a [prompt=hi ,timeout=900s]\n  start->a // on\n}";

#[test]
fn files_are_formatted_in_place() {
    let project = Project::with("a.dot", RAGGED);
    let output = project.run(["fmt", "a.dot"]).expect_code(0);
    assert_eq!(output.stdout, "");
    expect![[r#"
        digraph g {
            start [shape=Mdiamond];
            a     [prompt=hi, timeout=900s]
            start -> a // on
        }
    "#]]
    .assert_eq(&project.read("a.dot"));
    project.run(["fmt", "--check", "a.dot"]).expect_code(0);
}

#[test]
fn check_prints_a_diff_and_writes_nothing() {
    let project = Project::with("a.dot", RAGGED);
    let output = project.run(["fmt", "--check", "a.dot"]).expect_code(1);
    expect![[r#"
        --- a.dot
        +++ a.dot
        @@ -1,3 +1,5 @@
        -digraph g{start[shape=Mdiamond];a [prompt=hi ,timeout=900s]
        -  start->a // on
        -}
        \ No newline at end of file
        +digraph g {
        +    start [shape=Mdiamond];
        +    a     [prompt=hi, timeout=900s]
        +    start -> a // on
        +}
    "#]]
    .assert_eq(&output.stdout);
    assert_eq!(output.stderr, "1 of 1 file would be reformatted: a.dot\n");
    assert_eq!(project.read("a.dot"), RAGGED);
}

#[test]
fn folders_are_searched_for_dot_files() {
    let project = Project::with("flows/b.gv", RAGGED);
    project.write("flows/deep/a.dot", RAGGED);
    project.write("flows/deep/good.fabro", "digraph {\n    a -> b\n}\n");
    project.write("flows/deep/notes.md", RAGGED);
    project.write("flows/.hidden/c.dot", RAGGED);
    let output = project.run(["fmt", "--check", "flows"]).expect_code(1);
    assert_eq!(
        output.stderr,
        "3 of 4 files would be reformatted: flows/.hidden/c.dot, flows/b.gv, flows/deep/a.dot\n"
    );
    project.run(["fmt", "flows"]).expect_code(0);
    project.run(["fmt", "--check", "flows"]).expect_code(0);
    assert_ne!(project.read("flows/.hidden/c.dot"), RAGGED);
}

#[test]
fn flags_override_configuration() {
    let text = "digraph {\na [shape=box, label=x]\n}\n";
    let project = Project::with("flows/a.dot", text);
    project.write(
        ".attractor/config.toml",
        "[format]\nindent = 2\nsemicolons = \"always\"\nsort = true\n",
    );
    let formatted = |flags: &[&str]| {
        project.write("flows/a.dot", text);
        project
            .run([&["fmt", "flows/a.dot"], flags].concat())
            .expect_code(0);
        project.read("flows/a.dot")
    };
    assert_eq!(formatted(&[]), "digraph {\n  a [label=x, shape=box];\n}\n");
    assert_eq!(
        formatted(&["--indent", "tab", "--semicolons", "never"]),
        "digraph {\n\ta [label=x, shape=box]\n}\n"
    );
    assert_eq!(
        formatted(&["--sort=false", "--width", "20"]),
        "digraph {\n  a [\n    shape=box,\n    label=x\n  ];\n}\n"
    );
}

#[test]
fn invalid_option_value_is_reported() {
    let output = Project::new()
        .run(["fmt", "--indent", "wide", "-"])
        .expect_code(2);
    assert!(
        output.stderr.contains(
            "invalid value `wide` for indent; expected a number of columns from 1 to 16, or tab"
        ),
        "{output}"
    );
}

#[test]
fn portable_quotes_for_graphviz() {
    let output = Project::new()
        .run_with_input(["fmt", "--portable", "-"], RAGGED)
        .expect_code(0);
    assert!(output.stdout.contains("timeout=\"900s\""), "{output}");
}

#[test]
fn statements_with_errors_are_unchanged() {
    let broken = "digraph g {\n  a   ->   ;\n  b->c\n}\n";
    let output = Project::new()
        .run_with_input(["fmt", "-"], broken)
        .expect_code(1);
    expect![[r#"
        digraph g {
          a   ->   ;
          b -> c
        }
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn byte_order_mark_and_latin1_are_kept() {
    let project = Project::with("mark.dot", format!("\u{feff}{RAGGED}"));
    project.write("latin1.dot", b"graph{charset=latin1;caf\xe9}");
    project
        .run(["fmt", "mark.dot", "latin1.dot"])
        .expect_code(0);
    assert!(project.read("mark.dot").starts_with("\u{feff}digraph g {"));
    let bytes = fs::read(project.file("latin1.dot")).expect("the file");
    assert!(bytes.windows(4).any(|part| part == b"caf\xe9"), "{bytes:?}");
}

#[test]
fn examples_are_formatted() {
    let entries = fs::read_dir(repository().join("examples")).expect("the examples");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "dot"));
    let arguments = ["fmt".into(), "--check".into()].into_iter().chain(files);
    Project::new().run(arguments).expect_code(0);
}
