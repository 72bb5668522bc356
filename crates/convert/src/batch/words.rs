//! Numbers and texts of samples, end to end.

use robolog_core::{
    Cell, Clock, Timestamp,
    slices::{Part as _, fitting},
};

/// Numbers as words of 64 bits, and texts, which are taken in the order in which they were put.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: Vec<u64>,
    texts: String,
    /// How much was taken of both.
    taken: usize,
    taken_text: usize,
}

/// Bits for the kind of a cell.
const KIND: u32 = 4;
/// The kinds of as many cells are one word.
const CELLS: usize = (u64::BITS / KIND) as usize;

const NULL: u64 = 0;
const BOOL: u64 = 1;
const INT: u64 = 2;
const FLOAT: u64 = 3;
const TEXT: u64 = 4;

impl Words {
    #[inline]
    pub(super) fn put<const N: usize>(&mut self, words: [u64; N]) {
        self.numbers.extend_from_slice(&words);
    }

    #[inline]
    pub(super) fn take<const N: usize>(&mut self) -> [u64; N] {
        let words = self.peek();
        self.taken += N;
        words
    }

    /// The next words, which are not taken; 0 behind the last one.
    #[inline]
    pub(super) fn peek<const N: usize>(&self) -> [u64; N] {
        self.numbers.part_or_empty(self.taken..).first_chunk().copied().unwrap_or([0; N])
    }

    #[inline]
    pub(super) fn put_numbers<const N: usize>(&mut self, numbers: [f64; N]) {
        // `map` of an array is a call for each number.
        self.numbers.extend(numbers.iter().map(|number| number.to_bits()));
    }

    #[inline]
    pub(super) fn take_numbers<const N: usize>(&mut self) -> [f64; N] {
        let mut numbers = [0.0; N];
        for (number, word) in numbers.iter_mut().zip(self.take::<N>()) {
            *number = f64::from_bits(word);
        }
        numbers
    }

    pub(super) fn put_text(&mut self, text: &str) {
        self.put([text.len() as u64]);
        self.texts.push_str(text);
    }

    pub(super) fn take_text(&mut self) -> &str {
        let [len] = self.take();
        let start = self.taken_text;
        self.taken_text += fitting::<usize>(len);
        self.texts.part(start..self.taken_text)
    }

    pub(super) fn put_cells(&mut self, cells: &[Cell]) {
        self.put([cells.len() as u64]);
        for cells in cells.chunks(CELLS) {
            let Self { numbers: words, texts, .. } = self;
            let (at, mut kinds, mut shift) = (words.len(), 0, 0);
            words.push(kinds);
            words.extend(cells.iter().map(|cell| {
                let (kind, word) = match cell {
                    Cell::Null => (NULL, 0),
                    Cell::Bool(value) => (BOOL, u64::from(*value)),
                    Cell::Int(value) => (INT, value.cast_unsigned()),
                    Cell::Float(value) => (FLOAT, value.to_bits()),
                    Cell::Text(text) => {
                        texts.push_str(text);
                        (TEXT, text.len() as u64)
                    }
                };
                kinds |= kind << shift;
                shift += KIND;
                word
            }));
            if let Some(place) = words.get_mut(at) {
                *place = kinds;
            }
        }
    }

    /// Takes the cells of a row into the memory of another's.
    pub(super) fn take_cells(&mut self, cells: &mut Vec<Cell>) {
        let [count] = self.take();
        cells.resize(fitting(count), Cell::Null);
        for cells in cells.chunks_mut(CELLS) {
            let [mut kinds] = self.take();
            let Self { numbers: words, texts, taken, taken_text } = self;
            let words = words.part(*taken..);
            *taken += cells.len();
            for (cell, word) in cells.iter_mut().zip(words) {
                match kinds & ((1 << KIND) - 1) {
                    BOOL => *cell = Cell::Bool(*word != 0),
                    INT => *cell = Cell::Int(word.cast_signed()),
                    FLOAT => *cell = Cell::Float(f64::from_bits(*word)),
                    TEXT => {
                        let end = *taken_text + fitting::<usize>(*word);
                        cell.set_text(texts.part(*taken_text..end));
                        *taken_text = end;
                    }
                    _ => *cell = Cell::Null,
                }
                kinds >>= KIND;
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.texts.clear();
        (self.taken, self.taken_text) = (0, 0);
    }
}

/// A time in two words; that of the clock has 8 bits.
#[inline]
pub(super) fn time_words(time: Option<Timestamp>) -> [u64; 2] {
    let Some(time) = time else { return [Clock::ALL.len() as u64, 0] };
    [time.clock().number().into(), time.nanos().cast_unsigned()]
}

#[inline]
pub(super) fn time_of([clock, nanos]: [u64; 2]) -> Option<Timestamp> {
    let clock = Clock::of_number(fitting::<u8>(clock))?;
    Some(Timestamp::new(nanos.cast_signed(), clock))
}
