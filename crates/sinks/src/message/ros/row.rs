//! Rows as messages with generated types.

use std::fmt::Write as _;

use robolog_core::{Cell, Field, FieldKind, Row};

use super::{
    super::{
        stamp::Stamp,
        topic::{self, Names},
    },
    wire::Wire,
};

/// Definition of a message with these fields: the header, one field per column with its name in lower case, and
/// `absent`, the names of columns without a value. Units follow the fields as comments.
pub(super) fn definition(fields: &[Field]) -> String {
    let mut text = "std_msgs/Header header\n".to_owned();
    let mut names = Names::new(["header", "absent"]);
    for field in fields {
        let kind = match field.kind {
            FieldKind::Bool => "bool",
            FieldKind::Int => "int64",
            FieldKind::Float => "float64",
            FieldKind::Text => "string",
        };
        let name = names.unused(&topic::field(&field.name));
        // Writing to a string cannot fail.
        let _ = write!(text, "{kind} {name}");
        if let Some(unit) = &field.unit {
            let unit = unit.replace(char::is_control, " ");
            let _ = write!(text, "  # {unit}");
        }
        text.push('\n');
    }
    text.push_str("string[] absent\n");
    text
}

/// Writes a row as a message of that definition. Unknown values, and cells not of their column's type, are zero, NaN,
/// false or empty, with the column's name in `absent`.
pub(super) fn row(wire: &mut Wire, stamp: Stamp, frame_id: &str, row: &Row) {
    wire.header(stamp, frame_id);
    let mut absent = Vec::new();
    for (field, cell) in row.iter() {
        if !put(wire, field.kind, cell) {
            absent.push(&*field.name);
        }
    }
    wire.count(absent.len());
    for name in absent {
        wire.string(name);
    }
}

/// Writes a cell; `false` if it has no value of this kind.
fn put(wire: &mut Wire, kind: FieldKind, cell: &Cell) -> bool {
    match (kind, cell) {
        (FieldKind::Bool, Cell::Bool(value)) => wire.bool(*value),
        (FieldKind::Int, Cell::Int(value)) => wire.i64(*value),
        (FieldKind::Float, Cell::Float(value)) => wire.f64(*value),
        #[expect(clippy::cast_precision_loss, reason = "the column says that it holds such numbers")]
        (FieldKind::Float, Cell::Int(value)) => wire.f64(*value as f64),
        (FieldKind::Text, Cell::Text(value)) => wire.string(value),
        (kind, _) => {
            match kind {
                FieldKind::Bool => wire.bool(false),
                FieldKind::Int => wire.i64(0),
                FieldKind::Float => wire.f64(f64::NAN),
                FieldKind::Text => wire.string(""),
            }
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{super::Ros, *};

    #[test]
    fn a_row_has_a_type_of_its_own() {
        let fields: Arc<[Field]> = [
            Field::new("Steer", FieldKind::Float).with_unit("rad"),
            Field::new("steer", FieldKind::Int),
            Field::new("on", FieldKind::Bool),
            Field::new("header", FieldKind::Text),
            Field::new("7 b", FieldKind::Float),
        ]
        .into();
        let want = "std_msgs/Header header\nfloat64 steer  # rad\nint64 steer_2\nbool on\nstring header_2\n\
                    float64 id_7_b\nstring[] absent\n";
        assert_eq!(definition(&fields), want);
        let mut wire = Wire::new(Ros::Two);
        wire.begin();
        let stamp = Stamp { sec: 1, nanosec: 2, log_time: 0 };
        let cells = vec![0.5.into(), Cell::Null, true.into(), "é".into(), 3_i64.into()];
        row(&mut wire, stamp, "", &Row::new(fields, cells));
        let want = [
            &[0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0][..],
            &0.5_f64.to_le_bytes(),
            &[0; 8],
            &[1, 0, 0, 0, 3, 0, 0, 0, 0xc3, 0xa9, 0, 0, 0, 0, 0, 0],
            &3.0_f64.to_le_bytes(),
            &[1, 0, 0, 0, 6, 0, 0, 0],
            b"steer\0",
        ]
        .concat();
        assert_eq!(wire.finish(), Some(&want[..]));
    }
}
