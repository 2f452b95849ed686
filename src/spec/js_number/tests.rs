//! The table of ECMA-262's own cases: integers, fractions, both exponent limits.

use super::format;

#[test]
fn numbers_print_as_javascript_prints_them() {
    let cases = [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.5, "-2.5"),
        (100.0, "100"),
        (0.1, "0.1"),
        (12345678901234567890.0, "12345678901234567000"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-9, "1.25e-9"),
        (123456.789, "123456.789"),
    ];
    for (number, text) in cases {
        assert_eq!(format(number), text);
    }
}
