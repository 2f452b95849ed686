//! What is read, by which rules, and what failures are called.

use serde_json::{Value, json};

use super::{ReadRequest, barrier, is_text, max_bytes, method, mode, of_page, pretty, tidy, timeout_ms};
use crate::{
    actions::{url_rule::judge, vectors::action_runtime},
    page::{
        error::PageError,
        navigation::{Navigation, WaitUntil},
    },
};

#[test]
fn the_vectors_of_args_are_read_as_recorded() {
    for vector in action_runtime("readUrlArgs") {
        // An address from the prompt is the planner's to repair.
        if vector["args"]["url"].is_null() {
            continue;
        }
        let request: ReadRequest = serde_json::from_value(vector["args"].clone()).unwrap();
        let wanted = &vector["out"];
        let canonical = judge(&request.url, &[]).canonical;
        match method(&request) {
            Ok(method) => {
                assert_eq!(json!(canonical), wanted["url"], "{vector}");
                assert_eq!(json!(method), wanted["method"], "{vector}");
                assert_eq!(json!(timeout_ms(&request)), wanted["timeoutMs"], "{vector}");
                assert_eq!(json!(max_bytes(&request)), wanted["maxBytes"], "{vector}");
                if wanted["mode"] != "auto" {
                    assert_eq!(json!(mode(request.mode.as_deref(), "text/html")), wanted["mode"], "{vector}");
                }
            }
            Err(failed) => {
                let wanted = &wanted["output"];
                assert_eq!(
                    json!([canonical, failed.error, failed.reason, failed.message]),
                    json!([wanted["url"], wanted["error"], wanted["reason"], wanted["message"]]),
                    "{vector}"
                );
            }
        }
    }
}

#[test]
fn the_vectors_of_addresses_are_made_canonical() {
    for vector in action_runtime("url") {
        let (given, wanted) = (vector["in"].as_str().unwrap(), vector["out"].as_str().unwrap());
        let canonical = judge(given, &[]).canonical.unwrap_or_default();
        let of_web = canonical.starts_with("http://") || canonical.starts_with("https://");
        assert_eq!(if of_web { canonical.as_str() } else { "" }, wanted, "{given}");
    }
}

#[test]
fn numbers_that_mean_nothing_count_as_not_given() {
    for number in [json!(0), json!(-5), json!(2.5), json!(1e300), Value::Null] {
        let request: ReadRequest = serde_json::from_value(json!({"maxBytes": number, "timeoutMs": number})).unwrap();
        assert_eq!((max_bytes(&request), timeout_ms(&request)), (200_000, 10_000), "{number}");
    }
}

#[test]
fn the_mode_follows_the_type_unless_it_is_asked_for() {
    for (asked, mime, wanted) in [
        (None, "text/html", "html_text"),
        (Some("auto"), "application/xhtml+xml", "html_text"),
        (Some("anything"), "application/problem+json", "json"),
        (None, "application/json", "json"),
        (None, "text/plain", "text"),
        (Some("HTML_TEXT"), "text/plain", "html_text"),
        (Some("json"), "text/html", "json"),
    ] {
        assert_eq!(mode(asked, mime), wanted, "{asked:?} {mime}");
    }
    for mime in ["", "text/csv", "application/ld+json", "image/svg+xml", "Application/JSON; charset=utf-8"] {
        assert!(is_text(mime), "{mime}");
    }
    for mime in ["image/png", "application/pdf", "application/octet-stream", "video/mp4"] {
        assert!(!is_text(mime), "{mime}");
    }
}

#[test]
fn text_is_tidied_and_json_made_readable() {
    assert_eq!(tidy("\n\n  a \n b\n\n\n\n c  \n\n"), "a\nb\n\nc");
    assert_eq!(pretty(r#"{"b":1,"a":[]}"#), "{\n  \"b\": 1,\n  \"a\": []\n}");
    assert_eq!(pretty("{not json"), "{not json");
}

#[test]
fn a_short_page_with_the_words_of_a_barrier_is_one() {
    let of = |title: &str, text: &str| {
        let page = Navigation {
            url: String::new(),
            status: Some(200),
            title: title.into(),
            mime: "text/html".into(),
            new_document: true,
            download: false,
            reached: WaitUntil::Load,
            dialogs: vec![],
        };
        barrier(&page, text)
    };
    assert_eq!(of("Just a moment...", ""), Some("just a moment"));
    assert_eq!(of("", "Please VERIFY you are human"), Some("verify you are human"));
    assert_eq!(of("News", "All is well"), None);
    assert_eq!(of("", &format!("access denied {}", "long article ".repeat(200))), None);
}

#[test]
fn failures_have_the_categories_of_the_contract() {
    let failed = |text: &str| PageError::NavigationFailed { url: "u".into(), text: text.into() };
    for (error, category, reason) in [
        (PageError::Timeout { what: "it".into() }, "timeout", "timeout"),
        (PageError::Hung, "timeout", "timeout"),
        (failed("net::ERR_CONNECTION_TIMED_OUT"), "timeout", "err_connection_timed_out"),
        (failed("net::ERR_NAME_NOT_RESOLVED"), "fetch_failed", "err_name_not_resolved"),
        (PageError::BadUrl { url: "u".into(), why: "no".into() }, "invalid_url", "scheme"),
        (PageError::Crashed, "fetch_failed", "crashed"),
        (PageError::BrowserGone, "fetch_failed", "browser_gone"),
    ] {
        let got = of_page(&error);
        assert_eq!((got.error, got.reason.as_str()), (category, reason), "{error}");
    }
}
