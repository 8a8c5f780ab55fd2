use attractor_dot::format::{Align, Indent};
use attractor_model::Level;
use expect_test::expect;

use super::*;

fn parse_project(text: &str) -> (ConfigFile, Vec<Problem>) {
    parse(text, Owner::Project)
}

fn problems(text: &str) -> String {
    let (_, problems) = parse(text, Owner::Project);
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}

#[test]
fn a_project_says_how_its_files_are_read() {
    let (project, problems) = parse_project(
        r#"
            dialect = "kilroy"
            [lints]
            cycle = "allow"
            [pipelines]
            globs = ["flows/*.gv"]
            [format]
            indent = 2
            align = false
            [handlers.deploy]
            doc = "Rolls the image out."
            command = ["deploy", "--now"]
            attributes = [{ name = "replicas", type = "integer" }]
            "#,
    );
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(project.lints.get("cycle"), Some(Level::Allow));
    assert_eq!(project.pipeline_globs, ["flows/*.gv"]);
    assert_eq!(project.format.indent, Some(Indent::Spaces(2)));
    assert_eq!(project.format.align, Some(Align::Nothing));
    let handler = project.handlers.first().expect("one");
    assert_eq!(handler.name, "deploy");
    assert_eq!(handler.command, ["deploy", "--now"]);
    assert!(handler.declares("replicas"));
}

#[test]
fn errors_have_a_position_and_the_rest_is_used() {
    let text = "lints = 3\ndialect = \"klingon\"\n[pipelines]\nglobs = 1\nglob = []\n[format]\nwidth = 1\nidnent = 2\n[handlers]\ndeploy = 1\n";
    let (project, _) = parse(text, Owner::Project);
    assert_eq!(project, ConfigFile::default());
    expect![[r#"
            1:9: `lints` is 3; expected a section: [lints]
            2:11: unknown dialect `klingon`; expected one of auto, attractor, fabro, kilroy, samueljklee, tracker
            4:9: `pipelines.globs` is 1; expected a list of strings
            5:1: unknown key `glob`; did you mean `globs`?
            7:9: invalid value `1` for width; expected a number of columns from 20 to 1000
            8:1: unknown option `idnent`; did you mean `indent`?
            10:10: `handlers.deploy` is 1; expected a section: [handlers.deploy]"#]].assert_eq(&problems(text));
    expect![[r#"
            2:9: invalid level `"alow"` of rule `cycle`; expected one of allow, hint, info, warn, error
            3:1: unknown rule `cylce`; did you mean `cycle`?
            4:1: unknown rule `unknwn_key`; did you mean `unknown_key`?"#]]
    .assert_eq(&problems(
        "[lints]\ncycle = \"alow\"\ncylce = \"warn\"\nunknwn_key = \"allow\"\n",
    ));
    expect![
        "1:1: this is not TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`"
    ]
    .assert_eq(&problems("= nonsense"));
}

#[test]
fn policies_of_later_versions_and_unknown_sections_are_refused() {
    expect![[r#"
            1:2: `permissions` is not supported by this version and would have no effect; remove it
            3:2: unknown key `sandbx`; did you mean `sandbox`? It is not supported by this version
            5:2: `sandbox` is not supported by this version and would have no effect; remove it
            7:2: unknown key `handler`; did you mean `handlers`?
            8:2: `providers` can only be set in the user's configuration file, since it decides where keys are sent; move it there (`attractor config` shows the path)"#]].assert_eq(&problems(
        "[permissions]\nshell = \"deny\"\n[sandbx]\nmode = \"read-only\"\n[sandbox]\nmode = \"off\"\n[handler.x]\n[providers.openai]\nkey = \"x\"\n",
    ));
}

#[test]
fn calls_of_models_have_settings() {
    let text = "[models]\nfallback_models = [\"gpt-6-luna\"]\nidle_timeout = \"90s\"\nrequest_timeout = \"soon\"\nmax_retris = 3\nmax_retries = 2\nmax_wait = \"1h\"\non_rate_limit = \"park\"\n";
    let (project, problems) = parse_project(text);
    expect![[r#"
            4:19: `models.request_timeout` is "soon"; expected a duration such as "90s"
            5:1: unknown key `max_retris`; did you mean `max_retries`?
            8:17: `models.on_rate_limit` is "park"; expected one of retry, wait, fail"#]]
    .assert_eq(
        &problems
            .iter()
            .map(Problem::to_string)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let models = project.models;
    assert_eq!(
        models.fallback_models.as_deref(),
        Some(&["gpt-6-luna".to_owned()][..])
    );
    assert_eq!(
        models.idle_timeout,
        Some(std::time::Duration::from_secs(90))
    );
    assert_eq!(models.request_timeout, None);
    assert_eq!(models.max_retries, Some(2));
    assert_eq!(models.max_wait, Some(std::time::Duration::from_hours(1)));
}

#[test]
fn models_can_be_declared() {
    let text = r#"[models]
max_retries = 2
[models.my-model]
provider = "lan"
aliases = ["mine"]
context_window = 32000
max_output = 4000
input_price = 0.5
output_price = 2
[models.other]
context_windw = 1
[models.nobody]
max_output = 1
[models.half]
provider = "lan"
input_price = 1
[models.wrong]
provider = "lan"
max_output = "many"
input_price = -1
output_price = 1
[models."claude-opus-5-5"]
input_price = 0
"#;
    let (project, problems) = parse_project(text);
    expect![[r#"
        11:1: unknown key `context_windw`; did you mean `context_window`?
        12:9: model `nobody` has no provider; set `provider` or `like`
        14:9: model `half` has a price for input or output only; set `input_price` and `output_price`
        19:14: `models.wrong.max_output` is "many"; expected a number from 1 to 4294967295
        20:15: `models.wrong.input_price` is -1; expected US dollars per million tokens, such as 0.5
        22:9: `models.claude-opus-5-5` is a listed model; only the user's configuration file can change its limits and prices"#]].assert_eq(
        &problems
            .iter()
            .map(Problem::to_string)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let declared = project.models.declared;
    let mine = &declared[0];
    assert_eq!(
        (mine.id.as_str(), mine.aliases.as_slice()),
        ("my-model", &["mine".to_owned()][..])
    );
    assert_eq!(
        (mine.context_window, mine.max_output),
        (Some(32_000), Some(4_000))
    );
    assert_eq!(
        (mine.input_price, mine.output_price),
        (Some(0.5), Some(2.0))
    );
    assert_eq!(project.models.max_retries, Some(2));
    let (user, problems) = ConfigFile::parse(
        "[models.\"claude-opus-5-5\"]\ninput_price = 1\n",
        Owner::User,
    );
    assert_eq!((problems.len(), user.models.declared.len()), (0, 1));
}

#[test]
fn a_provider_on_the_local_network_has_headers_and_its_own_permission() {
    let text = "[providers.lan]\nbase_url = \"http://192.168.1.20:11434/v1\"\nallow_insecure_http = true\nheaders = { X-Team = \"web\", X-Bad = 3 }\n[providers.lan.header_variables]\nX-Gateway-Key = \"GATEWAY_KEY\"\n[providers.other]\nallow_insecure_http = \"yes\"\nheaders = \"s3cret\"\n";
    let (user, problems) = parse(text, Owner::User);
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    expect![[r#"
        4:37: `providers.lan.headers.X-Bad` is not a text
        8:23: `providers.other.allow_insecure_http` is "yes"; expected true or false
        9:11: `providers.other.headers` is not a table; expected { NAME = "VALUE" }"#]]
    .assert_eq(&lines.join("\n"));
    let lan = user.providers.first().expect("one");
    assert!(lan.allow_insecure_http);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(lan.headers, [pair("X-Team", "web")]);
    assert_eq!(lan.header_variables, [pair("X-Gateway-Key", "GATEWAY_KEY")]);
}

#[test]
fn providers_are_the_users() {
    let text = "[providers.anthropic]\napi_key = \"k\"\nbase_ulr = \"x\"\n[providers.ollama]\nbase_url = \"http://127.0.0.1:11434/v1\"\napi_key = 3\n[providers]\nopenai = \"sk-1\"\n";
    let (user, problems) = parse(text, Owner::User);
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    expect![[r#"
            3:1: unknown key `base_ulr`; did you mean `base_url`?
            6:11: `providers.ollama.api_key` is not a text
            8:10: `providers.openai` is not a section; expected [providers.openai]"#]]
    .assert_eq(&lines.join("\n"));
    let found: Vec<_> = user.providers.iter().map(|one| &*one.name).collect();
    assert_eq!(found, ["anthropic", "ollama"]);
    let anthropic = user.providers.first().expect("one");
    assert_eq!(anthropic.api_key.as_deref(), Some("k"));
    assert!(!format!("{user:?}").contains("\"k\""));
    let (project, problems) = parse(text, Owner::Project);
    assert!(project.providers.is_empty() && !problems.is_empty());
}

#[test]
fn agents_of_other_programs_are_the_users() {
    let text = "[acp.mine]\ncommand = [\"my-agent\", \"--acp\"]\nenv_variables = [\"MY_KEY\"]\n[acp.none]\ncomand = [\"x\"]\n";
    let (user, problems) = ConfigFile::parse(text, Owner::User);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    expect![[r#"
            4:6: `acp.none` needs command = ["PROGRAM", "ARGUMENT"]
            5:1: unknown key `comand`; did you mean `command`?"#]]
    .assert_eq(&lines.join("\n"));
    assert_eq!(user.acp[0].command, ["my-agent", "--acp"]);
    let (project, problems) = ConfigFile::parse(text, Owner::Project);
    assert!(project.acp.is_empty());
    assert!(
        problems[0]
            .to_string()
            .contains("only be set in the user's")
    );
}

#[test]
fn mcp_servers_are_the_users() {
    let text = r#"
            [mcp.files]
            command = ["mcp-files", "--root", "."]
            env = { MODE = "secret-mode", LEVEL = 3 }
            env_variables = ["FILES_TOKEN"]
            call_timeout = "2m"
            [mcp.web]
            url = "https://example.com/mcp"
            headers = { "X-Key" = "secret-key" }
            bearer_token_variable = "WEB_TOKEN"
            start_timeout = "soon"
            comand = ["x"]
            [mcp.both]
            command = ["x"]
            url = "https://example.com"
            [mcp.a__b]
            command = ["x"]
            [mcp]
            text = "x"
            "#;
    let (user, problems) = parse(text, Owner::User);
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    expect![[r#"
            4:51: `mcp.files.env.LEVEL` is not a text
            11:29: `mcp.web.start_timeout` is "soon"; expected a duration such as "90s"
            12:13: unknown key `comand`; did you mean `command`?
            13:18: `mcp.both` needs either command = ["PROGRAM", "ARGUMENT"] or url = "https://…"
            16:18: `a__b` cannot name a server: expected a letter, then letters, digits, `-` and single `_`
            19:20: `mcp.text` is not a section; expected [mcp.text]"#]].assert_eq(&lines.join("\n"));
    let names: Vec<_> = user.mcp.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["files", "web"]);
    assert_eq!(
        user.mcp[0].env,
        [("MODE".to_owned(), "secret-mode".to_owned())]
    );
    assert_eq!(
        user.mcp[0].call_timeout,
        Some(std::time::Duration::from_mins(2))
    );
    assert!(!format!("{user:?}").contains("secret-"));
    let (project, problems) = parse(text, Owner::Project);
    assert!(project.mcp.is_empty());
    assert!(
        problems[0]
            .to_string()
            .contains("only be set in the user's")
    );
}

#[test]
fn handlers_are_checked() {
    expect![[r#"
            2:23: `handlers.none` has no command; add command = ["PROGRAM", "ARGUMENT"]
            5:23: `handlers.empty.command` is empty; expected a program and its arguments
            7:23: `handlers.text.command` is "deploy now"; expected a list of strings
            8:23: `tool` is a built-in handler and cannot be declared; choose another name
            11:13: unknown key `comand`; did you mean `command`?
            13:26: an item of `handlers.typos.attributes` is not a table; expected { name = "…" }
            13:41: unknown key `tpe`; did you mean `type`?
            13:80: `handlers.typos.attributes.type` is "int"; expected one of string, boolean, integer, float, duration, list, path, node, json
            13:91: an item of `handlers.typos.attributes` has no name; add name = "…"
            13:117: `handlers.typos.attributes` declares `a` twice"#]].assert_eq(&problems(
        r#"
            [handlers.none]
            doc = "no command"
            [handlers.empty]
            command = []
            [handlers.text]
            command = "deploy now"
            [handlers.tool]
            command = ["x"]
            [handlers.typos]
            comand = ["x"]
            command = ["x"]
            attributes = [{ name = "a", tpe = "string" }, { name = "b", type = "int" }, { type = "string" }, "c", { name = "a" }]
            "#,
    ));
}
