# The results of a SARIF file as a table in Markdown.

def cell: gsub("[\r\n]+"; " ") | gsub("&"; "&amp;") | gsub("<"; "&lt;") | gsub("\\|"; "\\|");
def count($level; $noun): map(select(.level == $level)) | length | "\(.) \($noun)\(if . == 1 then "" else "s" end)";
def place: .locations[0].physicalLocation | "\(.artifactLocation.uri | cell):\(.region.startLine):\(.region.startColumn)";

[.runs[].results[]] as $results
| ($results | map(select(.level == "error" or .level == "warning"))) as $shown
| "### Pipelines: \($results | count("error"; "error")), \($results | count("warning"; "warning"))",
  "",
  if $shown == [] then empty else
    "| | where | problem | rule |",
    "|---|---|---|---|",
    ($shown[:50][] | "| \(.level) | \(place) | \(.message.text | cell) | `\(.ruleId)` |"),
    if ($shown | length) > 50 then "\nThe first 50 of \($shown | length) are shown." else empty end,
    ""
  end
