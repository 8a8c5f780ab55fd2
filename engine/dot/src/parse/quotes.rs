//! Stage 7: quotes that are lost or too many.
//!
//! ```text
//! input:   a [x="one]        tokens: … String(`"one]\n b [y="`) Name(two) UnclosedString(`"]…`)
//!           b [y="two"]
//! output:  parsed again with `"one` forced to be a token: two nodes, and: unclosed string
//! ```
//!
//! DOT strings may span lines, so one lost quote turns every later string inside out. The first string or
//! value that does not fit what follows it is where the error is (`quotes/suspect.rs`). There are few ways
//! to repair it (`quotes/repairs.rs`): the string ends where code begins again, it continues because its
//! quotes are its own (`quotes/inner.rs`), the quote is surplus, or an unquoted value begins a string. Each
//! is tried by parsing the text again, and the result with the fewest errors is taken.

mod code;
mod inner;
mod repairs;
mod suspect;

use repairs::Repair;
use suspect::Suspect;

use super::attempt::Attempt;
use super::lexer::ForcedToken;
use super::lines;
use crate::Tokens;

/// So many places are looked into that are not clear at the first reading, so that the time stays linear.
const MAX_UNCLEAR: usize = 4;

/// So many places are looked into at all.
const MAX_SUSPECTS: usize = 24;

/// So many bytes are read again in all, …
const MAX_REPARSED_BYTES: usize = 4 << 20;

/// … but a text of any length so often.
const MIN_REPARSES: usize = 3;

/// The best reading of a text of which `first` is the plain one and has errors.
pub(super) fn repair<'t>(
    text: &str,
    first: Attempt<'t>,
    read: impl Fn(&[ForcedToken]) -> Attempt<'t>,
) -> Attempt<'t> {
    let mut best = first;
    let mut forced: Vec<ForcedToken> = Vec::new();
    let mut after = 0;
    let mut unclear = 0;
    let mut reparses = (MAX_REPARSED_BYTES / text.len().max(1)).max(MIN_REPARSES);
    for _ in 0..MAX_SUSPECTS {
        if reparses == 0 || unclear == MAX_UNCLEAR || best.errors.count() <= forced.len() {
            break;
        }
        let Some(suspect) = suspect::first(text, &best.tokens, after) else {
            break;
        };
        let choice = choose(text, best, suspect, after, |repair| {
            reparses = reparses.checked_sub(1)?;
            forced.push(repair);
            let attempt = read(&forced);
            forced.pop();
            Some(attempt)
        });
        best = choice.best;
        unclear += usize::from(!choice.is_clear);
        // A string that only looks odd is left alone.
        after = suspect.token.range.end();
        if let Some(repair) = choice.repair {
            after = repair.range.end();
            forced.push(repair);
        }
    }
    best
}

/// The best reading at a suspect place.
struct Choice<'t> {
    best: Attempt<'t>,
    /// What it forces there; nothing if the reading from before is the best.
    repair: Option<ForcedToken>,
    /// Whether it is clear that this is what happened.
    is_clear: bool,
}

/// The reading that undoes the damage at `suspect` best, if one is better than `best`. `read` gives nothing when all
/// has been read that may be. No more than two reparses are held at a time.
fn choose<'t>(
    text: &str,
    best: Attempt<'t>,
    suspect: Suspect,
    after: usize,
    mut read: impl FnMut(ForcedToken) -> Option<Attempt<'t>>,
) -> Choice<'t> {
    let before = best.errors.count();
    let mut choice = Choice {
        best,
        repair: None,
        is_clear: false,
    };
    for Repair { forced, explains } in repairs::of(text, suspect) {
        if forced.range.start() < after || forced.range.is_empty() {
            continue;
        }
        let Some(attempt) = read(forced) else { break };
        let is_clear = explains
            && attempt.errors.count() <= before + 1
            && is_sound_behind(text, &attempt.tokens, forced.range.end());
        if is_clear || attempt.badness() < choice.best.badness() {
            choice = Choice {
                best: attempt,
                repair: Some(forced),
                is_clear,
            };
        }
        if is_clear {
            break;
        }
    }
    choice
}

/// Whether nothing looks odd in what is left of the line after `end`, or nearby on a very long line.
fn is_sound_behind(text: &str, tokens: &Tokens, end: usize) -> bool {
    const NEARBY_BYTES: usize = 1000;
    suspect::first(text, tokens, end).is_none_or(|next| {
        let odd = next.token.range.start();
        odd > end + NEARBY_BYTES || lines::ends_between(text, end, odd)
    })
}
