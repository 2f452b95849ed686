//! Unit tests of reading values back.

use super::same_value;

#[test]
fn a_field_may_write_a_value_in_its_own_way() {
    for (kind, kept, wanted, same) in [
        ("color", "#ff8800", "#FF8800", true),
        ("color", "#000000", "red", false),
        ("time", "23:59", "23:59:00", true),
        ("datetime-local", "2026-12-31T23:59", "2026-12-31 23:59", true),
        ("date", "2026-12-31", "2026-12-31", true),
        ("date", "", "31.12.2026", false),
        ("range", "50", "50.0", true),
        ("range", "100", "150", false),
        ("month", "2026-12", "2026-12", true),
    ] {
        assert_eq!(same_value(kind, kept, wanted), same, "{kind} {kept} {wanted}");
    }
}
