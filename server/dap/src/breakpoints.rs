//! The breakpoints of a client, what the engine gets of them, and why some of them cannot be met.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use attractor_lang::condition::parse;
use attractor_run::{FailurePoint, PausePoints, PointCondition};

use crate::hit_condition;
use crate::places::{Place, Places};
use crate::protocol::{
    Breakpoint, FAILED, FunctionBreakpoint, RETRY, Source, SourceBreakpoint, UNHANDLED,
};

/// All breakpoints of a session.
#[derive(Default)]
pub(crate) struct Breakpoints {
    next_id: i64,
    /// By file.
    files: BTreeMap<PathBuf, Vec<Point>>,
    functions: Vec<Point>,
    keys: BTreeSet<String>,
    filters: BTreeSet<String>,
}

/// A breakpoint that can be met.
struct Point {
    id: i64,
    place: Place,
    condition: PointCondition,
    /// It does not pause but prints this template.
    message: Option<String>,
}

/// What a breakpoint is compared with.
pub(crate) struct FileOfBreakpoints<'f> {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Its places; none where it cannot be read.
    pub(crate) places: Option<&'f Places>,
    /// The run has begun with another text: its places.
    pub(crate) places_of_run: Option<&'f Places>,
}

impl Breakpoints {
    /// Replaces the breakpoints of a file; gives what each has become. Lines and columns count from 0.
    pub(crate) fn set_in_file(
        &mut self,
        file: &FileOfBreakpoints<'_>,
        wanted: Vec<(u32, Option<u32>, SourceBreakpoint)>,
    ) -> Vec<(Breakpoint, Option<attractor_ide::position::Position>)> {
        let mut points = Vec::new();
        let mut answers = Vec::new();
        for (line, column, breakpoint) in wanted {
            self.next_id += 1;
            let id = self.next_id;
            let located = file.places.and_then(|places| places.find(line, column));
            let read = match (file.places, located) {
                (None, _) => Err("the file cannot be read".to_owned()),
                (_, None) => Err("no node and no edge begins on this line".to_owned()),
                (_, Some(located)) => is_in_run(file, &located.place)
                    .and_then(|()| condition(breakpoint.condition, breakpoint.hit_condition)),
            };
            let source = Some(Source {
                name: None,
                path: Some(file.path.display().to_string()),
            });
            let start = located.map(|located| located.start);
            answers.push((answer(id, &read, source), start));
            if let (Ok(condition), Some(located)) = (read, located) {
                points.push(Point {
                    id,
                    place: located.place.clone(),
                    condition,
                    message: breakpoint
                        .log_message
                        .filter(|text| !text.trim().is_empty()),
                });
            }
        }
        self.files.insert(file.path.clone(), points);
        answers
    }

    /// Replaces the breakpoints by the id of a node. `exists` says whether a run has the node.
    pub(crate) fn set_functions(
        &mut self,
        wanted: Vec<FunctionBreakpoint>,
        exists: impl Fn(&str) -> bool,
    ) -> Vec<Breakpoint> {
        let mut points = Vec::new();
        let mut answers = Vec::new();
        for function in wanted {
            self.next_id += 1;
            let id = self.next_id;
            let name = function.name.trim();
            let read = if exists(name) {
                condition(function.condition, function.hit_condition)
            } else {
                Err(format!("the pipeline has no node `{name}`"))
            };
            answers.push(answer(id, &read, None));
            if let Ok(condition) = read {
                points.push(Point {
                    id,
                    place: Place::Node(name.to_owned()),
                    condition,
                    message: None,
                });
            }
        }
        self.functions = points;
        answers
    }

    /// Replaces the context keys that pause when they are set.
    pub(crate) fn set_keys(&mut self, keys: Vec<String>) -> Vec<Breakpoint> {
        let answers = keys.iter().map(|_| {
            self.next_id += 1;
            answer(self.next_id, &Ok(PointCondition::default()), None)
        });
        let answers = answers.collect();
        self.keys = keys.into_iter().collect();
        answers
    }

    /// Replaces the exception filters.
    pub(crate) fn set_filters(&mut self, filters: Vec<String>) {
        self.filters = filters.into_iter().collect();
    }

    /// Whether a run that failed stops at its end.
    pub(crate) fn stops_at_failed_run(&self) -> bool {
        self.filters.contains(UNHANDLED)
    }

    /// What the engine pauses at.
    pub(crate) fn points(&self) -> PausePoints {
        let mut points = PausePoints {
            keys: self.keys.clone(),
            ..PausePoints::default()
        };
        for (filter, failure) in [(FAILED, FailurePoint::Failed), (RETRY, FailurePoint::Retry)] {
            if self.filters.contains(filter) {
                points.failures.insert(failure);
            }
        }
        for point in self.all().filter(|point| point.message.is_none()) {
            let condition = point.condition.clone();
            match &point.place {
                Place::Node(node) => points.nodes.insert(node.clone(), condition),
                Place::Edge(edge) => points.edges.insert(edge.clone(), condition),
            };
        }
        points
    }

    /// The ids of the breakpoints of a place.
    pub(crate) fn ids(&self, place: &Place) -> Vec<i64> {
        let own = self.all();
        let own = own.filter(|point| point.place == *place && point.message.is_none());
        own.map(|point| point.id).collect()
    }

    /// The templates to print at a place, with what has to hold.
    pub(crate) fn messages<'b>(
        &'b self,
        place: &'b Place,
    ) -> impl Iterator<Item = (&'b str, &'b PointCondition)> {
        let own = self.all().filter(move |point| point.place == *place);
        own.filter_map(|point| Some((point.message.as_deref()?, &point.condition)))
    }

    /// Whether any template is printed.
    pub(crate) fn has_messages(&self) -> bool {
        self.all().any(|point| point.message.is_some())
    }

    fn all(&self) -> impl Iterator<Item = &Point> {
        self.files.values().flatten().chain(&self.functions)
    }
}

/// Refuses a place that the run does not have, because its file has changed since.
fn is_in_run(file: &FileOfBreakpoints<'_>, place: &Place) -> Result<(), String> {
    let Some(run) = file.places_of_run else {
        return Ok(());
    };
    if run.has(place) {
        return Ok(());
    }
    Err("the file has changed since the run began, which does not have this; restart a frame to use it".to_owned())
}

fn condition(when: Option<String>, hits: Option<String>) -> Result<PointCondition, String> {
    let is_given = |text: &String| !text.trim().is_empty();
    let when = when.filter(is_given);
    if let Some(when) = &when
        && let Some(error) = parse(when).1.first()
    {
        return Err(format!("invalid condition: {}", error.message));
    }
    let visits = hits.filter(is_given).map(|hits| hit_condition::read(&hits));
    Ok(PointCondition {
        when,
        visits: visits.transpose()?,
    })
}

fn answer(id: i64, read: &Result<PointCondition, String>, source: Option<Source>) -> Breakpoint {
    Breakpoint {
        id,
        verified: read.is_ok(),
        message: read.as_ref().err().cloned(),
        source,
        line: None,
        column: None,
    }
}
