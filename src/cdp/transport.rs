//! How messages travel: NUL-separated over a pipe pair for browsers we start, WebSocket frames for remote ones.
//! A message is capped at [`MAX_MESSAGE`]; a larger one ends the connection, for a page must not fill our memory.

use std::sync::Arc;

use futures::{SinkExt, StreamExt};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::unix::pipe,
    sync::mpsc,
};
use tokio_tungstenite::tungstenite::{self, protocol::WebSocketConfig};

/// Largest message accepted, in bytes (Playwright's cap, too).
pub(crate) const MAX_MESSAGE: usize = 256 * 1024 * 1024;

/// What a transport hands its messages to.
pub(crate) trait Incoming: Send + Sync + 'static {
    /// One whole message.
    fn message(&self, bytes: &[u8]);
    /// The other side is gone; called once.
    fn closed(&self);
}

/// Runs a pipe pair until either side closes.
pub(crate) fn run_pipe(
    mut reader: pipe::Receiver,
    mut writer: pipe::Sender,
    mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>,
    incoming: Arc<dyn Incoming>,
) {
    tokio::spawn(async move {
        while let Some(mut message) = outgoing.recv().await {
            message.push(0);
            if writer.write_all(&message).await.is_err() {
                break;
            }
        }
    });
    tokio::spawn(async move {
        let mut buffer = Vec::with_capacity(64 * 1024);
        let mut searched = 0;
        loop {
            while let Some(end) = buffer[searched..].iter().position(|byte| *byte == 0).map(|at| at + searched) {
                incoming.message(&buffer[..end]);
                buffer.drain(..=end);
                searched = 0;
            }
            searched = buffer.len();
            if buffer.len() > MAX_MESSAGE {
                tracing::error!("a message of over {MAX_MESSAGE} bytes ends the connection");
                break;
            }
            // Give back what one huge reply needed.
            if buffer.is_empty() && buffer.capacity() > 4 * 1024 * 1024 {
                buffer = Vec::with_capacity(64 * 1024);
            }
            match reader.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
        }
        incoming.closed();
    });
}

/// Connects a WebSocket and runs it until either side closes.
pub(crate) async fn run_websocket(
    url: &str,
    mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>,
    incoming: Arc<dyn Incoming>,
) -> Result<(), tungstenite::Error> {
    let config = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    let (stream, _) = tokio_tungstenite::connect_async_with_config(url, Some(config), true).await?;
    let (mut sink, mut source) = stream.split();
    tokio::spawn(async move {
        while let Some(message) = outgoing.recv().await {
            let Ok(text) = String::from_utf8(message) else { continue };
            if sink.send(tungstenite::Message::text(text)).await.is_err() {
                break;
            }
        }
        let _ = sink.close().await;
    });
    tokio::spawn(async move {
        while let Some(Ok(message)) = source.next().await {
            match message {
                tungstenite::Message::Text(text) => incoming.message(text.as_bytes()),
                tungstenite::Message::Binary(bytes) => incoming.message(&bytes),
                tungstenite::Message::Close(_) => break,
                tungstenite::Message::Ping(_) | tungstenite::Message::Pong(_) | tungstenite::Message::Frame(_) => {}
            }
        }
        incoming.closed();
    });
    Ok(())
}
