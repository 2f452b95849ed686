//! Rings, markers and what counts as a failed or a pending request.

use serde_json::{Value, json};

use super::{ENTRIES, Log, Ring, cut_url};

fn sent(log: &mut Log, id: &str, kind: &str) {
    let event: Value = json!({"requestId": id, "request": {"url": format!("http://a/{id}"), "method": "GET"}, "timestamp": 1.0, "wallTime": 2.0, "type": kind});
    log.request_sent(&serde_json::from_value(event).unwrap());
}

#[test]
fn a_ring_keeps_the_last_entries_and_their_numbers() {
    let mut ring = Ring::default();
    for number in 0..ENTRIES as u64 + 5 {
        assert_eq!(ring.push(number), number);
    }
    assert_eq!(ring.get_mut(4), None);
    assert_eq!(ring.get_mut(5), Some(&mut 5));
    assert_eq!(ring.since(ENTRIES as u64 + 3), [ENTRIES as u64 + 3, ENTRIES as u64 + 4]);
    assert_eq!(ring.since(0).len(), ENTRIES);
}

#[test]
fn failures_are_listed_once_and_cancellations_never() {
    let mut log = Log::default();
    let marker = log.marker();
    for (id, kind) in [("a", "Fetch"), ("b", "Fetch"), ("c", "Image"), ("d", "XHR")] {
        sent(&mut log, id, kind);
    }
    assert_eq!(log.since(&marker).pending_requests, 3);
    log.response_received(
        &serde_json::from_value(json!({"requestId": "a", "response": {"status": 500, "mimeType": "text/plain"}}))
            .unwrap(),
    );
    log.loading_failed(&serde_json::from_value(json!({"requestId": "a", "errorText": "net::ERR_X"})).unwrap());
    log.loading_failed(&serde_json::from_value(json!({"requestId": "b", "errorText": "net::ERR_Y"})).unwrap());
    log.loading_failed(
        &serde_json::from_value(json!({"requestId": "d", "errorText": "net::ERR_ABORTED", "canceled": true})).unwrap(),
    );
    let seen = log.since(&marker);
    assert_eq!(seen.failed_requests, ["GET http://a/a 500", "GET http://a/b net::ERR_Y"]);
    assert_eq!(seen.pending_requests, 0);
    assert!(log.since(&log.marker()).failed_requests.is_empty());
}

#[test]
fn a_missing_tab_icon_is_no_failure_of_the_page() {
    let mut log = Log::default();
    let marker = log.marker();
    for (id, initiator) in [("icon", "other"), ("prefetch", "parser")] {
        let request = json!({"url": format!("http://a/{id}"), "method": "GET"});
        let event = json!({"requestId": id, "request": request, "type": "Other", "initiator": {"type": initiator}});
        log.request_sent(&serde_json::from_value(event).unwrap());
        let answer = json!({"requestId": id, "response": {"status": 404, "mimeType": ""}});
        log.response_received(&serde_json::from_value(answer).unwrap());
        log.loading_failed(&serde_json::from_value(json!({"requestId": id, "errorText": "net::ERR_X"})).unwrap());
    }
    assert_eq!(log.since(&marker).failed_requests, ["GET http://a/prefetch 404"]);
    assert_eq!(log.network().len(), 2);
}

#[test]
fn requests_that_never_end_do_not_pile_up() {
    let mut log = Log::default();
    for number in 0..20 * ENTRIES {
        sent(&mut log, &number.to_string(), "Fetch");
    }
    assert!(log.in_flight.len() <= 4 * ENTRIES);
    assert_eq!(log.network().len(), ENTRIES);
}

#[test]
fn long_addresses_are_cut_at_a_character() {
    let url = format!("data:text/html,{}", "ä".repeat(1_000));
    assert_eq!(cut_url(&url).chars().count(), 201);
}
