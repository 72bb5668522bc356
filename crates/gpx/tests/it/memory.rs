//! A stream of any length is read in the memory of a block.

use std::io::{self, Read};

use robolog_core::survey;
use robolog_gpx::StreamReader;

const POINT: &[u8] = b"<trkpt lat=\"45.5\" lon=\"3\"><ele>1</ele><time>2020-01-01T00:00:00Z</time></trkpt>\n";

/// The same bytes, repeated.
struct Again<'a>(&'a [u8], usize);

impl Read for Again<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        while self.1 > 0 && buf.len() - len >= self.0.len() {
            buf[len..len + self.0.len()].copy_from_slice(self.0);
            len += self.0.len();
            self.1 -= 1;
        }
        Ok(len)
    }
}

/// Peak memory of reading a document with so many repetitions, and its number of points.
fn peak(piece: &[u8], times: usize) -> (usize, u64) {
    let mut trackpoints = 0;
    let took = allocation_counter::measure(|| {
        let head = &b"<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"[..];
        let body = io::BufReader::with_capacity(1 << 16, head.chain(Again(piece, times)));
        let summary = survey(&mut StreamReader::new(body).unwrap()).unwrap();
        trackpoints = summary.details.trackpoints;
    });
    (usize::try_from(took.bytes_max).unwrap(), trackpoints)
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    let (few, n) = peak(POINT, 10_000);
    assert_eq!(n, 10_000);
    let (many, n) = peak(POINT, 400_000);
    assert_eq!(n, 400_000);
    println!("{few} bytes for 0.8 MB, {many} bytes for 33 MB");
    assert!(many < few + (64 << 10) && many < 1 << 20, "{few} {many}");
    // The same with text, comments, unknown elements, wrong end tags and tracks without an end.
    for piece in [&b"text "[..], b"<!-- x -->", b"<a></a>", b"</b>", b"<trk><trkseg></trkseg></trk>", b"<a "]
    {
        let (bytes, _) = peak(piece, 300_000);
        println!("{bytes} bytes for {}", String::from_utf8_lossy(piece));
        assert!(bytes < 2 << 20, "{bytes} bytes for {}", String::from_utf8_lossy(piece));
    }
}
