//! Logs: to stderr, by the number of `-v`. Stdout stays data.

use std::io::IsTerminal;

use tracing_subscriber::{EnvFilter, fmt};

/// Starts logging; a second call changes nothing.
pub fn init(verbose: u8) {
    let filter = match verbose {
        0 => "warn",
        1 => "warn,gannet=info",
        2 => "warn,gannet=debug",
        _ => "warn,gannet=trace",
    };
    let subscriber = fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time();
    // Somebody else's subscriber is as good.
    let _ = subscriber.try_init();
}
