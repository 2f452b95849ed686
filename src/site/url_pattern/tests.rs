//! Unit tests of the grammar of `url_pattern`.

use proptest::prelude::*;
use url::Url;

use super::closeness;

fn matches(pattern: &str, page: &str) -> bool {
    let manifest = Url::parse("https://shop.example/m/wci.json").unwrap();
    closeness(pattern, &manifest, &Url::parse(page).unwrap()).is_some()
}

#[test]
fn each_rule_of_the_grammar() {
    for (pattern, page, yes) in [
        ("/cart", "https://shop.example/cart", true),
        ("/cart", "https://shop.example/cart/", true),
        ("/cart", "https://shop.example/cart?x=1#y", true),
        ("/cart", "https://shop.example/carts", false),
        ("/cart", "https://other.example/cart", false),
        ("cart", "https://shop.example/m/cart", true),
        ("/", "https://shop.example/index.html", true),
        ("/shop/*", "https://shop.example/shop/", true),
        ("/shop/*", "https://shop.example/shop/a/b", true),
        ("/p/:id", "https://shop.example/p/7", true),
        ("/p/{id}", "https://shop.example/p/7", true),
        ("/p/:id", "https://shop.example/p/", false),
        ("/p/:id", "https://shop.example/p/7/edit", false),
        ("/s?q=kettle", "https://shop.example/s?page=2&q=kettle", true),
        ("/s?q=kettle", "https://shop.example/s?q=pot", false),
        ("/a#tab", "https://shop.example/a#tab", true),
        ("/a#tab", "https://shop.example/a", false),
        ("", "https://shop.example/", false),
    ] {
        assert_eq!(matches(pattern, page), yes, "{pattern} {page}");
    }
}

#[test]
fn more_letters_are_closer() {
    let manifest = Url::parse("https://shop.example/wci.json").unwrap();
    let page = Url::parse("https://shop.example/shop/boots").unwrap();
    let close = |pattern| closeness(pattern, &manifest, &page).unwrap();
    assert!(close("/shop/boots") > close("/shop/:what") && close("/shop/:what") > close("/*"));
}

proptest! {
    #[test]
    fn no_pattern_makes_it_fail(pattern in "(?s).{0,80}", path in "[a-z/*{}:%#?]{0,40}") {
        let manifest = Url::parse("https://shop.example/wci.json").unwrap();
        if let Ok(page) = manifest.join(&path) {
            let _ = closeness(&pattern, &manifest, &page);
        }
    }
}
