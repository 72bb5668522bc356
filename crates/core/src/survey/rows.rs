//! The columns of channels. Channels with the same row columns share one list.

use std::{collections::HashMap, sync::Arc};

use crate::{
    Field,
    columns::{self, Column, Union},
};

/// The columns of a channel's rows.
#[derive(Debug, Default)]
pub(super) enum RowColumns {
    #[default]
    None,
    /// All rows have the same.
    Same(Arc<[Field]>),
    /// Rows differ.
    Several(Box<Union>),
}

impl RowColumns {
    pub(super) fn add(&mut self, fields: &Arc<[Field]>) {
        match self {
            Self::None => *self = Self::Same(Arc::clone(fields)),
            Self::Same(same) if Arc::ptr_eq(same, fields) || same == fields => {}
            Self::Same(same) => {
                let mut union = Box::<Union>::default();
                union.add(same);
                union.add(fields);
                *self = Self::Several(union);
            }
            Self::Several(union) => {
                union.add(fields);
            }
        }
    }
}

/// The lists of columns so far.
#[derive(Debug, Default)]
pub(super) struct Lists {
    kinds: HashMap<&'static str, Arc<[Column]>>,
    /// Keyed by the kind and the address of the fields.
    rows: HashMap<(&'static str, *const Field), List>,
}

/// A list of columns, and its fields, held so that their address is not reused.
type List = (Arc<[Field]>, Arc<[Column]>);

impl Lists {
    /// The columns of a channel: its kind's own, then the columns of its rows.
    pub(super) fn of(&mut self, kind: &'static str, rows: &RowColumns) -> Arc<[Column]> {
        let own = Arc::clone(self.kinds.entry(kind).or_insert_with(|| columns::of_kind(kind).into()));
        let listed = |fields: &[Field]| own.iter().cloned().chain(fields.iter().map(Column::from)).collect();
        match rows {
            RowColumns::None => own,
            RowColumns::Same(fields) => {
                let list = self.rows.entry((kind, fields.as_ptr()));
                Arc::clone(&list.or_insert_with(|| (Arc::clone(fields), listed(fields))).1)
            }
            RowColumns::Several(union) => listed(union.fields()),
        }
    }
}
