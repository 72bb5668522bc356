//! How documents are framed, by bytes laid down by hand.

#![allow(unreachable_pub, reason = "the macro makes items that are public")]

use robolog_core::{Event, Limits, Notes, Reader, StreamReader, Timed, Timestamp};
use robolog_xml::{DEPTH, Frame, Kind, Root, Stack, note_another_document, note_unfinished};

/// `<trip>` with `<stop>`s that are taken whole and `<leg>`s that are not.
#[derive(Debug, Clone, Copy)]
pub enum Trips {}

impl Frame for Trips {
    type Element = Stop;
    const NAME: &'static str = "trips";

    fn is_root(local: &[u8]) -> bool {
        local == b"trip"
    }

    fn element(local: &[u8]) -> Option<Stop> {
        (local == b"stop").then_some(Stop)
    }

    fn is_known(local: &[u8]) -> bool {
        matches!(local, b"trip" | b"leg" | b"stop")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop;

robolog_xml::documents!(
    /// A piece of a trip.
    Trips,
    Root
);

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        None
    }
}

const FILE: &str = "\u{feff}<?xml version='1.0'?>\n<!-- a trip --><trip to=\"B\">\n\
    <leg> by bus <t:stop n='1'><a><b/><a>1</a></a></t:stop>\n<stop/></leg ><!-- <stop> -->\n\
    <leg/><stop>2</stop></trip>\n";

/// The pieces of a document: text that is not blank, what each is, its markup. Damage is `kind at offset`.
fn pieces(file: &str) -> Vec<String> {
    let mut reader = StreamReader::<_, Trips>::new(file.as_bytes()).unwrap();
    let mut pieces = Vec::new();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => {
                let [text, markup] =
                    [record.text(), record.markup()].map(|bytes| str::from_utf8(bytes).unwrap());
                pieces.push(format!("{:?} {}{markup}", record.kind(), text.trim()));
            }
            Event::Damage { lost, error } => pieces.push(format!("{lost:?} {error}")),
            Event::End => return pieces,
        }
    }
}

#[test]
fn elements_of_the_format_are_whole_and_others_tag_by_tag() {
    let reader = Reader::<Trips>::new(FILE.as_bytes()).unwrap();
    assert_eq!(reader.header().tag(), Some(&b"trip to=\"B\""[..]));
    assert_eq!(
        pieces(FILE),
        [
            "Start <leg>",
            "Stop by bus<t:stop n='1'><a><b/><a>1</a></a></t:stop>",
            "Stop <stop/>",
            "End </leg >",
            "Other <!-- <stop> -->",
            "Empty <leg/>",
            "Stop <stop>2</stop>",
            "End </trip>",
            "Text "
        ]
    );
}

#[test]
fn damage_ends_where_the_next_known_tag_begins() {
    let [before, after] = ["<trip><stop>1</stop>", "<stop>3</stop></trip>"];
    for (bad, expected) in [
        ("<stop><a></b></stop>", "the end tag of the innermost element"),
        ("<stop></a></stop>", "the end tag of the element"),
        ("<stop>2", "the end of the element before"),
        ("<stop><a", "`>` before the next `<`"),
        ("<stop><!a>", "a comment or CDATA behind `<!`"),
        ("<stop>< >", "a name behind `<`"),
    ] {
        let file = format!("{before}{bad}{after}");
        let pieces = pieces(&file);
        let (first, last) = (before.len(), before.len() + bad.len());
        assert_eq!(pieces[0], "Stop <stop>1</stop>", "{bad}");
        assert!(pieces[1].starts_with(&format!("{first}..{last} ")), "{pieces:?}");
        assert!(pieces[1].contains(expected), "{pieces:?}");
        assert_eq!(pieces[2..], ["Stop <stop>3</stop>", "End </trip>"], "{bad}");
    }
    let deepest = format!("<stop>{}{}</stop>", "<a>".repeat(DEPTH), "</a>".repeat(DEPTH));
    assert_eq!(pieces(&format!("<trip>{deepest}")), [format!("Stop {deepest}")]);
    let deeper = pieces(&format!("<trip><stop><a>{}</a></stop>", &deepest["<stop>".len()..]));
    assert!(deeper[0].contains("nesting"), "{deeper:?}");
}

#[test]
fn a_document_begins_with_its_root_or_another_known_element() {
    let root = |file: &str| Reader::<Trips>::new(file.as_bytes()).map(|reader| reader.header().clone());
    assert!(root("<trip/>").unwrap().is_empty);
    assert!(!root("<t:trip>").unwrap().is_empty);
    let lost = root("<?xml version='1.0'?>\n<leg>").unwrap();
    assert_eq!((lost.tag(), lost.is_empty), (None, false));
    assert_eq!(pieces("<?xml version='1.0'?>\n<leg>"), ["Start <leg>"]);
    for other in ["<html>", "</trip>", "no markup", ""] {
        assert!(root(other).is_err(), "{other}");
    }
    let utf16 = Reader::<Trips>::new(b"\xff\xfe<\0").map(drop).unwrap_err();
    assert!(utf16.to_string().contains("UTF-16"), "{utf16}");
}

/// What a survey finds, as code and offset.
fn findings(file: &str) -> Vec<(&'static str, u64)> {
    let reader = Reader::<Trips>::new(file.as_bytes()).unwrap();
    let (mut stack, mut notes) = (Stack::new(reader.header()), Notes::default());
    for record in reader.records() {
        let record = record.unwrap();
        note_another_document(&record, &stack, &mut notes);
        if !matches!(record.kind(), Kind::Element(_)) {
            stack.follow(record.tag(), record.markup_offset()).unwrap();
        }
    }
    note_unfinished(&stack, file.len() as u64, &mut notes);
    let summary = notes.into_summary(String::new(), 0, file.len() as u64, ());
    summary.findings.iter().map(|finding| (finding.code, finding.offset)).collect()
}

#[test]
fn surveys_see_a_second_document_and_an_end_inside_an_element() {
    assert_eq!(findings(FILE), []);
    assert_eq!(findings("<trip><stop/></trip><!-- end -->"), []);
    assert_eq!(findings("<trip></trip> <stop/>"), [("another-document", 14)]);
    assert_eq!(findings("<trip/><trip></trip>"), [("another-document", 7)]);
    assert_eq!(findings("<trip><leg>"), [("truncated", 11)]);
}

#[test]
fn no_input_does_harm() {
    let mut inputs = 0;
    testkit::campaign(FILE.as_bytes(), 1, &mut |file| {
        inputs += testkit::assert_slice_is_stream::<Trips>(file, Limits::default());
    });
    assert!(inputs > 1000, "{inputs}");
}
