//! `attractor graph`: what a file holds, for programs, for Graphviz, for people.

use attractor_tests::Project;
use expect_test::expect;

const SMALL: &str = "digraph small {
  goal = \"Be small\"
  node [timeout=900s]
  start [shape=Mdiamond]
  subgraph cluster_work { label=\"Work\"; build [shape=parallelogram, command=\"make \\\"all\\\"\"] }
  start -> build -> done [condition=\"outcome=success\"]
  done [shape=Msquare]
}
";

#[test]
fn a_pipeline_without_a_name_has_that_of_its_file() {
    let project = Project::with(
        "release.dot",
        "digraph { start [shape=Mdiamond]; start -> done; done [shape=Msquare] }",
    );
    project.write("plain.dot", "digraph { a -> b }");
    for (file, name) in [("release.dot", "\"release\""), ("plain.dot", "null")] {
        let ended = project.run(["graph", file, "--format", "json"]);
        let expected = format!("\"name\": {name},");
        assert!(ended.stdout.contains(&expected), "{}", ended.stdout);
    }
}

/// What is printed of that file.
fn printed(format: &str) -> String {
    let project = Project::with("small.dot", SMALL);
    let ended = project.run(["graph", "small.dot", "--format", format]);
    ended.expect_code(0).stdout
}

#[test]
fn json_is_stable() {
    expect![[r#"
        {
          "valid": true,
          "portable": false,
          "charset": "utf-8",
          "graphs": [
            {
              "name": "small",
              "directed": true,
              "strict": false,
              "pipeline": true,
              "attributes": {
                "goal": "Be small"
              },
              "nodes": [
                {
                  "id": "start",
                  "handler": "start",
                  "attributes": {
                    "shape": "Mdiamond",
                    "timeout": "900s"
                  },
                  "resolved": [
                    {
                      "name": "handler",
                      "value": "start",
                      "origin": "own",
                      "range": {
                        "start": {
                          "line": 4,
                          "column": 10
                        },
                        "end": {
                          "line": 4,
                          "column": 24
                        }
                      }
                    },
                    {
                      "name": "shape",
                      "value": "Mdiamond",
                      "origin": "own",
                      "range": {
                        "start": {
                          "line": 4,
                          "column": 10
                        },
                        "end": {
                          "line": 4,
                          "column": 24
                        }
                      }
                    },
                    {
                      "name": "timeout",
                      "value": "900s",
                      "origin": "defaults",
                      "range": {
                        "start": {
                          "line": 3,
                          "column": 9
                        },
                        "end": {
                          "line": 3,
                          "column": 21
                        }
                      }
                    },
                    {
                      "name": "on_failure",
                      "value": "auto",
                      "origin": "catalogue"
                    },
                    {
                      "name": "shell",
                      "value": "sh",
                      "origin": "catalogue"
                    },
                    {
                      "name": "language",
                      "value": "shell",
                      "origin": "catalogue"
                    }
                  ],
                  "range": {
                    "start": {
                      "line": 4,
                      "column": 3
                    },
                    "end": {
                      "line": 4,
                      "column": 8
                    }
                  }
                },
                {
                  "id": "build",
                  "handler": "tool",
                  "attributes": {
                    "command": "make \"all\"",
                    "shape": "parallelogram",
                    "timeout": "900s"
                  },
                  "resolved": [
                    {
                      "name": "handler",
                      "value": "tool",
                      "origin": "own",
                      "range": {
                        "start": {
                          "line": 5,
                          "column": 48
                        },
                        "end": {
                          "line": 5,
                          "column": 67
                        }
                      }
                    },
                    {
                      "name": "shape",
                      "value": "parallelogram",
                      "origin": "own",
                      "range": {
                        "start": {
                          "line": 5,
                          "column": 48
                        },
                        "end": {
                          "line": 5,
                          "column": 67
                        }
                      }
                    },
                    {
                      "name": "on_failure",
                      "value": "auto",
                      "origin": "catalogue"
                    },
                    {
                      "name": "command",
                      "value": "make \"all\"",
                      "origin": "own",
                      "range": {
                        "start": {
                          "line": 5,
                          "column": 69
                        },
                        "end": {
                          "line": 5,
                          "column": 91
                        }
                      }
                    },
                    {
                      "name": "timeout",
                      "value": "900s",
                      "origin": "defaults",
                      "range": {
                        "start": {
                          "line": 3,
                          "column": 9
                        },
                        "end": {
                          "line": 3,
                          "column": 21
                        }
                      }
                    },
                    {
                      "name": "shell",
                      "value": "sh",
                      "origin": "catalogue"
                    },
                    {
                      "name": "language",
                      "value": "shell",
                      "origin": "catalogue"
                    }
                  ],
                  "range": {
                    "start": {
                      "line": 5,
                      "column": 41
                    },
                    "end": {
                      "line": 5,
                      "column": 46
                    }
                  }
                },
                {
                  "id": "done",
                  "handler": "exit",
                  "attributes": {
                    "shape": "Msquare",
                    "timeout": "900s"
                  },
                  "resolved": [
                    {
                      "name": "handler",
                      "value": "exit",
                      "origin": "own",
                      "range": {
                        "start": {
                          "line": 7,
                          "column": 9
                        },
                        "end": {
                          "line": 7,
                          "column": 22
                        }
                      }
                    },
                    {
                      "name": "shape",
                      "value": "Msquare",
                      "origin": "own",
                      "range": {
                        "start": {
                          "line": 7,
                          "column": 9
                        },
                        "end": {
                          "line": 7,
                          "column": 22
                        }
                      }
                    },
                    {
                      "name": "timeout",
                      "value": "900s",
                      "origin": "defaults",
                      "range": {
                        "start": {
                          "line": 3,
                          "column": 9
                        },
                        "end": {
                          "line": 3,
                          "column": 21
                        }
                      }
                    },
                    {
                      "name": "on_failure",
                      "value": "auto",
                      "origin": "catalogue"
                    },
                    {
                      "name": "shell",
                      "value": "sh",
                      "origin": "catalogue"
                    },
                    {
                      "name": "language",
                      "value": "shell",
                      "origin": "catalogue"
                    }
                  ],
                  "range": {
                    "start": {
                      "line": 6,
                      "column": 21
                    },
                    "end": {
                      "line": 6,
                      "column": 25
                    }
                  }
                }
              ],
              "edges": [
                {
                  "from": "start",
                  "to": "build",
                  "attributes": {
                    "condition": "outcome=success"
                  },
                  "range": {
                    "start": {
                      "line": 6,
                      "column": 3
                    },
                    "end": {
                      "line": 6,
                      "column": 55
                    }
                  }
                },
                {
                  "from": "build",
                  "to": "done",
                  "attributes": {
                    "condition": "outcome=success"
                  },
                  "range": {
                    "start": {
                      "line": 6,
                      "column": 3
                    },
                    "end": {
                      "line": 6,
                      "column": 55
                    }
                  }
                }
              ],
              "subgraphs": [
                {
                  "name": "cluster_work",
                  "parent": null,
                  "attributes": {
                    "goal": "Be small",
                    "label": "Work"
                  },
                  "nodes": [
                    "build"
                  ],
                  "range": {
                    "start": {
                      "line": 5,
                      "column": 3
                    },
                    "end": {
                      "line": 5,
                      "column": 94
                    }
                  }
                }
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&printed("json"));
}

#[test]
fn dot_output_is_valid_graphviz() {
    expect![[r#"
        digraph small {
          goal="Be small"
          start [timeout="900s", shape=Mdiamond]
          build [timeout="900s", shape=parallelogram, command="make \"all\""]
          done [timeout="900s", shape=Msquare]
          subgraph cluster_work {
            label=Work
            build
          }
          start -> build [condition="outcome=success"]
          build -> done [condition="outcome=success"]
        }
    "#]]
    .assert_eq(&printed("dot"));
}

#[test]
fn dot_output_round_trips() {
    let first = printed("dot");
    let project = Project::new();
    let again = project.run_with_input(["graph", "-", "--format", "dot"], first.clone());
    assert_eq!(again.expect_code(0).stdout, first);
}

#[test]
fn text_draws_layers() {
    expect![[r#"
        small: Be small

        ╭───────╮
        │ start │
        ╰───┬───╯
            ▼ outcome=success
        ┌───────┐
        │ build │
        └───┬───┘
            ▼ outcome=success
        ╭──────╮
        │ done │
        ╰──────╯
    "#]]
    .assert_eq(&printed("text"));
}

#[test]
fn wide_drawing_falls_back_to_outline() {
    let targets: Vec<String> = (1..=6).map(|at| format!("target_number_{at}")).collect();
    let text = format!("digraph {{ a -> {{ {} }} }}", targets.join(" "));
    let project = Project::with("wide.dot", text);
    let first_line = |columns: &str| {
        let mut command = project.command(["graph", "wide.dot", "--format", "text"]);
        let output = command.env("COLUMNS", columns).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    assert_eq!(first_line("80"), "a");
    assert_eq!(first_line("200"), "┌───┐");
}

#[test]
fn mermaid_output() {
    expect![[r#"
        flowchart TD
            start(["start"])
            build[/"build"/]
            done(["done"])
            start -->|"outcome=success"| build
            build -->|"outcome=success"| done
    "#]]
    .assert_eq(&printed("mermaid"));
}

#[test]
fn graph_is_chosen_by_name() {
    let project = Project::with("two.dot", "digraph a { x -> y }\ngraph b { p -- q }\n");
    let json = project
        .run(["graph", "two.dot", "--graph", "b"])
        .expect_code(0)
        .json();
    assert_eq!(json["graphs"][0]["name"], "b");
    assert_eq!(json["graphs"][0]["directed"], false);
    assert_eq!(json["graphs"][0]["pipeline"], false);
    assert!(json["graphs"][0]["nodes"][0]["handler"].is_null());
    let ended = project
        .run(["graph", "two.dot", "--graph", "c"])
        .expect_code(2);
    expect![[r#"
        error: two.dot has no graph `c`; available: a, b
    "#]]
    .assert_eq(&ended.stderr);
}

#[test]
fn valid_parts_print_despite_errors() {
    let ended = Project::with("broken.dot", "digraph g { a -> b; c [label=\"x\" }\n")
        .run(["graph", "broken.dot"])
        .expect_code(1);
    assert_eq!(ended.json()["graphs"][0]["edges"][0]["to"], "b");
    assert!(ended.stderr.contains("broken.dot:1:"), "{ended}");
}

#[test]
fn json_contains_ports_html_and_errors() {
    let project = Project::with("a.gv", "graph { a:x:n -- b [label=<<b>1</b>>] }");
    let json = project.run(["graph", "a.gv"]).expect_code(0).json();
    let edge = &json["graphs"][0]["edges"][0];
    assert_eq!(
        (&edge["from_port"], &edge["to_port"]),
        (&"x:n".into(), &().into())
    );
    assert_eq!(edge["html"], serde_json::json!(["label"]));
    assert_eq!(
        (&json["valid"], &json["portable"]),
        (&true.into(), &true.into())
    );
    let ended = project.run_with_input(["graph", "-"], "digraph { a -- b }");
    assert_eq!(ended.expect_code(1).json()["valid"], false);
}

#[test]
fn svg_requires_graphviz() {
    let project = Project::with(
        "two.dot",
        "digraph a { x -> y [timeout=900s] }\ngraph b { p -- q }\n",
    );
    let ended = project
        .run(["graph", "two.dot", "--format", "svg"])
        .expect_code(2);
    expect![[r#"
        error: SVG output shows one graph, and two.dot has a, b; specify one with --graph
    "#]]
    .assert_eq(&ended.stderr);
    let draw = ["graph", "two.dot", "--graph", "a", "--format", "svg"];
    let mut without = project.command(draw);
    let output = without
        .env("PATH", project.path())
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("apt install graphviz"));
    if std::process::Command::new("dot")
        .arg("-V")
        .output()
        .is_err()
    {
        return attractor_tests::skip("SVG of a pipeline", "Graphviz is not installed");
    }
    let ended = project.run(draw).expect_code(0);
    assert!(
        ended.stdout.contains("<title>x&#45;&gt;y</title>"),
        "{ended}"
    );
}
