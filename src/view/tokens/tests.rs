//! Counts against `tiktoken-rs`, the public implementation, and how far the estimate may be from them.

use std::sync::LazyLock;

use proptest::prelude::*;
use tiktoken_rs::CoreBPE;

use super::{count, estimate};

static THEIRS: LazyLock<CoreBPE> = LazyLock::new(|| tiktoken_rs::o200k_base().expect("the public vocabulary"));

fn same(text: &str) {
    assert_eq!(count(text), THEIRS.encode_ordinary(text).len(), "{text:?}");
}

#[test]
fn tokens_are_those_of_o200k() {
    assert_eq!(count("hello world"), 2);
    assert_eq!(count(""), 0);
    assert_eq!(count("e12 button \"Add\""), 6);
}

#[test]
fn every_rule_of_the_pattern_is_the_published_one() {
    for text in [
        "HTTPServer camelCase ALLCAPS Title iPhone McDonald",
        "don't DON'T we'RE they've I'm she'll he'D it'ſ 'tis rock'n'roll x''s",
        "1 12 123 1234 1234567 3.14159 ½ ⅻ ٣٤٥٦",
        "a  b   c\td \t e\u{a0}\u{a0}f\u{2003}g",
        "end \n\n  next\r\n\r\nlast  \n ",
        "  leading and trailing   ",
        "(x) [y] {z} -> => :: // /path/to\n/end ...\n\n!!\r\n",
        "ǅ ǆ ʰʱ ªº\u{301}e\u{301} \u{301}\u{301} .\u{301}x \u{301}",
        "日本語のテキスト 中文字符 한국어 العربية עברית ไทย हिन्दी",
        "👍🏽👨‍👩‍👧 🇩🇪 ✓ → … — “quoted” ‘x’",
        "\u{200b}\u{feff}\u{ad}\u{0}\u{7}\u{1b}[31m\u{85}x\u{2028}y\u{b}z",
        "ÀÉÎ Straße ΑΒΓ αβγ Ωmega Жук жУК",
        "_snake_case_ __init__ $var #tag @name a_b-c.d",
        "<div class=\"x\">text</div> &amp; https://example.com/a?b=c&d=e#f",
    ] {
        same(text);
        for at in text.char_indices().map(|(at, _)| at) {
            same(&text[at..]);
        }
    }
}

#[test]
fn long_pieces_are_merged_as_the_published_ones() {
    same(&"a".repeat(3_000));
    same(&"ab".repeat(1_500));
    same(&"=-".repeat(900));
    same(&" ".repeat(2_000));
    same(&"日本".repeat(500));
    same(&"aBcDeFgHiJkLmNoPqRsTuVwXyZ".repeat(40));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_has_the_tokens_of_the_public_implementation(text in "\\PC{0,60}") {
        same(&text);
    }

    #[test]
    fn any_mixture_of_classes_has_them_too(text in "[aAzZ09'stſreLl \\t\\r\\n/.,_éÉǅʰ日\u{301}\u{300}½٣🇩👍]{0,40}") {
        same(&text);
    }
}

#[test]
fn the_estimate_is_near_on_lines_of_an_outline() {
    for text in [
        "e1234 | 10537 | Customer 538 | Bergen | 386.00 | paid",
        "e12 button \"Add to cart\" [disabled]",
        "| The quick brown fox jumps over the lazy dog, and internationalization follows.",
        "e5 link \"Documentation\" → /docs/reference/index.html",
        "… 982 more rows (expand e3 from 20)",
    ] {
        let (exact, near) = (count(text), estimate(text));
        assert!(near * 100 >= exact * 75 && near * 100 <= exact * 150, "{exact} {near}: {text}");
    }
}
