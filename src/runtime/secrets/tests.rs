//! Tests of what is kept secret, and where.

use serde_json::json;

use super::Secrets;

#[test]
fn a_secret_is_found_by_name_and_masked_everywhere() {
    let data = [("Password", "correct horse"), ("shopping", "list"), ("cvc", "123"), ("email", "a@b.example")];
    let mut secrets = Secrets::default();
    for (name, value) in data {
        secrets.learn(name, value);
    }
    let mut value = json!({
        "correct horse": [{"value": "my correct horse!", "cvc": "123", "at": "12:31:23"}, 123, 1234, null, true, "list"],
    });
    secrets.scrub_value(&mut value);
    assert_eq!(
        value,
        json!({"(secret)": [
            {"value": "my (secret)!", "cvc": "(secret)", "at": "12:31:23"}, "(secret)", 1234, null, true, "list",
        ]})
    );
}

#[test]
fn one_secret_within_another_leaves_no_rest() {
    let mut secrets = Secrets::default();
    secrets.learn("password", "hunter");
    secrets.learn("new password", "hunter22");
    assert_eq!(secrets.scrub("hunter22 and hunter"), "(secret) and (secret)");
    secrets.learn("Email address", "ada@example.com");
    assert_eq!(secrets.scrub("ada@example.com"), "ada@example.com");
}
