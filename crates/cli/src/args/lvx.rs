//! Arguments of `robolog lvx`, for LVX recordings.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::common::OutArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum Lvx {
    /// Copy a recording and set the mounting of a device
    #[command(
        after_help = "Examples:\n  robolog lvx mount drive.lvx --rpy 0,1.5,90 --xyz 0.1,0,1.8 -o mounted.lvx\n  \
                            robolog lvx mount drive.lvx --device 3WEDH7600101501 --off -o raw.lvx"
    )]
    Mount(MountArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MountArgs {
    /// A recording of LVX 1.1 or LVX2
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// The device, as named by `info`; not needed if there is only one
    #[arg(long, value_name = "NAME")]
    pub(crate) device: Option<String>,
    /// Set roll, pitch and yaw, in degrees
    #[arg(long, value_name = "R,P,Y", value_parser = three, allow_hyphen_values = true)]
    pub(crate) rpy: Option<[f32; 3]>,
    /// Set x, y and z, in metres
    #[arg(long, value_name = "X,Y,Z", value_parser = three, allow_hyphen_values = true)]
    pub(crate) xyz: Option<[f32; 3]>,
    /// Disable the extrinsic: readers leave the points as they are
    #[arg(long)]
    pub(crate) off: bool,
}

/// Parses three finite numbers, separated by commas.
fn three(text: &str) -> Result<[f32; 3], String> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let three = numbers.and_then(|all| <[f32; 3]>::try_from(all).ok());
    three
        .filter(|all| all.iter().all(|n| n.is_finite()))
        .ok_or_else(|| "expected three numbers such as 0,1.5,-90".into())
}
