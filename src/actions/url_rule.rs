//! Which URLs Gannet's own HTTP may reach: the rule for "a valid public http/https URL" (facts/reliability.md 3.2).
//! Pure: judges the text of a URL and, once resolved, its addresses. Resolving, pinning and following are `http`'s.
//!
//! # Order
//! length, WHATWG parse, scheme, user info, port, host. An address literal, canonical after parsing and with embedded
//! IPv4 unwrapped, must be globally reachable; reserved names are denied. An ordinary name is allowed *so far*: whoever
//! connects resolves it and asks [`judge_address`] about every address. [`Kind::NeedsDns`] marks names of which nothing
//! good can be said before that: they carry an address, use a wildcard DNS service, mix look-alikes, cannot be resolved
//! by the rules of DNS, or go to the port of a database.
//!
//! `allow_private` opens private ranges, never a metadata service. Names reserved for private use then need DNS.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use serde::Serialize;
use url::{Host, Url};

/// Longest URL, in bytes.
const LONGEST: usize = 8 * 1024;

/// What may be done with a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Allow,
    Deny,
    /// Not a URL.
    Invalid,
    /// Judge after resolving.
    NeedsDns,
}

/// Why: stable codes. `dns` and `redirect` are also `http`'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Scheme,
    Userinfo,
    PrivateAddress,
    Metadata,
    Malformed,
    Port,
    Dns,
    Redirect,
    TooLong,
}

impl Reason {
    /// For a person, after "refused: ".
    pub fn explain(self) -> &'static str {
        match self {
            Reason::Scheme => "only http and https are read",
            Reason::Userinfo => "the URL carries a user name or password",
            Reason::PrivateAddress => "the host is not on the public internet",
            Reason::Metadata => "the host is a cloud metadata service",
            Reason::Malformed => "it is not a URL",
            Reason::Port => "the port is not for HTTP",
            Reason::Dns => "the name does not resolve",
            Reason::Redirect => "there are too many redirects",
            Reason::TooLong => "the URL is too long",
        }
    }
}

/// The judgement on a URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    pub verdict: Kind,
    /// `null` when allowed.
    pub reason: Option<Reason>,
    /// The URL as a WHATWG parser writes it; `null` when it does not parse.
    pub canonical: Option<String>,
}

/// A range of addresses, e.g. `127.0.0.0/8` or `fd00::/8`; a bare address is a range of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cidr {
    network: IpAddr,
    prefix: u8,
}

/// The text is no range of addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a range of addresses such as `127.0.0.0/8` or `::1`: `{0}`")]
pub struct BadCidr(String);

/// Judges the text of a URL, without network.
pub fn judge(url: &str, allow_private: &[Cidr]) -> Verdict {
    if url.len() > LONGEST {
        return Verdict { verdict: Kind::Deny, reason: Some(Reason::TooLong), canonical: None };
    }
    // The parser drops white space and control characters around the URL itself.
    let Ok(parsed) = Url::parse(url) else {
        return Verdict { verdict: Kind::Invalid, reason: Some(Reason::Malformed), canonical: None };
    };
    let (verdict, reason) = match judge_parsed(&parsed, allow_private) {
        (Kind::Allow, _) if has_look_alike(url) => (Kind::NeedsDns, Some(Reason::Dns)),
        // What a look-alike sign made of a name says nothing about where it leads: the resolver does.
        (Kind::Deny, Some(Reason::PrivateAddress)) if has_look_alike(url) && is_foreign_name(&parsed) => {
            (Kind::NeedsDns, Some(Reason::Dns))
        }
        judged => judged,
    };
    Verdict { verdict, reason, canonical: Some(parsed.into()) }
}

/// As [`judge`], for a parsed URL. Its length is not looked at.
pub fn judge_parsed(url: &Url, allow_private: &[Cidr]) -> (Kind, Option<Reason>) {
    if !matches!(url.scheme(), "http" | "https") {
        return (Kind::Deny, Some(Reason::Scheme));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return (Kind::Deny, Some(Reason::Userinfo));
    }
    let port = url.port_or_known_default().unwrap_or(0);
    if !port_allowed(port) {
        return (Kind::Deny, Some(Reason::Port));
    }
    let (kind, reason) = match url.host() {
        None => (Kind::Invalid, Some(Reason::Malformed)),
        Some(Host::Ipv4(address)) => of_address(IpAddr::V4(address), allow_private),
        Some(Host::Ipv6(address)) => of_address(IpAddr::V6(address), allow_private),
        Some(Host::Domain(name)) => judge_name(name, !allow_private.is_empty()),
    };
    match kind {
        Kind::Allow if SERVICE_PORTS.contains(&port) => (Kind::NeedsDns, Some(Reason::Port)),
        _ => (kind, reason),
    }
}

/// Why an address may not be connected to; `None` when it may. For each address that a name resolves to.
pub fn judge_address(address: IpAddr, allow_private: &[Cidr]) -> Option<Reason> {
    // The address itself and what it carries: denied if any is.
    let mut all = vec![address];
    if let IpAddr::V6(address) = address {
        all.extend(embedded(address).into_iter().map(IpAddr::V4));
    }
    if all.iter().any(|one| is_metadata(*one)) {
        return Some(Reason::Metadata);
    }
    if allow_private.iter().any(|range| range.contains(address)) {
        return None;
    }
    let carried = if all.len() > 1 { &all[1..] } else { &all[..] };
    let reachable = |one: &IpAddr| is_public(*one) || allow_private.iter().any(|range| range.contains(*one));
    if carried.iter().all(reachable) { None } else { Some(Reason::PrivateAddress) }
}

fn of_address(address: IpAddr, allow_private: &[Cidr]) -> (Kind, Option<Reason>) {
    match judge_address(address, allow_private) {
        Some(reason) => (Kind::Deny, Some(reason)),
        None => (Kind::Allow, None),
    }
}

/// Names of metadata services, beside everything below them.
const METADATA_NAMES: [&str; 7] = [
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "instance-data",
    "instance-data.ec2.internal",
];
/// Names that never leave a host or a local network, beside everything below them.
const PRIVATE_SUFFIXES: [&str; 12] = [
    "localhost",
    "localdomain",
    "localdomain4",
    "localdomain6",
    "local",
    "internal",
    "lan",
    "home.arpa",
    "test",
    "svc",
    "cluster.local",
    "intranet",
];
/// Names that lead nowhere by definition.
const DEAD_SUFFIXES: [&str; 2] = ["invalid", "onion"];
/// Public services that answer with the address written in the name, or with loopback.
const WILDCARD_DNS: [&str; 7] =
    ["nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me", "lacolhost.com", "traefik.me"];

fn judge_name(name: &str, private_open: bool) -> (Kind, Option<Reason>) {
    // `localhost.` is `localhost`; the parser has lowered the case.
    let name = name.trim_end_matches('.');
    let below =
        |suffix: &str| name.strip_suffix(suffix).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    if name.is_empty() {
        return (Kind::Invalid, Some(Reason::Malformed));
    }
    if METADATA_NAMES.into_iter().any(below) {
        return (Kind::Deny, Some(Reason::Metadata));
    }
    if DEAD_SUFFIXES.into_iter().any(below) {
        return (Kind::Deny, Some(Reason::PrivateAddress));
    }
    if !name.contains('.') || PRIVATE_SUFFIXES.into_iter().any(below) {
        return if private_open {
            (Kind::NeedsDns, Some(Reason::Dns))
        } else {
            (Kind::Deny, Some(Reason::PrivateAddress))
        };
    }
    let unresolvable = name.len() > 253 || name.split('.').any(|label| label.is_empty() || label.len() > 63);
    if unresolvable || WILDCARD_DNS.into_iter().any(below) || carries_address(name) {
        return (Kind::NeedsDns, Some(Reason::Dns));
    }
    (Kind::Allow, None)
}

/// Four labels in a row that are an IPv4 address.
fn carries_address(name: &str) -> bool {
    let labels: Vec<&str> = name.split('.').collect();
    labels.windows(4).any(|four| four.iter().all(|label| label.parse::<u8>().is_ok()))
}

/// A sign in the host, as written, that is no letter or digit of any script: it may look like a slash, a dot or a dash.
fn has_look_alike(url: &str) -> bool {
    let host = url.split_once("//").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    host.trim().chars().any(|letter| !letter.is_ascii() && !letter.is_alphanumeric())
}

/// A name with a label in punycode.
fn is_foreign_name(url: &Url) -> bool {
    matches!(url.host(), Some(Host::Domain(name)) if name.split('.').any(|label| label.starts_with("xn--")))
}

/// Ports of HTTP: the usual two, and whatever a user may bind, less what Chromium refuses to speak HTTP to.
fn port_allowed(port: u16) -> bool {
    matches!(port, 80 | 443) || (port >= 1024 && !RESTRICTED_PORTS.contains(&port))
}

/// Chromium's restricted ports (`net/base/port_util.cc`) from 1024 up.
const RESTRICTED_PORTS: [u16; 19] =
    [1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080];
/// Ports of databases, queues and control planes that speak no HTTP to strangers, or should not.
const SERVICE_PORTS: [u16; 21] = [
    1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 6380, 9042, 9092, 10250, 10255,
    11211, 27017,
];

/// IPv4 ranges that are not globally reachable (IANA special-purpose registry, multicast and reserved space).
const PRIVATE_V4: [(Ipv4Addr, u8); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::BROADCAST, 32),
];
/// Parts of `2000::/3`, the only global unicast space, that are not globally reachable. The transition ranges in it
/// (6to4, Teredo) are judged by what they carry.
const PRIVATE_V6: [(Ipv6Addr, u8); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];
/// Addresses of metadata services; link-local IPv4 is theirs as a whole.
const METADATA: [(IpAddr, u8); 6] = [
    (IpAddr::V4(Ipv4Addr::new(169, 254, 0, 0)), 16),
    (IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)), 32),
    (IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)), 32),
    (IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)), 32),
    (IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)), 128),
    (IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)), 128),
];

fn is_metadata(address: IpAddr) -> bool {
    METADATA.iter().any(|(network, prefix)| Cidr { network: *network, prefix: *prefix }.contains(address))
}

/// Whether an address is globally reachable. IPv6 that carries IPv4 is judged by that before.
fn is_public(address: IpAddr) -> bool {
    let within = |network: IpAddr, prefix: u8| Cidr { network, prefix }.contains(address);
    match address {
        IpAddr::V4(_) => !PRIVATE_V4.iter().any(|(network, prefix)| within(IpAddr::V4(*network), *prefix)),
        IpAddr::V6(address) => {
            address.segments()[0] & 0xe000 == 0x2000
                && !PRIVATE_V6.iter().any(|(network, prefix)| within(IpAddr::V6(*network), *prefix))
        }
    }
}

/// IPv4 addresses inside an IPv6 one: mapped, compatible, translated, NAT64, 6to4, Teredo (server and client).
fn embedded(address: Ipv6Addr) -> Vec<Ipv4Addr> {
    let part = address.segments();
    let pair = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    let last = pair(part[6], part[7]);
    match part {
        // `::` and `::1` are addresses of their own.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => vec![],
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => vec![last],
        [0x2002, high, low, ..] => vec![pair(high, low)],
        [0x2001, 0, high, low, ..] => vec![pair(high, low), pair(!part[6], !part[7])],
        _ => vec![],
    }
}

impl Cidr {
    /// The addresses that share the first `prefix` bits with `network`.
    pub fn new(network: IpAddr, prefix: u8) -> Self {
        Self { network, prefix }
    }

    /// Whether an address is in the range. IPv4 and IPv6 are apart.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let shift = 32 - u32::from(self.prefix.min(32));
                network.to_bits().checked_shr(shift) == address.to_bits().checked_shr(shift)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let shift = 128 - u32::from(self.prefix.min(128));
                network.to_bits().checked_shr(shift) == address.to_bits().checked_shr(shift)
            }
            _ => false,
        }
    }
}

impl FromStr for Cidr {
    type Err = BadCidr;

    fn from_str(text: &str) -> Result<Self, BadCidr> {
        let bad = || BadCidr(text.to_owned());
        let (address, prefix) = match text.trim().split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text.trim(), None),
        };
        let network: IpAddr = address.trim_matches(['[', ']']).parse().map_err(|_| bad())?;
        let most = if network.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(most), str::parse::<u8>).map_err(|_| bad())?;
        if prefix > most { Err(bad()) } else { Ok(Self { network, prefix }) }
    }
}

#[cfg(test)]
mod tests;
