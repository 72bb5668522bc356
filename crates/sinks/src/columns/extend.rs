//! Fills columns from columns.

use std::sync::Arc;

use robolog_core::Clock;

use super::{Column, Data, Table};
use crate::gather::{BlockRows, Cells, NULL, clock_of};

impl Table {
    /// Adds rows. Returns false and adds none unless all their cells are of the kinds of their columns, and all of them fit
    /// into the group.
    pub(super) fn take_rows(&mut self, rows: BlockRows<'_>) -> bool {
        let BlockRows { block, channels, .. } = rows;
        let count = block.rows();
        let name_of = |channel: usize| channels.get(channel);
        let spells = self.group.spells && self.has_channel;
        let names: usize =
            if spells { block.channels().filter_map(name_of).map(|name| name.len()).sum() } else { 0 };
        let fixed = count.saturating_mul(self.row_size);
        let bytes = fixed.saturating_add(names).saturating_add(rows.text_len());
        let is_full = self.rows + count >= self.group.rows
            || !self.held.has_room(self.group.bytes, bytes.saturating_add(self.row_size));
        let Some(times) = block.times().filter(|_| !is_full && rows.are_plain()) else { return false };
        for (kind, _) in times.runs().iter() {
            if let Some(clock) = clock_of(kind) {
                self.note(clock);
            }
        }
        let (has_channel, mut columns) = (self.has_channel, self.columns.iter_mut());
        if let (Some(time_ns), Some(time)) = (columns.next(), columns.next()) {
            extend_times(time_ns, time, times);
        }
        if has_channel && let Some(Column { data: Data::Name(names), valid, .. }) = columns.next() {
            for name in block.channels().filter_map(name_of) {
                names.push(name, || Arc::clone(name), 1);
            }
            valid.push(true, count);
        }
        let mut cells = block.columns().iter();
        for column in columns {
            match cells.next() {
                Some(cells) => extend(column, cells),
                None => column.valid.push(false, count),
            }
        }
        self.rows += count;
        self.held.add(bytes);
        true
    }
}

/// Adds times, and those of Unix in microseconds.
fn extend_times(time_ns: &mut Column, time: &mut Column, cells: &Cells) {
    let mut words = cells.words().iter().map(|word| i64::from_le_bytes(*word));
    for (kind, count) in cells.runs().iter() {
        let clock = clock_of(kind);
        time_ns.valid.push(clock.is_some(), count);
        time.valid.push(clock == Some(Clock::Unix), count);
        let (Some(clock), Data::Int(all), Data::Micros(micros)) = (clock, &mut time_ns.data, &mut time.data)
        else {
            continue;
        };
        let first = all.len();
        all.extend(words.by_ref().take(count));
        if clock == Clock::Unix {
            micros.extend(all.iter().skip(first).map(|nanos| nanos.div_euclid(1000)));
        }
    }
}

/// Adds cells of the column's kind.
fn extend(column: &mut Column, cells: &Cells) {
    for (kind, count) in cells.runs().iter() {
        column.valid.push(kind != NULL, count);
    }
    match &mut column.data {
        Data::Bool(all) => all.extend(cells.bytes().iter().map(|byte| *byte != 0)),
        Data::Int(all) => all.extend(cells.words().iter().map(|word| i64::from_le_bytes(*word))),
        Data::Float(all) => all.extend(cells.words().iter().map(|word| f64::from_le_bytes(*word))),
        Data::Text(all) => cells.texts().for_each(|text| all.push(text)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use robolog_core::{Cell, Field, FieldKind, Row, Sample, Timestamp, Value};

    use super::*;
    use crate::{Opening, columns::Group, gather::Block};

    /// Columns from columns are those from rows; what does not fit is not taken.
    #[test]
    fn rows_taken_at_once_are_those_taken_one_by_one() {
        let fields: Arc<[Field]> =
            [FieldKind::Bool, FieldKind::Int, FieldKind::Float, FieldKind::Text, FieldKind::Int]
                .map(|kind| Field::new("f", kind))
                .into();
        let channels: [Arc<str>; 2] = ["a".into(), "bc".into()];
        let clocks = [Some(Clock::Unix), None, Some(Clock::Gps)];
        let (mut block, mut samples) = (Block::default(), Vec::new());
        for n in 0..1000_u32 {
            let time =
                clocks[n as usize / 100 % 3].map(|clock| Timestamp::new(i64::from(n) * 1001 - 5000, clock));
            let channel = n as usize % 2;
            let cells = [
                Cell::Bool(n.is_multiple_of(3)),
                if n.is_multiple_of(7) { Cell::Null } else { Cell::Int(n.into()) },
                Cell::Float(f64::from(n)),
                if n > 500 { Cell::Text("x".repeat(n as usize % 5)) } else { Cell::Null },
                Cell::Null,
            ];
            block.begin(time, channel);
            for (place, cell) in cells.iter().enumerate() {
                block.cell(place, cell).unwrap();
            }
            let value = Value::Row(Row::new(Arc::clone(&fields), cells.to_vec()));
            samples.push(Sample::new(Arc::clone(&channels[channel]), value).with_time(time));
        }
        block.end();
        let rows = BlockRows { block: &block, fields: &fields, channels: &channels };
        for spells in [false, true] {
            let table = |bytes| {
                Table::of(&samples[0].value, Group { rows: 5000, bytes, spells }, &Opening::default())
            };
            let (mut one_by_one, mut at_once) = (table(1 << 20), table(1 << 20));
            for sample in &samples {
                one_by_one.push(sample, |_| unreachable!()).unwrap();
            }
            assert!(at_once.take_rows(rows));
            // The numbers of names are in no order.
            let column = |column: &Column| match &column.data {
                Data::Name(names) => format!("{:?} {:?} {:?}", names.names.list, names.runs, column.valid),
                _ => format!("{column:?}"),
            };
            let told = |table: &Table| {
                let columns: Vec<_> = table.columns.iter().map(column).collect();
                (columns, table.rows, table.held.bytes(), table.clocks.clone())
            };
            assert_eq!(told(&at_once), told(&one_by_one));
            assert!(!table(20_000).take_rows(rows));
        }
        let other = [FieldKind::Text; 5].map(|kind| Field::new("f", kind)).into();
        assert!(!BlockRows { fields: &other, ..rows }.are_plain());
    }
}
