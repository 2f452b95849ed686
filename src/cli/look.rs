//! `gannet view` and `gannet shot`.

use crate::{
    actions,
    cli::{
        args::{FallbackArg, ShotArgs, ViewArgs, ViewFormat},
        failure::{Exit, Failure},
        open::{self, Opened},
    },
    evidence::screenshot::{self, ShotFormat, ShotOptions},
    spec::view::{Fallback, Format, ViewOptions},
};

/// Prints the view of a page.
pub async fn view(args: ViewArgs) -> Result<String, Failure> {
    let opened = open::page(&args.browser, &args.url).await?;
    let looked = look(&opened, &args).await;
    for dialog in &opened.navigation.dialogs {
        tracing::warn!("{} dialog {}: {:?}", dialog.kind, dialog.outcome, dialog.message);
    }
    opened.session.close().await;
    looked
}

async fn look(opened: &Opened, args: &ViewArgs) -> Result<String, Failure> {
    if args.raw {
        let snapshot = opened.page.snapshot(opened.deadline).await?;
        return serde_json::to_string_pretty(&snapshot).map_err(|error| Failure::internal(&error));
    }
    let (view, _) = actions::view::look(&opened.session, &opened.page, &options(args), opened.deadline).await?;
    Ok(view.text)
}

fn options(args: &ViewArgs) -> ViewOptions {
    ViewOptions {
        format: match args.format {
            ViewFormat::Outline => Format::Outline,
            ViewFormat::Json => Format::Json,
            ViewFormat::Markdown => Format::Markdown,
        },
        scope: args.scope.clone(),
        max_nodes: args.max_nodes,
        include_state: !args.no_state,
        budget: args.budget,
        roles: args.roles.clone(),
        max_priority: args.max_priority,
        expand: args.expand.clone(),
        fallback: match args.fallback {
            FallbackArg::Auto => Fallback::Auto,
            FallbackArg::Never => Fallback::Never,
            FallbackArg::Always => Fallback::Always,
        },
        frames: args.frames,
        hidden: args.hidden,
        ..ViewOptions::default()
    }
}

/// Saves a screenshot and prints where.
pub async fn shot(args: ShotArgs) -> Result<String, Failure> {
    let name = args.output.to_string_lossy().into_owned();
    let format = ShotFormat::of_name(&name).ok_or_else(|| Failure {
        exit: Exit::Usage,
        message: format!("no picture format has the extension of `{name}`"),
        hint: "name a .png, .jpg or .webp file with `-o FILE`".into(),
    })?;
    let opened = open::page(&args.browser, &args.url).await?;
    let options = ShotOptions { full_page: args.full_page, format, max_side: args.max_side };
    let shot = screenshot::capture(&opened.page, &options, opened.deadline).await;
    opened.session.close().await;
    let shot = shot?;
    std::fs::write(&args.output, &shot.bytes).map_err(|error| Failure {
        exit: Exit::Failed,
        message: format!("cannot write `{name}`: {error}"),
        hint: "name another file with `-o FILE`".into(),
    })?;
    let cut = if shot.cut { ", cut at 16,384 px" } else { "" };
    Ok(format!("{name} {}x{} px, {} bytes{cut}", shot.width, shot.height, shot.bytes.len()))
}
