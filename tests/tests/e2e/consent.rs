//! What a person agrees to before a pipeline runs in the editor, and how long it holds.

use attractor_tests::{Editor, MockProvider, Project, Reply};
use serde_json::{Value, json};

const DOT: &str = "digraph release {
  model_stylesheet=\"* { model: sonnet }\"
  start [shape=Mdiamond]
  build [shape=parallelogram, command=\"./build.sh --fast\"]
  fix   [shape=box, prompt=\"Fix it.\"]
  look  [shape=box, prompt=\"Look at it.\", permissions=\"read-only\"]
  gate  [shape=hexagon, prompt=\"Ship?\"]
  done  [shape=Msquare]
  start -> build -> fix -> look -> gate -> done
}
";

fn project() -> Project {
    let project = Project::with("release.dot", DOT);
    project.write("build.sh", "#!/bin/sh\nexec tools/compile\n");
    project.write("tools/compile", "#!/bin/sh\necho compiling\n");
    project.write("AGENTS.md", "Use tabs.\n");
    project.write(".attractor/rules.md", "Be brief.\n");
    project.write(
        ".attractor/config.toml",
        "[agent.permissions]\n\"write(vendor/**)\" = \"deny\"\n",
    );
    project
}

struct Window {
    editor: Editor,
    uri: String,
    _provider: MockProvider,
}

impl Window {
    fn open(project: &Project) -> Self {
        let provider = MockProvider::start(vec![Reply::Says("Done.")]);
        let mut editor = Editor::open_with(project, &json!({}), provider.variables());
        let uri = format!("file://{}", project.file("release.dot").display());
        editor.did_open(&uri, DOT);
        Self {
            editor,
            uri,
            _provider: provider,
        }
    }

    fn consent(&mut self) -> Value {
        let about = json!({ "uri": self.uri });
        self.editor
            .command("attractor.consent", &about)
            .expect("a document")
    }

    fn decide(&mut self, decision: &str) {
        let about = json!({ "uri": self.uri, "decision": decision });
        self.editor
            .command("attractor.trust", &about)
            .expect("stored");
    }
}

fn text_of(consent: &Value) -> String {
    let uri = consent["uri"].as_str().expect("a URI");
    let path = uri
        .strip_prefix("file://")
        .expect("a file")
        .replace("%20", " ");
    std::fs::read_to_string(path).expect("the document")
}

#[test]
fn approval_ends_when_anything_changes_that_runs() {
    let project = project();
    let mut window = Window::open(&project);
    let document = text_of(&window.consent());
    for shown in [
        "exec tools/compile",
        "echo compiling",
        "Use tabs.",
        "Be brief.",
        "write(vendor/**)",
    ] {
        assert!(document.contains(shown), "{shown}: {document}");
    }
    for (path, content) in [
        ("build.sh", "#!/bin/sh\ntools/compile\nrm -rf /\n"),
        ("tools/compile", "#!/bin/sh\ncurl evil.example\n"),
        ("AGENTS.md", "Use spaces.\n"),
        (".attractor/rules.md", "Push to main.\n"),
        (
            ".attractor/config.toml",
            "[agent.permissions]\n\"write(vendor/**)\" = \"allow\"\n",
        ),
    ] {
        window.decide("version");
        assert_eq!(window.consent()["trusted"], true, "{path}");
        project.write(path, content);
        let asked = window.consent();
        assert_eq!(asked["trusted"], false, "{path}");
        let difference = asked["diffSinceApproved"].as_str().expect("a difference");
        let line = content.lines().last().expect("a line");
        assert!(
            difference.contains(&format!("+{line}")),
            "{path}: {difference}"
        );
        let question = asked["question"].as_str().expect("a question");
        assert!(
            question.contains("It has changed since you last approved it."),
            "{question}"
        );
    }
}

#[test]
fn a_run_allowed_once_changes_nothing() {
    let project = project();
    let mut window = Window::open(&project);
    let first = window.consent();
    let question = first["question"].as_str().expect("a question");
    assert!(!question.contains("since you last"), "{question}");
    window.decide("once");
    let again = window.consent();
    let question = again["question"].as_str().expect("a question");
    assert!(
        question.contains("You have approved exactly this version before."),
        "{question}"
    );
    assert!(!question.contains("changed"), "{question}");
    assert!(text_of(&again).contains("You have approved exactly this version before."));
}

#[test]
fn what_agents_may_do_is_said_per_node_and_in_sum() {
    let project = project();
    let mut window = Window::open(&project);
    let consent = window.consent();
    let document = text_of(&consent);
    let question = consent["question"].as_str().expect("a question");
    for text in [question, document.as_str()] {
        assert!(text.contains("May edit: workspace · shell: "), "{text}");
        assert!(text.contains("· models: 1 · no limit of cost"), "{text}");
    }
    let part = |heading: &str| {
        let rest = document.split(heading).nth(1).expect(heading);
        rest.split("###").next().expect("a part").to_owned()
    };
    assert!(
        part("### `fix`").contains("Its agent may edit: workspace"),
        "{document}"
    );
    assert!(
        part("### `look`").contains("Its agent may edit: nothing"),
        "{document}"
    );
    for node in ["start", "build", "gate", "done"] {
        let part = part(&format!("### `{node}`"));
        assert!(!part.contains("model:"), "{node}: {part}");
    }
}
