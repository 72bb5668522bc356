//! Images of the Institut Pascal data set.

use effibox::pnm::{Pnm, images};
use robolog_core::Encoding;

/// An image has as many samples as its size says, and is within the file; files with several images end.
pub(super) fn pnm(data: &[u8]) {
    if let Ok(image) = Pnm::read(data) {
        assert!(image.byte_len() <= data.len(), "{} bytes of {}", image.byte_len(), data.len());
        let pixels = u64::from(image.width()) * u64::from(image.height());
        let samples = image.samples().count();
        assert_eq!(samples as u64, pixels * image.kind().samples_per_pixel() as u64);
        let picture = image.to_image();
        let bytes = picture.encoding.bytes_per_pixel().unwrap();
        assert_eq!(picture.data.len() as u64, pixels * bytes as u64);
        assert!(!matches!(picture.encoding, Encoding::Jpeg | Encoding::Png));
    }
    let mut all = 0;
    for image in images(data) {
        all += 1;
        assert!(all <= data.len() + 1, "more images than bytes");
        if let Err(error) = image {
            assert!(error.offset() <= data.len() as u64, "{error}: behind the end");
        }
    }
}
