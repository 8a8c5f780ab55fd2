# The results of `attractor test --format json` as tables in Markdown: coverage, failures, edges that are not covered.

def text: gsub("[\r\n]+"; " ") | gsub("&"; "&amp;") | gsub("<"; "&lt;");
def cell: text | gsub("\\|"; "\\|");
def failed: select(.status != "passed");
def edge: "`\(.from) -> \(.to)`\(if .label then " (\(.label | text))" elif .condition then " (\(.condition | text))" else "" end)";

"### Scenario tests: \(.summary.passed) passed, \(.summary.failed) failed",
"",
"| pipeline | scenarios | edges covered | |",
"|---|---|---|---|",
(.files[] | . as $file | .coverage[]
  | "| \($file.pipeline | cell) `\(.graph | cell)` | \($file.scenarios | length) | \([.edges[] | select(.taken > 0)] | length) of \(.edges | length) | \(.percent)% |"),
"| **all** | \(.summary.passed + .summary.failed) | \(.summary.edges_covered) of \(.summary.edges) | \(.summary.percent)% |",
"",
(.files[] | . as $file | .scenarios[] | failed
  | "- **\(.name | text)** (\($file.path | text):\(.range.start.line)): \(.failures | map(.message) | join("; ") | text)"),
(.files[] | select(.diagnostics | length > 0) | . as $file | .diagnostics[]
  | "- \($file.path | text):\(.range.start.line): \(.message | text)"),
"",
(.files[] | . as $file | .coverage[] | [.edges[] | select(.taken == 0)] | select(. != [])
  | "Not covered in \($file.pipeline | text): \(map(edge) | join(", "))"),
""
