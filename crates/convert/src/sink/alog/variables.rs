//! Values as variables.

use std::{borrow::Cow, f64::consts::FRAC_PI_2};

use ::alog::can_hold;
use robolog_core::{
    Cell, Pose, Row, Twist, Value,
    columns::{self, Datum},
};

use crate::sink::text::Put as _;

/// Suffix after the channel's name, value, and whether `NAV` may replace the channel.
pub(super) type Variable<'a> = (Cow<'a, str>, Content<'a>, bool);

#[derive(Debug)]
pub(super) enum Content<'a> {
    Number(f64),
    Integer(i64),
    Cell(&'a Cell),
    Text(&'a str),
}

impl Content<'_> {
    /// Whether the text would not read back: a line reads as an entry or a comment, or leading whitespace is lost.
    pub(super) fn is_ambiguous(&self) -> bool {
        let text = match self {
            Self::Text(text) => text,
            Self::Cell(Cell::Text(text)) => text.as_str(),
            _ => return false,
        };
        !can_hold(text.as_bytes())
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        match self {
            // Plain decimals: MOOS-IvP does not parse exponents.
            Self::Number(number) | Self::Cell(Cell::Float(number)) => out.extend(number.to_string().bytes()),
            Self::Integer(number) => number.put(out),
            Self::Text(text) => out.extend(text.bytes()),
            Self::Cell(Cell::Text(text)) => out.extend(text.bytes()),
            Self::Cell(cell) => cell.put(out),
        }
    }
}

/// Variables of a value; none if it is of another kind.
pub(super) fn variables(value: &Value) -> Vec<Variable<'_>> {
    match value {
        Value::Scalar(number) => vec![("".into(), Content::Number(*number), false)],
        Value::Text(text) => vec![("".into(), Content::Text(text), false)],
        Value::Row(row) => cells(row),
        Value::Pose(pose) => place(pose),
        Value::Odometry(odometry) => {
            let mut all = place(&odometry.pose);
            all.extend(odometry.twist.iter().flat_map(motion));
            all
        }
        Value::GnssFix(_) | Value::Imu(_) => declared(value),
        _ => Vec::new(),
    }
}

fn cells(row: &Row) -> Vec<Variable<'_>> {
    let known = row.iter().filter(|(_, cell)| **cell != Cell::Null);
    known.map(|(field, cell)| (Cow::Borrowed(&*field.name), Content::Cell(cell), false)).collect()
}

fn number<'a>(name: &'static str, value: f64, may_be_nav: bool) -> Variable<'a> {
    (name.into(), Content::Number(value), may_be_nav)
}

fn place<'a>(pose: &Pose) -> Vec<Variable<'a>> {
    let p = pose.position;
    let (roll, pitch, yaw) = pose.orientation.euler_angles();
    let heading = (FRAC_PI_2 - yaw).to_degrees().rem_euclid(360.0);
    vec![
        number("X", p.x, true),
        number("Y", p.y, true),
        number("Z", p.z, true),
        number("HEADING", heading, true),
        number("PITCH", pitch, false),
        number("ROLL", roll, false),
    ]
}

fn motion<'a>(twist: &Twist) -> impl Iterator<Item = Variable<'a>> + use<'a> {
    let (v, w) = (twist.linear, twist.angular);
    let all = [("SPEED", v.x), ("VX", v.x), ("VY", v.y), ("VZ", v.z), ("WX", w.x), ("WY", w.y), ("WZ", w.z)];
    all.into_iter().filter(|(_, v)| v.is_finite()).map(|(name, v)| number(name, v, name == "SPEED"))
}

/// One variable per known number and name, called after its table column unless MOOS has its own name. Angles are in
/// degrees.
fn declared(value: &Value) -> Vec<Variable<'_>> {
    let mut all = Vec::new();
    columns::cells(value, "", 0, &mut |name, _, datum| {
        let content = match datum {
            // Rate about an axis that is not measured.
            Datum::Float(Some(number)) if !number.is_finite() => return,
            Datum::Float(Some(number)) if name == "course" => Content::Number(number.to_degrees()),
            Datum::Float(Some(number)) => Content::Number(number),
            Datum::Int(Some(number)) => Content::Integer(number),
            Datum::Name(text) if name != "frame_id" => Content::Text(text),
            Datum::Text(Some(text)) if name != "talkers" => Content::Text(text),
            _ => return,
        };
        let (name, may_be_nav) = match name {
            "latitude" => ("LAT".into(), true),
            "longitude" => ("LONG".into(), true),
            // MOOS uses `NAV_SPEED` for the vehicle's speed through the water.
            "speed" => ("GROUND_SPEED".into(), false),
            name => (name.to_ascii_uppercase().into(), false),
        };
        all.push((name, content, may_be_nav));
    });
    all
}
