//! The `gannet` binary: parse, run, exit code.

use std::{process::ExitCode, time::Duration};

use clap::Parser;
use gannet::{
    cli::{args::Cli, run::run},
    telemetry,
};

fn main() -> ExitCode {
    let cli = Cli::parse();
    telemetry::init(cli.verbose);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: cannot start: {error}\nhint: raise the limits on threads and open files");
            return ExitCode::from(70);
        }
    };
    let code = runtime.block_on(run(cli));
    // Ends every task that still holds a browser, and with it the browser and its directory.
    runtime.shutdown_timeout(Duration::from_secs(2));
    ExitCode::from(code)
}
