//! Channels for `--hero` and `--longest`.

use std::collections::BTreeSet;

use glob::Pattern;
use robolog_convert::{ChannelFilter, Error, Feed, Input, Reason, Result, Settings, trajectories};
use robolog_core::Channel;

use super::super::overview::can_be_read_again;
use crate::{
    args::{ConvertArgs, TrajectoryArgs, actors::channels_of},
    progress::Context,
    render,
};

/// The channels for `--hero` or `--longest`, from one pass over the input.
pub(super) fn channels(
    input: &Input,
    settings: &Settings,
    args: &ConvertArgs,
    context: Context,
) -> Result<Option<ChannelFilter>> {
    let TrajectoryArgs { hero, longest } = args.trajectory;
    if !hero && !longest {
        return Ok(None);
    }
    let Some(path) = input.path().filter(|path| can_be_read_again(path)) else {
        return Err(Error::Target("--hero and --longest read the recording twice: give a file".into()));
    };
    let (again, format) = (context.open(path)?, args.format.name.as_deref());
    let mut progress = context.progress(again.len());
    let chosen = if hero {
        let surveyed = robolog_convert::survey(again, format, &mut |at| progress.set(at))?;
        let heroes = heroes(&surveyed.summary.channels);
        if heroes.is_empty() {
            let message = "no actor has the role_name hero: choose with --channel or --longest";
            return Err(Error::Target(Reason::Choose(message.into())));
        }
        heroes
    } else {
        let feed = Feed::new(again).with_format(format).with_settings(settings.clone());
        let longest = trajectories(vec![feed], &mut |at| progress.set(at))?.into_iter().next();
        if let (Some(longest), false) = (&longest, context.quiet) {
            render::note(path, format_args!("taking {longest}"));
        }
        longest.map(|longest| longest.channel.to_string()).into_iter().collect()
    };
    Ok(Some(ChannelFilter::new(move |channel| chosen.iter().any(|one| one == channel))))
}

/// The channels of the poses of heroes, the vehicles under test.
fn heroes(channels: &[Channel]) -> BTreeSet<String> {
    let of_poses: Vec<Channel> =
        channels.iter().filter(|channel| matches!(channel.kind, "odometry" | "pose")).cloned().collect();
    channels_of(&[Pattern::new("hero").unwrap_or_default()], &of_poses).unwrap_or_default()
}
