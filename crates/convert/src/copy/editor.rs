//! Records on their way into a copy, changed one after the other.

use robolog_core::{Change, Edit, Edited, RawRecord};

use crate::{Error, Result, Source, source::formats_with};

/// Applies an edit to records.
pub(super) struct Editor<'e, F: Source> {
    edit: &'e Edit,
    /// As it is after the edit.
    header: F::Header,
    edited: Vec<u8>,
    anonymous: Vec<u8>,
    /// Records that were changed; the header counts as one.
    pub(super) changed: u64,
    /// Records that went, to be anonymous.
    pub(super) withheld: u64,
}

impl<'e, F: Source> Editor<'e, F> {
    /// Edits the header, and the bytes that it stands for. Fails where the format does not hold what is to be changed.
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

    /// The record as it is to be; `None` where it goes.
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

    /// The edit, where it leaves channels out by name and the format cannot change names: those that can see to it themselves.
    pub(super) fn dropping(editor: Option<&Self>) -> Option<&'e Edit> {
        let edit = editor?.edit;
        (edit.names.is_some() && !F::CHANGES.contains(&Change::Rename)).then_some(edit)
    }
}

/// Fails where recordings of the format do not hold what is to be changed.
fn refuse<F: Source>(edit: &Edit) -> Result<()> {
    let Some(change) = edit.changes().find(|change| !F::CHANGES.contains(change)) else { return Ok(()) };
    let (format, what, others) = (F::NAME, change.name(), formats_with(change).join(", "));
    let message = format!("{format}: cannot change {what}; formats that can: {others}");
    Err(Error::Target(message.into()))
}
