//! Which commands of a shell text decide about its exit status: if one of them fails, the text fails.
//!
//! The last list decides. A pipe hides all but its last command, unless `pipefail` is set; `||`, `&` and `!` hide what
//! precedes them. Loops and conditions are not followed: they decide nothing.

/// How deep `( … )`, `{ … }` and `sh -c` texts are followed.
const MAX_DEPTH: usize = 4;

/// Words that begin what is not followed.
const COMPOUND: &[&str] = &[
    "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "select", "then",
    "until", "while",
];

/// Shells whose `-c` text is followed.
const SHELLS: &[&str] = &["bash ", "sh ", "dash ", "zsh "];

/// What follows a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    And,
    Or,
    Pipe,
    Next,
    Background,
}

/// A command and what follows it.
struct Part {
    text: String,
    joint: Joint,
}

/// The shell options that matter.
#[derive(Debug, Clone, Copy, Default)]
struct Options {
    errexit: bool,
    pipefail: bool,
}

/// The commands that decide.
pub(super) fn deciding(text: &str) -> Vec<String> {
    below(text, 0)
}

fn below(text: &str, depth: usize) -> Vec<String> {
    let parts = split(text);
    let is_compound = |part: &Part| {
        let word = part.text.split_whitespace().next().unwrap_or_default();
        COMPOUND.contains(&word)
    };
    if depth > MAX_DEPTH || parts.iter().any(is_compound) {
        return Vec::new();
    }
    let lists: Vec<&[Part]> = parts
        .split_inclusive(|part| matches!(part.joint, Joint::Next | Joint::Background))
        .collect();
    let mut options = Options::default();
    let mut deciding = Vec::new();
    for (index, list) in lists.iter().enumerate() {
        let is_last = index + 1 == lists.len();
        if let [part] = list {
            options.set(&part.text);
        }
        let is_background = list
            .last()
            .is_some_and(|part| part.joint == Joint::Background);
        let is_returned = returned(&lists, index);
        if is_background || !(is_last || is_returned || options.errexit) {
            continue;
        }
        // In `a && b;` a failure of `a` does not end a shell with `errexit`.
        let all = is_last || is_returned;
        deciding.extend(of_list(list, options, all, depth));
    }
    deciding
}

/// Whether the status of a list is kept in a variable that the text ends with: `a; x=$?; b; exit $x`.
fn returned(lists: &[&[Part]], index: usize) -> bool {
    let one = |index: usize| match lists.get(index) {
        Some([part]) => part.text.trim(),
        _ => "",
    };
    let last = one(lists.len().saturating_sub(1));
    let Some(exits) = last.strip_prefix("exit ") else {
        return false;
    };
    let exits = exits.trim().trim_matches('"');
    let next = one(index + 1);
    if next == last && exits == "$?" {
        return true;
    }
    let kept = next.strip_suffix("=$?");
    kept.is_some_and(|name| {
        let name = name.trim();
        exits.strip_prefix('$').is_some_and(|used| {
            used == name
                || used
                    .strip_prefix('{')
                    .and_then(|used| used.strip_suffix('}'))
                    == Some(name)
        })
    })
}

/// The deciding commands of a list of pipelines joined by `&&` and `||`; only its last one unless `all`.
fn of_list(list: &[Part], options: Options, all: bool, depth: usize) -> Vec<String> {
    let mut pipelines: Vec<&[Part]> = list
        .split_inclusive(|part| part.joint != Joint::Pipe)
        .collect();
    // `… || exit 1` hides nothing.
    while let [.., before, last] = pipelines.as_slice()
        && before.last().is_some_and(|part| part.joint == Joint::Or)
        && let [part] = last
        && fails(&part.text)
    {
        pipelines.pop();
    }
    let mut deciding = Vec::new();
    for (place, pipeline) in pipelines.iter().rev().enumerate() {
        let joint = pipeline.last().map(|part| part.joint);
        if place > 0 && (joint != Some(Joint::And) || !all) {
            break;
        }
        let counted = if options.pipefail { pipeline.len() } else { 1 };
        for part in pipeline.iter().rev().take(counted) {
            deciding.extend(of_command(&part.text, depth));
        }
    }
    deciding
}

/// Whether a command always fails.
fn fails(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    matches!(words.as_slice(), ["false"] | ["exit" | "return", ..]) && words.get(1) != Some(&"0")
}

/// A command, or the deciding ones of a group or a shell text.
fn of_command(text: &str, depth: usize) -> Vec<String> {
    let text = text.trim();
    if text.starts_with("! ") {
        return Vec::new();
    }
    for (open, close) in [('(', ')'), ('{', '}')] {
        let inner = text
            .strip_prefix(open)
            .and_then(|text| text.strip_suffix(close));
        if let Some(inner) = inner {
            return below(inner, depth + 1);
        }
    }
    let is_shell = SHELLS.iter().any(|shell| text.starts_with(shell));
    if is_shell && let Some(inner) = shell_text(text) {
        return below(&inner, depth + 1);
    }
    vec![text.to_owned()]
}

/// The text of `sh -c 'text'`.
fn shell_text(text: &str) -> Option<String> {
    let script = attractor_permissions::Script::parse(text);
    let command = script.commands.last()?;
    let mut words = command.words.iter().skip(1);
    let option = words.next()?.text();
    let is_text = option.starts_with('-') && !option.starts_with("--") && option.ends_with('c');
    let inner = words.next().filter(|_| is_text)?;
    let errexit = if option.contains('e') { "set -e\n" } else { "" };
    inner
        .is_known()
        .then(|| format!("{errexit}{}", inner.text()))
}

impl Options {
    /// Follows `set -euo pipefail` and `set +e`.
    fn set(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        if words.next() != Some("set") {
            return;
        }
        let mut on = true;
        for word in words {
            if let Some(sign @ ('-' | '+')) = word.chars().next() {
                on = sign == '-';
                if word.contains('e') {
                    self.errexit = on;
                }
            } else if word == "pipefail" {
                self.pipefail = on;
            } else if word == "errexit" {
                self.errexit = on;
            }
        }
    }
}

/// The commands of a text at its top level.
fn split(text: &str) -> Vec<Part> {
    let mut splitter = Splitter {
        rest: text.chars().collect(),
        at: 0,
        part: String::new(),
        parts: Vec::new(),
        ends: Vec::new(),
    };
    splitter.run();
    splitter.parts
}

struct Splitter {
    rest: Vec<char>,
    at: usize,
    part: String,
    parts: Vec<Part>,
    /// The words that end here-documents whose text follows the line.
    ends: Vec<String>,
}

impl Splitter {
    fn run(&mut self) {
        while let Some(next) = self.take() {
            match next {
                '\\' => {
                    if let Some(escaped) = self.take().filter(|one| *one != '\n') {
                        self.part.extend(['\\', escaped]);
                    }
                }
                '\'' | '"' | '`' => self.quoted(next),
                '(' => self.group('(', ')'),
                '{' if self.part.trim().is_empty() => self.group('{', '}'),
                '#' if self.part.is_empty() || self.part.ends_with(char::is_whitespace) => {
                    while self.peek().is_some_and(|one| one != '\n') {
                        self.at += 1;
                    }
                }
                '<' if self.peek() == Some('<') && self.next_but_one() != Some('<') => {
                    self.at += 1;
                    self.here_document();
                }
                '<' => {
                    self.part.push('<');
                    while let Some(one) = self.peek().filter(|one| matches!(one, '<' | '&')) {
                        self.at += 1;
                        self.part.push(one);
                    }
                }
                '>' => {
                    self.part.push('>');
                    // `>&1`, `>|`
                    if let Some(one) = self.peek().filter(|one| matches!(one, '&' | '|')) {
                        self.at += 1;
                        self.part.push(one);
                    }
                }
                '&' if self.peek() == Some('>') => self.part.push('&'),
                '&' if self.skip('&') => self.end(Joint::And),
                '&' => self.end(Joint::Background),
                '|' if self.skip('|') => self.end(Joint::Or),
                '|' => {
                    self.skip('&');
                    self.end(Joint::Pipe);
                }
                ';' => self.end(Joint::Next),
                '\n' => {
                    // A list may continue after its operator.
                    if !self.part.trim().is_empty() {
                        self.end(Joint::Next);
                    }
                    self.skip_here_documents();
                }
                other => self.part.push(other),
            }
        }
        self.end(Joint::Next);
    }

    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next_but_one(&self) -> Option<char> {
        self.rest.get(self.at + 1).copied()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn skip(&mut self, one: char) -> bool {
        let is_next = self.peek() == Some(one);
        self.at += usize::from(is_next);
        is_next
    }

    fn end(&mut self, joint: Joint) {
        let text = std::mem::take(&mut self.part).trim().to_owned();
        if !text.is_empty() {
            self.parts.push(Part { text, joint });
        }
    }

    fn quoted(&mut self, quote: char) {
        self.part.push(quote);
        while let Some(next) = self.take() {
            self.part.push(next);
            if next == '\\' && quote != '\'' {
                let escaped = self.take();
                self.part.extend(escaped);
            } else if next == quote {
                return;
            }
        }
    }

    /// A group or a substitution, up to its end.
    fn group(&mut self, open: char, close: char) {
        self.part.push(open);
        let mut depth = 1_usize;
        while let Some(next) = self.take() {
            match next {
                '\'' | '"' | '`' => {
                    self.quoted(next);
                    continue;
                }
                _ if next == open => depth += 1,
                _ if next == close => depth -= 1,
                _ => {}
            }
            self.part.push(next);
            if depth == 0 {
                return;
            }
        }
    }

    fn here_document(&mut self) {
        self.skip('-');
        while self.skip(' ') {}
        let mut end = String::new();
        while let Some(one) = self.peek() {
            if one.is_whitespace() || ";&|<>()".contains(one) {
                break;
            }
            self.at += 1;
            if !matches!(one, '\'' | '"' | '\\') {
                end.push(one);
            }
        }
        self.ends.push(end);
    }

    fn skip_here_documents(&mut self) {
        for end in std::mem::take(&mut self.ends) {
            loop {
                let mut line = String::new();
                let mut is_open = false;
                while let Some(one) = self.take() {
                    if one == '\n' {
                        is_open = true;
                        break;
                    }
                    line.push(one);
                }
                if line.trim_start_matches('\t') == end || !is_open {
                    break;
                }
            }
        }
    }
}
