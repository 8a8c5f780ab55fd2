//! What an author misspells, at the command line: reported before anything runs, and what runs is what was meant.

use attractor_tests::Project;

#[test]
fn a_tool_whose_command_is_written_as_a_prompt_does_not_run() {
    let project = Project::with(
        "p.dot",
        "digraph p { start [shape=Mdiamond]; done [shape=Msquare]; start -> t -> done; \
         t [shape=parallelogram, prompt=\"pytest -q\"] }\n",
    );
    let output = project.run(["run", "p.dot", "--simulate"]);
    let output = output.expect_code(1);
    assert!(
        output.stderr.contains("did you mean `command`?")
            || output.stdout.contains("did you mean `command`?"),
        "{output}"
    );
}

#[test]
fn doubled_braces_are_replaced_by_the_value() {
    let project = Project::with(
        "p.dot",
        "digraph p { start [shape=Mdiamond]; done [shape=Msquare]; start -> t -> u -> done; \
         t [command=\"echo one\"]; \
         u [command=\"echo {{tool.last_line}} {{ tool.last_line }} {{nothing}} > out\"] }\n",
    );
    project.run(["run", "p.dot"]).expect_code(0);
    assert_eq!(project.read("out"), "one one {{nothing}}\n");
}

#[test]
fn a_misspelled_value_is_one_message() {
    let project = Project::with(
        "p.dot",
        "digraph p { start [shape=Mdiamond]; done [shape=Msquare]; start -> t; t [command=\"echo pass\"]; \
         fix [prompt=\"Fix it\"]; fix -> t; \
         t -> done [condition=\"context.tool.last_line=passs\"]; t -> fix [condition=\"outcome=fail\", max_visits=10] }\n",
    );
    let output = project.run(["validate", "p.dot"]).expect_code(0);
    assert!(
        output
            .stdout
            .contains("no command prints `passs`; did you mean `pass`?"),
        "{output}"
    );
    assert_eq!(output.stdout.matches("warning[").count(), 1, "{output}");
}
