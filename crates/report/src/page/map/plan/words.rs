//! The text above and beside a map.

use std::fmt::Write as _;

use super::{Plan, Scatter, Way, is_places};
use crate::{page::put, text::digits};

impl Plan<'_> {
    /// Describes a map without movement.
    fn still(&self) -> String {
        if self.ways.iter().any(|way| way.is_moving) {
            return String::new();
        }
        if self.ways.is_empty() && self.named.is_empty() {
            return String::new();
        }
        if self.ways.iter().all(|way| is_places(way.track)) {
            return "Separate places, not a track. ".into();
        }
        let mut text = String::from("Nothing moves by more than a metre. ");
        for (_, Scatter { half, most, .. }) in self.scatters().take(1) {
            put!(
                text,
                "Half of the kept positions are within {} m of their mean (CEP, inner circle), 95 % within {} m. ",
                digits(half, 3),
                digits(most, 3)
            );
        }
        text
    }

    pub(in crate::page::map) fn lead(&self) -> String {
        let mut lead = match self.earth {
            Some(earth) => format!(
                "Metres east and north of {}°, {}°. ",
                digits(earth.latitude, 7),
                digits(earth.longitude, 7)
            ),
            None => "Metres in the recording's own frame. ".into(),
        };
        if let Some(near) = self.near {
            let others = self.ways.iter().filter(|way| way.is_moving && !way.is_hero).count();
            put!(
                lead,
                "The map shows the hero's path and {near} m around it; grey: {others} other moving actors. "
            );
        }
        lead.push_str(&self.still());
        if self.outside > 0 {
            put!(
                lead,
                "{} off the map. ",
                if self.outside == 1 {
                    "One distant position is".into()
                } else {
                    format!("{} distant positions are", self.outside)
                }
            );
        }
        if !self.areas.is_empty() {
            lead.push_str("Purple: areas. ");
        }
        if self.earth.is_none() && !self.recording.kept.shapes.is_empty() {
            lead.push_str("Purple: polygons from the recording, as last drawn; dashed: planned legs. ");
        }
        lead
    }

    /// The legend of tracks and marks.
    pub(in crate::page::map) fn keys(&self) -> String {
        let mut html = String::new();
        let is_main = |way: &&Way<'_>| way.is_moving && self.is_main(way);
        if !self.ways.iter().any(|way| way.is_moving) {
            return html;
        }
        if !self.ways.iter().any(|way| is_main(&way)) {
            html.push_str("<p class=\"lg\">Each track is labelled at its end.</p>");
        }
        html.push_str(
            "<p class=\"lg\">○ start &nbsp; ■ end &nbsp; grey dashes: no positions, or no value</p>",
        );
        html
    }
}
