//! Numbers over time: assigns the values of samples to panels.

use std::sync::Arc;

use robolog_core::{Cell, Row};

use super::{layout::FieldPanels, series::Series};
use crate::axis::Axis;

/// Numbers drawn together.
#[derive(Debug)]
pub(crate) struct Panel {
    /// Name of the channel, and the quantity.
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) channel: Arc<str>,
    /// Names and values.
    pub(crate) lines: Vec<(String, Series)>,
}

/// All panels.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) panels: Vec<Panel>,
    /// Values without a panel, because there are too many series.
    pub(crate) beyond: u64,
    lines: usize,
}

/// Panels of one channel by slot, and the layout of its rows.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    panels: Vec<Option<usize>>,
    layout: Option<FieldPanels>,
    names: Vec<String>,
}

/// Maximum number of series, and additional ones for the most wanted quantities.
const MOST: usize = 1000;
const RESERVED: usize = 300;

/// A quantity of a kind of values: name, unit and lines.
pub(crate) struct Quantity<'a> {
    pub(crate) slot: usize,
    pub(crate) name: &'a str,
    pub(crate) unit: &'a str,
    pub(crate) lines: &'a [&'a str],
}

impl Numbers {
    /// Adds values of one quantity, each with its line number.
    pub(crate) fn add(
        &mut self,
        (channel, slots): (&Arc<str>, &mut Slots),
        quantity: &Quantity<'_>,
        values: impl IntoIterator<Item = (usize, f64)>,
        t: f64,
        axis: &Axis,
    ) {
        if slots.panels.len() <= quantity.slot {
            slots.panels.resize(quantity.slot + 1, None);
        }
        let known = slots.panels.get(quantity.slot).copied().flatten();
        let Some(number) = known.or_else(|| self.panel(channel, quantity)) else {
            self.beyond += 1;
            return;
        };
        if let Some(slot) = slots.panels.get_mut(quantity.slot) {
            *slot = Some(number);
        }
        let Some(panel) = self.panels.get_mut(number) else { return };
        for (line, value) in values {
            if let Some((_, series)) = panel.lines.get_mut(line) {
                series.add(t, value, axis);
            }
        }
    }

    fn panel(&mut self, channel: &Arc<str>, quantity: &Quantity<'_>) -> Option<usize> {
        let track = track(channel);
        let title = match quantity.name {
            name if track.ends_with(name) => track.to_owned(),
            name => format!("{track} {name}"),
        };
        // Segments of a track share its panels.
        if track.len() < channel.len() {
            let known = |panel: &Panel| panel.title == title && panel.unit == quantity.unit;
            if let Some(at) = self.panels.iter().position(known) {
                return Some(at);
            }
        }
        let most = if rank(&title) < OTHERS { MOST + RESERVED } else { MOST };
        if self.lines + quantity.lines.len() > most {
            return None;
        }
        self.lines += quantity.lines.len();
        let lines = quantity.lines.iter().map(|name| ((*name).to_owned(), Series::default())).collect();
        self.panels.push(Panel {
            title,
            unit: quantity.unit.to_owned(),
            channel: Arc::clone(channel),
            lines,
        });
        Some(self.panels.len() - 1)
    }

    /// Adds the numbers of a row.
    pub(crate) fn row(&mut self, (channel, slots): (&Arc<str>, &mut Slots), row: &Row, t: f64, axis: &Axis) {
        let known = slots.layout.take().filter(|layout| Arc::ptr_eq(&layout.fields, &row.fields));
        let layout = known.unwrap_or_else(|| FieldPanels::new(&row.fields, &mut slots.names));
        let part = match layout.part.and_then(|part| row.cells.get(part)) {
            Some(Cell::Int(part)) => usize::try_from(*part).unwrap_or(usize::MAX),
            _ => 0,
        };
        for (cell, place) in row.cells.iter().zip(&layout.places) {
            let (Some(place), Some(value)) = (place, number(cell)) else { continue };
            let quantity =
                Quantity { slot: place.slot, name: &place.name, unit: &place.unit, lines: place.lines };
            let line = place.line.unwrap_or(part);
            self.add((channel, slots), &quantity, [(line, value)], t, axis);
        }
        slots.layout = Some(layout);
    }
}

/// The track of a GPX segment; other channels unchanged.
fn track(channel: &str) -> &str {
    let parts = channel.rsplit_once("/segment");
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit());
    parts.filter(|(_, n)| is_number(n)).map_or(channel, |(track, _)| track)
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Int(n) => Some(*n as f64),
        Cell::Float(x) => Some(*x),
        _ => None,
    }
}

/// How much users want a quantity: smaller is more, and ranks below [`OTHERS`] are the wanted ones.
pub(crate) fn rank(title: &str) -> u8 {
    const FIRST: [&str; 20] = [
        "NAV_",
        "DESIRED_",
        "speed",
        "controls",
        "heart rate",
        "power",
        "cadence",
        "steering",
        "wheels",
        "velocity",
        "rpm",
        "motor",
        "hdop",
        "satellites",
        "altitude",
        "acceleration",
        "wz",
        "duration",
        "transl_vel",
        "DEPTH",
    ];
    const LAST: [&str; 14] = [
        "_ITER_GAP",
        "_ITER_LEN",
        "_CPU",
        "_PID",
        "_UPTIME",
        "_TIME",
        " TIME",
        " INDEX",
        "POST_GAP",
        "raw_",
        "unused",
        "uid",
        "Rtime",
        "elapsed",
    ];
    let is_of_frames = title.starts_with("frames ");
    if is_of_frames || title.contains("traffic_light") || LAST.iter().any(|word| title.contains(word)) {
        return OTHERS + 1;
    }
    let first = FIRST.iter().position(|word| title.contains(word));
    first.and_then(|rank| u8::try_from(rank).ok()).unwrap_or(OTHERS)
}

/// The rank of quantities without a preference.
pub(crate) const OTHERS: u8 = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::{Field, FieldKind};

    #[test]
    fn pedals_share_a_panel_and_names_have_none() {
        let (axis, mut numbers, mut slots) = (Axis::new(None), Numbers::default(), Slots::default());
        let field = |name: &'static str, kind| Field::new(name, kind);
        let fields: Arc<[Field]> = vec![
            field("actor", FieldKind::Int),
            field("steer", FieldKind::Float),
            field("throttle", FieldKind::Float),
            field("brake", FieldKind::Float),
            field("gear", FieldKind::Int),
            field("state", FieldKind::Text),
        ]
        .into();
        let cells = vec![7_i64.into(), 0.5.into(), 1.0.into(), 0.0.into(), 3_i64.into(), "on".into()];
        numbers.row((&"car".into(), &mut slots), &Row::new(fields, cells), 0.0, &axis);
        let panels: Vec<_> = numbers.panels.iter().map(|p| (&*p.title, p.lines.len())).collect();
        assert_eq!(panels, [("car controls", 3), ("car gear", 1)]);
        assert_eq!(numbers.panels[0].lines[0].0, "throttle");
        assert_eq!(numbers.panels[0].lines[0].1.greatest, 1.0);
    }

    #[test]
    fn each_wheel_has_a_line_and_kinematics_have_axes() {
        let (axis, mut numbers) = (Axis::new(None), Numbers::default());
        let field = |name: &'static str, kind| Field::new(name, kind);
        let fields: Arc<[Field]> = vec![
            field("wheel", FieldKind::Int),
            field("rotation", FieldKind::Float),
            field("vx", FieldKind::Float),
            field("vy", FieldKind::Float),
            field("vz", FieldKind::Float),
        ]
        .into();
        let mut slots = Slots::default();
        for wheel in 0..4_i32 {
            let turn = f64::from(wheel) + 0.5;
            let cells = vec![i64::from(wheel).into(), turn.into(), 1.0.into(), 2.0.into(), 3.0.into()];
            numbers.row(
                (&"car/wheels".into(), &mut slots),
                &Row::new(Arc::clone(&fields), cells),
                0.0,
                &axis,
            );
        }
        let panels: Vec<_> = numbers.panels.iter().map(|p| (&*p.title, p.lines.len())).collect();
        assert_eq!(panels, [("car/wheels rotation", 4), ("car/wheels velocity", 3)]);
        let (name, series) = &numbers.panels[0].lines[3];
        assert_eq!((&**name, series.count, series.greatest), ("wheel 3", 1, 3.5));
    }

    #[test]
    fn too_many_series_leave_room_for_those_that_are_asked_for() {
        let (axis, mut numbers) = (Axis::new(None), Numbers::default());
        for n in 0..3000 {
            let name: Arc<str> = format!("V{n}").into();
            let quantity = Quantity { slot: 0, name: "", unit: "", lines: &[""] };
            numbers.add((&name, &mut Slots::default()), &quantity, [(0, 1.0)], 0.0, &axis);
        }
        assert_eq!((numbers.panels.len(), numbers.beyond), (MOST, 2000));
        let quantity = Quantity { slot: 0, name: "", unit: "", lines: &[""] };
        numbers.add((&"NAV_X".into(), &mut Slots::default()), &quantity, [(0, 1.0)], 0.0, &axis);
        assert_eq!(numbers.panels.len(), MOST + 1);
    }
}
