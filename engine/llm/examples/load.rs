//! Reads streams of one server as fast as it can, for `just bench-llm`.
//!
//! `load API URL STREAMS ROUNDS` opens STREAMS streams at once, ROUNDS times, and prints as JSON how many pieces of text
//! arrived and how many milliseconds the first one took, as a median of all streams.

use std::time::Instant;

use attractor_llm::{Client, Endpoint, Request, StreamEvent};
use futures::StreamExt;
use futures::future::try_join_all;

type Failure = Box<dyn std::error::Error>;

/// The adapter and model of each API.
const APIS: [(&str, &str, &str); 4] = [
    ("anthropic", "anthropic", "claude-sonnet-5-5"),
    ("openai", "openai", "gpt-6-luna"),
    ("google", "google", "gemini-3.8-flash"),
    ("chat", "openai-compatible", "gpt-oss:20b"),
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [api, url, streams, rounds] = arguments.as_slice() else {
        return Err("usage: load API URL STREAMS ROUNDS".into());
    };
    let known = APIS.iter().find(|(name, _, _)| name == api);
    let (_, provider, model) = known.ok_or("unknown API")?;
    let streams: usize = streams.parse()?;
    let endpoint = Endpoint::new(url.as_str(), Some("sk-bench".to_owned().into()));
    let client = Client::builder()
        .endpoint(provider, endpoint)
        .default_provider(*provider)
        .build()?;
    let (mut pieces, mut first) = (0, Vec::new());
    for _ in 0..rounds.parse()? {
        let reading = (0..streams).map(|_| read(&client, provider, model));
        for (count, milliseconds) in try_join_all(reading).await? {
            pieces += count;
            first.push(milliseconds);
        }
    }
    first.sort_by(f64::total_cmp);
    let median = first.get(first.len() / 2).copied().unwrap_or_default();
    println!("{{\"pieces\": {pieces}, \"first_ms\": {median:.3}}}");
    Ok(())
}

/// How many pieces of text a stream has, and when the first one arrived.
async fn read(client: &Client, provider: &str, model: &str) -> Result<(usize, f64), Failure> {
    let begun = Instant::now();
    let mut request = Request::prompt(model, "Say something.");
    request.provider = Some(provider.to_owned());
    request.max_tokens = Some(1000);
    let mut events = client.stream(request).await?;
    let (mut pieces, mut first) = (0, 0.0);
    while let Some(event) = events.next().await {
        if matches!(event?, StreamEvent::TextDelta { .. }) {
            if pieces == 0 {
                first = begun.elapsed().as_secs_f64() * 1000.0;
            }
            pieces += 1;
        }
    }
    Ok((pieces, first))
}
