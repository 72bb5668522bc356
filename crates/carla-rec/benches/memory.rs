//! Peak memory of reading, from a stream: over a tenth of the recording and over all of it.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "a bench that cannot read its own input must stop, and says what it measured"
)]

mod input;

use std::io::{self, Read, Seek, SeekFrom, Write};

use carla_rec::{Decoder, FrameIndex, StreamReader, query};
use robolog_core::format::{Copier, Decoder as _};
use testkit::PeakAlloc;

use crate::input::Base;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

type Task<'a> = &'a dyn Fn(Repeated<'_>);

fn main() {
    let base = Base::new();
    let size = input::size();
    println!(
        "peak memory of a StreamReader and what it feeds, over {} and {} MB",
        size / 10_000_000,
        size / 1_000_000
    );
    let all = query::Options::default().with_all(true);
    let tasks: [(&str, Task<'_>); 8] = [
        ("next_record", &|input| {
            let mut reader = StreamReader::new(input).unwrap();
            while reader.next_record().unwrap().is_some() {}
        }),
        ("survey", &|input| {
            robolog_core::survey(&mut StreamReader::new(input).unwrap()).unwrap();
        }),
        ("query::info, all", &|input| {
            query::info(&mut StreamReader::new(input).unwrap(), all, io::sink(), &mut |_, _| {}).unwrap();
        }),
        ("query::collisions", &|input| {
            let reader = &mut StreamReader::new(input).unwrap();
            query::collisions(reader, ['a', 'a'], all, io::sink(), &mut |_, _| {}).unwrap();
        }),
        ("query::blocked", &|input| {
            let reader = &mut StreamReader::new(input).unwrap();
            query::blocked(reader, 30.0, 10.0, all, io::sink(), &mut |_, _| {}).unwrap();
        }),
        ("Decoder", &sample),
        ("Copier", &copy),
        ("FrameIndex (grows)", &|input| {
            FrameIndex::read(&mut StreamReader::new(input).unwrap()).unwrap();
        }),
    ];
    for (name, task) in tasks {
        let [tenth, whole] = [size / 10, size].map(|size| {
            let input = Repeated::new(&base, size);
            HEAP.reset_peak_usage();
            let before = HEAP.current_usage();
            task(input);
            HEAP.peak_usage().saturating_sub(before)
        });
        println!("  {name:20} {:9.0} kB {:9.0} kB", tenth as f64 / 1e3, whole as f64 / 1e3);
    }
}

fn sample(input: Repeated<'_>) {
    let mut reader = StreamReader::new(input).unwrap();
    let mut decoder = Decoder::new(reader.header(), carla_rec::Options::default());
    let sink = &mut |_: &mut robolog_core::Sample| Ok::<_, carla_rec::Error>(());
    while let Some(record) = reader.next_record().unwrap() {
        decoder.samples(&record, sink).unwrap();
    }
    decoder.last_samples(sink).unwrap();
}

fn copy(input: Repeated<'_>) {
    let mut reader = StreamReader::new(input).unwrap();
    let mut rewriter = carla_rec::Copier::new(Sink, reader.header(), reader.header_bytes()).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        rewriter.copy(&record, &mut |_, _| true).unwrap();
    }
    rewriter.finish().unwrap();
}

/// A recording that is never in memory as a whole.
struct Repeated<'a> {
    base: &'a Base,
    n: u32,
    part: Vec<u8>,
    at: usize,
    left: usize,
}

impl<'a> Repeated<'a> {
    /// `size` bytes or a little more: it ends after a whole repetition.
    fn new(base: &'a Base, size: usize) -> Self {
        let mut part = Vec::new();
        base.repeat(0, &mut part);
        part.splice(..0, base.header.iter().copied());
        Self { base, n: 0, part, at: 0, left: size }
    }
}

impl Read for Repeated<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.part.len() && self.left > 0 {
            self.n += 1;
            self.part.clear();
            self.base.repeat(self.n, &mut self.part);
            self.at = 0;
        }
        let n = (&self.part[self.at..]).read(buf)?;
        self.at += n;
        self.left = self.left.saturating_sub(n);
        Ok(n)
    }
}

/// [`io::sink`] with a seek.
struct Sink;

impl Write for Sink {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Sink {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}
