//! The head: whether the file can be trusted, what it is, and what to do.

mod facts;
mod lines;

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_core::Severity;

pub(crate) use self::facts::when;
use self::{
    facts::facts,
    lines::{Line, content, doubts},
};
use super::{FOLD, Recording, UNFOLD, exact, plural, put, table};
use crate::text::{Esc, count, short};

/// Whether a recording can be trusted: what `robolog check` says of the file, and whether its content has something to
/// read first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every byte was read, and nothing breaks the rules of the format: there is nothing to do.
    Sound,
    /// The same, and something in it is to be read: gaps, alarms of a device, times far off, a crash.
    Remarks,
    /// Every byte was read, and the reader warns of something.
    Warnings,
    /// Parts were left out that exceed the limits given to the reader: they need not be damaged.
    Limited,
    /// Something is lost, or breaks the rules of the format.
    Damaged,
}

impl Verdict {
    /// The verdict in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Sound => "✓ Sound",
            Self::Remarks => "! Sound; read below",
            Self::Warnings => "! Sound, with warnings",
            Self::Limited => "✕ Not read whole",
            Self::Damaged => "✕ Damaged",
        }
    }

    /// CSS class for its colour.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Sound => "ok",
            Self::Remarks | Self::Warnings => "note",
            Self::Limited | Self::Damaged => "bad",
        }
    }
}

/// Number of open lines of the verdict.
const SHOWN: usize = 5;

pub(super) struct Head {
    pub(super) verdict: Verdict,
    pub(super) html: String,
}

pub(super) fn head(recording: &Recording<'_>) -> Head {
    let mut lines = doubts(recording);
    let harm = content(recording);
    let worst = |lines: &[Line]| lines.iter().map(|line| line.0).max().unwrap_or(Verdict::Sound);
    let of_file = worst(&lines);
    let verdict = of_file.max(worst(&harm));
    if of_file == Verdict::Sound {
        let meaning = "Every byte was read, and nothing breaks the rules of the format.";
        lines.insert(0, (Verdict::Sound, meaning.into()));
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.0));
    if verdict == Verdict::Damaged {
        let advice =
            "The readable part is shown below. <code>robolog recover</code> copies it into a sound file.";
        lines.push((Verdict::Sound, advice.into()));
    }
    lines.extend(harm);
    let mut html = String::from("<header>");
    put!(html, "<h1>{}</h1>", Esc(&short(recording.name)));
    let (class, words) = (verdict.class(), verdict.words());
    put!(html, "<div class=\"verdict {class}\"><strong>{words}</strong><ul>");
    for (level, line) in lines.iter().take(SHOWN) {
        put!(html, "<li class=\"{}\">{line}</li>", level.class());
    }
    html.push_str("</ul>");
    if let more @ 1.. = lines.iter().skip(SHOWN).len() {
        put!(html, "<details><summary>{}</summary>{FOLD}<ul>", plural(more, "more line"));
        for (level, line) in lines.iter().skip(SHOWN) {
            put!(html, "<li class=\"{}\">{line}</li>", level.class());
        }
        put!(html, "</ul>{UNFOLD}");
    }
    html.push_str("</div>");
    facts(&mut html, recording);
    listed(&mut html, recording);
    html.push_str("</header>\n");
    Head { verdict, html }
}

/// All findings with their offsets.
fn listed(html: &mut String, recording: &Recording<'_>) {
    let findings = &recording.surveyed.summary.findings;
    if findings.is_empty() {
        return;
    }
    let mut rows = String::new();
    let mut left: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in findings {
        let shown = left.entry(finding.code).or_default();
        *shown += 1;
        if *shown > 100 {
            continue;
        }
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        put!(
            rows,
            "<tr><td>{severity}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Esc(finding.code),
            exact(finding.offset, &count(finding.offset)),
            Esc(&long(&finding.message))
        );
    }
    html.push_str(&table(&plural(findings.len(), "finding"), "Severity|Code|Byte|Message", &rows));
}

/// The first letters of a message.
fn long(message: &str) -> String {
    message.chars().take(400).collect()
}
