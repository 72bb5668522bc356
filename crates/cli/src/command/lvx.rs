//! `robolog lvx`: tools for LVX recordings.

use lvx::{Header, Version, layout::Extrinsic};
use robolog_convert::{Error, Reason, Result, nearest, target::Target};
use robolog_core::format::KnownLength;

use crate::{
    args::lvx::{Lvx, MountArgs},
    progress::Context,
    render,
    status::Status,
};

pub(crate) fn run(args: &Lvx, context: Context) -> Result<Status> {
    match args {
        Lvx::Mount(args) => mount(args, context).map_err(|error| match error {
            Error::Exists(_) | Error::IsInput(_) => error,
            error => error.at(&args.file),
        }),
    }
}

fn mount(args: &MountArgs, context: Context) -> Result<Status> {
    let file = &*args.file;
    let input = KnownLength::open(file, 0)?;
    let mut header = lvx::open(file)?.header().clone();
    if header.version() == Version::V1_0 {
        return Err(Error::Target(
            "the points of LVX 1.0 are moved already; no reader moves them again".into(),
        ));
    }
    let number = chosen(&header, args.device.as_deref())?;
    let mut said = String::new();
    if let Some(device) = header.devices_mut().get_mut(number) {
        let mount = &mut device.extrinsic;
        if let Some(rpy) = args.rpy {
            [mount.roll, mount.pitch, mount.yaw] = rpy;
        }
        if let Some(xyz) = args.xyz {
            [mount.x, mount.y, mount.z] = xyz;
        }
        device.extrinsic_enable = Some(u8::from(!args.off));
        let state = if args.off { "not enabled" } else { "enabled" };
        let Extrinsic { roll, pitch, yaw, x, y, z } = *mount;
        said =
            format!("extrinsic {state}: roll {roll} pitch {pitch} yaw {yaw} degrees and x {x} y {y} z {z}");
    }
    let to = args.out.for_copy(file)?;
    let out = Target::create(&to.output, to.existing(), &[file])?;
    lvx::replace_header(input, &header, out.writer()?)?;
    out.persist()?;
    if !context.quiet {
        render::note(&to.output, said);
    }
    Ok(Status::Done)
}

/// Index of the device in the list.
fn chosen(header: &Header, wanted: Option<&str>) -> Result<usize> {
    let names: Vec<String> = header.devices().iter().map(|device| header.device_name(device.id)).collect();
    let all = || names.join(", ");
    match (wanted, names.as_slice()) {
        (_, []) => Err(Error::Target("the recording has no devices".into())),
        (None, [_]) => Ok(0),
        (None, _) => {
            let message = format!("several devices: choose one with --device: {}", all());
            Err(Error::Target(Reason::Choose(message)))
        }
        (Some(wanted), _) => names.iter().position(|name| name == wanted).ok_or_else(|| {
            let near = nearest(wanted, names.iter().map(String::as_str));
            let near = near.map(|near| format!("; did you mean {near}?"));
            let known = near.unwrap_or_else(|| format!(": there are {}", all()));
            Error::Target(Reason::Choose(format!("no device is named {wanted}{known}")))
        }),
    }
}
