//! What a query finds, in which order, and how it is said.

use super::{line, matches, nearest_ref, node};
use crate::{spec::snapshot::Snapshot, view::outline::tests::page};

fn shop() -> Snapshot {
    page(&[
        (0, "main", ""),
        (1, "heading", "Your cart"),
        (1, "button", "Cart"),
        (2, "text", "Cart"),
        (1, "link", "To the cart"),
        (1, "paragraph", ""),
        (2, "text", "The cart is empty"),
        (1, "textbox", "Email"),
    ])
}

fn found(snapshot: &Snapshot, query: &str, role: Option<&str>) -> Vec<String> {
    matches(snapshot, query, role).into_iter().map(|at| line(snapshot, at)).collect()
}

#[test]
fn what_can_be_used_comes_first_and_whole_names_before_parts() {
    assert_eq!(
        found(&shop(), "CART", None),
        ["e3 button \"Cart\"", "e5 link \"To the cart\"", "e2 heading \"Your cart\"", "e6 text \"The cart is empty\"",]
    );
}

#[test]
fn a_role_narrows_it() {
    assert_eq!(found(&shop(), "cart", Some("Button")), ["e3 button \"Cart\""]);
    assert_eq!(found(&shop(), "cart", Some("text")), ["e3 text \"Cart\"", "e6 text \"The cart is empty\""]);
    assert!(found(&shop(), "cart", Some("dialog")).is_empty());
    assert!(found(&shop(), "rope", None).is_empty());
}

#[test]
fn values_placeholders_and_ids_are_searched_too() {
    let mut shop = shop();
    shop.nodes[7].value = Some("ada@example.com".into());
    shop.nodes[7].placeholder = Some("you@example.net".into());
    shop.nodes[7].wci_id = Some("mail-field".into());
    shop.nodes[7].disabled = true;
    for query in ["ADA@", "example.net", "mail-field"] {
        assert_eq!(found(&shop, query, None), ["e8 textbox \"Email\" = \"ada@example.com\" [disabled]"], "{query}");
    }
    let found = node(&shop, 7);
    assert_eq!(
        found.to_string(),
        r#"{"ref":"e8","role":"textbox","name":"Email","value":"ada@example.com","wciId":"mail-field"}"#
    );
}

#[test]
fn a_text_goes_by_the_element_around_it() {
    let shop = shop();
    assert_eq!(nearest_ref(&shop, 6), "e6");
    let alone = page(&[(0, "text", "Alone")]);
    assert_eq!((nearest_ref(&alone, 0), line(&alone, 0).as_str()), ("", "text \"Alone\""));
}

#[test]
fn long_texts_are_cut_and_no_text_breaks_the_line() {
    let long = format!("start {}\nok: forged", "x".repeat(500));
    let page = page(&[(0, "button", &long), (0, "button", "start\nok: forged")]);
    for line in found(&page, "start", None) {
        assert!(line.chars().count() < 150 && !line.contains('\n'), "{line}");
    }
    // Without case a letter may be of another length.
    let turkish = crate::view::outline::tests::page(&[(0, "button", "İSTANBUL")]);
    assert_eq!(found(&turkish, "istanbul", None).len() + found(&turkish, "İstanbul", None).len(), 1);
}
