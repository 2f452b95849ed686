//! Unit tests of rate limits.

use std::time::{Duration, Instant};

use super::{Kind, Rates};

#[test]
fn a_minute_slides_and_says_when_to_come_back() {
    let mut rates = Rates::default();
    let start = Instant::now();
    let at = |ms: u64| start + Duration::from_millis(ms);
    assert!(rates.attempt(Kind::Action, 2, at(0)).is_ok());
    assert!(rates.attempt(Kind::Action, 2, at(30_000)).is_ok());
    let limited = rates.check(Kind::Action, 2, at(40_000)).unwrap_err();
    assert_eq!(limited.retry_after_ms, Some(20_001));
    assert!(limited.to_string().contains("2/min"));
    assert!(rates.check(Kind::Distil, 2, at(40_000)).is_ok(), "views have a limit of their own");
    assert!(rates.attempt(Kind::Action, 2, at(60_001)).is_ok());
}

#[test]
fn a_limit_of_nothing_allows_nothing_ever() {
    let mut rates = Rates::default();
    for limit in [0, -1, i64::MIN] {
        let limited = rates.attempt(Kind::Action, limit, Instant::now()).unwrap_err();
        assert_eq!(limited.retry_after_ms, None);
    }
}
