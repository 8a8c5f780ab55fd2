//! Supervisors that look at their sub-pipeline while it runs, and messages to nodes of a run.

use attractor_tests::{Project, RunningProcess};
use serde_json::Value;

const PIPELINES: &str = "digraph main {
  s [shape=Mdiamond]; e [shape=Msquare]
  watch [
    shape=house, sub_pipeline=child, max_iterations=1
    manager.poll_interval=\"20ms\", manager.actions=\"observe, steer, wait\"
    manager.steering_message=\"The supervisor saw you at {stack.child.node}\"
  ]
  s -> watch -> e
}
digraph child {
  c [start=true, shape=parallelogram, command=\"until [ -f go ]; do sleep 0.05; done\"]
  work [prompt=\"Work\"]
  d [shape=Msquare]
  c -> work -> d
}
";

fn runs(project: &Project) -> Vec<Value> {
    let list = project.run(["runs", "--format", "json"]).expect_code(0);
    list.json()["runs"].as_array().expect("a list").clone()
}

/// Starts the pipeline, and waits until the supervisor has looked at its sub-pipeline. Gives the id of the run.
fn observed(project: &Project) -> (RunningProcess, String) {
    let running = project.start(["run", "a.dot"]);
    let run = project.eventually("an observation", || {
        let events = project.run(["runs", "events"]);
        let is_observed = events.stdout.contains("\"type\":\"steering_injected\"");
        is_observed.then(|| {
            let list = runs(project);
            list[0]["run"].as_str().expect("an id").to_owned()
        })
    });
    (running, run)
}

#[test]
fn supervised_sub_pipeline_is_a_run_that_can_be_steered() {
    let project = Project::with("a.dot", PIPELINES);
    let (running, run) = observed(&project);
    let list = runs(&project);
    let child = format!("{run}/watch.1.1");
    assert_eq!(list[1]["run"], child.as_str(), "{list:?}");
    assert_eq!(list[1]["pipeline"], "child");
    assert_eq!(list[1]["state"], "running");
    assert_eq!(list[1]["node"], "c");
    let steer = |node: &str| project.run(["steer", &run, node, "Be brief"]);
    steer("child/work").expect_code(0);
    let refused = steer("child/c").expect_code(1);
    assert!(
        refused.stderr.contains("does not call a model"),
        "{refused}"
    );
    let refused = steer("nowhere").expect_code(1);
    assert!(refused.stderr.contains("no node `nowhere`"), "{refused}");
    project.write("go", "");
    let output = running.end().expect_code(0);
    assert!(output.stdout.contains("message from watch"), "{output}");
    let folder = format!(".attractor/runs/{run}/+child/work/1-1/prompt.md");
    let prompt = project.read(&folder);
    assert!(prompt.starts_with("Work\n"), "{prompt}");
    assert!(prompt.contains("The supervisor saw you at c"), "{prompt}");
    assert!(prompt.ends_with("Be brief"), "{prompt}");
    let shown = project.run(["runs", "show", &child, "--format", "json"]);
    let report = shown.expect_code(0).json()["report"].clone();
    assert_eq!(report["plan_id"], "child", "{report}");
    assert_eq!(report["state"], "success");
    assert_eq!(report["path"], serde_json::json!(["c", "work", "d"]));
    let context = project.run(["runs", "show", "--format", "json"]).json();
    assert_eq!(context["state"], "success", "{context}");
}

#[test]
fn kill_during_supervision_resumes_parent_and_child() {
    let project = Project::with("a.dot", PIPELINES);
    let (running, run) = observed(&project);
    running.signal("KILL");
    running.end();
    let states = || -> Vec<String> {
        let list = runs(&project);
        let states = list.iter().map(|run| run["state"].to_string());
        states.collect()
    };
    assert_eq!(states(), ["\"interrupted\"", "\"interrupted\""]);
    project.write("go", "");
    project.run(["resume", &run]).expect_code(0);
    assert_eq!(states(), ["\"success\"", "\"success\""]);
    let prompt = project.read(&format!(".attractor/runs/{run}/+child/work/1-1/prompt.md"));
    assert!(prompt.contains("The supervisor saw you at c"), "{prompt}");
}
