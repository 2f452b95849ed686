//! The pieces of a text that o200k_base encodes each on its own. Its published pattern, in order of preference:
//!
//! 1. a word: at most one sign before it, capitals, then at least one small letter, and an English contraction
//! 2. a word in capitals: the same, with at least one capital and any small letters
//! 3. one to three digits
//! 4. signs, a space before them, line breaks and slashes after them
//! 5. white space that ends with its last line break
//! 6. white space up to the last one before a word, or to the end
//! 7. other white space

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

const UPPER: u8 = 1;
const LOWER: u8 = 2;
/// Letters without a case, and marks: they count as capitals and as small letters.
const BOTH: u8 = UPPER | LOWER;
const LETTER: u8 = 4;
const NUMBER: u8 = 8;
const SPACE: u8 = 16;
const BREAK: u8 = 32;

/// The pieces of a text, in order and without a gap.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = first_piece(rest).max(first.len_utf8());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// Length in bytes of the first piece; 0 is never right for a text that is not empty.
fn first_piece(text: &str) -> usize {
    let word = prefixed(text, small_word).or_else(|| prefixed(text, capital_word));
    let piece = word.or_else(|| digits(text)).or_else(|| signs(text)).or_else(|| spaces(text));
    piece.unwrap_or_default()
}

/// A word with the sign before it, or else without one.
fn prefixed(text: &str, word: fn(&str) -> Option<usize>) -> Option<usize> {
    let first = text.chars().next()?;
    let before = (class(first) & (LETTER | NUMBER | BREAK) == 0).then(|| first.len_utf8());
    let after = |at: usize| Some(at + word(&text[at..])?);
    before.and_then(after).or_else(|| after(0))
}

/// Capitals, then small letters, at least one; what is both goes to the capitals where that leaves one.
fn small_word(text: &str) -> Option<usize> {
    let capitals = run(text, UPPER);
    let small = run(&text[capitals..], LOWER);
    let end = if small > 0 {
        capitals + small
    } else {
        // The last of the capitals that is a small letter too ends the word.
        let (at, last) = text[..capitals].char_indices().rev().find(|(_, letter)| class(*letter) & LOWER != 0)?;
        at + last.len_utf8()
    };
    Some(end + contraction(&text[end..]))
}

fn capital_word(text: &str) -> Option<usize> {
    let capitals = run(text, UPPER);
    if capitals == 0 {
        return None;
    }
    let end = capitals + run(&text[capitals..], LOWER);
    Some(end + contraction(&text[end..]))
}

/// `'s 't 're 've 'm 'll 'd` in any case, the long s included.
fn contraction(text: &str) -> usize {
    let Some(after) = text.strip_prefix('\'') else { return 0 };
    let mut letters = after.chars();
    let (Some(first), second) = (letters.next(), letters.next()) else { return 0 };
    let length = match (first.to_ascii_lowercase(), second.map(|letter| letter.to_ascii_lowercase())) {
        ('s' | 't' | 'm' | 'd' | 'ſ', _) => first.len_utf8(),
        ('r' | 'v', Some('e')) | ('l', Some('l')) => 2,
        _ => return 0,
    };
    1 + length
}

fn digits(text: &str) -> Option<usize> {
    let end = text.chars().take(3).take_while(|letter| class(*letter) & NUMBER != 0).map(char::len_utf8).sum();
    (end > 0).then_some(end)
}

fn signs(text: &str) -> Option<usize> {
    let space = usize::from(text.starts_with(' '));
    let signs = length(&text[space..], |letter| class(letter) & (LETTER | NUMBER | SPACE) == 0);
    if signs == 0 {
        return None;
    }
    let end = space + signs;
    Some(end + length(&text[end..], |letter| matches!(letter, '\r' | '\n' | '/')))
}

fn spaces(text: &str) -> Option<usize> {
    let end = run(text, SPACE);
    if let Some(last) = text[..end].rfind(['\r', '\n']) {
        return Some(last + 1);
    }
    if end == text.len() {
        return Some(end);
    }
    // The last space belongs to what comes after it, unless it is the only one.
    let (last, _) = text[..end].char_indices().next_back()?;
    Some(if last > 0 { last } else { end })
}

/// Length of the characters at the start that are of a class.
fn run(text: &str, wanted: u8) -> usize {
    length(text, |letter| class(letter) & wanted != 0)
}

fn length(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !wanted(letter)).unwrap_or(text.len())
}

/// Everything that the rules ask of a character.
fn class(letter: char) -> u8 {
    match letter {
        'a'..='z' => LETTER | LOWER,
        'A'..='Z' => LETTER | UPPER,
        '0'..='9' => NUMBER,
        '\r' | '\n' => SPACE | BREAK,
        ' ' | '\t' => SPACE,
        '\0'..='\x7f' if !letter.is_whitespace() => 0,
        _ => by_category(letter),
    }
}

fn by_category(letter: char) -> u8 {
    use GeneralCategory as C;
    let space = if letter.is_whitespace() { SPACE } else { 0 };
    space
        | match letter.general_category() {
            C::UppercaseLetter | C::TitlecaseLetter => LETTER | UPPER,
            C::LowercaseLetter => LETTER | LOWER,
            C::ModifierLetter | C::OtherLetter => LETTER | BOTH,
            C::NonspacingMark | C::SpacingMark | C::EnclosingMark => BOTH,
            C::DecimalNumber | C::LetterNumber | C::OtherNumber => NUMBER,
            _ => 0,
        }
}
