//! What sessions of the agent take without their model, for `just bench-agent`.
//!
//! `load ROUNDS SESSIONS` (1000, 100). The model is a script inside the process that reads 2 KB of a file each turn. Prints, as
//! Markdown: the processor time of a tool round by the length of the session, the memory of sessions that are open at once,
//! and how much of the requests of a session of 30 turns is the same to the byte as in the request before. Linux only.

use std::error::Error as StdError;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use attractor_agent::prompt::{PromptParts, build_system_prompt};
use attractor_agent::shared::SharedWorker;
use attractor_agent::{
    AllowAll, Budget, Limits, NoPerson, ProviderProfile, Session, SessionConfig, SessionSetup,
    SystemClock, Workspace, core_tools,
};
use attractor_exec::{LocalEnvironment, Redactor};
use attractor_llm::{
    Client, Error, ErrorKind, EventStream, Finish, FinishReason, ProviderAdapter, Request,
    Response, StreamEvent, TokenUsage, ToolCallContent,
};
use futures::StreamExt;
use futures::future::join_all;
use serde_json::json;

type Failure = Box<dyn StdError>;

/// A model that reads a file in every turn but the last one.
#[derive(Default)]
struct Reader {
    turns: u64,
    calls: AtomicU64,
    /// What the provider would cache: tools, instructions and messages of every request, in this order.
    requests: Option<Mutex<Vec<String>>>,
}

#[async_trait]
impl ProviderAdapter for Reader {
    fn provider_name(&self) -> &'static str {
        "anthropic"
    }

    fn detect_model(&self, _: &str) -> bool {
        true
    }

    async fn complete(&self, _: &Request) -> Result<Response, Error> {
        Err(Error::new(ErrorKind::InvalidRequest, "sessions stream"))
    }

    async fn stream(&self, request: &Request) -> Result<EventStream, Error> {
        if let Some(requests) = &self.requests {
            let messages: Vec<String> = request
                .messages
                .iter()
                .map(|message| json!(message).to_string())
                .collect();
            let text = format!(
                "{}{}{}",
                json!(request.tools),
                request.system_prompt,
                messages.concat()
            );
            let mut requests = requests.lock().unwrap_or_else(PoisonError::into_inner);
            requests.push(text);
        }
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let ends = request.messages.len() as u64 > 2 * self.turns - 2;
        let start = StreamEvent::StreamStart {
            provider: "anthropic".to_owned(),
            model: "claude-sonnet-5-5".to_owned(),
            id: format!("msg_{number}"),
            usage: None,
            warnings: Vec::new(),
            rate_limit: None,
        };
        let answer = if ends {
            StreamEvent::TextDelta {
                part: 0,
                text: "Done.".to_owned(),
            }
        } else {
            // Different lines, so that the calls do not repeat.
            let arguments = json!({"path": "notes.txt", "offset": number, "limit": 40}).to_string();
            let id = format!("call_{number}");
            StreamEvent::ToolCallEnd {
                part: 0,
                tool_call: ToolCallContent::parse(id, "read_file", arguments),
            }
        };
        let reason = if ends {
            FinishReason::Stop
        } else {
            FinishReason::ToolUse
        };
        let finish = StreamEvent::Finish {
            finish: Finish::new(reason, "raw"),
            usage: TokenUsage {
                input_tokens: 1000,
                output_tokens: 50,
                ..TokenUsage::default()
            },
            latency_ms: 0.0,
            metadata: serde_json::Map::new(),
        };
        let events = [start, answer, finish].map(Ok);
        Ok(futures::stream::iter(events).boxed())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |word| word.parse());
    let (rounds, sessions) = (number(1000)?, number(100)?);
    let folder = tempfile::tempdir()?;
    let line = "A line of a file that the agent reads again and again.\n";
    fs::write(
        folder.path().join("notes.txt"),
        line.repeat(2 * usize::try_from(rounds)?),
    )?;

    println!("| tool rounds of a session | CPU ms per round |");
    println!("|---|---|");
    for rounds in [rounds / 4, rounds / 2, rounds] {
        let before = cpu_ms()?;
        let reader = Reader {
            turns: rounds + 1,
            ..Reader::default()
        };
        work(&setup(Arc::new(reader), &folder).await?).await?;
        println!(
            "| {rounds} | {:.3} |",
            (cpu_ms()? - before) / precise(rounds)
        );
    }

    let reader = Arc::new(Reader {
        turns: 11,
        ..Reader::default()
    });
    let setup_of_all = setup(Arc::clone(&reader) as _, &folder).await?;
    work(&setup_of_all).await?;
    let before = resident_kb()?;
    let all = (0..sessions).map(|_| open(&setup_of_all));
    let all = join_all(all).await;
    let after = resident_kb()?;
    println!("\n| sessions at once, of 10 tool rounds each | memory of each |");
    println!("|---|---|");
    let each = (after - before) / precise(all.len() as u64);
    println!("| {} | {each:.0} kB |", all.len());
    for session in all.into_iter().flatten() {
        session.shutdown().await;
    }

    let reader = Arc::new(Reader {
        turns: 30,
        requests: Some(Mutex::default()),
        ..Reader::default()
    });
    work(&setup(Arc::clone(&reader) as _, &folder).await?).await?;
    let requests = reader.requests.as_ref().ok_or("no requests")?;
    let requests = requests.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut same, mut possible) = (0, 0);
    for (one, next) in requests.iter().zip(requests.iter().skip(1)) {
        let equal = one.bytes().zip(next.bytes()).take_while(|(a, b)| a == b);
        same += equal.count() as u64;
        possible += one.len() as u64;
    }
    println!("\n| turns | prefix that is the same, of the possible |");
    println!("|---|---|");
    println!(
        "| {} | {:.3} |",
        requests.len(),
        precise(same) / precise(possible)
    );
    Ok(())
}

async fn setup(
    adapter: Arc<dyn ProviderAdapter>,
    folder: &tempfile::TempDir,
) -> Result<SessionSetup, Failure> {
    let profile = ProviderProfile::of("anthropic");
    let execution = LocalEnvironment;
    let parts = PromptParts::read(&profile, folder.path(), None, "2026-11-23", &execution).await;
    Ok(SessionSetup {
        config: SessionConfig {
            model_id: "sonnet".to_owned(),
            max_subagent_depth: 0,
            context_window: u64::MAX / 10,
            compaction: false,
            ..SessionConfig::default()
        },
        client: Client::builder().adapter(adapter).build()?,
        request: Request::default(),
        system_prompt: build_system_prompt(&profile, &parts),
        update: None,
        tools: profile.select(&core_tools()),
        policy: Arc::new(AllowAll),
        hooks: Arc::default(),
        person: Arc::new(NoPerson),
        workspace: Arc::new(Workspace::open(folder.path())?),
        environment: Arc::new(execution),
        redactor: Arc::new(Redactor::default()),
        budget: Budget::new(Limits::default()),
        shared: SharedWorker::default(),
        journal: None,
        clock: Arc::new(SystemClock),
        run: "bench".to_owned(),
        step: "1".to_owned(),
    })
}

/// A session that has worked on an input, and is still open.
async fn open(setup: &SessionSetup) -> Option<Session> {
    let (session, events) = Session::start(setup.clone());
    drop(events);
    session.submit("Read the notes.").await.ok()?;
    Some(session)
}

async fn work(setup: &SessionSetup) -> Result<(), Failure> {
    let session = open(setup).await.ok_or("the session failed")?;
    session.shutdown().await;
    Ok(())
}

/// The processor time of this process, in milliseconds; the kernel counts it in hundredths of a second.
fn cpu_ms() -> Result<f64, Failure> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = text.rsplit_once(')').ok_or("no time")?;
    let times = fields.split_whitespace().skip(11).take(2);
    let ticks: Vec<u64> = times.map(str::parse).collect::<Result<_, _>>()?;
    Ok(precise(ticks.iter().sum()) * 10.0)
}

fn resident_kb() -> Result<f64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    Ok(number.ok_or("no memory")?.parse()?)
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn precise(count: u64) -> f64 {
    count as f64
}
