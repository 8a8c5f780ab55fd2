//! Sending a notification, and trying again.

use std::time::Duration;

use attractor_exec::{
    ExecutionEnvironment, Exit, Job, LocalEnvironment, Output, OutputStream, signature,
};
use attractor_llm::http_client;
use serde_json::Value;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// The most time of one attempt.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The pauses between attempts, in seconds.
const PAUSES: [u64; 4] = [1, 4, 16, 64];

/// How notifications leave.
pub(super) enum Sender {
    Command(Vec<String>),
    Webhook {
        client: reqwest::Client,
        url: url::Url,
        key: String,
    },
}

/// Why an attempt failed.
enum Failed {
    /// Another attempt may succeed.
    ForNow(String),
    /// The receiver does not want it.
    ForGood(String),
}

impl Sender {
    pub(super) fn command(argv: Vec<String>) -> Self {
        Self::Command(argv)
    }

    pub(super) fn webhook(url: &str, key: String) -> Result<Self, String> {
        let url: url::Url = url
            .parse()
            .map_err(|error| format!("`notify.url` is not an address: {error}"))?;
        let client = http_client(&url).timeout(TIMEOUT).build();
        let client = client.map_err(|error| error.to_string())?;
        Ok(Self::Webhook { client, url, key })
    }

    /// Sends a notification; where that fails for now, again after a while.
    pub(super) async fn deliver(&self, body: &Value) -> Result<(), String> {
        let text = body.to_string();
        let mut pauses = PAUSES.into_iter();
        loop {
            let reason = match self.attempt(&text).await {
                Ok(()) => return Ok(()),
                Err(Failed::ForGood(reason)) => return Err(reason),
                Err(Failed::ForNow(reason)) => reason,
            };
            let Some(pause) = pauses.next() else {
                return Err(reason);
            };
            sleep(Duration::from_secs(pause)).await;
        }
    }

    async fn attempt(&self, text: &str) -> Result<(), Failed> {
        match self {
            Self::Command(argv) => start(argv, text).await,
            Self::Webhook { client, url, key } => {
                let now = jiff::Timestamp::now().as_second().to_string();
                // The time is signed, too, so that an old notification cannot be sent once more.
                let signed = signature(key, &format!("{now}.{text}"));
                let request = client
                    .post(url.clone())
                    .header("content-type", "application/json")
                    .header("attractor-timestamp", now)
                    .header("attractor-signature", format!("sha256={signed}"))
                    .body(text.to_owned());
                let answer = request.send().await;
                let answer =
                    answer.map_err(|error| Failed::ForNow(error.without_url().to_string()))?;
                let status = answer.status();
                let reason = format!("the receiver answers {status}");
                match status.as_u16() {
                    200..=299 => Ok(()),
                    408 | 429 | 500..=599 => Err(Failed::ForNow(reason)),
                    _ => Err(Failed::ForGood(reason)),
                }
            }
        }
    }
}

/// What a program prints is not for anybody.
struct Silent;

impl Output for Silent {
    fn piece(&self, _: OutputStream, _: &[u8]) {}
}

async fn start(argv: &[String], text: &str) -> Result<(), Failed> {
    let job = Job {
        argv: argv.to_vec(),
        directory: std::env::temp_dir(),
        stdin: Some(text.to_owned()),
        timeout: Some(TIMEOUT),
        ..Job::default()
    };
    let stop = CancellationToken::new();
    let result = LocalEnvironment.run(job, &Silent, &stop).await;
    match result.map(|result| result.exit) {
        Ok(Exit::Code(0)) => Ok(()),
        Ok(exit) => Err(Failed::ForNow(format!("the command ends with {exit:?}"))),
        Err(error) => Err(Failed::ForGood(format!(
            "the command cannot be started: {error}"
        ))),
    }
}
