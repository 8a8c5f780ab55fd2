//! Agents on a machine that fails them: a full disk in mid-edit.

use std::fs;

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply, program};
use serde_json::json;

use super::call;

#[test]
fn an_edit_on_a_full_disk_fails_and_keeps_the_file() {
    let lines: Vec<String> = (0..20_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let before = lines.concat();
    let project = Project::with("long.txt", &before);
    let edit = json!({"path": "long.txt", "old_string": "line 777\n", "new_string": "changed\n"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("edit_file", &edit)]),
        Reply::Says("The disk is full."),
    ]);
    // No file may grow beyond 128 blocks of 512 bytes. The signal that comes with it is ignored, so that a write fails
    // as on a full disk.
    let line = format!(
        "trap '' XFSZ; ulimit -f 128; exec {} agent 'Change it.' --model sonnet --format json",
        program().display()
    );
    let mut command = project.other_command("sh");
    command.args(["-c", &line]).envs(provider.variables());
    let output = ProcessOutput::new(&command.output().expect("sh")).expect_code(0);
    assert_eq!(project.read("long.txt"), before, "{output}");
    let sent = provider.sent()[1].body.to_string();
    assert!(sent.contains("cannot write `long.txt`"), "{sent}");
    let entries = fs::read_dir(project.path()).expect("the folder").flatten();
    let names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(names, ["long.txt"], "nothing else is left there");
}
