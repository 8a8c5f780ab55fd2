//! Texts that are one thing over and over: whatever looks back, or ahead, or says something at each
//! place, shows itself by them.

/// Makes a text of about so many bytes.
pub(crate) type Make = fn(usize) -> String;

/// The texts by name.
pub(crate) const CASES: &[(&str, Make)] = &[
    ("statements", |n| {
        format!("digraph {{ {} }}", "a ".repeat(n / 2))
    }),
    ("one list", |n| {
        format!("digraph {{ a [{}] }}", "x=y, ".repeat(n / 5))
    }),
    ("closing braces", |n| "}".repeat(n)),
    ("opening braces", |n| "{".repeat(n)),
    ("braces that match", |n| {
        format!("graph {{{}}}", "{} ".repeat(n / 3))
    }),
    ("graphs and braces", |n| {
        format!("digraph {{ a }}\n{}", "}".repeat(n))
    }),
    ("braces on one line", |n| {
        format!("graph {{ {}", "} ".repeat(n / 2))
    }),
    ("braces behind a line", |n| {
        format!("graph {{ {}{}", "a ".repeat(n / 4), "} ".repeat(n / 4))
    }),
    ("ports in an open list", |n| {
        format!("graph {{ [{}{}", "a:".repeat(n / 3), "[".repeat(n / 3))
    }),
    ("braces on lines", |n| {
        format!("digraph {{\n{}", "  }\n".repeat(n / 4))
    }),
    ("opened on lines", |n| {
        format!(
            "digraph {{\n{}",
            "  subgraph s {\n  }\n  }\n".repeat(n / 23)
        )
    }),
    ("commas", |n| ",".repeat(n)),
    ("commas in a graph", |n| {
        format!("digraph {{ {} }}", ",".repeat(n))
    }),
    ("semicolons in a graph", |n| {
        format!("digraph {{ {} }}", ";".repeat(n))
    }),
    ("headers", |n| "digraph a {\n".repeat(n / 12)),
    ("headers without braces", |n| "digraph a\n".repeat(n / 10)),
    ("headers on one line", |n| "digraph a { ".repeat(n / 12)),
    ("graph keywords", |n| "graph ".repeat(n / 6)),
    ("subgraph keywords", |n| {
        format!("digraph {{ {} }}", "subgraph ".repeat(n / 9))
    }),
    ("strict keywords", |n| {
        format!("digraph {{ {} }}", "strict ".repeat(n / 7))
    }),
    ("node keywords", |n| {
        format!("digraph {{ {} }}", "node ".repeat(n / 5))
    }),
    ("names without values", |n| {
        format!("digraph {{ a [{}] }}", "x ".repeat(n / 2))
    }),
    ("names in an open list", |n| {
        format!("digraph {{ a [{}", "x, ".repeat(n / 3))
    }),
    ("pairs in an open list", |n| {
        format!("digraph {{ a [{}\n", "x=y, ".repeat(n / 5))
    }),
    ("quotes", |n| "\"".repeat(n)),
    ("quotes in a graph", |n| {
        format!("digraph {{ {} }}", "\" ".repeat(n / 2))
    }),
    ("quotes in values", |n| {
        format!("digraph {{\n{}}}", "a [x=\"y]\n".repeat(n / 9))
    }),
    ("quotes after values", |n| {
        format!("digraph {{\n{}}}", "a [x=y\"]\n".repeat(n / 9))
    }),
    ("one string", |n| {
        format!("digraph {{ a [x=\"{}", "y ".repeat(n / 2))
    }),
    ("backslashes", |n| {
        format!("digraph {{ \"{}", "\\".repeat(n))
    }),
    ("opening brackets", |n| "[".repeat(n)),
    ("brackets in a graph", |n| {
        format!("digraph {{ {} }}", "[".repeat(n))
    }),
    ("open lists", |n| {
        format!("digraph {{ {} }}", "a [x=y ".repeat(n / 7))
    }),
    ("open lists on lines", |n| {
        format!("digraph {{\n{}}}", "a [x=y\n".repeat(n / 7))
    }),
    ("closing brackets", |n| "]".repeat(n)),
    ("closed in a graph", |n| {
        format!("digraph {{ {} }}", "]".repeat(n))
    }),
    ("closed too often", |n| {
        format!("digraph {{ a [x=y{} }}", "] = z".repeat(n / 5))
    }),
    ("closed after pairs", |n| {
        format!("digraph {{ {} }}", "a x=y]".repeat(n / 6))
    }),
    ("pairs, then closed", |n| {
        format!(
            "digraph {{ {}{} }}",
            "x=y, ".repeat(n / 7),
            "] ".repeat(n / 7)
        )
    }),
    ("comments not closed", |n| "/* ".repeat(n / 3)),
    ("stars", |n| format!("/*{}", "*".repeat(n))),
    ("arrows", |n| "->".repeat(n / 2)),
    ("arrows in a graph", |n| {
        format!("digraph {{ {} }}", "-> ".repeat(n / 3))
    }),
    ("arrows on lines", |n| {
        format!("digraph {{\n{} }}", "a ->\n".repeat(n / 5))
    }),
    ("wrong operators", |n| {
        format!("digraph {{ x -> y\n{} }}", "a -- b\n".repeat(n / 7))
    }),
    ("long arrows", |n| {
        format!("digraph {{ {} }}", "a --> b ".repeat(n / 8))
    }),
    ("one long edge", |n| {
        format!("digraph {{ a{} }}", "->b".repeat(n / 3))
    }),
    ("ports", |n| format!("digraph {{ {} }}", "a:".repeat(n / 2))),
    ("colons", |n| format!("digraph {{ a{} }}", ":".repeat(n))),
    ("angles", |n| "<".repeat(n)),
    ("angles in values", |n| {
        format!("digraph {{\n{}}}", "a [x=<b]\n".repeat(n / 9))
    }),
    ("closing angles", |n| {
        format!("digraph {{ {} }}", ">".repeat(n))
    }),
    ("equals", |n| format!("digraph {{ {} }}", "=".repeat(n))),
    ("values missing", |n| {
        format!("digraph {{ {} }}", "a= ".repeat(n / 3))
    }),
    ("keys missing", |n| {
        format!("digraph {{ a [{}] }}", "=x ".repeat(n / 3))
    }),
    ("pluses", |n| {
        format!("digraph {{ {} }}", "\"a\" + ".repeat(n / 6))
    }),
    ("dots", |n| format!("digraph {{ {} }}", "a.".repeat(n / 2))),
    ("dashes", |n| {
        format!("digraph {{ {} }}", "a-".repeat(n / 2))
    }),
    ("dotted values", |n| {
        format!("digraph {{ x={} }}", "1.a".repeat(n / 3))
    }),
    ("nodes of one line", |n| {
        format!("digraph {{ {} }}", "a ".repeat(n / 2))
    }),
    ("characters", |n| {
        format!("digraph {{ {} }}", "& ".repeat(n / 2))
    }),
    ("characters outside", |n| "& ".repeat(n / 2)),
    ("nested subgraphs", |n| {
        let one = format!("{}{}\n", "subgraph { ".repeat(200), "} ".repeat(200));
        format!("digraph {{ {} }}", one.repeat(n / one.len() + 1))
    }),
    ("nested, not closed", |n| {
        format!("digraph {{ {}", "subgraph { a ".repeat(n / 13))
    }),
    ("garbage", |n| {
        format!("digraph {{ a {} b }}", "\0".repeat(n))
    }),
    ("small graphs", |n| "graph{a}".repeat(n / 8)),
    ("bytes", |n| {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let bytes = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u8::try_from(state >> 56).unwrap_or_default()
        });
        String::from_utf8_lossy(&bytes.take(n).collect::<Vec<_>>()).into_owned()
    }),
    ("tokens", |n| {
        let pieces = [
            "{", "}", "[", "]", ";", ",", "=", "->", "--", ":", "x", "\"", "<", ">", "digraph",
            "node", "subgraph", "y=z", "\n", "/*", "*/", "\"a b\"", "+", "graph {", "}",
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut text = String::new();
        while text.len() < n {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let piece = usize::try_from(state >> 40).unwrap_or_default() % pieces.len();
            text.extend(pieces.get(piece).copied());
            text.push(' ');
        }
        text
    }),
];
