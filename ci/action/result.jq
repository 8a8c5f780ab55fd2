# The result of `attractor test --format json` in a line.

def plural($noun): "\(.) \($noun)\(if . == 1 then "" else "s" end)";

.summary
| "\(.passed) passed, \(.failed) failed, \(.edges_covered) of \(.edges | plural("edge")) covered",
  if .invalid_files > 0 then "\(.invalid_files | plural("scenario file")) with errors" else empty end
