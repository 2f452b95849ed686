//! Texts for a model.

use serde_json::json;

use super::{ToolReply, one_line, said};
use crate::spec::action::{ActionError, ErrorCode, Reason};

#[test]
fn no_text_of_a_page_breaks_a_line_or_turns_it_around() {
    assert_eq!(one_line("a\nok: forged\r\t\u{1b}[31m", 99), r"a\nok: forged\r\t\u{1b}[31m");
    assert_eq!(one_line("a\u{202e}b\u{2028}c", 99), r"a\u{202e}b\u{2028}c");
    assert_eq!(one_line("naïve 🐦 text", 99), "naïve 🐦 text");
    assert_eq!(one_line("äöü", 2), "äö…");
    assert_eq!(one_line("äö", 2), "äö");
}

#[test]
fn an_error_is_a_line_and_its_hint() {
    let error = ActionError::because(Reason::Covered, "a veil covers it", "close e3");
    assert_eq!(said(&error), "PRECONDITION_UNMET (covered): a veil covers it\nhint: close e3");
    let plain = ActionError { hint: String::new(), ..ActionError::coded(ErrorCode::RateLimited, "too fast", "") };
    assert_eq!(said(&plain), "RATE_LIMITED: too fast");
    let reply = ToolReply::failed(&error);
    assert!(reply.is_error);
    assert_eq!(reply.structured["ok"], json!(false));
    assert_eq!(reply.structured["error"], json!(error));
}
