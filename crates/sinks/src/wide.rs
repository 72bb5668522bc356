//! Wide tables: a row per clock tick, a column per channel and field.
//!
//! Values are held until no earlier one can come; then rows go to the target, whose columns are gathered as for any
//! table of rows. Columns are called `CHANNEL` for a single number or text, otherwise `CHANNEL.FIELD`. A row has for
//! each channel the last sample at that time, or the interpolation to the next one.

mod blend;
mod grid;
mod layout;
mod series;

use std::{collections::HashMap, sync::Arc};

use robolog_core::{Cell, Clock, Row, Sample, Timestamp, Value, columns::Column};

use self::{blend::Held, grid::Grid, layout::WideColumns, series::Series};
use super::{
    api::Sink,
    flat,
    options::{Fill, Wide as Options},
};
use crate::{Advice, Error, Note, Origin, Outcome, Reason, Result};

/// Makes rows from samples and passes them to a sink of rows.
pub(super) struct Wide<S: ?Sized = dyn Sink> {
    sink: Box<S>,
    options: Options,
    grid: Grid,
    layout: WideColumns,
    numbers: HashMap<Arc<str>, usize>,
    series: Vec<Series>,
    clock: Option<Clock>,
    /// Latest time so far, and the next tick.
    reached: Option<Reached>,
    /// A sample beyond a jump, held until the next one confirms that the clock jumped.
    aside: Option<(Arc<str>, i64, Value)>,
    /// Number of held cells.
    waiting: usize,
    pub(super) late: u64,
    rows: u64,
}

#[derive(Debug, Clone, Copy)]
struct Reached {
    newest: i64,
    tick: i128,
    /// Whether a row was written since the clock jumped, so that earlier ticks are gone.
    is_begun: bool,
}

/// Maximum disorder of samples, nanoseconds; later ones are late. MOOS loggers write initial values of variables when
/// they learn of them, some after half a minute.
const DISORDER: i64 = 60_000_000_000;
/// A larger step between two samples is a jump of the clock, nanoseconds: no rows are written in between.
const JUMP: u64 = 3_600_000_000_000;
/// Maximum number of held cells.
const MOST_WAITING: usize = 1 << 20;
/// Channel of the rows.
const CHANNEL: &str = "wide";

impl<S: Sink + ?Sized> Wide<S> {
    pub(super) fn around(sink: Box<S>, options: Options) -> Self {
        Self {
            sink,
            options,
            grid: Grid::new(options.rate),
            layout: WideColumns::default(),
            numbers: HashMap::new(),
            series: Vec::new(),
            clock: None,
            reached: None,
            aside: None,
            waiting: 0,
            late: 0,
            rows: 0,
        }
    }

    /// Adds a value at a time; slightly disordered values are sorted.
    fn take(&mut self, channel: &Arc<str>, time: i64, value: &Value) -> Result<Outcome> {
        let number = self.numbers.get(channel).copied().unwrap_or(self.series.len());
        let Some(places) = self.layout.places(number, channel, value) else { return Ok(Outcome::LeftOut) };
        if number == self.series.len() {
            self.series.push(Series::default());
            self.numbers.insert(Arc::clone(channel), number);
        }
        let tick = self.grid.tick_at_or_after(time);
        let reached = self.reached.get_or_insert(Reached { newest: time, tick, is_begun: false });
        if tick < reached.tick {
            if reached.is_begun {
                // Its rows are written; later rows still get it unless they have a newer value.
                self.late += 1;
                if self.series.get(number).is_some_and(|series| series.is_beyond(time)) {
                    return Ok(Outcome::Written);
                }
            } else {
                reached.tick = tick;
            }
        }
        reached.newest = reached.newest.max(time);
        let held = Held { time, places, cells: flat::cells(value, "") };
        let Some(series) = self.series.get_mut(number) else { return Ok(Outcome::LeftOut) };
        let (added, dropped) = series.insert(held, |time| self.grid.tick_at_or_after(time));
        self.waiting = self.waiting + added - dropped;
        self.write_rows(self.horizon())?;
        if self.waiting > MOST_WAITING {
            if self.options.fill == Fill::Interpolate {
                return Err(Error::Target(Reason::TooMuchToInterpolate));
            }
            let mut horizon = self.horizon();
            while self.waiting > MOST_WAITING && horizon > 0 {
                horizon /= 2;
                self.write_rows(horizon)?;
            }
        }
        Ok(Outcome::Written)
    }

    /// How long a row waits for its values, nanoseconds.
    fn horizon(&self) -> i64 {
        match self.options.fill {
            Fill::Hold => DISORDER,
            Fill::Interpolate => self.options.max_gap.unwrap_or(Options::GAP).max(DISORDER),
        }
    }

    /// Writes the rows at least `horizon` nanoseconds before the latest sample.
    fn write_rows(&mut self, horizon: i64) -> Result<()> {
        let Some(mut reached) = self.reached else { return Ok(()) };
        let last = reached.newest.saturating_sub(horizon);
        while let Some(time) = self.grid.time_of(reached.tick).filter(|time| *time <= last) {
            reached.tick += 1;
            reached.is_begun = true;
            self.reached = Some(reached);
            self.write_row(time)?;
        }
        Ok(())
    }

    fn write_row(&mut self, time: i64) -> Result<()> {
        let fields = self.layout.fields();
        let mut cells = vec![Cell::Null; fields.len()];
        for series in &mut self.series {
            self.waiting -= series.advance(time);
            series.cells(time, &self.options, &mut |column, cell| {
                if let Some(slot) = cells.get_mut(column) {
                    *slot = cell;
                }
            });
        }
        let took = self.sink.write(
            &mut Sample::new(CHANNEL, Value::Row(Row::new(fields, cells)))
                .with_time(self.clock.map(|clock| Timestamp::new(time, clock))),
        )?;
        self.rows += 1;
        if took == Outcome::Written { Ok(()) } else { Err(Error::Target(Reason::StrayRow)) }
    }

    /// Ends the rows before a jump of the clock; the next row begins at the next sample.
    fn jump(&mut self, to: i64) -> Result<()> {
        self.write_rows(0)?;
        if self.reached.take().is_some_and(|reached| to < reached.newest) {
            // Later values do not hold before the jump.
            for series in &mut self.series {
                self.waiting -= series.clear();
            }
        }
        Ok(())
    }

    /// Sink of the rows.
    #[cfg(feature = "to-arrow")]
    pub(super) fn rows(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Writes the remaining rows.
    pub(super) fn flush(&mut self) -> Result<()> {
        if let Some((channel, time, value)) = self.aside.take() {
            self.jump(time)?;
            self.take(&channel, time, &value)?;
        }
        self.write_rows(0)
    }
}

impl<S: Sink + ?Sized> Sink for Wide<S> {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.sink.origin(origin)
    }

    fn warn(&mut self, warning: &str) {
        self.sink.warn(warning);
    }

    fn begin_at(&mut self, start: Timestamp) {
        if self.options.from_start {
            self.grid = self.grid.counted_from(start.nanos());
        }
        self.sink.begin_at(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(time) = sample.time.filter(|_| flat::is_flat(&sample.value)) else {
            return Ok(Outcome::LeftOut);
        };
        if *self.clock.get_or_insert(time.clock()) != time.clock() {
            return Ok(Outcome::LeftOut);
        }
        let time = time.nanos();
        let jumps = |from: i64| from.abs_diff(time) > JUMP;
        if self.reached.is_some_and(|reached| jumps(reached.newest)) {
            let aside = (Arc::clone(&sample.channel), time, sample.value.clone());
            match self.aside.replace(aside) {
                Some((channel, first, value)) if !jumps(first) => {
                    self.aside = None;
                    self.jump(first)?;
                    self.take(&channel, first, &value)?;
                }
                Some(_) => {
                    self.late += 1;
                    return Ok(Outcome::Written);
                }
                None => return Ok(Outcome::Written),
            }
        } else if self.aside.take().is_some() {
            // A single outlier.
            self.late += 1;
        }
        self.take(&sample.channel, time, &sample.value)
    }

    fn advice(&self) -> Option<Advice> {
        self.sink.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.flush()?;
        let long = self.series.iter().filter(|series| series.has_long_text).count() as u64;
        let late = (self.late > 0).then_some(Note::Late { samples: self.late });
        let rows = Note::WideRows { rows: self.rows, columns: self.layout.fields().len() as u64 };
        Ok(late
            .into_iter()
            .chain([rows])
            .chain((long > 0).then_some(Note::LongTexts { channels: long }))
            .collect())
    }

    fn columns(&mut self) -> Result<Vec<Column>> {
        self.flush()?;
        self.sink.columns()
    }

    /// Returns an error if samples were taken but no tick lies between the first and the last: a columnar table without
    /// rows would have no columns.
    fn finish(mut self: Box<Self>) -> Result<()> {
        self.flush()?;
        if self.rows == 0 && !self.series.is_empty() {
            let rate = self.options.rate.to_string();
            let is_one_each = self.waiting <= self.series.len();
            return Err(Error::Empty(if is_one_each {
                Reason::OneSampleEach(rate)
            } else {
                Reason::NoTick(rate)
            }));
        }
        self.sink.finish()
    }
}
