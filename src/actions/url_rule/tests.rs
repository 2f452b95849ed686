//! The rule against the corpus in `shared/vectors/urls.jsonl`, where it lies, and against cases of its own.

use std::path::PathBuf;

use serde_json::Value;

use super::*;

fn kind(url: &str) -> Kind {
    judge(url, &[]).verdict
}

fn with(ranges: &[&str], url: &str) -> (Kind, Option<Reason>) {
    let ranges: Vec<Cidr> = ranges.iter().map(|range| range.parse().unwrap()).collect();
    let verdict = judge(url, &ranges);
    (verdict.verdict, verdict.reason)
}

#[test]
fn every_entry_of_the_corpus_that_needs_no_network() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors/urls.jsonl");
    let Ok(corpus) = std::fs::read_to_string(&path) else {
        eprintln!("left out: {} is not here", path.display());
        return;
    };
    let (mut wrong, mut judged) = (vec![], 0);
    for line in corpus.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let url = entry["url"].as_str().unwrap();
        // The others are decided by a resolver, a redirect (its target is judged below) or a page.
        if let Some(target) = entry["redirect_to"].as_str() {
            judged += 1;
            if kind(target) != Kind::Deny {
                wrong.push(format!("redirect to {target}: {:?}", judge(target, &[])));
            }
            continue;
        }
        if matches!(entry["cls"].as_str(), Some("dns" | "subresource")) {
            continue;
        }
        judged += 1;
        let verdict = judge(url, &[]);
        let got = serde_json::to_value(&verdict).unwrap();
        if got["verdict"] != entry["verdict"] {
            wrong.push(format!("{url}: {got}, not {} ({})", entry["verdict"], entry["reason"]));
        }
        if got["canonical"] != entry["whatwg"] {
            wrong.push(format!("{url}: canonical {}, not {}", got["canonical"], entry["whatwg"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {judged} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged > 100, "only {judged} entries");
}

#[test]
fn addresses_of_names_of_the_corpus_are_refused() {
    for address in ["127.0.0.1", "10.0.0.5", "::ffff:169.254.169.254", "::1", "fd00:ec2::254", "64:ff9b::a00:1"] {
        assert!(judge_address(address.parse().unwrap(), &[]).is_some(), "{address}");
    }
    for address in ["93.184.215.14", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"] {
        assert_eq!(judge_address(address.parse().unwrap(), &[]), None, "{address}");
    }
}

#[test]
fn reasons_are_the_stable_codes() {
    let reason = |url: &str| judge(url, &[]).reason;
    assert_eq!(reason("ftp://example.com/"), Some(Reason::Scheme));
    assert_eq!(reason("https://u@example.com/"), Some(Reason::Userinfo));
    assert_eq!(reason("http://127.1/"), Some(Reason::PrivateAddress));
    assert_eq!(reason("http://2852039166/"), Some(Reason::Metadata));
    assert_eq!(reason("http://[::ffff:169.254.169.254]/"), Some(Reason::Metadata));
    assert_eq!(reason("http://metadata.google.internal./"), Some(Reason::Metadata));
    assert_eq!(reason("example.com"), Some(Reason::Malformed));
    assert_eq!(reason("http://example.com:22/"), Some(Reason::Port));
    assert_eq!(reason(&format!("https://example.com/{}", "a".repeat(9_000))), Some(Reason::TooLong));
    assert_eq!(reason("https://example.com/"), None);
    assert_eq!(serde_json::to_value(Reason::PrivateAddress).unwrap(), "private_address");
    assert_eq!(
        serde_json::to_string(&judge("http://127.1/", &[])).unwrap(),
        r#"{"verdict":"deny","reason":"private_address","canonical":"http://127.0.0.1/"}"#
    );
}

#[test]
fn private_ranges_open_and_metadata_never_does() {
    assert_eq!(with(&["127.0.0.0/8"], "http://127.0.0.1:8080/").0, Kind::Allow);
    assert_eq!(with(&["127.0.0.0/8"], "http://[::ffff:127.0.0.1]:8080/").0, Kind::Allow);
    assert_eq!(with(&["127.0.0.0/8"], "http://[::1]:8080/"), (Kind::Deny, Some(Reason::PrivateAddress)));
    assert_eq!(with(&["127.0.0.0/8"], "http://10.0.0.1/"), (Kind::Deny, Some(Reason::PrivateAddress)));
    assert_eq!(with(&["0.0.0.0/0", "::/0"], "http://169.254.169.254/"), (Kind::Deny, Some(Reason::Metadata)));
    assert_eq!(with(&["::/0"], "http://[fd00:ec2::254]/"), (Kind::Deny, Some(Reason::Metadata)));
    assert_eq!(with(&["::/0"], "http://[::ffff:100.100.100.200]/"), (Kind::Deny, Some(Reason::Metadata)));
    assert_eq!(with(&["10.0.0.0/8"], "http://metadata/"), (Kind::Deny, Some(Reason::Metadata)));
    // The addresses of a private name decide.
    assert_eq!(with(&["127.0.0.0/8"], "http://localhost:8080/"), (Kind::NeedsDns, Some(Reason::Dns)));
    assert_eq!(with(&["10.0.0.0/8"], "http://shop/"), (Kind::NeedsDns, Some(Reason::Dns)));
    assert_eq!(with(&["10.0.0.0/8"], "http://x.onion/"), (Kind::Deny, Some(Reason::PrivateAddress)));
}

#[test]
fn edges_of_ranges() {
    for (url, expected) in [
        ("http://9.255.255.255/", Kind::Allow),
        ("http://11.0.0.0/", Kind::Allow),
        ("http://172.15.255.255/", Kind::Allow),
        ("http://172.16.0.0/", Kind::Deny),
        ("http://172.31.255.255/", Kind::Deny),
        ("http://172.32.0.0/", Kind::Allow),
        ("http://100.64.0.0/", Kind::Deny),
        ("http://100.128.0.0/", Kind::Allow),
        ("http://223.255.255.255/", Kind::Allow),
        ("http://255.255.255.255/", Kind::Deny),
        ("http://[2001:200::1]/", Kind::Allow),
        ("http://[2001:1ff::1]/", Kind::Deny),
        ("http://[3fff:1000::1]/", Kind::Allow),
        ("http://[4000::1]/", Kind::Deny),
        // Teredo with a public server and a public client, which is written inverted.
        ("http://[2001:0:808:808::f7f7:f7f7]/", Kind::Allow),
        ("http://[ff02::1]/", Kind::Deny),
    ] {
        assert_eq!(kind(url), expected, "{url}");
    }
}

#[test]
fn names_that_only_look_private_are_public() {
    for url in [
        "https://localhost.example.com/",
        "https://mylocalhost.com/",
        "https://internal.example/",
        "https://latest.com/",
    ] {
        assert_eq!(kind(url), Kind::Allow, "{url}");
    }
    for url in ["http://a.b.localhost./", "http://localhost../", "http://x.metadata.google.internal/", "http://db/"] {
        assert_eq!(kind(url), Kind::Deny, "{url}");
    }
    assert_eq!(kind("http://a..example.com/"), Kind::NeedsDns);
}

#[test]
fn ranges_are_read_strictly() {
    for good in ["127.0.0.0/8", "::1", "fd00::/8", "10.1.2.3", " 10.0.0.0/8 ", "0.0.0.0/0"] {
        assert!(good.parse::<Cidr>().is_ok(), "{good}");
    }
    for bad in ["", "10.0.0.0/33", "::/129", "localhost", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8"] {
        assert!(bad.parse::<Cidr>().is_err(), "{bad}");
    }
    assert!("0.0.0.0/0".parse::<Cidr>().unwrap().contains("8.8.8.8".parse().unwrap()));
}
