//! Servers that play a part: over streams, as a process and over HTTP.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use attractor_exec::Redactor;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::tools::tests::Fixture;

/// How the server in a test behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Behaviour {
    Works,
    HangsAtStart,
    HangsOnCall,
    DiesOnCall,
}

/// The answer to a message; none for a notification.
fn answer(message: &Value) -> Option<Value> {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let tool = |name: &str, schema: &Value| json!({"name": name, "description": "Test.", "inputSchema": schema});
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "stub", "version": "1"},
        }),
        "tools/list" if message["params"]["cursor"].is_null() => json!({
            "tools": [tool("shout", &schema), tool("fail", &schema)], "nextCursor": "2",
        }),
        "tools/list" => json!({"tools": [
            tool("echo", &schema), tool("echo", &schema), tool("bad", &json!({"type": "string"})),
        ]}),
        "tools/call" if message["params"]["name"] == "fail" => json!({
            "content": [{"type": "text", "text": "it failed"}], "isError": true,
        }),
        "tools/call" => json!({"content": [
            {"type": "text", "text": message["params"]["arguments"]["text"]},
        ]}),
        _ => return None,
    };
    message.get("id")?;
    Some(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
}

async fn serve(stream: DuplexStream, behaviour: Behaviour) {
    let (input, mut output) = tokio::io::split(stream);
    let mut lines = BufReader::new(input).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let message: Value = serde_json::from_str(&line).unwrap();
        let is_call = message["method"] == "tools/call";
        match behaviour {
            Behaviour::HangsAtStart => continue,
            Behaviour::HangsOnCall if is_call => continue,
            Behaviour::DiesOnCall if is_call => return,
            _ => {}
        }
        if let Some(answer) = answer(&message) {
            let line = format!("{answer}\n");
            output.write_all(line.as_bytes()).await.unwrap();
        }
    }
}

fn server() -> McpServer {
    let command = vec!["unused".to_owned()];
    McpServer::new(
        "stub",
        McpTransport::Stdio {
            command,
            environment: Vec::new(),
        },
    )
}

/// A session's tools with those of a server.
async fn connected(behaviour: Behaviour) -> Result<(Fixture, Vec<String>), String> {
    let (near, far) = tokio::io::duplex(64 * 1024);
    tokio::spawn(serve(far, behaviour));
    let (output, input) = tokio::io::split(near);
    let connection = Connection::over(&server(), output, input).await?;
    let mut servers = listed(&server(), connection).await?;
    servers.tools.sort_by_key(|tool| tool.definition().name);
    let mut fixture = Fixture::new(&[]);
    servers.register(&mut fixture.tools);
    let problems = servers.problems.iter().map(ToString::to_string);
    Ok((fixture, problems.collect()))
}

#[tokio::test(start_paused = true)]
async fn tools_of_a_server_are_named_listed_and_called() {
    let (one, problems) = connected(Behaviour::Works).await.unwrap();
    let names = one.tools.tool_names();
    let names: Vec<&str> = names
        .into_iter()
        .filter(|name| name.contains("__"))
        .collect();
    assert_eq!(names, ["stub__echo", "stub__fail", "stub__shout"]);
    assert_eq!(
        problems,
        [
            "MCP server stub: it has two tools with the name `stub__echo`",
            "MCP server stub: the parameters of the tool `bad` are not an object",
        ]
    );
    let text = json!({"text": "hi"});
    assert_eq!(one.call("stub__echo", text.clone()).await, "hi");
    assert_eq!(one.call("stub__fail", text).await, "error: it failed");
}

#[tokio::test(start_paused = true)]
async fn servers_that_hang_or_end_are_errors() {
    let error = connected(Behaviour::HangsAtStart)
        .await
        .map(|_| ())
        .unwrap_err();
    assert_eq!(error, "the handshake took more than 30 seconds");
    let (one, _) = connected(Behaviour::HangsOnCall).await.unwrap();
    assert_eq!(
        one.call("stub__echo", json!({})).await,
        "error: MCP server stub: the call took more than 60 seconds"
    );
    let (one, _) = connected(Behaviour::DiesOnCall).await.unwrap();
    for _ in 0..2 {
        let ended = one.call("stub__echo", json!({})).await;
        assert_eq!(ended, "error: MCP server stub: it has ended");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_ends_a_call() {
    let (one, _) = connected(Behaviour::HangsOnCall).await.unwrap();
    one.context.cancel.cancel();
    let cancelled = one.call("stub__echo", json!({})).await;
    assert_eq!(
        cancelled,
        "error: MCP server stub: the session was cancelled"
    );
}

fn process(directory: &Path) -> McpProcess {
    McpProcess {
        directory: directory.to_owned(),
        run: "mcp-test".to_owned(),
        step: "1".to_owned(),
        redactor: Arc::new(Redactor::default()),
    }
}

/// A server of three messages, as a shell script.
const SCRIPT: &str = r#"
while read -r line; do
  id=${line##*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"env","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) result="{\"content\":[{\"type\":\"text\",\"text\":\"$GREETING,$STUB_API_KEY\"}]}" ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

fn script(name: &str, text: &str) -> McpServer {
    let transport = McpTransport::Stdio {
        command: ["sh", "-c", text].map(str::to_owned).to_vec(),
        environment: vec![("GREETING".to_owned(), "hello".to_owned())],
    };
    McpServer::new(name, transport)
}

#[tokio::test]
async fn a_program_is_started_with_its_variables() {
    let mut one = Fixture::new(&[]);
    let servers = [
        script("works", SCRIPT),
        script("ends", "echo no key >&2; exit 1"),
        McpServer {
            start_timeout: Duration::from_millis(100),
            ..script("hangs", "sleep 1000")
        },
        McpServer::new(
            "missing",
            McpTransport::Stdio {
                command: vec!["no-such-server".to_owned()],
                environment: Vec::new(),
            },
        ),
    ];
    let connected = McpServers::connect(&servers, &process(one.outside())).await;
    connected.register(&mut one.tools);
    assert_eq!(one.call("works__env", json!({})).await, "hello,");
    let problems: Vec<String> = connected.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems[0],
        "MCP server ends: the handshake failed: it ended; it wrote: no key"
    );
    assert_eq!(
        problems[1],
        "MCP server hangs: the handshake took more than 0.1 seconds"
    );
    assert!(
        problems[2].starts_with("MCP server missing: `no-such-server` cannot be started"),
        "{problems:?}"
    );
}

/// Answers one request of the streamable HTTP transport.
async fn serve_http(mut stream: TcpStream, key: &str) -> Option<()> {
    let mut request = Vec::new();
    let body = loop {
        let mut buffer = [0; 4096];
        let read = stream
            .read(&mut buffer)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        request.extend_from_slice(buffer.get(..read)?);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let head = head.to_ascii_lowercase();
        assert!(
            head.contains(&format!("authorization: bearer {key}")),
            "{head}"
        );
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if length.map_or(0, |length| length.parse().unwrap()) == body.len() {
            break body.to_owned();
        }
    };
    let message = serde_json::from_str(&body).unwrap_or_default();
    let response = match answer(&message) {
        Some(answer) => {
            let body = answer.to_string();
            format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            )
        }
        None if body.is_empty() => {
            "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
                .to_owned()
        }
        None => {
            "HTTP/1.1 202 Accepted\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_owned()
        }
    };
    stream.write_all(response.as_bytes()).await.ok()
}

fn http(url: String) -> McpServer {
    let headers = vec![("Authorization".to_owned(), "Bearer secret".to_owned())];
    McpServer::new("web", McpTransport::Http { url, headers })
}

#[tokio::test]
async fn a_server_over_http_is_called_with_its_key() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve_http(stream, "secret"));
        }
    });
    let mut one = Fixture::new(&[]);
    let connected = McpServers::connect(&[http(url)], &process(one.outside())).await;
    connected.register(&mut one.tools);
    assert_eq!(one.call("web__echo", json!({"text": "hi"})).await, "hi");
}

#[tokio::test]
async fn keys_are_not_sent_in_the_clear() {
    let one = Fixture::new(&[]);
    let server = http("http://example.com/mcp".to_owned());
    assert!(!format!("{server:?}").contains("secret"));
    let connected = McpServers::connect(&[server], &process(one.outside())).await;
    assert_eq!(
        connected.problems[0].to_string(),
        "MCP server web: refused the address `http://example.com/mcp`: use `https://`, or `http://` to this machine"
    );
}
