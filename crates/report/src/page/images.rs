//! Thumbnails over time.

use std::fmt::Write as _;

use super::{Recording, Section, plural, put};
use crate::{
    raster::address,
    text::{Esc, count, short, span},
};

/// Maximum bytes of all thumbnails; later ones are left out.
const BYTES: usize = 1_200_000;

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let channels: Vec<_> = recording.kept.thumbs.iter().filter(|channel| channel.samples > 0).collect();
    if channels.is_empty() {
        return None;
    }
    let axis = &recording.kept.axis;
    let mut body = String::new();
    let mut bytes = 0;
    for channel in &channels {
        put!(body, "<figure><figcaption><b>{}</b> <small>", Esc(&short(&channel.name)));
        put!(
            body,
            "{}, {}",
            plural(usize::try_from(channel.samples).unwrap_or(usize::MAX), "image"),
            Esc(&channel.about)
        );
        if channel.failed > 0 {
            put!(
                body,
                "; {} of the chosen ones could not be decoded, or have more than 8 million pixels",
                count(channel.failed)
            );
        }
        body.push_str("</small></figcaption><div class=\"thumbs\">");
        for thumb in &channel.small {
            bytes += thumb.file.len();
            if bytes > BYTES {
                put!(body, "<p class=\"lg\">Others are left out to keep the page small.</p>");
                break;
            }
            let when = thumb.t.map_or_else(|| "no time".into(), span);
            let at = thumb.t.map_or_else(String::new, |t| format!(" data-t=\"{:.5}\"", axis.fraction(t)));
            put!(
                body,
                "<span class=\"thumb\"{at}><img width=\"{}\" height=\"{}\" alt=\"{} at {when}\" src=\"{}\"><small>{when}</small></span>",
                thumb.width,
                thumb.height,
                Esc(&short(&channel.name)),
                address(&thumb.file)
            );
        }
        body.push_str("</div></figure>\n");
    }
    let lead = "A few small images from each camera, evenly over the recording.".into();
    Some(Section { id: "images", title: "Images", lead, body })
}
