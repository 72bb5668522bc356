//! Framing of hand-written documents.

#![allow(unreachable_pub, reason = "the macro makes items that are public")]

use robolog_core::{
    Event, Limits, Reader, StreamReader, Timestamp,
    format::{SurveyBuilder, Timed},
};
use robolog_xml::{
    DEPTH, Element, ElementCopier, Frame, Kind, Root, Stack, Tag, note_another_document, note_unfinished,
};

/// `<trip>` with `<stop>`s, which are one record each, and `<leg>`s, which are not.
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

/// The pieces of a document: text that is not blank, kind, markup. Damage is `kind at offset`.
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
        ("<stop></a><!-- <stop>4</stop> -->", "the end tag of the element"),
        ("<stop></a><![CDATA[<stop/>]]><?pi <stop/>?>", "the end tag of the element"),
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

/// A copy of a document, the number of errors (end tags and elements without a match), and the number of record bytes
/// left out.
fn copied(file: &str) -> (String, usize, u64) {
    let mut reader = StreamReader::<_, Trips>::new(file.as_bytes()).unwrap();
    let mut stack = Stack::new(reader.header());
    let mut copier = ElementCopier::new(Vec::new(), reader.header(), reader.header_bytes()).unwrap();
    let mut errors = 0;
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => {
                let mark = copier.mark();
                let outcome = match record.kind() {
                    Kind::Element(Stop) => copier.record(&record, &mut stack),
                    _ => copier.markup(&record, true, &mut stack),
                };
                if outcome.is_err() {
                    copier.fail(record.bytes().len(), mark);
                    errors += 1;
                }
            }
            Event::Damage { .. } => errors += 1,
            Event::End => break,
        }
    }
    errors += usize::from(copier.unfinished(&stack).is_some());
    let left_out = copier.left_out();
    let copy = String::from_utf8(copier.finish(&stack).unwrap()).unwrap();
    (copy, errors, left_out)
}

#[test]
fn a_copy_is_well_formed_and_that_of_a_sound_document_the_document() {
    assert_eq!(copied(FILE), (FILE.to_owned(), 0, 0));
    for (file, copy, errors, left_out) in [
        ("<trip><leg>by bus<stop/></trip>", "<trip><leg>by bus<stop/></leg></trip>", 1, 0),
        ("<trip><leg><leg>1</trip><!-- 2 -->", "<trip><leg><leg>1</leg></leg></trip><!-- 2 -->", 1, 0),
        ("<trip></leg><stop/></trip>", "<trip><stop/></trip>", 1, 6),
        ("<trip><leg><stop/>", "<trip><leg><stop/>\n</leg>\n</trip>\n", 1, 0),
        ("<trip><stop>1<stop>2</stop></trip>", "<trip><stop>2</stop></trip>", 1, 0),
        // The root element is lost.
        ("<leg><stop/></leg>\n</trip>", "<leg><stop/></leg>", 1, 8),
        // Text that would come before the first element.
        ("<stop></a></leg>text<stop/>", "<stop/>", 2, 10),
    ] {
        assert_eq!(copied(file), (copy.to_owned(), errors, left_out), "{file}");
        assert_eq!(copied(copy), (copy.to_owned(), 0, 0), "{file}");
    }
}

#[test]
fn a_stack_knows_what_is_open() {
    let mut stack = Stack::new(&Root::new(b"trip to='B'".to_vec()));
    assert_eq!((stack.top(), stack.depth()), (Some(&b"trip"[..]), 1));
    for name in [b"leg", b"day", b"leg"] {
        stack.push(Tag::Start(name), 0).unwrap();
    }
    assert!(stack.has(b"trip") && stack.has(b"day") && !stack.has(b"stop") && !stack.has(b"tripleg"));
    assert!(stack.is_around(b"day") && stack.is_around(b"trip") && !stack.is_around(b"leg"));
    assert!(stack.is_outermost(b"trip") && !stack.is_outermost(b"leg") && !stack.is_outermost(b"stop"));
    assert_eq!(stack.unfinished(9).map(|error| error.offset()), Some(9));

    // An unmatched end tag changes nothing; the end tag of an outer element ends both.
    assert_eq!(stack.push(Tag::End(b"day"), 7).unwrap_err().offset(), 7);
    assert_eq!(stack.follow(Tag::End(b"stop"), 8).unwrap_err().offset(), 8);
    assert_eq!(stack.depth(), 4);
    stack.follow(Tag::End(b"day"), 9).unwrap_err();
    assert_eq!((stack.top(), stack.depth()), (Some(&b"leg"[..]), 2));
    stack.push(Tag::End(b"leg"), 9).unwrap();
    stack.inside(10).unwrap();
    stack.follow(Tag::End(b"trip"), 9).unwrap();
    assert!(stack.is_behind_root() && stack.unfinished(9).is_none() && stack.top().is_none());
    assert_eq!(stack.inside(10).unwrap_err().offset(), 10);

    let mut rootless = Stack::new(&Root::default());
    assert!(!rootless.is_behind_root());
    rootless.set_root();
    assert!(rootless.is_behind_root());
    for _ in 0..DEPTH {
        rootless.push(Tag::Start(b"a"), 0).unwrap();
    }
    assert_eq!(rootless.push(Tag::Start(b"a"), 11).unwrap_err().offset(), 11);
}

#[test]
fn an_element_gives_its_text_its_children_and_where_they_lie() {
    let document = "<!-- 1 --><stop t:n='1 &gt; 0'>a&amp;b\r\n<name> x </name><t:note/><name>y</name></stop>";
    let stop = Element::parse(document, 100).unwrap();
    let names: Vec<_> =
        stop.children.iter().map(|child| (child.name(), child.prefix(), child.is_empty())).collect();
    assert_eq!(names, [("name", "", false), ("note", "t", true), ("name", "", false)]);
    assert_eq!((stop.child_text("name"), stop.child_text("note")), (Some("x"), None));
    assert!(stop.child("stop").is_none());
    assert_eq!(stop.attribute("n").as_deref(), Some("1 > 0"));
    assert_eq!((stop.text(), stop.whole_text()), (Some("a&b"), "a&b\n".to_owned()));
    assert_eq!(stop.children[0].whole_text(), " x ");
    assert_eq!((stop.tag(), stop.children[1].tag()), ("stop t:n='1 &gt; 0'", "t:note"));
    assert_eq!((stop.range(), stop.inner_range()), (10..document.len(), 31..document.len() - 7));
    assert_eq!(stop.inner_start(), 31);
    let without = stop.inner_without(&|parent, child| parent.name() == "stop" && child.name() == "name");
    assert_eq!(without, "a&amp;b\r\n<t:note/>");
    assert_eq!(stop.inner_without(&|_, _| false), stop.inner());

    let mut taken = Vec::new();
    let mut take = |parent: &Element<'_>, child: &Element<'_>| {
        taken.push((parent.name().to_owned(), child.raw().to_owned()));
        child.name() == "name"
    };
    assert_eq!(Element::parse_with(document, 100, &mut take).unwrap().children.len(), 1);
    let [x, note, y] = ["<name> x </name>", "<t:note/>", "<name>y</name>"];
    assert_eq!(taken, [x, note, y].map(|raw| ("stop".to_owned(), raw.to_owned())));
    assert_eq!(Element::parse("<!-- 1 --></stop>", 100).unwrap_err().offset(), 110);
    assert_eq!(Element::parse("<stop><a>", 100).unwrap_err().offset(), 109);
}

/// The findings of a survey, as code and offset.
fn findings(file: &str) -> Vec<(&'static str, u64)> {
    let reader = Reader::<Trips>::new(file.as_bytes()).unwrap();
    let (mut stack, mut notes) = (Stack::new(reader.header()), SurveyBuilder::default());
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
