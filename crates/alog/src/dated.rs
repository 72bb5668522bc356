//! The dates in the names that loggers give to files and folders.

use robolog_core::Timestamp;

/// The local time in the name of a logger's file or in that of the nearest dated folder, taken as UTC.
pub(crate) fn unix_of_path(path: &[u8]) -> Option<i64> {
    path.rsplit(|b| matches!(b, b'/' | b'\\')).find_map(unix_of_name)
}

/// The local time in a name, taken as UTC: `STEM_D_M_YYYY_____HH_MM_SS`, as loggers write it with or without zeros before
/// days and months, seconds, an extension and what tools add. Also with the year first.
fn unix_of_name(name: &[u8]) -> Option<i64> {
    let parts: Vec<&[u8]> = name.split(|b| *b == b'_').filter(|part| !part.is_empty()).collect();
    let whole = |part: &[u8]| {
        let digits = part.len() <= 4 && part.iter().all(u8::is_ascii_digit);
        if digits { std::str::from_utf8(part).ok()?.parse::<u16>().ok() } else { None }
    };
    // An extension follows the last number.
    let last = |part: &[u8]| whole(part.split(|b| *b == b'.').next()?);
    let dated = |parts: &[&[u8]]| {
        let (date, time) = parts.split_at_checked(3)?;
        let [first, month, third] = <[&[u8]; 3]>::try_from(date).ok()?.map(whole);
        let (day, year) = if first? > 31 { (third?, first?) } else { (first?, third?) };
        let (hour, minute, second) = match time {
            [hour, minute, second, ..] if whole(minute).is_some() => {
                (whole(hour)?, whole(minute)?, last(second).unwrap_or_default())
            }
            [hour, minute, ..] => (whole(hour)?, last(minute)?, 0),
            _ => return None,
        };
        let byte = |n: u16| u8::try_from(n).ok();
        let time = Timestamp::from_utc(
            year.into(),
            byte(month?)?,
            byte(day)?,
            byte(hour)?,
            byte(minute)?,
            byte(second)?,
            0,
        )?;
        Some(time.secs_and_nanos().0)
    };
    // A stem may end with numbers, so the last date counts.
    (0..parts.len()).rev().find_map(|from| dated(parts.get(from..)?).filter(|unix| *unix > 0))
}
