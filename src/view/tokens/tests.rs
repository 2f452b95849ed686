//! Counts, and how far the estimate may be from them.

use super::{count, estimate};

#[test]
fn tokens_are_those_of_o200k() {
    assert_eq!(count("hello world"), 2);
    assert_eq!(count(""), 0);
    assert_eq!(count("e12 button \"Add\""), 6);
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
