//! What a run was started with: written once, read when it is resumed or listed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::git::Repository;
use attractor_exec::{Disk, Redactor, read_regular, sha256};
use attractor_model::Reality;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::layout::Layout;
use super::reading::ReadingOptions;
use crate::error::RunError;
use crate::launch::record_key::RecordKey;
use crate::launch::{ForeignRuns, Launch, ModeName, Resume};
use crate::project::files::project_root_of_folder;

/// The manifest of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct Manifest {
    /// The format of this directory.
    pub(crate) format: u32,
    pub(crate) run: String,
    pub(crate) pipeline: String,
    pub(crate) source: SourceEntry,
    /// Files the pipeline names, copied to `files/`.
    pub(crate) files: Vec<SourceEntry>,
    /// DOT files of the pipelines it calls, copied to `files/` too.
    #[serde(default)]
    pub(crate) sources: Vec<SourceEntry>,
    /// How all of them were read.
    #[serde(default, skip_serializing_if = "ReadingOptions::is_default")]
    pub(crate) reading: ReadingOptions,
    /// First values of the context, without secrets.
    pub(crate) inputs: BTreeMap<String, Value>,
    /// The inputs that are secret, by name: their values are not stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) secrets: Vec<String>,
    pub(crate) workdir: PathBuf,
    pub(crate) mode: ModeName,
    /// How real it is; absent in manifests of older engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reality: Option<Reality>,
    pub(crate) backend: String,
    /// RFC 3339.
    pub(crate) started_at: String,
    /// The engine that wrote it.
    pub(crate) engine: String,
    /// The run and checkpoint this one continues from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) resumed_from: Option<String>,
    /// The repository when the run began; not recorded by earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repository: Option<RecordedRepository>,
    /// The SHA-256 of its copies of the pipeline and of the files, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) copies: Option<String>,
    /// The signature by the user who started it of what must not change; see [`RecordKey`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) signature: Option<String>,
}

/// The repository that the project was in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct RecordedRepository {
    /// None where it was in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<Repository>,
}

impl RecordedRepository {
    fn of(folder: &Path) -> Self {
        let found = Repository::discover(&project_root_of_folder(folder));
        Self {
            // One whose `.git` leads to the folder of another is not used.
            found: found.ok().flatten(),
        }
    }
}

/// What every format has.
#[derive(Deserialize)]
struct Header {
    format: u32,
    #[serde(default)]
    engine: String,
}

/// A file and what was in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct SourceEntry {
    pub(crate) path: PathBuf,
    pub(crate) sha256: String,
}

/// The format this engine writes.
const FORMAT: u32 = 1;

impl Manifest {
    /// The manifest of a run about to start.
    pub(crate) fn of(launch: &Launch, run: &str, started_at: &str) -> Self {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Self {
            format: FORMAT,
            run: run.to_owned(),
            pipeline: launch.pipeline.name.clone(),
            source: SourceEntry {
                path: absolute(&launch.source.path),
                sha256: sha256(&*launch.source.text),
            },
            files: entries(&launch.files),
            sources: entries(&launch.sources),
            reading: ReadingOptions::of(&launch.options),
            secrets: Vec::new(),
            inputs: launch.inputs.clone(),
            workdir: absolute(&launch.workdir),
            mode: launch.mode.name(),
            reality: None,
            backend: launch.backends.names().join(", "),
            started_at: started_at.to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            resumed_from: None,
            repository: Some(RecordedRepository::of(&launch.workdir)),
            copies: None,
            signature: None,
        }
    }

    /// The repository that the project was in when the run began.
    pub(crate) fn repository(&self) -> Option<Repository> {
        let recorded = self.repository.clone();
        recorded
            .unwrap_or_else(|| RecordedRepository::of(&self.workdir))
            .found
    }

    /// Whether every text of the launch is what it was, and read as it was.
    pub(crate) fn is_same(&self, launch: &Launch) -> bool {
        self.is_about(launch) && self.reading == ReadingOptions::of(&launch.options)
    }

    /// Whether every text of the launch is what it was.
    pub(crate) fn is_about(&self, launch: &Launch) -> bool {
        let same = |before: &[SourceEntry], now: &[(String, String)]| {
            let sorted = |mut entries: Vec<SourceEntry>| {
                entries.sort_by(|left, right| left.path.cmp(&right.path));
                entries
            };
            sorted(before.to_vec()) == sorted(entries(now))
        };
        self.source.sha256 == sha256(&*launch.source.text)
            && same(&self.files, &launch.files)
            && same(&self.sources, &launch.sources)
    }

    /// Whether the user of a key has started the run of this name, with the copies that are there now.
    fn is_signed(&self, key: &RecordKey, layout: &Layout) -> bool {
        let copies = copies(self.paths(), layout);
        let name = layout.root().file_name();
        let signature = self.signature.as_deref();
        name.is_some_and(|name| name == &*self.run)
            && self.copies.is_some()
            && self.copies == copies.ok()
            && signature.is_some_and(|signature| key.has_signed(&self.signed_text(), signature))
    }

    /// What the signature is of: which run it is, where it works, and from which texts.
    fn signed_text(&self) -> String {
        let texts = std::iter::once(&self.source).chain(&self.files);
        let texts = texts.chain(&self.sources);
        let texts = texts.map(|entry| format!("{} {}", entry.sha256, entry.path.display()));
        let copies = self.copies.clone().unwrap_or_default();
        [self.run.clone(), self.workdir.display().to_string(), copies]
            .into_iter()
            .chain(texts)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The files that it has copies of, as written.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        let entries = self.files.iter().chain(&self.sources);
        entries.map(|entry| entry.path.as_path())
    }

    /// The same for a run that continues with these texts, and is now one of this user.
    pub(crate) fn renewed(self, launch: &Launch) -> Self {
        Self {
            source: SourceEntry {
                sha256: sha256(&*launch.source.text),
                ..self.source
            },
            files: entries(&launch.files),
            sources: entries(&launch.sources),
            reading: ReadingOptions::of(&launch.options),
            ..self
        }
    }

    /// Writes it with copies of the files it names, without the secrets in them: they are there to be compared
    /// and read by people, and what runs is read from the project again.
    pub(crate) fn save(
        &self,
        launch: &Launch,
        layout: &Layout,
        disk: &dyn Disk,
        redactor: &Redactor,
    ) -> Result<(), RunError> {
        let put = |path: PathBuf, content: &[u8]| {
            disk.replace(&path, content)
                .map_err(RunError::io("cannot write", &path))
        };
        let copy = |path: PathBuf, text: &str| put(path, redactor.text(text).as_bytes());
        copy(layout.pipeline(), &launch.source.text)?;
        if !launch.files.is_empty() || !launch.sources.is_empty() {
            let folder = layout.file("x");
            let folder = folder.parent().unwrap_or(layout.root());
            fs::create_dir_all(folder).map_err(RunError::io("cannot make", folder))?;
        }
        for (path, text) in launch.files.iter().chain(&launch.sources) {
            copy(layout.file(path), text)?;
        }
        let mut signed = self.clone();
        signed.copies = copies(self.paths(), layout).ok();
        let key = launch.record_key.as_ref();
        signed.signature = key.and_then(|key| key.sign(&signed.signed_text()));
        let json = serde_json::to_vec_pretty(&signed).unwrap_or_default();
        put(layout.manifest(), &json)
    }

    /// Like [`Self::load`], of a run that is continued or forked: this user has recorded it, unless others are accepted.
    pub(crate) fn load_to_continue(layout: &Layout, resume: &Resume) -> Result<Self, RunError> {
        let manifest = Self::load_in_project(layout)?;
        let is_foreign = |key| !manifest.is_signed(key, layout);
        if resume.foreign == ForeignRuns::Refuse
            && resume.launch.record_key.as_ref().is_some_and(is_foreign)
        {
            return Err(RunError::NotSigned { run: manifest.run });
        }
        Ok(manifest)
    }

    /// Like [`Self::load`], of a run whose files are read or restored: it worked in the project that has its records, and its
    /// folder has no links. Records can come with a project, from somebody else.
    pub(crate) fn load_in_project(layout: &Layout) -> Result<Self, RunError> {
        let manifest = Self::load(layout)?;
        layout.refuse_links()?;
        let state = layout.runs_dir().parent();
        let state = state.filter(|state| state.ends_with(".attractor"));
        if let Some(project) = state.and_then(Path::parent) {
            let real = |path: &Path| {
                let path = if path.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    path
                };
                path.canonicalize().unwrap_or_else(|_| path.to_owned())
            };
            if !real(&manifest.workdir).starts_with(real(project)) {
                return Err(RunError::Foreign {
                    folder: manifest.workdir,
                    project: real(project),
                });
            }
        }
        Ok(manifest)
    }

    /// Reads the manifest of a run.
    pub(crate) fn load(layout: &Layout) -> Result<Self, RunError> {
        let path = layout.manifest();
        let text = match read_regular(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && layout.root().is_dir() => {
                return Err(RunError::Incomplete {
                    directory: layout.root().to_owned(),
                    reason: "it has no `manifest.json`",
                });
            }
            text => text.map_err(RunError::io("cannot read", &path))?,
        };
        let fail = |reason: String| RunError::Format {
            path: path.clone(),
            expected: "the manifest of a run",
            reason,
        };
        // What another format has next to its number is not known.
        let header: Header =
            serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        if header.format != FORMAT {
            return Err(RunError::UnknownFormat {
                path: path.clone(),
                found: header.format,
                known: FORMAT,
                engine: header.engine,
            });
        }
        serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))
    }
}

/// The SHA-256 of the copies of a pipeline and of these files.
fn copies<'p>(paths: impl Iterator<Item = &'p Path>, layout: &Layout) -> io::Result<String> {
    let mut hashes = sha256(read_regular(&layout.pipeline())?);
    for path in paths {
        hashes.push_str(&sha256(read_regular(
            &layout.file(&path.to_string_lossy()),
        )?));
    }
    Ok(sha256(hashes))
}

fn entries(files: &[(String, String)]) -> Vec<SourceEntry> {
    let entry = |(path, text): &(String, String)| SourceEntry {
        path: PathBuf::from(path),
        sha256: sha256(&**text),
    };
    files.iter().map(entry).collect()
}
