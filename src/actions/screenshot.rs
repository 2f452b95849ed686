//! `screenshot`: a picture that a model can take, secrets covered.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::json;

use crate::{
    actions::{
        args::{Field, Schema},
        permission,
        registry::{Definition, Ran, read},
        reply::{Image, ToolReply},
        session::Call,
    },
    evidence::screenshot::{ShotFormat, ShotOptions, capture, capture_node},
    spec::tool::Tier,
};

/// Longest side in px: what the usual models take without scaling it down themselves.
const MAX_SIDE: u32 = 1_568;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    node_id: Option<String>,
    #[serde(default)]
    full_page: bool,
}

pub fn definition() -> Definition {
    Definition {
        name: "screenshot",
        description: "A picture of the viewport, the page or a node.",
        tier: Tier(0),
        permission: permission::reads("page_read"),
        aliases: &[],
        capability: None,
        schema: Schema::of([Field::new("nodeId", "string", ""), Field::new("fullPage", "boolean", "")]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let options = ShotOptions { full_page: args.full_page, format: ShotFormat::Jpeg, max_side: MAX_SIDE };
        let shot = match &args.node_id {
            Some(id) => capture_node(&page, id, &options, call.deadline).await?,
            None => capture(&page, &options, call.deadline).await?,
        };
        let structured = json!({
            "ok": true, "mimeType": "image/jpeg", "width": shot.width, "height": shot.height,
            "bytes": shot.bytes.len(), "cut": shot.cut, "url": page.url(),
        });
        let cut = if shot.cut { ", cut: the page is longer" } else { "" };
        let mut reply = ToolReply::ok(format!("{}x{} px{cut}, {}", shot.width, shot.height, page.url()), structured);
        reply.images.push(Image { mime: "image/jpeg".into(), base64: BASE64_STANDARD.encode(&shot.bytes) });
        Ok(reply)
    })
}
