//! Messages of keys and values, as rows.

use std::{borrow::Cow, sync::Arc};

use robolog_core::{Cell, Field, FieldKind};

use crate::RawText;

/// The items of a message: key, text, and the number if the text is one. Items without a key belong to the key before
/// them.
pub(super) struct Message(Vec<(String, String, Option<f64>)>);

impl Message {
    /// `None` if the value is empty or its first item has no key.
    pub(super) fn parse(value: RawText<'_>) -> Option<Self> {
        let mut items: Vec<(String, String, Option<f64>)> = Vec::new();
        for item in value.items() {
            let text = String::from_utf8_lossy(item.value.bytes()).into_owned();
            match (item.key, items.last_mut()) {
                (Some(key), _) => {
                    items.push((String::from_utf8_lossy(key).into_owned(), text, item.value.number()));
                }
                (None, Some((_, list, number))) => {
                    if !list.is_empty() {
                        list.push(',');
                    }
                    list.push_str(&text);
                    *number = None;
                }
                (None, None) => return None,
            }
        }
        (!items.is_empty()).then_some(Self(items))
    }

    /// A field for each key.
    pub(super) fn fields(&self) -> Arc<[Field]> {
        let field = |(key, _, number): &(String, String, Option<f64>)| Field {
            name: Cow::Owned(key.clone()),
            unit: None,
            kind: if number.is_some() { FieldKind::Float } else { FieldKind::Text },
        };
        self.0.iter().map(field).collect()
    }

    /// Whether its fields are the same.
    pub(super) fn has(&self, fields: &[Field]) -> bool {
        fields.len() == self.0.len()
            && fields.iter().zip(&self.0).all(|(field, (key, _, number))| {
                field.name == *key && (field.kind == FieldKind::Float) == number.is_some()
            })
    }

    pub(super) fn into_cells(self) -> impl Iterator<Item = Cell> {
        self.0.into_iter().map(|(_, text, number)| number.map_or(Cell::Text(text), Cell::Float))
    }
}

/// Whether a message has exactly these fields, without parsing it into parts.
pub(super) fn has_fields(value: RawText<'_>, fields: &[Field]) -> bool {
    let mut rest = fields.iter();
    let fits = |(field, is_number): (&Field, bool)| (field.kind == FieldKind::Float) == is_number;
    let mut last = None;
    for item in value.items() {
        match (item.key, &mut last) {
            (Some(key), before) => {
                let Some(field) = rest.next().filter(|field| field.name.as_bytes() == key) else {
                    return false;
                };
                if before.replace((field, item.value.number().is_some())).is_some_and(|before| !fits(before))
                {
                    return false;
                }
            }
            (None, Some((_, is_number))) => *is_number = false,
            (None, None) => return false,
        }
    }
    rest.next().is_none() && last.is_some_and(fits)
}
