//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{
    actions::{gate, url_rule::Cidr},
    cli::suite_args::SuiteCommand,
};

/// A headless browser for AI agents: any page in a few hundred tokens.
#[derive(Debug, Parser)]
#[command(
    name = "gannet",
    version,
    after_help = "Exit codes: 0 done, 1 task or expectation failed, 2 usage, 3 blocked by policy, 4 budget spent, 5 browser failed, 70 internal."
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
    /// Run a whole agent task on two built-in shops: no key, no network; ends with the report's path.
    Demo(DemoArgs),
    /// Run an agent task on a site: live progress, journal, evidence, report.
    Run(RunArgs),
    /// Read pages as text, one JSON result a line; addresses also from standard input.
    Read(ReadArgs),
    /// Run scripted smoke tests (YAML): steps and expectations, JUnit output, screenshots on failure.
    Script(ScriptArgs),
    /// Benchmark suites: WebArena, WebArena-Verified, MiniWoB++ and our own form.
    Suite {
        #[command(subcommand)]
        command: SuiteCommand,
    },
    /// What a site publishes for agents (wci.txt, wci.json, wci.md), where it was found, and what its policy decides.
    Site(SiteArgs),
    /// Write the HTML report of a run directory anew, and print its path.
    Report(DirArgs),
    /// Check a run directory against its sha256 manifest.
    Verify(DirArgs),
    /// Serve the actions as an MCP server over standard streams.
    Mcp(SessionArgs),
    /// Print the tool schemas of a provider.
    Schema(SchemaArgs),
    /// Check the browser and this machine; each finding has a fix.
    Doctor(BrowserArgs),
    /// Print the completion script of a shell.
    Completions(CompletionsArgs),
    /// One layer alone: one JSON value on stdin, one on stdout.
    Debug(DebugArgs),
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
    /// Deadline in milliseconds: of the command (30,000 when absent), or of each action in a session (10,000).
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub timeout: Option<u64>,
    /// Let Chromium run without its sandbox (root in a container needs it).
    #[arg(long, env = "GANNET_ALLOW_NO_SANDBOX", num_args = 0..=1, default_missing_value = "true", default_value = "false", value_parser = clap::builder::BoolishValueParser::new())]
    pub allow_no_sandbox: bool,
}

impl BrowserArgs {
    /// Deadline of a command, in milliseconds.
    pub fn command_timeout(&self) -> u64 {
        self.timeout.unwrap_or(30_000)
    }
}

/// A session: a browser, and what may be done with it.
#[derive(Debug, Clone, Args)]
pub struct SessionArgs {
    #[command(flatten)]
    pub browser: BrowserArgs,
    /// Turn a capability on: evaluate.
    #[arg(long = "cap", value_name = "NAME", value_delimiter = ',', value_parser = ["evaluate"])]
    pub caps: Vec<String>,
    /// Visit only these hosts and what is below them.
    #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = host)]
    pub allow_domain: Vec<String>,
    /// Never visit these hosts and what is below them.
    #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = host)]
    pub deny_domain: Vec<String>,
    /// Private addresses that read_url may reach, e.g. 127.0.0.0/8.
    #[arg(long, value_name = "CIDR", value_delimiter = ',')]
    pub allow_private: Vec<Cidr>,
    /// Directory that files may be uploaded from.
    #[arg(long, value_name = "DIR")]
    pub upload_root: Vec<PathBuf>,
    /// What happens to JavaScript dialogs.
    #[arg(long, value_enum, default_value_t = DialogArg::Dismiss)]
    pub dialog: DialogArg,
    /// Whether the site's own policy (wci.txt, wci.json) is held.
    #[arg(long, value_enum, default_value_t = SitePolicyArg::Enforce)]
    pub site_policy: SitePolicyArg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum DialogArg {
    Accept,
    Dismiss,
    /// Stays open until the `dialog` action answers it.
    Ask,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SitePolicyArg {
    Enforce,
    Ignore,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where the evidence goes; a new directory here when absent.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// What is to be done.
    pub task: String,
    /// Where it begins.
    #[arg(long)]
    pub url: String,
    /// Who decides; `flow` is deterministic and needs no model.
    #[arg(long, value_enum, default_value_t = PlannerArg::Flow)]
    pub planner: PlannerArg,
    /// A value for the task, e.g. `email=ada@example.com`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub data: Vec<(String, String)>,
    /// Most actions.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub max_steps: u32,
    /// Most wall time, in seconds.
    #[arg(long, value_name = "S", default_value_t = 300)]
    pub max_time: u64,
    /// Where the evidence goes; a new directory here when absent.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    #[command(flatten)]
    pub session: SessionArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum PlannerArg {
    Flow,
}

#[derive(Debug, Args)]
pub struct ReadArgs {
    /// Addresses; from standard input, one a line, when there are none.
    pub urls: Vec<String>,
    /// Pages read at the same time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=32))]
    pub concurrency: u16,
    /// Most bytes of text of each page.
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u32>,
    /// Leave the pictures out.
    #[arg(long)]
    pub no_screenshot: bool,
    #[command(flatten)]
    pub session: SessionArgs,
}

#[derive(Debug, Args)]
pub struct SiteArgs {
    /// A page of the site.
    pub url: String,
    /// Everything as JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub session: SessionArgs,
}

#[derive(Debug, Args)]
pub struct DirArgs {
    /// Directory of a run.
    pub dir: PathBuf,
}

#[derive(Debug, Args)]
pub struct ScriptArgs {
    /// Scripts, run one after the other.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where JUnit XML goes.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Where screenshots go.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
    #[command(flatten)]
    pub session: SessionArgs,
}

#[derive(Debug, Args)]
pub struct SchemaArgs {
    #[arg(long, value_enum, default_value_t = ProviderArg::Mcp)]
    pub provider: ProviderArg,
    /// With the tools of a capability: evaluate.
    #[arg(long = "cap", value_name = "NAME", value_delimiter = ',', value_parser = ["evaluate"])]
    pub caps: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ProviderArg {
    Openai,
    Gemini,
    Anthropic,
    Mcp,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct DebugArgs {
    #[arg(value_enum)]
    pub layer: Layer,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Layer {
    /// `{url}` gives `{verdict, reason, canonical}`.
    Url,
    /// `{txt, json}` gives the parsed policy and diagnostics.
    Site,
    /// `{schema, args}` gives what an action would get.
    Args,
    /// `{policy, action}` gives the decision.
    Policy,
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

fn host(text: &str) -> Result<String, String> {
    gate::domain(text).ok_or_else(|| "give a host without scheme, port and path, e.g. example.com".into())
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("give NAME=VALUE, e.g. email=ada@example.com".into()),
    }
}
