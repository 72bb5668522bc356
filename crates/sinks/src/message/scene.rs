//! Boxes around bodies: rows that describe them, and rows that remove a body.

use std::{collections::HashSet, sync::Arc};

use robolog_core::{Cell, Field, FieldKind, Pose, Row};

/// A box in the body's frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Solid {
    /// Pose of its centre.
    pub(crate) pose: Pose,
    /// Length, width and height, metres.
    pub(crate) size: [f64; 3],
}

/// Bodies with boxes, by frame name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    bodies: Arc<HashSet<Arc<str>>>,
    /// The columns of the last row, if they have no event: most rows follow one of their table.
    uneventful: Option<Arc<[Field]>>,
}

/// Change of the scene by a row.
#[derive(Debug, PartialEq)]
pub(crate) enum Change {
    Appears(Arc<str>, Solid),
    Disappears(Arc<str>),
}

/// Maximum number of boxes.
const MOST_BOXES: usize = 100_000;

impl Scene {
    /// Number of bodies with boxes.
    pub(crate) fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Updates the scene. Rows of `FRAME/bounding_boxes` with a centre `x, y, z` and half sizes `extent_x, extent_y,
    /// extent_z` in metres are boxes in `FRAME`, until a row with the `event` `destroy` names that `actor`.
    pub(crate) fn change(&mut self, channel: &str, row: &Row) -> Option<Change> {
        if self.is_destruction(row) {
            let Some(Cell::Int(actor)) = row.get("actor") else { return None };
            let frame = Arc::clone(self.bodies.get(format!("actor_{actor}").as_str())?);
            Arc::make_mut(&mut self.bodies).remove(&frame);
            return Some(Change::Disappears(frame));
        }
        let frame = channel.strip_suffix("/bounding_boxes").filter(|frame| !frame.is_empty())?;
        let solid = Solid::of(row)?;
        let frame = match self.bodies.get(frame) {
            Some(frame) => Arc::clone(frame),
            None if self.bodies.len() >= MOST_BOXES => return None,
            None => {
                let frame: Arc<str> = frame.into();
                Arc::make_mut(&mut self.bodies).insert(Arc::clone(&frame));
                frame
            }
        };
        Some(Change::Appears(frame, solid))
    }

    fn is_destruction(&mut self, row: &Row) -> bool {
        if self.uneventful.as_ref().is_some_and(|fields| Arc::ptr_eq(fields, &row.fields)) {
            return false;
        }
        let event = row.get("event");
        self.uneventful = event.is_none().then(|| Arc::clone(&row.fields));
        matches!(event, Some(Cell::Text(event)) if event == "destroy")
    }
}

impl Solid {
    /// `None` if a number is missing, not finite, or not in metres: bodies without a shape have such boxes.
    fn of(row: &Row) -> Option<Self> {
        let metres = |name: &str| {
            let (field, cell) = row.iter().find(|(field, _)| field.name == name)?;
            match cell {
                Cell::Float(value)
                    if field.kind == FieldKind::Float
                        && field.unit.as_deref() == Some("m")
                        && value.is_finite() =>
                {
                    Some(*value)
                }
                _ => None,
            }
        };
        let extent = |name: &str| metres(name).filter(|half| *half >= 0.0).map(|half| half * 2.0);
        let middle = [metres("x")?, metres("y")?, metres("z")?];
        let size = [extent("extent_x")?, extent("extent_y")?, extent("extent_z")?];
        let mut pose = Pose::identity();
        pose.position = middle.into();
        Some(Self { pose, size })
    }
}

/// Translucent blue: red, green, blue, opacity.
pub(crate) const COLOR: [f32; 4] = [0.25, 0.5, 1.0, 0.5];

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(unit: &'static str, cells: &[Cell; 6]) -> Row {
        let names = ["x", "y", "z", "extent_x", "extent_y", "extent_z"];
        let fields = names.map(|name| Field::new(name, FieldKind::Float).with_unit(unit));
        Row::new(fields.as_slice().into(), cells.to_vec())
    }

    #[test]
    fn boxes_come_and_go() {
        let mut scene = Scene::default();
        let cells = [0.5, 0.0, 0.75, 2.5, 1.0, 0.0].map(Cell::Float);
        let Some(Change::Appears(frame, solid)) =
            scene.change("actor_7/bounding_boxes", &bounds("m", &cells))
        else {
            panic!("no box")
        };
        assert_eq!((&*frame, solid.size), ("actor_7", [5.0, 2.0, 0.0]));
        assert_eq!(solid.pose.position.as_slice(), [0.5, 0.0, 0.75]);
        let fields: Arc<[Field]> =
            [Field::new("event", FieldKind::Text), Field::new("actor", FieldKind::Int)].into();
        let gone = Row::new(fields, vec!["destroy".into(), 7_i64.into()]);
        assert_eq!(scene.change("events", &gone), Some(Change::Disappears(frame)));
        assert_eq!(scene.change("events", &gone), None);
        assert_eq!(scene.change("actor_7/trigger_volumes", &bounds("m", &cells)), None);
        assert_eq!(scene.change("actor_7/bounding_boxes", &bounds("cm", &cells)), None);
        for missing in [Cell::Null, Cell::Float(f64::INFINITY), Cell::Float(-1.0)] {
            let mut cells = cells.clone();
            cells[5] = missing;
            assert_eq!(scene.change("actor_7/bounding_boxes", &bounds("m", &cells)), None);
        }
    }
}
