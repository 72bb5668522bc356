//! Changes records as they are copied.

use robolog_core::{
    Edit,
    format::{Change, Edited, RawRecord},
};

use crate::{Error, Result, Source, source::formats_with};

/// Applies an edit to records.
pub(super) struct Editor<'e, F: Source> {
    edit: &'e Edit,
    /// Header after the edit.
    header: F::Header,
    edited: Vec<u8>,
    anonymous: Vec<u8>,
    /// Number of changed records; the header counts as one.
    pub(super) changed: u64,
    /// Number of records removed for anonymity.
    pub(super) withheld: u64,
}

impl<'e, F: Source> Editor<'e, F> {
    /// Edits the header and its bytes. Returns an error if the format does not support a change.
    pub(super) fn new(edit: &'e Edit, header: &mut F::Header, bytes: &mut Vec<u8>) -> Result<Self> {
        refuse::<F>(edit)?;
        let old = bytes.clone();
        F::edit_header(header, bytes, edit)?;
        if let Some(how) = &edit.anonymise {
            F::anonymise_header(header, bytes, how)?;
        }
        let changed = u64::from(old != *bytes);
        Ok(Self {
            edit,
            header: header.clone(),
            edited: Vec::new(),
            anonymous: Vec::new(),
            changed,
            withheld: 0,
        })
    }

    /// Edits a record; `None` removes it.
    pub(super) fn edit<'a>(&'a mut self, record: F::Record<'a>, at: u64) -> Result<Option<F::Record<'a>>> {
        let Self { edit, header, edited, anonymous, changed, withheld } = self;
        edited.clear();
        anonymous.clear();
        let (record, is_edited) = match F::edit(header, &record, edit, edited)? {
            Edited::Same => (record, false),
            Edited::Dropped => return Ok(None),
            Edited::Changed => (F::record(header, RawRecord { offset: at, bytes: edited })?, true),
        };
        let outcome = match &edit.anonymise {
            Some(how) => F::anonymise(header, &record, how, anonymous)?,
            None => Edited::Same,
        };
        let (record, is_anonymous) = match outcome {
            Edited::Same => (record, false),
            Edited::Dropped => {
                *withheld += 1;
                return Ok(None);
            }
            Edited::Changed => (F::record(header, RawRecord { offset: at, bytes: anonymous })?, true),
        };
        *changed += u64::from(is_edited || is_anonymous);
        Ok(Some(record))
    }

    /// The edit, if it drops channels by name and the format cannot rename; formats that can drop channels themselves.
    pub(super) fn dropping(editor: Option<&Self>) -> Option<&'e Edit> {
        let edit = editor?.edit;
        (edit.names.is_some() && !F::CHANGES.contains(&Change::Rename)).then_some(edit)
    }
}

/// Returns an error if the format does not support a change.
fn refuse<F: Source>(edit: &Edit) -> Result<()> {
    let Some(change) = edit.changes().find(|change| !F::CHANGES.contains(change)) else { return Ok(()) };
    let (format, what, others) = (F::NAME, change.name(), formats_with(change).join(", "));
    let message = format!("{format}: cannot change {what}; formats that can: {others}");
    Err(Error::Target(message.into()))
}
