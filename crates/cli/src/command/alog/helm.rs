//! `helm`, `cd` and `avg`, after `aloghelm`, `alogcd` and `alogavg` of MOOS-IvP: activity of the helm, distances of
//! encounters, and means.

use std::{
    collections::{BTreeSet, HashMap},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
};

use ::alog::{Kind, Record, Seconds};
use robolog_convert::{Error, Result, target::Target};
use robolog_core::text::Escaped;
use serde_json::json;

use super::{open, records};
use crate::{
    args::alog::{EncountersArgs, HelmArgs, ScanArgs},
    progress::Context,
    render,
    status::Status,
};

/// Lists of behaviors in a summary, most important first.
const LISTS: [(&str, &str); 5] = [
    ("active_bhvs", "active"),
    ("running_bhvs", "running"),
    ("idle_bhvs", "idle"),
    ("disabled_bhvs", "disabled"),
    ("completed_bhvs", "completed"),
];

/// State of the helm.
#[derive(Default)]
struct Helm {
    /// The variable with the mode, if the log names one.
    mode_variable: Option<Vec<u8>>,
    mode: Option<Vec<u8>>,
    /// Behaviors by list; a summary has only the lists that changed.
    lists: [BTreeSet<String>; 5],
}

impl Helm {
    /// The news in an entry, with its kind.
    fn news(&mut self, record: &Record<'_>) -> Option<(&'static str, String)> {
        let (name, value) = (record.name(), record.value());
        let text =
            |key: &str| value.get(key).map_or_else(String::new, |value| Escaped(value.trimmed()).to_string());
        match name.bytes() {
            b"IVPHELM_LIFE_EVENT" => {
                let [event, behavior, kind, iteration, seed] =
                    ["event", "bname", "btype", "iter", "seed"].map(text);
                Some(("life", format!("{event} {behavior} ({kind}), iteration {iteration}, by {seed}")))
            }
            b"IVPHELM_SUMMARY" => {
                let before = self.lists.clone();
                for (list, (key, _)) in self.lists.iter_mut().zip(LISTS) {
                    if let Some(value) = value.get(key) {
                        *list = behaviors(value.trimmed());
                    }
                }
                (self.lists != before).then(|| ("behaviors", self.behaviors()))
            }
            b"IVPHELM_MODESET" => {
                let variable = value.trimmed().split(|b| *b == b'#').next();
                self.mode_variable = variable.filter(|name| !name.is_empty()).map(<[u8]>::to_vec);
                None
            }
            name if name == self.mode_variable.as_deref().unwrap_or(b"MODE") => {
                let mode = value.trimmed();
                if self.mode.as_deref() == Some(mode) {
                    return None;
                }
                self.mode = Some(mode.to_vec());
                Some(("mode", Escaped(mode).to_string()))
            }
            _ => None,
        }
    }

    fn behaviors(&self) -> String {
        let list = |(names, (_, title)): (&BTreeSet<String>, _)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            (!names.is_empty()).then(|| format!("{title} {}", names.join(", ")))
        };
        let all: Vec<String> = self.lists.iter().zip(LISTS).filter_map(list).collect();
        if all.is_empty() { "none".to_owned() } else { all.join("; ") }
    }
}

/// Names of behaviors in a list such as `waypt_survey$1343667403.10$100.00000:waypt_return$0.00$n/a`.
fn behaviors(list: &[u8]) -> BTreeSet<String> {
    let names = list.split(|b| *b == b':').filter_map(|one| one.split(|b| *b == b'$').next());
    names.filter(|name| !name.is_empty() && name != b"none").map(|name| Escaped(name).to_string()).collect()
}

pub(super) fn helm(args: &HelmArgs, context: Context) -> Result<Status> {
    let (mut helm, mut count) = (Helm::default(), 0_u64);
    let is_all = !(args.life || args.modes || args.behaviors);
    let wants = |kind| match kind {
        "life" => is_all || args.life,
        "mode" => is_all || args.modes,
        _ => is_all || args.behaviors,
    };
    let mut out = io::stdout().lock();
    let mut out = render::Safe::new(&mut out);
    let mut reader = open(&args.file, context)?;
    let report = records(&mut reader, &mut |record| {
        if record.kind() != Kind::Entry {
            return Ok(());
        }
        let watched = args.watch.iter().any(|name| name.as_bytes() == record.name().bytes());
        let news = helm.news(record).filter(|(kind, _)| wants(kind));
        let watched = watched.then(|| {
            let (name, value) = (record.name(), record.value());
            ("watch", format!("{} {}", Escaped(&name), Escaped(value.trimmed())))
        });
        for (kind, text) in news.into_iter().chain(watched) {
            count += 1;
            let time = Escaped(record.time_text());
            if args.json {
                render::json(
                    &mut out,
                    &json!({"time_s": record.seconds().map(Seconds::as_f64), "kind": kind, "text": text}),
                )?;
            } else {
                writeln!(out, "{time:<12}  {kind:<9}  {text}")?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
    render::losses(&args.file, &report);
    if count == 0 {
        return Err(Error::Empty("the helm logged nothing of that kind".into()));
    }
    Ok(Status::lossy_if(!report.is_complete()))
}

/// Statistics of a stream of numbers.
#[derive(Default)]
struct Numbers {
    count: u64,
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
    range: Option<(f64, f64)>,
}

impl Numbers {
    #[expect(clippy::cast_precision_loss, reason = "counts of entries")]
    fn add(&mut self, number: f64) {
        self.count += 1;
        let from_old = number - self.mean;
        self.mean += from_old / self.count as f64;
        self.squares += from_old * (number - self.mean);
        let (low, high) = self.range.unwrap_or((number, number));
        self.range = Some((low.min(number), high.max(number)));
    }

    /// Standard deviation of the population.
    #[expect(clippy::cast_precision_loss, reason = "counts of entries")]
    fn deviation(&self) -> f64 {
        (self.squares / self.count as f64).sqrt()
    }
}

pub(super) fn encounters(args: &EncountersArgs, context: Context) -> Result<Status> {
    const EVENTS: [&str; 3] = ["ENCOUNTER", "NEAR_MISS", "COLLISION"];
    // Number, and distances in metres.
    let mut all: [(u64, Numbers); 3] = Default::default();
    let mut reader = open(&args.file, context)?;
    let times = args.tfile.as_deref();
    let target = times.map(|path| Target::create(path, crate::args::existing(args.force), &[&args.file]));
    let target = target.transpose()?;
    let mut listed = target.as_ref().map(Target::writer).transpose()?;
    let report = records(&mut reader, &mut |record| {
        let place = EVENTS.iter().position(|event| record.name().bytes() == event.as_bytes());
        let Some(place) = place.filter(|_| record.kind() == Kind::Entry) else { return Ok(()) };
        if let Some((count, distances)) = all.get_mut(place) {
            *count += 1;
            if let Some(number) = record.value().number() {
                distances.add(number);
            }
        }
        if let Some(listed) = listed.as_mut().filter(|_| place > 0) {
            listed.write_all(record.time_text())?;
            listed.write_all(b"\n")?;
        }
        Ok(())
    })?;
    if let (Some(mut listed), Some(target)) = (listed, target) {
        listed.flush()?;
        drop(listed);
        target.persist()?;
    }
    let mut out = io::stdout().lock();
    let rows = || EVENTS.iter().zip(&all);
    if args.json {
        let row = |(event, (count, of)): (&&str, &(u64, Numbers))| json!({"event": event, "count": count, "mean_m": of.range.map(|_| of.mean), "least_m": of.range.map(|r| r.0)});
        render::json(&mut out, &json!({ "events": rows().map(row).collect::<Vec<_>>() }))?;
    } else {
        writeln!(out, "{:9}  {:>8}  {:>10}  {:>10}", "event", "count", "mean m", "least m")?;
        for (event, (count, of)) in rows() {
            let metres = |of: Option<f64>| of.map_or_else(String::new, |metres| format!("{metres:.2}"));
            let (mean, least) = (metres(of.range.map(|_| of.mean)), metres(of.range.map(|r| r.0)));
            writeln!(out, "{event:9}  {count:>8}  {mean:>10}  {least:>10}")?;
        }
    }
    render::losses(&args.file, &report);
    Ok(Status::lossy_if(!report.is_complete()))
}

/// Maximum number of distinct values of x, and maximum bytes of a line.
const DISTINCT: usize = 1 << 20;
const LONGEST: u64 = 1 << 10;

pub(super) fn averages(args: &ScanArgs, context: Context) -> Result<Status> {
    let mut text = BufReader::new(context.open(&args.file)?.into_stream());
    let (mut all, mut line, mut unread) = (HashMap::<u64, Numbers>::new(), Vec::new(), 0_u64);
    while text.by_ref().take(LONGEST).read_until(b'\n', &mut line)? > 0 {
        match pair(&line) {
            Some((x, y)) => all.entry((x + 0.0).to_bits()).or_default().add(y),
            None if line.starts_with(b"%") || line.trim_ascii().is_empty() => {}
            None => unread += 1,
        }
        if all.len() > DISTINCT {
            return Err(Error::Target(format!("more than {DISTINCT} values of x").into()));
        }
        line.clear();
    }
    if all.is_empty() {
        return Err(Error::Empty(
            "no line has two numbers, x and y: robolog alog grep --keys prints columns".into(),
        ));
    }
    let mut rows: Vec<(f64, Numbers)> = all.into_iter().map(|(x, of)| (f64::from_bits(x), of)).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = io::stdout().lock();
    for (x, of) in rows {
        let ((low, high), sd) = (of.range.unwrap_or_default(), of.deviation());
        if args.json {
            let row = json!({"x": x, "count": of.count, "mean": of.mean, "min": low, "max": high, "sd": sd});
            render::json(&mut out, &row)?;
        } else {
            let [mean, low, high, sd] = [of.mean, low, high, sd].map(short);
            writeln!(out, "{x} {mean} {low} {high} {sd}")?;
        }
    }
    if unread > 0 {
        render::note(&args.file, format_args!("skipped {}: not two numbers", render::count(unread, "line")));
    }
    Ok(Status::lossy_if(unread > 0))
}

/// Parses a line of two finite numbers, separated by blanks or a comma.
fn pair(line: &[u8]) -> Option<(f64, f64)> {
    let text = std::str::from_utf8(line).ok()?;
    let mut numbers = text.split([' ', '\t', ',', '\r', '\n']).filter(|part| !part.is_empty());
    let mut next = || numbers.next()?.parse::<f64>().ok().filter(|number| number.is_finite());
    let pair = (next()?, next()?);
    numbers.next().is_none().then_some(pair)
}

/// A number with up to six decimals, without trailing zeros.
fn short(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
