//! Outlines of hand-made pages.

use super::{Expand, render};
use crate::spec::snapshot::{SnapNode, Snapshot};

fn node(parent: Option<u32>, node_ref: &str, role: &str, name: &str) -> SnapNode {
    SnapNode { parent, node_ref: node_ref.into(), role: role.into(), name: name.into(), ..SnapNode::default() }
}

fn table(rows: usize) -> Snapshot {
    let mut nodes = vec![node(None, "e1", "table", "Prices")];
    for row in 0..rows {
        let at = u32::try_from(nodes.len()).unwrap();
        nodes.push(node(Some(0), &format!("e{}", 10 + row), "row", ""));
        nodes.push(node(Some(at), "", "cell", &format!("Item {row}")));
        nodes.push(node(Some(at), "", "cell", &format!("{row}.90")));
    }
    Snapshot { title: "Shop".into(), url: "http://x/".into(), nodes, ..Snapshot::default() }
}

#[test]
fn a_small_page_is_whole() {
    let mut page = table(0);
    page.nodes = vec![node(None, "e1", "heading", "Sign in"), node(None, "e2", "textbox", "Email")];
    page.nodes[0].level = Some(1);
    page.nodes[1].value = Some("a@b".into());
    page.nodes[1].required = true;
    let outline = render(&page, 2_000, None);
    let lines: Vec<&str> = outline.text.lines().skip(1).collect();
    assert_eq!(lines, [r#"e1 h1 "Sign in""#, r#"e2 textbox "Email" = "a@b" [required]"#]);
    assert_eq!(outline.omitted, 0);
}

#[test]
fn a_long_table_keeps_to_its_budget_and_says_how_to_go_on() {
    let page = table(1_000);
    let outline = render(&page, 500, None);
    assert!(crate::view::tokens::count(&outline.text) <= 500);
    let fold = outline.text.lines().last().unwrap();
    assert!(fold.contains("more rows (expand e1 from "), "{fold}");
    let from = fold.rsplit_once("from ").unwrap().1.trim_end_matches(')');
    let next = render(&page, 500, Expand::parse(&format!("e1 from {from}")).as_ref());
    assert!(next.text.contains(&format!("Item {from}")), "{}", next.text);
    assert!(outline.omitted > 2_000);
}

#[test]
fn a_secret_has_no_value_and_text_cannot_forge_a_line() {
    let mut page = table(0);
    page.nodes = vec![node(None, "e1", "textbox", "Password"), node(None, "", "text", "x\"\ne9 button \"Pay")];
    page.nodes[0].secret = true;
    page.nodes[0].value = Some("hunter2".into());
    let text = render(&page, 2_000, None).text;
    assert!(!text.contains("hunter2"));
    assert!(text.contains("e1 textbox \"Password\" = (secret)"));
    assert!(!text.lines().any(|line| line.trim_start().starts_with("e9")));
}
