//! Byte pair encoding of one piece: of all neighbours whose join is a token, the pair of the lowest rank is joined, the
//! first one where ranks are equal, until no join is a token.

use std::{cmp::Reverse, collections::BinaryHeap};

/// A part of the piece while it is merged, by where it begins.
#[derive(Clone, Copy)]
struct Part {
    end: usize,
    /// Where the part before it begins.
    before: Option<usize>,
    alive: bool,
}

/// Tokens of a piece; `rank` knows the tokens.
pub fn count(piece: &[u8], rank: impl Fn(&[u8]) -> Option<u64>) -> usize {
    if piece.len() < 2 || rank(piece).is_some() {
        return usize::from(!piece.is_empty());
    }
    let mut parts: Vec<Part> =
        (0..piece.len()).map(|at| Part { end: at + 1, before: at.checked_sub(1), alive: true }).collect();
    // (rank, start, end) of each join; one whose parts were joined otherwise since is passed over.
    let mut joins = BinaryHeap::new();
    let offer = |joins: &mut BinaryHeap<Reverse<(u64, usize, usize)>>, start: usize, end: usize| {
        if let Some(rank) = rank(&piece[start..end]) {
            joins.push(Reverse((rank, start, end)));
        }
    };
    for at in 0..piece.len() - 1 {
        offer(&mut joins, at, at + 2);
    }
    let mut left = piece.len();
    while let Some(Reverse((_, start, end))) = joins.pop() {
        let middle = parts[start].end;
        if !parts[start].alive || middle >= piece.len() || parts[middle].end != end || !parts[middle].alive {
            continue;
        }
        parts[middle].alive = false;
        parts[start].end = end;
        left -= 1;
        if end < piece.len() {
            parts[end].before = Some(start);
            offer(&mut joins, start, parts[end].end);
        }
        if let Some(before) = parts[start].before {
            offer(&mut joins, before, end);
        }
    }
    left
}
