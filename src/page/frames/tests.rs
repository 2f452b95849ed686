//! The frame tree, event by event.

use super::{Committed, Frames};
use crate::page::wire::WireFrame;

fn frame(id: &str, parent: Option<&str>, loader: &str) -> WireFrame {
    WireFrame {
        id: id.into(),
        parent_id: parent.map(str::to_owned),
        loader_id: loader.into(),
        url: "http://a/".into(),
        ..WireFrame::default()
    }
}

#[test]
fn a_document_that_comes_back_has_its_number_again() {
    let mut frames = Frames::default();
    assert_eq!(frames.commit("s", frame("m", None, "l1")), Committed::NewDocument);
    let first = frames.get("m").unwrap().document;
    assert_eq!(frames.commit("s", frame("m", None, "l2")), Committed::NewDocument);
    assert_ne!(frames.get("m").unwrap().document, first);
    frames.commit("s", frame("m", None, "l1"));
    assert_eq!(frames.get("m").unwrap().document, first);
    assert_eq!(frames.commit("s", frame("m", None, "l1")), Committed::Same);
}

#[test]
fn a_frame_that_moves_to_another_process_stays_and_loses_its_world() {
    let mut frames = Frames::default();
    frames.commit("s1", frame("m", None, "l1"));
    frames.attach("s1", "c", "m");
    frames.world_created("s1", "c", 7);
    frames.commit("s2", frame("c", None, "l2"));
    let child = frames.get("c").unwrap();
    assert_eq!((child.session.as_str(), child.world, child.parent.as_deref()), ("s2", None, Some("m")));
    assert_eq!((frames.local_root("c"), frames.local_root("m")), ("c".into(), "m".into()));
    frames.end_session("s1");
    assert!(!frames.contains("c"), "children go with their parent");
}

#[test]
fn a_new_document_drops_the_old_children_and_siblings_keep_their_order() {
    let mut frames = Frames::default();
    frames.commit("s", frame("m", None, "l1"));
    for child in ["z", "a", "k"] {
        frames.attach("s", child, "m");
    }
    assert_eq!(frames.in_order("m"), ["m", "z", "a", "k"]);
    frames.commit("s", frame("m", None, "l2"));
    assert_eq!(frames.in_order("m"), ["m"]);
}
