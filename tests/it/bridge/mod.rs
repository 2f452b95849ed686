//! BARS T3 with cases of our own: each acts once on a small page, and asserts what the page saw and what the result says.
//! A result that claims an effect which the page did not see fails, and so does an event that reached the wrong element.

/// Case, driver and comparison.
mod corpus;

/// Covers, states and elements that are not there yet, not there any more, or on the move.
mod waiting;

use corpus::run;

#[tokio::test(flavor = "multi_thread")]
async fn covered_elements_are_not_pressed() {
    run(waiting::COVERED).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_and_hidden_elements_are_not_used() {
    run(waiting::STATES).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn late_moving_and_replaced_elements_are_waited_for() {
    run(waiting::LATE).await;
}
