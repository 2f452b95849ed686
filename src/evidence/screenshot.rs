//! Screenshots: the viewport or the whole page, fields that hold secrets covered, never larger than can be sent.

use std::io::Cursor;

use base64::{Engine, prelude::BASE64_STANDARD};
use image::{DynamicImage, ImageFormat, Rgb, imageops::FilterType};
use serde::Deserialize;
use serde_json::json;

use crate::{
    page::{error::PageError, tab::Page},
    spec::deadline::Deadline,
};

/// Longest full page captured, in CSS px: what Chromium can paint in one piece.
const MAX_HEIGHT: f64 = 16_384.0;

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

#[derive(Deserialize)]
struct Captured {
    data: String,
}

/// Captures a page.
pub async fn capture(page: &Page, options: &ShotOptions, deadline: Deadline) -> Result<Shot, ShotError> {
    let snapshot = page.snapshot(deadline).await?;
    let [_, scroll_y, _, full_height] = snapshot.scroll;
    let cut = options.full_page && full_height > MAX_HEIGHT;
    let mut params = json!({"format": "png", "optimizeForSpeed": true});
    if options.full_page {
        params["captureBeyondViewport"] = true.into();
        params["clip"] = json!({
            "x": 0, "y": 0, "width": snapshot.viewport[0], "height": full_height.clamp(1.0, MAX_HEIGHT), "scale": 1,
        });
    }
    let reply = page.session().call_raw("Page.captureScreenshot", params, deadline).await.map_err(PageError::from)?;
    let unreadable = |error: &dyn std::fmt::Display| ShotError::Picture(error.to_string());
    let captured: Captured = serde_json::from_str(reply.get()).map_err(|error| unreadable(&error))?;
    let bytes = BASE64_STANDARD.decode(captured.data).map_err(|error| unreadable(&error))?;
    let decoded = image::load_from_memory_with_format(&bytes, ImageFormat::Png).map_err(|error| unreadable(&error))?;
    let mut picture = decoded.into_rgb8();
    let shift = if options.full_page { scroll_y } else { 0.0 };
    for node in snapshot.nodes.iter().filter(|node| node.secret) {
        let [x, y, width, height] = node.rect;
        cover(&mut picture, [x, y + shift, width, height]);
    }
    let mut picture = DynamicImage::from(picture);
    if picture.width().max(picture.height()) > options.max_side {
        picture = picture.resize(options.max_side, options.max_side, FilterType::Triangle);
    }
    let mut encoded = Cursor::new(Vec::new());
    picture.write_to(&mut encoded, options.format.image()).map_err(|error| unreadable(&error))?;
    Ok(Shot { bytes: encoded.into_inner(), width: picture.width(), height: picture.height(), cut })
}

/// Paints a box over a rectangle.
fn cover(picture: &mut image::RgbImage, [x, y, width, height]: [f64; 4]) {
    let clamp = |value: f64, most: u32| value.clamp(0.0, f64::from(most)) as u32;
    let (right, bottom) = (clamp(x + width, picture.width()), clamp(y + height, picture.height()));
    for row in clamp(y, picture.height())..bottom {
        for column in clamp(x, picture.width())..right {
            picture.put_pixel(column, row, Rgb([64, 64, 64]));
        }
    }
}
