//! Maps the numbers of a channel's rows to panels, once for all rows with the same fields.

use std::sync::Arc;

use robolog_core::{Field, FieldKind};

/// The fields of a channel's rows, and the panel of each.
#[derive(Debug)]
pub(super) struct FieldPanels {
    pub(super) fields: Arc<[Field]>,
    /// Panel of each field that is drawn.
    pub(super) places: Vec<Option<PanelLine>>,
    /// The field with the part of the machine that a row is about, such as a wheel.
    pub(super) part: Option<usize>,
}

/// Panel and line of a field.
#[derive(Debug)]
pub(super) struct PanelLine {
    pub(super) slot: usize,
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) lines: &'static [&'static str],
    /// The line; `None` if the row's part selects it.
    pub(super) line: Option<usize>,
}

const AXES: [&str; 3] = ["x", "y", "z"];
const PEDALS: [&str; 3] = ["throttle", "brake", "steer"];
const WHEELS: [&str; 4] = ["wheel 0", "wheel 1", "wheel 2", "wheel 3"];
/// Letters that name a quantity, followed by the axis.
const LETTERS: [(&str, &str); 3] = [("v", "velocity"), ("a", "acceleration"), ("w", "angular velocity")];
/// Fields that are identifiers, not measurements.
const NAMES: [&str; 11] =
    ["actor", "frame", "id", "parent", "sequence", "episode", "index", "actor1", "actor2", "Rtime", "wheel"];

/// A quantity whose lines are fields.
struct Together<'a> {
    name: &'a str,
    /// Prefix of the field name before the name of the line.
    stem: String,
    lines: &'static [&'static str],
    line: usize,
}

impl FieldPanels {
    /// Creates the layout for rows with these fields. `names` lists the quantities that already have a slot.
    pub(super) fn new(fields: &Arc<[Field]>, names: &mut Vec<String>) -> Self {
        let part = fields.iter().position(|field| field.name == "wheel");
        let places = fields.iter().map(|field| place(field, fields, part.is_some(), names)).collect();
        Self { fields: Arc::clone(fields), places, part }
    }
}

/// The panel of a field; `None` if it is not a number, or an identifier.
fn place(field: &Field, fields: &[Field], is_of_wheel: bool, names: &mut Vec<String>) -> Option<PanelLine> {
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
    Some(PanelLine { slot, name: name.to_owned(), unit: unit.to_owned(), lines, line })
}

/// The quantity a field belongs to together with others, by its name.
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
