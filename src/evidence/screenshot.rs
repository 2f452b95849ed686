//! Screenshots: the viewport, the whole page, one element, or the viewport with an element marked; fields that hold
//! secrets covered, never larger than can be sent. Rectangles are CSS px of the top frame.

use std::io::Cursor;

use base64::{Engine, prelude::BASE64_STANDARD};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, codecs::jpeg::JpegEncoder, imageops::FilterType};
use serde::Deserialize;
use serde_json::json;

use crate::{
    page::{error::PageError, resolve::ResolveError, tab::Page},
    spec::{deadline::Deadline, snapshot::Snapshot},
};

/// Longest full page captured, in CSS px: what Chromium can paint in one piece.
const MAX_HEIGHT: f64 = 16_384.0;
/// Text stays readable, and a viewport stays below 200 kB.
const JPEG_QUALITY: u8 = 85;
/// Distance and width of the frame around a marked element, in px.
const MARK_GAP: f64 = 4.0;
const MARK_WIDTH: f64 = 3.0;
const MARK_COLOR: Rgb<u8> = Rgb([226, 92, 26]);
const COVER_COLOR: Rgb<u8> = Rgb([64, 64, 64]);

/// What to capture.
#[derive(Debug, Clone)]
pub struct ShotOptions {
    pub full_page: bool,
    pub format: ShotFormat,
    /// Longest side in px; a larger picture is scaled down.
    pub max_side: u32,
}

impl Default for ShotOptions {
    fn default() -> Self {
        Self { full_page: false, format: ShotFormat::Png, max_side: 8_000 }
    }
}

/// File formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShotFormat {
    Png,
    Jpeg,
    Webp,
}

impl ShotFormat {
    /// The format of a file name, by its extension.
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            "webp" => Some(Self::Webp),
            _ => None,
        }
    }

    fn image(self) -> ImageFormat {
        match self {
            Self::Png => ImageFormat::Png,
            Self::Jpeg => ImageFormat::Jpeg,
            Self::Webp => ImageFormat::WebP,
        }
    }
}

/// A picture, encoded.
#[derive(Debug, Clone)]
pub struct Shot {
    pub bytes: Vec<u8>,
    pub width: u32,
    pub height: u32,
    /// The page was longer than could be captured.
    pub cut: bool,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ShotError {
    #[error(transparent)]
    Page(#[from] PageError),
    #[error("the browser's picture cannot be read: {0}")]
    Picture(String),
}

/// Why there is no picture of a node, or with a node marked.
#[derive(Debug, thiserror::Error)]
pub enum NodeShotError {
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    #[error(transparent)]
    Shot(#[from] ShotError),
    #[error("`{id}` has no box that could be seen")]
    NotShown { id: String },
}

#[derive(Deserialize)]
struct Captured {
    data: String,
}

/// Captures a page.
pub async fn capture(page: &Page, options: &ShotOptions, deadline: Deadline) -> Result<Shot, ShotError> {
    let snapshot = page.snapshot(deadline).await?;
    let cut = options.full_page && snapshot.scroll[3] > MAX_HEIGHT;
    let area = options.full_page.then(|| {
        let height = snapshot.scroll[3].clamp(1.0, MAX_HEIGHT);
        [-snapshot.scroll[0], -snapshot.scroll[1], snapshot.viewport[0], height]
    });
    let picture = picture(page, &snapshot, area, deadline).await?;
    finish(picture, options, cut)
}

/// Captures one element, also where it lies outside the viewport; `full_page` means nothing here.
pub async fn capture_node(
    page: &Page,
    id: &str,
    options: &ShotOptions,
    deadline: Deadline,
) -> Result<Shot, NodeShotError> {
    let (snapshot, [x, y, width, height]) = located(page, id, deadline).await?;
    let (tall, wide) = (height.min(MAX_HEIGHT), width.min(MAX_HEIGHT));
    let picture = picture(page, &snapshot, Some([x, y, wide, tall]), deadline).await?;
    Ok(finish(picture, options, height > MAX_HEIGHT || width > MAX_HEIGHT)?)
}

/// Captures the viewport with a frame drawn around one element; an element outside the viewport is not marked.
pub async fn capture_marked(
    page: &Page,
    id: &str,
    options: &ShotOptions,
    deadline: Deadline,
) -> Result<Shot, NodeShotError> {
    let (snapshot, rect) = located(page, id, deadline).await?;
    let mut picture = picture(page, &snapshot, None, deadline).await?;
    frame(&mut picture, rect);
    Ok(finish(picture, options, false)?)
}

/// A fresh snapshot and the box of a node in it.
async fn located(page: &Page, id: &str, deadline: Deadline) -> Result<(Snapshot, [f64; 4]), NodeShotError> {
    let handle = page.resolve(id, deadline).await?;
    let snapshot = page.snapshot(deadline).await.map_err(ShotError::from)?;
    let node = snapshot.nodes.iter().find(|node| !node.node_ref.is_empty() && node.node_ref == handle.node_ref);
    match node.map(|node| node.rect) {
        Some(rect @ [_, _, width, height]) if width >= 1.0 && height >= 1.0 => Ok((snapshot, rect)),
        _ => Err(NodeShotError::NotShown { id: id.to_owned() }),
    }
}

/// The pixels of an area (viewport-relative; `None` is the viewport), secrets covered.
async fn picture(
    page: &Page,
    snapshot: &Snapshot,
    area: Option<[f64; 4]>,
    deadline: Deadline,
) -> Result<RgbImage, ShotError> {
    let [scroll_x, scroll_y, ..] = snapshot.scroll;
    let mut params = json!({"format": "png", "optimizeForSpeed": true});
    if let Some([x, y, width, height]) = area {
        params["captureBeyondViewport"] = true.into();
        // A clip counts from the document's corner.
        params["clip"] = json!({"x": x + scroll_x, "y": y + scroll_y, "width": width, "height": height, "scale": 1});
    }
    let reply = page.session().call_raw("Page.captureScreenshot", params, deadline).await.map_err(PageError::from)?;
    let unreadable = |error: &dyn std::fmt::Display| ShotError::Picture(error.to_string());
    let captured: Captured = serde_json::from_str(reply.get()).map_err(|error| unreadable(&error))?;
    let bytes = BASE64_STANDARD.decode(captured.data).map_err(|error| unreadable(&error))?;
    let decoded = image::load_from_memory_with_format(&bytes, ImageFormat::Png).map_err(|error| unreadable(&error))?;
    let mut picture = decoded.into_rgb8();
    let [left, top] = area.map_or([0.0, 0.0], |[x, y, ..]| [x, y]);
    for node in snapshot.nodes.iter().filter(|node| node.secret) {
        let [x, y, width, height] = node.rect;
        paint(&mut picture, [x - left, y - top, width, height], COVER_COLOR);
    }
    Ok(picture)
}

/// Scales down and encodes.
fn finish(picture: RgbImage, options: &ShotOptions, cut: bool) -> Result<Shot, ShotError> {
    let mut picture = DynamicImage::from(picture);
    if picture.width().max(picture.height()) > options.max_side {
        picture = picture.resize(options.max_side, options.max_side, FilterType::Triangle);
    }
    let mut encoded = Cursor::new(Vec::new());
    let written = match options.format {
        ShotFormat::Jpeg => picture.write_with_encoder(JpegEncoder::new_with_quality(&mut encoded, JPEG_QUALITY)),
        ShotFormat::Png | ShotFormat::Webp => picture.write_to(&mut encoded, options.format.image()),
    };
    written.map_err(|error| ShotError::Picture(error.to_string()))?;
    Ok(Shot { bytes: encoded.into_inner(), width: picture.width(), height: picture.height(), cut })
}

/// Draws a frame just outside a rectangle.
fn frame(picture: &mut RgbImage, [x, y, width, height]: [f64; 4]) {
    let out = MARK_GAP + MARK_WIDTH;
    let (x, y, width, height) = (x - out, y - out, width + 2.0 * out, height + 2.0 * out);
    for side in [
        [x, y, width, MARK_WIDTH],
        [x, y + height - MARK_WIDTH, width, MARK_WIDTH],
        [x, y, MARK_WIDTH, height],
        [x + width - MARK_WIDTH, y, MARK_WIDTH, height],
    ] {
        paint(picture, side, MARK_COLOR);
    }
}

/// Fills the part of a rectangle that lies inside the picture.
fn paint(picture: &mut RgbImage, [x, y, width, height]: [f64; 4], color: Rgb<u8>) {
    let clamp = |value: f64, most: u32| value.clamp(0.0, f64::from(most)) as u32;
    let (right, bottom) = (clamp(x + width, picture.width()), clamp(y + height, picture.height()));
    for row in clamp(y, picture.height())..bottom {
        for column in clamp(x, picture.width())..right {
            picture.put_pixel(column, row, color);
        }
    }
}

#[cfg(test)]
mod tests;
