//! Numbers as JavaScript prints them, because WCI views are JSON that a JavaScript reader made.
//! Source: ECMA-262 `Number::toString`.

/// The decimal text of a finite `f64` by ECMA-262; `-0` gives `0`.
pub fn format(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.len() as i32;
    let body = if count <= point && point <= 21 {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else if 0 < point && point <= 21 {
        format!("{}.{}", &digits[..point as usize], &digits[point as usize..])
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let sign = if point > 0 { '+' } else { '-' };
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{first}{dot}{rest}e{sign}{}", (point - 1).abs())
    };
    if number < 0.0 { format!("-{body}") } else { body }
}

#[cfg(test)]
mod tests;
