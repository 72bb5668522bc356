//! Arguments of `edit`.

mod hidden;
mod places;

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args as ClapArgs, Command, FromArgMatches};
use glob::Pattern;
use robolog_convert::Bound;

pub(crate) use self::{
    hidden::{Hidden, Positions},
    places::{Actor, Rings},
};
use super::{FormatArg, OutArgs, channels::globs};

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Changes are made in the order given. Everything else stays byte for byte; offsets, indexes and \
                  checksums are updated. robolog diff IN OUT shows the changes.\n\n\
                  --shift changes, in alog: LOGSTART, and the times inside values that robolog reads; LVX, Koblenz \
                  logs, CARLA: the stamps; NMEA: times and dates, with checksums; GPX, KML: times of points; Effibox \
                  tables: Rtime.\n\n\
                  --anonymise reads a file twice: it first collects names of vehicles and numbers of positions, then \
                  replaces them everywhere. An offset hides the place of a track, not its shape: someone who knows the \
                  roads may recognise it, and metres or speeds beside degrees reveal the latitude. positions=drop \
                  hides more. Times stay: --start-at changes them.\n\n\
                  Examples:\n  robolog edit mission.alog --shift 1.5s -o later.alog\n  \
                  robolog edit mission.alog --drop 'DB_*' --rename 'NAV_*=GPS_*' -o gps.alog\n  \
                  robolog edit drive.lvx --start-at 2024-09-17T15:47:55Z -o dated.lvx\n  \
                  robolog edit drive.log --map-name Town10HD_Opt -o other_map.log\n  \
                  robolog edit mission.alog --anonymise positions=shift,names --secret my.secret -o shared.alog"
)]
pub(crate) struct EditArgs {
    /// A recording, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) steps: EditSteps,
    #[command(flatten)]
    pub(crate) secret: SecretArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// Options for `--anonymise`.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct SecretArgs {
    #[arg(long, requires = "anonymise")]
    pub(crate) secret: Option<PathBuf>,
    #[arg(long, requires = "anonymise")]
    pub(crate) keep_opaque: bool,
}

/// The changes, in the order of the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct EditSteps(pub(crate) Vec<EditStep>);

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EditStep {
    /// Nanoseconds.
    Shift(i64),
    StartAt(Bound),
    Rename(Rename),
    Prefix(String),
    Drop(Pattern),
    Keep(Pattern),
    MapName(String),
    CropArea(Rings),
    /// Latitude and longitude in degrees.
    SetOrigin([f64; 2]),
    DropActor(Actor),
    KeepActor(Actor),
    LifeOf(Actor),
    Anonymise(Hidden),
}

/// New names for channels that match a glob. A star in the new name is replaced by the match of the star in the glob.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rename {
    pub(crate) glob: Pattern,
    to: String,
}

impl Rename {
    fn parse(text: &str) -> Result<Self, String> {
        let (old, to) = text.split_once('=').ok_or("expected OLD=NEW")?;
        if old.is_empty() || to.is_empty() {
            return Err("expected OLD=NEW".into());
        }
        let is_one_star = old.matches('*').count() == 1 && !old.contains(['?', '[']);
        if to.contains('*') && !(is_one_star && to.matches('*').count() == 1) {
            return Err("a star in the new name needs one star, and no other wildcard, in the old one".into());
        }
        Ok(Self { glob: Pattern::new(old).map_err(|e| e.to_string())?, to: to.into() })
    }

    /// The new name of a channel; `None` if the glob does not match.
    pub(crate) fn apply(&self, channel: &str) -> Option<String> {
        if !self.glob.matches(channel) {
            return None;
        }
        let Some((before, after)) = self.to.split_once('*') else { return Some(self.to.clone()) };
        let (prefix, suffix) = self.glob.as_str().split_once('*')?;
        let star = channel.strip_prefix(prefix)?.strip_suffix(suffix)?;
        Some(format!("{before}{star}{after}"))
    }
}

/// Parses a signed time span, to nanoseconds.
fn shift(text: &str) -> Result<i64, String> {
    let (sign, span) = text.strip_prefix('-').map_or((1, text), |span| (-1, span));
    let nanos = Bound::duration(span.strip_prefix('+').unwrap_or(span))?.as_nanos();
    i64::try_from(nanos).map(|nanos| sign * nanos).map_err(|_| "longer than 292 years".into())
}

fn each_glob(text: &str, step: fn(Pattern) -> EditStep) -> Result<Vec<EditStep>, String> {
    Ok(globs(text)?.0.into_iter().map(step).collect())
}

/// An option and its parser.
struct Spec {
    name: &'static str,
    parse: fn(&str) -> Result<Vec<EditStep>, String>,
}

const OPTIONS: [Spec; 13] = [
    Spec { name: "shift", parse: |text| Ok(vec![EditStep::Shift(shift(text)?)]) },
    Spec { name: "start-at", parse: |text| Ok(vec![EditStep::StartAt(text.parse()?)]) },
    Spec { name: "rename", parse: |text| Ok(vec![EditStep::Rename(Rename::parse(text)?)]) },
    Spec { name: "prefix", parse: |text| Ok(vec![EditStep::Prefix(text.into())]) },
    Spec { name: "drop", parse: |text| each_glob(text, EditStep::Drop) },
    Spec { name: "keep", parse: |text| each_glob(text, EditStep::Keep) },
    Spec { name: "map-name", parse: |text| Ok(vec![EditStep::MapName(text.into())]) },
    Spec { name: "crop-area", parse: |text| Ok(vec![EditStep::CropArea(places::area(text)?)]) },
    Spec { name: "set-origin", parse: |text| Ok(vec![EditStep::SetOrigin(places::origin(text)?)]) },
    Spec { name: "drop-actor", parse: |text| Ok(vec![EditStep::DropActor(Actor::parse(text)?)]) },
    Spec { name: "keep-actor", parse: |text| Ok(vec![EditStep::KeepActor(Actor::parse(text)?)]) },
    Spec { name: "life-of", parse: |text| Ok(vec![EditStep::LifeOf(Actor::parse(text)?)]) },
    Spec { name: "anonymise", parse: Hidden::parse },
];

impl ClapArgs for EditSteps {
    fn augment_args(command: Command) -> Command {
        let arg = |option: Spec| {
            Arg::new(option.name)
                .long(option.name)
                .value_parser(option.parse)
                .aliases((option.name == "anonymise").then_some("anonymize"))
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
        };
        let names = OPTIONS.map(|option| option.name);
        command
            .args(OPTIONS.map(arg))
            .group(ArgGroup::new("change").args(names).required(true).multiple(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EditSteps {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut steps = Vec::new();
        for option in OPTIONS {
            let indices = matches.indices_of(option.name).into_iter().flatten();
            let values = matches.get_many::<Vec<EditStep>>(option.name).into_iter().flatten();
            steps.extend(indices.zip(values.cloned()));
        }
        steps.sort_by_key(|(index, _)| *index);
        Ok(Self(steps.into_iter().flat_map(|(_, step)| step).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_in_the_new_name_is_what_the_old_one_matches() {
        let rename = |text: &str, channel: &str| Rename::parse(text).unwrap().apply(channel);
        assert_eq!(rename("NAV_*=GPS_*", "NAV_X").as_deref(), Some("GPS_X"));
        assert_eq!(rename("*_X=*_EAST", "NAV_X").as_deref(), Some("NAV_EAST"));
        assert_eq!(rename("NAV_?=GPS", "NAV_X").as_deref(), Some("GPS"));
        assert_eq!(rename("NAV_X=GPS_X", "DB_X"), None);
        for text in ["NAV_X", "=X", "X=", "A?*=B*", "A=B*", "*_*=*"] {
            assert!(Rename::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_shift_has_a_sign() {
        let shifts = ["1.5", "-1.5s", "+2m30s", "-0"].map(|text| shift(text).unwrap());
        assert_eq!(shifts, [1_500_000_000, -1_500_000_000, 150_000_000_000, 0]);
        assert!(shift("--1").is_err() && shift("x").is_err() && shift("").is_err());
    }
}
