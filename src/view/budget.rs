//! Keeping to a token budget: the fullest text that fits, found with as few exact counts as possible.

/// The smallest budget that can be kept: room for a first line that says what was left out.
pub const LEAST: usize = 40;

/// Attempts at a better limit.
const ATTEMPTS: usize = 6;

/// Writes within `budget` tokens. `attempt` writes within a limit of estimated tokens and gives the exact count, whether
/// that was everything, and the text. `fixed` are the tokens that every attempt costs.
pub fn fill<T>(budget: usize, fixed: usize, attempt: impl Fn(usize) -> (usize, bool, T)) -> T {
    let mut limit = budget.saturating_sub(fixed);
    let mut best: Option<(usize, T)> = None;
    for _ in 0..ATTEMPTS {
        let (used, whole, text) = attempt(limit);
        let fits = used <= budget;
        let better = best.as_ref().is_none_or(|(most, _)| used > *most);
        if fits && better {
            best = Some((used, text));
        }
        if fits && (whole || !better || used * 100 >= budget * 97) {
            break;
        }
        // Estimates err in proportion: correct them by what this attempt really cost, a little to the safe side.
        let body = used.saturating_sub(fixed).max(1);
        let room = budget.saturating_sub(fixed);
        let next = limit * room / body;
        let next = if fits { next * 99 / 100 } else { next.min(limit) * 97 / 100 };
        if next == limit || (!fits && limit == 0) {
            break;
        }
        limit = next;
    }
    match best {
        Some((_, text)) => text,
        // Not even the corrected limits fit: nothing but the fixed part.
        None => attempt(0).2,
    }
}

/// The largest count up to `all` that fits; 0 when not even one does. `fits` must not grow truer with the count.
pub fn longest_prefix(all: usize, fits: impl Fn(usize) -> bool) -> usize {
    if fits(all) {
        return all;
    }
    let (mut fit, mut over) = (0, all);
    while over - fit > 1 {
        let middle = fit.midpoint(over);
        if fits(middle) { fit = middle } else { over = middle }
    }
    fit
}

#[cfg(test)]
mod tests;
