//! A chat in the terminal.
//!
//! ```sh
//! cargo run -p attractor-llm --example chat                          # a small server inside the example
//! OPENAI_COMPATIBLE_BASE_URL=http://127.0.0.1:11434/v1 \
//!     cargo run -p attractor-llm --example chat -- qwen3             # Ollama
//! ANTHROPIC_API_KEY=... cargo run -p attractor-llm --example chat -- haiku
//! ```

use std::io::{BufRead, Write};

use attractor_llm::{Client, Endpoint, Message, Request, StreamCollector, StreamEvent};
use futures::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let (client, model) = match std::env::args().nth(1) {
        Some(model) => (
            Client::builder()
                .from_env()
                .default_provider("openai-compatible")
                .build()?,
            model,
        ),
        None => (local().await?, "echo".to_owned()),
    };
    let mut conversation = Request::new(model, []);
    for line in std::io::stdin().lock().lines() {
        conversation.messages.push(Message::user(line?));
        let mut stream = client.stream(conversation.clone()).await?;
        let mut collector = StreamCollector::default();
        while let Some(event) = stream.next().await {
            let event = event?;
            collector.process_event(&event);
            if let StreamEvent::TextDelta { text, .. } = &event {
                print!("{text}");
                std::io::stdout().flush()?;
            }
        }
        let response = collector.to_response();
        println!(
            "\n[{} in {} out]",
            response.usage.input_tokens, response.usage.output_tokens
        );
        conversation.messages.push(response.message);
    }
    Ok(())
}

/// A client for a server in this process.
async fn local() -> Result<Client, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/v1", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(async move { serve(socket).await.ok() });
        }
    });
    let endpoint = Endpoint::new(url, None);
    Ok(Client::builder()
        .endpoint("openai-compatible", endpoint)
        .default_provider("openai-compatible")
        .build()?)
}

/// Answers one request of Chat Completions by repeating its last message, a word an event.
async fn serve(mut socket: TcpStream) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let body = loop {
        let mut buffer = [0; 4096];
        let count = socket.read(&mut buffer).await?;
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let text = String::from_utf8_lossy(&bytes);
        let body = text
            .split_once("\r\n\r\n")
            .and_then(|(_, body)| serde_json::from_str(body).ok());
        if let Some(body) = body {
            break body;
        }
        if count == 0 {
            return Ok(());
        }
    };
    let body: serde_json::Value = body;
    let messages = body
        .get("messages")
        .and_then(|messages| messages.as_array());
    let content = messages.and_then(|messages| messages.last()?.get("content")?.as_str());
    let text = content.unwrap_or_default();
    socket
        .write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
        )
        .await?;
    for word in format!("You said: {text}").split_inclusive(' ') {
        let chunk = serde_json::json!({"choices": [{"delta": {"content": word}}]});
        socket
            .write_all(format!("data: {chunk}\n\n").as_bytes())
            .await?;
    }
    let last = serde_json::json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    socket
        .write_all(format!("data: {last}\n\ndata: [DONE]\n\n").as_bytes())
        .await
}
