//! Every form of templates in both ways of writing, and what is left alone.
//!
//! A line: the template, the text it becomes, its keys by comma. `\n` is a line end. An error is `!` and the
//! characters to blame. Keys that exist: key, name, a.b, flag, nothing, object, sly, graph.goal, task.

use super::*;

const TABLE: &str = r##"
# Keys in braces
{key} | value | key
x {key} y | x value y | key
{a.b} | 1 | a.b
{flag} | true | flag
{object} | {"x":[1]} | object
{nothing} |  | nothing
{missing} | {missing} | missing
{context.key} | value | context.key
{key}{key} | valuevalue | key,key
{sly} | {key} $key | sly
# Defaults
{key:-other} | value | key
{missing:-other} | other | missing
{missing:-} |  | missing
{nothing:-none} | none | nothing
{missing:-two words, 'quoted'} | two words, 'quoted' | missing
{missing:-$key} | $key | missing
{a.missing:-x} | x | a.missing
# Raw
{key|raw} | value | key
{missing|raw} | {missing|raw} | missing
{missing|raw:-x} | x | missing
# Dollars (Attractor specification, section 9.2: `$goal`)
$goal | ship it | goal
Do $goal now | Do ship it now | goal
${goal} | ship it | goal
$goal. | ship it. | goal
$goals | $goals | goals
${goal}s | ship its | goal
$name.txt | n.txt | name.txt
$a.b | 1 | a.b
$missing ${missing} | $missing ${missing} | missing,missing
$$name | $$name |
\$goal | \$goal |
\${goal} | \${goal} |
\${goal} {key} | \${goal} value | key
\{key} | \value | key
\\$goal | \\$goal |
5$ $5 $1 $? $@ $# $! $- $* | 5$ $5 $1 $? $@ $# $! $- $* |
# Fabro
{{ goal }} | ship it | goal
{{goal }} | ship it | goal
{{key}} | value | key
{{ key}} | value | key
{{a.b}} | 1 | a.b
{{missing}} | {{missing}} | missing
{{key}}s {{name}} | values n | key,name
{"k": {"j": {{key}}}} | {"k": {"j": value}} | key
{{ inputs.task }} | do | inputs.task
{{ context.key }} | value | context.key
{{ missing }} | {{ missing }} | missing
{{  goal  }} | ship it | goal
# Literal braces
{{ | { |
}} | } |
{{"a": {key}}} | {"a": value} | key
{{"status": {"a": 1}}} | {"status": {"a": 1}} |
{{}} | {} |
# Nested
{ {key} } | { value } | key
{"k": "{key}"} | {"k": "value"} | key
{{{key}}} | {value} | key
{missing:-{key}} | {missing:-value} | key
# Left alone: JSON
{"status": "ok", "n": {"a": [1, 2]}} | {"status": "ok", "n": {"a": [1, 2]}} |
{} | {} |
{ } | { } |
{ key } | { key } |
{1} | {1} |
{a b} | {a b} |
{a,b} | {a,b} |
{a-b} | {a-b} |
{a.} | {a.} |
{.a} | {.a} |
{a..b} | {a..b} |
{key!} | {key!} |
{fix|feat}: x | {fix|feat}: x |
{ | { |
} | } |
{key | {key |
key} | key} |
# Left alone: shell, awk, regular expressions, other template languages
awk '{print $1}' f | awk '{print $1}' f |
echo ${X:-y} ${X%%.*} ${#X} ${!X} ${A[0]} | echo ${X:-y} ${X%%.*} ${#X} ${!X} ${A[0]} |
f() { echo hi; } | f() { echo hi; } |
x{0,3} [a-z]{2} | x{0,3} [a-z]{2} |
docker ps --format '{{.Names}}' | docker ps --format '{{.Names}}' |
${{ secrets.TOKEN }} | ${{ secrets.TOKEN }} |
{{#each x}}{{/each}} {{> part}} {{! note}} | {{#each x}}{{/each}} {{> part}} {{! note}} |
{%- if x %} | {%- if x %} |
$(date) `date` | $(date) `date` |
# Other scripts
{größe:-x} | x | größe
ä {key} ö | ä value ö | key
# The whole value is a file
see @plan.md | see @plan.md |
me@example.org | me@example.org |
# What cannot be meant otherwise
{key|RAW} | {key|RAW} | !RAW
{key|Raw } | {key|Raw } | !Raw 
{{ goal } | {{ goal } | !{{ goal }
{key:-never | {key:-never | !{key:-never
{key:-never\nmore} | {key:-never\nmore} | !{key:-never
"##;

#[test]
fn every_line() {
    use std::fmt::Write;
    let mut wrong = String::new();
    let mut count = 0;
    for line in TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
    {
        let mut cells = line.splitn(3, " | ");
        let mut cell = || {
            cells
                .next()
                .unwrap_or_default()
                .trim_end_matches(" |")
                .replace("\\n", "\n")
        };
        let (text, expected, marks) = (cell(), cell(), cell());
        let (template, errors) = parse(&text);
        let rendered = render(&template, &context(), Quoting::Plain).unwrap().text;
        let mut found: Vec<String> = errors
            .iter()
            .map(|error| format!("!{}", &text[error.range.clone()]))
            .collect();
        if found.is_empty() {
            found.extend(template.keys().map(|(key, _)| key.to_owned()));
        }
        let found = found.join(",");
        if errors.is_empty() && rendered != expected || found != marks {
            writeln!(
                wrong,
                "{text}\n  found    {rendered} | {found}\n  expected {expected} | {marks}"
            )
            .unwrap();
        }
        for (key, range) in template.keys() {
            assert_eq!(text.get(range.clone()), Some(key), "{line}");
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 85, "the table has been cut to {count} lines");
}
