//! Unit tests of discovery: preference, origins, trouble.

use std::collections::BTreeMap;

use url::Url;

use super::{Fetch, Fetched, Hints, Unreachable, discover};
use crate::{site::policy::PolicyState, spec::deadline::Deadline};

/// Files by path: status and body; a path that is not there answers 404, `!` does not answer.
struct Site(BTreeMap<&'static str, (u16, &'static str)>);

impl Fetch for Site {
    async fn fetch(&self, url: &Url, _most_bytes: usize, _deadline: Deadline) -> Result<Fetched, Unreachable> {
        let (status, body) = self.0.get(url.path()).copied().unwrap_or((404, ""));
        if body == "!" {
            return Err(Unreachable { why: "connection reset".into() });
        }
        Ok(Fetched {
            url: url.to_string(),
            status,
            content_type: Some("text/plain".into()),
            body: body.as_bytes().to_vec(),
            truncated: false,
        })
    }
}

async fn policy(files: &[(&'static str, u16, &'static str)]) -> PolicyState {
    let site = Site(files.iter().map(|(path, status, body)| (*path, (*status, *body))).collect());
    let hints = Hints { page: "https://shop.example/a/b.html".into(), base: None, meta: vec![], headers: vec![] };
    discover(&hints, &site, Deadline::after_ms(2_000)).await.policy
}

#[tokio::test]
async fn the_root_is_preferred_to_the_well_known_address() {
    let found = policy(&[
        ("/wci.txt", 200, "Site-Name: root\n"),
        ("/.well-known/wci/directives.txt", 200, "Site-Name: well-known\n"),
    ]);
    let PolicyState::Known(found) = found.await else { panic!("a policy") };
    assert_eq!(found.directives.site_name.as_deref(), Some("root"));
}

#[tokio::test]
async fn nothing_anywhere_is_no_policy() {
    assert_eq!(policy(&[]).await, PolicyState::None);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_not_taken_for_none() {
    for (status, body) in [(200, "!"), (500, "oops"), (200, "deny-scope: admin\n")] {
        let found = policy(&[("/wci.txt", status, body)]).await;
        assert!(matches!(found, PolicyState::Unavailable { .. }), "{status} {body}: {found:?}");
    }
}
