//! The grammar of node ids.

use super::{FrameStep, Locator, NodeId, Text};

fn text(text: &str, exact: bool) -> Text {
    Text { text: text.into(), exact }
}

#[test]
fn every_form_parses() {
    for (id, locator) in [
        ("checkout.submit", Locator::Plain("checkout.submit".into())),
        ("e12", Locator::Plain("e12".into())),
        ("a=b", Locator::Plain("a=b".into())),
        ("css=a[href='x=y'] > b", Locator::Css("a[href='x=y'] > b".into())),
        ("role=button", Locator::Role { role: "button".into(), name: None }),
        (
            "role=button[name=\"Go \\\"on\\\"]\"]",
            Locator::Role { role: "button".into(), name: Some(text("Go \"on\"]", true)) },
        ),
        ("role=link[name=Next page]", Locator::Role { role: "link".into(), name: Some(text("Next page", false)) }),
        ("label=E-mail", Locator::Label(text("E-mail", false))),
        ("text='Exactly'", Locator::Text(text("Exactly", true))),
        ("text=a >> b", Locator::Text(text("a >> b", false))),
        ("testid=row-1", Locator::TestId("row-1".into())),
    ] {
        assert_eq!(NodeId::parse(id), Ok(NodeId { frames: vec![], locator }), "{id}");
    }
}

#[test]
fn frames_nest() {
    let parsed = NodeId::parse("frame=e3 >> frame=css=#in >> frame=iframe.b >> text=Go").unwrap();
    assert_eq!(
        parsed.frames,
        [FrameStep::Ref("e3".into()), FrameStep::Css("#in".into()), FrameStep::Css("iframe.b".into())]
    );
    assert_eq!(parsed.locator, Locator::Text(text("Go", false)));
}

#[test]
fn what_is_wrong_is_said() {
    for (id, part) in [
        ("", "empty"),
        ("css= ", "css="),
        ("role=Button", "no role"),
        ("role=button[label=x]", "name="),
        ("role=button[name=\"x\"", "missing"),
        ("text=\"x", "not closed"),
        ("text=\"x\" y", "closing quote"),
        ("frame=e3", ">>"),
        ("frame= >> e1", "ref or a CSS"),
    ] {
        let why = NodeId::parse(id).unwrap_err();
        assert!(why.contains(part), "{id}: {why}");
    }
}
