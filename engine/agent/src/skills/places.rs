//! Where skills are: folders of the project and of the user, as other agents have them.

use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::{ResolveError, RootDirectory};
use attractor_permissions::{Level, Rule};

use super::{FILE, Skill, SkillOwner, Skills, front_matter, read};
use crate::prompt::repository_root;

/// The folders of skills, below a project and below the home folder; the first ones win.
const FOLDERS: [&str; 2] = [".agents/skills", ".claude/skills"];

/// Most skills of a session.
const MOST: usize = 200;

/// Most entries of a folder that are looked at.
const ENTRIES: usize = 10_000;

/// Finds the skills of a session in the folder `root`: the user's, then the project's, from the folder up to the root of its
/// repository. Of two with the same name the first one counts.
pub fn find_skills(root: &Path, home: Option<&Path>) -> Skills {
    let mut found = Skills::default();
    if let Some(home) = home {
        found.add(home, SkillOwner::User);
    }
    for base in project_folders(root) {
        // A session in the home folder has the user's own ones.
        if home != Some(base.as_path()) {
            found.add(&base, SkillOwner::Project);
        }
    }
    found.skills.sort_by(|a, b| a.name.cmp(&b.name));
    if found.skills.len() > MOST {
        let count = found.skills.len();
        found.skills.truncate(MOST);
        found.problems.push(format!(
            "there are {count} skills; the first {MOST} by name are used"
        ));
    }
    found
}

/// The files of the project's skills, for a person who decides about them: path below the folder or its repository, and text.
pub fn project_skill_files(root: &Path) -> Vec<(String, String)> {
    let mut found = Skills::default();
    for base in project_folders(root) {
        found.add(&base, SkillOwner::Project);
    }
    let mut files: Vec<(String, String)> = found
        .skills
        .into_iter()
        .take(MOST)
        .map(|skill| (skill.source.0.display().to_string(), skill.source.1))
        .collect();
    files.sort();
    files
}

fn project_folders(root: &Path) -> Vec<PathBuf> {
    let mut folders = vec![root.to_owned()];
    let repository = repository_root(root);
    if repository != root {
        folders.push(repository);
    }
    folders
}

impl Skills {
    fn add(&mut self, base: &Path, owner: SkillOwner) {
        for place in FOLDERS {
            match entries(base, Path::new(place)) {
                Ok((names, is_cut)) => {
                    if is_cut {
                        self.problems.push(format!(
                            "`{place}` has more than {ENTRIES} entries; only so many are looked at"
                        ));
                    }
                    for name in names {
                        self.add_one(base, &Path::new(place).join(name), owner);
                    }
                }
                Err(None) => {}
                Err(Some(problem)) => self.problems.push(problem),
            }
        }
    }

    fn add_one(&mut self, base: &Path, folder: &Path, owner: SkillOwner) {
        let file = folder.join(FILE);
        // What has no such file is not a skill.
        if base.join(&file).symlink_metadata().is_err() {
            return;
        }
        match load(base, folder, owner) {
            Ok(skill) if self.get(&skill.name).is_none() => self.skills.push(skill),
            Ok(_) => {}
            Err(problem) => self.problems.push(format!(
                "the skill `{}` is not used: {problem}",
                folder.display()
            )),
        }
    }
}

/// The names in a folder below another one, sorted, and whether there are more; an error without a text where there is no
/// such folder.
fn entries(base: &Path, below: &Path) -> Result<(Vec<PathBuf>, bool), Option<String>> {
    let missing = |error: &io::Error| {
        matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
        )
    };
    let shown = below.display();
    let unread = |error: io::Error| {
        (!missing(&error)).then(|| format!("skills in `{shown}` cannot be read: {error}"))
    };
    let root = RootDirectory::open(base).map_err(unread)?;
    let real = root.resolve(below).map_err(|error| match error {
        ResolveError::Io(error) => unread(error),
        _ => Some(format!(
            "`{shown}` leads out of the folder; its skills are not used"
        )),
    })?;
    let (entries, is_cut) = root.list(&real, ENTRIES).map_err(unread)?;
    let mut names: Vec<PathBuf> = entries.into_iter().map(|entry| entry.name.into()).collect();
    names.sort();
    Ok((names, is_cut))
}

fn load(base: &Path, folder: &Path, owner: SkillOwner) -> Result<Skill, String> {
    let root = RootDirectory::open(base).map_err(|error| error.to_string())?;
    let real = root.resolve(folder).map_err(|error| error.to_string())?;
    let real = root.path().join(real);
    let source = read(&real, Path::new(FILE))?;
    let (front, text) = front_matter::read(&source)?;
    for rule in front.allowed_tools.iter().flatten() {
        // A limit that is not understood must not be none.
        Rule::parse(rule, Level::Allow).map_err(|error| format!("its `allowed-tools`: {error}"))?;
    }
    Ok(Skill {
        name: front.name,
        description: front.description,
        owner,
        allowed_tools: front.allowed_tools,
        text: text.trim().to_owned(),
        folder: real,
        source: (folder.join(FILE), source),
    })
}
