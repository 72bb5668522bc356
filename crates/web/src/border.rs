//! The interface to JavaScript. All data passes through imports, implemented by `core.js` of the package, so JavaScript
//! keeps no pointers into the module's memory.
#![allow(unsafe_code, reason = "functions cross the border by their plain names and by addresses")]

use std::{
    cell::RefCell,
    io::{self, Read, Seek, SeekFrom, Write},
};

use robolog_convert::{robolog_core::slices::InRange as _, seek_place};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{Column, Recording, Request, Samples, answer, columns, head};

#[link(wasm_import_module = "robolog")]
unsafe extern "C" {
    /// Writes the request, JSON of the length passed to `run`, to `to`.
    fn request(to: *mut u8, len: usize);
    /// Writes up to `len` bytes of the recording from byte `at` to `to`; returns their number, or a negative number
    /// on errors.
    fn read(at: f64, to: *mut u8, len: usize) -> i32;
    /// Takes bytes of the output file for byte `at`; returns 0, or a negative number on errors.
    fn write(at: f64, from: *const u8, len: usize) -> i32;
    /// Reports the position in the recording, in bytes.
    safe fn progress(at: f64);
    /// Takes a column of the next sample: its name, 0 for floating point or 1 for unsigned integers, bytes per
    /// number, and the numbers.
    fn column(name: *const u8, name_len: usize, kind: u32, width: u32, from: *const u8, bytes: usize);
    /// Takes the answer, the head of a sample, or an error message, as UTF-8.
    fn answered(text: *const u8, len: usize);
}

/// Answers the request of `request_len` bytes about a recording of `len` bytes. Returns 0, or 1 if the answer is an
/// error message.
#[unsafe(no_mangle)]
extern "C" fn run(request_len: usize, len: f64) -> u32 {
    let outcome = asked::<Request>(request_len).and_then(|request| {
        let recording = recording(&request, len);
        let out = || Box::new(Output { at: 0, end: 0 }) as crate::Out;
        answer(&request.verb, &recording, out, &mut |at| progress(number(at))).map_err(|e| e.to_string())
    });
    match outcome {
        Ok(text) => say(0, &text),
        Err(text) => say(1, &text),
    }
}

/// A request for samples.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    name: String,
    format: Option<String>,
    start: Option<String>,
    end: Option<String>,
}

thread_local! {
    /// The samples of this instance.
    static SAMPLES: RefCell<Option<Samples>> = const { RefCell::new(None) };
}

/// Starts reading the requested samples. Returns 0, or 1 if the answer is an error message.
#[unsafe(no_mangle)]
extern "C" fn begin(request_len: usize, len: f64) -> u32 {
    let samples = asked::<Wanted>(request_len).and_then(|Wanted { name, format, start, end }| {
        let request = Request { verb: crate::Verb::Info, name, format };
        Samples::new(&recording(&request, len), start.as_deref(), end.as_deref()).map_err(|e| e.to_string())
    });
    match samples {
        Ok(samples) => {
            SAMPLES.set(Some(samples));
            0
        }
        Err(text) => say(1, &text),
    }
}

/// Passes on the next sample: its columns, then its head. Returns 0, 1 if the answer is an error message, or 2 after
/// the last one, with the number of faults as the answer.
#[unsafe(no_mangle)]
extern "C" fn next() -> u32 {
    SAMPLES.with_borrow_mut(|samples| {
        let Some(samples) = samples else { return say(2, "0") };
        match samples.next() {
            Some(Ok(sample)) => {
                progress(number(samples.bytes_read()));
                columns(&sample, hand_over);
                match head(&sample) {
                    Ok(text) => say(0, &text),
                    Err(error) => say(1, &error.to_string()),
                }
            }
            Some(Err(error)) => say(1, &error.to_string()),
            None => say(2, &samples.damages().to_string()),
        }
    })
}

fn hand_over(name: &'static str, numbers: Column<'_>) {
    let (kind, width, from) = match numbers {
        Column::F32(numbers) => (0, 4_u32, numbers.as_ptr().cast()),
        Column::U32(numbers) => (1, 4, numbers.as_ptr().cast()),
        Column::U16(numbers) => (1, 2, numbers.as_ptr().cast()),
        Column::U8(numbers) => (1, 1, numbers.as_ptr()),
    };
    let bytes = numbers.len().saturating_mul(width as usize);
    // SAFETY: the name and the numbers have the given lengths.
    unsafe { column(name.as_ptr(), name.len(), kind, width, from, bytes) };
}

/// The request of that length.
fn asked<T: DeserializeOwned>(len: usize) -> Result<T, String> {
    let mut json = vec![0; len];
    // SAFETY: the buffer has the given length.
    unsafe { request(json.as_mut_ptr(), json.len()) };
    serde_json::from_slice(&json).map_err(|e| e.to_string())
}

fn say(status: u32, text: &str) -> u32 {
    // SAFETY: the text has the given length.
    unsafe { answered(text.as_ptr(), text.len()) };
    status
}

fn recording(request: &Request, len: f64) -> Recording {
    let len = whole(len);
    Recording::new(request, len, move || Ok(HostBytes { at: 0, len }))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes of files in JavaScript are whole numbers below 2^53"
)]
const fn whole(number: f64) -> u64 {
    number as u64
}

#[allow(
    clippy::cast_precision_loss,
    reason = "positions are below the size of a file, which JavaScript can count"
)]
const fn number(whole: u64) -> f64 {
    whole as f64
}

/// The recording, whose bytes JavaScript owns.
struct HostBytes {
    at: u64,
    len: u64,
}

impl Read for HostBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.len || buffer.is_empty() {
            return Ok(0);
        }
        // SAFETY: the buffer has the given length.
        let got = unsafe { read(number(self.at), buffer.as_mut_ptr(), buffer.len()) };
        let got = usize::try_from(got).map_err(|_| io::Error::other("the file cannot be read any more"))?;
        if got > buffer.len() {
            return Err(io::Error::other("more bytes were given than asked for"));
        }
        self.at = self.at.plus(got as u64);
        Ok(got)
    }
}

impl Seek for HostBytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = seek_place(to, self.at, || Ok(self.len))?;
        Ok(self.at)
    }
}

/// The output file, written by JavaScript.
struct Output {
    at: u64,
    end: u64,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the slice has the given length.
        let outcome = unsafe { write(number(self.at), bytes.as_ptr(), bytes.len()) };
        if outcome < 0 {
            return Err(io::Error::other("the file cannot be written"));
        }
        self.at = self.at.plus(bytes.len() as u64);
        self.end = self.end.max(self.at);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = seek_place(to, self.at, || Ok(self.end))?;
        Ok(self.at)
    }
}
