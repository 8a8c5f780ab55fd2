//! The stream over all runs.

use attractor_run::RunId;
use axum::body::BodyDataStream;
use futures::StreamExt;

use super::*;

const PASSES: &str = "digraph passes { a [shape=Mdiamond]; b [type=tool, command=\"true\"]; c [shape=Msquare]; a -> b -> c }";

/// A stream that is read frame by frame.
struct Reader {
    body: BodyDataStream,
    text: String,
}

/// A frame: its id and its data.
type Frame = (String, Value);

fn frame(text: &str) -> Option<Frame> {
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let data: Value = serde_json::from_str(field("data: ")?).unwrap();
    assert_eq!(data["type"], field("event: ").unwrap());
    Some((field("id: ").unwrap().to_owned(), data))
}

impl Reader {
    async fn open(bench: &Bench, path: &str) -> Self {
        let request = request("GET", path).body(Body::empty()).unwrap();
        let response = bench.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            body: response.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    /// The next frame; none at the end of the stream.
    async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some((first, rest)) = self.text.split_once("\n\n") {
                let (first, rest) = (frame(first), rest.to_owned());
                self.text = rest;
                if first.is_some() {
                    return first;
                }
                continue;
            }
            let bytes = self.body.next().await?.unwrap();
            self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }

    /// Reads until a frame with such data.
    async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Frame {
        loop {
            let frame = self.next().await.unwrap();
            if fits(&frame.1) {
                return frame;
            }
        }
    }

    /// Reads until the run has that status.
    async fn status(&mut self, id: &str, status: &str) -> Value {
        let (_, data) = self
            .until(|data| data["pipeline"]["id"] == id && data["pipeline"]["status"] == status)
            .await;
        data["pipeline"].clone()
    }
}

/// What a reader gets that does not wait for more.
async fn so_far(bench: &Bench, last: Option<&str>) -> Vec<Frame> {
    let mut request = request("GET", "/events?follow=false");
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let reply = bench.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    reply.text.split("\n\n").filter_map(frame).collect()
}

#[tokio::test]
async fn a_run_is_followed_from_its_start_to_its_end() {
    let bench = Bench::new();
    let mut reader = Reader::open(&bench, "/events").await;
    let (_, first) = reader.next().await.unwrap();
    assert_eq!(
        first,
        json!({ "type": "snapshot", "pipelines": [], "total": 0 })
    );
    let id = bench.submit(GATED).await;
    let waiting = reader.status(&id, "waiting").await;
    assert_eq!(waiting["node"], "review");
    let path = format!("/pipelines/{id}/questions");
    let question = bench.get(&path).await.json()["questions"][0]["id"].clone();
    assert_eq!(waiting["questions"], json!([question]));
    let path = format!("{path}/{}/answer", question.as_str().unwrap());
    bench.post(&path, json!({ "answer": "approve" })).await;
    let ended = reader.status(&id, "success").await;
    assert_eq!(ended["questions"], json!([]));
    assert_eq!(ended["done"], ended["nodes"]);
    let listed = bench.get("/pipelines").await.json();
    assert_eq!(listed["pipelines"], json!([ended]));
}

#[tokio::test]
async fn a_reader_continues_after_the_last_frame_it_has() {
    let bench = Bench::new();
    let first = bench.submit(PASSES).await;
    bench.until(&first, "success").await;
    let frames = so_far(&bench, None).await;
    let [(id, snapshot)] = &frames[..] else {
        unreachable!("one snapshot: {frames:?}")
    };
    assert_eq!(snapshot["pipelines"][0]["id"], first);
    assert_eq!(so_far(&bench, Some(id)).await, []);
    let second = bench.submit(PASSES).await;
    bench.until(&second, "success").await;
    let frames = so_far(&bench, Some(id)).await;
    let (_, last) = frames.last().unwrap();
    assert_eq!(last["pipeline"]["id"], second);
    assert_eq!(last["pipeline"]["status"], "success");
    assert!(frames.iter().all(|(_, data)| data["type"] == "changed"));
    // Ids of another server, and texts that are not ids.
    for unknown in [
        "01JD2Z6V0QK3M5T7W9X1B3D5F7-2",
        "7",
        "",
        &format!("{id}9999"),
    ] {
        let frames = so_far(&bench, Some(unknown)).await;
        assert_eq!(frames.len(), 1, "{unknown}");
        assert_eq!(frames[0].1["total"], 2, "{unknown}");
    }
}

#[tokio::test]
async fn a_snapshot_has_the_newest_runs() {
    let bench = Bench::new();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = bench.submit(PASSES).await;
        bench.until(&id, "success").await;
        ids.push(id);
    }
    let mut reader = Reader::open(&bench, "/events?limit=2&follow=false").await;
    let (_, snapshot) = reader.next().await.unwrap();
    assert_eq!(snapshot["total"], 3);
    let shown: Vec<&Value> = snapshot["pipelines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["id"])
        .collect();
    assert_eq!(shown, [&ids[2], &ids[1]]);
    assert!(reader.next().await.is_none());
}

/// A server of the same folder, as another process would be.
fn neighbor(bench: &Bench) -> Bench {
    let runs_dir = bench.folder.path().join("runs");
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::builder()
        .on_missing_interviewer(OnMissingInterviewer::Wait)
        .runs_dir(&runs_dir)
        .build()
        .unwrap();
    let options = ServeOptions {
        engine: engine.clone(),
        project: folder.path().to_owned(),
        approvals: Approvals::new(None),
        submissions: Submissions {
            engine,
            folder: folder.path().join("submissions"),
            handlers: AllowedHandlers::All,
        },
        runs_dir,
        hosts: Vec::new(),
        token: Token::of("secret"),
        notifier: None,
        limits: ServeLimits::default(),
    };
    Bench::of(options, folder)
}

#[tokio::test]
async fn runs_of_others_appear_change_and_disappear() {
    let bench = Bench::new();
    let other = neighbor(&bench);
    let mut reader = Reader::open(&bench, "/events").await;
    let id = other.submit(GATED).await;
    reader.status(&id, "waiting").await;
    let cancel = format!("/pipelines/{id}/cancel");
    other.post(&cancel, json!({})).await;
    reader.status(&id, "cancelled").await;
    other.until(&id, "cancelled").await;
    // It has ended, and may be continued all the same.
    let resume = format!("/pipelines/{id}/resume");
    while other.post(&resume, json!({})).await.status != StatusCode::ACCEPTED {
        tokio::task::yield_now().await;
    }
    reader.status(&id, "waiting").await;
    other.post(&cancel, json!({})).await;
    reader.status(&id, "cancelled").await;
    let runs = bench.folder.path().join("runs");
    std::fs::remove_dir_all(runs.join(&id)).unwrap();
    let (_, removed) = reader.until(|data| data["type"] == "removed").await;
    assert_eq!(removed["id"], id);
    // The whole folder may be removed and made again.
    std::fs::remove_dir_all(&runs).unwrap();
    let id = other.submit(PASSES).await;
    reader.status(&id, "success").await;
}

#[tokio::test]
async fn a_list_reads_only_what_changed() {
    let bench = Bench::new();
    let runs = bench.folder.path().join("runs");
    let id = bench.submit(PASSES).await;
    bench.until(&id, "success").await;
    let other = neighbor(&bench);
    let list = async || other.get("/pipelines").await.json()["pipelines"].clone();
    let listed = list().await;
    assert_eq!(listed[0]["status"], "success");
    // A run that has ended well does not change: the list does not need its files any more.
    std::fs::write(runs.join(&id).join("journal.jsonl"), "").unwrap();
    std::fs::remove_file(runs.join(&id).join("checkpoint.json")).unwrap();
    assert_eq!(list().await, listed);
    // What is not a run, or not a complete one, is not listed.
    std::fs::create_dir(runs.join(RunId::generate().as_str())).unwrap();
    std::fs::create_dir(runs.join("notes")).unwrap();
    assert_eq!(list().await, listed);
}

#[tokio::test]
async fn the_streams_end_with_the_server() {
    let bench = Bench::new();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut reader = Reader::open(&bench, "/events").await;
    let id = bench.submit(GATED).await;
    reader.status(&id, "waiting").await;
    let serving = tokio::spawn(bench.server.serve(listener, std::future::ready(())));
    reader.status(&id, "interrupted").await;
    while reader.next().await.is_some() {}
    serving.await.unwrap();
}
