//! Numbers over time: which values of a sample belong to which panel.

use std::sync::Arc;

use robolog_core::{Cell, Field, FieldKind, Row};

use super::series::Series;
use crate::axis::Axis;

/// Numbers that are drawn together.
#[derive(Debug)]
pub(crate) struct Panel {
    /// The channel, as a person reads it, and the quantity.
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) channel: Arc<str>,
    /// A name and the numbers.
    pub(crate) lines: Vec<(String, Series)>,
}

/// All panels, and where the values of each channel go.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) panels: Vec<Panel>,
    /// Values without a panel: there are too many series.
    pub(crate) beyond: u64,
    lines: usize,
}

/// The panels of one channel by slot, and of its rows the place of each field.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    panels: Vec<Option<usize>>,
    layout: Option<Layout>,
    names: Vec<String>,
}

/// The fields of a channel's rows, and where the numbers of each go.
type Layout = (Arc<[Field]>, Vec<Option<FieldPlace>>);

/// Where the numbers of a field go.
#[derive(Debug, Clone, Copy)]
struct FieldPlace {
    slot: usize,
    line: usize,
    /// Whether other fields are lines of the same quantity.
    is_shared: bool,
}

/// Series in all, and those that are kept for what users ask for first.
const MOST: usize = 1000;
const RESERVED: usize = 300;

/// One quantity of a kind of values: what it is called, its unit, and its lines.
pub(crate) struct Quantity<'a> {
    pub(crate) slot: usize,
    pub(crate) name: &'a str,
    pub(crate) unit: &'a str,
    pub(crate) lines: &'a [&'a str],
}

impl Numbers {
    /// Adds values of one quantity: the number of the line, and the value.
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
        let title = match quantity.name {
            name if channel.ends_with(name) => channel.to_string(),
            name => format!("{channel} {name}"),
        };
        let most = if rank(&title) == 0 { MOST + RESERVED } else { MOST };
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
        if slots.layout.as_ref().is_none_or(|(fields, _)| !Arc::ptr_eq(fields, &row.fields)) {
            let places = row.fields.iter().map(|field| place(field, &row.fields, &mut slots.names)).collect();
            slots.layout = Some((Arc::clone(&row.fields), places));
        }
        let Some((_, places)) = slots.layout.clone() else { return };
        for ((field, cell), place) in row.iter().zip(places) {
            let (Some(FieldPlace { slot, line, is_shared }), Some(value)) = (place, number(cell)) else {
                continue;
            };
            let shared = together(&field.name).filter(|_| is_shared);
            let (name, lines) = shared.unwrap_or((&field.name, &[""]));
            let unit = field.unit.as_deref().unwrap_or(if name == CONTROLS { "share of full" } else { "" });
            let quantity = Quantity { slot, name, unit, lines };
            self.add((channel, slots), &quantity, [(line, value)], t, axis);
        }
    }
}

/// What stands before these names says which numbers are one quantity.
const CONTROLS: &str = "controls";

/// The quantity that a field belongs to with others, and the names of all of them.
fn together(name: &str) -> Option<(&str, &'static [&'static str])> {
    const AXES: [&str; 3] = ["x", "y", "z"];
    const PEDALS: [&str; 3] = ["throttle", "brake", "steer"];
    if PEDALS.contains(&name) {
        return Some((CONTROLS, &PEDALS));
    }
    let (quantity, axis) = name.rsplit_once('_')?;
    AXES.contains(&axis).then_some((quantity, &AXES))
}

/// The slot and line of a field among those of its channel; `None` for what is no number, or names something.
fn place(field: &Field, fields: &[Field], names: &mut Vec<String>) -> Option<FieldPlace> {
    const NAMES: [&str; 10] =
        ["actor", "frame", "id", "parent", "sequence", "episode", "index", "actor1", "actor2", "Rtime"];
    let is_number = matches!(field.kind, FieldKind::Int | FieldKind::Float);
    if !is_number || NAMES.contains(&&*field.name) {
        return None;
    }
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let whole = together(&field.name)
        .filter(|(quantity, lines)| lines.iter().all(|line| has(line) || has(&format!("{quantity}_{line}"))));
    let (name, line) = match whole {
        Some((quantity, lines)) => {
            let line = lines
                .iter()
                .position(|line| *field.name == **line || field.name.ends_with(&format!("_{line}")));
            (quantity, line.unwrap_or_default())
        }
        None => (&*field.name, 0),
    };
    let slot = names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    Some(FieldPlace { slot, line, is_shared: whole.is_some() })
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Int(n) => Some(*n as f64),
        Cell::Float(x) => Some(*x),
        _ => None,
    }
}

/// How soon users ask for a quantity: 0 is first, 2 last.
pub(crate) fn rank(title: &str) -> u8 {
    const FIRST: [&str; 16] = [
        "NAV_",
        "DESIRED_",
        "controls",
        "speed",
        "steering",
        "hdop",
        "satellites",
        "rpm",
        "altitude",
        "wheels",
        "velocity",
        "acceleration",
        "wz",
        "duration",
        "transl_vel",
        "DEPTH",
    ];
    const LAST: [&str; 12] = [
        "_ITER_GAP",
        "_ITER_LEN",
        "_CPU",
        "_PID",
        "_UPTIME",
        "_TIME",
        "POST_GAP",
        "raw_",
        "unused",
        "uid",
        "Rtime",
        "elapsed",
    ];
    if LAST.iter().any(|word| title.contains(word)) {
        2
    } else {
        u8::from(!FIRST.iter().any(|word| title.contains(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
