//! From the parsed command line to the exit code.

use std::io::Write;

use tokio::signal::unix::{SignalKind, signal};

use crate::cli::{
    args::{Cli, Command},
    debug, doctor, evidence,
    failure::{Exit, Failure},
    look, read, schema, script, session, site, suite, task,
};
use crate::mcp::server;

/// Runs the command; SIGINT, SIGTERM and SIGHUP end it cleanly, for dropping it ends the browser.
pub async fn run(cli: Cli) -> u8 {
    let outcome = tokio::select! {
        outcome = command(cli.command) => outcome,
        () = interrupted() => Err(Failure {
            exit: Exit::Interrupted,
            message: "interrupted".into(),
            hint: "nothing was left behind".into(),
        }),
    };
    match outcome {
        // Some commands have said everything already.
        Ok(text) if text.is_empty() => 0,
        Ok(text) => match writeln!(std::io::stdout(), "{text}") {
            Ok(()) => 0,
            // The reader went away, as `head` does.
            Err(_) => Exit::Failed as u8,
        },
        Err(Failure { exit, message, hint }) => {
            // Nobody to tell is no reason to fail otherwise.
            let _ = writeln!(std::io::stderr(), "error: {message}\nhint: {hint}");
            exit as u8
        }
    }
}

async fn command(command: Command) -> Result<String, Failure> {
    match command {
        Command::View(args) => look::view(args).await,
        Command::Shot(args) => look::shot(args).await,
        Command::Demo(args) => task::demo(args).await,
        Command::Run(args) => task::run(args).await,
        Command::Read(args) => read::run(args).await,
        Command::Script(args) => script::run(args).await,
        Command::Suite { command } => suite::run(command).await,
        Command::Site(args) => site::run(args).await,
        Command::Report(args) => evidence::report(&args),
        Command::Verify(args) => evidence::verify(&args),
        Command::Mcp(args) => match server::serve_stdio(session::options(&args)).await {
            Ok(()) => Ok(String::new()),
            Err(error) => Err(Failure {
                exit: Exit::Failed,
                message: error.to_string(),
                hint: "start it from an MCP client, or see the README".into(),
            }),
        },
        Command::Schema(args) => schema::schema(&args),
        Command::Doctor(args) => doctor::run(args).await,
        Command::Completions(args) => schema::completions(&args),
        Command::Debug(args) => debug::run(&args),
    }
}

async fn interrupted() {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let waits = kinds.into_iter().filter_map(|kind| signal(kind).ok()).map(|mut signal| {
        Box::pin(async move {
            signal.recv().await;
        })
    });
    let waits: Vec<_> = waits.collect();
    if waits.is_empty() {
        std::future::pending::<()>().await;
    }
    futures::future::select_all(waits).await;
}
