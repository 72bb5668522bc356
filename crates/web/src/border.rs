//! The border to JavaScript. The module asks for all that it takes and hands over all that it gives, so that nobody
//! outside keeps its memory: `index.js` beside it implements the imports.
#![allow(unsafe_code, reason = "functions cross the border by their plain names and by addresses")]

use std::io::{self, Read, Seek, SeekFrom};

use crate::{Request, answer};

#[link(wasm_import_module = "robolog")]
unsafe extern "C" {
    /// Writes the request, JSON of the length that `run` got, to `to`.
    fn request(to: *mut u8, len: usize);
    /// Writes up to `len` bytes of the recording from `at` on to `to`; gives how many, or a negative number.
    fn read(at: f64, to: *mut u8, len: usize) -> i32;
    /// Says how far the recording is read.
    safe fn progress(at: f64);
    /// Takes the answer, or what went wrong, as UTF-8.
    fn answered(text: *const u8, len: usize);
}

/// Answers the request of `request_len` bytes about a recording of `len` bytes. Gives 0, or 1 where the answer says what
/// went wrong.
#[unsafe(no_mangle)]
extern "C" fn run(request_len: usize, len: f64) -> u32 {
    let mut json = vec![0; request_len];
    // SAFETY: the buffer is as long as is said.
    unsafe { request(json.as_mut_ptr(), json.len()) };
    let outcome = serde_json::from_slice::<Request>(&json).map_err(|e| e.to_string());
    let outcome = outcome.and_then(|request| {
        let len = whole(len);
        let open = move || Ok(Recording { at: 0, len });
        answer(&request, len, open, &mut |at| progress(number(at))).map_err(|e| e.to_string())
    });
    let (status, text) = match &outcome {
        Ok(text) => (0, text),
        Err(text) => (1, text),
    };
    // SAFETY: the text is as long as is said.
    unsafe { answered(text.as_ptr(), text.len()) };
    status
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
    reason = "positions are below the size of the file, which JavaScript gave"
)]
const fn number(whole: u64) -> f64 {
    whole as f64
}

/// The bytes that JavaScript holds.
struct Recording {
    at: u64,
    len: u64,
}

impl Read for Recording {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.len || buffer.is_empty() {
            return Ok(0);
        }
        // SAFETY: the buffer is as long as is said.
        let got = unsafe { read(number(self.at), buffer.as_mut_ptr(), buffer.len()) };
        let got = usize::try_from(got).map_err(|_| io::Error::other("the file cannot be read any more"))?;
        if got > buffer.len() {
            return Err(io::Error::other("more bytes were given than asked for"));
        }
        self.at = self.at.saturating_add(got as u64);
        Ok(got)
    }
}

impl Seek for Recording {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::Current(by) => (self.at, by),
            SeekFrom::End(by) => (self.len, by),
        };
        self.at = from.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
