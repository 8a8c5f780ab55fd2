//! From a command to a running pipeline: find it, check it, ask about trust, start it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use attractor_ide::model::Pipeline;
use attractor_run::{Consent, Launch, Mode, People, RunError, Script, Source, gather, read_input};
use lsp_types::{MessageActionItem, MessageType, Uri};
use rustc_hash::FxHashSet;
use serde_json::Value;

use super::commands::consent;
use super::{Live, show, views};
use crate::errors::{Mistake, Refusal};
use crate::ext::commands::{RunArgs, RunMode};
use crate::session::{Session, View};
use crate::settings::WorkspaceTrust;
use crate::sync::lock;
use crate::trust::question::Choice;
use crate::trust::{Subject, question};
use crate::workspace;

/// Mistakes told with a refusal.
const MOST_MISTAKES: usize = 10;

/// Subjects whose question waits for an answer, so that nobody is asked twice at once.
pub(crate) type Asking = Mutex<FxHashSet<Subject>>;

/// A pipeline with everything its run needs, as it was when the command came.
#[derive(Clone)]
pub(crate) struct Prepared {
    uri: Uri,
    file: PathBuf,
    /// The run, but for what the person asks for.
    launch: Launch,
    /// Everything it can do.
    consent: Arc<Consent>,
    /// What a choice about trust is about.
    pub(crate) subject: Subject,
}

/// Whether a pipeline may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It may.
    Granted,
    /// The person is being asked.
    Asked,
}

/// What the person asked for beyond the pipeline.
#[derive(Clone, Default)]
pub(crate) struct Wishes {
    /// What is real.
    pub(crate) mode: RunMode,
    /// Values for `vars`.
    pub(crate) inputs: BTreeMap<String, Value>,
    /// Where to begin.
    pub(crate) from: Option<String>,
}

impl From<RunArgs> for Wishes {
    fn from(args: RunArgs) -> Self {
        Self {
            mode: args.mode,
            inputs: read_inputs(args.inputs),
            from: args.from,
        }
    }
}

/// The inputs a client sends: what a person typed into a box arrives as text and is read as what it names.
fn read_inputs(inputs: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let read = |(name, value): (String, Value)| match &value {
        Value::String(written) => {
            let value = read_input(&name, written);
            (name, value)
        }
        _ => (name, value),
    };
    inputs.into_iter().map(read).collect()
}

/// Finds a pipeline of a document, open or not, and everything around it. Reads files.
pub(crate) async fn prepare(
    session: &Arc<Session>,
    uri: &Uri,
    graph: Option<&str>,
) -> Result<Prepared, Refusal> {
    let view = view(session, uri).await?;
    let (graph, uri) = (graph.map(str::to_owned), uri.clone());
    let prepared = tokio::task::spawn_blocking(move || from_view(&view, &uri, graph.as_deref()));
    prepared.await.unwrap_or(Err(Refusal::Broken))
}

/// What choices about a document are about: one subject per pipeline. Reads files.
pub(crate) async fn subjects(session: &Arc<Session>, uri: &Uri) -> Result<Vec<Subject>, Refusal> {
    let view = view(session, uri).await?;
    let uri = uri.clone();
    let find = move || {
        let graphs = view.document.analysis.graphs.iter();
        let pipelines: Vec<_> = graphs.filter_map(|graph| graph.pipeline.clone()).collect();
        if pipelines.is_empty() {
            return Err(Refusal::NoPipeline {
                uri: uri.as_str().to_owned(),
            });
        }
        let surrounded = pipelines
            .into_iter()
            .map(|pipeline| surround(&view, &uri, pipeline));
        surrounded.map(|prepared| Ok(prepared?.subject)).collect()
    };
    tokio::task::spawn_blocking(find)
        .await
        .map_err(|_| Refusal::Broken)?
}

/// A document as the client has it, else as it is on the disk.
pub(crate) async fn view(session: &Arc<Session>, uri: &Uri) -> Result<View, Refusal> {
    if let Some(snapshot) = session.documents.get(uri) {
        snapshot.read().await;
        return Ok(View::new(session, &snapshot));
    }
    let unreadable = |reason: &str| Refusal::Unreadable {
        uri: uri.as_str().to_owned(),
        reason: reason.to_owned(),
    };
    let path = workspace::path_of(uri).ok_or_else(|| unreadable("it is not a file"))?;
    let session = Arc::clone(session);
    let view = tokio::task::spawn_blocking(move || session.view_of_file(&path)).await;
    view.ok()
        .flatten()
        .ok_or_else(|| unreadable("it is not open, and there is no such file"))
}

fn from_view(view: &View, uri: &Uri, graph: Option<&str>) -> Result<Prepared, Refusal> {
    let pipeline = choose(view, uri, graph)?;
    check(view, &pipeline)?;
    surround(view, uri, pipeline)
}

fn surround(view: &View, uri: &Uri, pipeline: Arc<Pipeline>) -> Result<Prepared, Refusal> {
    let unreadable = || Refusal::Unreadable {
        uri: uri.as_str().to_owned(),
        reason: "save it first".to_owned(),
    };
    let file = workspace::path_of(uri).ok_or_else(unreadable)?;
    if let Some((path, problem)) = view.session.workspace.broken_configuration(&file) {
        return Err(Refusal::Configuration {
            path: path.display().to_string(),
            problem: problem.to_string(),
        });
    }
    let siblings: Vec<Arc<Pipeline>> = view
        .document
        .analysis
        .graphs
        .iter()
        .filter_map(|graph| graph.pipeline.clone())
        .collect();
    let surroundings = gather(
        &pipeline,
        &siblings,
        &view.document.options,
        view.files().as_ref(),
    );
    let text = Arc::clone(&view.document.text);
    let around = surroundings.files.iter().chain(&surroundings.sources);
    let parts: Vec<(String, String)> = std::iter::once((String::new(), text.to_string()))
        .chain(around.cloned())
        .collect();
    let source = Source {
        path: file.clone(),
        text,
    };
    let mut launch =
        Launch::new(pipeline, source).among(surroundings, view.document.options.clone());
    // As on the command line: commands run in the project's folder, paths in the file stay relative to it.
    launch.workdir = view.session.workspace.root_of(&file);
    launch.runs_dir = view.session.runs_dir(&file);
    launch.mode = Mode::Run;
    launch.people = People::Ask;
    let consent = Consent::of(&launch);
    let folder = view.session.workspace.folder_of(&file);
    let parts = parts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()));
    let subject = Subject::new(&file, folder.as_deref(), &consent, parts);
    Ok(Prepared {
        uri: uri.clone(),
        file,
        launch,
        consent: Arc::new(consent),
        subject,
    })
}

fn choose(view: &View, uri: &Uri, graph: Option<&str>) -> Result<Arc<Pipeline>, Refusal> {
    let graphs = view.document.analysis.graphs.iter();
    let pipelines: Vec<_> = graphs.filter_map(|graph| graph.pipeline.as_ref()).collect();
    let uri = uri.as_str().to_owned();
    let Some(first) = pipelines.first() else {
        return Err(Refusal::NoPipeline { uri });
    };
    let Some(graph) = graph else {
        return Ok(Arc::clone(first));
    };
    let named = pipelines.iter().find(|pipeline| pipeline.name == graph);
    named.map(|found| Arc::clone(found)).ok_or_else(|| {
        let known: Vec<_> = pipelines
            .iter()
            .map(|pipeline| pipeline.name.as_str())
            .collect();
        Refusal::UnknownGraph {
            uri,
            graph: graph.to_owned(),
            known: known.join(", "),
        }
    })
}

/// A pipeline with errors does not run.
fn check(view: &View, pipeline: &Pipeline) -> Result<(), Refusal> {
    let errors = view.document.analysis.errors_of(pipeline);
    let mine: Vec<_> = errors.collect();
    let mistakes: Vec<_> = mine
        .iter()
        .take(MOST_MISTAKES)
        .map(|finding| Mistake {
            rule: finding.rule,
            message: finding.message.clone(),
            line: view.position(finding.range.start()).line + 1,
        })
        .collect();
    if mistakes.is_empty() {
        return Ok(());
    }
    Err(Refusal::InvalidPipeline {
        pipeline: pipeline.name.clone(),
        mistakes,
        total: mine.len(),
    })
}

impl Prepared {
    /// One run of a graph at a time: two would fight over the same files.
    pub(crate) fn must_not_run_already(&self, session: &Session) -> Result<(), Refusal> {
        match session.runs.live_of(&self.file, &self.launch.pipeline.name) {
            Some(live) => Err(Refusal::AlreadyRunning {
                pipeline: live.graph.clone(),
                run: live.id.clone(),
            }),
            None => Ok(()),
        }
    }

    /// The engine's order. Questions stay open until somebody answers them in the editor.
    pub(crate) fn launch(&self, wishes: Wishes) -> Launch {
        Launch {
            mode: match wishes.mode {
                RunMode::Run => Mode::Run,
                RunMode::Simulate => Mode::Simulate,
                RunMode::DryRun => Mode::DryRun(Script::default()),
            },
            inputs: wishes.inputs,
            from: wishes.from,
            ..self.launch.clone()
        }
    }

    /// The question about trust, with what there is to agree to.
    pub(crate) fn question(&self, session: &Session) -> String {
        let before = session.trust.was_approved(&self.subject);
        question::text(&self.consent, before)
    }

    /// A run of this pipeline that the engine has just begun.
    pub(crate) fn live(&self, handle: attractor_run::RunHandle) -> Arc<Live> {
        let pipeline = &self.launch.pipeline;
        let statements = views::statements(pipeline, &self.launch.source.text);
        let graph = pipeline.name.clone();
        Arc::new(Live::new(
            self.uri.clone(),
            self.file.clone(),
            graph,
            statements,
            handle,
        ))
    }
}

/// Lets the pipeline begin if it may. When the person has to be asked first, `then` follows on a yes.
pub(crate) fn admit(
    session: &Arc<Session>,
    prepared: &Prepared,
    then: impl Future<Output = Result<(), Refusal>> + Send + 'static,
) -> Result<Admission, Refusal> {
    if session.settings().workspace_trust == WorkspaceTrust::Restricted {
        let pipeline = prepared.launch.pipeline.name.clone();
        return Err(Refusal::Untrusted { pipeline });
    }
    if session.trust.admit(&prepared.subject) {
        return Ok(Admission::Granted);
    }
    if lock(&session.runs.asking).insert(prepared.subject.clone()) {
        let (asked, prepared) = (Arc::clone(session), prepared.clone());
        session.spawn(async move {
            let allowed = ask(&asked, &prepared).await;
            lock(&asked.runs.asking).remove(&prepared.subject);
            let outcome = match allowed {
                Ok(true) => then.await,
                Ok(false) => Ok(()),
                Err(refusal) => Err(refusal),
            };
            if let Err(refusal) = outcome {
                asked.client.show_message(MessageType::ERROR, refusal).await;
            }
        });
    }
    Ok(Admission::Asked)
}

/// Asks the person, as often as they first want to read. `true` when they let it run.
async fn ask(session: &Session, prepared: &Prepared) -> Result<bool, Refusal> {
    let text = prepared.question(session);
    // A warning may be drawn over the document; a person who reads it is asked beside it.
    let mut kind = MessageType::WARNING;
    loop {
        let buttons = question::CHOICES.map(|(title, _)| MessageActionItem {
            title: title.to_owned(),
            properties: std::collections::HashMap::new(),
        });
        let answer = session
            .client
            .show_message_request(kind, text.clone(), Some(buttons.into()))
            .await;
        let chosen = answer.ok().flatten();
        let choice = question::CHOICES
            .iter()
            .find(|(title, _)| chosen.as_ref().is_some_and(|it| it.title == *title));
        match choice.map(|(_, choice)| *choice) {
            Some(Choice::Decide(decision)) => {
                session.trust.decide(&prepared.subject, decision)?;
                return Ok(session.trust.admit(&prepared.subject));
            }
            Some(Choice::Show) => {
                show_document(session, prepared).await?;
                kind = MessageType::INFO;
            }
            Some(Choice::Cancel) | None => return Ok(false),
        }
    }
}

async fn show_document(session: &Session, prepared: &Prepared) -> Result<(), Refusal> {
    let uri = consent::write(session, prepared)?;
    if !show::show(session, uri.clone()).await {
        let path = workspace::path_of(&uri).unwrap_or_default();
        let message = format!("What it runs is written in {}", path.display());
        session
            .client
            .show_message(MessageType::INFO, message)
            .await;
    }
    Ok(())
}

/// What the engine said, in the words of the protocol.
pub(crate) fn refused(error: &RunError) -> Refusal {
    match error {
        RunError::UnknownRun { run, .. } => Refusal::UnknownRun { run: run.clone() },
        other => Refusal::Engine {
            code: other.code(),
            message: other.to_string(),
        },
    }
}
