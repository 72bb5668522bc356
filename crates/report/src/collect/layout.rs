//! Where the numbers of a channel's rows go, found once for all rows with the same fields.

use std::sync::Arc;

use robolog_core::{Field, FieldKind};

/// The fields of a channel's rows, and where the numbers of each go.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) fields: Arc<[Field]>,
    /// A place for each field that is drawn.
    pub(super) places: Vec<Option<Place>>,
    /// The field that says to which part of the machine a row belongs, such as a wheel.
    pub(super) part: Option<usize>,
}

/// Where the numbers of a field go.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) slot: usize,
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) lines: &'static [&'static str],
    /// The line; `None` where the row's part is the line.
    pub(super) line: Option<usize>,
}

const AXES: [&str; 3] = ["x", "y", "z"];
const PEDALS: [&str; 3] = ["throttle", "brake", "steer"];
const WHEELS: [&str; 4] = ["wheel 0", "wheel 1", "wheel 2", "wheel 3"];
/// Single letters before the axis that name a quantity.
const LETTERS: [(&str, &str); 3] = [("v", "velocity"), ("a", "acceleration"), ("w", "angular velocity")];
/// Fields that name something and measure nothing.
const NAMES: [&str; 11] =
    ["actor", "frame", "id", "parent", "sequence", "episode", "index", "actor1", "actor2", "Rtime", "wheel"];

/// A quantity whose lines are fields.
struct Together<'a> {
    name: &'a str,
    /// What stands before the name of a line in that of its field.
    stem: String,
    lines: &'static [&'static str],
    line: usize,
}

impl Layout {
    /// For rows with these fields. `names` are those of the quantities that have a slot already.
    pub(super) fn new(fields: &Arc<[Field]>, names: &mut Vec<String>) -> Self {
        let part = fields.iter().position(|field| field.name == "wheel");
        let places = fields.iter().map(|field| place(field, fields, part.is_some(), names)).collect();
        Self { fields: Arc::clone(fields), places, part }
    }
}

/// The place of a field among those of its channel; `None` for what is no number, or names something.
fn place(field: &Field, fields: &[Field], is_of_wheel: bool, names: &mut Vec<String>) -> Option<Place> {
    let is_number = matches!(field.kind, FieldKind::Int | FieldKind::Float);
    if !is_number || NAMES.contains(&&*field.name) {
        return None;
    }
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let whole = together(&field.name)
        .filter(|whole| whole.lines.iter().all(|line| has(&format!("{}{line}", whole.stem))));
    let (name, lines, line): (&str, &'static [&'static str], _) = match &whole {
        Some(whole) => (whole.name, whole.lines, Some(whole.line)),
        None if is_of_wheel => (&field.name, &WHEELS, None),
        None => (&field.name, &[""], Some(0)),
    };
    let slot = names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    let unit = field.unit.as_deref().unwrap_or(if lines == PEDALS { "share of full" } else { "" });
    Some(Place { slot, name: name.to_owned(), unit: unit.to_owned(), lines, line })
}

/// The quantity that a field belongs to with others, judged by its name.
fn together(name: &str) -> Option<Together<'_>> {
    if let Some(line) = PEDALS.iter().position(|pedal| *pedal == name) {
        return Some(Together { name: "controls", stem: String::new(), lines: &PEDALS, line });
    }
    let (stem, axis) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let line = AXES.iter().position(|known| *known == axis)?;
    let letter = LETTERS.iter().find(|(letter, _)| *letter == stem).map(|(_, name)| *name);
    let name = letter.or_else(|| stem.strip_suffix('_'))?;
    Some(Together { name, stem: stem.to_owned(), lines: &AXES, line })
}
