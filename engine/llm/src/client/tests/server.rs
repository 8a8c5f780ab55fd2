//! A server on a socket that answers as it is scripted, byte by byte, and sees when a client hangs up.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What a connection is answered.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// A whole answer.
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// An event stream that ends the connection.
    Stream(String),
    /// An event stream after which nothing comes and the connection stays open.
    Hang(String),
    /// An event stream without line ends, a byte every few milliseconds.
    Drip,
}

impl Reply {
    pub(super) fn json(status: u16, body: &serde_json::Value) -> Self {
        let headers = vec![("content-type", "application/json".to_owned())];
        Self::Answer {
            status,
            headers,
            body: body.to_string(),
        }
    }

    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Self::Answer { headers, .. } = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }
}

pub(super) struct Server {
    pub(super) url: String,
    requests: Arc<Mutex<Vec<String>>>,
    hang_ups: mpsc::UnboundedReceiver<()>,
}

impl Server {
    /// Answers each connection with the next reply, and with the last one from then on.
    pub(super) async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let (send, hang_ups) = mpsc::unbounded_channel();
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (replies, seen, send) = (replies.clone(), Arc::clone(&seen), send.clone());
                tokio::spawn(async move { serve(socket, &replies, &seen, &send).await });
            }
        });
        Self {
            url,
            requests,
            hang_ups,
        }
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until a client has closed its connection.
    pub(super) async fn hang_up(&mut self) {
        self.hang_ups.recv().await.unwrap();
    }
}

async fn serve(
    mut socket: TcpStream,
    replies: &[Reply],
    seen: &Mutex<Vec<String>>,
    hang_ups: &mpsc::UnboundedSender<()>,
) {
    while let Some(request) = read_request(&mut socket).await {
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(request);
            seen.len() - 1
        };
        let reply = replies.get(number).or(replies.last()).unwrap();
        let stream_head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        match reply {
            Reply::Answer {
                status,
                headers,
                body,
            } => {
                let headers = headers.iter().fold(String::new(), |all, (name, value)| {
                    all + name + ": " + value + "\r\n"
                });
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n{headers}\r\n",
                    body.len()
                );
                let _ = socket.write_all((head + body).as_bytes()).await;
            }
            Reply::Stream(body) => {
                let _ = socket
                    .write_all(format!("{stream_head}{body}").as_bytes())
                    .await;
                return;
            }
            Reply::Hang(body) => {
                let _ = socket
                    .write_all(format!("{stream_head}{body}").as_bytes())
                    .await;
                let _ = socket.read(&mut [0; 1]).await;
                let _ = hang_ups.send(());
                return;
            }
            Reply::Drip => {
                let _ = socket.write_all(stream_head.as_bytes()).await;
                while socket.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
                return;
            }
        }
    }
}

async fn read_request(socket: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_lowercase()
                    .strip_prefix("content-length: ")?
                    .parse()
                    .ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        match socket.read(&mut buffer).await {
            Ok(count) if count > 0 => bytes.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
}
