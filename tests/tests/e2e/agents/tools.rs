//! What an agent has besides files and commands: a plan, commands in the background, skills, pages, images.

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::{Value, json};

use super::{MODELS, call, events, project, run};

const EVENTS: [&str; 4] = ["run", "fix.dot", "--format", "events"];

/// A PNG of two by two pixels, as far as its header goes.
fn png() -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\x08\x06\0\0\0".to_vec();
    png.resize(100, 0);
    png
}

/// By what an image in a request is known, for each of the models.
const IMAGE_SIGNS: [&str; 4] = [
    "\"media_type\":\"image/png\"",
    "data:image/png;base64,",
    "image/png",
    "data:image/png;base64,",
];

/// What the model was sent last.
fn last(provider: &MockProvider) -> String {
    let sent = provider.sent();
    sent.last().expect("a request").body.to_string()
}

fn skill(name: &str, more: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: How {name} is done\n{more}---\nFirst read greeting.txt.\n"
    )
}

#[test]
fn a_plan_is_an_event_of_the_run_with_its_entry() {
    for model in MODELS {
        let project = project(model);
        let plan = |status: &str| json!({"steps": [{"step": "Greet", "status": status}, {"step": "Test", "status": "pending"}]});
        let provider = MockProvider::start(vec![
            Reply::Calls(vec![call("update_plan", &plan("in_progress"))]),
            Reply::Calls(vec![call("update_plan", &plan("completed"))]),
            Reply::Says("Done."),
        ]);
        let output = run(&project, &provider, EVENTS);
        assert_eq!(output.code, Some(0), "{model}: {output}");
        let plans = events(&output, "agent.plan");
        let shown: Vec<&Value> = plans.iter().map(|plan| &plan["steps"][0]).collect();
        assert_eq!(
            shown,
            [
                &json!({"step": "Greet", "status": "in_progress"}),
                &json!({"step": "Greet", "status": "completed"})
            ],
            "{model}"
        );
        assert_eq!(plans[0]["node"], "fix", "{model}");
    }
}

#[test]
fn a_command_in_the_background_is_read_in_the_next_turn() {
    let project = project("sonnet");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\nshell = \"allow\"\n",
    );
    let start = json!({"command": "echo ready; exec sleep 1000", "background": true});
    let id = json!({"id": "shell_1"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("shell", &start)]),
        Reply::Calls(vec![call("shell_output", &id)]),
        Reply::Says("Done."),
    ]);
    let output = run(&project, &provider, EVENTS);
    assert_eq!(output.code, Some(0), "{output}");
    let sent = last(&provider);
    assert!(sent.contains("ready\\n[the command runs]"), "{sent}");
    let left = project.processes();
    assert!(left.is_empty(), "{left:?}");
    // That it was started verifies nothing.
    let ended = events(&output, "stage_completed");
    let fix = ended.iter().find(|event| event["node"] == "fix");
    let verification = &fix.expect("it ran")["model"]["verification"];
    let expected =
        "edited nothing, ran 1 command, not verified, last command: `echo ready; exec sleep 1000`";
    assert_eq!(verification, expected);
}

#[test]
fn skills_of_a_project_are_left_out_unless_they_are_named() {
    let load = json!({"name": "release"});
    let replies = || {
        vec![
            Reply::Calls(vec![call("skill", &load)]),
            Reply::Says("Done."),
        ]
    };
    let project = project("sonnet");
    // Not in the home folder, which is that of the project.
    let dot = project.read("fix.dot");
    let dot = dot.replace("shape=box,", "shape=box, working_dir=work,");
    project.write("fix.dot", &dot);
    project.write("work/.agents/skills/release/SKILL.md", skill("release", ""));
    let provider = MockProvider::start(replies());
    let output = run(&project, &provider, EVENTS);
    assert_eq!(output.code, Some(0), "{output}");
    let first = provider.sent()[0].body.to_string();
    assert!(!first.contains("How release is done"), "{first}");
    assert!(last(&provider).contains("unknown tool `skill`"));
    assert!(
        output.stdout.contains(
            "skills of the project are left out, since nobody can be asked about them: `release`"
        ),
        "{output}"
    );
    let naming = |skill: &str| dot.replace("shape=box,", &format!("shape=box, skills={skill},"));
    project.write("fix.dot", naming("release"));
    let provider = MockProvider::start(replies());
    let output = run(&project, &provider, EVENTS);
    assert_eq!(output.code, Some(0), "{output}");
    let first = provider.sent()[0].body.to_string();
    assert!(first.contains("- release: How release is done"), "{first}");
    assert!(last(&provider).contains("First read greeting.txt."));
    project.write("fix.dot", naming("relese"));
    let output = run(&project, &MockProvider::start(replies()), EVENTS);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(
        output
            .stdout
            .contains("unknown skill `relese`: there are release"),
        "{output}"
    );
}

#[test]
fn a_skill_only_narrows_what_may_be_done() {
    let project = project("sonnet");
    let limits = "allowed-tools: Read, Bash(ls *)\n";
    project.write(".agents/skills/review/SKILL.md", skill("review", limits));
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\n\"skill(review)\" = \"allow\"\nshell = \"ask\"\n",
    );
    let content = json!({"path": "greeting.txt", "content": "x"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("skill", &json!({"name": "review"}))]),
        Reply::Calls(vec![
            call("read_file", &json!({"path": "greeting.txt"})),
            call("write_file", &content),
        ]),
        Reply::Calls(vec![call("shell", &json!({"command": "ls -l"}))]),
        Reply::Says("Done."),
    ]);
    let output = run(&project, &provider, EVENTS);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(project.read("greeting.txt"), "Hello.\n");
    let sent = last(&provider);
    assert!(
        sent.contains("is not among the `allowed-tools` of the skill `review`, which hold until this task is done: Read, Bash(ls *)"),
        "{sent}"
    );
    // What the skill names is not allowed by it.
    assert!(
        sent.contains("not allowed without a person to ask"),
        "{sent}"
    );
}

#[test]
fn pages_need_a_rule_or_a_person_and_are_public() {
    let fetch = |url: String| Reply::Calls(vec![call("web_fetch", &json!({"url": url}))]);
    let project = project("sonnet");
    let provider = MockProvider::start(vec![
        fetch("https://example.org/?q=secret".to_owned()),
        Reply::Says("Done."),
    ]);
    let output = run(&project, &provider, EVENTS);
    assert_eq!(output.code, Some(0), "{output}");
    let sent = last(&provider);
    assert!(
        sent.contains("not allowed without a person to ask: `web_fetch` fetches `https://example.org/?q=secret`"),
        "{sent}"
    );
    // A rule does not open this machine, its network, or the services of a cloud.
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\nweb = \"allow\"\n",
    );
    let served = MockProvider::start(vec![Reply::Says("Reached.")]);
    let hosts = [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "2130706433",
    ];
    let mut replies: Vec<Reply> = hosts
        .iter()
        .map(|host| fetch(format!("http://{host}:{}/", served.port())))
        .collect();
    replies.push(fetch("http://169.254.169.254/latest/meta-data".to_owned()));
    replies.push(fetch("file:///etc/passwd".to_owned()));
    replies.push(Reply::Says("Done."));
    let provider = MockProvider::start(replies);
    let output = run(&project, &provider, EVENTS);
    assert_eq!(output.code, Some(0), "{output}");
    let sent = last(&provider);
    assert_eq!(
        sent.matches("which is not a public address").count(),
        hosts.len() + 1,
        "{sent}"
    );
    assert!(sent.contains("only `https` and `http` can"), "{sent}");
    assert!(served.sent().is_empty());
}

#[test]
fn an_image_comes_with_the_task() {
    let png = png();
    for (model, sign) in MODELS.into_iter().zip(IMAGE_SIGNS) {
        let project: Project = project(model);
        project.write("picture.dat", &png);
        project.write("text.png", "no image");
        let provider = MockProvider::start(vec![Reply::Says("A square.")]);
        let task = |image: &str| {
            let command = ["agent", "What is it?", "--model", model, "--image", image];
            run(&project, &provider, command)
        };
        let refused = task("text.png");
        assert_eq!(refused.code, Some(2), "{model}: {refused}");
        assert!(
            refused.stderr.contains("`text.png` is not a PNG"),
            "{refused}"
        );
        let output = task("picture.dat");
        assert_eq!(output.code, Some(0), "{model}: {output}");
        let sent = last(&provider);
        let is_left_out = sent.contains("this model takes no images");
        assert!(sent.contains(sign) || is_left_out, "{model}: {sent}");
        assert_eq!(is_left_out, model == "gpt-oss:20b", "{model}: {sent}");
    }
}

#[test]
fn an_image_reaches_models_in_the_format_of_their_provider() {
    let png = png();
    for (model, sign) in MODELS.into_iter().zip(IMAGE_SIGNS) {
        let project: Project = project(model);
        project.write("picture.dat", &png);
        let provider = MockProvider::start(vec![
            Reply::Calls(vec![call("read_file", &json!({"path": "picture.dat"}))]),
            Reply::Says("A square."),
        ]);
        let output = run(&project, &provider, EVENTS);
        assert_eq!(output.code, Some(0), "{model}: {output}");
        let sent = last(&provider);
        let is_left_out = sent.contains("this model takes no images");
        assert!(sent.contains(sign) || is_left_out, "{model}: {sent}");
        assert_eq!(is_left_out, model == "gpt-oss:20b", "{model}: {sent}");
    }
}
