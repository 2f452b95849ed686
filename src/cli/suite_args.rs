//! What can be typed after `gannet suite`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::args::pair;

#[derive(Debug, Subcommand)]
pub enum SuiteCommand {
    /// The tasks of a suite: ids, sites, checks, intents.
    List(ListArgs),
}

/// Where tasks come from.
#[derive(Debug, Clone, Args)]
pub struct SourceArgs {
    /// WebArena's or WebArena-Verified's JSON, the `html` directory of MiniWoB++, or a YAML file of tasks.
    #[arg(value_name = "FILE|DIR")]
    pub path: PathBuf,
    /// Where a site is, e.g. `shopping=http://localhost:7770`.
    #[arg(long, value_name = "NAME=URL", value_parser = pair)]
    pub site: Vec<(String, String)>,
    /// Where the sites are, as WebArena-Verified's configuration names them.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Only these tasks.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub task: Vec<String>,
    /// MiniWoB++: seeds of the episodes of every page; 0 to 4 when absent.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub seed: Vec<u32>,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ListFormat {
    Text,
    Json,
}
