//! Channels by the actors or vehicles that they belong to.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use glob::Pattern;
use robolog_convert::{ChannelFilter, Error, NoChannel, Reason, Result, nearest};
use robolog_core::{Channel, text::Escaped};

/// Maximum number of actors listed in an error.
const TOLD: usize = 8;
/// Attributes by which people know an actor.
const KNOWN_BY: [&str; 3] = ["blueprint", "role", "vehicle"];

/// What people know of an actor: its numbers and names.
type Names = BTreeSet<String>;

/// A filter for the channels of actors that match one of the globs, among those that `filter` keeps.
pub(super) fn filter(actors: Vec<Pattern>, filter: Option<ChannelFilter>) -> ChannelFilter {
    ChannelFilter::by_contents(move |channels| {
        let chosen = channels_of(&actors, channels)?;
        let (filter, met) = (filter.clone(), Arc::new(AtomicBool::new(false)));
        let (seen, pattern) = (Arc::clone(&met), chosen.first().cloned().unwrap_or_default());
        let chosen = ChannelFilter::new(move |channel| {
            let is_one =
                chosen.contains(channel) && filter.as_ref().is_none_or(|filter| filter.matches(channel));
            seen.fetch_or(is_one, Ordering::Relaxed);
            is_one
        });
        Ok(chosen.with_unmatched(move || {
            let is_met = met.load(Ordering::Relaxed);
            (!is_met).then(|| NoChannel { pattern: pattern.clone(), nearest: None, met: Vec::new() })
        }))
    })
}

/// The channels of actors that match one of the globs.
///
/// Returns an error if a glob matches none.
pub(crate) fn channels_of(globs: &[Pattern], channels: &[Channel]) -> Result<BTreeSet<String>> {
    let actors = actors(channels);
    let is_one = |glob: &Pattern, names: &Names| names.iter().any(|name| glob.matches(name));
    if let Some(glob) = globs.iter().find(|glob| !actors.values().any(|names| is_one(glob, names))) {
        let message = format!("no actor matches {glob}{}", told(glob, &actors));
        return Err(Error::Target(Reason::Choose(message)));
    }
    let is_chosen = |channel: &&Channel| {
        let names = actors.get(owner(&channel.name));
        names.is_some_and(|names| globs.iter().any(|glob| is_one(glob, names)))
    };
    Ok(channels.iter().filter(is_chosen).map(|channel| channel.name.clone()).collect())
}

/// The actors by the beginning of their channels' names.
fn actors(channels: &[Channel]) -> BTreeMap<&str, Names> {
    let mut actors: BTreeMap<&str, Names> = BTreeMap::new();
    for channel in channels {
        let owner = owner(&channel.name);
        let number = owner.strip_prefix("actor_");
        let known = channel.attributes.iter().filter(|(key, _)| KNOWN_BY.contains(key));
        let mut known: Names = known.map(|(_, value)| value.to_owned()).collect();
        if let Some(number) = number {
            known.extend([number.to_owned(), owner.to_owned()]);
        }
        if !known.is_empty() {
            actors.entry(owner).or_default().extend(known);
        }
    }
    actors
}

/// The beginning of a channel's name: its actor, if it has one.
fn owner(channel: &str) -> &str {
    channel.split_once('/').map_or(channel, |(owner, _)| owner)
}

/// What may be asked for, or the name that was meant.
fn told(glob: &Pattern, actors: &BTreeMap<&str, Names>) -> String {
    let is_number =
        |name: &&String| name.starts_with("actor_") || name.bytes().all(|byte| byte.is_ascii_digit());
    let names: BTreeSet<&String> = actors.values().flatten().filter(|name| !is_number(name)).collect();
    if let Some(meant) = nearest(glob.as_str(), names.iter().map(|name| name.as_str())) {
        return format!("; did you mean {}?", Escaped(meant.as_bytes()));
    }
    let listed: Vec<String> =
        names.iter().take(TOLD).map(|name| Escaped(name.as_bytes()).to_string()).collect();
    match names.len() {
        0 => ": this recording names none".into(),
        n if n > TOLD => format!(": there are {} and {} more", listed.join(", "), n - TOLD),
        _ => format!(": there are {}", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use robolog_convert::{Input, survey};

    use super::*;

    fn chosen(glob: &str) -> Result<Vec<String>> {
        let input = Input::open("../convert/examples/v0_9_15.log").unwrap();
        let channels = survey(input, None, &mut |_| {}).unwrap().summary.channels;
        let globs: Vec<Pattern> = glob.split(',').map(|glob| Pattern::new(glob).unwrap()).collect();
        Ok(channels_of(&globs, &channels)?.into_iter().collect())
    }

    #[test]
    fn actors_are_chosen_by_number_blueprint_and_role() {
        let by_role = chosen("hero").unwrap();
        assert!(!by_role.is_empty() && by_role.iter().all(|name| name.starts_with("actor_")), "{by_role:?}");
        let number = owner(&by_role[0]).strip_prefix("actor_").unwrap();
        assert_eq!(chosen(number).unwrap(), by_role);
        assert!(chosen("vehicle.*").unwrap().len() >= by_role.len());
        let error = chosen("lada").unwrap_err().to_string();
        assert!(error.starts_with("no actor matches lada: there are "), "{error}");
        let error = chosen("heroo").unwrap_err().to_string();
        assert_eq!(error, "no actor matches heroo; did you mean hero?");
    }
}
