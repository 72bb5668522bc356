//! Channels by glob, and errors for globs without a match.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use glob::Pattern;
use robolog_convert::{ChannelFilter, NoChannel, nearest};

use robolog_core::slices::Part as _;

/// Maximum number of channels with a cached verdict.
const CHANNELS: usize = 1 << 16;

/// Maximum number of channels listed in an error.
const TOLD: usize = 8;

/// Maximum number of globs from one option.
const MOST: usize = 1000;

/// Maximum number of braces in one option.
const DEEPEST: usize = 100;

/// The globs of one option: a comma-separated list, with alternatives in braces.
#[derive(Debug, Clone)]
pub(crate) struct Globs(pub(crate) Vec<Pattern>);

/// Parses the globs of an option. Commas and braces in brackets are literal.
pub(crate) fn globs(text: &str) -> Result<Globs, String> {
    if text.matches('{').count() > DEEPEST {
        return Err(format!("more than {DEEPEST} braces"));
    }
    let mut texts = Vec::new();
    for part in split(text) {
        expand("", part, &mut texts)?;
    }
    let patterns = texts.iter().map(|text| Pattern::new(text).map_err(|error| error.to_string()));
    patterns.collect::<Result<_, _>>().map(Globs)
}

/// Splits at commas outside braces and brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut is_set, mut parts, mut from) = (0_usize, false, Vec::new(), 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' => is_set = true,
            ']' => is_set = false,
            '{' if !is_set => depth += 1,
            '}' if !is_set => depth = depth.saturating_sub(1),
            ',' if !is_set && depth == 0 => {
                parts.push(text.part(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.part(from..));
    parts
}

/// Appends each alternative of `text` to `before` and pushes it to `out`.
fn expand(before: &str, text: &str, out: &mut Vec<String>) -> Result<(), String> {
    if out.len() >= MOST {
        return Err(format!("more than {MOST} globs"));
    }
    let (mut depth, mut is_set, mut open) = (0_usize, false, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' => is_set = true,
            ']' => is_set = false,
            '{' if !is_set => {
                if depth == 0 {
                    open = at;
                }
                depth += 1;
            }
            '}' if !is_set && depth == 1 => {
                let begin = format!("{before}{}", text.part(..open));
                let rest = text.part(at + 1..);
                for choice in split(text.part(open + 1..at)) {
                    expand(&begin, &format!("{choice}{rest}"), out)?;
                }
                return Ok(());
            }
            '}' if !is_set => depth = depth.checked_sub(1).ok_or("unopened brace")?,
            _ => {}
        }
    }
    if depth > 0 {
        return Err("unclosed brace".into());
    }
    out.push(format!("{before}{text}"));
    Ok(())
}

/// A filter for the wanted globs without the excluded ones; `None` if both are empty.
pub(super) fn filter(wanted: &[Pattern], excluded: &[Pattern]) -> Option<ChannelFilter> {
    if wanted.is_empty() && excluded.is_empty() {
        return None;
    }
    let met = Mutex::default();
    let globs = Arc::new(Verdicts { wanted: wanted.to_vec(), excluded: excluded.to_vec(), met });
    let asked = Arc::clone(&globs);
    let filter = ChannelFilter::new(move |channel| globs.choose(channel));
    let filter = filter.with_unmatched(move || asked.unmatched());
    Some(if wanted.is_empty() { filter.excluding() } else { filter })
}

struct Verdicts {
    wanted: Vec<Pattern>,
    excluded: Vec<Pattern>,
    /// The verdict on each channel seen.
    met: Mutex<HashMap<String, bool>>,
}

impl Verdicts {
    fn met(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn choose(&self, channel: &str) -> bool {
        let mut met = self.met();
        if let Some(verdict) = met.get(channel) {
            return *verdict;
        }
        let is_one = |globs: &[Pattern]| globs.iter().any(|glob| glob.matches(channel));
        let verdict = (self.wanted.is_empty() || is_one(&self.wanted)) && !is_one(&self.excluded);
        if met.len() < CHANNELS {
            met.insert(channel.to_owned(), verdict);
        }
        verdict
    }

    /// The first glob that matches none of the channels seen.
    fn unmatched(&self) -> Option<NoChannel> {
        let met = self.met();
        if met.len() >= CHANNELS {
            // It may match a channel that is not cached.
            return None;
        }
        let is_idle = |glob: &&Pattern| !met.keys().any(|channel| glob.matches(channel));
        let glob = self.wanted.iter().chain(&self.excluded).find(is_idle)?;
        // Sorted, so that equally near names always give the same proposal.
        let mut names: Vec<&str> = met.keys().map(String::as_str).collect();
        names.sort_unstable();
        let nearest = nearest(glob.as_str(), names.iter().copied()).or_else(|| with_part(glob, &names));
        let (pattern, nearest) = (glob.as_str().to_owned(), nearest.map(str::to_owned));
        Some(NoChannel {
            pattern,
            nearest,
            met: names.iter().take(TOLD).map(|name| (*name).to_owned()).collect(),
        })
    }
}

/// The first channel with a part similar to the longest part of the glob: `os_1/imu` for `*/imus`.
fn with_part<'n>(glob: &Pattern, names: &[&'n str]) -> Option<&'n str> {
    let wanted = glob.as_str().split(['/', '*', '?', '[', ']']).max_by_key(|part| part.len())?;
    let part = nearest(wanted, names.iter().flat_map(|name| name.split('/')))?;
    names.iter().find(|name| name.split('/').any(|other| other == part)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| Pattern::new(text).unwrap()).collect()
    }

    #[test]
    fn commas_and_braces_stand_for_several_globs() {
        let texts = |text: &str| {
            let globs = globs(text)?;
            Ok::<_, String>(globs.0.iter().map(|glob| glob.as_str().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(texts("NAV_{X,Y}").unwrap(), ["NAV_X", "NAV_Y"]);
        assert_eq!(texts("a,{b,c{d,e}}{,f}").unwrap(), ["a", "b", "bf", "cd", "cdf", "ce", "cef"]);
        assert_eq!(texts("a[,{]b").unwrap(), ["a[,{]b"]);
        assert_eq!(texts("").unwrap(), [""]);
        for text in ["{a", "a}", "{a,b}{c", &"{a,b}".repeat(12)] {
            assert!(texts(text).is_err(), "{text}");
        }
    }

    #[test]
    fn excluded_channels_are_taken_from_those_that_are_wanted() {
        let filter = filter(&patterns(&["NAV_*"]), &patterns(&["*_X"])).unwrap();
        let chosen = ["NAV_X", "NAV_Y", "DB_X"].map(|channel| filter.matches(channel));
        assert_eq!(chosen, [false, true, false]);
    }

    #[test]
    fn a_glob_that_matches_nothing_is_answered_by_the_channel_with_the_nearest_part() {
        let nearest = |wanted: &str| {
            let globs = Verdicts { wanted: patterns(&[wanted]), excluded: Vec::new(), met: Mutex::default() };
            let met = ["3WE/points", "os_1/imu", "os_2/imu", "NAV_X"].map(|channel| globs.choose(channel));
            assert_eq!(met, [false; 4]);
            globs.unmatched().expect("it matches none").nearest
        };
        assert_eq!(nearest("*/imus").as_deref(), Some("os_1/imu"));
        assert_eq!(nearest("nav_x").as_deref(), Some("NAV_X"));
        assert_eq!(nearest("*/depth"), None);
    }
}
