//! Deltas between hand-made pages.

use proptest::prelude::*;

use super::render;
use crate::{
    spec::snapshot::{SnapNode, Snapshot},
    view::{outline::tests::page, tokens},
};

fn lines(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let delta = render(before, after, 2_000).expect("the pages have elements in common");
    assert_eq!(delta.tokens, tokens::count(&delta.text));
    delta.text.lines().map(str::to_owned).collect()
}

fn counter(text: &str) -> Snapshot {
    page(&[(0, "heading", "Counter"), (0, "button", "Count"), (0, "text", text)])
}

#[test]
fn nothing_costs_next_to_nothing() {
    let delta = render(&counter("0"), &counter("0"), 2_000).unwrap();
    assert_eq!(delta.text, "# no changes");
    assert!(delta.tokens <= 15);
}

#[test]
fn a_text_that_took_another_s_place_is_one_line() {
    let lines = lines(&counter("0"), &counter("1"));
    assert!(lines[0].starts_with("# 1 changed · budget 2000, used "), "{}", lines[0]);
    assert_eq!(lines[1..], ["~ text \"1\" (was \"0\")"]);
}

#[test]
fn fields_that_changed_are_told_with_what_they_were() {
    let before = page(&[(0, "textbox", "Email"), (0, "button", "Send"), (0, "checkbox", "Agree")]);
    let mut after = before.clone();
    after.nodes[0].value = Some("a@b".into());
    after.nodes[0].focused = true;
    after.nodes[1].name = "Sending…".into();
    after.nodes[1].disabled = true;
    after.nodes[2].checked = Some("true".into());
    assert_eq!(
        lines(&before, &after)[1..],
        [
            "~ e1 textbox \"Email\" = \"a@b\" [focused] (was = \"\")",
            "~ e2 button \"Sending…\" [disabled] (was \"Send\")",
            "~ e3 checkbox \"Agree\" [checked]",
        ]
    );
    assert!(render(&before, &after, 2_000).unwrap().tokens <= 120);
}

#[test]
fn a_secret_that_changes_says_nothing() {
    let mut before = page(&[(0, "textbox", "Password"), (0, "button", "Go")]);
    before.nodes[0].secret = true;
    let mut after = before.clone();
    before.nodes[0].value = Some("hunter1".into());
    after.nodes[0].value = Some("hunter2".into());
    assert!(!render(&before, &after, 2_000).unwrap().text.contains("hunter"));
}

#[test]
fn what_came_and_went_is_shown_as_a_tree_and_by_name() {
    let before = page(&[(0, "main", ""), (1, "button", "Open"), (1, "link", "Old"), (1, "text", "Ready")]);
    let mut after = before.clone();
    after.nodes.remove(2);
    let mut dialog = page(&[(0, "dialog", "Sure?"), (1, "text", "It cannot be undone."), (1, "button", "Yes")]).nodes;
    for node in &mut dialog {
        node.parent = node.parent.map(|parent| parent + 3);
        if !node.node_ref.is_empty() {
            node.node_ref.insert(1, '9');
        }
    }
    dialog[0].parent = Some(0);
    after.nodes.extend(dialog);
    after.url = "http://x/shop#sure".into();
    let lines = lines(&before, &after);
    assert!(lines[0].starts_with("# 1 added, 1 removed, url #sure · budget"), "{}", lines[0]);
    assert_eq!(
        lines[1..],
        ["+ e91 dialog \"Sure?\"", "+   | It cannot be undone.", "+   e93 button \"Yes\"", "- e3 link \"Old\""]
    );
}

#[test]
fn many_removed_are_counted() {
    let names: Vec<String> = (0..50).map(|n| format!("Row {n}")).collect();
    let mut all = vec![(0, "button", "Clear"), (0, "list", "")];
    for name in &names {
        all.extend([(1, "listitem", ""), (2, "text", name.as_str())]);
    }
    let lines = lines(&page(&all), &page(&all[..2]));
    assert_eq!(
        lines[1..],
        ["- e3 listitem \"Row 0\"", "- e5 listitem \"Row 1\"", "- e7 listitem \"Row 2\"", "- … 47 more listitem"]
    );
}

#[test]
fn a_status_that_begins_to_speak_is_a_text_that_came() {
    let before = page(&[(0, "button", "Save"), (0, "status", "")]);
    let after = page(&[(0, "button", "Save"), (0, "status", ""), (1, "text", "Saved")]);
    assert_eq!(lines(&before, &after)[1..], ["+ | Saved"]);
}

#[test]
fn a_cell_speaks_for_its_own_words_only() {
    let before = page(&[(0, "table", ""), (1, "row", "Rope 4 Buy"), (2, "cell", "Rope 4 Buy"), (3, "button", "Buy")]);
    let mut after = before.clone();
    after.nodes[3].name = "Sold".into();
    for at in [1, 2] {
        after.nodes[at].name = "Rope 4 Sold".into();
    }
    assert_eq!(lines(&before, &after)[1..], ["~ e4 button \"Sold\" (was \"Buy\")"]);
    for at in [1, 2] {
        after.nodes[at].name = "Rope 3 Sold".into();
    }
    assert_eq!(
        lines(&before, &after)[1..],
        ["~ e3 cell \"Rope 3\" (was \"Rope 4\")", "~ e4 button \"Sold\" (was \"Buy\")"]
    );
}

#[test]
fn another_document_has_no_delta() {
    let mut other = counter("0");
    for node in other.nodes.iter_mut().filter(|node| !node.node_ref.is_empty()) {
        node.node_ref.push('7');
    }
    assert_eq!(render(&counter("0"), &other, 2_000), None);
}

#[test]
fn a_table_that_appears_keeps_to_the_budget_with_rows() {
    let before = page(&[(0, "button", "Load")]);
    let mut all = vec![(0, "button", "Load"), (0, "table", "")];
    let names: Vec<String> = (0..1_000).map(|n| format!("Item {n}")).collect();
    for name in &names {
        all.extend([(1, "row", ""), (2, "cell", name.as_str()), (2, "cell", "new")]);
    }
    let delta = render(&before, &page(&all), 600).unwrap();
    assert!(delta.tokens <= 600 && delta.tokens > 450, "{}", delta.tokens);
    assert_eq!(delta.text.lines().nth(1), Some("+ e2 table 1000 rows"));
    assert_eq!(delta.text.lines().nth(2), Some("+ e3 | Item 0 | new"));
    assert!(delta.text.lines().last().unwrap().contains("more rows (expand e2 from "), "{}", delta.text);
}

fn pages() -> impl Strategy<Value = Snapshot> {
    let node = (0..5_usize, "[a-c\n\"|]{0,3}", any::<prop::sample::Index>(), any::<bool>());
    (0..20_usize, prop::collection::vec(node, 0..60)).prop_map(|(first, nodes)| {
        let count = nodes.len();
        let nodes = nodes.into_iter().enumerate().map(|(at, (role, name, parent, below))| SnapNode {
            role: ["text", "button", "main", "listitem", "cell"][role].into(),
            node_ref: if role == 0 { String::new() } else { format!("e{}", first + at) },
            name,
            parent: below.then(|| u32::try_from(parent.index(count)).unwrap()),
            interactive: role == 1,
            ..SnapNode::default()
        });
        Snapshot { nodes: nodes.collect(), ..Snapshot::default() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_pages_give_a_delta_in_budget(before in pages(), after in pages(), budget in 60_usize..400) {
        if let Some(delta) = render(&before, &after, budget) {
            prop_assert_eq!(delta.tokens, tokens::count(&delta.text));
            prop_assert!(delta.tokens <= budget, "{} of {budget}:\n{}", delta.tokens, delta.text);
            for line in delta.text.lines().skip(1) {
                prop_assert!(["~ ", "+ ", "- "].iter().any(|sign| line.starts_with(sign)), "{line}");
            }
        }
        let same = render(&after, &after, budget).map(|delta| delta.text);
        prop_assert_eq!(same.as_deref(), Some("# no changes"));
    }
}
