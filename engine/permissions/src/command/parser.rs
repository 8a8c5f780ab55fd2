//! Reads a shell text from left to right. Linear, except that a shell text within a word is read again.

use std::iter::Peekable;
use std::str::Chars;

use super::script::Script;
use super::simple::Command;
use super::word::Word;
use super::wrapper::{inner_texts, is_assignment};

/// How deep `sh -c` texts and substitutions are followed.
const MAX_DEPTH: usize = 8;

/// Words after which a command follows, or that end a compound command.
const TRANSPARENT: &[&str] = &[
    "!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "time", "until", "while",
];

/// Constructs that are not read.
const UNSUPPORTED: &[&str] = &["case", "coproc", "esac", "function", "select"];

impl Script {
    /// Reads a shell text.
    pub fn parse(text: &str) -> Self {
        let mut script = Self::default();
        script.read(text, 0);
        script
    }

    fn read(&mut self, text: &str, depth: usize) {
        if depth > MAX_DEPTH {
            return self.doubt("its commands are nested too deeply");
        }
        let mut parser = Parser {
            rest: text.chars().peekable(),
            depth,
            script: self,
            here_documents: Vec::new(),
        };
        parser.list(None);
        if parser.rest.peek().is_some() {
            self.doubt("it has a `)` without a `(`");
        }
    }

    /// Adds a command, and the shell texts that it runs itself.
    fn push(&mut self, command: Command, depth: usize) {
        for inner in inner_texts(&command.words) {
            match inner {
                Some(text) => self.read(&text, depth + 1),
                None => self.doubt("it runs a shell text that is only known when it runs"),
            }
        }
        if command.words.first().is_some_and(|name| !name.is_known()) {
            self.doubt("the name of a program is only known when it runs");
        }
        self.commands.push(command);
    }
}

struct Parser<'t, 's> {
    rest: Peekable<Chars<'t>>,
    depth: usize,
    script: &'s mut Script,
    /// Those whose text follows the current line.
    here_documents: Vec<HereDocument>,
}

struct HereDocument {
    end: String,
    expands: bool,
}

/// How a list of commands is closed.
type Closing = Option<char>;

impl Parser<'_, '_> {
    /// Reads commands up to the closing character, which is consumed, or to the end.
    fn list(&mut self, closing: Closing) {
        self.depth += 1;
        if self.depth > MAX_DEPTH + 2 {
            self.script.doubt("its commands are nested too deeply");
            self.rest.by_ref().for_each(drop);
            return;
        }
        let mut command = Command::default();
        loop {
            let Some(next) = self.rest.peek().copied() else {
                self.finish(&mut command);
                if closing.is_some() {
                    self.script.doubt("a parenthesis or a quote is not closed");
                }
                break;
            };
            match next {
                ' ' | '\t' | '\r' => self.skip(),
                '\n' => {
                    self.skip();
                    self.finish(&mut command);
                    self.read_here_documents();
                }
                '#' => while self.rest.next_if(|one| *one != '\n').is_some() {},
                ';' | '|' => {
                    self.skip();
                    self.finish(&mut command);
                    // `|&` is a pipeline too.
                    if next == '|' {
                        self.rest.next_if_eq(&'&');
                    }
                }
                '&' => {
                    self.skip();
                    if self.rest.peek() == Some(&'>') {
                        self.redirection();
                    } else {
                        self.finish(&mut command);
                    }
                }
                '(' => {
                    self.skip();
                    if !command.words.is_empty() {
                        self.script.doubt("it defines a function or a list");
                    }
                    self.list(Some(')'));
                }
                ')' => {
                    self.finish(&mut command);
                    if closing == Some(')') {
                        self.skip();
                    }
                    break;
                }
                '<' | '>' if !self.is_process_substitution() => self.redirection(),
                _ => self.word_of(&mut command),
            }
        }
        self.depth -= 1;
    }

    fn skip(&mut self) {
        self.rest.next();
    }

    fn is_process_substitution(&self) -> bool {
        let mut ahead = self.rest.clone();
        matches!((ahead.next(), ahead.next()), (Some('<' | '>'), Some('(')))
    }

    /// Reads a word and adds it to a command, or ends it where it is a word of the syntax.
    fn word_of(&mut self, command: &mut Command) {
        let (word, plain) = self.word();
        let is_first = command.words.is_empty();
        let text = word.text();
        let is_number = plain && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && matches!(self.rest.peek(), Some('<' | '>')) {
            // The number of a file descriptor.
            self.redirection();
            return;
        }
        if is_first && plain && TRANSPARENT.contains(&text) {
            command.assignments.clear();
        } else if is_first && plain && text == "for" {
            self.for_words();
        } else if is_first && plain && UNSUPPORTED.contains(&text) {
            let reason = format!("`{text}` is not read");
            self.script.doubt(&reason);
            command.words.push(word);
        } else if is_first && is_assignment(text) {
            command.assignments.push(word);
        } else {
            command.words.push(word);
        }
    }

    /// The words of `for NAME in WORDS`: they run nothing but their substitutions.
    fn for_words(&mut self) {
        loop {
            match self.rest.peek() {
                None | Some(';' | '\n' | '&' | '|' | '(' | ')') => return,
                Some(' ' | '\t' | '\r') => self.skip(),
                Some('<' | '>') => self.redirection(),
                Some(_) => drop(self.word()),
            }
        }
    }

    fn finish(&mut self, command: &mut Command) {
        let command = std::mem::take(command);
        if !command.words.is_empty() {
            self.script.push(command, self.depth);
        }
    }

    /// `<`, `>` and their combinations, with the word that follows.
    fn redirection(&mut self) {
        let mut operator = String::new();
        while let Some(one) = self.rest.next_if(|one| matches!(one, '<' | '>')) {
            operator.push(one);
        }
        let mut is_duplicate = false;
        if operator == "<<" {
            self.rest.next_if_eq(&'-');
        } else if let Some(one) = self.rest.next_if(|one| matches!(one, '&' | '|')) {
            is_duplicate = one == '&';
        }
        while self.rest.next_if(|one| matches!(one, ' ' | '\t')).is_some() {}
        let (target, plain) = self.word();
        if operator == "<<" {
            self.here_documents.push(HereDocument {
                end: target.text().to_owned(),
                expands: plain,
            });
            return;
        }
        let is_descriptor = is_duplicate
            && target
                .text()
                .bytes()
                .all(|one| one.is_ascii_digit() || one == b'-');
        if is_descriptor || operator == "<<<" {
            return;
        }
        if operator.contains('>') {
            self.script.writes.push(target);
        } else {
            self.script.reads.push(target);
        }
    }

    fn read_here_documents(&mut self) {
        for document in std::mem::take(&mut self.here_documents) {
            let mut body = String::new();
            loop {
                let mut line = String::new();
                while let Some(one) = self.rest.next_if(|one| *one != '\n') {
                    line.push(one);
                }
                let at_end = self.rest.next().is_none();
                if line.trim_start_matches('\t') == document.end {
                    break;
                }
                body.push_str(&line);
                body.push('\n');
                if at_end {
                    self.script.doubt("a here-document is not closed");
                    break;
                }
            }
            if document.expands {
                let mut inner = Parser {
                    rest: body.chars().peekable(),
                    depth: self.depth,
                    script: &mut *self.script,
                    here_documents: Vec::new(),
                };
                inner.quoted_text(&mut Word::default(), None);
            }
        }
    }

    /// Reads a word; also whether nothing in it was quoted.
    fn word(&mut self) -> (Word, bool) {
        let mut word = Word::default();
        let mut plain = true;
        while let Some(next) = self.rest.peek().copied() {
            match next {
                '<' | '>' if word.text().is_empty() && self.is_process_substitution() => {
                    self.skip();
                    self.skip();
                    self.list(Some(')'));
                    word.push_unknown();
                }
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    plain = false;
                    self.skip();
                    self.single_quoted(&mut word);
                }
                '"' => {
                    plain = false;
                    self.skip();
                    self.quoted_text(&mut word, Some('"'));
                }
                '\\' => {
                    plain = false;
                    self.skip();
                    match self.rest.next() {
                        Some('\n') | None => {}
                        Some(one) => word.push(one),
                    }
                }
                '$' => self.dollar(&mut word, false),
                '`' => self.backtick(&mut word),
                one => {
                    self.skip();
                    word.push_plain(one);
                }
            }
        }
        (word, plain)
    }

    fn single_quoted(&mut self, word: &mut Word) {
        loop {
            match self.rest.next() {
                Some('\'') => return,
                Some(one) => word.push(one),
                None => return self.script.doubt("a quote is not closed"),
            }
        }
    }

    /// Text in which only `$`, backticks and backslashes mean something.
    fn quoted_text(&mut self, word: &mut Word, closing: Closing) {
        loop {
            match self.rest.peek().copied() {
                None => {
                    if closing.is_some() {
                        self.script.doubt("a quote is not closed");
                    }
                    return;
                }
                Some(one) if Some(one) == closing => return self.skip(),
                Some('\\') => {
                    self.skip();
                    match self.rest.next() {
                        Some(one @ ('$' | '`' | '"' | '\\')) => word.push(one),
                        Some('\n') | None => {}
                        Some(one) => {
                            word.push('\\');
                            word.push(one);
                        }
                    }
                }
                Some('$') => self.dollar(word, true),
                Some('`') => self.backtick(word),
                Some(one) => {
                    self.skip();
                    word.push(one);
                }
            }
        }
    }

    /// `$…`: a variable or a substitution.
    fn dollar(&mut self, word: &mut Word, in_quotes: bool) {
        self.skip();
        match self.rest.peek().copied() {
            Some('(') => {
                self.skip();
                word.push_unknown();
                self.list(Some(')'));
            }
            Some('{') => {
                self.skip();
                word.push_unknown();
                self.quoted_text(&mut Word::default(), Some('}'));
            }
            Some('\'') if !in_quotes => {
                self.skip();
                word.push_unknown();
                loop {
                    match self.rest.next() {
                        Some('\'') => return,
                        Some('\\') => self.skip(),
                        Some(_) => {}
                        None => return self.script.doubt("a quote is not closed"),
                    }
                }
            }
            Some(one) if one.is_ascii_alphabetic() || one == '_' => {
                word.push_unknown();
                let is_name = |one: &char| one.is_ascii_alphanumeric() || *one == '_';
                while self.rest.next_if(is_name).is_some() {}
            }
            Some(one) if one.is_ascii_digit() || "@*#?-$!".contains(one) => {
                self.skip();
                word.push_unknown();
            }
            _ => word.push('$'),
        }
    }

    fn backtick(&mut self, word: &mut Word) {
        self.skip();
        word.push_unknown();
        let mut text = String::new();
        loop {
            match self.rest.next() {
                Some('`') => break,
                Some('\\') => match self.rest.next() {
                    Some(one @ ('$' | '`' | '\\')) => text.push(one),
                    Some(one) => text.extend(['\\', one]),
                    None => {}
                },
                Some(one) => text.push(one),
                None => return self.script.doubt("a quote is not closed"),
            }
        }
        self.script.read(&text, self.depth + 1);
    }
}
