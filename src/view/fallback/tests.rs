//! Unannotated pages in the WCI schema.

use super::nodes;
use crate::{
    spec::snapshot::{SnapNode, SnapOption, Snapshot, WciElement},
    view::outline::tests::page,
};

fn checkout() -> Snapshot {
    let mut page = page(&[
        (0, "main", ""),
        (1, "heading", "Checkout"),
        (1, "form", "Payment"),
        (2, "textbox", "Card number"),
        (2, "combobox", "Country"),
        (2, "checkbox", "Agree"),
        (2, "button", "Pay now"),
        (1, "status", ""),
        (2, "text", "Saved"),
        (1, "link", "Home"),
        (1, "link", "Menu"),
        (1, "text", "Small print"),
    ]);
    page.nodes[3].required = true;
    page.nodes[3].secret = true;
    page.nodes[3].value = Some("4111".into());
    page.nodes[4].options = vec![SnapOption { label: "Norway".into(), value: "no".into(), ..SnapOption::default() }];
    page.nodes[5].checked = Some("false".into());
    page.nodes[6].disabled = true;
    page.nodes[9].href = Some("http://x/home".into());
    page.nodes[10].href = Some("http://x/shop#".into());
    page
}

#[test]
fn roles_actions_scopes_and_states() {
    let found: Vec<String> = nodes(&checkout())
        .map(|node| {
            let action = node.action.unwrap_or_default();
            let scope = node.scope.unwrap_or_default();
            let state = serde_json::to_string(&node.state).unwrap();
            format!("{} {} {action} {:?} {scope} {} {state}", node.id, node.role, node.desc, node.priority)
        })
        .collect();
    assert_eq!(
        found,
        [
            "e1 landmark  \"Checkout\"  2 {}",
            "e2 display  \"Checkout\" e1 5 {}",
            "e3 landmark  \"Payment\" e1 2 {}",
            "e4 form fill \"Card number\" e3 1 {}",
            "e5 form select \"Country\" e3 2 {}",
            "e6 form check \"Agree\" e3 2 {\"checked\":false}",
            "e7 action click \"Pay now\" e3 2 {\"disabled\":true}",
            "e8 status  \"Saved\" e1 2 {}",
            "e10 nav navigate \"Home\" e1 4 {}",
            "e11 action click \"Menu\" e1 2 {}",
        ]
    );
    let select = nodes(&checkout()).find(|node| node.id == "e5").unwrap();
    assert_eq!(select.options, Some(vec!["no".to_owned()]));
    assert!(nodes(&checkout()).all(|node| node.source == Some("ax")));
}

#[test]
fn annotated_elements_are_not_said_twice() {
    let mut page = checkout();
    page.nodes[6].wci_id = Some("pay".into());
    page.wci = vec![WciElement { node_ref: "e5".into(), ..WciElement::default() }];
    assert!(nodes(&page).all(|node| node.id != "e7" && node.id != "e5"));
}

#[test]
fn a_parent_behind_its_child_is_no_loop() {
    let button = |parent| SnapNode { role: "button".into(), node_ref: "e1".into(), parent, ..SnapNode::default() };
    let page = Snapshot { nodes: vec![button(Some(1)), button(Some(0))], ..Snapshot::default() };
    assert_eq!(nodes(&page).count(), 2);
}
