//! Compares the Graphviz attributes of the catalogue with those that the installed Graphviz looks up.
//!
//! Graphviz lists its attributes nowhere on a machine, but it asks its own library for each by name. A small C
//! library that is loaded before it writes those names down while `dot` and the other layouts draw. Skipped, saying
//! so, where Graphviz is not installed or such a library cannot be made.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests fail by panicking"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use attractor_model::catalogue::GRAPHVIZ_ATTRIBUTES;

/// Intercepts the functions by which Graphviz looks up attributes.
const LISTENER: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static void heard(const char *name) {
  FILE *log = fopen(getenv("ATTRIBUTES"), "a");
  if (log) { fprintf(log, "%s\n", name); fclose(log); }
}
void *agattr(void *graph, int kind, char *name, const char *value) {
  void *(*next)(void *, int, char *, const char *) = dlsym(RTLD_NEXT, "agattr");
  if (name) heard(name);
  return next(graph, kind, name, value);
}
void *agattrsym(void *object, char *name) {
  void *(*next)(void *, char *) = dlsym(RTLD_NEXT, "agattrsym");
  if (name) heard(name);
  return next(object, name);
}
char *agget(void *object, char *name) {
  char *(*next)(void *, char *) = dlsym(RTLD_NEXT, "agget");
  if (name) heard(name);
  return next(object, name);
}
int agsafeset(void *object, char *name, const char *value, const char *standard) {
  int (*next)(void *, char *, const char *, const char *) = dlsym(RTLD_NEXT, "agsafeset");
  if (name) heard(name);
  return next(object, name, value, standard);
}
"#;

/// Something of everything that can be drawn.
const DRAWN: &str = r#"digraph g {
  label=a; compound=true
  subgraph cluster_a { label=c; x [xlabel=q]; y [shape=record, label="{a|<p>b}"] }
  subgraph s { rank=same; z; w }
  z [shape=polygon, image=""]
  x -> y [label=l, headlabel=h, taillabel=t, xlabel=m]
  y:p -> z [constraint=false, dir=both]
}
"#;

const LAYOUTS: [&str; 8] = [
    "dot",
    "neato",
    "fdp",
    "sfdp",
    "circo",
    "twopi",
    "osage",
    "patchwork",
];

/// What makes layouts ask for more.
const MODES: [&str; 13] = [
    "mode=ipsep",
    "mode=hier",
    "mode=KK",
    "model=mds",
    "overlap=prism",
    "overlap=voronoi",
    "overlap=vpsc",
    "pack=true",
    "packmode=array_u",
    "splines=ortho",
    "concentrate=true",
    "newrank=true",
    "layers=\"a:b\"",
];

/// Names Graphviz asks for that are no attributes for people: its own notes, and words of old versions that no
/// reference has any more.
const NOT_FOR_PEOPLE: [&str; 11] = [
    "T0",
    "articulation_pos",
    "aspect",
    "compact",
    "coords",
    "inset",
    "labelaligned",
    "odb",
    "phase",
    "root_pos",
    "stresswt",
];

/// Attributes of Graphviz after 2.43: an older one does not ask for them.
const NEWER: [&str; 2] = ["beautify", "radius"];

#[test]
fn the_catalogue_has_what_the_installed_graphviz_asks_for() {
    if Command::new("dot").arg("-V").output().is_err() {
        return attractor_tests::skip("pipelines read by Graphviz", "it is not installed");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphviz-attributes");
    std::fs::create_dir_all(&folder).unwrap();
    if !make_listener(&folder) {
        return attractor_tests::skip("pipelines read by Graphviz", "no C compiler (`cc`)");
    }
    let asked = asked(&folder);
    assert!(asked.len() > 100, "Graphviz was not heard: {asked:?}");
    let ours: BTreeSet<&str> = GRAPHVIZ_ATTRIBUTES.iter().map(|row| row.name).collect();
    let asked: BTreeSet<&str> = asked.iter().map(String::as_str).collect();
    let missing: Vec<_> = asked
        .difference(&ours)
        .filter(|name| !NOT_FOR_PEOPLE.contains(*name))
        .collect();
    assert!(missing.is_empty(), "not in the catalogue: {missing:?}");
    let unheard: Vec<_> = ours
        .difference(&asked)
        .filter(|name| !NEWER.contains(*name))
        .collect();
    assert!(unheard.is_empty(), "Graphviz never asks for {unheard:?}");
    eprintln!(
        "Graphviz asks for {} names, the catalogue has {}",
        asked.len(),
        ours.len()
    );
}

fn make_listener(folder: &Path) -> bool {
    std::fs::write(folder.join("listener.c"), LISTENER).unwrap();
    let cc = Command::new("cc")
        .args([
            "-shared",
            "-fPIC",
            "-o",
            "listener.so",
            "listener.c",
            "-ldl",
        ])
        .current_dir(folder)
        .output();
    cc.is_ok_and(|output| output.status.success())
}

/// Every name that is asked for while all layouts draw.
fn asked(folder: &Path) -> BTreeSet<String> {
    std::fs::write(folder.join("drawn.gv"), DRAWN).unwrap();
    let log = folder.join("asked");
    std::fs::write(&log, "").unwrap();
    let draw = |layout: &str, options: &[&str]| {
        let status = Command::new(layout)
            .args(options)
            .arg("drawn.gv")
            .current_dir(folder)
            .env("LD_PRELOAD", folder.join("listener.so"))
            .env("ATTRIBUTES", &log)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        // Some modes crash some versions; what they asked for counts nevertheless.
        status.expect("a layout starts");
    };
    for layout in LAYOUTS {
        for output in ["-Tsvg", "-Txdot", "-Tcmapx", "-Tpng:gd"] {
            draw(layout, &[output]);
        }
    }
    for mode in MODES {
        let option = format!("-G{mode}");
        for layout in ["dot", "neato", "fdp", "sfdp"] {
            draw(layout, &["-Tsvg", &option]);
        }
    }
    let names = std::fs::read_to_string(&log).unwrap();
    names.lines().map(str::to_owned).collect()
}
