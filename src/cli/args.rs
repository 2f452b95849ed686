//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A headless browser for AI agents: any page in a few hundred tokens.
#[derive(Debug, Parser)]
#[command(
    name = "gannet",
    version,
    after_help = "Exit codes: 0 done, 1 failed, 2 usage, 3 blocked by policy, 5 browser failed, 70 internal."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// More on stderr: -v ours, -vv debug, -vvv CDP frames.
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the view of a page: what a person could read or use, within a token budget.
    View(ViewArgs),
    /// Save a screenshot of a page; fields that hold secrets are covered.
    Shot(ShotArgs),
    /// Check the browser and this machine; each finding has a fix.
    Doctor(BrowserArgs),
}

/// Which browser, and how long to wait.
#[derive(Debug, Clone, Args)]
pub struct BrowserArgs {
    /// Chromium or Chrome binary; found on the usual paths when absent.
    #[arg(long, value_name = "PATH")]
    pub browser: Option<PathBuf>,
    /// A running browser's CDP endpoint, http:// or ws://.
    #[arg(long, value_name = "URL", conflicts_with = "browser")]
    pub cdp: Option<String>,
    /// Keep cookies and storage in this directory.
    #[arg(long, value_name = "DIR", conflicts_with = "cdp")]
    pub profile: Option<PathBuf>,
    /// Page size in CSS px.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = viewport)]
    pub viewport: (u32, u32),
    /// Deadline of the command, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub timeout: u64,
    /// Let Chromium run without its sandbox (root in a container needs it).
    #[arg(long, env = "GANNET_ALLOW_NO_SANDBOX", num_args = 0..=1, default_missing_value = "true", default_value = "false", value_parser = clap::builder::BoolishValueParser::new())]
    pub allow_no_sandbox: bool,
}

#[derive(Debug, Args)]
pub struct ViewArgs {
    /// An http:// or https:// address.
    pub url: String,
    #[arg(long, value_enum, default_value_t = ViewFormat::Outline)]
    pub format: ViewFormat,
    /// WCI: only nodes of this landmark.
    #[arg(long, value_name = "ID")]
    pub scope: Option<String>,
    /// WCI: most nodes after the priority sort.
    #[arg(long, value_name = "N", default_value_t = 128)]
    pub max_nodes: i64,
    /// WCI: leave the state out.
    #[arg(long)]
    pub no_state: bool,
    /// Most tokens (o200k_base); 2,000 for an outline when absent.
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// WCI: only these roles.
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    pub roles: Option<Vec<String>>,
    /// WCI: only nodes up to this priority, 1 to 5.
    #[arg(long, value_name = "N")]
    pub max_priority: Option<i64>,
    /// WCI: whether unannotated nodes are shown; auto does so on pages without annotations.
    #[arg(long, value_enum, default_value_t = FallbackArg::Auto)]
    pub fallback: FallbackArg,
    /// WCI: frames and shadow trees, too.
    #[arg(long)]
    pub frames: bool,
    /// WCI: nodes hidden by their publisher, too.
    #[arg(long)]
    pub hidden: bool,
    /// Outline: open a fold, e.g. `e3` or `e3 from 20`.
    #[arg(long, value_name = "REF")]
    pub expand: Option<String>,
    /// Print the snapshot that the view is made of, as JSON.
    #[arg(long, conflicts_with = "format")]
    pub raw: bool,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ViewFormat {
    Outline,
    Json,
    Markdown,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum FallbackArg {
    Auto,
    Never,
    Always,
}

#[derive(Debug, Args)]
pub struct ShotArgs {
    /// An http:// or https:// address.
    pub url: String,
    /// Where to save it; .png, .jpg or .webp.
    #[arg(short, long, value_name = "FILE", default_value = "shot.png")]
    pub output: PathBuf,
    /// The whole page, not only the viewport.
    #[arg(long)]
    pub full_page: bool,
    /// Longest side in px; larger pictures are scaled down.
    #[arg(long, value_name = "PX", default_value_t = 8_000, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    pub max_side: u32,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

fn viewport(text: &str) -> Result<(u32, u32), String> {
    let size = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match size {
        Some((width @ 1..=10_000, height @ 1..=10_000)) => Ok((width, height)),
        _ => Err("give WIDTHxHEIGHT between 1x1 and 10000x10000, e.g. 1280x720".into()),
    }
}
