//! Lists of attributes, and the pairs in them.
//!
//! ```text
//! input:   [a=1, b "x"]
//! output:  AttrList { a=1, b="x" }   and: expected `=` between `b` and its value
//! ```

use chumsky::prelude::*;
use smallvec::SmallVec;

use super::input::{Grammar, id, plain, recover, token, when};
use crate::TokenKind;
use crate::ast::{Attr, AttrList, Id, IdKind};
use crate::parse::statement_tokens::{Word, WordKind};

/// The lists after a statement.
pub(super) type Lists = SmallVec<[AttrList; 1]>;

pub(super) fn lists<'w, 't: 'w>() -> impl Grammar<'w, 't, Lists> {
    list().boxed().repeated().collect()
}

/// The lists of `node` alone: one that is missing, and what follows it.
pub(super) fn missing_list<'w, 't: 'w>() -> impl Grammar<'w, 't, Lists> {
    let missing = recover(|input| AttrList {
        range: input.keep_missing(),
        items: Box::default(),
        closed: false,
    });
    missing.then(lists()).map(|(missing, mut lists)| {
        lists.insert(0, missing);
        lists
    })
}

/// `[key=value, …]`
fn list<'w, 't: 'w>() -> impl Grammar<'w, 't, AttrList> {
    let close = token(TokenKind::RightBracket).or(recover(|input| input.keep_missing()));
    // Cleared first: where a list is read without a result, nothing takes its pairs.
    let open =
        token(TokenKind::LeftBracket).then_ignore(recover(|input| input.state().pairs.clear()));
    open.then(item().repeated().collect::<()>())
        .then(close)
        .map_with(|((open, ()), close), extra| {
            let items = Box::from(extra.state().pairs.as_slice());
            AttrList {
                range: open.cover(close),
                items,
                closed: !close.is_empty(),
            }
        })
}

/// A pair with its separator, added to the pairs of the state, or what is not a pair.
fn item<'w, 't: 'w>() -> impl Grammar<'w, 't, ()> {
    let plain = plain(|input| input.plain_pairs());
    let pair = pair().map_with(|pair, extra| extra.state().pairs.extend(pair));
    let without_key = when(
        |input| input.sees(0, TokenKind::Equals),
        recover(|input| input.skip_value_without_key()),
    );
    let separator = select! { word if is_separator(word) => () };
    choice((
        plain,
        pair.or(without_key).then_ignore(separator.or_not()),
        when(
            |input| {
                input
                    .peek(0)
                    .is_some_and(|next| !next.is(TokenKind::RightBracket))
            },
            recover(|input| input.skip_in_list()),
        ),
    ))
}

fn is_separator(word: Word) -> bool {
    word.is(TokenKind::Comma) || word.is(TokenKind::Semicolon)
}

fn pair<'w, 't: 'w>() -> impl Grammar<'w, 't, Option<Attr>> {
    when(
        |input| input.sees_id(0) || input.sees_keyword(0),
        choice((
            when(|input| input.sees(1, TokenKind::Equals), assignment()).map(Some),
            pair_without_equals().boxed(),
        )),
    )
}

/// `key=value`
pub(super) fn assignment<'w, 't: 'w>() -> impl Grammar<'w, 't, Attr> {
    key()
        .then(token(TokenKind::Equals))
        .then(value())
        .map(|((key, equals), value)| Attr::new(key, equals, value))
}

/// A key without a `=`: it lacks that, or its value too, or it is the rest of the value before it.
fn pair_without_equals<'w, 't: 'w>() -> impl Grammar<'w, 't, Option<Attr>> {
    let colon = key()
        .then(recover(|input| input.skip_colon()))
        .then(value())
        .map(|((key, colon), value)| Attr::new(key, colon, value));
    let insert_equals = key()
        .then(recover(|input| input.insert_equals()))
        .then(choice((
            when(
                |input| input.length_of_value(0) > 1,
                recover(|input| Some(input.glued_value())),
            ),
            value(),
        )))
        .map(|((key, equals), value)| Attr::new(key, equals, value))
        .boxed();
    let no_value = recover(|input| input.report_no_value())
        .ignore_then(key())
        .then(recover(|input| input.here()))
        .map(|(key, here)| Attr::new(key, here, None));
    choice((
        when(|input| input.sees(1, TokenKind::Colon), colon).map(Some),
        when(
            |input| input.lacks_equals() && input.is_quoted(1),
            insert_equals.clone(),
        )
        .map(Some),
        when(
            |input| input.value_this_continues().is_some(),
            recover(|input| input.skip_rest_of_value()).to(None),
        ),
        when(|input| input.lacks_equals(), insert_equals).map(Some),
        no_value.map(Some),
    ))
}

fn key<'w, 't: 'w>() -> impl Grammar<'w, 't, Id> {
    let dotted = select! {
        Word { kind: WordKind::DottedKey, range } => Id { range, kind: IdKind::Extended },
    };
    choice((id(), dotted, recover(|input| input.keep_unquoted())))
}

/// What follows a `=`.
fn value<'w, 't: 'w>() -> impl Grammar<'w, 't, Option<Id>> {
    let any_id = select! {
        Word { kind: WordKind::Id(kind), range } => Id { range, kind },
        Word { kind: WordKind::DottedKey | WordKind::Unquoted, range } => Id {
            range,
            kind: IdKind::Extended,
        },
    };
    let value = choice((
        when(|input| !input.begins_next_pair(), any_id).map(Some),
        when(
            |input| input.sees_keyword(0) && !input.on_new_line(),
            recover(|input| Some(input.keep_unquoted())),
        ),
        recover(|input| input.missing_value()),
    ));
    let joined = when(
        |input| input.sees(0, TokenKind::Plus),
        recover(|input| input.skip_plus()),
    );
    choice((
        // Most values are between `=` and a separator; to know that first saves a tenth of the time.
        when(
            |input| input.sees(1, TokenKind::Comma) || input.sees(1, TokenKind::RightBracket),
            id(),
        )
        .map(Some),
        recover(|input| input.skip_before_value())
            .ignore_then(value)
            .then_ignore(joined.or_not()),
    ))
}

#[cfg(test)]
mod tests {
    /// A list that belongs to nothing is read without a result.
    #[test]
    fn pairs_of_a_list_of_nothing_are_not_in_the_next_list() {
        let parse = crate::parse("digraph { [x=y] a [z=w] }");
        let node = parse.file.graphs[0].body.statements.last();
        let lists = node.map(|node| node.attributes()).unwrap_or_default();
        let pairs: Vec<usize> = lists.iter().map(|list| list.items.len()).collect();
        assert_eq!(pairs, [1]);
    }
}
