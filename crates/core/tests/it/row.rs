//! Table rows: as many cells as fields, and JSON on request.

use std::borrow::Cow;

use robolog_core::{Cell, Columns as _, Field, FieldKind, Row};

static FIELDS: [Field; 3] = [
    Field::new("brake", FieldKind::Float),
    Field::new("speed", FieldKind::Float).with_unit("mph").with_unit("m/s"),
    Field::new("name", FieldKind::Text),
];

fn row(cells: Vec<Cell>) -> Row {
    Row::new(FIELDS.as_slice().into(), cells)
}

#[test]
fn a_row_is_as_long_as_its_fields() {
    assert_eq!(row(vec![]).cells, [Cell::Null, Cell::Null, Cell::Null]);
    let long = row(vec![1.5.into(), 2_u8.into(), "x".into(), true.into()]);
    assert_eq!(long.cells, [Cell::Float(1.5), Cell::Int(2), Cell::Text("x".into())]);
    assert_eq!((long.get("speed"), long.get("Speed")), (Some(&Cell::Int(2)), None));
    let names: Vec<_> = long.iter().map(|(field, _)| &*field.name).collect();
    assert_eq!(names, ["brake", "speed", "name"]);
    let units: Vec<_> = long.iter().map(|(field, _)| field.unit.as_deref()).collect();
    assert_eq!(units, [None, Some("m/s"), None]);
}

#[test]
fn names_may_come_from_the_file() {
    let field = Field { name: Cow::Owned("a b".into()), ..Field::new("", FieldKind::Bool) };
    let row = Row::new(vec![field].into(), vec![None::<bool>.into()]);
    assert_eq!(row.get("a b"), Some(&Cell::Null));
}

#[test]
fn numbers_become_the_wider_kind_without_loss() {
    let ints: [Cell; 4] = [u32::MAX.into(), i64::MIN.into(), (-1_i8).into(), Some(7_u16).into()];
    assert_eq!(ints, [0xffff_ffff, i64::MIN, -1, 7].map(Cell::Int));
    let floats: [Cell; 2] = [0.1_f32.into(), 0.1_f64.into()];
    assert_eq!(floats, [0.100_000_001_490_116_12, 0.1].map(Cell::Float));
    assert_eq!(Cell::from(String::from("t")), Cell::Text("t".into()));
}

robolog_core::row! {
    /// A column of each kind, present and missing.
    struct Kinds {
        is_on: bool,
        gear: Option<i8>,
        speed: Option<f32> ["m/s"],
        name: Cow<'static, str>,
        note: Option<String> = "Note",
    }
}

#[test]
fn a_declared_row_has_the_kinds_and_cells_of_its_fields() {
    let kinds = Kinds { is_on: true, gear: Some(-1), speed: None, name: "a".into(), note: Some("b".into()) };
    let row = kinds.into_row();
    let cells = [Cell::Bool(true), Cell::Int(-1), Cell::Null, Cell::Text("a".into()), Cell::Text("b".into())];
    assert_eq!(row.cells, cells);
    let columns: Vec<_> = row.fields.iter().map(|field| (&*field.name, field.kind)).collect();
    let named = [("is_on", FieldKind::Bool), ("gear", FieldKind::Int), ("speed", FieldKind::Float)];
    assert_eq!(columns[..3], named);
    assert_eq!(columns[3..], [("name", FieldKind::Text), ("Note", FieldKind::Text)]);
    assert_eq!((row.fields[1].unit.as_deref(), row.fields[2].unit.as_deref()), (None, Some("m/s")));
}

#[cfg(feature = "serde")]
#[test]
fn json_is_a_map_in_the_order_of_the_fields_without_nan() {
    let json = |cells| serde_json::to_string(&robolog_core::Value::Row(row(cells))).ok();
    let want = r#"{"brake":null,"speed":-3,"name":"a\"b"}"#;
    assert_eq!(json(vec![f64::NAN.into(), (-3).into(), "a\"b".into()]).as_deref(), Some(want));
    let want = r#"{"brake":null,"speed":true,"name":null}"#;
    assert_eq!(json(vec![f64::NEG_INFINITY.into(), true.into()]).as_deref(), Some(want));
}
