//! Token counts by o200k_base, the measure of every budget.

use std::sync::LazyLock;

use tiktoken_rs::CoreBPE;

static ENCODER: LazyLock<Option<CoreBPE>> = LazyLock::new(|| tiktoken_rs::o200k_base().ok());

/// Tokens of `text`. The table is loaded at the first call (about 0.1 s).
pub fn count(text: &str) -> usize {
    // The table is part of the binary; without it a quarter of the characters is the usual estimate.
    ENCODER.as_ref().map_or_else(|| estimate(text), |encoder| encoder.encode_ordinary(text).len())
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
