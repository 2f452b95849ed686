//! Token counts by o200k_base, the measure of every budget: exact, from a table that is part of the binary.
//!
//! A text is split into pieces by rule (`pieces`), and each piece that is no token itself into tokens by merging
//! (`merge`). The table is made by `scripts/build.rs` and read where it lies, so that only the pages of it that a text
//! needs are ever in memory.

mod merge;
mod pieces;

use std::sync::LazyLock;

use fst::Map;

/// Token bytes to rank. `None` only if the build wrote a damaged table, which a test excludes.
static RANKS: LazyLock<Option<Map<&[u8]>>> =
    LazyLock::new(|| Map::new(include_bytes!(concat!(env!("OUT_DIR"), "/o200k.fst")).as_slice()).ok());

/// Tokens of `text`.
pub fn count(text: &str) -> usize {
    let Some(ranks) = RANKS.as_ref() else { return estimate(text) };
    pieces::split(text).map(|piece| merge::count(piece.as_bytes(), |bytes| ranks.get(bytes))).sum()
}

/// About the tokens of one line, cheap enough to ask for each line of a page: words by length, digits by three, signs
/// one by one. Whoever needs to be sure counts.
pub fn estimate(text: &str) -> usize {
    let mut tokens = 0;
    let mut run = Run::Space;
    let mut length = 0_usize;
    for letter in text.chars().chain([' ']) {
        let kind = match letter {
            ' ' => Run::Space,
            letter if letter.is_ascii_alphabetic() => Run::Word,
            letter if letter.is_ascii_digit() => Run::Digits,
            _ => Run::Sign,
        };
        if kind == run && kind != Run::Sign {
            length += 1;
            continue;
        }
        tokens += match run {
            Run::Word => 1 + length.saturating_sub(2) / 7,
            Run::Digits => length.div_ceil(3),
            Run::Sign => 1,
            // Only before digits is a space a token of its own.
            Run::Space => usize::from(kind == Run::Digits),
        };
        (run, length) = (kind, 1);
    }
    tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Space,
    Word,
    Digits,
    Sign,
}

#[cfg(test)]
mod tests;
