//! Tests of what is drawn on a picture; the browser's part is tested through the command line.

use image::{Rgb, RgbImage};

use super::{COVER_COLOR, MARK_COLOR, ShotFormat, ShotOptions, finish, frame, paint};

fn white() -> RgbImage {
    RgbImage::from_pixel(100, 60, Rgb([255, 255, 255]))
}

#[test]
fn a_rectangle_is_clipped_by_the_picture() {
    let mut picture = white();
    paint(&mut picture, [-10.0, 50.0, 30.0, 400.0], COVER_COLOR);
    assert_eq!(*picture.get_pixel(0, 59), COVER_COLOR);
    assert_eq!(*picture.get_pixel(19, 50), COVER_COLOR);
    assert_eq!(*picture.get_pixel(20, 50), Rgb([255, 255, 255]));
    let untouched = white();
    let mut picture = white();
    paint(&mut picture, [f64::NAN, 0.0, f64::NAN, 10.0], COVER_COLOR);
    paint(&mut picture, [500.0, 500.0, 10.0, 10.0], COVER_COLOR);
    assert_eq!(picture, untouched);
}

#[test]
fn a_mark_surrounds_and_does_not_hide() {
    let mut picture = white();
    frame(&mut picture, [40.0, 20.0, 20.0, 10.0]);
    assert_eq!(*picture.get_pixel(50, 25), Rgb([255, 255, 255]));
    assert_eq!(*picture.get_pixel(50, 14), MARK_COLOR);
    assert_eq!(*picture.get_pixel(34, 25), MARK_COLOR);
}

#[test]
fn every_format_is_scaled_and_can_be_read_back() {
    for format in [ShotFormat::Png, ShotFormat::Jpeg, ShotFormat::Webp] {
        let options = ShotOptions { format, max_side: 50, ..ShotOptions::default() };
        let shot = finish(white(), &options, false).expect("a picture");
        assert_eq!((shot.width, shot.height), (50, 30));
        assert_eq!(image::guess_format(&shot.bytes).expect("a known format"), format.image());
    }
}
