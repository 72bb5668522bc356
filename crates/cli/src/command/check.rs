//! `robolog check`: the findings in a recording.

mod places;

use std::{io::Write as _, path::Path};

use robolog_convert::{Result, Surveyed};
use robolog_core::{Finding, Severity, Summary, text::Escaped};

use self::places::Places;
use super::{inputs::expand, summary::survey};
use crate::{
    args::InfoArgs,
    progress::Context,
    render,
    screen::{Screen, Tone},
    status::Status,
};

pub(crate) fn run(args: &InfoArgs, context: Context) -> Result<Status> {
    let screen = Screen::stdout(context);
    let mut out = render::Findings::on(screen);
    expand(&args.files, context).each(|path| {
        let input = context.open(path)?;
        let is_data_set = input.is_dataset();
        let info = survey(input, args.format.name.as_deref(), context)?;
        let findings = &info.summary.findings;
        let ok = info.is_sound();
        if args.json {
            render::json(&mut out, &info.findings_to_json(path))?;
        } else {
            let has_lines = !is_data_set && places::has_lines(info.format);
            let offsets = findings.iter().map(|finding| finding.offset);
            let places =
                if has_lines { Places::find(path, offsets.collect(), context) } else { Places::default() };
            write!(out, "{}", text(&info, path, &places, screen))?;
        }
        out.flush()?;
        Ok(if ok { Status::Done } else { Status::Lossy })
    })
}

/// The verdict and a line per finding.
fn text(info: &Surveyed, path: &Path, places: &Places, screen: Screen) -> String {
    let s = &info.summary;
    let count = |severity| {
        let n = s.findings.iter().filter(|f| f.severity == severity).count() as u64;
        (n > 0).then(|| render::count(n, word(severity)))
    };
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(count).into_iter().flatten();
    let (tone, verdict, about) = if s.is_ok() {
        let what = [Escaped(s.variant.as_bytes()).to_string(), render::count(s.records, "record")];
        let (tone, verdict) =
            if info.reads_nothing() { (Tone::Bad, "nothing read") } else { (Tone::Good, "sound") };
        (tone, verdict, what.into_iter().chain(counts).collect::<Vec<_>>())
    } else {
        (Tone::Bad, fault(s), counts.collect())
    };
    let name = render::path(path);
    let head = format!("{name}: {verdict}:");
    let painted = format!("{}: {}:", screen.paint(Tone::Head, &name), screen.paint(tone, verdict));
    let verdict = screen.paragraph(&format!("{head} {}", about.join(", ")), 4);
    let mut out = verdict.replacen(&head, &painted, 1) + "\n";
    for finding in &s.findings {
        out.push_str(&line(finding, places, screen));
    }
    out
}

/// The verdict on a recording that is not sound: what exceeds a limit need not be damaged.
pub(crate) fn fault<D>(summary: &Summary<D>) -> &'static str {
    if summary.is_limited() { "not read whole" } else { "damaged" }
}

fn line(finding: &Finding, places: &Places, screen: Screen) -> String {
    let tone = match finding.severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Odd,
        Severity::Note => Tone::Dim,
    };
    let severity = word(finding.severity);
    let mut place = String::new();
    if render::is_detailed() {
        place = format!(" at {:#x}", finding.offset);
    }
    if let Some(line) = places.of(finding.offset) {
        place = format!("{place}, {line}");
    }
    let message = Escaped(finding.message.as_bytes()).to_string();
    // The line already begins with the place.
    let message = message.strip_suffix(&format!(" (at byte {:#x})", finding.offset)).unwrap_or(&message);
    let message = render::in_plain(message.to_owned());
    let remedy = if matches!(finding.code, "limit" | "magic-code") { render::remedy(&message) } else { "" };
    let line = format!("  {severity}: {}{place}: {message}{remedy}", finding.code);
    let line = screen.paragraph(&line, 4).replacen(severity, &screen.paint(tone, severity), 1);
    line + "\n"
}

/// The first finding of each code and their number.
pub(crate) fn by_code<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<(&'f Finding, u64)> {
    let mut groups: Vec<(&Finding, u64)> = Vec::new();
    for finding in findings {
        let alike = |(first, _): &&mut (&Finding, u64)| {
            (first.severity, first.code) == (finding.severity, finding.code)
        };
        match groups.iter_mut().find(alike) {
            Some((_, count)) => *count += 1,
            None => groups.push((finding, 1)),
        }
    }
    groups
}

/// The name of a severity.
pub(crate) const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
