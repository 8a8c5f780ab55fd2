//! Here-documents: where one is asked for, where its body begins and ends.

use super::super::frame::{Frame, HereDocument, Redirection};
use super::Scanner;

impl Scanner<'_> {
    /// `<`, `<<`, `<<-`, `<<<`.
    pub(super) fn redirection(&mut self, at: usize) {
        if self.rest.next_if(|(_, c)| *c == '<').is_none() {
            return;
        }
        let interpreter = self.reads_program(at);
        if self.rest.next_if(|(_, c)| *c == '<').is_some() {
            if let Some(command) = self.top() {
                command.simple.here_string = interpreter;
                command.simple.redirects = Redirection::Other;
            }
            return;
        }
        let strip_tabs = self.rest.next_if(|(_, c)| *c == '-').is_some();
        while self
            .rest
            .next_if(|(_, c)| matches!(c, ' ' | '\t'))
            .is_some()
        {}
        let (mut delimiter, mut quoted, mut open) = (String::new(), false, None);
        while let Some((_, c)) = self.rest.next_if(|(_, c)| {
            open.is_some()
                || !matches!(
                    c,
                    ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')'
                )
        }) {
            match c {
                '\'' | '"' if open == Some(c) => open = None,
                '\'' | '"' if open.is_none() => (open, quoted) = (Some(c), true),
                '\\' if open.is_none() => quoted = true,
                _ => delimiter.push(c),
            }
        }
        // `1 << 2` in `(( … ))` or `let` is not a here-document; without a word there is nothing to wait for.
        if !delimiter.is_empty() {
            let end = self.rest.peek().map_or(self.text.len(), |(end, _)| *end);
            let command = self.top().map_or(0, |command| command.simple.start);
            self.waiting.push_back(HereDocument {
                delimiter,
                operator: at..end,
                quoted,
                strip_tabs,
                interpreter,
                command,
                target: None,
                body: end,
            });
        }
    }

    pub(super) fn at_line_start(&mut self) -> bool {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        at == 0 || self.text.as_bytes().get(at - 1) == Some(&b'\n')
    }

    /// Ends the here-document when the line that begins here is its delimiter.
    pub(super) fn end_here_document(&mut self) -> bool {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        let line = self
            .text
            .get(at..)
            .and_then(|rest| rest.split('\n').next())
            .unwrap_or_default();
        let Some(Frame::Here(here)) = self.stack.last() else {
            return false;
        };
        let candidate = if here.strip_tabs {
            line.trim_start_matches('\t')
        } else {
            line
        };
        if candidate != here.delimiter {
            return false;
        }
        let end = at + line.len() + 1;
        while self.rest.next_if(|(at, _)| *at < end).is_some() {}
        if let Some(Frame::Here(here)) = self.stack.pop()
            && let Some(target) = here.target
        {
            self.scan.written.push((here.body..at, target));
        }
        self.begin_here_document();
        true
    }

    pub(super) fn begin_here_document(&mut self) {
        if let Some(mut here) = self.waiting.pop_front() {
            here.body = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
            self.push(Frame::Here(here));
        }
    }
}
