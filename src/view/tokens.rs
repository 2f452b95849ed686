//! Token counts by o200k_base, the measure of every budget.

use std::sync::LazyLock;

use tiktoken_rs::CoreBPE;

static ENCODER: LazyLock<Option<CoreBPE>> = LazyLock::new(|| tiktoken_rs::o200k_base().ok());

/// Tokens of `text`. The table is loaded at the first call (about 0.1 s).
pub fn count(text: &str) -> usize {
    // The table is part of the binary; without it a quarter of the characters is the usual estimate.
    ENCODER.as_ref().map_or_else(|| estimate(text), |encoder| encoder.encode_ordinary(text).len())
}

/// A bound on the tokens of one line, cheap enough to ask for each: words, digits and signs apart.
pub fn estimate(text: &str) -> usize {
    let mut tokens = 1;
    let mut run = 0_usize;
    for character in text.chars() {
        if character.is_ascii_alphabetic() {
            run += 1;
            continue;
        }
        tokens += run.div_ceil(5);
        run = 0;
        if character != ' ' {
            tokens += if character.is_ascii() { 1 } else { 2 };
        }
    }
    tokens + run.div_ceil(5)
}
