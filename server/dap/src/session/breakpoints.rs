//! Requests about breakpoints.

use std::path::PathBuf;

use attractor_run::PauseRequest;
use serde_json::json;

use super::{Effect, Handled, Session, body, by};
use crate::breakpoints::FileOfBreakpoints;
use crate::places::{Place, Places, read_file};
use crate::protocol::{
    BreakpointLocation, BreakpointLocationsArguments, DataBreakpointInfoArguments,
    SetBreakpointsArguments, SetDataBreakpointsArguments, SetExceptionBreakpointsArguments,
    SetFunctionBreakpointsArguments, Source,
};
use crate::values::{Reference, ScopeKind};

impl Session {
    pub(super) fn set_breakpoints(&mut self, arguments: SetBreakpointsArguments) -> Handled {
        let path = path_of(&arguments.source)?;
        let places = self.places(&path);
        let format = self.format;
        let wanted = arguments.breakpoints.into_iter().map(|wanted| {
            let line = format.read_line(wanted.line).unwrap_or(u32::MAX);
            let column = wanted.column.map(|column| format.read_column(column));
            (line, column, wanted)
        });
        let file = FileOfBreakpoints {
            places_of_run: self.debuggee.as_ref().and_then(|run| run.places_of(&path)),
            places: places.as_ref(),
            path,
        };
        let answers = self.breakpoints.set_in_file(&file, wanted.collect());
        let answers = answers.into_iter().map(|(mut breakpoint, start)| {
            breakpoint.line = start.map(|start| format.line(start.line));
            breakpoint.column = start.map(|start| format.column(start.character));
            breakpoint
        });
        let answers: Vec<_> = answers.collect();
        self.points_changed();
        body(json!({ "breakpoints": answers }))
    }

    pub(super) fn set_function_breakpoints(
        &mut self,
        arguments: SetFunctionBreakpointsArguments,
    ) -> Handled {
        let launched = self.launch_arguments();
        let launched = launched.and_then(|launch| self.places(&PathBuf::from(&launch.program)));
        let debuggee = self.debuggee.as_ref();
        let exists = |point: &str| match (debuggee, &launched) {
            (Some(debuggee), _) => debuggee.has_node(point),
            // A sub-pipeline may be in another file.
            (None, Some(places)) => places.has_node(point) || point.contains('/'),
            (None, None) => true,
        };
        let answers = self
            .breakpoints
            .set_functions(arguments.breakpoints, exists);
        self.points_changed();
        body(json!({ "breakpoints": answers }))
    }

    pub(super) fn set_exception_breakpoints(
        &mut self,
        arguments: SetExceptionBreakpointsArguments,
    ) -> Handled {
        self.breakpoints.set_filters(arguments.filters);
        self.points_changed();
        body(json!({}))
    }

    pub(super) fn set_data_breakpoints(
        &mut self,
        arguments: SetDataBreakpointsArguments,
    ) -> Handled {
        let keys = arguments.breakpoints.into_iter().map(|one| one.data_id);
        let answers = self.breakpoints.set_keys(keys.collect());
        self.points_changed();
        body(json!({ "breakpoints": answers }))
    }

    pub(super) fn data_breakpoint_info(&self, arguments: &DataBreakpointInfoArguments) -> Handled {
        let key = &arguments.name;
        let reference = arguments
            .variables_reference
            .map(|number| self.references.get(number));
        let is_key = match reference {
            None => true,
            Some(reference) => matches!(
                reference,
                Some(Reference::Scope {
                    kind: ScopeKind::Context,
                    ..
                })
            ),
        };
        if !is_key {
            let description = format!("`{key}` is not a key of the context");
            return body(json!({ "dataId": null, "description": description }));
        }
        body(json!({
            "dataId": key,
            "description": format!("an outcome sets `{key}`"),
            "accessTypes": ["write"],
            "canPersist": true,
        }))
    }

    pub(super) fn breakpoint_locations(&self, arguments: &BreakpointLocationsArguments) -> Handled {
        let path = path_of(&arguments.source)?;
        let format = self.format;
        let last = arguments.end_line.unwrap_or(arguments.line);
        let lines = format.read_line(arguments.line).zip(format.read_line(last));
        let (Some(places), Some((first, last))) = (self.places(&path), lines) else {
            return body(json!({ "breakpoints": [] }));
        };
        let locations = places.on_lines(first, last).map(|one| BreakpointLocation {
            line: format.line(one.start.line),
            column: format.column(one.start.character),
            end_line: format.line(one.end.line),
            end_column: format.column(one.end.character),
        });
        let locations: Vec<_> = locations.collect();
        body(json!({ "breakpoints": locations }))
    }

    /// The places of a file as it is now.
    pub(super) fn places(&self, path: &std::path::Path) -> Option<Places> {
        let text = read_file(path)?;
        Some(Places::of(&text, self.root.as_deref()))
    }

    /// The ids of the breakpoints that are met at a place.
    pub(super) fn hit_ids(&self, place: &Place) -> Vec<i64> {
        self.breakpoints.ids(place)
    }

    /// A run that has begun is given the breakpoints as they are now.
    fn points_changed(&mut self) {
        if self.start.is_none() && self.debuggee.as_ref().is_some_and(|run| run.is_live) {
            let (points, by) = (self.breakpoints.points(), by());
            self.effects
                .push(Effect::Ask(PauseRequest::Points { points, by }, None));
        }
    }
}

pub(super) fn path_of(source: &Source) -> Result<PathBuf, String> {
    let path = source.path.as_ref().map(PathBuf::from);
    path.ok_or_else(|| "`source` has no path".to_owned())
}
