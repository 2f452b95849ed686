//! The site of the command-line tests: their own pages, one that never answers, one that never stops computing.

use crate::support::server::Site;

/// Serves `pages` (path, HTML), `/hang` (no answer) and `/busy` (an endless script); gives the base address.
pub async fn serve(pages: &[(&str, &str)]) -> String {
    let mut all = vec![("/busy", "<title>Busy</title><p>before</p><script>for(;;);</script>")];
    all.extend_from_slice(pages);
    Site::pages(&all).await.url("")
}
