//! Advice in terms of the options of the verb that runs.

use std::sync::OnceLock;

use robolog_convert::Advice;

use super::listed;

/// An error message with advice appended to its first line.
pub(super) fn advised(text: String, advice: Option<Advice>) -> String {
    let Some(advice) = advice else { return text };
    let (first, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let between = match advice {
        Advice::Replace => " ",
        _ if first.ends_with('?') => " ",
        Advice::NameTarget
        | Advice::ListTargets
        | Advice::OneName
        | Advice::Convert
        | Advice::ListFormats
        | Advice::NarrowTable => "; ",
        _ => ": ",
    };
    format!("{first}{between}{}{rest}", of_this_verb(words(advice)))
}

/// The options of the verb that runs.
static OPTIONS: OnceLock<Vec<String>> = OnceLock::new();

/// Takes the options of the verb that runs, so that no advice names others.
pub(crate) fn take_options(options: Vec<String>) {
    let _ = OPTIONS.set(options);
}

/// Advice that names an option of the verb that runs, or if it has none, one of `convert`.
fn of_this_verb(advice: String) -> String {
    let Some(own) = OPTIONS.get() else { return advice };
    // What follows is a line of another verb.
    let (of_this, of_other) = advice.split_at(advice.find("robolog ").unwrap_or(advice.len()));
    let named =
        of_this.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| word.starts_with("--"));
    let mut lacking: Vec<&str> = named.filter(|word| !own.iter().any(|option| option == word)).collect();
    lacking.dedup();
    if lacking.is_empty() {
        return advice;
    }
    if !of_other.is_empty() {
        return of_other.to_owned();
    }
    format!("robolog convert takes {}", listed(&lacking, "and"))
}

/// Advice in terms of command line options.
fn words(advice: Advice) -> String {
    match advice {
        Advice::ChooseChannels => {
            "--channel GLOB writes a table of the chosen channels, --wide --rate 10 one table with a row per tick, \
             --per name a folder of tables"
                .into()
        }
        Advice::ScanPoints => "--channel GLOB or --per frame turns laser scans into points".into(),
        Advice::ScanAngles => "give its angles with --laser-angles FIRST,STEP".into(),
        Advice::WriteAs(target) => format!("--to {target}"),
        Advice::CopyJpeg => "--to jpg copies a JPEG file that cannot be decoded".into(),
        Advice::FilePerFrame => "--per frame".into(),
        Advice::FilePerChannel => "use --per channel".into(),
        Advice::FilePerGroup => "use --hive with --per channel or --per name".into(),
        Advice::FilePerKind => "use --per name, or --channel".into(),
        Advice::FewerChannels => "--channel GLOB chooses fewer channels".into(),
        Advice::FewerDevices => {
            "choose fewer channels with --channel GLOB, or use --per channel".into()
        }
        Advice::NarrowTable => "leave out --wide --rate for a row per sample".into(),
        Advice::OneChannel => "choose with --channel, --hero or --longest".into(),
        Advice::ShorterGap => "use --channel, a lower --rate or a shorter --max-gap".into(),
        Advice::Convert => "use robolog convert --channel to choose samples".into(),
        Advice::Replace => "(--force replaces it)".into(),
        Advice::OneName => "leave out --to, or give the output another name".into(),
        Advice::NameTarget => "--to NAME chooses a format; robolog convert --help targets lists them".into(),
        Advice::ListTargets => "robolog convert --help targets lists them".into(),
        Advice::Rosbag2 => "--to rosbag2 -o FOLDER writes a folder for ros2 bag".into(),
        Advice::ListFormats => "robolog --help lists the formats that are read".into(),
        Advice::PlainPcd => "use --pcd-data binary, or --channel".into(),
        Advice::PlainPcdOrFrames => "use --pcd-data binary, or --per frame".into(),
        Advice::PlainLas => "use --to las, or --channel".into(),
        Advice::Las14 => "use --las-version 1.4, or --per frame".into(),
        Advice::Epoch => {
            "--epoch TIME gives times from the start of a device or recording a date".into()
        }
        Advice::SayClock => "relate them with --epoch or --clock".into(),
        Advice::Origin => {
            "it holds GNSS fixes only; --origin LAT,LON turns poses into fixes, --to tum keeps poses".into()
        }
        Advice::PlaceOrigin => "give it with --origin LAT,LON".into(),
        Advice::KeepNoFix => {
            "the receiver had no fix (quality 0); --to csv and --to mcap keep such positions".into()
        }
        Advice::Ros2Messages => "--schema ros2 keeps pixels of 16 bits a colour".into(),
        Advice::Calibration => {
            "give it with --calibration FILE, or accept this one with --calibration builtin".into()
        }
        Advice::DualReturns => "--dual-returns both writes both".into(),
        Advice::TimeWarp => "give the warp with --time-warp".into(),
        Advice::MissionTime => "--time mission gives its times".into(),
        Advice::MoreMemory => "use a larger --voxel or --max-memory".into(),
        Advice::MemoryForPoses => "--max-memory allows more".into(),
        Advice::ClockOffset => {
            "give the seconds to add to the times of the trajectory with --trajectory-offset (0 for none)".into()
        }
        Advice::Plot => "robolog plot draws clouds and scans".into(),
        advice => advice.to_string(),
    }
}
