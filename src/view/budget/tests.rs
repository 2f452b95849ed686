//! Budgets over made-up costs.

use super::{fill, longest_prefix};

#[test]
fn the_longest_prefix_that_fits_is_found() {
    for all in 0..40 {
        for most in 0..40 {
            assert_eq!(longest_prefix(all, |count| count <= most), all.min(most), "{all} {most}");
        }
    }
}

#[test]
fn a_budget_is_kept_and_used_when_estimates_err_either_way() {
    for (truth, estimate) in [(10, 10), (7, 10), (10, 4), (3, 20), (30, 2)] {
        // A hundred lines; an attempt writes as many as its estimates allow.
        let used = fill(500, 20, |limit| {
            let lines = (limit / estimate).min(100);
            let used = 20 + lines * truth;
            (used, lines == 100, used)
        });
        assert!(used <= 500, "{truth} {estimate}: {used}");
        let possible = (20 + 100 * truth).min(500);
        assert!(used * 100 >= possible * 85, "{truth} {estimate}: {used} of {possible}");
    }
}
